//! Concrete derivations that are watched.

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_engine::{Import, Limits, Machine, Outcome, Reason, Termination};
use petrel_program::ResolvedMethod;
use petrel_translate::cache::Procedures;
use petrel_value as data;

use super::{Input, Way, of_rules};

/// A machine that derives inputs one by one.
pub struct Observer<'p> {
    machine: Machine<'p>,
    method: ResolvedMethod,
    steps: u64,
}

/// How a derivation ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It ends.
    Taken(Way, Option<data::Value>),
    /// It was left, most likely because it has no end.
    Limit,
    /// Something that Petrel does not do.
    Unsupported(String),
}

impl<'p> Observer<'p> {
    /// A machine for a method.
    ///
    /// # Errors
    ///
    /// If its class cannot be initialised.
    pub fn new(
        procedures: &'p Procedures<'p>,
        method: &ResolvedMethod,
        termination: Termination,
        steps: u64,
    ) -> Result<Observer<'p>, Reason> {
        let mut machine = Machine::observing(procedures, Limits::default(), termination);
        machine.prepare_call(method)?;
        Ok(Observer { machine, method: method.clone(), steps })
    }

    /// Derives the call of an input.
    pub fn derive(&mut self, input: &Input) -> Ending {
        let method = &self.method;
        let derived = self.machine.observe_call(
            method,
            self.steps,
            |machine| {
                let import = Import::new(machine, &input.heap)?;
                let given = input.receiver.iter().chain(&input.arguments);
                import.arguments(machine, method, given)
            },
            |machine, _, outcome| {
                let (thrown, value) = match outcome {
                    Outcome::Returned(value) => (None, value),
                    Outcome::Threw(exception) => (Some(machine.class_name(exception)), None),
                    Outcome::Stopped { reason: Reason::Limit(_), .. } => return Ending::Limit,
                    Outcome::Stopped { reason, .. } => {
                        return Ending::Unsupported(reason.to_string());
                    }
                };
                let value = value.map(|value| data::Value::Int(value.as_int()));
                let (trace, lines) = (of_rules(&machine.trace().term()), machine.lines_applied());
                let steps = machine.path_steps();
                Ending::Taken(Way { trace, lines, steps, thrown }, value)
            },
        );
        derived.unwrap_or_else(|reason| Ending::Unsupported(reason.to_string()))
    }
}

/// How the derivations of a static method go that takes numbers.
///
/// # Panics
///
/// If one of them does not end within so many steps.
pub fn ways_of_numbers(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    inputs: &[Vec<i64>],
    termination: Termination,
    steps: u64,
) -> Vec<Way> {
    let mut observer = Observer::new(procedures, method, termination, steps)
        .unwrap_or_else(|reason| panic!("{method}: {reason}"));
    let descriptor = MethodDescriptor::parse(method.descriptor()).expect("it was read before");
    let value = |(&number, java_type): (&i64, &JavaType)| match java_type {
        JavaType::Long => data::Value::Long(number),
        _ => data::Value::Int(number as i32),
    };
    let ways = inputs.iter().map(|input| {
        let arguments = input.iter().zip(&descriptor.parameters).map(value).collect();
        let call = Input { receiver: None, arguments, heap: data::Heap::default() };
        match observer.derive(&call) {
            Ending::Taken(way, _) => way,
            ending @ (Ending::Limit | Ending::Unsupported(_)) => {
                panic!("{method}{input:?}: {ending:?}")
            }
        }
    });
    ways.collect()
}
