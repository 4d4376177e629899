//! Trace-guided derivation ("A Framework for Guided Test Case Generation in Constraint Logic
//! Programming", Def. 4): a trace, complete or partial, is the input, and only paths that are instances of
//! it are derived.
//!
//! The derivation applies rules one after the other; the guide says at each whether the trace has it
//! there. Where a guard is a choice, ways that lead to other rules are not taken at all. Which ways are
//! possible is asked as without a trace: the termination criterion counts the same choices.

use std::rc::Rc;
use std::sync::Arc;

use petrel_clp::{HIDDEN_CHOICE, Trace, TraceNode, TraceParameter, TracePart};

use super::ahead::NextRules;
use super::{Ahead, Event, Marks, Observer};
use crate::machine::{Address, Code, Halt, Machine, RuleShown, Step};

/// A trace that is followed.
#[derive(Debug)]
pub(super) struct Guide {
    trace: Arc<Trace>,
    /// Where the derivation is.
    position: Position,
    marks: Marks<Position>,
    /// How many nodes of the trace some path has followed.
    furthest: usize,
    next_rules: NextRules,
}

/// Where a derivation is in a trace: the terms that are open. It is a value, so that a mark can keep it.
type Position = Option<Rc<OpenTerm>>;

/// A term of a trace whose parts follow.
#[derive(Debug)]
struct OpenTerm {
    /// How many calls were under way.
    depth: u32,
    /// The rule applied.
    rule: u32,
    /// The node; `None` if nothing is said about it.
    node: Option<u32>,
    /// How many of its parts have been followed.
    parts: u32,
    /// How many of its parameters have been followed.
    parameters: u32,
    around: Position,
}

/// What a trace says about something that happens.
enum Expected {
    /// Nothing, and how many parts of the term around are followed with it.
    Anything(u32),
    /// A node, and how many parts of the term around are followed with it.
    Node(u32, u32),
    /// That it does not happen.
    Nothing,
}

impl Guide {
    fn new(trace: Arc<Trace>) -> Guide {
        let (marks, next_rules) = (Marks::default(), NextRules::default());
        Guide { trace, position: None, marks, furthest: 0, next_rules }
    }

    fn node(&self, number: u32) -> &TraceNode {
        &self.trace.nodes()[number as usize]
    }

    /// The innermost term that is open at a depth; a call of a depth is inside of terms of smaller ones.
    fn around(&self, depth: u32, is_call: bool) -> Position {
        let mut position = self.position.clone();
        while let Some(term) = &position {
            let is_over = if is_call { term.depth >= depth } else { term.depth > depth };
            if !is_over {
                break;
            }
            position = term.around.clone();
        }
        position
    }

    /// Whether terms that are open, down to one of them, have no parts left that must follow.
    fn is_over(&self, down_to: &Position) -> bool {
        let mut position = &self.position;
        while let Some(term) = position {
            if down_to.as_ref().is_some_and(|last| Rc::ptr_eq(last, term)) {
                break;
            }
            let parts = term.node.map_or(&[][..], |node| &self.node(node).parts);
            let left = parts.get(term.parts as usize..).unwrap_or_default();
            if left.iter().any(|part| !matches!(part, TracePart::Any)) {
                return false;
            }
            position = &term.around;
        }
        true
    }

    /// What is expected of something that happens inside of a term before it goes on.
    fn expected_inside(
        &self,
        around: Option<&OpenTerm>,
        rules: &[RuleShown],
        is_it: impl Fn(&TraceNode) -> bool,
    ) -> Expected {
        let Some(around) = around else { return self.expected_first(is_it) };
        let Some(node) = around.node else { return Expected::Anything(0) };
        let parts = &self.node(node).parts;
        let goes_on = rules[around.rule as usize].goes_on;
        // The last part is what it goes on with, unless that is any number of parts.
        let last = match parts.split_last() {
            Some((TracePart::Any, _)) => parts.len(),
            Some(_) if goes_on => parts.len() - 1,
            _ => parts.len(),
        };
        let mut at = around.parts;
        loop {
            match parts[..last].get(at as usize) {
                Some(TracePart::Node(next)) if is_it(self.node(*next as u32)) => {
                    return Expected::Node(*next as u32, at + 1);
                }
                Some(TracePart::Free(_)) => return Expected::Anything(at + 1),
                // It stands for as little as possible.
                Some(TracePart::Any) => match parts[..last].get(at as usize + 1) {
                    Some(TracePart::Node(next)) if is_it(self.node(*next as u32)) => at += 1,
                    _ => return Expected::Anything(at),
                },
                Some(TracePart::Node(_)) | None => return Expected::Nothing,
            }
        }
    }

    fn expected_first(&self, is_it: impl Fn(&TraceNode) -> bool) -> Expected {
        self.expected_part(self.trace.root(), is_it)
    }

    fn expected_part(&self, part: &TracePart, is_it: impl Fn(&TraceNode) -> bool) -> Expected {
        match part {
            TracePart::Free(_) | TracePart::Any => Expected::Anything(0),
            TracePart::Node(next) if is_it(self.node(*next as u32)) => {
                Expected::Node(*next as u32, 0)
            }
            TracePart::Node(_) => Expected::Nothing,
        }
    }

    /// What is expected of a rule that a term goes on with, its last part.
    fn expected_after(&self, term: &OpenTerm, is_it: impl Fn(&TraceNode) -> bool) -> Expected {
        let Some(node) = term.node else { return Expected::Anything(0) };
        let is_any = |part: &TracePart| matches!(part, TracePart::Any);
        match self.node(node).parts.get(term.parts as usize..).unwrap_or_default() {
            [before @ .., last] if before.iter().all(is_any) => self.expected_part(last, is_it),
            _ => Expected::Nothing,
        }
    }

    /// Whether a term may go on with a rule: choices that no rule shows may come before it.
    fn may_go_on(&self, term: &OpenTerm, is_it: impl Fn(&TraceNode) -> bool) -> bool {
        let Some(node) = term.node else { return true };
        let is_before = |part: &TracePart| match part {
            TracePart::Any => true,
            TracePart::Free(_) => false,
            TracePart::Node(node) => *self.node(*node as u32).name == *HIDDEN_CHOICE,
        };
        match self.node(node).parts.get(term.parts as usize..).unwrap_or_default() {
            [before @ .., last] if before.iter().all(is_before) => {
                !matches!(self.expected_part(last, is_it), Expected::Nothing)
            }
            // A variable may be such a choice, too.
            left => left.iter().any(|part| matches!(part, TracePart::Free(_))),
        }
    }

    /// A rule is applied. `false` if the trace does not have it here.
    fn follow_rule(&mut self, rule: u32, depth: u32, rules: &[RuleShown]) -> bool {
        let shown = &rules[rule as usize];
        let around = self.around(depth, shown.is_entry);
        if !self.is_over(&around) {
            return false;
        }
        let caller = around.as_ref().map(|term| &rules[term.rule as usize]);
        let (expected, around) = match &around {
            Some(term) if !shown.is_entry => {
                let is_it = |node: &TraceNode| node.is_rule(&shown.name, shown.number);
                (self.expected_after(term, is_it), term.around.clone())
            }
            _ => {
                let name = shown.name_for(caller);
                let is_it = |node: &TraceNode| node.is_rule(name, shown.number);
                let expected = self.expected_inside(around.as_deref(), rules, is_it);
                (expected, around.clone())
            }
        };
        let (node, parts) = match expected {
            Expected::Nothing => return false,
            Expected::Anything(parts) => (None, parts),
            Expected::Node(node, parts) => {
                let sizes = self.node(node).parameters.len();
                if sizes != 0 && sizes != shown.parameters.len() {
                    return false;
                }
                self.furthest = self.furthest.max(node as usize + 1);
                (Some(node), parts)
            }
        };
        let around = if shown.is_entry { with_parts(around, parts) } else { around };
        self.position =
            Some(Rc::new(OpenTerm { depth, rule, node, parts: 0, parameters: 0, around }));
        true
    }

    /// A way is taken that no rule shows.
    fn follow_choice(&mut self, number: u32, depth: u32, rules: &[RuleShown]) -> bool {
        let around = self.around(depth, false);
        if !self.is_over(&around) {
            return false;
        }
        let is_it = |node: &TraceNode| node.is_rule(HIDDEN_CHOICE, number + 1);
        match self.expected_inside(around.as_deref(), rules, is_it) {
            Expected::Nothing => return false,
            Expected::Anything(parts) => self.position = with_parts(around, parts),
            Expected::Node(node, parts) => {
                self.furthest = self.furthest.max(node as usize + 1);
                self.position = with_parts(around, parts);
            }
        }
        true
    }

    /// The size that the trace gives the next array of the rule applied last.
    fn next_size(&mut self, depth: u32) -> Option<i64> {
        let term = self.around(depth, false)?;
        let node = term.node?;
        let size = self.node(node).parameters.get(term.parameters as usize).cloned();
        self.position = Some(Rc::new(OpenTerm {
            parameters: term.parameters + 1,
            around: term.around.clone(),
            ..*term
        }));
        match size {
            Some(TraceParameter::Known(size)) => Some(size),
            _ => None,
        }
    }
}

fn with_parts(term: Position, parts: u32) -> Position {
    term.map(|term| Rc::new(OpenTerm { parts, around: term.around.clone(), ..*term }))
}

impl Observer for Guide {
    /// The place is that before the first rule already, unless a derivation was left.
    fn start(&mut self) {
        self.position = None;
    }

    fn see(&mut self, machine: &mut Machine<'_>, event: Event<'_>) -> Step {
        let (depth, rules) = (machine.depth(), machine.code.rules_shown());
        let is_instance = match event {
            Event::Rule { number, of_library: false } => self.follow_rule(number, depth, rules),
            Event::Choice(number) => self.follow_choice(number, depth, rules),
            Event::Size(size) => {
                return match self.next_size(depth) {
                    Some(guided) => machine.require_size(size, guided),
                    None => Ok(()),
                };
            }
            _ => true,
        };
        if is_instance { Ok(()) } else { Err(Halt::Astray) }
    }

    fn admits(&mut self, machine: &Machine<'_>, way: Ahead) -> bool {
        if !machine.observation.has_begun {
            return true;
        }
        let depth = machine.depth();
        match way {
            Ahead::Code(address) => self.may_go_to(address, depth, &machine.code),
            Ahead::Choice(number) => {
                let around = self.around(depth, false);
                let is_it = |node: &TraceNode| node.is_rule(HIDDEN_CHOICE, number + 1);
                let rules = machine.code.rules_shown();
                let expected = self.expected_inside(around.as_deref(), rules, is_it);
                !matches!(expected, Expected::Nothing)
            }
        }
    }

    fn accepts_end(&self) -> bool {
        self.is_over(&None)
    }

    fn open_choice(&mut self) {
        self.marks.push(self.position.clone());
    }

    fn go_back(&mut self) -> bool {
        if let Some(mark) = self.marks.last() {
            self.position.clone_from(mark);
        }
        true
    }

    fn close_choice(&mut self) {
        self.marks.pop();
    }
}

impl Guide {
    /// Whether a rule that the trace has next may follow at an address of the program's own code.
    fn may_go_to(&mut self, address: Address, depth: u32, code: &Code) -> bool {
        let next = self.next_rules.from(code, address);
        let (Some(next), Some(term)) = (next, self.around(depth, false)) else { return true };
        if term.depth != depth {
            return true;
        }
        next.iter().any(|&rule| {
            let shown = &code.rules_shown()[rule as usize];
            let is_it = |node: &TraceNode| node.is_rule(&shown.name, shown.number);
            self.may_go_on(&term, is_it)
        })
    }
}

impl Machine<'_> {
    /// Derives only instances of a trace from now on.
    pub fn guide_by(&mut self, trace: Option<Arc<Trace>>) {
        self.observers.guide = trace.map(|trace| Box::new(Guide::new(trace)));
    }

    /// How many nodes of the trace some path has followed since [`Machine::guide_by`].
    pub fn followed(&self) -> usize {
        self.observers.guide.as_ref().map_or(0, |guide| guide.furthest)
    }
}
