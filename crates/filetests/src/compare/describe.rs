//! Calls, endings and heaps as text for whoever reads a failure.

use petrel_replay::{self as replay, Call};
use petrel_value::{Call as BuildingCall, Heap, Object, ObjectId, Value, escaped};

use super::{Derived, Ending};

/// So many characters of a text are shown.
const MOST_SHOWN: usize = 300;

/// A value with what it refers to.
pub(super) fn shown(heap: &Heap, value: Value) -> String {
    let mut text = match (heap.literal(value), heap.get(value), value) {
        (Some(literal), _, _) => literal,
        (_, Some(Object::Opaque { class }), _) => format!("a {class}"),
        (_, Some(Object::EnumConstant { class, name }), _) => format!("{class}.{name}"),
        (_, _, Value::Reference(id)) => {
            format!("{} where {}", name(id), described_heap(heap))
        }
        _ => "something without a literal".to_owned(),
    };
    if text.len() > MOST_SHOWN {
        let end = (0..=MOST_SHOWN).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
        text.truncate(end);
        text.push_str("..");
    }
    text
}

fn name(ObjectId(index): ObjectId) -> String {
    format!("o{}", u64::from(index) + 1)
}

/// A value, with the names of objects that have an identity.
fn within(heap: &Heap, value: Value) -> String {
    match (heap.get(value), value) {
        (Some(Object::EnumConstant { name, .. }), _) => name.to_string(),
        (Some(Object::String(_) | Object::Boxed(_)) | None, _) => {
            heap.literal(value).unwrap_or_default()
        }
        (Some(_), Value::Reference(id)) => name(id),
        _ => String::new(),
    }
}

/// The objects of a heap that have an identity.
fn described_heap(heap: &Heap) -> String {
    let mut lines = Vec::new();
    for (index, object) in (0..).zip(&heap.objects) {
        let content = match object {
            Object::Array { component, elements } => {
                let elements: Vec<String> =
                    elements.iter().map(|&element| within(heap, element)).collect();
                format!("{component}[] {{{}}}", elements.join(", "))
            }
            Object::Instance { class, fields } => {
                let field = |field: &petrel_value::FieldValue| {
                    format!("{}: {}", field.name, within(heap, field.value))
                };
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("{class} {{{}}}", fields.join(", "))
            }
            Object::Built { by, calls, .. } => {
                BuildingCall::building_text(by, calls, |value| within(heap, value))
            }
            Object::Opaque { class } => format!("a {class}"),
            Object::String(_)
            | Object::Boxed(_)
            | Object::EnumConstant { .. }
            | Object::Shared(_) => continue,
        };
        lines.push(format!("{}: {content}", name(ObjectId(index))));
    }
    lines.join("; ")
}

/// How a call ended in the engine, in a few words.
pub fn described(derived: &Derived) -> String {
    match &derived.ending {
        Ending::Returned(None) => "void".to_owned(),
        Ending::Returned(Some(value)) => shown(&derived.heap, *value),
        Ending::Threw { class, message } => match message {
            Ok(None) => format!("throws {class}"),
            Ok(Some(message)) => format!("throws {class}: {}", escaped(message)),
            Err(reason) => format!("throws {class}; its message: {reason}"),
        },
        Ending::Limit(what) => format!("limit reached: {what}"),
        Ending::Unsupported { reason, .. } => format!("unsupported: {reason}"),
        Ending::Broken(what) => format!("broken: {what}"),
    }
}

/// An outcome in a few words.
pub fn described_outcome(outcome: &replay::Outcome) -> String {
    match outcome {
        replay::Outcome::Returned { value: None, .. } => "void".to_owned(),
        replay::Outcome::Returned { value: Some(value), after } => shown(&after.heap, *value),
        replay::Outcome::Threw { class, message: None, .. } => format!("throws {class}"),
        replay::Outcome::Threw { class, message: Some(message), .. } => {
            format!("throws {class}: {}", escaped(&message.0))
        }
        other => format!("{other:?}"),
    }
}

/// A call with its inputs.
pub fn described_call(call: &Call) -> String {
    let heap = &call.heap;
    let arguments: Vec<String> =
        call.arguments.iter().map(|&argument| within(heap, argument)).collect();
    let class = call.class.replace('/', ".");
    let mut text =
        format!("{class}.{}{}: ({})", call.method, call.descriptor, arguments.join(", "));
    if let Some(receiver) = call.receiver {
        text.push_str(&format!(" on {}", within(heap, receiver)));
    }
    for field in &call.statics {
        let value = within(heap, field.value);
        text.push_str(&format!(", {}.{} = {value}", field.class, field.name));
    }
    let objects = described_heap(heap);
    if !objects.is_empty() {
        text.push_str(&format!(" where {objects}"));
    }
    text
}
