//! Attempts: one instruction for the usual way through an access of an array or a field.
//!
//! An access is guarded (the array is not null, the index is within bounds) before it happens. The
//! attempt stands before the guards, does everything if all is known and fits, and goes on behind the
//! access. Otherwise the guards and the access that follow do what is to be done.

use petrel_clp::{ElementKind, FieldId, Guard, Literal, Operand, PredicateId, Rule};

use super::{CompileError, Compiler, Linker, Location};
use crate::machine::code::Op;

/// An access that a rule begins with, in terms of the predicate's parameters.
enum Access {
    Get { array: Operand, index: Operand },
    Set { array: Operand, index: Operand, value: Operand },
    Field { object: Operand, field: FieldId },
}

impl<L: Linker> Compiler<'_, L> {
    /// Emits an attempt if the predicate's first rule guards nothing but an access.
    pub(super) fn try_access(
        &mut self,
        predicate: PredicateId,
        locations: &[Location],
    ) -> Result<(), CompileError> {
        let rule = self.procedure.predicates[predicate.index()].rules.first();
        let Some(access) = rule.and_then(guarded_access) else { return Ok(()) };
        self.registers.start_all(locations);
        // Where it goes on, and where the value goes, is known when the access itself is compiled.
        let op = match access {
            Access::Get { array, index } => Op::TryGetArray {
                to: 0,
                array: self.register_of(array, locations)?,
                index: self.register_of(index, locations)?,
                then: 0,
            },
            Access::Set { array, index, value } => Op::TrySetArray {
                array: self.register_of(array, locations)?,
                index: self.register_of(index, locations)?,
                value: self.register_of(value, locations)?,
                then: 0,
            },
            Access::Field { object, field } => Op::TryGetField {
                to: 0,
                object: self.register_of(object, locations)?,
                slot: self.instance_field(field)?.0,
                then: 0,
            },
        };
        self.attempt = Some((self.code.next(), predicate));
        self.push(op);
        self.registers.release_temporaries();
        Ok(())
    }

    /// The first literal of a predicate's first rule was compiled: if it was attempted before, the
    /// attempt goes on here.
    pub(super) fn finish_attempt(
        &mut self,
        predicate: PredicateId,
        literal: &Literal,
        locations: &[Location],
    ) {
        let Some((attempt, _)) = self.attempt.take_if(|(_, waiting)| *waiting == predicate) else {
            return;
        };
        let here = self.code.next();
        let target = literal.defines().and_then(|variable| locations.get(variable.0 as usize));
        match (&mut self.code.ops[attempt as usize], target) {
            (
                Op::TryGetArray { to, then, .. } | Op::TryGetField { to, then, .. },
                Some(Location::Register(register)),
            ) => (*to, *then) = (*register, here),
            (Op::TrySetArray { then, .. }, _) => *then = here,
            _ => {}
        }
    }
}

/// The access that a rule begins with, if its guards are those that the access needs.
fn guarded_access(rule: &Rule) -> Option<Access> {
    let first = &rule.body.first()?.literal;
    match (rule.guards.as_slice(), first) {
        ([Guard::NonNull(guarded)], Literal::GetField { object, field, .. })
            if guarded == object =>
        {
            Some(Access::Field { object: *object, field: *field })
        }
        ([Guard::InBounds { array, index }], _) => element_access(first, *array, *index),
        ([Guard::NonNull(guarded), Guard::InBounds { array, index }], _) if guarded == array => {
            element_access(first, *array, *index)
        }
        _ => None,
    }
}

fn element_access(literal: &Literal, array: Operand, index: Operand) -> Option<Access> {
    match literal {
        Literal::GetArray { array: read, index: at, .. } if (*read, *at) == (array, index) => {
            Some(Access::Get { array, index })
        }
        // A reference would have to be storable, too.
        Literal::SetArray { element, array: written, index: at, value }
            if (*written, *at) == (array, index) && *element != ElementKind::Reference =>
        {
            Some(Access::Set { array, index, value: *value })
        }
        _ => None,
    }
}
