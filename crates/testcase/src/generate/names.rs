//! Which rules of an abstract program those of a machine are.

use petrel_abstraction::{AbstractProgram, RuleName};
use petrel_clp::MethodRef;
use petrel_engine::{AppliedRule, Machine};
use rustc_hash::FxHashMap;

/// Names for the rules that one machine has numbers for.
pub(super) struct RuleNames {
    procedures: FxHashMap<MethodRef, u32>,
    /// What numbers stand for that were asked for: `None` for rules that the program does not have.
    known: FxHashMap<u32, Option<RuleName>>,
}

impl RuleNames {
    pub(super) fn new(program: &AbstractProgram<'_>) -> RuleNames {
        let procedures = program.procedures.iter().zip(0..);
        let procedures =
            procedures.map(|(known, number)| (known.procedure.method.clone(), number)).collect();
        RuleNames { procedures, known: FxHashMap::default() }
    }

    /// A rule that the machine applies.
    pub(super) fn of(&mut self, applied: &AppliedRule<'_>) -> Option<RuleName> {
        let AppliedRule { number, method, predicate, rule, .. } = *applied;
        self.name(number, || (method, predicate, rule))
    }

    /// A rule by its number in the machine.
    pub(super) fn of_number(&mut self, machine: &Machine<'_>, number: u32) -> Option<RuleName> {
        self.name(number, || machine.rule_of_number(number))
    }

    fn name<'m>(
        &mut self,
        number: u32,
        rule: impl FnOnce() -> (&'m MethodRef, u32, u32),
    ) -> Option<RuleName> {
        let RuleNames { procedures, known } = self;
        *known.entry(number).or_insert_with(|| {
            let (method, predicate, rule) = rule();
            let &procedure = procedures.get(method)?;
            Some(RuleName { procedure, predicate, rule })
        })
    }
}
