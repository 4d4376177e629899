//! What guards and literals of a rule say about a state: the meaning of the rule language on what an
//! abstraction knows.

mod guards;

use petrel_clp::{Kind, Literal, Operand, VarId};
use smallvec::SmallVec;

use crate::modes::{Modes, variable};
use crate::program::{AbstractProgram, RuleName};
use crate::state::State;
use crate::values::{self, Value};

/// Evaluates rules in the innermost call of a state. What the modes do not keep may be anything.
pub(crate) struct Evaluator<'a> {
    program: &'a AbstractProgram<'a>,
    modes: &'a Modes,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(program: &'a AbstractProgram<'a>, modes: &'a Modes) -> Evaluator<'a> {
        Evaluator { program, modes }
    }

    /// Executes a literal other than a call.
    pub(crate) fn execute(&self, name: RuleName, literal: &Literal, state: &mut State) {
        let tables = &self.program.procedure(name.procedure).tables;
        if let Literal::SetArray { value, .. } | Literal::SetStatic { value, .. } = literal {
            let value = self.value(state, *value);
            state.share(value);
        }
        if !self.modes.keeps_literal(name, tables, literal) {
            return;
        }
        let result = match literal {
            Literal::Compute { operation, operands, .. } => {
                let operands: SmallVec<[Value; 2]> =
                    operands.iter().map(|&of| self.value(state, of)).collect();
                let result = values::apply(*operation, &operands, |unknown| {
                    state.numbers[unknown as usize].range
                });
                if result == Value::Anything {
                    operands.iter().for_each(|&operand| state.blur(operand));
                }
                result
            }
            Literal::NewObject { class, .. } => {
                let class: Box<str> = tables.class_name(*class).into();
                let object = state.make(class.clone(), None);
                for (field, number) in self.fields_of(&class) {
                    let is_reference = Kind::of_descriptor(&field) == Kind::Reference;
                    let default = if is_reference { Value::Null } else { Value::Number(0) };
                    state.put(object, number, default);
                }
                object
            }
            Literal::NewArray { class, length, .. } => {
                let length = self.value(state, *length);
                state.make(tables.class_name(*class).into(), Some(length))
            }
            Literal::ArrayLength { array, .. } => self.length(name, *array, state),
            Literal::GetField { object, field, .. } => {
                let object = self.value(state, *object);
                let Some(known) = tables.field(*field) else { return };
                let kind = Kind::of_descriptor(&known.descriptor);
                match self.modes.fields.get(known) {
                    Some(&number) if matches!(kind, Kind::Int | Kind::Reference) => {
                        let is_exact = self.modes.is_field_exact(known);
                        state.get_field(object, number, kind == Kind::Reference, is_exact)
                    }
                    _ => Value::Anything,
                }
            }
            Literal::SetField { object, field, value } => {
                let (object, value) = (self.value(state, *object), self.value(state, *value));
                let number = tables.field(*field).and_then(|field| self.modes.fields.get(field));
                if let Some(&number) = number {
                    let field = tables.field(*field).map_or("", |field| &*field.descriptor);
                    // Narrow fields may change the value.
                    let is_whole = !matches!(field, "B" | "S" | "C" | "Z");
                    let value = if is_whole { value } else { narrow(field, value) };
                    state.set_field(object, number, value);
                }
                return;
            }
            Literal::InstanceOf { object, class, .. } => {
                let object = self.value(state, *object);
                match self.is_instance(state, object, tables.class_name(*class), false) {
                    Some(is_instance) => Value::Number(is_instance.into()),
                    None => state.new_number((0, 1), false),
                }
            }
            _ => Value::Anything,
        };
        if let (Some(target), Some(frame)) = (literal.defines(), state.frames.last_mut())
            && let Some(place) = frame.values.get_mut(target.0 as usize)
        {
            *place = result;
        }
    }

    /// What is known of an operand.
    pub(crate) fn value(&self, state: &State, operand: Operand) -> Value {
        let values = state.frames.last().map(|frame| &frame.values[..]).unwrap_or_default();
        state.settled(value_of(operand, values))
    }

    fn length(&self, name: RuleName, array: Operand, state: &mut State) -> Value {
        let is_exact = variable(array).is_some_and(|array| self.modes.is_exact(name, array));
        let array = self.value(state, array);
        state.length(array, is_exact)
    }

    /// The kept fields of a class: descriptors and numbers.
    fn fields_of(&self, class: &str) -> Vec<(Box<str>, u32)> {
        let Ok(class) = self.program.program.class(class) else { return Vec::new() };
        let mut fields: Vec<(Box<str>, u32)> = self
            .modes
            .fields
            .iter()
            .filter(|(field, _)| class.lineage().any(|above| above.name() == &*field.class))
            .map(|(field, &number)| (field.descriptor.clone(), number))
            .collect();
        fields.sort_unstable_by_key(|&(_, number)| number);
        fields
    }
}

/// What is known of an operand, given that of the variables.
pub(crate) fn value_of(operand: Operand, values: &[Value]) -> Value {
    match operand {
        Operand::Variable(VarId(number)) => {
            values.get(number as usize).copied().unwrap_or(Value::Anything)
        }
        Operand::Int(number) => Value::Number(number.into()),
        Operand::Long(number) => Value::Number(number),
        Operand::Null => Value::Null,
        Operand::Float(_) | Operand::Double(_) => Value::Anything,
    }
}

/// A number as a narrow field holds it.
fn narrow(descriptor: &str, value: Value) -> Value {
    match (descriptor, value) {
        ("B", Value::Number(number)) => Value::Number((number as i8).into()),
        ("S", Value::Number(number)) => Value::Number((number as i16).into()),
        ("C", Value::Number(number)) => Value::Number((number as u16).into()),
        ("Z", Value::Number(number)) => Value::Number(number & 1),
        _ => Value::Anything,
    }
}
