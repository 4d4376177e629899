//! Calls on known arguments in the engine.

use petrel_classfile::MethodDescriptor;
use petrel_engine::{Import, Limits, Machine, Outcome, Reason};
use petrel_program::ResolvedMethod;
use petrel_translate::cache::Procedures;
use petrel_value::{Heap, Value};

use super::{Derived, Ending, Instability};

/// Less than the JVM has: values that fill it are not worth the time to compare them.
const MOST_HEAP: usize = 64 << 20;

/// Calls methods in one machine as long as nothing goes wrong there.
pub struct Engine<'p> {
    procedures: &'p Procedures<'p>,
    limits: Limits,
    machine: Machine<'p>,
}

impl<'p> Engine<'p> {
    /// With a number of steps that any call may take.
    pub fn new(procedures: &'p Procedures<'p>, steps: u64) -> Engine<'p> {
        let limits = Limits { steps, heap: MOST_HEAP, ..Limits::default() };
        Engine { procedures, machine: Machine::new(procedures, limits.clone()), limits }
    }

    /// Starts anew: no class is initialised.
    pub fn reset(&mut self) {
        self.machine = Machine::new(self.procedures, self.limits.clone());
    }

    /// Calls a static method.
    pub fn call(&mut self, method: &ResolvedMethod, arguments: &[Value], heap: &Heap) -> Derived {
        // What earlier calls left behind is not freed.
        if self.machine.heap_size() > MOST_HEAP / 2 {
            self.reset();
        }
        let derived = derive(&mut self.machine, method, arguments, heap);
        // A machine that was stopped may have classes that are half initialised, and one that ran
        // out of memory has none left.
        if !matches!(derived.ending, Ending::Returned(_) | Ending::Threw { .. }) {
            self.reset();
        }
        derived
    }
}

fn derive(
    machine: &mut Machine<'_>,
    method: &ResolvedMethod,
    arguments: &[Value],
    heap: &Heap,
) -> Derived {
    let broken = |what: String| Derived::of_ending(Ending::Broken(what), Instability::None);
    let descriptor = match MethodDescriptor::parse(method.descriptor()) {
        Ok(descriptor) => descriptor,
        Err(error) => return broken(error.to_string()),
    };
    let import = match Import::new(machine, heap) {
        Ok(import) => import,
        Err(reason) => return broken(format!("an argument: {reason}")),
    };
    let passed: Vec<_> = arguments.iter().map(|&argument| import.value(argument)).collect();
    let outcome = machine.call(method, &passed);
    let decision = machine.unstable_decision().is_some();
    let written = Some([machine.take_output(), machine.take_errors()]);
    let result = match outcome {
        Outcome::Returned(value) => value.zip(descriptor.result.as_ref()),
        _ => None,
    };
    let mut depends = false;
    let mut ending = match outcome {
        Outcome::Returned(_) => Ending::Returned(None),
        Outcome::Threw(exception) => {
            let class = machine.class_name(exception).replace('.', "/");
            let message = match machine.exception_message(exception) {
                Ok(shown) => Ok(shown.map(|shown| {
                    depends |= shown.unstable;
                    shown.units
                })),
                Err(reason) => Err(reason.to_string()),
            };
            Ending::Threw { class, message }
        }
        Outcome::Stopped { reason, places } => match reason {
            Reason::Limit(what) => Ending::Limit(what.to_string()),
            Reason::Unsupported(reason) => Ending::Unsupported {
                reason: reason.to_string(),
                places: places.iter().take(5).map(ToString::to_string).collect(),
            },
            other => {
                let places: Vec<String> = places.iter().take(5).map(ToString::to_string).collect();
                Ending::Broken(format!("{other} at {}", places.join(", ")))
            }
        },
    };
    let after = passed.iter().copied().zip(&descriptor.parameters);
    let (mut values, heap, unstable) = machine.export_all(result.into_iter().chain(after));
    let arguments = values.split_off(usize::from(result.is_some()));
    if result.is_some() {
        ending = Ending::Returned(values.pop());
    }
    let instability = Instability::of(decision, depends || unstable);
    Derived { ending, instability, receiver: None, arguments, heap, written }
}
