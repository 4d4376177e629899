//! What is seen of a derivation: the rules that it applies, and the trace term that they make.
//!
//! A trace ("Resource-driven CLP-based test case generation", Def. 2) names a rule by its predicate and
//! number and holds the traces of what its body calls: of the method that it calls, and of the predicate
//! that it goes on in. Here the rules are a flat log with the depth of the call that each belongs to; the
//! term is made of it on demand. Choices that no rule shows are in the log, too, so that the trace tells
//! which path it is.
//!
//! Code of the class library, and initialisers, are no part of it.

use std::sync::Arc;

use petrel_clp::{HIDDEN_CHOICE, Trace, TraceBuilder, TraceParameter};
use petrel_program::ResolvedMethod;

use super::{Event, Marks, Observer};
use crate::machine::{Machine, RuleShown, SourceLine, Step, Value};

/// Something that a trace tells.
#[derive(Debug, Clone, Copy)]
enum Told {
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
    told: Told,
    depth: u32,
}

/// What happened in a derivation.
#[derive(Debug, Default)]
pub(super) struct RuleLog {
    logged: Vec<Logged>,
    marks: Marks<usize>,
}

/// A longer trace is written with its end left open.
const MOST_EVENTS: usize = 200_000;

impl Observer for RuleLog {
    fn start(&mut self) {
        self.logged.clear();
    }

    fn see(&mut self, machine: &mut Machine<'_>, event: Event<'_>) -> Step {
        let told = match event {
            Event::Rule { number, of_library: false } => Told::Rule(number),
            Event::Choice(number) => Told::Choice(number),
            Event::Size(size) => Told::Parameter(size),
            _ => return Ok(()),
        };
        if self.logged.len() < MOST_EVENTS {
            self.logged.push(Logged { told, depth: machine.depth() });
        }
        Ok(())
    }

    fn open_choice(&mut self) {
        self.marks.push(self.logged.len());
    }

    fn go_back(&mut self) -> bool {
        if let Some(&mark) = self.marks.last() {
            self.logged.truncate(mark);
        }
        true
    }

    fn close_choice(&mut self) {
        self.marks.pop();
    }
}

impl Machine<'_> {
    fn logged(&self) -> &[Logged] {
        self.observers.log.as_ref().map_or(&[], |log| &log.logged)
    }

    /// The program's own rules that were applied.
    fn logged_rules(&self) -> impl Iterator<Item = u32> {
        self.logged().iter().filter_map(|logged| match logged.told {
            Told::Rule(rule) => Some(rule),
            Told::Choice(_) | Told::Parameter(_) => None,
        })
    }

    /// The rules of a method that were applied, as numbers of predicates and rules, sorted.
    pub fn rules_applied(&self, method: &ResolvedMethod) -> Vec<(u32, u32)> {
        let mut rules: Vec<(u32, u32)> = self
            .logged_rules()
            .map(|rule| self.code.rules[rule as usize])
            .filter(|origin| self.methods.get(origin.method).resolved == *method)
            .map(|origin| (origin.predicate, origin.rule))
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The source lines of the rules applied, each once, in order.
    pub fn lines_applied(&self) -> Vec<SourceLine> {
        let mut is_seen = vec![false; self.code.lines.len()];
        let mut lines = Vec::new();
        for rule in self.logged_rules() {
            for &line in &self.code.rules_shown[rule as usize].lines {
                if !std::mem::replace(&mut is_seen[line as usize], true) {
                    lines.push(self.code.lines[line as usize].clone());
                }
            }
        }
        lines
    }

    /// The trace term of the rules applied.
    pub fn trace(&self) -> Trace {
        let mut trace = TraceBuilder::default();
        let hidden: Arc<str> = HIDDEN_CHOICE.into();
        // The terms that are open: a rule of the same depth is the last part of one, unless it begins a
        // call.
        let mut open: Vec<(u32, &RuleShown)> = Vec::new();
        let mut sizes = 0;
        for Logged { told, depth } in self.logged() {
            let is_call =
                matches!(told, Told::Rule(rule) if self.code.rules_shown[*rule as usize].is_entry);
            while open.last().is_some_and(|(of, _)| of > depth || (is_call && of == depth)) {
                open.pop();
                trace.close();
            }
            match told {
                Told::Rule(rule) => {
                    let shown = &self.code.rules_shown[*rule as usize];
                    let caller = open.last().map(|&(_, caller)| caller).filter(|_| is_call);
                    trace.open(Arc::clone(shown.name_for(caller)), shown.number);
                    open.push((*depth, shown));
                    sizes = 0;
                }
                Told::Choice(number) => {
                    trace.open(Arc::clone(&hidden), number + 1);
                    trace.close();
                }
                Told::Parameter(size) if size.is_symbolic() => {
                    let shown = open.last().and_then(|(_, shown)| shown.parameters.get(sizes));
                    let name = shown.map_or("_", |name| name);
                    trace.parameter(TraceParameter::Free(name.into()));
                    sizes += 1;
                }
                Told::Parameter(size) => {
                    trace.parameter(TraceParameter::Known(size.as_int().into()));
                    sizes += 1;
                }
            }
        }
        if self.logged().len() == MOST_EVENTS {
            trace.free("_");
        }
        trace.finish()
    }
}
