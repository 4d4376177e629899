//! Values and objects.
//!
//! `int`, `short`, `byte`, `char` (as its number) and `boolean` are JSON numbers and booleans; `long`, `float` and
//! `double` are strings, because JSON's readers round numbers. A string is a JSON string; one with unpaired surrogates,
//! which many readers refuse, is `{"utf16": [55296]}`. Any other object is `{"ref": "o1"}`, and the heap that goes with
//! it has what `o1` is: the fields of an instance, the elements of an array, or, for an input that the code of its class
//! makes, the calls to do so, of which the first one makes it. After the call such an object has fields.

use std::borrow::Cow;

use petrel_classfile::JavaString;
use petrel_program::external_type;
use petrel_testcase::objects::{Names, is_name_shared};
use petrel_value::{self as data, Shared};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::members::Members;
use crate::text::Text;

/// A value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value<'a> {
    /// `null`, or that there is no value.
    #[default]
    Null,
    /// A `boolean`.
    Boolean(bool),
    /// A `byte`, `short`, `char` or `int`.
    Number(i32),
    /// A string, or a `long`, `float` or `double` as text.
    Text(Text<'a>),
    /// A string that is no Unicode text.
    Utf16(Utf16<'a>),
    /// An object of the heap that goes with the value.
    Reference(Reference<'a>),
}

/// A string as UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Utf16<'a> {
    /// The units.
    pub utf16: Cow<'a, [u16]>,
}

/// A reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reference<'a> {
    /// The name of the object: `o1`.
    #[serde(rename = "ref")]
    pub name: Text<'a>,
}

/// Objects by their names.
pub type Heap<'a> = Members<'a, Object<'a>>;

/// An object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Object<'a> {
    /// A primitive value as an object.
    Boxed {
        /// Its class.
        class: Text<'a>,
        /// The primitive value.
        value: Value<'a>,
    },
    /// A constant of an enum.
    Constant {
        /// The enum.
        class: Text<'a>,
        /// The name of the constant.
        constant: Text<'a>,
    },
    /// What a static field refers to, or an element of the array that it refers to.
    Static {
        /// The class that declares the field.
        class: Text<'a>,
        /// The name of the field.
        static_field: Text<'a>,
        /// The index of the element.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        element: Option<u32>,
    },
    /// An array.
    Array {
        /// Its class: `int[]`.
        class: Text<'a>,
        /// Its length.
        length: usize,
        /// Its elements.
        elements: Vec<Value<'a>>,
    },
    /// An instance with its fields. One that shares its name with a field of another class is `pkg.Class.name`.
    Instance {
        /// Its class.
        class: Text<'a>,
        /// Its fields.
        fields: Members<'a, Value<'a>>,
    },
    /// An object that calls make.
    Built {
        /// Its class.
        class: Text<'a>,
        /// The calls, of which the first makes it.
        built: Vec<Call<'a>>,
    },
    /// An object of which nothing else is told.
    Opaque {
        /// Its class.
        class: Text<'a>,
    },
}

/// A call that makes an object, or is made on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Call<'a> {
    /// The class that declares the method, if it is not that of the object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Text<'a>>,
    /// Name and descriptor: `<init>(I)V`.
    pub call: Text<'a>,
    /// The arguments.
    pub args: Vec<Value<'a>>,
}

/// A heap, and what its objects are called.
pub(crate) struct Picture<'a, 'n> {
    pub(crate) heap: &'a data::Heap,
    pub(crate) names: &'n Names,
}

impl<'a> Picture<'a, '_> {
    /// A value; references are into the heap.
    pub(crate) fn value(&self, value: data::Value) -> Value<'a> {
        match value {
            data::Value::Null => Value::Null,
            data::Value::Boolean(value) => Value::Boolean(value),
            data::Value::Byte(value) => Value::Number(value.into()),
            data::Value::Short(value) => Value::Number(value.into()),
            data::Value::Char(unit) => Value::Number(unit.into()),
            data::Value::Int(value) => Value::Number(value),
            data::Value::Long(value) => Value::Text(Text::number(value)),
            data::Value::Float(_) | data::Value::Double(_) => {
                let mut literal = self.heap.literal(value).unwrap_or_default();
                literal.truncate(literal.trim_end_matches('f').len());
                Value::Text(literal.into())
            }
            data::Value::Reference(id) => match self.heap.get(value) {
                Some(data::Object::String(text) | data::Object::Shared(Shared::Constant(text))) => {
                    string(text)
                }
                _ => Value::Reference(Reference { name: self.name(id) }),
            },
        }
    }

    fn name(&self, id: data::ObjectId) -> Text<'a> {
        self.names.number(id).map_or_else(Text::default, Text::object)
    }

    pub(crate) fn values(&self, values: &[data::Value]) -> Vec<Value<'a>> {
        values.iter().map(|value| self.value(*value)).collect()
    }

    /// All objects of the heap but the strings, which are values.
    pub(crate) fn objects(&self) -> Heap<'a> {
        let objects = self.names.objects().into_iter();
        objects.filter_map(|id| Some((self.name(id), self.object(id)?))).collect()
    }

    fn object(&self, data::ObjectId(index): data::ObjectId) -> Option<Object<'a>> {
        Some(match &self.heap.objects[index as usize] {
            data::Object::String(_) | data::Object::Shared(Shared::Constant(_)) => return None,
            data::Object::Shared(Shared::Static { class, field, element }) => Object::Static {
                class: Text::class(class),
                static_field: Text::from(&**field),
                element: *element,
            },
            data::Object::Boxed(content) => Object::Boxed {
                class: Text::class(content.box_class().unwrap_or_default()),
                value: self.value(*content),
            },
            data::Object::EnumConstant { class, name } => {
                Object::Constant { class: Text::class(class), constant: Text::from(&**name) }
            }
            data::Object::Array { component, elements } => Object::Array {
                class: (external_type(component) + "[]").into(),
                length: elements.len(),
                elements: self.values(elements),
            },
            data::Object::Instance { class, fields } => {
                let named = fields.iter().map(|field| {
                    let is_shared = is_name_shared(field, fields);
                    let name = if is_shared { qualified(field) } else { Text::from(&*field.name) };
                    (name, self.value(field.value))
                });
                Object::Instance { class: Text::class(class), fields: named.collect() }
            }
            data::Object::Built { class, by, calls } => {
                let calls = [by].into_iter().chain(calls);
                let built = calls.map(|call| self.building_call(class, call)).collect();
                Object::Built { class: Text::class(class), built }
            }
            data::Object::Opaque { class } => Object::Opaque { class: Text::class(class) },
        })
    }

    fn building_call(&self, built: &str, call: &'a data::Call) -> Call<'a> {
        Call {
            class: (*call.class != *built).then(|| Text::class(&call.class)),
            call: Text::method(&call.name, &call.descriptor),
            args: self.values(&call.arguments),
        }
    }
}

/// `pkg.Class.name`.
pub(crate) fn qualified(field: &data::FieldValue) -> Text<'_> {
    Text::member(&field.class, &field.name)
}

/// A Java string.
pub(crate) fn string(text: &JavaString) -> Value<'_> {
    match text.to_text() {
        Some(text) => Value::Text(text.into()),
        None => Value::Utf16(Utf16 { utf16: Cow::Borrowed(&text.0) }),
    }
}
