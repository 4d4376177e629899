//! The trace term of a derivation, and which rules it applies, as far as it was told the last time.
//!
//! Paths that follow each other in the tree begin alike, and a trace can be thousands of times longer than what is new in
//! it: what was told of the rules that both apply is kept.

use std::sync::Arc;

use petrel_clp::{
    HIDDEN_CHOICE, ToldTrace, TraceEvent, TraceParameter, TracePlace, TraceStep, TraceWriter,
};

use super::{Logged, Seen};
use crate::machine::{Code, RuleShown};

/// What was told of a derivation: of each thing that it logged, in its order.
#[derive(Debug, Default)]
pub(super) struct Told {
    writer: TraceWriter,
    steps: Vec<Step>,
    /// The same for whoever follows the trace.
    told: Vec<TraceStep>,
    /// The sizes of arrays, and the rules that they are those of, by the numbers of their steps. They are put into terms
    /// that were written before.
    sizes: Vec<(usize, usize)>,
    /// The rules that are applied, in the order in which they come first.
    rules: Vec<u32>,
    /// For each rule of the code, whether it is among them.
    is_applied: Vec<bool>,
}

/// What is known when something was told.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    /// Where its text ends.
    place: TracePlace,
    /// How many different rules are applied.
    n_rules: usize,
    /// How many arrays were made since the last rule.
    n_sizes: usize,
    /// The number of the step of the innermost rule that is open.
    open: Option<usize>,
    /// Of the application of a rule.
    term: Term,
}

/// The term of a rule that is applied.
#[derive(Debug, Clone, Copy, Default)]
struct Term {
    rule: u32,
    depth: u32,
    /// The rule around it, as `open`.
    around: Option<usize>,
    /// Where the sizes of arrays go.
    sizes_at: usize,
}

impl Told {
    /// Nothing but the first things that were logged stands.
    pub(super) fn keep(&mut self, len: usize) {
        let mut len = len.min(self.steps.len());
        // A size changed the text of its rule.
        while let Some(&(size, rule)) = self.sizes.last()
            && size >= len
        {
            self.sizes.pop();
            len = len.min(rule);
        }
        self.steps.truncate(len);
        self.told.truncate(len);
    }

    /// The rules that are applied, each once, in the order in which they come first.
    pub(super) fn rules(&self) -> &[u32] {
        &self.rules
    }

    /// The trace term.
    pub(super) fn trace(&mut self, is_cut_off: bool) -> ToldTrace {
        let mut steps = self.told.clone();
        if is_cut_off {
            self.writer.free("_");
            steps.push(TraceStep { closes: 0, event: TraceEvent::Anything });
        }
        self.writer.told(steps.into())
    }

    /// Tells what is new in a log. What stands of the last one is its beginning.
    pub(super) fn tell(&mut self, logged: &[Logged], code: &Code) {
        let mut last = self.steps.last().copied().unwrap_or_default();
        self.writer.go_back(last.place);
        for &rule in &self.rules[last.n_rules..] {
            self.is_applied[rule as usize] = false;
        }
        self.rules.truncate(last.n_rules);
        if self.is_applied.len() < code.rules_shown().len() {
            self.is_applied.resize(code.rules_shown().len(), false);
        }
        for number in self.steps.len()..logged.len() {
            last = self.next(last, &logged[..=number], code.rules_shown());
            self.steps.push(last);
        }
    }

    /// Tells the last thing that was logged.
    fn next(&mut self, last: Step, logged: &[Logged], shown: &[RuleShown]) -> Step {
        let Some((&Logged { seen, depth }, before)) = logged.split_last() else { return last };
        let number = before.len();
        let mut step = last;
        let mut closes = 0;
        let is_call = matches!(seen, Seen::Rule(rule) if shown[rule as usize].is_entry);
        // A rule of the same depth is the last part of one that is open, unless it begins a call.
        while let Some(open) = step.open {
            let Term { depth: of, around, .. } = self.steps[open].term;
            if of < depth || (of == depth && !is_call) {
                break;
            }
            self.writer.close();
            step.open = around;
            closes += 1;
        }
        let of_open = step.open.map(|open| &shown[self.steps[open].term.rule as usize]);
        let event = match seen {
            Seen::Rule(rule) => {
                let of_rule = &shown[rule as usize];
                let name = of_rule.name_for(of_open.filter(|_| is_call));
                let sizes_at = self.writer.open(name, of_rule.number);
                step.term = Term { rule, depth, around: step.open, sizes_at };
                step.open = Some(number);
                step.n_sizes = 0;
                let is_first = self.rules.is_empty();
                if !std::mem::replace(&mut self.is_applied[rule as usize], true) {
                    self.rules.push(rule);
                    step.n_rules = self.rules.len();
                }
                let event = TraceEvent::Rule(Arc::clone(name), of_rule.number);
                // Choices that decide the first rule are its parts.
                for before in before.iter().filter(|_| is_first) {
                    if let Seen::Choice(choice) = before.seen {
                        self.choice(choice);
                    }
                }
                event
            }
            Seen::Choice(choice) => {
                if step.open.is_some() || !self.rules.is_empty() {
                    self.choice(choice);
                }
                TraceEvent::Choice(choice + 1)
            }
            Seen::Parameter(size) => {
                let name = of_open.and_then(|of_rule| of_rule.parameters.get(step.n_sizes));
                let size = match size.is_symbolic() {
                    true => TraceParameter::Free(name.map_or("_", |name| name).into()),
                    false => TraceParameter::Known(size.as_int().into()),
                };
                if let Some(open) = step.open {
                    let term = &mut self.steps[open].term;
                    term.sizes_at = self.writer.parameter(&size, term.sizes_at);
                    self.sizes.push((number, open));
                }
                step.n_sizes += 1;
                TraceEvent::Size(size)
            }
        };
        self.told.push(TraceStep { closes, event });
        step.place = self.writer.place();
        step
    }

    fn choice(&mut self, number: u32) {
        self.writer.open(HIDDEN_CHOICE, number + 1);
        self.writer.close();
    }
}
