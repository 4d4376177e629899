//! What a derivation that makes choices tells about itself: the rules that it applies, and the counts
//! that the termination criteria ask for.
//!
//! The criteria look at ancestors: the rules applied so far in the call under way, and those of its
//! callers up to their calls. Each call counts in registers of its own frame, which come and go with it
//! and are restored with it; a call inside of a call of the same method starts from the counts of that
//! one.
//!
//! block-count(K) of "Test Data Generation of Bytecode by CLP Partial Evaluation", Def. 4, limits how
//! often a predicate occurs. It is enough to count the headers of loops and the entries of methods: between
//! two occurrences of another predicate in a call lies one of the header of its loop, and each call
//! has one of its entry. Only in a loop with several ways in does every predicate count.

use petrel_clp::loops::LoopForest;
use petrel_clp::{End, Literal, Operand, PredicateId, Procedure, Rule, trace_parameters};

use super::emit::constant_value;
use super::{CompileError, Compiler, Linker, Location, location_of};
use crate::code::{Op, Register, RuleOrigin, RuleShown, Watched, WatchedOperand};
use crate::overflow::{Site, can_overflow};
use crate::value::Value;

/// What code counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Observation {
    /// Nothing.
    Off,
    /// Occurrences of predicates among the ancestors.
    Occurrences,
    /// Iterations of loops in which a choice was made, and such recursive calls.
    Choices,
}

/// The counters of a procedure.
pub(super) struct Counters {
    observation: Observation,
    loops: LoopForest,
    first: Register,
    /// For each predicate, the counter of its occurrences. The first counter is that of the entry.
    occurrences: Vec<Option<Register>>,
    count: u16,
}

impl Counters {
    pub(super) fn of(procedure: &Procedure, observation: Observation) -> Option<Counters> {
        if observation == Observation::Off {
            return None;
        }
        let loops = procedure.loops();
        let first = procedure.predicates[0].parameters.len() as Register;
        let mut counters = Counters {
            observation,
            loops,
            first,
            occurrences: vec![None; procedure.predicates.len()],
            count: 1,
        };
        match observation {
            Observation::Occurrences => {
                counters.occurrences[0] = Some(first);
                for predicate in 1..procedure.predicates.len() {
                    if counters.is_counted(predicate) {
                        counters.occurrences[predicate] = Some(first + counters.count);
                        counters.count += 1;
                    }
                }
            }
            // One for recursion and one for each loop.
            _ => counters.count += counters.loops.loops.len() as u16,
        }
        Some(counters)
    }

    fn is_counted(&self, predicate: usize) -> bool {
        let mut around = self.loops.innermost.get(predicate).copied().flatten();
        let is_header = self.loops.headed_by(predicate).is_some();
        let mut is_irreducible = false;
        while let Some(number) = around {
            is_irreducible |= !self.loops.loops[number].reducible;
            around = self.loops.loops[number].parent;
        }
        is_header || is_irreducible
    }

    fn of_loop(&self, number: usize) -> Register {
        self.first + 1 + number as Register
    }

    /// The loops that contain a predicate, the innermost first.
    fn loops_around(&self, predicate: usize) -> impl Iterator<Item = usize> {
        let innermost = self.loops.innermost.get(predicate).copied().flatten();
        std::iter::successors(innermost, |&number| self.loops.loops[number].parent)
    }
}

impl<L: Linker> Compiler<'_, L> {
    pub(super) fn begin_observation(&mut self) {
        let Some(counters) = &self.counters else { return };
        let (first, count) = (counters.first, counters.count);
        let entered: Vec<Op> = match counters.observation {
            Observation::Choices => counters
                .loops_around(0)
                .map(|number| Op::EnterLoop { counter: counters.of_loop(number) })
                .collect(),
            _ => Vec::new(),
        };
        self.registers.fix(first..first + count);
        self.push(Op::Activate { first, count });
        entered.into_iter().for_each(|op| self.push(op));
    }

    pub(super) fn observe_predicate(&mut self, predicate: PredicateId) {
        let counter = self.counters.as_ref().and_then(|c| c.occurrences[predicate.index()]);
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
            let file = source.unwrap_or(&self.procedure.method.class);
            for line in known.rules[rule].lines() {
                lines.push(self.code.line(format!("{file}:{line}")));
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
            name: known.name.clone(),
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
        if counters.observation != Observation::Choices {
            return;
        }
        let (from, to) = (self.current.index(), target.index());
        let mut ops = Vec::new();
        for number in counters.loops_around(to) {
            let counter = counters.of_loop(number);
            if !counters.loops.contains(number, from) {
                ops.push(Op::EnterLoop { counter });
            } else if counters.loops.loops[number].header == to {
                ops.push(Op::Iterate { counter });
            }
        }
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
