//! Values and objects as text.

use petrel_program::external_type;
use petrel_value::{Heap, Object, ObjectId, Value};

use crate::report::object_name;

/// A value as a Java literal; `o1` for an object that no literal can write.
pub(super) fn value(value: Value, heap: &Heap) -> String {
    heap.literal(value).unwrap_or_else(|| match value {
        Value::Reference(id) => object_name(id),
        // Only objects have no literal.
        _ => String::new(),
    })
}

/// The objects that `values` lead to and that no literal can write, each as `o1 = Point {x = 1}`.
pub(super) fn objects(heap: &Heap, values: &[Value]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut seen = vec![false; heap.objects.len()];
    let mut open: Vec<Value> = values.iter().rev().copied().collect();
    while let Some(next) = open.pop() {
        let (Value::Reference(id), Some(content)) = (next, heap.get(next)) else { continue };
        let known = std::mem::replace(&mut seen[id.0 as usize], true);
        if known || heap.literal(next).is_some() {
            continue;
        }
        texts.push(object(id, content, heap));
        match content {
            Object::Array { elements, .. } => open.extend(elements.iter().rev()),
            Object::Instance { fields, .. } => {
                open.extend(fields.iter().rev().map(|field| field.value));
            }
            _ => {}
        }
    }
    texts
}

fn object(id: ObjectId, content: &Object, heap: &Heap) -> String {
    let class = |name: &str| name.replace('/', ".");
    let content = match content {
        Object::Instance { class: name, fields } => {
            let fields = fields.iter();
            let fields: Vec<String> = fields
                .map(|field| format!("{} = {}", field.name, value(field.value, heap)))
                .collect();
            format!("{} {{{}}}", class(name), fields.join(", "))
        }
        Object::Array { component, elements } => {
            let elements: Vec<String> = elements.iter().map(|e| value(*e, heap)).collect();
            format!("{}[] {{{}}}", external_type(component), elements.join(", "))
        }
        Object::EnumConstant { class: name, name: constant } => {
            format!("{}.{constant}", class(name))
        }
        Object::Opaque { class: name } => format!("{} (unknown)", class(name)),
        Object::String(_) | Object::Boxed(_) => {
            heap.literal(Value::Reference(id)).unwrap_or_default()
        }
    };
    format!("{} = {content}", object_name(id))
}
