//! Methods that stand for the world outside of a program, as the user declares them: their code is none of the program's.
//!
//! Verification harnesses have such methods (`nondetInt()`, `assume(condition)`), and whoever wants to know what a program
//! does for any answer of a clock or a sensor declares one. Abstractions and derivations alike ask here before they look
//! at code.

use petrel_program::{MethodPattern, ResolvedMethod};

/// The methods that are declared.
#[derive(Debug, Clone, Default)]
pub struct Outside {
    /// Their results are inputs, in the order of the calls.
    pub unknown: Vec<MethodPattern>,
    /// A call with `false` ends the path, which is none then.
    pub assumed_by: Vec<MethodPattern>,
}

/// What a call of such a method is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutsideCall {
    /// It gives an input.
    Answer,
    /// It says that its argument is true.
    Assumption,
}

/// What a method takes and gives that says what is assumed.
pub const ASSUMPTION: &str = "(Z)V";

impl Outside {
    /// What a call of a method is, if it is a declared one.
    pub fn call(&self, method: &ResolvedMethod) -> Option<OutsideCall> {
        let is_among = |patterns: &[MethodPattern]| patterns.iter().any(|of| of.matches(method));
        if method.descriptor() == ASSUMPTION && is_among(&self.assumed_by) {
            Some(OutsideCall::Assumption)
        } else {
            is_among(&self.unknown).then_some(OutsideCall::Answer)
        }
    }
}
