//! Replacing the variables of rules: the work behind renaming and unfolding.

use crate::literal::{Call, Guard, Literal, Message};
use crate::rule::End;
use crate::term::{Operand, VarId};

/// A renaming: where uses of a variable go, and where its binding goes.
pub trait Substitution {
    /// What stands for a use of the variable.
    fn operand(&mut self, variable: VarId) -> Operand;
    /// The variable that is bound in its place.
    fn binding(&mut self, variable: VarId) -> VarId;
}

fn replace(operand: &mut Operand, substitution: &mut dyn Substitution) {
    if let Operand::Variable(variable) = *operand {
        *operand = substitution.operand(variable);
    }
}

/// The exit of a call is a variable wherever it is used, so that an operand of another form can only
/// come from a broken substitution; the variable is kept then, for the verifier to find.
fn replace_exit(exit: &mut VarId, substitution: &mut dyn Substitution) {
    if let Operand::Variable(variable) = substitution.operand(*exit) {
        *exit = variable;
    }
}

/// Replaces the variables of a guard.
pub fn guard(guard: &mut Guard, substitution: &mut dyn Substitution) {
    use Guard::*;
    match guard {
        Compare { left, right, .. } | Same(left, right) | Different(left, right) => {
            replace(left, substitution);
            replace(right, substitution);
        }
        OneOf(operand, _)
        | NoneOf(operand, _)
        | IsNull(operand)
        | NonNull(operand)
        | Instance(operand, _)
        | NotInstance(operand, _)
        | Castable(operand, _)
        | NotCastable(operand, _) => replace(operand, substitution),
        InBounds { array, index: other }
        | OutOfBounds { array, index: other }
        | Storable { array, value: other }
        | NotStorable { array, value: other } => {
            replace(array, substitution);
            replace(other, substitution);
        }
        Returned(exit) => replace_exit(exit, substitution),
        Threw(exit, exception) => {
            replace_exit(exit, substitution);
            *exception = substitution.binding(*exception);
        }
    }
}

/// Replaces the variables of a literal: first those that it uses, then those that it binds.
pub fn literal(literal: &mut Literal, substitution: &mut dyn Substitution) {
    use Literal::*;
    match literal {
        Compute { operands, .. } => operands.iter_mut().for_each(|o| replace(o, substitution)),
        NewArray { length, .. } => replace(length, substitution),
        NewMultiArray { lengths, .. } => {
            lengths.iter_mut().for_each(|length| replace(length, substitution));
        }
        ArrayLength { array, .. } => replace(array, substitution),
        GetField { object, .. } | InstanceOf { object, .. } => replace(object, substitution),
        SetField { object, value, .. } => {
            replace(object, substitution);
            replace(value, substitution);
        }
        SetStatic { value, .. } => replace(value, substitution),
        GetArray { array, index, .. } => {
            replace(array, substitution);
            replace(index, substitution);
        }
        SetArray { array, index, value, .. } => {
            replace(array, substitution);
            replace(index, substitution);
            replace(value, substitution);
        }
        NewThrowable { message, .. } => match message {
            Message::Bounds { array, index } => {
                replace(array, substitution);
                replace(index, substitution);
            }
            Message::Size(operand)
            | Message::Cast { object: operand, .. }
            | Message::Store { value: operand } => replace(operand, substitution),
            Message::None | Message::Text(_) | Message::Null { .. } => {}
        },
        Call(call) => return replace_call(call, substitution),
        NewObject { .. }
        | GetStatic { .. }
        | LoadString { .. }
        | LoadClass { .. }
        | LoadMethodHandle { .. }
        | LoadMethodType { .. } => {}
    }
    if let Some(target) = literal.target_mut() {
        *target = substitution.binding(*target);
    }
}

fn replace_call(call: &mut Call, substitution: &mut dyn Substitution) {
    call.arguments.iter_mut().for_each(|argument| replace(argument, substitution));
    if let Some(result) = &mut call.result {
        *result = substitution.binding(*result);
    }
    call.exit = substitution.binding(call.exit);
}

/// The variable that a literal other than a call binds.
/// Replaces the variables of a rule's end.
pub fn end(end: &mut End, substitution: &mut dyn Substitution) {
    match end {
        End::Continue(_, arguments) => {
            arguments.iter_mut().for_each(|argument| replace(argument, substitution));
        }
        End::Return(Some(operand)) | End::Throw(operand) => replace(operand, substitution),
        End::Return(None) => {}
    }
}
