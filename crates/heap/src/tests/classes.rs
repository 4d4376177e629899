//! Classes of unknown objects.

use petrel_clp::Comparison;
use petrel_solver::Expr;

use super::NULL;
use super::fixture::Path;
use super::world::{A, AS, B, BS, C, CONSTANTS, D, D_E, E, OBJECT};
use crate::world::ClassId;

/// The classes that an object may have.
fn classes(path: &mut Path, object: Expr) -> Vec<ClassId> {
    let class = path.get(|heap, context| heap.class(context, object));
    let classes = path.domain(class);
    classes.into_iter().map(|class| ClassId(class as u32)).collect()
}

#[test]
fn an_unknown_object_has_one_of_the_classes_below_its_static_type() {
    let mut path = Path::new();
    let x = path.object("x", A);
    assert_eq!(classes(&mut path, x), [A, B, C]);
    let is_b = path.is_instance(x, B);
    let start = path.mark();
    path.assume_compared(is_b, Comparison::Equal, 1).unwrap();
    let is_c = path.is_instance(x, C);
    assert!(path.is(is_c, 0));
    path.undo(&start);
    assert_eq!(path.is_instance(x, OBJECT), Expr::Constant(1));
    assert_eq!(path.is_instance(x, D), Expr::Constant(0));
}

#[test]
fn aliases_have_the_same_class() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, A));
    let [x_is_b, y_is_b] = [x, y].map(|object| path.is_instance(object, B));
    path.assume_compared(x_is_b, Comparison::Equal, 1).unwrap();
    path.assume_compared(y_is_b, Comparison::Equal, 0).unwrap();
    let same = path.same(x, y);
    assert!(path.is(same, 0));
}

#[test]
fn a_reference_to_a_class_below_is_an_alias_only_of_its_instances() {
    let mut path = Path::new();
    let x = path.object("x", A);
    let y = path.object("y", B);
    path.ref_eq(x, y).unwrap();
    let is_b = path.is_instance(x, B);
    assert!(path.is(is_b, 1));
}

#[test]
fn objects_without_a_class_in_common_are_never_the_same() {
    let mut path = Path::new();
    let x = path.nullable("x", A);
    let y = path.nullable("y", D);
    let start = path.mark();
    path.ref_eq(x, y).unwrap();
    assert!(path.is(x, 0) && path.is(y, 0));
    path.undo(&start);
    path.ref_neq(y, NULL).unwrap();
    assert_eq!(path.same(x, y), Expr::Constant(0));
}

#[test]
fn objects_without_a_class_in_common_do_not_share_the_number_of_a_third_one() {
    let mut path = Path::new();
    let any = path.nullable("any", OBJECT);
    let x = path.object("x", A);
    let y = path.object("y", D);
    path.ref_eq(any, NULL).unwrap();
    // 1 would be the number of `any`, were it not null.
    path.assume_compared(x, Comparison::Equal, 1).unwrap();
    let (values, objects) = path.solve().unwrap();
    let [x, y] = [x, y].map(|object| super::fixture::value(&values, object));
    assert_ne!(x, y);
    let classes: Vec<_> = objects.iter().map(|object| (object.number, object.class)).collect();
    assert_eq!(classes, [(x, A), (y, D)]);
}

#[test]
fn null_references_of_different_classes_are_no_conflict() {
    let mut path = Path::new();
    path.nullable("any", OBJECT);
    let x = path.nullable("x", A);
    let y = path.nullable("y", D);
    path.ref_eq(x, NULL).unwrap();
    path.ref_eq(y, NULL).unwrap();
    assert!(path.solve().is_some());
}

#[test]
fn a_class_that_is_not_looked_at_is_one_that_all_references_allow() {
    let mut path = Path::new();
    let x = path.object("x", OBJECT);
    let y = path.object("y", A);
    let z = path.object("z", B);
    path.ref_eq(x, y).unwrap();
    path.ref_eq(y, z).unwrap();
    let (_, objects) = path.solve().unwrap();
    assert_eq!(objects.len(), 1);
    assert_eq!(objects[0].class, B);
}

#[test]
fn what_an_array_takes_depends_on_its_class() {
    let mut path = Path::new();
    let array = path.object("array", AS);
    let c = path.world.new_object(C);
    let b = path.world.new_object(B);
    let takes = |path: &mut Path, value: Expr| {
        path.get(|heap, context| heap.is_storable(context, array, value))
    };
    assert_eq!(takes(&mut path, b), Expr::Constant(1));
    let takes_c = takes(&mut path, c);
    let holds_b_only = path.is_instance(array, BS);
    let start = path.mark();
    path.assume_compared(takes_c, Comparison::Equal, 1).unwrap();
    assert!(path.is(holds_b_only, 0));
    path.undo(&start);
    path.assume_compared(takes_c, Comparison::Equal, 0).unwrap();
    assert!(path.is(holds_b_only, 1));
}

#[test]
fn an_unknown_of_an_enum_is_one_of_its_constants() {
    let mut path = Path::new();
    let x = path.object("x", D);
    let constant = path.get_field(x, D_E);
    let first = CONSTANTS[0].reference();
    let is_first = path.same(constant, first);
    assert!(!path.is(is_first, 0));
    path.ref_neq(constant, NULL).unwrap();
    assert_eq!(path.is_instance(constant, E), Expr::Constant(1));
    assert_eq!(classes(&mut path, constant), [E]);
    path.ref_neq(constant, first).unwrap();
    assert!(path.is(constant, CONSTANTS[1].reference()));
}

#[test]
fn lazy_initialisation_tries_null_a_new_object_and_those_that_fit() {
    let mut path = Path::new();
    path.heap.is_lazy = true;
    let x = path.nullable("x", A);
    let y = path.nullable("y", D);
    let z = path.nullable("z", B);
    let choices = |path: &Path, reference: Expr, with_aliasing: bool| {
        path.heap.choices(&path.solver.store, reference, with_aliasing)
    };
    assert_eq!(choices(&path, x, true), [0, 1]);
    path.assume_compared(x, Comparison::Equal, 1).unwrap();
    path.assume_compared(y, Comparison::Equal, 2).unwrap();
    assert_eq!(choices(&path, z, true), [0, 3, 1]);
    assert_eq!(choices(&path, z, false), [0, 3]);
    path.ref_neq(z, NULL).unwrap();
    assert_eq!(choices(&path, z, true), [3, 1]);
    // Another reference to the same object is no other choice.
    let w = path.nullable("w", A);
    path.assume_compared(z, Comparison::Equal, 1).unwrap();
    assert_eq!(choices(&path, w, true), [0, 4, 1]);
}
