//! What is seen of a derivation: the rules that it applies, and the trace term that they make.
//!
//! A trace ("Resource-driven CLP-based test case generation", Def. 2) names a rule by its predicate and
//! number and holds the traces of what its body calls: of the method that it calls, and of the predicate
//! that it goes on in. Here the rules are a flat log with the depth of the call that each belongs to; the
//! term is made of it on demand (`told`). Choices that no rule shows are in the log, too, so that the trace tells
//! which path it is.
//!
//! Code of the class library, and initialisers, are no part of it.

use petrel_clp::WrittenTrace;

use crate::calls::Step;
use crate::machine::{Machine, Stop};
use crate::stop::{Limit, SourceLine};
use crate::told::Told;
use crate::value::Value;

/// Something that a trace tells.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    /// A rule of the program is applied.
    Rule(u32),
    /// A way is taken that no rule shows, by its number.
    Choice(u32),
    /// The rule applied last makes an array of this size.
    Parameter(Value),
}

/// Something that a trace tells, and how many calls were under way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Logged {
    pub(crate) event: Event,
    pub(crate) depth: u32,
}

/// What happened in a derivation.
#[derive(Debug, Default)]
pub(crate) struct RuleLog {
    logged: Vec<Logged>,
    /// What was told of it.
    told: Told,
    is_on: bool,
    /// Whether the call itself has begun: what is checked of its inputs before is no part of it.
    pub(crate) has_begun: bool,
    /// Whether an input object is being built: what its class does for that is no part of the call.
    pub(crate) is_hidden: bool,
}

/// A longer trace is written with its end left open.
const MOST_EVENTS: usize = 200_000;

impl RuleLog {
    fn add(&mut self, event: Event, depth: usize) {
        if self.is_on && self.has_begun && self.logged.len() < MOST_EVENTS {
            self.logged.push(Logged { event, depth: depth as u32 });
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.logged.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.logged.truncate(len);
        self.told.keep(len);
    }
}

impl Machine<'_> {
    /// Looks at the application of a rule of the program: at each one if there is a log, and else where
    /// the limit is.
    pub(crate) fn observe(&mut self, rule: u32) -> Step {
        self.check_limit()?;
        if self.log.is_hidden {
            return Ok(());
        }
        self.log.add(Event::Rule(rule), self.frames.len());
        self.follow_rule(rule)?;
        self.follow_locally(rule)?;
        self.measure_rule(rule)
    }

    /// Looks at the application of a rule of the class library.
    pub(crate) fn observe_library(&mut self, rule: u32) -> Step {
        self.check_limit()?;
        self.measure_rule(rule)
    }

    /// Whether what happens now is part of the call: not what is done for its inputs, and no initialiser.
    pub(crate) fn is_observing_call(&self) -> bool {
        self.log.has_begun && !self.log.is_hidden && self.observe_at != u64::MAX
    }

    fn check_limit(&self) -> Step {
        if self.applied > self.step_limit {
            return Err(Stop::limit(Limit::Steps(self.step_limit)).into());
        }
        Ok(())
    }

    /// A way is taken that no rule shows.
    pub(crate) fn observe_choice(&mut self, number: u32) -> Step {
        self.log.add(Event::Choice(number), self.frames.len());
        self.follow_choice(number)
    }

    /// The rule that was applied last makes an array of this size.
    pub(crate) fn observe_parameter(&mut self, size: Value) -> Step {
        if self.observe_at == u64::MAX {
            return Ok(());
        }
        self.log.add(Event::Parameter(size), self.frames.len());
        match self.guided_size() {
            Some(guided) => self.require_size(size, guided),
            None => Ok(()),
        }
    }

    /// Starts to count rule applications, and to keep them from the beginning of the call on.
    pub(crate) fn start_observation(&mut self, limit: u64) {
        self.applied = 0;
        self.own_applied = 0;
        self.step_limit = limit;
        self.log.truncate(0);
        self.log.is_on = true;
        self.start_meter();
        if let Some(watch) = &mut self.overflows {
            watch.truncate(0);
        }
        self.log.has_begun = false;
        self.log.is_hidden = false;
        self.observe_at = 0;
    }

    /// The rules of a method that were applied, as numbers of predicates and rules, sorted.
    pub fn rules_applied(&mut self, method: &petrel_program::ResolvedMethod) -> Vec<(u32, u32)> {
        self.tell();
        let mut rules: Vec<(u32, u32)> = self
            .log
            .told
            .rules()
            .iter()
            .map(|&rule| self.code.rules[rule as usize])
            .filter(|origin| self.methods.get(origin.method).resolved == *method)
            .map(|origin| (origin.predicate, origin.rule))
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The source lines of the rules applied, each once, in order.
    pub fn lines_applied(&mut self) -> Vec<SourceLine> {
        self.tell();
        let mut is_seen = vec![false; self.code.lines.len()];
        let mut lines = Vec::new();
        for &rule in self.log.told.rules() {
            for &line in &self.code.rules_shown[rule as usize].lines {
                if !std::mem::replace(&mut is_seen[line as usize], true) {
                    lines.push(self.code.lines[line as usize].clone());
                }
            }
        }
        lines
    }

    /// The trace term of the rules applied.
    pub fn trace(&mut self) -> WrittenTrace {
        self.tell();
        self.log.told.trace(self.log.logged.len() == MOST_EVENTS)
    }

    /// Tells of the derivation what was not told.
    fn tell(&mut self) {
        self.log.told.tell(&self.log.logged, &self.code);
    }
}
