//! Values and objects as JSON.

use petrel_classfile::{JavaString, JavaType};
use petrel_program::external_type;
use petrel_value::{Call, Heap, Object, ObjectId, Value};
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
            Object::Built { class, by, calls } => {
                let calls = [by].into_iter().chain(calls);
                let calls: Vec<Json> = calls.map(|call| self.building_call(class, call)).collect();
                json!({ "class": class_name(class), "built": calls })
            }
            Object::Opaque { class } => json!({ "class": class_name(class) }),
        }
    }

    /// A call that makes an object of a class or is made on it, with the class that declares the method if that
    /// is another one.
    fn building_call(&self, built: &str, call: &Call) -> Json {
        let mut members = Map::new();
        if *call.class != *built {
            members.insert("class".to_owned(), json!(class_name(&call.class)));
        }
        members.insert("call".to_owned(), json!(format!("{}{}", call.name, call.descriptor)));
        members.insert("args".to_owned(), self.values(&call.arguments));
        Json::Object(members)
    }
}

/// A Java string.
pub(super) fn string(text: &JavaString) -> Json {
    text.to_text().map_or_else(|| json!({ "utf16": text.0 }), Json::String)
}
