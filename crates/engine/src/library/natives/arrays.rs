//! Arrays: `System.arraycopy` and `java.lang.reflect.Array`.

mod elements;

use super::{Answer, Entry, argument, give, give_reference, reference, throw, throw_null_pointer};
use crate::machine::{MOST_DIMENSIONS, Machine, Reference, Stop, TypeId, Value};

const ARRAY: &str = "java/lang/reflect/Array";

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", array_copy),
    (ARRAY, "newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
    (ARRAY, "multiNewArray", "(Ljava/lang/Class;[I)Ljava/lang/Object;", new_multi_array),
    (ARRAY, "getLength", "(Ljava/lang/Object;)I", length),
    (ARRAY, "get", "(Ljava/lang/Object;I)Ljava/lang/Object;", elements::get),
    (ARRAY, "set", "(Ljava/lang/Object;ILjava/lang/Object;)V", elements::set),
    (ARRAY, "getBoolean", "(Ljava/lang/Object;I)Z", |m, a| elements::get_primitive(m, a, 'Z')),
    (ARRAY, "setBoolean", "(Ljava/lang/Object;IZ)V", |m, a| elements::set_primitive(m, a, 'Z')),
    (ARRAY, "getByte", "(Ljava/lang/Object;I)B", |m, a| elements::get_primitive(m, a, 'B')),
    (ARRAY, "setByte", "(Ljava/lang/Object;IB)V", |m, a| elements::set_primitive(m, a, 'B')),
    (ARRAY, "getChar", "(Ljava/lang/Object;I)C", |m, a| elements::get_primitive(m, a, 'C')),
    (ARRAY, "setChar", "(Ljava/lang/Object;IC)V", |m, a| elements::set_primitive(m, a, 'C')),
    (ARRAY, "getShort", "(Ljava/lang/Object;I)S", |m, a| elements::get_primitive(m, a, 'S')),
    (ARRAY, "setShort", "(Ljava/lang/Object;IS)V", |m, a| elements::set_primitive(m, a, 'S')),
    (ARRAY, "getInt", "(Ljava/lang/Object;I)I", |m, a| elements::get_primitive(m, a, 'I')),
    (ARRAY, "setInt", "(Ljava/lang/Object;II)V", |m, a| elements::set_primitive(m, a, 'I')),
    (ARRAY, "getLong", "(Ljava/lang/Object;I)J", |m, a| elements::get_primitive(m, a, 'J')),
    (ARRAY, "setLong", "(Ljava/lang/Object;IJ)V", |m, a| elements::set_primitive(m, a, 'J')),
    (ARRAY, "getFloat", "(Ljava/lang/Object;I)F", |m, a| elements::get_primitive(m, a, 'F')),
    (ARRAY, "setFloat", "(Ljava/lang/Object;IF)V", |m, a| elements::set_primitive(m, a, 'F')),
    (ARRAY, "getDouble", "(Ljava/lang/Object;I)D", |m, a| elements::get_primitive(m, a, 'D')),
    (ARRAY, "setDouble", "(Ljava/lang/Object;ID)V", |m, a| elements::set_primitive(m, a, 'D')),
];

/// Throws; in Java 8 these exceptions have no text.
fn refuse(
    machine: &mut Machine<'_>,
    exception: &'static str,
    text: String,
) -> Result<Answer, Stop> {
    let is_java_8 = machine.library.modelled.is_java_8(machine.program);
    Ok(Answer::Throw(exception, (!is_java_8).then_some(text)))
}

fn array_copy(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let (from, to) = (reference(arguments, 0), reference(arguments, 2));
    let [start, target, length] = [1, 3, 4].map(|at| argument(arguments, at).as_int());
    if from.is_null() || to.is_null() {
        return throw_null_pointer();
    }
    let (from_class, to_class) = (machine.heap.class(from), machine.heap.class(to));
    let kinds = (machine.types.get(from_class).component, machine.types.get(to_class).component);
    let (Some((from_component, _)), Some((to_component, _))) = kinds else {
        let (what, class) =
            if kinds.0.is_none() { ("source", from_class) } else { ("destination", to_class) };
        let name = machine.types.class_name(class);
        let text = format!("arraycopy: {what} type {name} is not an array");
        return refuse(machine, "java/lang/ArrayStoreException", text);
    };
    let fits = from_component == to_component
        || (!from_component.is_primitive() && !to_component.is_primitive());
    if !fits {
        let text = mismatch(machine, from_component, to_component);
        return refuse(machine, "java/lang/ArrayStoreException", text);
    }
    if let Some(text) = out_of_bounds(machine, (from, start), (to, target), length) {
        return refuse(machine, "java/lang/ArrayIndexOutOfBoundsException", text);
    }
    let (start, target, length) = (start as usize, target as usize, length as usize);
    let any_fits = from_component.is_primitive()
        || machine.types.is_subtype(machine.program, from_component, to_component);
    if arguments.iter().any(|argument| argument.is_unstable()) {
        machine.heap.object_mut(to).unstable = true;
    }
    if any_fits {
        machine.heap.copy_elements((from, start), (to, target), length);
        return give(Value::NULL);
    }
    // Each element is checked, and those before the first that does not fit are copied.
    for offset in 0..length {
        let element = machine.heap.element(from, start + offset);
        let object = element.as_reference();
        if !object.is_null() && !machine.is_instance(object, to_component) {
            let text = format!(
                "arraycopy: element type mismatch: can not cast one of the elements of {}[] to \
                 the type of the destination array, {}",
                machine.types.java_name(from_component),
                machine.types.java_name(to_component)
            );
            return refuse(machine, "java/lang/ArrayStoreException", text);
        }
        machine.heap.set_element(to, target + offset, element);
    }
    give(Value::NULL)
}

fn mismatch(machine: &Machine<'_>, from: TypeId, to: TypeId) -> String {
    let kind = |id: TypeId| {
        if id.is_primitive() {
            format!("{}[]", machine.types.java_name(id))
        } else {
            "object array[]".to_owned()
        }
    };
    format!("arraycopy: type mismatch: can not copy {} into {}", kind(from), kind(to))
}

/// What HotSpot says of the first bound that is violated.
fn out_of_bounds(
    machine: &Machine<'_>,
    (from, start): (Reference, i32),
    (to, target): (Reference, i32),
    length: i32,
) -> Option<String> {
    let describe = |array: Reference| {
        let component = machine.types.get(machine.heap.class(array)).component;
        let name = match component {
            Some((component, _)) if component.is_primitive() => machine.types.java_name(component),
            _ => "object array".to_owned(),
        };
        (machine.heap.length(array), name)
    };
    let ((from_length, from_name), (to_length, to_name)) = (describe(from), describe(to));
    if start < 0 {
        return Some(format!(
            "arraycopy: source index {start} out of bounds for {from_name}[{from_length}]"
        ));
    }
    if target < 0 {
        return Some(format!(
            "arraycopy: destination index {target} out of bounds for {to_name}[{to_length}]"
        ));
    }
    if length < 0 {
        return Some(format!("arraycopy: length {length} is negative"));
    }
    let end = |start: i32| start as u32 as u64 + length as u32 as u64;
    if end(start) > from_length as u64 {
        let end = end(start);
        return Some(format!(
            "arraycopy: last source index {end} out of bounds for {from_name}[{from_length}]"
        ));
    }
    if end(target) > to_length as u64 {
        let end = end(target);
        return Some(format!(
            "arraycopy: last destination index {end} out of bounds for {to_name}[{to_length}]"
        ));
    }
    None
}

pub(super) fn new_array(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(component) = machine.mirrored(reference(arguments, 0)) else {
        return throw_null_pointer();
    };
    let length = argument(arguments, 1).as_int();
    if length < 0 {
        return refuse(machine, "java/lang/NegativeArraySizeException", length.to_string());
    }
    if component == TypeId::VOID || machine.types.dimensions(component) >= MOST_DIMENSIONS {
        return Ok(Answer::Throw("java/lang/IllegalArgumentException", None));
    }
    let class = machine.types.array_of(component);
    machine.reserve(class, length as usize)?;
    give_reference(machine.new_array(class, length as usize)?)
}

fn new_multi_array(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(mut class) = machine.mirrored(reference(arguments, 0)) else {
        return throw_null_pointer();
    };
    let dimensions = reference(arguments, 1);
    if dimensions.is_null() {
        return throw_null_pointer();
    }
    let mut lengths = Vec::new();
    for index in 0..machine.heap.length(dimensions) {
        let length = machine.heap.element(dimensions, index).as_int();
        if length < 0 {
            return refuse(machine, "java/lang/NegativeArraySizeException", length.to_string());
        }
        lengths.push(Value::int(length));
        class = machine.types.array_of(class);
    }
    if lengths.is_empty() || machine.types.dimensions(class) > MOST_DIMENSIONS {
        return Ok(Answer::Throw("java/lang/IllegalArgumentException", None));
    }
    give_reference(machine.new_arrays(class, &lengths)?)
}

fn length(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let array = reference(arguments, 0);
    if array.is_null() {
        return throw_null_pointer();
    }
    let class = machine.heap.class(array);
    if machine.types.get(class).component.is_none() {
        return throw("java/lang/IllegalArgumentException", "Argument is not an array");
    }
    give(Value::int(machine.heap.length(array) as i32))
}
