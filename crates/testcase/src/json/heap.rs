//! Values and objects as JSON.

use petrel_classfile::{JavaString, JavaType};
use petrel_program::external_type;
use petrel_value::{Heap, Object, ObjectId, Value};
use serde_json::{Map, Value as Json, json};

use crate::report::objects::{Names, class_name, named_fields};

/// A heap, and what its objects are called.
pub(super) struct Picture<'a> {
    pub(super) heap: &'a Heap,
    pub(super) names: &'a Names,
}

impl Picture<'_> {
    /// A value; references are into the heap.
    pub(super) fn value(&self, value: Value) -> Json {
        match value {
            Value::Null => Json::Null,
            Value::Boolean(value) => json!(value),
            Value::Byte(value) => json!(value),
            Value::Short(value) => json!(value),
            Value::Char(unit) => json!(unit),
            Value::Int(value) => json!(value),
            Value::Long(value) => json!(value.to_string()),
            Value::Float(_) | Value::Double(_) => {
                let literal = self.heap.literal(value).unwrap_or_default();
                json!(literal.trim_end_matches('f'))
            }
            Value::Reference(id) => match self.heap.get(value) {
                Some(Object::String(text)) => string(text),
                _ => json!({ "ref": self.names.get(id) }),
            },
        }
    }

    pub(super) fn values(&self, values: &[Value]) -> Json {
        values.iter().map(|value| self.value(*value)).collect()
    }

    /// All objects of the heap but the strings, which are values.
    pub(super) fn objects(&self) -> Json {
        let objects = self.names.objects().into_iter();
        let objects: Map<String, Json> =
            objects.map(|id| (self.names.get(id), self.object(id))).collect();
        Json::Object(objects)
    }

    fn object(&self, ObjectId(index): ObjectId) -> Json {
        match &self.heap.objects[index as usize] {
            Object::String(text) => string(text),
            Object::Boxed(content) => json!({
                "class": class_name(content.box_class().unwrap_or_default()),
                "value": self.value(*content),
            }),
            Object::EnumConstant { class, name } => {
                json!({ "class": class_name(class), "constant": name })
            }
            Object::Array { component, elements } => {
                let array = JavaType::Array(Box::new(component.clone()));
                json!({
                    "class": external_type(&array),
                    "length": elements.len(),
                    "elements": self.values(elements),
                })
            }
            Object::Instance { class, fields } => {
                let fields = named_fields(fields).map(|(name, value)| (name, self.value(value)));
                let fields: Map<String, Json> = fields.collect();
                json!({ "class": class_name(class), "fields": fields })
            }
            Object::Opaque { class } => json!({ "class": class_name(class) }),
        }
    }
}

/// A Java string.
pub(super) fn string(text: &JavaString) -> Json {
    text.to_text().map_or_else(|| json!({ "utf16": text.0 }), Json::String)
}
