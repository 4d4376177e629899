//! Models: assignments that satisfy a store, carried along a path.
//!
//! The branch that the model of a state takes is possible, with no question asked. For that, the
//! terms of a guard are evaluated under the model: each once, because a path keeps its model for long.

use std::rc::Rc;

use petrel_clp::Kind;

use crate::constraint::Constraint;
use crate::evaluate::{holds, node_value};
use crate::term::{Expr, Node, TermId, Terms, Unknown};

/// A value for every unknown, by number. It is immutable and belongs to a state, not to a trail.
pub type Model = Rc<[i64]>;

/// The value of a range that is closest to 0.
pub(crate) fn closest_to_zero((low, high): (i64, i64)) -> i64 {
    0.max(low).min(high)
}

/// The value that an unknown has as long as nothing is known but its range.
pub fn first_value(unknown: &Unknown) -> i64 {
    if unknown.kind == Kind::Reference && unknown.low > 0 {
        return unknown.own;
    }
    closest_to_zero((unknown.low, unknown.high))
}

/// The values of terms under one model, computed when they are asked for and kept until the model
/// changes or the terms are truncated.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    model: Option<Model>,
    /// Increases with each model.
    epoch: u64,
    /// The value of each term, with the epoch in which it was computed.
    values: Vec<(u64, i64)>,
    pending: Vec<TermId>,
}

impl Carried {
    /// The terms from this number on are gone.
    pub(crate) fn truncate(&mut self, terms: usize) {
        self.values.truncate(terms);
    }

    /// Whether a constraint holds under a model.
    pub(crate) fn holds(&mut self, terms: &Terms, model: &Model, constraint: &Constraint) -> bool {
        if !self.model.as_ref().is_some_and(|current| Rc::ptr_eq(current, model)) {
            // The model is kept, so that no other one can have its address.
            self.model = Some(Rc::clone(model));
            self.epoch += 1;
        }
        self.values.resize(terms.len(), (0, 0));
        for operand in constraint.operands() {
            if let Expr::Term(term) = operand {
                self.compute(terms, model, term);
            }
        }
        holds(constraint, |expr| self.value(expr))
    }

    fn value(&self, expr: Expr) -> i64 {
        match expr {
            Expr::Constant(value) => value,
            Expr::Term(term) => self.values[term.index()].1,
        }
    }

    fn is_known(&self, expr: Expr) -> bool {
        expr.term().is_none_or(|term| self.values[term.index()].0 == self.epoch)
    }

    fn compute(&mut self, terms: &Terms, model: &Model, term: TermId) {
        if self.is_known(Expr::Term(term)) {
            return;
        }
        self.pending.push(term);
        while let Some(&term) = self.pending.last() {
            let node = terms.node(term);
            match self.missing(terms, node) {
                Some(operand) => self.pending.push(operand),
                None => {
                    let value = node_value(terms, node, model, |expr| self.value(expr));
                    self.values[term.index()] = (self.epoch, value);
                    self.pending.pop();
                }
            }
        }
    }

    /// An operand that is needed and not known. Of alternatives, the one that is taken is enough.
    fn missing(&self, terms: &Terms, node: Node) -> Option<TermId> {
        let unknown = |expr: Expr| expr.term().filter(|_| !self.is_known(expr));
        match node {
            Node::Unknown(_) | Node::Opaque(..) => None,
            Node::Apply(_, left, right) | Node::Test(_, _, left, right) => {
                unknown(left).or_else(|| unknown(right))
            }
            Node::Choose(_, condition, then, otherwise) => {
                unknown(Expr::Term(condition)).or_else(|| {
                    let is_true = self.value(Expr::Term(condition)) != 0;
                    unknown(if is_true { then } else { otherwise })
                })
            }
            Node::MultiplyAdd(_, operands) => operands.into_iter().find_map(unknown),
            Node::Select(_, table, index) => unknown(Expr::Term(index)).or_else(|| {
                let index = usize::try_from(self.value(Expr::Term(index))).ok()?;
                unknown(*terms.table(table).get(index)?)
            }),
        }
    }
}

#[cfg(test)]
mod tests;
