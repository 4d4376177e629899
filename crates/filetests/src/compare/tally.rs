//! Counts of what comparisons said.

use std::collections::BTreeMap;

use petrel_replay::Call;

use super::Verdict;
use super::describe::described_call;

/// What comparisons said, counted.
#[derive(Debug, Default)]
pub struct Tally {
    /// Comparisons.
    pub compared: usize,
    /// Calls that end alike.
    pub same: usize,
    /// Calls whose end depends on what the JVM does not fix.
    pub unstable: usize,
    /// Calls that exhaust one or both.
    pub exhausted: usize,
    /// Calls that the JVM cannot make, by reason.
    pub not_callable: BTreeMap<String, usize>,
    /// Calls that reach a limit in the engine alone, each with its text.
    pub limits: Vec<String>,
    /// Calls that the engine gives up on, by reason: how many, and an example.
    pub unsupported: BTreeMap<String, (usize, String)>,
    /// Wrong answers, by method: how many, and the first ones.
    pub different: BTreeMap<String, (usize, Vec<String>)>,
}

/// So many wrong answers of a method are shown.
const MOST_EXAMPLES: usize = 2;

impl Tally {
    /// Adds what was said of a call.
    pub fn add(&mut self, call: &Call, verdict: Verdict) {
        self.compared += 1;
        match verdict {
            Verdict::Same => self.same += 1,
            Verdict::Unstable => self.unstable += 1,
            Verdict::Exhausted => self.exhausted += 1,
            Verdict::NotCallable(reason) => *self.not_callable.entry(reason).or_default() += 1,
            Verdict::Limit(what) => self.limits.push(format!("{}: {what}", described_call(call))),
            Verdict::Unsupported { reason, places } => {
                let example = format!("{} at {}", described_call(call), places.join(", "));
                let entry = self.unsupported.entry(reason).or_insert((0, example));
                entry.0 += 1;
            }
            Verdict::Different(what) => {
                let method = format!("{}.{}{}", call.class, call.method, call.descriptor);
                let (count, examples) = self.different.entry(method).or_default();
                *count += 1;
                if examples.len() < MOST_EXAMPLES {
                    examples.push(format!("{}\n      {what}", described_call(call)));
                }
            }
        }
    }

    /// How many calls the engine gave up on.
    pub fn n_unsupported(&self) -> usize {
        self.unsupported.values().map(|(count, _)| count).sum()
    }

    /// How many answers are wrong.
    pub fn n_different(&self) -> usize {
        self.different.values().map(|(count, _)| count).sum()
    }

    /// All of it as text, most frequent reasons first.
    pub fn report(&self) -> String {
        let mut lines = vec![format!(
            "{} calls: {} same, {} unstable, {} exhausted, {} over a limit, {} unsupported, \
             {} not callable, {} different",
            self.compared,
            self.same,
            self.unstable,
            self.exhausted,
            self.limits.len(),
            self.n_unsupported(),
            self.not_callable.values().sum::<usize>(),
            self.n_different()
        )];
        let mut reasons: Vec<_> = self.unsupported.iter().collect();
        reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (reason, (count, example)) in reasons {
            lines.push(format!("  unsupported {count}: {reason}\n    such as {example}"));
        }
        for (reason, count) in &self.not_callable {
            lines.push(format!("  not callable {count}: {reason}"));
        }
        lines.extend(self.limits.iter().map(|what| format!("  limit: {what}")));
        for (method, (count, examples)) in &self.different {
            lines.push(format!("  different {count}: {method}"));
            lines.extend(examples.iter().map(|example| format!("    {example}")));
        }
        lines.join("\n")
    }
}
