//! `VarHandle`s for fields and array elements, which the class library uses in place of `Unsafe`.

use petrel_clp::ElementKind;

use super::{Answer, Entry, argument, give, give_reference, reference, throw_null_pointer};
use crate::machine::{Arguments, Feature, Machine, Reference, Stop, Value};

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const HANDLES: &str = "java/lang/invoke/MethodHandles";
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

/// What a handle stands for.
#[derive(Debug, Clone, Copy)]
pub(in crate::library) enum VarHandle {
    /// A field of objects.
    Field { slot: u16, kind: ElementKind },
    /// A static field.
    Static { number: u32 },
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
    handle(machine, VarHandle::Static { number })
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
enum Variable {
    Static(u32),
    Memory { object: Reference, offset: i64, kind: ElementKind, swapped: bool },
}

impl Machine<'_> {
    /// A call of a signature-polymorphic method.
    pub(crate) fn call_polymorphic(
        &mut self,
        name: &str,
        descriptor: &str,
        arguments: &[Value],
    ) -> Result<Answer, Stop> {
        if let Some(&handle) = self.library.modelled.field_handles.get(&reference(arguments, 0)) {
            return self.call_field_handle(handle, arguments);
        }
        let Some(&stands_for) = self.library.modelled.var_handles.get(&reference(arguments, 0))
        else {
            return Err(Stop::unsupported(Feature::HandleCall(name.into(), descriptor.into())));
        };
        let (coordinates, kind) = match stands_for {
            VarHandle::Static { .. } => (0, ElementKind::Reference),
            VarHandle::Field { kind, .. } => (1, kind),
            VarHandle::Bytes { kind, .. } => (2, kind),
            VarHandle::Element => {
                let array = reference(arguments, 1);
                if array.is_null() {
                    return throw_null_pointer();
                }
                let class = self.heap.class(array);
                (2, self.types.get(class).component.map_or(ElementKind::Int, |(_, kind)| kind))
            }
        };
        let variable = match self.variable(stands_for, kind, arguments)? {
            Ok(variable) => variable,
            Err(answer) => return Ok(answer),
        };
        let values: Arguments = arguments.iter().skip(1 + coordinates).copied().collect();
        self.access(name, &variable, &values)
    }

    fn variable(
        &mut self,
        stands_for: VarHandle,
        kind: ElementKind,
        arguments: &[Value],
    ) -> Result<Result<Variable, Answer>, Stop> {
        if let VarHandle::Static { number } = stands_for {
            return Ok(Ok(Variable::Static(number)));
        }
        let object = reference(arguments, 1);
        if object.is_null() {
            return throw_null_pointer().map(Err);
        }
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
                VarHandle::Bytes { kind, .. } => super::unsafe_memory::width(kind),
                _ => 1,
            };
            let length = self.heap.length(object) + 1 - width.min(self.heap.length(object) + 1);
            if index < 0 || index as usize >= length {
                let text = format!("Index {index} out of bounds for length {length}");
                let exception = match stands_for {
                    VarHandle::Element => "java/lang/ArrayIndexOutOfBoundsException",
                    _ => "java/lang/IndexOutOfBoundsException",
                };
                return super::throw(exception, text).map(Err);
            }
        }
        Ok(Ok(Variable::Memory { object, offset, kind, swapped }))
    }

    fn access(
        &mut self,
        name: &str,
        variable: &Variable,
        values: &[Value],
    ) -> Result<Answer, Stop> {
        let first = argument(values, 0);
        if name.starts_with("getAnd") {
            let old = self.read_variable(variable)?;
            let new = match name {
                _ if name.starts_with("getAndSet") => first,
                _ if name.starts_with("getAndAdd") => {
                    combine(variable, old, first, |a, b| a.wrapping_add(b))
                }
                _ if name.starts_with("getAndBitwiseOr") => {
                    combine(variable, old, first, |a, b| a | b)
                }
                _ if name.starts_with("getAndBitwiseAnd") => {
                    combine(variable, old, first, |a, b| a & b)
                }
                _ => combine(variable, old, first, |a, b| a ^ b),
            };
            self.write_variable(variable, new)?;
            return give(old);
        }
        if name.starts_with("get") {
            return give(self.read_variable(variable)?);
        }
        if name.starts_with("set") {
            self.write_variable(variable, first)?;
            return give(Value::NULL);
        }
        let old = self.read_variable(variable)?;
        let same = old.bits == first.bits;
        if same {
            self.write_variable(variable, argument(values, 1))?;
        }
        if name.starts_with("compareAndExchange") { give(old) } else { give(Value::boolean(same)) }
    }

    fn read_variable(&mut self, variable: &Variable) -> Result<Value, Stop> {
        match *variable {
            Variable::Static(number) => Ok(self.static_at(number)),
            Variable::Memory { object, offset, kind, swapped } => {
                let value = self.read_memory(object, offset, kind)?;
                Ok(if swapped { swap(kind, value) } else { value })
            }
        }
    }

    fn write_variable(&mut self, variable: &Variable, value: Value) -> Result<(), Stop> {
        match *variable {
            Variable::Static(number) => {
                self.set_static(number, value);
                Ok(())
            }
            Variable::Memory { object, offset, kind, swapped } => {
                let value = if swapped { swap(kind, value) } else { value };
                self.write_memory(object, offset, kind, value)
            }
        }
    }
}

fn combine(
    variable: &Variable,
    old: Value,
    other: Value,
    operation: impl Fn(i64, i64) -> i64,
) -> Value {
    let is_long = matches!(variable, Variable::Memory { kind: ElementKind::Long, .. });
    let unstable = old.is_unstable() || other.is_unstable();
    let value = if is_long {
        Value::long(operation(old.as_long(), other.as_long()))
    } else {
        Value::int(operation(old.as_int().into(), other.as_int().into()) as i32)
    };
    value.marked(unstable)
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
