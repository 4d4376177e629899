//! What a call gave, and what it left behind.

use petrel_classfile::{JavaString, JavaType};
use petrel_engine::{Machine, Value};

use super::{Input, Obstacle};
use crate::case::{Outcome, Output};

/// What is looked at after a call.
pub(super) struct Roots<'a> {
    pub(super) result: Option<&'a JavaType>,
    /// The class of the receiver.
    pub(super) class: JavaType,
    pub(super) inputs: &'a [Input],
    pub(super) is_constructor: bool,
}

impl Roots<'_> {
    /// What a call gave, and what it left behind.
    pub(super) fn output(
        &self,
        machine: &mut Machine<'_>,
        arguments: &[Value],
        outcome: petrel_engine::Outcome,
    ) -> Result<(Outcome, Output), Obstacle> {
        let decision = machine.unstable_decision().is_some();
        let has_receiver = arguments.len() > self.inputs.len();
        let (receiver, arguments) = arguments.split_at(usize::from(has_receiver));
        let result = |value: Option<Value>| {
            if self.is_constructor {
                receiver.first().map(|&made| (made, &self.class))
            } else {
                value.zip(self.result)
            }
        };
        let receiver_after = if self.is_constructor { &[] } else { receiver };
        let left = |machine: &mut Machine<'_>, value: Option<(Value, &JavaType)>| {
            let inputs = arguments.iter().zip(self.inputs);
            let inputs = inputs.map(|(&value, input)| (value, &input.java_type));
            let of_receiver = receiver_after.iter().map(|&value| (value, &self.class));
            let (mut values, heap, unstable) =
                machine.export_all(value.into_iter().chain(of_receiver).chain(inputs));
            let mut values = values.drain(..);
            let of_value = |(value, of)| machine.export_marked(value, of).2;
            let unstable_result = decision || unstable && value.is_some_and(of_value);
            Output {
                value: value.and_then(|_| values.next()),
                receiver: receiver_after.first().and_then(|_| values.next()),
                arguments: values.collect(),
                heap,
                unstable: decision || unstable,
                unstable_result,
                ..Output::default()
            }
        };
        match outcome {
            petrel_engine::Outcome::Returned(value) => {
                Ok((Outcome::Return, left(machine, result(value))))
            }
            petrel_engine::Outcome::Threw(exception) => {
                let class = machine.class_name(exception);
                // The path is what it is, even if its message takes something that is not supported: then
                // nothing is said about it.
                let (message, message_unknown) = match machine.exception_message(exception) {
                    Ok(message) => (message, None),
                    Err(reason) => (None, Some(reason.to_string())),
                };
                let mut output = left(machine, None);
                output.unstable_result |= message.as_ref().is_some_and(|shown| shown.unstable);
                output.unstable |= output.unstable_result;
                output.message = message.map(|shown| JavaString(shown.units.into()));
                output.message_unknown = message_unknown;
                Ok((Outcome::Throw(class), output))
            }
            petrel_engine::Outcome::Stopped { reason, places } => {
                Err(Box::new((reason, places.into_iter().next())))
            }
        }
    }
}
