//! Rewriting: terms and constraints that are equal for all values of the unknowns, but simpler.
//!
//! Rules are exact under wraparound. Some hold only because an interval shows that nothing wraps;
//! they are as good as the others, because a term never outlives the constraints that it was built
//! under.

mod comparison;
mod operation;

#[cfg(test)]
mod tests;

use petrel_clp::{ArithmeticKind, Operation};

pub(crate) use comparison::Compared;

use crate::store::Store;
use crate::term::{Expr, Node};

impl Store {
    /// A term as a sum of something and a constant, for sums of a kind.
    #[inline]
    fn base_and_offset(&self, kind: ArithmeticKind, expr: Expr) -> (Expr, i64) {
        match self.node(expr) {
            Some(Node::Apply(Operation::Add(of), base, Expr::Constant(offset))) if of == kind => {
                (base, offset)
            }
            _ => (expr, 0),
        }
    }
}
