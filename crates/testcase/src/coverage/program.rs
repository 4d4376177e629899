//! Statement coverage of a program ("A Framework for Guided Test Case Generation in Constraint Logic Programming",
//! section 2): which instructions cases execute of the target and of the methods that it reaches.

use std::collections::BTreeSet;

use petrel_abstraction::{AbstractProgram, RuleName};
use petrel_clp::MethodRef;

use super::{InstructionCount, bytecode};

/// What cases cover of a target and of the methods that it reaches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramCoverage {
    /// Each method, the target first.
    pub methods: Vec<MethodCoverage>,
}

/// What cases cover of one method of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodCoverage {
    /// The method.
    pub method: MethodRef,
    /// Its instructions.
    pub instructions: InstructionCount,
}

impl ProgramCoverage {
    /// The instructions of all methods.
    pub fn instructions(&self) -> InstructionCount {
        let counts = self.methods.iter().map(|known| known.instructions);
        counts.fold(InstructionCount::default(), |sum, count| InstructionCount {
            total: sum.total + count.total,
            covered: sum.covered + count.covered,
        })
    }

    /// What some rules of a program execute.
    pub(crate) fn by(program: &AbstractProgram<'_>, rules: &BTreeSet<RuleName>) -> ProgramCoverage {
        let methods = program.procedures.iter().zip(0..).filter_map(|(known, procedure)| {
            let method = known.procedure.method.clone();
            let total = bytecode(program.classes(), &method)?.instructions.len() as u32;
            let applied = program.rules_of(procedure).filter(|name| rules.contains(name));
            let executed: BTreeSet<u16> = applied
                .flat_map(|name| &program.rule(name).instructions)
                .map(|instruction| instruction.pc)
                .collect();
            let instructions = InstructionCount { total, covered: executed.len() as u32 };
            Some(MethodCoverage { method, instructions })
        });
        ProgramCoverage { methods: methods.collect() }
    }
}
