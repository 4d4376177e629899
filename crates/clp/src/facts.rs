//! What is known about a reference without looking at the heap.

use crate::literal::Literal;
use crate::rule::{KnownArray, Variable};
use crate::term::Operand;

/// The facts that a [`Variable`] can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    /// It is not null.
    pub(crate) non_null: bool,
    /// It is this array (and not null).
    pub(crate) array: Option<KnownArray>,
}

impl Facts {
    pub(crate) const NOTHING: Facts = Facts { non_null: false, array: None };
    pub(crate) const NON_NULL: Facts = Facts { non_null: true, array: None };

    pub(crate) fn array(array: KnownArray) -> Facts {
        Facts { non_null: true, array: Some(array) }
    }

    /// What a variable claims.
    pub(crate) fn of(variable: &Variable) -> Facts {
        Facts { non_null: variable.non_null, array: variable.array }
    }

    /// All that is certain about the variable that a literal binds (first), from the literal alone.
    /// It is what a variable may claim, and what the text leaves unsaid.
    pub(crate) fn of_binder(literal: &Literal) -> Facts {
        match literal {
            Literal::NewArray { class, length, .. } => new_array(*class, length),
            Literal::NewMultiArray { class, lengths, .. } => match lengths.first() {
                Some(length) => new_array(*class, length),
                None => Facts::NON_NULL,
            },
            Literal::NewObject { .. }
            | Literal::LoadString { .. }
            | Literal::LoadClass { .. }
            | Literal::LoadMethodHandle { .. }
            | Literal::LoadMethodType { .. }
            | Literal::NewThrowable { .. } => Facts::NON_NULL,
            _ => Facts::NOTHING,
        }
    }
}

fn new_array(class: crate::ClassId, length: &Operand) -> Facts {
    match *length {
        Operand::Int(length) if length >= 0 => Facts::array(KnownArray { class, length }),
        _ => Facts::NON_NULL,
    }
}
