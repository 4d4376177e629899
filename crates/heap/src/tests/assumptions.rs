//! Assumptions about the initial heap (section 4 of the paper), on examples and on random heaps.

use petrel_clp::Comparison;
use petrel_solver::Expr;
use proptest::prelude::*;

use super::agreement::{refined_model, refinements};
use super::concrete::{Heap, Object};
use super::fixture::{Path, value};
use super::initial::heap;
use super::program::program;
use super::session::{Mode, Session};
use super::world::{
    A, A_ANY, A_NEXT, AS, D, D_E, OBJECT, element_sort, field as of_field, is_subtype,
};
use super::{NULL, repeatable};
use crate::world::{ClassId, FieldId, Sort};

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

/// What is assumed of two roots.
#[derive(Debug, Clone, Copy)]
enum Assumption {
    NonSharing,
    Acyclic(Option<FieldId>),
}

/// The references of an object, those through a field alone if there is one.
fn references(object: &mut Object, field: Option<FieldId>) -> impl Iterator<Item = &mut i64> {
    let is_followed = move |id: FieldId| field.is_none_or(|field| field == id);
    let is_reference = |sort: Sort| matches!(sort, Sort::Reference(_));
    let has_references = field.is_none() && element_sort(object.class).is_some_and(is_reference);
    let elements = object.elements.iter_mut().filter(move |_| has_references);
    let fields = object.fields.iter_mut();
    let fields =
        fields.filter(move |(id, _)| is_reference(of_field(**id).sort) && is_followed(**id));
    // Constants of an enum are not reached.
    fields.map(|(_, content)| content).chain(elements).filter(|content| **content > 0)
}

/// The objects that are reached from one, through a field alone if there is one, with that one if it is
/// reached from itself.
fn reached(heap: &mut Heap, from: i64, field: Option<FieldId>) -> Vec<i64> {
    let mut reached: Vec<i64> = Vec::new();
    let mut open = vec![from];
    while let Some(number) = open.pop() {
        let object = heap.objects.get_mut(&number).expect("it is there");
        for &mut content in references(object, field) {
            if !reached.contains(&content) {
                reached.push(content);
                open.push(content);
            }
        }
    }
    reached
}

impl Assumption {
    /// Whether it holds of a heap.
    fn holds(self, heap: &mut Heap, [x, y]: [i64; 2]) -> bool {
        let with_own = |heap: &mut Heap, root: i64, field: Option<FieldId>| match root {
            0 => Vec::new(),
            root => [reached(heap, root, field), vec![root]].concat(),
        };
        match self {
            Assumption::NonSharing => {
                let of_y = with_own(heap, y, None);
                with_own(heap, x, None).iter().all(|object| !of_y.contains(object))
            }
            Assumption::Acyclic(field) => {
                let of_x = with_own(heap, x, field);
                of_x.into_iter().all(|object| !reached(heap, object, field).contains(&object))
            }
        }
    }

    /// Cuts references of a heap so that it holds if the roots have different parities.
    fn arrange(self, heap: &mut Heap) {
        for (&number, object) in heap.objects.iter_mut().filter(|(number, _)| **number > 0) {
            match self {
                Assumption::NonSharing => references(object, None)
                    .filter(|content| (**content - number) % 2 != 0)
                    .for_each(|content| *content = 0),
                Assumption::Acyclic(field) => references(object, field)
                    .filter(|content| **content <= number)
                    .for_each(|content| *content = 0),
            }
        }
    }

    fn assume(self, path: &mut Path, [x, y]: [Expr; 2]) {
        path.get(|heap, context| match self {
            Assumption::NonSharing => heap.assume_non_sharing(context, x, y),
            Assumption::Acyclic(field) => heap.assume_acyclic(context, x, field),
        });
    }
}

fn assumption() -> impl Strategy<Value = Assumption> {
    prop_oneof![
        Just(Assumption::NonSharing),
        Just(Assumption::Acyclic(None)),
        Just(Assumption::Acyclic(Some(A_NEXT))),
    ]
}

/// An object of a heap that is an instance of a class, with a parity; null if there is none.
fn root(heap: &Heap, of: ClassId, parity: i64) -> i64 {
    let mut fitting = heap.objects.iter().filter(|&(&number, object)| {
        number > 0 && number % 2 == parity && is_subtype(object.class, of)
    });
    fitting.next().map_or(0, |(&number, _)| number)
}

proptest! {
    #![proptest_config(repeatable(300))]

    #[test]
    fn heaps_are_as_assumed_and_no_such_heap_is_lost(
        mut heap in heap(),
        assumption in assumption(),
        is_late in any::<bool>(),
        program in program(40),
        refinements in refinements(),
    ) {
        assumption.arrange(&mut heap);
        let roots = [root(&heap, A, 1), root(&heap, OBJECT, 0)];
        prop_assert!(assumption.holds(&mut heap, roots));
        let mut session = Session::new(&heap, Mode::Plain);
        let ids = [(A, roots[0]), (OBJECT, roots[1])]
            .map(|(of, object)| session.input(Sort::Reference(of), true, object));
        let exprs = ids.map(|id| session.exprs[id]);
        let (before, after) = program.0.split_at(if is_late { program.0.len() / 2 } else { 0 });
        before.iter().for_each(|action| session.run(action));
        assumption.assume(&mut session.path, exprs);
        after.iter().for_each(|action| session.run(action));
        prop_assert!(session.is_own_possible());
        for refinement in &refinements {
            let state = session.path.mark();
            if let Some(model) = refined_model(&mut session, refinement) {
                session.check(&model);
                let (mut heap, values) = session.initial_heap(&model);
                let roots = exprs.map(|expr| value(&values, expr));
                prop_assert!(assumption.holds(&mut heap, roots), "{roots:?} in {heap:?}");
            }
            session.path.undo(&state);
        }
    }
}
