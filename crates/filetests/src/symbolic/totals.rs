//! Counts of what came of the methods of a run.

use std::collections::BTreeMap;

use petrel_checks::judges_shares;
use petrel_solver::Statistics;
use petrel_testcase::{Feature, GenerateError, Limit, Summary};

use super::contradictions;
use crate::compare::Tally;

/// So many reasons for what is unsupported, and so many methods with unknown decisions are shown.
const MOST_SHOWN: usize = 10;

/// What is unsupported, without what differs from method to method: guards and names of inputs.
fn without_names(what: &Feature) -> Feature {
    match what {
        Feature::Inside { class, .. } => {
            Feature::Inside { object: "..".to_owned(), class: class.clone() }
        }
        other => other.general(),
    }
}

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
    /// By reason, methods that have unsupported paths, each with a place.
    pub unsupported: BTreeMap<String, BTreeMap<String, String>>,
    /// Methods with unknown paths or decisions, each with its numbers.
    pub unknown: Vec<String>,
    /// Paths that their inputs do not take.
    pub contradictions: Vec<String>,
    /// Methods whose generation panicked.
    pub panics: Vec<String>,
    /// Methods that took far longer than they may, each with its time.
    pub slow: Vec<String>,
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
        // Paths that leave others out are not left themselves.
        let is_left = |limit: &Limit| !matches!(limit, Limit::LeftOut(_));
        self.limited_methods += usize::from(ends.limits.keys().any(is_left));
        self.unsupported_methods += usize::from(!ends.unsupported.is_empty());
        for stopped in ends.unsupported.keys() {
            let reason = without_names(&stopped.what);
            let place = stopped.place.as_ref().map(ToString::to_string).unwrap_or_default();
            let place = match reason == stopped.what {
                true => place,
                false => format!("{place} {}", stopped.what),
            };
            let methods = self.unsupported.entry(reason.to_string()).or_default();
            methods.entry(method.to_owned()).or_insert(place);
        }
        if ends.unknown + summary.solver.unknown > 0 {
            let (paths, decisions) = (ends.unknown, summary.solver.unknown);
            self.unknown.push(format!("{method}: {paths} paths, {decisions} decisions"));
        }
        let found = contradictions(summary);
        self.contradictions.extend(found.iter().map(|what| format!("{method}: {what}")));
    }

    /// Methods without cases, or with paths that are none because of something unsupported.
    pub fn n_unsupported(&self) -> usize {
        self.unsupported_methods + self.refused.values().sum::<usize>()
    }

    /// Whether all that was said is true: no case is wrong, no path contradicts its inputs, and nothing
    /// panicked.
    pub fn is_sound(&self) -> bool {
        self.tally.different.is_empty() && self.contradictions.is_empty() && self.panics.is_empty()
    }

    /// Checks what the cases of fixtures came to: something was compared, all of it is true, and, if
    /// enough were looked at, no more methods of hundred than so many have unsupported paths.
    ///
    /// # Panics
    ///
    /// If it is not so.
    pub fn check_all(&self, most_unsupported: usize) {
        let report = self.report();
        assert!(self.tally.compared > 0, "no fixture was chosen");
        assert!(self.is_sound(), "{report}");
        assert!(self.tally.not_callable.is_empty(), "{report}");
        let n_unsupported = self.n_unsupported();
        let is_usual = n_unsupported * 100 <= self.methods * most_unsupported;
        assert!(!judges_shares() || is_usual, "{report}");
    }

    /// Decisions that took more than rewriting.
    pub fn n_decisions(&self) -> u64 {
        self.solver.decisions - self.solver.by_rewriting
    }

    /// The line with the numbers.
    pub fn summary(&self) -> String {
        format!(
            "{} methods ({} without cases, {} with unsupported paths, {} left at a limit), {} cases, \
             {} replayed ({} alike, {} unstable, {} exhausted), {} decisions and {} by rewriting \
             ({} unknown), {} unknown paths",
            self.methods,
            self.refused.values().sum::<usize>(),
            self.unsupported_methods,
            self.limited_methods,
            self.cases,
            self.tally.compared,
            self.tally.same,
            self.tally.unstable,
            self.tally.exhausted,
            self.n_decisions(),
            self.solver.by_rewriting,
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
        for (reason, methods) in reasons.into_iter().take(MOST_SHOWN) {
            lines.push(format!("  unsupported in {}: {reason}", methods.len()));
            let example = methods.first_key_value();
            lines.extend(example.map(|(method, place)| format!("    {method} at {place}")));
        }
        let unknown = self.unknown.iter().take(MOST_SHOWN);
        lines.extend(unknown.map(|what| format!("  unknown: {what}")));
        lines.extend(self.contradictions.iter().map(|what| format!("  contradiction: {what}")));
        lines.extend(self.panics.iter().map(|what| format!("  panic: {what}")));
        lines.extend(self.slow.iter().map(|what| format!("  slow: {what}")));
        lines.join("\n")
    }
}
