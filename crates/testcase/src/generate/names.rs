//! What a machine calls the rules of an abstract program.

use petrel_abstraction::{AbstractProgram, RuleName};
use petrel_engine::AppliedRule;
use rustc_hash::FxHashMap;

/// The rules of a program by their numbers in a machine.
pub(super) struct RuleNames<'a> {
    program: &'a AbstractProgram<'a>,
    known: FxHashMap<u32, Option<RuleName>>,
}

impl<'a> RuleNames<'a> {
    pub(super) fn new(program: &'a AbstractProgram<'a>) -> RuleNames<'a> {
        RuleNames { program, known: FxHashMap::default() }
    }

    pub(super) fn of(&mut self, applied: &AppliedRule<'_>) -> Option<RuleName> {
        let AppliedRule { number, method, predicate, rule, .. } = *applied;
        let program = self.program;
        *self.known.entry(number).or_insert_with(|| {
            let procedure = program.procedure_of(method)?;
            Some(RuleName { procedure, predicate, rule })
        })
    }
}
