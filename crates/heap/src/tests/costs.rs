//! An access costs what may alias with it, and nothing else.

use petrel_solver::Expr;

use super::fixture::Path;
use super::world::{A, A_I, A_NEXT, B, B_J, C, D, D_I, INTS};

/// How many terms something makes.
fn terms_made(path: &mut Path, action: impl FnOnce(&mut Path)) -> usize {
    let before = path.terms();
    action(path);
    path.terms() - before
}

#[test]
fn accesses_to_other_fields_cost_nothing() {
    let mut path = Path::new();
    let objects = ["x", "y", "z"].map(|name| path.object(name, B));
    for object in objects {
        path.set_field(object, B_J, Expr::Constant(1));
        path.get_field(object, A_NEXT);
    }
    let made = terms_made(&mut path, |path| {
        path.get_field(objects[2], A_I);
    });
    assert_eq!(made, 1, "the unknown alone");
}

#[test]
fn writes_to_objects_without_a_class_in_common_cost_nothing() {
    let mut path = Path::new();
    let of_c: Vec<Expr> = (0..5).map(|_| path.object("c", C)).collect();
    let x = path.object("x", B);
    for &object in &of_c {
        path.set_field(object, A_I, Expr::Constant(1));
    }
    let made = terms_made(&mut path, |path| {
        path.get_field(x, A_I);
    });
    assert_eq!(made, 1, "the unknown alone");
    let d = path.object("d", D);
    let made = terms_made(&mut path, |path| {
        path.get_field(d, D_I);
    });
    assert_eq!(made, 1);
}

#[test]
fn reads_cost_one_unknown_each_whatever_they_may_be_aliases_of() {
    let mut path = Path::new();
    let objects: Vec<Expr> = (0..50).map(|_| path.object("x", C)).collect();
    let made = terms_made(&mut path, |path| {
        for &object in &objects {
            path.get_field(object, A_I);
        }
    });
    assert_eq!(made, objects.len());
    assert!(path.solver.store.constraints().is_empty());
}

#[test]
fn a_second_read_costs_nothing() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, A));
    path.set_field(y, A_I, Expr::Constant(1));
    let first = path.get_field(x, A_I);
    let made = terms_made(&mut path, |path| assert_eq!(path.get_field(x, A_I), first));
    assert_eq!(made, 0);
}

#[test]
fn writes_cost_nothing_until_something_is_read() {
    let mut path = Path::new();
    let objects: Vec<Expr> = (0..10).map(|_| path.object("x", A)).collect();
    let made = terms_made(&mut path, |path| {
        for &object in &objects {
            path.set_field(object, A_I, Expr::Constant(1));
        }
    });
    assert_eq!(made, 0);
    // An equality and a choice for each write but the last, which is to the same object.
    let made = terms_made(&mut path, |path| {
        path.set_field(objects[0], A_I, Expr::Constant(2));
        assert_eq!(path.get_field(objects[0], A_I), Expr::Constant(2));
    });
    assert_eq!(made, 0);
    let made = terms_made(&mut path, |path| {
        path.get_field(objects[9], A_I);
    });
    assert!(made <= 2, "only the last write is newer than the one to the same object: {made}");
}

#[test]
fn arrays_of_another_kind_and_other_constant_indices_cost_nothing() {
    let mut path = Path::new();
    let ints = path.object("ints", INTS);
    let others: Vec<Expr> = (0..5).map(|_| path.object("as", super::world::AS)).collect();
    let object = path.object("x", A);
    for &array in &others {
        path.set_reference(array, Expr::Constant(0), object);
    }
    for index in 1..5 {
        path.set_int(ints, Expr::Constant(index), Expr::Constant(1));
    }
    let made = terms_made(&mut path, |path| {
        path.get_int(ints, Expr::Constant(0));
        path.length(ints);
    });
    assert_eq!(made, 2, "two unknowns");
}

#[test]
fn new_objects_that_no_reference_leads_to_cost_nothing() {
    let mut path = Path::new();
    let x = path.object("x", A);
    let news: Vec<Expr> = (0..10).map(|_| path.world.new_object(A)).collect();
    let made = terms_made(&mut path, |path| {
        for &new in &news {
            path.set_field(new, A_I, Expr::Constant(3));
            assert_eq!(path.get_field(new, A_I), Expr::Constant(3));
        }
        path.get_field(x, A_I);
    });
    assert_eq!(made, 1);
}

#[test]
fn copies_of_parts_of_an_array_onto_each_other_can_be_read() {
    let mut path = Path::new();
    let x = path.object("x", INTS);
    let n = path.number("n", 0, 100);
    let (elements, sort) = (super::world::INT_ELEMENTS, super::INT);
    let steps = 24;
    for at in 0..steps {
        let [from, to] = [at, at + 1].map(|start| (x, Expr::Constant(start)));
        path.get(|heap, context| heap.copy(context, elements, sort, from, to, n));
    }
    let made = terms_made(&mut path, |path| {
        path.get_int(x, Expr::Constant(steps));
    });
    assert!(made < 5000, "{made}");
}
