//! Elements of arrays by reflection: `Array.get`, `Array.setInt` and the like.

use super::super::{
    Answer, Then, argument, give, give_reference, reference, throw, throw_null_pointer,
};
use crate::machine::{Machine, Reference, Stop, TypeId, Value};

const ILLEGAL_ARGUMENT: &str = "java/lang/IllegalArgumentException";
const MISMATCH: &str = "argument type mismatch";

/// A primitive value and the letter of its type.
type Primitive = (char, Value);

const BOXES: [(char, &str); 8] = [
    ('Z', "java/lang/Boolean"),
    ('B', "java/lang/Byte"),
    ('S', "java/lang/Short"),
    ('C', "java/lang/Character"),
    ('I', "java/lang/Integer"),
    ('J', "java/lang/Long"),
    ('F', "java/lang/Float"),
    ('D', "java/lang/Double"),
];

/// An element that is there.
struct Element {
    array: Reference,
    index: usize,
    component: TypeId,
    /// The letter of a primitive type.
    primitive: Option<char>,
}

/// The class of an exception and its text.
struct Refusal(&'static str, Option<&'static str>);

impl Refusal {
    fn answer(self) -> Answer {
        Answer::Throw(self.0, self.1.map(str::to_owned))
    }
}

/// The element that the first two arguments name, or the exception.
fn element(
    machine: &Machine<'_>,
    arguments: &[Value],
    primitive_only: bool,
) -> Result<Element, Refusal> {
    let array = reference(arguments, 0);
    if array.is_null() {
        return Err(Refusal("java/lang/NullPointerException", None));
    }
    let illegal = |text: &'static str| Err(Refusal(ILLEGAL_ARGUMENT, Some(text)));
    let class = machine.heap.class(array);
    let Some((component, _)) = machine.types.get(class).component else {
        return illegal("Argument is not an array");
    };
    let letter = machine.types.descriptor(component).chars().next();
    let primitive = letter.filter(|_| component.is_primitive());
    if primitive_only && primitive.is_none() {
        return illegal("Argument is not an array of primitive type");
    }
    let (index, length) = (argument(arguments, 1).as_int(), machine.heap.length(array));
    match usize::try_from(index) {
        Ok(index) if index < length => Ok(Element { array, index, component, primitive }),
        _ => Err(Refusal("java/lang/ArrayIndexOutOfBoundsException", None)),
    }
}

/// A value in a wider type, if that is one (JLS 5.1.2).
fn widened((from, value): Primitive, to: char) -> Option<Value> {
    if from == to {
        return Some(value);
    }
    let rank = |letter: char| "BSIJFD".find(letter);
    let is_wider = match (from, to) {
        ('Z', _) | (_, 'Z') | (_, 'C') => false,
        ('C', _) => rank(to) > rank('S'),
        _ => rank(to) > rank(from),
    };
    if !is_wider {
        return None;
    }
    Some(match (from, to) {
        ('J', 'F') => Value::float(value.as_long() as f32),
        ('J', _) => Value::double(value.as_long() as f64),
        ('F', _) => Value::double(value.as_float().into()),
        (_, 'J') => Value::long(value.as_int().into()),
        (_, 'F') => Value::float(value.as_int() as f32),
        (_, 'D') => Value::double(value.as_int().into()),
        _ => value,
    })
}

/// `Array.get`. The JVM makes a new box, whatever is in the caches.
pub(super) fn get(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let element = match element(machine, arguments, false) {
        Ok(element) => element,
        Err(refusal) => return Ok(refusal.answer()),
    };
    let value = machine.heap.element(element.array, element.index);
    let boxed = BOXES.iter().find(|(letter, _)| Some(*letter) == element.primitive);
    let Some((_, boxed)) = boxed else { return give(value) };
    let class = machine.types.of_name(boxed);
    if !machine.is_initialised(class)? {
        return Ok(Answer::Initialise(class, Then::Again));
    }
    let object = machine.new_object(class)?;
    machine.set_named(object, boxed, "value", value)?;
    give_reference(object)
}

/// `Array.getInt` and the like.
pub(super) fn get_primitive(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    to: char,
) -> Result<Answer, Stop> {
    let element = match element(machine, arguments, true) {
        Ok(element) => element,
        Err(refusal) => return Ok(refusal.answer()),
    };
    let value = machine.heap.element(element.array, element.index);
    match element.primitive.and_then(|from| widened((from, value), to)) {
        Some(value) => give(value),
        None => throw(ILLEGAL_ARGUMENT, MISMATCH),
    }
}

/// `Array.set`.
pub(super) fn set(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let array = reference(arguments, 0);
    if array.is_null() {
        return throw_null_pointer();
    }
    let value = argument(arguments, 2);
    let class = machine.heap.class(array);
    let is_primitive =
        machine.types.get(class).component.is_some_and(|(component, _)| component.is_primitive());
    let mut unboxed = None;
    if is_primitive {
        // Null fails before the index does, and what is in no box after it.
        if value.as_reference().is_null() {
            return Ok(Answer::Throw(ILLEGAL_ARGUMENT, None));
        }
        unboxed = unbox(machine, value.as_reference())?;
    }
    let element = match element(machine, arguments, false) {
        Ok(element) => element,
        Err(refusal) => return Ok(refusal.answer()),
    };
    let stored = match (element.primitive, unboxed) {
        (Some(to), from) => from.and_then(|from| widened(from, to)),
        (None, _) => {
            let object = value.as_reference();
            let fits = object.is_null() || machine.is_instance(object, element.component);
            if !fits {
                return throw(ILLEGAL_ARGUMENT, "array element type mismatch");
            }
            Some(value)
        }
    };
    store(machine, &element, stored)
}

/// `Array.setInt` and the like.
pub(super) fn set_primitive(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    from: char,
) -> Result<Answer, Stop> {
    let element = match element(machine, arguments, true) {
        Ok(element) => element,
        Err(refusal) => return Ok(refusal.answer()),
    };
    let value = argument(arguments, 2);
    let stored = element.primitive.and_then(|to| widened((from, value), to));
    store(machine, &element, stored)
}

fn store(
    machine: &mut Machine<'_>,
    element: &Element,
    value: Option<Value>,
) -> Result<Answer, Stop> {
    let Some(value) = value else { return throw(ILLEGAL_ARGUMENT, MISMATCH) };
    machine.heap.set_element(element.array, element.index, value);
    give(Value::NULL)
}

fn unbox(machine: &mut Machine<'_>, object: Reference) -> Result<Option<Primitive>, Stop> {
    if object.is_null() {
        return Ok(None);
    }
    let class = machine.types.get(machine.heap.class(object)).name.to_string();
    let Some((letter, name)) = BOXES.iter().find(|(_, name)| *name == class) else {
        return Ok(None);
    };
    let slot = machine.slot_named(name, "value")?;
    Ok(Some((*letter, machine.heap.field(object, slot))))
}
