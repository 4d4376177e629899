//! Values and objects as JSON.

use petrel_classfile::{JavaString, JavaType};
use petrel_program::external_type;
use petrel_value::{FieldValue, Heap, Object, ObjectId, Value};
use serde_json::{Map, Value as Json, json};

use crate::report::object_name;

/// A value; references are into the heap.
pub(super) fn value(value: Value, heap: &Heap) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Boolean(value) => json!(value),
        Value::Byte(value) => json!(value),
        Value::Short(value) => json!(value),
        Value::Char(unit) => json!(unit),
        Value::Int(value) => json!(value),
        Value::Long(value) => json!(value.to_string()),
        Value::Float(_) | Value::Double(_) => {
            let literal = heap.literal(value).unwrap_or_default();
            json!(literal.trim_end_matches('f'))
        }
        Value::Reference(id) => match heap.get(value) {
            Some(Object::String(text)) => string(text),
            _ => json!({ "ref": object_name(id) }),
        },
    }
}

/// A Java string.
pub(super) fn string(text: &JavaString) -> Json {
    text.to_text().map_or_else(|| json!({ "utf16": text.0 }), Json::String)
}

/// All objects of a heap but the strings, which are values.
pub(super) fn objects(heap: &Heap) -> Json {
    let mut objects = Map::new();
    for (index, content) in (0..).zip(&heap.objects) {
        if !matches!(content, Object::String(_)) {
            objects.insert(object_name(ObjectId(index)), object(content, heap));
        }
    }
    Json::Object(objects)
}

fn object(object: &Object, heap: &Heap) -> Json {
    match object {
        Object::String(text) => string(text),
        Object::Boxed(content) => json!({
            "class": class(content.box_class().unwrap_or_default()),
            "value": value(*content, heap),
        }),
        Object::EnumConstant { class: name, name: constant } => {
            json!({ "class": class(name), "constant": constant })
        }
        Object::Array { component, elements } => {
            let array = JavaType::Array(Box::new(component.clone()));
            let elements: Vec<Json> = elements.iter().map(|e| value(*e, heap)).collect();
            json!({
                "class": external_type(&array),
                "length": elements.len(),
                "elements": elements,
            })
        }
        Object::Instance { class: name, fields: values } => {
            json!({ "class": class(name), "fields": fields(values, heap) })
        }
        Object::Opaque { class: name } => json!({ "class": class(name) }),
    }
}

/// Fields by name; those that share theirs with a field of another class as `pkg.Class.name`.
fn fields(fields: &[FieldValue], heap: &Heap) -> Json {
    let mut members = Map::new();
    for field in fields {
        let shared = fields.iter().filter(|other| other.name == field.name).count() > 1;
        let name = if shared {
            format!("{}.{}", class(&field.class), field.name)
        } else {
            field.name.to_string()
        };
        members.insert(name, value(field.value, heap));
    }
    Json::Object(members)
}

fn class(internal_name: &str) -> String {
    internal_name.replace('/', ".")
}
