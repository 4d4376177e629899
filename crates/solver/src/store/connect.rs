//! Connecting terms: from when on their intervals are kept up to date.

use super::{Change, Conflict, Operand, Store, Use};
use crate::interval::{Interval, decide, forward, multiply_add, square};
use crate::term::{Expr, Node, TermId};

/// Of more elements, what is known of all of them is enough.
const LONG_TABLE: usize = 128;

impl Store {
    /// The values that a node can have, from those of its operands.
    #[inline]
    pub(super) fn forward(&self, node: Node, domain: &impl Fn(Expr) -> Interval) -> Interval {
        match node {
            Node::Apply(operation, left, right) => {
                let values =
                    forward(operation, domain(left), domain(right), self.is_not_zero(right));
                if left == right { values.intersect(square(operation)) } else { values }
            }
            Node::Test(_, comparison, left, right) => {
                match decide(comparison, domain(left), domain(right)) {
                    Some(truth) => Interval::constant(truth.into()),
                    None => Interval::new(0, 1),
                }
            }
            Node::Choose(_, condition, then, otherwise) => {
                let known = domain(Expr::Term(condition));
                if !known.contains(0) || self.cells[condition.index()].is_not_zero {
                    domain(then)
                } else if known.fixed().is_some() {
                    domain(otherwise)
                } else {
                    domain(then).hull(domain(otherwise))
                }
            }
            Node::MultiplyAdd(kind, operands) => multiply_add(kind, operands.map(domain)),
            Node::Select(_, table, index) => {
                let elements = self.terms.table(table);
                let index = domain(Expr::Term(index));
                let end = elements.len() as i64;
                let is_outside = index.low < 0 || index.high >= end;
                let first = index.low.clamp(0, end) as usize;
                let past = (index.high.clamp(-1, end - 1) + 1) as usize;
                if past > first + LONG_TABLE
                    && let Some((low, high)) = self.terms.range_of_constants(table)
                {
                    let all = Interval::new(low, high);
                    return if is_outside { all.hull(Interval::constant(0)) } else { all };
                }
                elements[first..past.max(first)]
                    .iter()
                    .map(|&element| domain(element))
                    .chain(is_outside.then_some(Interval::constant(0)))
                    .reduce(Interval::hull)
                    .unwrap_or(Interval::constant(0))
            }
            // Their intervals are where they begin.
            Node::Unknown(_) | Node::Opaque(..) => Interval::ALL,
        }
    }

    /// Brings the interval of a term up to date and keeps it so, with all that it is made of.
    #[inline]
    pub(super) fn connect(&mut self, operand: Operand) -> Result<(), Conflict> {
        match operand {
            Operand::Term(term) if !self.cells[term as usize].is_connected => {
                self.connect_term(TermId(term as u32))
            }
            _ => Ok(()),
        }
    }

    fn connect_term(&mut self, term: TermId) -> Result<(), Conflict> {
        self.pending.push(term);
        while let Some(&term) = self.pending.last() {
            if self.cells[term.index()].is_connected {
                self.pending.pop();
                continue;
            }
            let node = self.terms.node(term);
            let before = self.pending.len();
            self.for_operands(node, |store, operand| {
                if !store.cells[operand.index()].is_connected {
                    store.pending.push(operand);
                }
            });
            if self.pending.len() > before {
                continue;
            }
            self.pending.pop();
            if let Err(conflict) = self.connect_above_operands(term, node) {
                self.pending.clear();
                return Err(conflict);
            }
        }
        Ok(())
    }

    /// Connects a term whose operands are connected.
    fn connect_above_operands(&mut self, term: TermId, node: Node) -> Result<(), Conflict> {
        let cell = &self.cells[term.index()];
        if cell.built_at as usize != self.trail.len() {
            let known = cell.interval();
            let narrowed =
                known.intersect(self.forward(node, &|expr| self.known(Operand::of(&expr))));
            if narrowed.is_empty() {
                return Err(Conflict);
            }
            if narrowed != known {
                self.set(term, narrowed, false);
            }
        }
        self.cells[term.index()].is_connected = true;
        self.connected.push(term);
        self.for_operands(node, |store, operand| {
            let cell = &mut store.cells[operand.index()];
            // An operand that occurs twice is one.
            let last = cell.uses;
            if store.uses.get(last as usize).is_none_or(|last| last.user != term.0) {
                cell.uses = store.uses.len() as u32;
                store.uses.push(Use { operand: operand.0, user: term.0, next: last });
            }
        });
        Ok(())
    }

    /// Sets what is known of a term; what was known before goes on the trail.
    #[inline]
    pub(super) fn set(&mut self, term: TermId, interval: Interval, is_not_zero: bool) {
        let cell = &mut self.cells[term.index()];
        self.trail.push(Change {
            low: cell.low,
            high: cell.high,
            term: term.0,
            is_not_zero: cell.is_not_zero,
        });
        cell.set(interval);
        cell.is_not_zero = is_not_zero;
    }

    /// Does something for every operand that is a term, those in tables too.
    #[inline]
    fn for_operands(&mut self, node: Node, mut action: impl FnMut(&mut Store, TermId)) {
        let mut with = |store: &mut Store, expr: Expr| {
            if let Expr::Term(term) = expr {
                action(store, term);
            }
        };
        match node {
            Node::Apply(_, left, right) | Node::Test(_, _, left, right) => {
                with(self, left);
                with(self, right);
            }
            Node::Choose(_, condition, then, otherwise) => {
                with(self, Expr::Term(condition));
                with(self, then);
                with(self, otherwise);
            }
            Node::MultiplyAdd(_, operands) => {
                operands.into_iter().for_each(|operand| with(self, operand));
            }
            Node::Select(_, table, index) => {
                with(self, Expr::Term(index));
                if self.terms.range_of_constants(table).is_some() {
                    return;
                }
                for at in 0..self.terms.table(table).len() {
                    let element = self.terms.table(table)[at];
                    with(self, element);
                }
            }
            Node::Unknown(_) | Node::Opaque(..) => {}
        }
    }
}
