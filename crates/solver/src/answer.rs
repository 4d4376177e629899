//! What a decision procedure answers, and what it is asked.

use petrel_budget::Purse;

use crate::constraint::Constraint;
use crate::term::Terms;

/// An answer to the question whether constraints can hold together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// They can: a value for every unknown of [`Terms::unknowns`], by number.
    Satisfiable(Vec<i64>),
    /// They cannot.
    Unsatisfiable,
    /// The budget is used up, or the constraints are beyond the procedure.
    Unknown,
}

/// A complete decision procedure for conjunctions of constraints over exact terms.
pub trait Complete {
    /// Whether the constraints hold together for some values of the unknowns within their ranges.
    /// Unknowns that the constraints do not mention get the value from their range that is closest
    /// to 0.
    fn check(&mut self, terms: &Terms, constraints: &[Constraint]) -> Answer;

    /// From now on, what it does is paid from a purse, in units that are the same on every machine: roughly,
    /// assignments that could have been evaluated meanwhile. When that is over, the answer is [`Answer::Unknown`].
    fn pay_from(&mut self, _purse: &Purse) {}
}
