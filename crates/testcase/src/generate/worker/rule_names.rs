//! Which rules of an abstract program those of a machine are.

use petrel_abstraction::{AbstractProgram, RuleName};
use petrel_clp::MethodRef;
use petrel_engine::Machine;
use rustc_hash::FxHashMap;

/// Names for the rules that a machine has numbers for.
pub(super) struct RuleNames {
    procedures: FxHashMap<MethodRef, u32>,
    /// What numbers stand for that were asked for: `None` for rules that the program does not have.
    known: FxHashMap<u32, Option<RuleName>>,
}

impl RuleNames {
    pub(super) fn of(program: &AbstractProgram<'_>) -> RuleNames {
        let procedures = program.procedures.iter().zip(0..);
        let procedures =
            procedures.map(|(known, number)| (known.procedure.method.clone(), number)).collect();
        RuleNames { procedures, known: FxHashMap::default() }
    }

    pub(super) fn name(&mut self, machine: &Machine<'_>, number: u32) -> Option<RuleName> {
        *self.known.entry(number).or_insert_with(|| {
            let (method, predicate, rule) = machine.rule_of_number(number);
            let &procedure = self.procedures.get(method)?;
            Some(RuleName { procedure, predicate, rule })
        })
    }
}
