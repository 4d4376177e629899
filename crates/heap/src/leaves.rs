//! References that may be one of several objects: what is done to such a reference is done to each.

use std::rc::Rc;

use petrel_clp::{Comparison, Kind};
use petrel_solver::{Conflict, Constraint, Expr, Node, Store, TermId};
use smallvec::SmallVec;

use crate::inputs::Input;
use crate::solver::{Context, HeapSolver};
use crate::truth::{self, FALSE, TRUE, both};
use crate::world::Known;

/// One of the objects that a reference may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// An object of N.
    Known(Known),
    /// An object of the initial heap: an unknown, or its number.
    Input(Expr),
}

/// What was found for terms that occur several times.
pub(crate) type Memo = SmallVec<[(TermId, Option<Expr>); 8]>;

/// Does something for a leaf.
pub(crate) type OfLeaf<'a> =
    dyn FnMut(&mut HeapSolver, &mut Context<'_>, Leaf) -> Result<Expr, Conflict> + 'a;

/// Comparisons of references with more alternatives are left to the store as a whole.
const MOST_TESTS: u32 = 64;

impl HeapSolver {
    /// A value for each object that a reference may be, put together as the reference is. `None` if
    /// it can be nothing but null: whoever asks knows that it is not.
    pub(crate) fn for_leaves(
        &mut self,
        context: &mut Context<'_>,
        reference: Expr,
        kind: Kind,
        of_leaf: &mut OfLeaf<'_>,
    ) -> Result<Option<Expr>, Conflict> {
        self.map_leaves(context, reference, kind, &mut Memo::new(), of_leaf)
    }

    fn map_leaves(
        &mut self,
        context: &mut Context<'_>,
        reference: Expr,
        kind: Kind,
        memo: &mut Memo,
        of_leaf: &mut OfLeaf<'_>,
    ) -> Result<Option<Expr>, Conflict> {
        let term = match context.store.fixed(reference) {
            Expr::Constant(0) => return Ok(None),
            Expr::Constant(number) if number < 0 => {
                let known = Known(number.unsigned_abs() as u32);
                return of_leaf(self, context, Leaf::Known(known)).map(Some);
            }
            constant @ Expr::Constant(_) => {
                return of_leaf(self, context, Leaf::Input(constant)).map(Some);
            }
            Expr::Term(term) => term,
        };
        let node = context.store.terms().node(term);
        if let Node::Unknown(_) = node {
            return of_leaf(self, context, Leaf::Input(Expr::Term(term))).map(Some);
        }
        if let Some((_, found)) = memo.iter().find(|(known, _)| *known == term) {
            return Ok(*found);
        }
        let mapped = match node {
            Node::Choose(_, condition, then, otherwise) => {
                let condition = context.store.fixed(Expr::Term(condition));
                match condition {
                    FALSE => self.map_leaves(context, otherwise, kind, memo, of_leaf)?,
                    Expr::Constant(_) => self.map_leaves(context, then, kind, memo, of_leaf)?,
                    Expr::Term(_) => {
                        let then = self.map_leaves(context, then, kind, memo, of_leaf)?;
                        let otherwise = self.map_leaves(context, otherwise, kind, memo, of_leaf)?;
                        match (then, otherwise) {
                            (Some(then), Some(otherwise)) => {
                                Some(context.store.choose(kind, condition, then, otherwise))
                            }
                            (one, other) => one.or(other),
                        }
                    }
                }
            }
            Node::Select(_, table, index) => {
                let elements: Vec<Expr> = context.store.terms().table(table).to_vec();
                let mut mapped = Vec::with_capacity(elements.len());
                for element in elements {
                    mapped.push(self.map_leaves(context, element, kind, memo, of_leaf)?);
                }
                // Where null is, anything does: the reference is something else.
                let some = mapped.iter().copied().find_map(|element| element);
                some.map(|some| {
                    let mapped: Rc<[Expr]> =
                        mapped.into_iter().map(|element| element.unwrap_or(some)).collect();
                    if mapped.iter().all(|&element| element == some) {
                        return some;
                    }
                    context.store.select(kind, mapped, Expr::Term(index))
                })
            }
            // Nothing else makes references.
            _ => None,
        };
        memo.push((term, mapped));
        Ok(mapped)
    }

    /// Whether two references are the same, as a truth value. Either may be null.
    pub fn ref_eq(&self, store: &mut Store, left: Expr, right: Expr) -> Expr {
        let mut left_over = MOST_TESTS;
        self.equal(store, left, right, &mut left_over)
    }

    fn equal(&self, store: &mut Store, left: Expr, right: Expr, left_over: &mut u32) -> Expr {
        let (left, right) = (store.fixed(left), store.fixed(right));
        if left == right {
            return TRUE;
        }
        if let (Expr::Constant(_), Expr::Constant(_)) = (left, right) {
            return FALSE;
        }
        *left_over = left_over.saturating_sub(1);
        for (one, other) in [(left, right), (right, left)] {
            let Some(term) = one.term() else { continue };
            if let Node::Choose(_, condition, then, otherwise) = store.terms().node(term)
                && *left_over > 0
            {
                let then = self.equal(store, then, other, left_over);
                let otherwise = self.equal(store, otherwise, other, left_over);
                return truth::choose(store, Expr::Term(condition), then, otherwise);
            }
        }
        let test = |store: &mut Store, left, right| {
            store.test(&Constraint::int(left, Comparison::Equal, right))
        };
        let are_inputs = self.input_at(store, left).zip(self.input_at(store, right)).is_some();
        if are_inputs && !self.share_a_class(store, left, right) {
            let zero = Expr::Constant(0);
            let (left, right) = (test(store, left, zero), test(store, right, zero));
            return both(store, left, right);
        }
        test(store, left, right)
    }

    /// Whether two references to the initial heap are the same object, neither being null.
    pub(crate) fn same_object(&self, store: &mut Store, left: Expr, right: Expr) -> Expr {
        if left == right {
            return TRUE;
        }
        let is_input = |store: &Store, reference| self.input_at(store, reference).is_some();
        if is_input(store, left)
            && is_input(store, right)
            && !self.share_a_class(store, left, right)
        {
            return FALSE;
        }
        self.ref_eq(store, left, right)
    }

    /// The objects of N that a reference may be.
    pub fn known_leaves(&self, store: &Store, reference: Expr) -> SmallVec<[Known; 4]> {
        let mut known: SmallVec<[Known; 4]> = SmallVec::new();
        for_each_leaf(store, reference, &mut |leaf| {
            if let Expr::Constant(number) = leaf
                && number < 0
            {
                let object = Known(number.unsigned_abs() as u32);
                if !known.contains(&object) {
                    known.push(object);
                }
            }
        });
        known
    }

    /// The objects of N that a reference may be and that stand for others, which are not tried.
    pub fn leaves_of_some(&self, store: &Store, reference: Expr) -> SmallVec<[Known; 4]> {
        let mut known: SmallVec<[Known; 4]> = SmallVec::new();
        if self.of_some.iter().all(|one| one.is_all) {
            return known;
        }
        let mut open: SmallVec<[Expr; 4]> = smallvec::smallvec![reference];
        while let Some(expr) = open.pop() {
            let Some(term) = expr.term() else { continue };
            match store.terms().node(term) {
                Node::Choose(_, condition, then, otherwise) => {
                    open.extend(possible_sides(store, condition, then, otherwise));
                }
                Node::Select(_, table, index) => {
                    let (low, high) = store.interval(Expr::Term(index));
                    let is_of_some =
                        self.of_some.iter().any(|one| one.which == index && !one.is_all);
                    for (place, &element) in store.terms().table(table).iter().enumerate() {
                        let is_possible = (low..=high).contains(&(place as i64));
                        match element {
                            Expr::Constant(number) if is_possible && is_of_some && number < 0 => {
                                known.push(Known(number.unsigned_abs() as u32));
                            }
                            _ if is_possible => open.push(element),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        known
    }

    /// The inputs that a reference may be.
    pub fn input_leaves(&self, store: &Store, reference: Expr) -> SmallVec<[&Input; 2]> {
        let mut leaves: SmallVec<[Expr; 4]> = SmallVec::new();
        for_each_leaf(store, reference, &mut |leaf| leaves.push(leaf));
        let inputs = self.inputs().iter();
        inputs.filter(|input| leaves.contains(&store.fixed(input.reference))).collect()
    }

    /// Whether a reference may be an object of the initial heap.
    pub(crate) fn may_be_input(&self, store: &Store, reference: Expr) -> bool {
        store.interval(reference).1 > 0
    }
}

/// The sides of a choice that its condition leaves.
pub(crate) fn possible_sides(
    store: &Store,
    condition: TermId,
    then: Expr,
    otherwise: Expr,
) -> SmallVec<[Expr; 2]> {
    match store.fixed(Expr::Term(condition)) {
        FALSE => SmallVec::from_iter([otherwise]),
        Expr::Constant(_) => SmallVec::from_iter([then]),
        Expr::Term(_) => SmallVec::from_iter([then, otherwise]),
    }
}

/// What a reference may be once all choices are made: constants, and terms that are no choices.
fn for_each_leaf(store: &Store, reference: Expr, does: &mut dyn FnMut(Expr)) {
    let mut seen: SmallVec<[TermId; 8]> = SmallVec::new();
    let mut open: SmallVec<[Expr; 8]> = SmallVec::from_iter([reference]);
    while let Some(expr) = open.pop() {
        let leaf = store.fixed(expr);
        let Expr::Term(term) = leaf else {
            does(leaf);
            continue;
        };
        if seen.contains(&term) {
            continue;
        }
        seen.push(term);
        match store.terms().node(term) {
            Node::Choose(_, condition, then, otherwise) => {
                open.extend(possible_sides(store, condition, then, otherwise));
            }
            Node::Select(_, table, _) => open.extend_from_slice(store.terms().table(table)),
            _ => does(leaf),
        }
    }
}
