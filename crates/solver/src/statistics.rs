//! Statistics: how often which layer of the solver decided.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Counts of what a solver did.
///
/// Every alternative that is looked at is one decision, and every decision is counted under exactly
/// one of its ways: `decisions == by_rewriting + by_propagation + by_model + by_search + queries +
/// inexact`, and `queries == satisfiable + unsatisfiable + unknown`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Statistics {
    /// Alternatives looked at. When one of several turns out to be true by rewriting, those after it
    /// are not looked at. A question for the satisfiability of the store is one decision, too.
    pub decisions: u64,
    /// Alternatives that rewriting made true or false, and those that are left out because another
    /// one is true or left over because all others are false.
    pub by_rewriting: u64,
    /// Alternatives that propagation excluded.
    pub by_propagation: u64,
    /// Alternatives that the carried model satisfies.
    pub by_model: u64,
    /// Alternatives for which a search found a model, or tried every assignment.
    pub by_search: u64,
    /// Alternatives for which the complete procedure was asked.
    pub queries: u64,
    /// Queries with a model.
    pub satisfiable: u64,
    /// Queries that excluded the alternative.
    pub unsatisfiable: u64,
    /// Queries without an answer.
    pub unknown: u64,
    /// Alternatives over what is opaque: nothing is said about them.
    pub inexact: u64,
    /// Assignments that searches evaluated for decisions.
    pub search_evaluations: u64,
    /// Assignments that labelling evaluated.
    pub label_evaluations: u64,
    /// Questions of labelling to the complete procedure.
    pub label_queries: u64,
    /// Facts of a theory that assignments violated.
    pub lemmas: u64,
}

impl Statistics {
    /// Its counters.
    fn counters(&mut self) -> [&mut u64; 14] {
        let Statistics {
            decisions,
            by_rewriting,
            by_propagation,
            by_model,
            by_search,
            queries,
            satisfiable,
            unsatisfiable,
            unknown,
            inexact,
            search_evaluations,
            label_evaluations,
            label_queries,
            lemmas,
        } = self;
        [
            decisions,
            by_rewriting,
            by_propagation,
            by_model,
            by_search,
            queries,
            satisfiable,
            unsatisfiable,
            unknown,
            inexact,
            search_evaluations,
            label_evaluations,
            label_queries,
            lemmas,
        ]
    }

    /// Adds the counts of another solver.
    pub fn add(&mut self, other: &Statistics) {
        let mut other = *other;
        for (count, of_other) in self.counters().into_iter().zip(other.counters()) {
            *count += *of_other;
        }
    }
}
