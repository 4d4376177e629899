//! Bit-blasting: constraints as a circuit, and the circuit as clauses for a SAT solver.
//!
//! It is complete for all operations, exact at their widths, and answers from scratch
//! each time: only the terms that the constraints reach are encoded, into a SAT solver of their own.

mod circuit;
mod clauses;
mod divide;
mod encode;
mod multiply;
mod real;
mod survey;
mod word;

#[cfg(test)]
mod tests;

use petrel_budget::Purse;

use crate::answer::{Answer, Complete};
use crate::constraint::Constraint;
use crate::query::{Unsupported, default_model, is_model};
use crate::sat::{BatSat, Outcome};
use crate::term::{TermId, Terms};
use circuit::Bit;
use clauses::Clauses;
use encode::{Encoding, Intervals};
use survey::Survey;

/// Products and quotients of unknowns are hard in proportion to their bits, while small numbers often
/// do: unknowns are first searched in ranges of so many bits.
const FIRST_BITS: u32 = 8;

/// How many conflicts such a first search may take, and at most half of the budget.
const FIRST_CONFLICTS: u64 = 3000;

/// Effort for each gate, and how many gates make a unit of effort at each conflict.
const EFFORT_OF_GATE: u64 = 2;
const GATES_OF_CONFLICT: u64 = 64;

/// A complete decision procedure that encodes numbers as bits.
#[derive(Debug, Clone)]
pub struct BitBlaster {
    /// The budget of a query: how many conflicts the SAT solver may run into.
    pub conflicts: u64,
    purse: Purse,
}

impl Default for BitBlaster {
    fn default() -> Self {
        BitBlaster::new(3_000)
    }
}

impl BitBlaster {
    /// With a budget of conflicts for each query.
    pub fn new(conflicts: u64) -> BitBlaster {
        BitBlaster { conflicts, purse: Purse::unlimited() }
    }

    /// As [`Complete::check`], with bounds of terms that are implied by the constraints: they make the
    /// circuits smaller. `(i64::MIN, i64::MAX)` stands for no bound.
    pub fn check_within(
        &mut self,
        terms: &Terms,
        constraints: &[Constraint],
        intervals: &dyn Fn(TermId) -> (i64, i64),
    ) -> Answer {
        self.check_counting(terms, constraints, intervals).0
    }

    /// As [`BitBlaster::check_within`]; also gives how many conflicts the answer took.
    pub fn check_counting(
        &mut self,
        terms: &Terms,
        constraints: &[Constraint],
        intervals: &dyn Fn(TermId) -> (i64, i64),
    ) -> (Answer, u64) {
        self.search(terms, constraints, intervals).unwrap_or((Answer::Unknown, 0))
    }

    fn search(
        &mut self,
        terms: &Terms,
        constraints: &[Constraint],
        intervals: Intervals,
    ) -> Result<(Answer, u64), Unsupported> {
        let survey = Survey::of(terms, constraints)?;
        let mut conflicts = 0;
        if survey.is_hard {
            let encoding = Encoding::new(terms, &survey, intervals, FIRST_BITS);
            let encoding = self.encode(encoding, constraints)?;
            if encoding.is_partial {
                let budget = FIRST_CONFLICTS.min(self.conflicts / 2);
                let (answer, used) = self.solve(terms, constraints, &encoding, budget);
                if matches!(answer, Answer::Satisfiable(_)) {
                    return Ok((answer, used));
                }
                conflicts = used;
            }
        }
        let encoding = Encoding::new(terms, &survey, intervals, i64::BITS);
        let encoding = self.encode(encoding, constraints)?;
        let budget = self.conflicts.saturating_sub(conflicts);
        let (answer, used) = self.solve(terms, constraints, &encoding, budget);
        Ok((answer, conflicts + used))
    }

    /// Encodes constraints. Each gate costs something, also if it is given up.
    fn encode<'a>(
        &self,
        mut encoding: Encoding<'a>,
        constraints: &[Constraint],
    ) -> Result<Encoding<'a>, Unsupported> {
        let added = encoding.add(constraints, &self.purse);
        self.purse.spend(encoding.circuit.len() as u64 * EFFORT_OF_GATE);
        added.map(|()| encoding)
    }

    /// Searches for a model of an encoding, and counts conflicts: some gates are looked at again after each.
    fn solve(
        &self,
        terms: &Terms,
        constraints: &[Constraint],
        encoding: &Encoding,
        most: u64,
    ) -> (Answer, u64) {
        let effort_of_conflict = (encoding.circuit.len() as u64 / GATES_OF_CONFLICT).max(1);
        let mut solver = BatSat::ended_by(self.purse.alarm());
        let mut clauses = Clauses::add(&encoding.circuit, &mut solver);
        let (outcome, conflicts) = clauses.solve(most.min(self.purse.left() / effort_of_conflict));
        self.purse.spend(conflicts * effort_of_conflict);
        let answer = match outcome {
            Outcome::Satisfiable => {
                let model = read_model(terms, encoding, |bit| clauses.value(bit));
                debug_assert!(is_model(terms, constraints, &model), "{model:?} is no model");
                Answer::Satisfiable(model)
            }
            Outcome::Unsatisfiable => Answer::Unsatisfiable,
            Outcome::OutOfBudget => Answer::Unknown,
        };
        (answer, conflicts)
    }
}

/// The values of the unknowns. Those that the constraints do not reach are as close to 0 as can be.
fn read_model(terms: &Terms, encoding: &Encoding, value: impl Fn(Bit) -> bool) -> Vec<i64> {
    let mut model = default_model(terms);
    for (unknown, word) in &encoding.unknowns {
        let number = word.value(|bit| Some(value(bit)));
        model[unknown.index()] = number.expect("every bit has a value");
    }
    model
}

impl Complete for BitBlaster {
    fn check(&mut self, terms: &Terms, constraints: &[Constraint]) -> Answer {
        self.check_within(terms, constraints, &|_| (i64::MIN, i64::MAX))
    }

    fn pay_from(&mut self, purse: &Purse) {
        self.purse = purse.clone();
    }
}
