//! `VarHandle`s for fields and array elements, which the class library uses in place of `Unsafe`.

use petrel_clp::{ArithmeticKind, ElementKind, Operation};

use super::unsafe_memory::Compared;
use super::{Answer, Entry, argument, give, give_reference, reference, throw_null_pointer};
use crate::exploration::{expr_of, value_of};
use crate::machine::{
    Arguments, Feature, Halt, Machine, Platform, Reference, Stop, Undecided, Value,
};

pub(super) const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const HANDLES: &str = "java/lang/invoke/MethodHandles";
const OUT_OF_BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";
const FIND: &str =
    "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;";

pub(super) const TABLE: &[Entry] = &[
    (HANDLES, "lookup", "()Ljava/lang/invoke/MethodHandles$Lookup;", lookup),
    (LOOKUP, "findVarHandle", FIND, find_field),
    (LOOKUP, "findStaticVarHandle", FIND, find_static),
    (HANDLES, "arrayElementVarHandle", "(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;", array),
    (
        HANDLES,
        "byteArrayViewVarHandle",
        "(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;",
        byte_view,
    ),
    (
        HANDLES,
        "privateLookupIn",
        "(Ljava/lang/Class;Ljava/lang/invoke/MethodHandles$Lookup;)\
         Ljava/lang/invoke/MethodHandles$Lookup;",
        lookup_in,
    ),
    (
        "java/lang/invoke/VarHandle",
        "withInvokeExactBehavior",
        "()Ljava/lang/invoke/VarHandle;",
        itself,
    ),
    ("java/lang/invoke/VarHandle", "withInvokeBehavior", "()Ljava/lang/invoke/VarHandle;", itself),
    ("java/lang/invoke/VarHandle", "acquireFence", "()V", super::nothing),
    ("java/lang/invoke/VarHandle", "releaseFence", "()V", super::nothing),
    ("java/lang/invoke/VarHandle", "fullFence", "()V", super::nothing),
    ("java/lang/invoke/VarHandle", "storeStoreFence", "()V", super::nothing),
    ("java/lang/invoke/VarHandle", "loadLoadFence", "()V", super::nothing),
];

/// Whether a method of a lookup does what it says without looking anything up.
pub(super) fn is_of_lookup(method: &str) -> bool {
    matches!(method, "<init>" | "<clinit>" | "lookupClass")
}

pub(super) fn unsupported(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Err(Stop::unsupported(Platform::MethodHandles))
}

/// What a handle stands for.
#[derive(Debug, Clone, Copy)]
pub(in crate::library) enum VarHandle {
    /// A field of objects.
    Field { slot: u16, kind: ElementKind },
    /// A static field.
    Static { number: u32, kind: ElementKind },
    /// The elements of arrays.
    Element,
    /// Several bytes of a `byte[]` as a number.
    Bytes { kind: ElementKind, big_endian: bool },
}

fn itself(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(argument(arguments, 0))
}

fn lookup(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    let mirror = match machine.calling_class() {
        Some(caller) => {
            let caller = machine.types.of_name(caller.name());
            machine.mirror(caller)?
        }
        None => Reference::NULL,
    };
    new_lookup(machine, mirror)
}

fn lookup_in(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    new_lookup(machine, reference(arguments, 0))
}

fn new_lookup(machine: &mut Machine<'_>, lookup_class: Reference) -> Result<Answer, Stop> {
    let class = machine.types.of_name(LOOKUP);
    let lookup = machine.new_object(class)?;
    machine.set_named(lookup, LOOKUP, "lookupClass", Value::reference(lookup_class))?;
    give_reference(lookup)
}

fn handle(machine: &mut Machine<'_>, stands_for: VarHandle) -> Result<Answer, Stop> {
    let class = machine.types.of_name("java/lang/invoke/VarHandle");
    let object = machine.new_object(class)?;
    machine.library.modelled.var_handles.insert(object, stands_for);
    machine.note_modelled(object);
    give_reference(object)
}

fn named_field(
    machine: &mut Machine<'_>,
    arguments: &[Value],
) -> Result<Option<(String, String)>, Stop> {
    let class = machine.mirrored(reference(arguments, 1));
    let name = machine.text_of(reference(arguments, 2));
    Ok(class.zip(name).map(|(class, name)| (machine.types.get(class).name.to_string(), name)))
}

fn find_field(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some((class, name)) = named_field(machine, arguments)? else {
        return throw_null_pointer();
    };
    let slot = machine.slot_named(&class, &name)?;
    let descriptor = machine.field_descriptor(&class, &name)?;
    let kind = element_kind(&descriptor);
    handle(machine, VarHandle::Field { slot, kind })
}

fn find_static(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some((class, name)) = named_field(machine, arguments)? else {
        return throw_null_pointer();
    };
    let number = machine.static_named(&class, &name)?;
    let kind = element_kind(&machine.field_descriptor(&class, &name)?);
    handle(machine, VarHandle::Static { number, kind })
}

fn array(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    handle(machine, VarHandle::Element)
}

fn byte_view(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let view = machine.mirrored(reference(arguments, 0));
    let Some((_, kind)) = view.and_then(|view| machine.types.get(view).component) else {
        return throw_null_pointer();
    };
    let big = machine.static_named("java/nio/ByteOrder", "BIG_ENDIAN")?;
    let big = machine.static_at(big).as_reference();
    handle(machine, VarHandle::Bytes { kind, big_endian: reference(arguments, 1) == big })
}

fn element_kind(descriptor: &str) -> ElementKind {
    ElementKind::of_array(&format!("[{descriptor}")).unwrap_or(ElementKind::Reference)
}

/// A variable: how to read and write it.
struct Variable {
    place: Place,
    kind: ElementKind,
}

enum Place {
    Static(u32),
    Memory {
        object: Reference,
        offset: i64,
        swapped: bool,
    },
    /// An element of an array of unknown length.
    Logged {
        array: Value,
        index: Value,
    },
}

impl Machine<'_> {
    /// A call of a signature-polymorphic method. `None` if it is executed again, or has returned.
    pub(crate) fn call_polymorphic(
        &mut self,
        name: &str,
        descriptor: &str,
        arguments: &mut Arguments,
        callee_base: usize,
    ) -> Result<Option<Answer>, Halt> {
        arguments.iter_mut().for_each(|argument| *argument = self.resolved_value(*argument));
        let handle = argument(arguments, 0);
        let unsupported = || Stop::unsupported(Feature::HandleCall(name.into(), descriptor.into()));
        if handle.is_symbolic() {
            return Err(unsupported().into());
        }
        let handle = handle.as_reference();
        if let Some(&handle) = self.library.modelled.field_handles.get(&handle) {
            if argument(arguments, 1).is_symbolic() {
                return Err(unsupported().into());
            }
            return Ok(Some(self.call_field_handle(handle, arguments)?));
        }
        let Some(&stands_for) = self.library.modelled.var_handles.get(&handle) else {
            return Err(unsupported().into());
        };
        let coordinates = match stands_for {
            VarHandle::Static { .. } => 0,
            VarHandle::Field { .. } => 1,
            VarHandle::Bytes { .. } | VarHandle::Element => 2,
        };
        if coordinates > 0 && !self.is_open_in_call(argument(arguments, 1))? {
            return Ok(None);
        }
        let array = argument(arguments, 1);
        let is_logged = matches!(stands_for, VarHandle::Element)
            && !array.is_symbolic()
            && !array.as_reference().is_null()
            && !self.is_plain_array(array);
        let coordinates = arguments.iter().skip(1).take(if is_logged { 1 } else { coordinates });
        if let Some(&unknown) = coordinates.clone().find(|coordinate| coordinate.is_symbolic()) {
            if self.exploration.is_on() && self.is_one_of_some(unknown) {
                // The call is executed again with each of them.
                self.asked_in_call(|machine| machine.one_object(unknown))?;
                return Ok(None);
            }
            return Err(self.undecided(Undecided::Handle(name.to_owned())).into());
        }
        let coordinates = if is_logged { 2 } else { coordinates.count() };
        let variable = if is_logged {
            match self.is_inside_in_call(array, argument(arguments, 2))? {
                Some(true) => self.logged_variable(array, argument(arguments, 2)),
                Some(false) => {
                    self.throw_opaque(OUT_OF_BOUNDS, callee_base)?;
                    return Ok(None);
                }
                None => return Ok(None),
            }
        } else {
            match self.variable(stands_for, arguments)? {
                Ok(variable) => variable,
                Err(answer) => return Ok(Some(answer)),
            }
        };
        let values: Arguments = arguments.iter().skip(1 + coordinates).copied().collect();
        if name.starts_with("getAnd") && !name.starts_with("getAndSet") {
            let combined = self.combine(name, &variable, argument(&values, 0))?;
            return combined.ok_or_else(|| unsupported().into()).map(Some);
        }
        self.access(name, &variable, &values)
    }

    fn logged_variable(&self, array: Value, index: Value) -> Variable {
        let class = self.heap.class(array.as_reference());
        let kind = self.types.get(class).component.map_or(ElementKind::Int, |(_, kind)| kind);
        Variable { place: Place::Logged { array, index }, kind }
    }

    fn variable(
        &mut self,
        stands_for: VarHandle,
        arguments: &[Value],
    ) -> Result<Result<Variable, Answer>, Stop> {
        let object = reference(arguments, 1);
        let kind = match stands_for {
            VarHandle::Static { number, kind } => {
                return Ok(Ok(Variable { place: Place::Static(number), kind }));
            }
            _ if object.is_null() => return throw_null_pointer().map(Err),
            VarHandle::Field { kind, .. } | VarHandle::Bytes { kind, .. } => kind,
            VarHandle::Element => {
                let class = self.heap.class(object);
                self.types.get(class).component.map_or(ElementKind::Int, |(_, kind)| kind)
            }
        };
        let index = argument(arguments, 2).as_int();
        let (offset, swapped) = match stands_for {
            VarHandle::Field { slot, .. } => (super::unsafe_memory::offset_of(slot), false),
            VarHandle::Bytes { big_endian, .. } => {
                let first = super::unsafe_memory::offset_of_element(
                    ElementKind::ByteOrBoolean,
                    index.max(0) as usize,
                );
                (first, big_endian)
            }
            _ => (super::unsafe_memory::offset_of_element(kind, index.max(0) as usize), false),
        };
        if !matches!(stands_for, VarHandle::Field { .. }) {
            let width = match stands_for {
                VarHandle::Bytes { kind, .. } => super::unsafe_memory::width(kind) as i64,
                _ => 1,
            };
            // Fewer bytes than a number has leave a length below zero, and the class library says so.
            let length = self.heap.length(object) as i64 + 1 - width;
            if index < 0 || i64::from(index) >= length {
                let text = format!("Index {index} out of bounds for length {length}");
                let is_array = matches!(stands_for, VarHandle::Element) || self.views_are_arrays();
                let exception = match is_array {
                    true => OUT_OF_BOUNDS,
                    false => "java/lang/IndexOutOfBoundsException",
                };
                return super::throw(exception, text).map(Err);
            }
        }
        Ok(Ok(Variable { place: Place::Memory { object, offset, swapped }, kind }))
    }

    /// Whether this class library throws the same exception for bytes that are viewed as numbers as for elements. It does since it has
    /// what makes that exception.
    fn views_are_arrays(&mut self) -> bool {
        [
            ("jdk/internal/util/Preconditions", "AIOOBE_FORMATTER"),
            ("java/lang/invoke/VarHandleByteArrayAsInts$ArrayHandle", "OOBEF"),
        ]
        .into_iter()
        .any(|(class, field)| self.static_named(class, field).is_ok())
    }

    fn access(
        &mut self,
        name: &str,
        variable: &Variable,
        values: &[Value],
    ) -> Result<Option<Answer>, Halt> {
        let first = argument(values, 0);
        let answer = if name.starts_with("get") {
            let old = self.read_variable(variable)?;
            if name.starts_with("getAndSet") {
                self.write_variable(variable, first)?;
            }
            old
        } else if name.starts_with("set") {
            self.write_variable(variable, first)?;
            Value::NULL
        } else {
            let old = self.read_variable(variable)?;
            let is_same = self.is_found_in_call(old, first, variable.kind.kind())?;
            let Some(is_same) = is_same else { return Ok(None) };
            let compared = Compared { found: old, expected: first, is_same };
            if let Some(written) = compared.written(argument(values, 1)) {
                self.write_variable(variable, written)?;
            }
            compared.result(name.starts_with("compareAndExchange"))
        };
        Ok(Some(Answer::Return(answer)))
    }

    /// `getAndAdd` and its kind: whole numbers that are not narrower than an `int`.
    fn combine(
        &mut self,
        name: &str,
        variable: &Variable,
        other: Value,
    ) -> Result<Option<Answer>, Halt> {
        let of = match variable.kind {
            ElementKind::Int => ArithmeticKind::Int,
            ElementKind::Long => ArithmeticKind::Long,
            _ => return Ok(None),
        };
        let operation = match name {
            _ if name.starts_with("getAndAdd") => Operation::Add(of),
            _ if name.starts_with("getAndBitwiseOr") => Operation::Or(of),
            _ if name.starts_with("getAndBitwiseAnd") => Operation::And(of),
            _ => Operation::ExclusiveOr(of),
        };
        let kind = variable.kind.kind();
        let old = self.read_variable(variable)?;
        let [left, right] = [old, other].map(|value| expr_of(value, kind));
        let new = value_of(self.solver.store.apply(operation, left, right), kind);
        let new = new.marked(old.is_unstable() || other.is_unstable());
        self.write_variable(variable, new)?;
        Ok(Some(Answer::Return(old)))
    }

    fn read_variable(&mut self, variable: &Variable) -> Result<Value, Halt> {
        match variable.place {
            Place::Static(number) => Ok(self.static_at(number)),
            Place::Memory { object, offset, swapped } => {
                let value = self.read_memory(object, offset, variable.kind)?;
                Ok(self.in_order(variable.kind, value, swapped)?)
            }
            Place::Logged { array, index } => self.logged_element(array, index),
        }
    }

    fn write_variable(&mut self, variable: &Variable, value: Value) -> Result<(), Halt> {
        match variable.place {
            Place::Static(number) => {
                self.set_static(number, value);
                Ok(())
            }
            Place::Memory { object, offset, swapped } => {
                let value = self.in_order(variable.kind, value, swapped)?;
                Ok(self.write_memory(object, offset, variable.kind, value)?)
            }
            Place::Logged { array, index } => self.set_logged_element(array, index, value),
        }
    }

    /// A value with its bytes in the other order, if they are swapped.
    fn in_order(&self, kind: ElementKind, value: Value, swapped: bool) -> Result<Value, Stop> {
        match (swapped, value.is_symbolic()) {
            (false, _) => Ok(value),
            (true, false) => Ok(swap(kind, value)),
            (true, true) => Err(self.undecided(Undecided::Bytes)),
        }
    }
}

fn swap(kind: ElementKind, value: Value) -> Value {
    let swapped = match super::unsafe_memory::width(kind) {
        2 if kind == ElementKind::Char => u64::from((value.bits as u16).swap_bytes()),
        2 => (value.bits as i16).swap_bytes() as i32 as u32 as u64,
        4 => u64::from((value.bits as u32).swap_bytes()),
        8 => value.bits.swap_bytes(),
        _ => value.bits,
    };
    Value { bits: swapped, ..value }
}
