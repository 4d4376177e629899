//! Stack traces of exceptions.
//!
//! When an exception is made, the addresses of the calls under way are kept; elements are made of
//! them only if the program asks.

use petrel_program::ResolvedMethod;

use super::{Answer, Entry, argument, give, give_reference, reference};
use crate::machine::{
    Address, Entry as Code, Machine, MethodNumber, Reference, SPECIAL, Stop, TypeId, Value,
};

const THROWABLE: &str = "java/lang/Throwable";
const ELEMENT: &str = "java/lang/StackTraceElement";

pub(super) const TABLE: &[Entry] = &[
    (THROWABLE, "fillInStackTrace", "(I)Ljava/lang/Throwable;", fill_in),
    (THROWABLE, "getStackTraceDepth", "()I", depth),
    (THROWABLE, "getStackTraceElement", "(I)Ljava/lang/StackTraceElement;", element),
    (
        ELEMENT,
        "initStackTraceElements",
        "([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V",
        elements,
    ),
    (
        ELEMENT,
        "initStackTraceElements",
        "([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V",
        elements,
    ),
    (ELEMENT, "computeFormat", "()V", compute_format),
];

/// The JVM's default for how many calls are kept.
const MOST_CALLS: usize = 1024;

/// `StackTraceElement.BUILTIN_CLASS_LOADER` and `JDK_NON_UPGRADEABLE_MODULE`: what is left out of
/// the text.
const BUILT_IN_LOADER: i32 = 1;
const JDK_MODULE: i32 = 2;

/// A call that was under way.
#[derive(Debug, Clone, Copy)]
pub(in crate::library) enum Call {
    /// At an instruction of a method's bytecode, by its offset.
    At(MethodNumber, u16),
    /// In a native method.
    Native(MethodNumber),
}

impl Machine<'_> {
    /// Keeps the calls under way for an exception. Those of its own constructors are left out.
    pub(crate) fn keep_stack_trace(&mut self, exception: Reference) -> Result<(), Stop> {
        let class = self.heap.class(exception);
        let mut calls = Vec::new();
        let top = self.frames().last().filter(|frame| frame.site != SPECIAL);
        if let Some(frame) = top
            && frame.return_to == self.next_address()
            && let Some(method) = frame.named_method()
            && self.methods.get(method).resolved.is_native()
            && matches!(self.methods.get(method).entry, Code::Native(_))
        {
            calls.push(Call::Native(method));
        }
        let mut in_constructors = true;
        let addresses: Vec<Address> = self.calls_under_way().take(2 * MOST_CALLS).collect();
        for address in addresses {
            let Some((number, pc)) = self.code.origin(address) else { continue };
            let method = self.methods.get(number).resolved.clone();
            if in_constructors && self.makes(&method, class) {
                calls.clear();
                continue;
            }
            in_constructors = false;
            // The JVM does not show the classes that it makes at run time.
            if !method.class().is_synthesised() {
                calls.push(Call::At(number, pc));
            }
            if calls.len() >= MOST_CALLS {
                break;
            }
        }
        if self.observation.is_hidden {
            // An input is made before the call.
            calls.clear();
        }
        // Who called the outermost method is not for us to know.
        let depth = Value::int(calls.len() as i32).marked(true);
        self.library.modelled.stack_traces.insert(exception, calls.into());
        self.note_modelled(exception);
        // The library looks only at whether there is one.
        self.set_named(exception, THROWABLE, "backtrace", Value::reference(exception))?;
        if self.has_field(THROWABLE, "depth") {
            self.set_named(exception, THROWABLE, "depth", depth)?;
        }
        Ok(())
    }

    /// Where the calls under way are, the innermost first. What a native method calls is there, the
    /// native method is not.
    pub(super) fn calls_under_way(&self) -> impl Iterator<Item = Address> {
        let mut last = None;
        std::iter::once((self.next_address(), self.base() as u32))
            .chain(self.frames().iter().rev().map(|frame| (frame.return_to, frame.base)))
            // A call that the machine itself made is on the stack beside the one that it is part of.
            .filter(move |&place| last.replace(place) != Some(place))
            .map(|(return_to, _)| return_to.saturating_sub(1))
    }

    /// The innermost instruction under way whose class was not made up: one that has a place that can be told.
    pub(crate) fn innermost_of_class_files(&self) -> Option<Address> {
        let is_made_up = |&address: &Address| {
            let origin = self.code.origin(address);
            origin.is_some_and(|(method, _)| {
                self.methods.get(method).resolved.class().is_synthesised()
            })
        };
        self.calls_under_way().find(|address| !is_made_up(address))
    }

    /// Whether a method is part of the making of an exception of a class.
    fn makes(&mut self, method: &ResolvedMethod, class: TypeId) -> bool {
        if method.name() == "fillInStackTrace" {
            return true;
        }
        let declaring = self.types.of_name(method.class().name());
        method.is_constructor() && self.types.is_subtype(self.program, class, declaring)
    }

    fn fill_element(&mut self, element: Reference, call: Call) -> Result<(), Stop> {
        const NATIVE_LINE: i32 = -2;
        const NO_LINE: i32 = -1;
        let (method, line) = match call {
            Call::Native(method) => (self.methods.get(method).resolved.clone(), NATIVE_LINE),
            Call::At(method, pc) => {
                let method = self.methods.get(method).resolved.clone();
                let code = method.class().file.code(method.declaration()).ok().flatten();
                let line = code.and_then(|code| code.line_at(pc));
                (method, line.map_or(NO_LINE, i32::from))
            }
        };
        let class = self.types.of_name(method.class().name());
        let class_name = self.types.class_name(class);
        let module = self.module_of(class);
        let loader = if self.is_of_library(class) {
            module.as_deref().and_then(super::class::loader_of_module)
        } else {
            Some("app")
        };
        let texts = [
            ("declaringClass", Some(class_name.as_str())),
            ("methodName", Some(method.name())),
            ("fileName", method.class().file.source_file()),
            ("moduleName", module.as_deref()),
            ("classLoaderName", loader),
        ];
        for (field, text) in texts {
            if let (Some(text), true) = (text, self.has_field(ELEMENT, field)) {
                let text = self.intern_text(text);
                self.set_named(element, ELEMENT, field, text)?;
            }
        }
        self.set_named(element, ELEMENT, "lineNumber", Value::int(line))?;
        Ok(())
    }

    fn calls_of(&self, exception: Reference) -> &[Call] {
        self.library.modelled.stack_traces.get(&exception).map_or(&[], |calls| calls)
    }
}

fn fill_in(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    machine.keep_stack_trace(reference(arguments, 0))?;
    give(argument(arguments, 0))
}

fn depth(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(Value::int(machine.calls_of(reference(arguments, 0)).len() as i32))
}

fn element(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let index = argument(arguments, 1).as_int();
    let calls = machine.calls_of(reference(arguments, 0));
    let call = usize::try_from(index).ok().and_then(|index| calls.get(index)).copied();
    let Some(call) = call else {
        return Ok(Answer::Throw("java/lang/IndexOutOfBoundsException", None));
    };
    let class = machine.types.of_name(ELEMENT);
    let element = machine.new_object(class)?;
    machine.fill_element(element, call)?;
    give_reference(element)
}

fn elements(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let array = reference(arguments, 0);
    let calls = machine.calls_of(reference(arguments, 1)).to_vec();
    for (index, call) in calls.into_iter().enumerate().take(machine.heap.length(array)) {
        let element = machine.heap.element(array, index).as_reference();
        machine.fill_element(element, call)?;
    }
    give(Value::NULL)
}

/// The library asks the module and the class loader, of which there are no objects here.
fn compute_format(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let element = reference(arguments, 0);
    let mut format = 0;
    for (field, bit) in [("classLoaderName", BUILT_IN_LOADER), ("moduleName", JDK_MODULE)] {
        let slot = machine.slot_named(ELEMENT, field)?;
        if !machine.heap.field(element, slot).as_reference().is_null() {
            format |= bit;
        }
    }
    machine.set_named(element, ELEMENT, "format", Value::int(format))?;
    give(Value::NULL)
}
