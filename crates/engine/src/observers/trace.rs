//! What is seen of a derivation: the rules that it applies, and the trace term that they make.
//!
//! A trace ("Resource-driven CLP-based test case generation", Def. 2) names a rule by its predicate and
//! number and holds the traces of what its body calls: of the method that it calls, and of the predicate
//! that it goes on in. Here the rules are a flat log with the depth of the call that each belongs to; the
//! term is made of it on demand (`told`). Choices that no rule shows are in the log, too, so that the trace tells
//! which path it is.
//!
//! Code of the class library, and initialisers, are no part of it.

mod told;

use petrel_clp::{MethodRef, ToldTrace};
use petrel_program::ResolvedMethod;

use super::{Event, Marks, Observer};
use crate::machine::{Machine, SourceLine, Step, Value};

use told::Told;

/// Something that a trace tells.
#[derive(Debug, Clone, Copy)]
enum Seen {
    /// A rule of the program is applied.
    Rule(u32),
    /// A way is taken that no rule shows, by its number.
    Choice(u32),
    /// The rule applied last makes an array of this size.
    Parameter(Value),
}

/// Something that a trace tells, and how many calls were under way.
#[derive(Debug, Clone, Copy)]
struct Logged {
    seen: Seen,
    depth: u32,
}

/// What happened in a derivation.
#[derive(Debug, Default)]
pub(super) struct RuleLog {
    logged: Vec<Logged>,
    /// What was told of it.
    told: Told,
    marks: Marks<usize>,
}

/// A longer trace is written with its end left open.
const MOST_EVENTS: usize = 200_000;

impl Observer for RuleLog {
    fn start(&mut self) {
        self.truncate(0);
    }

    fn see(&mut self, machine: &mut Machine<'_>, event: Event<'_>) -> Step {
        let seen = match event {
            Event::Rule { number, of_library: false } => Seen::Rule(number),
            Event::Choice(number) => Seen::Choice(number),
            Event::Size(size) => Seen::Parameter(size),
            _ => return Ok(()),
        };
        if self.logged.len() < MOST_EVENTS {
            self.logged.push(Logged { seen, depth: machine.depth() });
        }
        Ok(())
    }

    fn open_choice(&mut self) {
        self.marks.push(self.logged.len());
    }

    fn go_back(&mut self) -> bool {
        if let Some(&mark) = self.marks.last() {
            self.truncate(mark);
        }
        true
    }

    fn close_choice(&mut self) {
        self.marks.pop();
    }
}

impl RuleLog {
    fn truncate(&mut self, len: usize) {
        self.logged.truncate(len);
        self.told.keep(len);
    }
}

impl Machine<'_> {
    /// What was told of the derivation, with all that was logged.
    fn told(&mut self) -> Option<&mut RuleLog> {
        let log = self.observers.log.as_mut()?;
        log.told.tell(&log.logged, &self.code);
        Some(log)
    }

    /// The rules of a method that were applied, as numbers of predicates and rules, sorted.
    pub fn rules_applied(&mut self, method: &ResolvedMethod) -> Vec<(u32, u32)> {
        let applied = self.rules_by_number().into_iter().map(|rule| self.code.rule_origin(rule));
        let mut rules: Vec<(u32, u32)> = applied
            .filter(|origin| self.methods.get(origin.method).resolved == *method)
            .map(|origin| (origin.predicate, origin.rule))
            .collect();
        rules.sort_unstable();
        rules
    }

    /// The program's own rules that were applied, of all methods, each once, in the order in which they come first: by
    /// numbers that stand for them as long as the machine is there.
    pub fn rules_by_number(&mut self) -> Vec<u32> {
        self.told().map_or_else(Vec::new, |log| log.told.rules().to_vec())
    }

    /// What the number of a rule stands for: its method, and the numbers of its predicate and of the rule in it.
    pub fn rule_of_number(&self, number: u32) -> (&MethodRef, u32, u32) {
        let origin = self.code.rule_origin(number);
        let shown = &self.code.rules_shown()[number as usize];
        (&shown.method, origin.predicate, origin.rule)
    }

    /// The source lines of the rules applied, each once, in order.
    pub fn lines_applied(&mut self) -> Vec<SourceLine> {
        let rules = self.rules_by_number();
        let mut is_seen = vec![false; self.code.lines.len()];
        let mut lines = Vec::new();
        for rule in rules {
            for &line in &self.code.rules_shown()[rule as usize].lines {
                if !std::mem::replace(&mut is_seen[line as usize], true) {
                    lines.push(self.code.lines[line as usize].clone());
                }
            }
        }
        lines
    }

    /// The trace of the rules applied.
    pub fn trace(&mut self) -> ToldTrace {
        match self.told() {
            Some(log) => log.told.trace(log.logged.len() == MOST_EVENTS),
            None => ToldTrace::from(&petrel_clp::Trace::free()),
        }
    }
}
