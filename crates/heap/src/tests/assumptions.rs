//! Assumptions about the initial heap (section 4 of the paper), on examples and on random heaps.

use petrel_clp::Comparison;
use petrel_solver::Expr;
use proptest::prelude::*;

use super::concrete::Heap;
use super::fixture::Path;
use super::world::{A, A_ANY, A_I, A_NEXT, AS, D, D_E, OBJECT};
use super::{NULL, repeatable};
use crate::world::FieldId;

/// Whether a path has a solution.
fn is_possible(path: &mut Path) -> bool {
    path.solve().is_some()
}

#[test]
fn references_that_are_no_aliases_are_different_or_null() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.nullable(name, A));
    path.get(|heap, context| heap.assume_non_aliasing(context, x, y));
    let start = path.mark();
    path.ref_eq(x, y).unwrap();
    assert!(path.is(x, 0) && path.is(y, 0));
    path.undo(&start);
    path.ref_neq(x, NULL).unwrap();
    assert!(path.ref_eq(x, y).is_err() || !is_possible(&mut path));
}

#[test]
fn a_list_without_cycles_does_not_lead_back() {
    let mut path = Path::new();
    let x = path.object("x", A);
    path.get(|heap, context| heap.assume_acyclic(context, x, Some(A_NEXT)));
    let mut at = x;
    for _ in 0..3 {
        at = path.get_field(at, A_NEXT);
        path.ref_neq(at, NULL).unwrap();
        let same = path.same(at, x);
        assert!(path.is(same, 0));
    }
    // Through another field it may.
    let any = path.get_field(at, A_ANY);
    path.ref_eq(any, x).unwrap();
    assert!(is_possible(&mut path));
}

#[test]
fn an_object_without_cycles_is_not_reached_from_itself_through_any_field_or_element() {
    let mut path = Path::new();
    let x = path.object("x", AS);
    path.get(|heap, context| heap.assume_acyclic(context, x, None));
    let length = path.length(x);
    path.assume_compared(length, Comparison::Greater, 0).unwrap();
    let element = path.get_reference(x, Expr::Constant(0), A);
    path.ref_neq(element, NULL).unwrap();
    let any = path.get_field(element, A_ANY);
    let start = path.mark();
    assert!(path.ref_eq(any, x).is_err() || !is_possible(&mut path));
    path.undo(&start);
    assert!(path.ref_eq(any, element).is_err() || !is_possible(&mut path));
}

#[test]
fn an_assumption_counts_for_what_was_looked_at_before() {
    let mut path = Path::new();
    let x = path.object("x", A);
    let next = path.get_field(x, A_NEXT);
    path.ref_neq(next, NULL).unwrap();
    path.get(|heap, context| heap.assume_acyclic(context, x, None));
    assert!(path.ref_eq(next, x).is_err() || !is_possible(&mut path));

    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, A));
    let [of_x, of_y] = [x, y].map(|object| path.get_field(object, A_NEXT));
    path.ref_neq(of_x, NULL).unwrap();
    path.get(|heap, context| heap.assume_non_sharing(context, x, y));
    assert!(path.ref_eq(of_x, of_y).is_err() || !is_possible(&mut path));
}

#[test]
fn what_was_written_may_share_and_have_cycles() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, A));
    path.get(|heap, context| heap.assume_non_sharing(context, x, y));
    path.get(|heap, context| heap.assume_acyclic(context, x, None));
    path.set_field(x, A_NEXT, y);
    path.set_field(y, A_NEXT, x);
    let next = path.get_field(x, A_NEXT);
    let back = path.get_field(next, A_NEXT);
    let same = path.same(back, x);
    assert!(path.is(same, 1));
    assert!(is_possible(&mut path));
}

#[test]
fn constants_of_an_enum_are_shared_by_all() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, D));
    path.get(|heap, context| heap.assume_non_sharing(context, x, y));
    path.get(|heap, context| heap.assume_acyclic(context, x, None));
    let [of_x, of_y] = [x, y].map(|object| path.get_field(object, D_E));
    path.ref_neq(of_x, NULL).unwrap();
    path.ref_eq(of_x, of_y).unwrap();
    assert!(is_possible(&mut path));
}

#[test]
fn what_is_not_shared_may_be_null() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.nullable(name, A));
    path.get(|heap, context| heap.assume_non_sharing(context, x, y));
    path.get(|heap, context| heap.assume_acyclic(context, y, None));
    path.ref_eq(x, y).unwrap();
    assert!(path.is(x, 0));
}

#[test]
fn assumptions_are_undone() {
    let mut path = Path::new();
    let [x, y] = ["x", "y"].map(|name| path.object(name, A));
    let start = path.mark();
    path.get(|heap, context| heap.assume_non_sharing(context, x, y));
    path.get(|heap, context| heap.assume_acyclic(context, x, None));
    path.get_field(x, A_NEXT);
    path.undo(&start);
    path.ref_eq(x, y).unwrap();
    let next = path.get_field(x, A_NEXT);
    path.ref_eq(next, y).unwrap();
    assert!(is_possible(&mut path));
}

/// The fields that lead on.
const EDGES: [FieldId; 2] = [A_NEXT, A_ANY];

/// What is assumed of two roots.
#[derive(Debug, Clone, Copy)]
enum Assumption {
    NonSharing,
    Acyclic(Option<FieldId>),
}

/// The objects that are reached from one, through a field alone if there is one.
fn reached(heap: &Heap, from: i64, field: Option<FieldId>) -> Vec<i64> {
    let mut reached = vec![from];
    let mut at = 0;
    while let Some(&object) = reached.get(at) {
        at += 1;
        let fields = heap.objects[&object].fields.iter();
        let followed = fields.filter(|(id, _)| field.is_none_or(|field| field == **id));
        for &content in followed.map(|(_, content)| content) {
            let is_object = EDGES.len() > 0 && content > 0 && heap.objects.contains_key(&content);
            if is_object && !reached.contains(&content) {
                reached.push(content);
            }
        }
    }
    reached
}
