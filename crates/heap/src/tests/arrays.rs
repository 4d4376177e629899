//! Arrays: elements, lengths, copies.

use petrel_clp::Comparison;
use petrel_solver::Expr;

use super::fixture::Path;
use super::world::{A, A_ANY, AS, B, INT_ELEMENTS, INTS, OBJECT, OBJECTS, REFERENCE_ELEMENTS};
use super::{INT, NULL};
use crate::world::{FieldId, Sort};

const INTS_OF_A: FieldId = FieldId(3);

fn copy(path: &mut Path, from: (Expr, i64), to: (Expr, i64), length: Expr) {
    let part = |(array, start): (Expr, i64)| (array, Expr::Constant(start));
    let (from, to) = (part(from), part(to));
    path.get(|heap, context| heap.copy(context, INT_ELEMENTS, INT, from, to, length));
}

#[test]
fn the_length_of_an_array_is_that_of_its_aliases() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, INTS));
    let [of_x, of_y] = [x, y].map(|array| path.length(array));
    assert_eq!(path.solver.store.interval(of_x).0, 0);
    path.assume_compared(of_x, Comparison::Equal, 3).unwrap();
    assert!(!path.is(of_y, 3));
    path.ref_eq(x, y).unwrap();
    assert_eq!(path.fixed(of_y), Some(3));
}

#[test]
fn elements_at_different_constant_indices_have_nothing_to_do_with_each_other() {
    let mut path = Path::new();
    let x = path.object("x", INTS);
    let first = path.get_int(x, Expr::Constant(0));
    let terms = path.terms();
    path.set_int(x, Expr::Constant(1), Expr::Constant(7));
    assert_eq!(path.get_int(x, Expr::Constant(0)), first);
    assert_eq!(path.get_int(x, Expr::Constant(1)), Expr::Constant(7));
    assert_eq!(path.terms(), terms);
}

#[test]
fn initial_elements_at_equal_indices_are_equal() {
    let mut path = Path::new();
    let x = path.object("x", INTS);
    let [i, j] = ["i", "j"].map(|name| path.number(name, 0, 9));
    let [at_i, at_j] = [i, j].map(|index| path.get_int(x, index));
    assert!(!path.is(at_i, at_j));
    path.assume_compared(i, Comparison::Equal, j).unwrap();
    assert!(path.is(at_i, at_j));
}

#[test]
fn a_reference_selected_by_a_number_is_compared_by_whether_that_is_zero() {
    let mut path = Path::new();
    let x = path.object("x", OBJECTS);
    let i = path.number("i", 0, 9);
    let new = path.world.new_object(A);
    path.set_reference(x, Expr::Constant(0), new);
    // The condition of the choice is the number i itself.
    let element = path.get_reference(x, i, OBJECT);
    let is_new = path.same(element, new);
    let is_null = path.same(element, NULL);
    assert_eq!(path.solver.store.interval(is_new), (0, 1));
    assert_eq!(path.solver.store.interval(is_null), (0, 1));
    path.assume_compared(i, Comparison::Equal, 2).unwrap();
    path.ref_eq(element, NULL).unwrap();
    assert!(path.solve().is_some());
}

#[test]
fn a_new_array_of_unknown_length_is_full_of_zeros() {
    let mut path = Path::new();
    let length = path.number("n", 0, 9);
    let i = path.number("i", 0, 9);
    let new = path.new_ints(length);
    assert_eq!(path.length(new), length);
    assert_eq!(path.get_int(new, i), Expr::Constant(0));
    path.set_int(new, Expr::Constant(2), Expr::Constant(5));
    let read = path.get_int(new, i);
    assert_eq!(path.domain(read), [0, 5]);
    path.assume_compared(i, Comparison::Greater, 2).unwrap();
    assert_eq!(path.fixed(read), Some(0));
}

#[test]
fn a_write_through_an_alias_reaches_arrays_of_known_length() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, A));
    let new = path.new_ints(Expr::Constant(3));
    path.set_field(x, INTS_OF_A, new);
    let array = path.get_field(y, INTS_OF_A);
    path.ref_neq(array, NULL).unwrap();
    path.set_int(array, Expr::Constant(1), Expr::Constant(7));
    let read = path.get_int(new, Expr::Constant(1));
    assert_eq!(path.domain(read), [0, 7]);
    path.ref_eq(x, y).unwrap();
    assert_eq!(path.fixed(read), Some(7));
}

#[test]
fn a_copy_through_an_alias_reaches_arrays_of_known_length() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, A));
    let source = path.object("source", INTS);
    let new = path.new_ints(Expr::Constant(3));
    path.set_field(x, INTS_OF_A, new);
    let array = path.get_field(y, INTS_OF_A);
    path.ref_neq(array, NULL).unwrap();
    copy(&mut path, (source, 1), (array, 0), Expr::Constant(2));
    let expected = path.get_int(source, Expr::Constant(1));
    let read = path.get_int(new, Expr::Constant(0));
    let outside = path.get_int(new, Expr::Constant(2));
    assert_eq!(outside, Expr::Constant(0));
    let start = path.mark();
    path.ref_eq(x, y).unwrap();
    assert!(path.is(read, expected));
    path.undo(&start);
    path.ref_neq(x, y).unwrap();
    assert_eq!(path.fixed(read), Some(0));
}

#[test]
fn a_copy_takes_what_was_there_at_its_time() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, A));
    let target = path.object("target", INTS);
    let new = path.new_ints(Expr::Constant(3));
    path.set_int(new, Expr::Constant(0), Expr::Constant(4));
    path.set_field(x, INTS_OF_A, new);
    let array = path.get_field(y, INTS_OF_A);
    path.ref_neq(array, NULL).unwrap();
    copy(&mut path, (array, 0), (target, 0), Expr::Constant(1));
    path.set_int(new, Expr::Constant(0), Expr::Constant(5));
    path.ref_eq(x, y).unwrap();
    let read = path.get_int(target, Expr::Constant(0));
    assert!(path.is(read, 4));
}

#[test]
fn a_copy_within_an_array_may_overlap() {
    let mut path = Path::new();
    let x = path.object("x", INTS);
    for (index, value) in [10, 20, 30].into_iter().enumerate() {
        path.set_int(x, Expr::Constant(index as i64), Expr::Constant(value));
    }
    let length = path.number("n", 0, 3);
    copy(&mut path, (x, 0), (x, 1), length);
    path.assume_compared(length, Comparison::Equal, 2).unwrap();
    let elements = [0, 1, 2].map(|index| path.get_int(x, Expr::Constant(index)));
    assert_eq!(elements.map(|element| path.fixed(element)), [Some(10), Some(10), Some(20)]);
}

#[test]
fn elements_are_what_their_array_can_hold() {
    let mut path = Path::new();
    let x = path.object("x", AS);
    let element = path.get_reference(x, Expr::Constant(0), A);
    path.ref_neq(element, NULL).unwrap();
    let is_b = path.is_instance(element, B);
    assert!(!path.is(is_b, 1) && !path.is(is_b, 0));
    let holds_b_only = path.is_instance(x, super::world::BS);
    path.assume_compared(holds_b_only, Comparison::Equal, 1).unwrap();
    assert!(path.is(is_b, 1));
}

#[test]
fn elements_that_were_read_as_something_else_are_not_restricted_by_that() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, A));
    let initial = path.get_field(y, A_ANY);
    let written = path.object("written", AS);
    path.set_field(x, A_ANY, written);
    // The written array if x is y, else the initial one, which then is an array of A.
    let array = path.get_field(y, A_ANY);
    path.ref_neq(array, NULL).unwrap();
    let is_array = path.is_instance(array, AS);
    path.assume_compared(is_array, Comparison::Equal, 1).unwrap();
    path.get_reference(array, Expr::Constant(0), A);
    // If x is y, the initial one can have anything in it.
    path.ref_eq(x, y).unwrap();
    path.ref_neq(initial, NULL).unwrap();
    let is_array = path.is_instance(initial, OBJECTS);
    path.assume_compared(is_array, Comparison::Equal, 1).unwrap();
    let element = path.get_reference(initial, Expr::Constant(0), OBJECT);
    path.ref_neq(element, NULL).unwrap();
    let is_a = path.is_instance(element, A);
    path.assume_compared(is_a, Comparison::Equal, 0).unwrap();
    assert!(path.solve().is_some());
}

#[test]
fn elements_of_one_kind_are_not_taken_for_those_of_another() {
    let mut path = Path::new();
    let x = path.object("x", OBJECT);
    path.get_int(x, Expr::Constant(0));
    let elements = REFERENCE_ELEMENTS;
    let of = Sort::Reference(OBJECT);
    let element =
        path.get(|heap, context| heap.get_element(context, x, Expr::Constant(0), elements, of));
    path.ref_eq(element, x).unwrap();
    let (_, objects) = path.solve().unwrap();
    let kinds: Vec<(u32, i64)> =
        objects[0].elements.iter().map(|it| (it.elements, it.value)).collect();
    assert_eq!(kinds, [(INT_ELEMENTS, 0), (REFERENCE_ELEMENTS, 1)]);
}
