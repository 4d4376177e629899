//! Which references the code needs behind an instruction: what garbage collection goes by.

use petrel_clp::{Call, Kind, Literal, Operand, Rule, VarId};

use super::{Compiler, Linker, Location};
use crate::machine::code::Register;

impl<L: Linker> Compiler<'_, L> {
    /// Keeps which references are needed behind the literal whose instruction is the last one, if that makes an object.
    pub(super) fn note_needed(
        &mut self,
        rule: &Rule,
        literal: &Literal,
        position: usize,
        locations: &[Location],
        last_uses: &[Option<usize>],
    ) {
        let makes_object = matches!(
            literal,
            Literal::NewObject { .. } | Literal::NewArray { .. } | Literal::NewMultiArray { .. }
        );
        if !self.keeps_needed || !makes_object {
            return;
        }
        let variables = rule.variables.iter().zip(locations).zip(last_uses);
        let needed = variables.filter_map(|((variable, location), last_use)| {
            let is_needed = variable.kind == Kind::Reference
                && last_use.is_some_and(|last_use| last_use > position);
            register_of(location).filter(|_| is_needed)
        });
        let needed = needed.collect();
        self.code.needed.insert(self.code.next() - 1, needed);
    }

    /// Keeps which references are needed when the call comes back that is the last instruction: those that the rule goes on with.
    pub(super) fn note_needed_by_call(
        &mut self,
        rule: &Rule,
        call: &Call,
        passed: &[Operand],
        locations: &[Location],
    ) {
        if !self.keeps_needed {
            return;
        }
        let is_reference = |operand: &Operand| match operand {
            Operand::Variable(variable @ VarId(number)) => {
                let kind = rule.variables.get(*number as usize).map(|variable| variable.kind);
                kind == Some(Kind::Reference)
                    && call.result != Some(*variable)
                    && call.exit != *variable
            }
            _ => false,
        };
        let passed = passed.iter().zip(locations).filter(|(operand, _)| is_reference(operand));
        let needed = passed.filter_map(|(_, location)| register_of(location)).collect();
        self.code.needed.insert(self.code.next() - 1, needed);
    }
}

fn register_of(location: &Location) -> Option<Register> {
    match location {
        Location::Register(register) => Some(*register),
        Location::Constant(_) | Location::Exit => None,
    }
}
