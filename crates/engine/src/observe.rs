//! What is seen of a derivation: the rules that it applies, and the trace term that they make.
//!
//! A trace ("Guided test case generation through trace abstraction", section 2) names a rule by its
//! predicate and number and holds the traces of what its body calls: of the method that it calls, and of
//! the predicate that it goes on in. Here the rules are a flat log with the depth of the call that each
//! belongs to; the term is made of it on demand.
//!
//! Code of the class library, and initialisers, are no part of it.

use crate::calls::Step;
use crate::machine::{Machine, Stop};
use crate::stop::Reason;

/// A rule that was applied.
#[derive(Debug, Clone, Copy)]
struct Applied {
    rule: u32,
    depth: u32,
}

/// The rules that a derivation applied.
#[derive(Debug, Default)]
pub(crate) struct RuleLog {
    applied: Vec<Applied>,
    pub(crate) is_on: bool,
}

/// Longer traces are not written as terms.
const MOST_RULES: usize = 200_000;

impl Machine<'_> {
    /// Looks at the application of a rule: at each one if there is a log, and else where the limit is.
    pub(crate) fn observe(&mut self, rule: u32) -> Step {
        if self.applied > self.step_limit {
            return Err(Stop(Reason::Limit(format!("{} steps", self.step_limit))).into());
        }
        if self.log.is_on && self.log.applied.len() < MOST_RULES {
            let method = self.code.rules[rule as usize].method;
            if !self.methods.get(method).of_library {
                let depth = self.frames.len() as u32;
                self.log.applied.push(Applied { rule, depth });
            }
        }
        Ok(())
    }

    /// Starts to count rule applications, and to keep them if they are wanted.
    pub(crate) fn start_observation(&mut self, limit: u64, keep: bool) {
        self.applied = 0;
        self.own_applied = 0;
        self.step_limit = limit;
        self.log.applied.clear();
        self.log.is_on = keep;
        self.observe_at = if keep { 0 } else { limit };
    }

    /// The rules of a method that were applied, as numbers of predicates and rules, sorted.
    pub fn rules_applied(&self, method: &petrel_program::ResolvedMethod) -> Vec<(u32, u32)> {
        let mut rules: Vec<(u32, u32)> = self
            .log
            .applied
            .iter()
            .map(|applied| self.code.rules[applied.rule as usize])
            .filter(|origin| self.methods.get(origin.method).resolved == *method)
            .map(|origin| (origin.predicate, origin.rule))
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The source lines of the rules applied (`File.java:3`), each once, in order.
    pub fn lines_applied(&self) -> Vec<String> {
        let mut is_seen = vec![false; self.code.lines.len()];
        let mut lines = Vec::new();
        for applied in &self.log.applied {
            for &line in &self.code.rules_shown[applied.rule as usize].lines {
                if !std::mem::replace(&mut is_seen[line as usize], true) {
                    lines.push(self.code.lines[line as usize].clone());
                }
            }
        }
        lines
    }

    /// The trace term of the rules applied.
    pub fn trace(&self) -> String {
        let mut text = String::new();
        // The depths of terms that are open: the next rule of the same depth is the last part of one.
        let mut open: Vec<u32> = Vec::new();
        for (position, applied) in self.log.applied.iter().enumerate() {
            while open.last().is_some_and(|&depth| depth > applied.depth) {
                open.pop();
                text.push_str("])");
            }
            if position > 0 && !text.ends_with('[') {
                text.push(',');
            }
            text.push_str(&self.code.rules_shown[applied.rule as usize].in_trace);
            open.push(applied.depth);
        }
        for _ in open {
            text.push_str("])");
        }
        text
    }
}
