//! What a derivation that makes choices tells about itself: the rules that it applies, and the counts
//! that the termination criteria ask for.
//!
//! What is counted where, [`petrel_clp::termination`] says. Each call counts in registers of its own
//! frame, which come and go with it and are restored with it.

use std::sync::Arc;

use petrel_clp::termination::{Counters, Counting, Event};
use petrel_clp::{End, Literal, Operand, PredicateId, Procedure, Rule, trace_parameters};

use super::emit::constant_value;
use super::{CompileError, Compiler, Linker, Location, location_of};
use crate::machine::code::{Op, Register, RuleOrigin, RuleShown, Watched, WatchedOperand};
use crate::machine::stop::SourceLine;
use crate::machine::value::Value;
use crate::observers::{Site, can_overflow};

/// The counters of a procedure, in registers behind its parameters.
pub(super) struct RegisteredCounters {
    counters: Counters,
    first: Register,
}

impl RegisteredCounters {
    pub(super) fn of(procedure: &Procedure, counting: Counting) -> RegisteredCounters {
        let n_predicates = procedure.predicates.len();
        let counters = Counters::new(procedure.loops(), n_predicates, counting);
        let first = procedure.predicates[0].parameters.len() as Register;
        RegisteredCounters { counters, first }
    }

    fn register(&self, number: usize) -> Register {
        self.first + number as Register
    }
}

impl<L: Linker> Compiler<'_, L> {
    pub(super) fn begin_observation(&mut self) {
        let Some(counters) = &self.counters else { return };
        let (first, count) = (counters.first, counters.counters.count() as u16);
        let entered: Vec<Op> = counters
            .counters
            .entered_by_call()
            .map(|number| Op::EnterLoop { counter: counters.register(number) })
            .collect();
        self.registers.fix(first..first + count);
        self.push(Op::Activate { first, count });
        entered.into_iter().for_each(|op| self.push(op));
    }

    pub(super) fn observe_predicate(&mut self, predicate: PredicateId) {
        let counter = self.counters.as_ref().and_then(|counters| {
            let number = counters.counters.occurrence_of(predicate.index())?;
            Some(counters.register(number))
        });
        if let Some(counter) = counter {
            self.push(Op::Occur { counter });
        }
    }

    pub(super) fn observe_rule(&mut self, predicate: PredicateId, rule: usize) {
        if self.counters.is_none() {
            return;
        }
        let number = self.code.rules.len() as u32;
        let known = &self.procedure.predicates[predicate.index()];
        let mut lines = Vec::new();
        if !self.of_library {
            let source = self.procedure.source_file.as_deref();
            let file: Arc<str> = source.unwrap_or(&self.procedure.method.class).into();
            for line in known.rules[rule].lines() {
                lines.push(self.code.line(SourceLine { file: Arc::clone(&file), line }));
            }
        }
        self.code.rules_shown.push(self.shown(predicate, rule, lines.into()));
        let (predicate, rule) = (predicate.0, rule as u32);
        self.code.rules.push(RuleOrigin { method: self.method, predicate, rule });
        self.push(if self.of_library { Op::ApplyLibrary(number) } else { Op::Apply(number) });
    }

    fn shown(&self, predicate: PredicateId, rule: usize, lines: Box<[u32]>) -> RuleShown {
        let known = &self.procedure.predicates[predicate.index()];
        let clause = &known.rules[rule];
        let method = self.procedure.method.clone();
        let named = clause.call().and_then(|call| call.callee.method());
        let parameters = trace_parameters(&clause.body).into_iter().filter_map(|variable| {
            clause.variables.get(variable.0 as usize).map(|known| (&*known.name).into())
        });
        RuleShown {
            name: (&*known.name).into(),
            qualified_name: format!("{}.{}", method.class.replace('/', "."), known.name).into(),
            number: rule as u32 + 1,
            is_entry: predicate.index() == 0,
            goes_on: matches!(clause.end, End::Continue(..)),
            callee: named.and_then(|callee| self.procedure.tables.method(callee)).cloned(),
            method,
            parameters: parameters.collect(),
            lines,
        }
    }

    /// The sizes of arrays that a literal makes are trace parameters, each once in a rule.
    pub(super) fn observe_sizes(
        &mut self,
        rule: &Rule,
        position: usize,
        locations: &[Location],
    ) -> Result<(), CompileError> {
        if self.counters.is_none() || self.of_library {
            return Ok(());
        }
        let known = trace_parameters(&rule.body[..position]);
        let with = trace_parameters(&rule.body[..=position]);
        for &size in &with[known.len()..] {
            let size = self.register_of(Operand::Variable(size), locations)?;
            self.push(Op::Parameter { size });
        }
        Ok(())
    }

    /// An operation that may overflow is looked at before it is performed, if that is wanted.
    pub(super) fn watch_overflow(
        &mut self,
        literal: &Literal,
        (predicate, rule, position): (PredicateId, usize, usize),
        locations: &[Location],
    ) -> Result<(), CompileError> {
        let Literal::Compute { operation, operands, .. } = literal else { return Ok(()) };
        if !self.is_watched || !can_overflow(*operation) {
            return Ok(());
        }
        let operand = |at: usize| match operands.get(at) {
            None => Ok(WatchedOperand::Constant(Value::NULL)),
            Some(&operand) => watched_operand(operand, locations),
        };
        let (left, right) = (operand(0)?, operand(1)?);
        let (rule, literal) = (rule as u32, position as u32);
        let site = Site { predicate: predicate.0, rule, literal };
        self.code.watched.push(Watched { site, operation: *operation, left, right });
        self.push(Op::Watch(self.code.watched.len() as u32 - 1));
        Ok(())
    }

    /// The rule under way goes on in another predicate: it may enter loops, or end an iteration.
    pub(super) fn observe_edge(&mut self, target: PredicateId) {
        let Some(counters) = &self.counters else { return };
        let passing = counters.counters.passing(self.current.index(), target.index());
        let ops: Vec<Op> = passing
            .map(|(number, event)| {
                let counter = counters.register(number);
                match event {
                    Event::Enter => Op::EnterLoop { counter },
                    Event::Iterate => Op::Iterate { counter },
                    Event::Occur => Op::Occur { counter },
                }
            })
            .collect();
        ops.into_iter().for_each(|op| self.push(op));
    }
}

fn watched_operand(
    operand: Operand,
    locations: &[Location],
) -> Result<WatchedOperand, CompileError> {
    match location_of(operand, locations)? {
        Location::Register(register) => Ok(WatchedOperand::Register(register)),
        Location::Constant(constant) => Ok(WatchedOperand::Constant(constant_value(constant))),
        Location::Exit => Err(CompileError("the exit of a call is used as a value".to_owned())),
    }
}
