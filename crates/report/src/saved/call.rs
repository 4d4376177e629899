//! Calls that are not all numbers, with the objects that they refer to.

use petrel_testcase::Solution;
use petrel_value::{Heap, Object, ObjectId, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number;

/// The inputs of a finished derivation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedCall {
    /// The receiver, if there is one, and the arguments.
    pub inputs: Vec<SavedValue>,
    /// The objects that they refer to, by their index.
    pub objects: Vec<SavedObject>,
    /// What the call returns, if it returns something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<SavedValue>,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SavedValue {
    /// No object.
    Null,
    /// A value of an integral type.
    Number(i64),
    /// A `double`, or a `float` as the `double` of the same value, by its bits.
    Real(u64),
    /// A string.
    String(String),
    /// A constant of an enum.
    Constant {
        /// The enum that declares it, by its internal name.
        class: String,
        /// Its name.
        name: String,
    },
    /// An object of the list.
    Object(usize),
    /// A result of which only the class is kept.
    Of(String),
}

/// An object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SavedObject {
    /// An array.
    Array {
        /// Its class, such as `[I`.
        class: String,
        /// The elements.
        elements: Vec<SavedValue>,
    },
    /// An instance.
    Instance {
        /// Its class, by its internal name.
        class: String,
        /// Its fields; those that are left out are as in a new object.
        fields: Vec<SavedField>,
    },
}

/// A field of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedField {
    /// The class that declares it.
    pub class: String,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub value: SavedValue,
}

impl SavedCall {
    /// Nothing for inputs that no fact can state: what the world outside answers, boxes, objects that calls build.
    pub(super) fn of(solution: &Solution) -> Option<SavedCall> {
        if !solution.statics.is_empty() || !solution.answers.is_empty() {
            return None;
        }
        let inputs: Vec<Value> =
            solution.receiver.iter().chain(&solution.arguments).copied().collect();
        let mut call = SavedCall { inputs: Vec::new(), objects: Vec::new(), result: None };
        let mut writer = Writer { heap: &solution.heap, met: Vec::new() };
        call.inputs = writer.all(&inputs)?;
        // Writing an object finds others.
        while let Some(&object) = writer.met.get(call.objects.len()) {
            let written = writer.object(object)?;
            call.objects.push(written);
        }
        let heap = &solution.output.heap;
        call.result = match solution.output.value {
            None => None,
            Some(value @ Value::Reference(_)) => Some(result(heap, value)?),
            Some(value) => Some(writer.value(value)?),
        };
        Some(call)
    }
}

/// A reference that a call returns.
fn result(heap: &Heap, value: Value) -> Option<SavedValue> {
    Some(match heap.get(value)? {
        Object::String(text) => SavedValue::String(String::from_utf16(&text.0).ok()?),
        Object::EnumConstant { class, name } => {
            SavedValue::Constant { class: class.to_string(), name: name.to_string() }
        }
        Object::Array { component, .. } => SavedValue::Of(format!("[{component}")),
        Object::Instance { class, .. } | Object::Opaque { class } => {
            SavedValue::Of(class.to_string())
        }
        Object::Boxed(value) => SavedValue::Of(value.box_class()?.to_owned()),
        Object::Shared(_) | Object::Built { .. } => return None,
    })
}

/// What writes the objects of a heap in the order in which they are met.
struct Writer<'a> {
    heap: &'a Heap,
    met: Vec<ObjectId>,
}

impl Writer<'_> {
    fn place(&mut self, object: ObjectId) -> usize {
        self.met.iter().position(|met| *met == object).unwrap_or_else(|| {
            self.met.push(object);
            self.met.len() - 1
        })
    }

    fn all(&mut self, values: &[Value]) -> Option<Vec<SavedValue>> {
        values.iter().map(|value| self.value(*value)).collect()
    }

    fn value(&mut self, value: Value) -> Option<SavedValue> {
        Some(match value {
            Value::Null => SavedValue::Null,
            Value::Float(bits) => SavedValue::Real(f64::from(f32::from_bits(bits)).to_bits()),
            Value::Double(bits) => SavedValue::Real(bits),
            Value::Reference(object) => match self.heap.get(value)? {
                Object::String(text) => SavedValue::String(String::from_utf16(&text.0).ok()?),
                Object::EnumConstant { class, name } => {
                    SavedValue::Constant { class: class.to_string(), name: name.to_string() }
                }
                Object::Array { .. } | Object::Instance { .. } => {
                    SavedValue::Object(self.place(object))
                }
                _ => return None,
            },
            other => SavedValue::Number(number(other)?),
        })
    }

    fn object(&mut self, object: ObjectId) -> Option<SavedObject> {
        Some(match self.heap.get(Value::Reference(object))? {
            Object::Array { component, elements } => {
                SavedObject::Array { class: format!("[{component}"), elements: self.all(elements)? }
            }
            Object::Instance { class, fields } => {
                let fields = fields.iter().map(|field| {
                    Some(SavedField {
                        class: field.class.to_string(),
                        name: field.name.to_string(),
                        value: self.value(field.value)?,
                    })
                });
                let fields: Option<Vec<SavedField>> = fields.collect();
                SavedObject::Instance { class: class.to_string(), fields: fields? }
            }
            _ => return None,
        })
    }
}
