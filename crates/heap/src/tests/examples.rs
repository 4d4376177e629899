//! The examples of "A CLP Heap Solver for Test Case Generation".

use petrel_clp::Comparison;
use petrel_solver::Expr;

use super::fixture::Path;
use super::world::{A, A_I, A_NEXT, B, B_J, B_LINK, INTS};

/// The method of figure 1, up to instruction 6.
struct Figure1 {
    path: Path,
    x: Expr,
    y: Expr,
    z: Expr,
    /// `x.f` in `y.f = x.f + 1`.
    x_f: Expr,
    /// `x.f + 1`.
    y_f: Expr,
}

impl Figure1 {
    fn new() -> Figure1 {
        let mut path = Path::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| path.object(name, A));
        path.set_field(x, A_I, Expr::Constant(1));
        path.set_field(z, A_I, Expr::Constant(-5));
        let x_f = path.get_field(x, A_I);
        let y_f = path.add(x_f, 1);
        path.set_field(y, A_I, y_f);
        Figure1 { path, x, y, z, x_f, y_f }
    }
}

#[test]
fn example_2_a_read_has_a_rule_for_each_alias() {
    let Figure1 { path, x_f, y_f, .. } = Figure1::new();
    assert_eq!(path.domain(x_f), [-5, 1]);
    assert_eq!(path.domain(y_f), [-4, 2]);
}

#[test]
fn example_2_ref_eq_propagates_forward() {
    let Figure1 { mut path, x, y, z, x_f, .. } = Figure1::new();
    path.ref_eq(x, z).unwrap();
    assert_eq!(path.fixed(x_f), Some(-5));
    let y_f = path.get_field(y, A_I);
    assert_eq!(path.fixed(y_f), Some(-4));
}

#[test]
fn example_2_ref_neq_propagates_forward() {
    let Figure1 { mut path, x, y, z, x_f, .. } = Figure1::new();
    path.ref_neq(x, z).unwrap();
    assert_eq!(path.fixed(x_f), Some(1));
    let y_f = path.get_field(y, A_I);
    assert_eq!(path.fixed(y_f), Some(2));
}

#[test]
fn example_2_a_reference_is_not_both_the_same_and_different() {
    let Figure1 { mut path, x, z, .. } = Figure1::new();
    path.ref_neq(x, z).unwrap();
    assert!(path.ref_eq(x, z).is_err());
}

#[test]
fn example_2_a_new_object_has_no_aliases() {
    let mut path = Path::new();
    let [y, z] = ["y", "z"].map(|name| path.object(name, A));
    let x = path.world.new_object(A);
    let terms = path.terms();
    path.set_field(x, A_I, Expr::Constant(1));
    path.set_field(z, A_I, Expr::Constant(-5));
    path.set_field(y, A_I, Expr::Constant(6));
    assert_eq!(path.get_field(x, A_I), Expr::Constant(1));
    assert_eq!(path.terms(), terms);
}

/// The values of `a = x.f; [w.f = ..;] b = y.f; c = z.f`.
struct Reads {
    path: Path,
    w: Expr,
    x: Expr,
    y: Expr,
    z: Expr,
    a: Expr,
    b: Expr,
    c: Expr,
}

fn reads(write: impl FnOnce(&mut Path, Expr, Expr)) -> Reads {
    let mut path = Path::new();
    let [w, x, y, z] = ["w", "x", "y", "z"].map(|name| path.object(name, A));
    let a = path.get_field(x, A_I);
    write(&mut path, w, a);
    let b = path.get_field(y, A_I);
    let c = path.get_field(z, A_I);
    Reads { path, w, x, y, z, a, b, c }
}

#[test]
fn reads_without_a_write_in_between_agree_wherever_references_do() {
    let Reads { mut path, x, y, z, a, b, c, .. } = reads(|_, _, _| {});
    let start = path.mark();
    path.ref_eq(z, y).unwrap();
    assert!(path.is(c, b));
    assert!(!path.is(c, a));
    path.ref_eq(y, x).unwrap();
    assert!(path.is(c, a));
    path.undo(&start);
    path.ref_neq(z, y).unwrap();
    path.ref_neq(z, x).unwrap();
    assert!(!path.is(c, a) && !path.is(c, b));
    assert!(!path.follows(c, Comparison::NotEqual, a));
}

#[test]
fn the_value_of_a_read_before_a_write_counts_only_for_other_objects() {
    let Reads { mut path, w, x, y, z, a, b, c } = reads(|path, w, a| path.set_field(w, A_I, a));
    let start = path.mark();
    path.ref_eq(z, y).unwrap();
    assert!(path.is(c, b));
    path.undo(&start);
    path.ref_eq(z, w).unwrap();
    assert!(path.is(c, a));
    path.undo(&start);
    path.ref_neq(z, w).unwrap();
    assert!(!path.is(c, a));
    path.ref_eq(z, x).unwrap();
    assert!(path.is(c, a));
    path.undo(&start);
    for other in [w, x, y] {
        path.ref_neq(z, other).unwrap();
    }
    assert!(!path.is(c, a) && !path.is(c, b));
}

#[test]
fn a_write_hides_the_value_read_before() {
    let Reads { mut path, w, x, z, a, c, .. } =
        reads(|path, w, _| path.set_field(w, A_I, Expr::Constant(7)));
    path.assume_compared(a, Comparison::NotEqual, 7).unwrap();
    path.ref_eq(z, x).unwrap();
    assert!(!path.is(c, a) && !path.is(c, 7));
    path.ref_eq(z, w).unwrap();
    assert!(path.is(c, 7));
}

#[test]
fn example_3_a_value_propagates_backward() {
    let Figure1 { mut path, x, y, z, y_f, .. } = Figure1::new();
    let read_again = path.get_field(x, A_I);
    assert_eq!(path.domain(read_again), [-5, -4, 1, 2]);
    path.assume_compared(read_again, Comparison::Equal, 1).unwrap();
    assert_eq!(path.same(x, y), Expr::Constant(0));
    assert_eq!(path.same(x, z), Expr::Constant(0));
    assert_eq!(path.domain(y_f), [2]);
    let y_f = path.get_field(y, A_I);
    assert_eq!(path.fixed(y_f), Some(2));
}

#[test]
fn example_3_a_value_that_no_alias_has_is_impossible() {
    let Figure1 { mut path, x, .. } = Figure1::new();
    let read_again = path.get_field(x, A_I);
    assert!(path.assume_compared(read_again, Comparison::Equal, 0).is_err());
}

#[test]
fn example_3_a_value_may_leave_several_aliases() {
    let Figure1 { mut path, x, y, z, y_f, .. } = Figure1::new();
    let read_again = path.get_field(x, A_I);
    path.assume_compared(read_again, Comparison::Less, 0).unwrap();
    // -5 and -4 both need it: what x.f was before was -5.
    assert!(path.is(y_f, -4));
    let same = path.same(x, z);
    assert!(path.is(same, 1));
    let same = path.same(x, y);
    assert!(!path.is(same, 1) && !path.is(same, 0));
}

/// `x[k] = -1; x[i] = 2; x[j] = 5`, and `x[k]`.
fn example_4() -> (Path, [Expr; 3], Expr) {
    let mut path = Path::new();
    let x = path.object("x", INTS);
    let indices = ["k", "i", "j"].map(|name| path.number(name, 0, 100));
    for (index, value) in indices.into_iter().zip([-1, 2, 5]) {
        path.set_int(x, index, Expr::Constant(value));
    }
    let read = path.get_int(x, indices[0]);
    (path, indices, read)
}

#[test]
fn example_4_indices_are_aliases_too() {
    let (mut path, [k, i, j], read) = example_4();
    assert_eq!(path.domain(read), [-1, 2, 5]);
    path.assume_compared(k, Comparison::Equal, i).unwrap();
    assert_eq!(path.domain(read), [2, 5]);
    path.assume_compared(k, Comparison::NotEqual, j).unwrap();
    assert_eq!(path.fixed(read), Some(2));
}

#[test]
fn example_4_an_element_propagates_backward() {
    let (mut path, [k, i, j], read) = example_4();
    let start = path.mark();
    path.assume_compared(read, Comparison::Less, 0).unwrap();
    assert_eq!(path.fixed(read), Some(-1));
    for other in [i, j] {
        assert!(path.assume_compared(k, Comparison::Equal, other).is_err());
        path.undo(&start);
        path.assume_compared(read, Comparison::Less, 0).unwrap();
    }
    path.undo(&start);
    path.assume_compared(read, Comparison::Greater, 0).unwrap();
    assert!(!path.is(read, 2) && !path.is(read, 5));
    path.assume_compared(k, Comparison::NotEqual, j).unwrap();
    assert!(path.is(read, 2));
}

/// `if (y.f == z) { x.f = z; if (x == z.f) .. }`: whether the inner branch is possible.
fn is_example_5_possible(is_shared: bool) -> bool {
    let mut path = Path::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| path.object(name, A));
    if !is_shared {
        path.get(|heap, context| heap.assume_non_sharing(context, x, y));
    }
    let y_f = path.get_field(y, A_NEXT);
    path.ref_eq(y_f, z).unwrap();
    path.set_field(x, A_NEXT, z);
    let z_f = path.get_field(z, A_NEXT);
    path.ref_eq(x, z_f).is_ok() && path.solve().is_some()
}

#[test]
fn example_5_what_is_not_shared_is_not_reached_from_both() {
    assert!(is_example_5_possible(true));
    assert!(!is_example_5_possible(false));
}

#[test]
fn a_new_object_is_reached_through_an_alias() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, B));
    let new = path.world.new_object(B);
    path.set_field(x, B_LINK, new);
    let of_x = path.get_field(x, B_LINK);
    path.set_field(of_x, B_J, Expr::Constant(1));
    let b = path.get_field(y, B_LINK);
    path.ref_neq(b, super::NULL).unwrap();
    path.set_field(b, B_J, Expr::Constant(7));
    let of_x = path.get_field(x, B_LINK);
    let read = path.get_field(of_x, B_J);
    assert_eq!(path.domain(read), [1, 7]);
    let start = path.mark();
    path.ref_eq(x, y).unwrap();
    assert_eq!(path.fixed(read), Some(7));
    path.undo(&start);
    path.ref_neq(x, y).unwrap();
    assert_eq!(path.fixed(read), Some(1));
    path.undo(&start);
    path.assume_compared(read, Comparison::Equal, 7).unwrap();
    assert_eq!(path.same(x, y), Expr::Constant(1));
}
