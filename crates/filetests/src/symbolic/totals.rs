//! Counts of what came of the methods of a run.

use std::collections::{BTreeMap, BTreeSet};

use petrel_solver::Statistics;
use petrel_testcase::{GenerateError, Summary};

use super::contradictions;
use crate::compare::Tally;

/// So many reasons for what is unsupported are shown.
const MOST_REASONS: usize = 10;

/// What came of the methods of a run.
#[derive(Debug, Default)]
pub struct Totals {
    /// Methods.
    pub methods: usize,
    /// Methods with a path that ended at something unsupported.
    pub unsupported_methods: usize,
    /// Methods that were left because of a limit.
    pub limited_methods: usize,
    /// Methods without cases, by reason.
    pub refused: BTreeMap<String, usize>,
    /// Cases.
    pub cases: usize,
    /// Paths that the solver could not decide.
    pub unknown_paths: u64,
    /// What the solver did.
    pub solver: Statistics,
    /// Methods that have unsupported paths, by reason.
    pub unsupported: BTreeMap<String, BTreeSet<String>>,
    /// Methods with unknown paths or decisions, each with its numbers.
    pub unknown: Vec<String>,
    /// Paths that their inputs do not take.
    pub contradictions: Vec<String>,
    /// What the JVM said about the predictions.
    pub tally: Tally,
}

impl Totals {
    /// Adds a method without cases.
    pub fn add_refused(&mut self, error: &GenerateError) {
        self.methods += 1;
        *self.refused.entry(error.to_string()).or_default() += 1;
    }

    /// Adds a method with its cases.
    pub fn add(&mut self, method: &str, n_cases: usize, summary: &Summary) {
        let ends = &summary.ends;
        self.methods += 1;
        self.cases += n_cases;
        self.unknown_paths += ends.unknown;
        self.solver.add(&summary.solver);
        self.limited_methods += usize::from(!ends.limits.is_empty());
        self.unsupported_methods += usize::from(!ends.unsupported.is_empty());
        for stopped in ends.unsupported.keys() {
            let methods = self.unsupported.entry(stopped.what.clone()).or_default();
            methods.insert(format!("{method} at {}", stopped.place));
        }
        if ends.unknown + summary.solver.unknown > 0 {
            let (paths, decisions) = (ends.unknown, summary.solver.unknown);
            self.unknown.push(format!("{method}: {paths} paths, {decisions} decisions"));
        }
        let found = contradictions(summary);
        self.contradictions.extend(found.iter().map(|what| format!("{method}: {what}")));
    }

    /// The line with the numbers.
    pub fn summary(&self) -> String {
        format!(
            "{} methods ({} without cases, {} with unsupported paths, {} left at a limit), {} cases, \
             {} replayed ({} alike, {} unstable, {} exhausted), {} decisions ({} unknown), {} unknown \
             paths",
            self.methods,
            self.refused.values().sum::<usize>(),
            self.unsupported_methods,
            self.limited_methods,
            self.cases,
            self.tally.compared,
            self.tally.same,
            self.tally.unstable,
            self.tally.exhausted,
            self.solver.decisions,
            self.solver.unknown,
            self.unknown_paths,
        )
    }

    /// All of it as text, most frequent reasons first.
    pub fn report(&self) -> String {
        let mut lines = vec![self.summary(), self.tally.report()];
        for (reason, count) in &self.refused {
            lines.push(format!("  no cases for {count}: {reason}"));
        }
        let mut reasons: Vec<_> = self.unsupported.iter().collect();
        reasons.sort_by_key(|(_, methods)| std::cmp::Reverse(methods.len()));
        for (reason, methods) in reasons.into_iter().take(MOST_REASONS) {
            let example = methods.first().map_or("", String::as_str);
            lines.push(format!("  unsupported in {}: {reason}\n    {example}", methods.len()));
        }
        lines.extend(self.unknown.iter().map(|what| format!("  unknown: {what}")));
        lines.extend(self.contradictions.iter().map(|what| format!("  contradiction: {what}")));
        lines.join("\n")
    }
}
