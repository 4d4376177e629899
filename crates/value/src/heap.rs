//! Values, and the objects that they refer to.

use std::sync::Arc;

use petrel_classfile::{JavaString, JavaType};

/// What a variable, a field or an array element holds.
///
/// Floating-point values are kept as their bits, so that equality is identity: `-0.0` is not `0.0`,
/// and a NaN is itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// `null`.
    Null,
    /// A `boolean`.
    Boolean(bool),
    /// A `byte`.
    Byte(i8),
    /// A `short`.
    Short(i16),
    /// A `char`, by its UTF-16 unit.
    Char(u16),
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`, by its bits.
    Float(u32),
    /// A `double`, by its bits.
    Double(u64),
    /// A reference to an object of the heap that goes with the value.
    Reference(ObjectId),
}

impl Value {
    /// A `float`.
    pub fn float(value: f32) -> Value {
        Value::Float(value.to_bits())
    }

    /// A `double`.
    pub fn double(value: f64) -> Value {
        Value::Double(value.to_bits())
    }

    /// The class whose objects box this value; `None` for `null` and references.
    pub fn box_class(self) -> Option<&'static str> {
        boxed(&match self {
            Value::Null | Value::Reference(_) => return None,
            Value::Boolean(_) => JavaType::Boolean,
            Value::Byte(_) => JavaType::Byte,
            Value::Short(_) => JavaType::Short,
            Value::Char(_) => JavaType::Char,
            Value::Int(_) => JavaType::Int,
            Value::Long(_) => JavaType::Long,
            Value::Float(_) => JavaType::Float,
            Value::Double(_) => JavaType::Double,
        })
    }
}

/// The type of what is in a box of this class; `None` if the class is none of a box.
pub fn unboxed(class: &str) -> Option<JavaType> {
    Some(match class {
        "java/lang/Boolean" => JavaType::Boolean,
        "java/lang/Byte" => JavaType::Byte,
        "java/lang/Short" => JavaType::Short,
        "java/lang/Character" => JavaType::Char,
        "java/lang/Integer" => JavaType::Int,
        "java/lang/Long" => JavaType::Long,
        "java/lang/Float" => JavaType::Float,
        "java/lang/Double" => JavaType::Double,
        _ => return None,
    })
}

/// The class of the boxes that hold values of a type; `None` if it is not primitive.
pub fn boxed(primitive: &JavaType) -> Option<&'static str> {
    Some(match primitive {
        JavaType::Boolean => "java/lang/Boolean",
        JavaType::Byte => "java/lang/Byte",
        JavaType::Short => "java/lang/Short",
        JavaType::Char => "java/lang/Character",
        JavaType::Int => "java/lang/Integer",
        JavaType::Long => "java/lang/Long",
        JavaType::Float => "java/lang/Float",
        JavaType::Double => "java/lang/Double",
        JavaType::Object(_) | JavaType::Array(_) => return None,
    })
}

/// The place of an object in its [`Heap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// An object. Class names are internal names (`java/lang/String`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Object {
    /// A string. It has no fields here: how a `String` is made differs between JDKs.
    String(JavaString),
    /// A primitive value as an object, such as an `Integer`; the value is primitive.
    Boxed(Value),
    /// A constant of an enum, which exists once and is never built from its fields.
    EnumConstant {
        /// The enum that declares it.
        class: Arc<str>,
        /// Its name.
        name: Box<str>,
    },
    /// An object that the program has already, which exists once and is never built.
    Shared(Shared),
    /// An array.
    Array {
        /// Type of the elements.
        component: JavaType,
        /// The elements.
        elements: Vec<Value>,
    },
    /// Any other object.
    Instance {
        /// Its class.
        class: Arc<str>,
        /// Its instance fields, those of superclasses included. Fields that are left out have the
        /// value that they have in a new object.
        fields: Vec<FieldValue>,
    },
    /// An object that the code of its class makes: by a constructor or a factory, and calls on what that
    /// gives. Only arguments are such objects: what a call leaves behind is described by its fields.
    Built {
        /// Its class.
        class: Arc<str>,
        /// What makes it.
        by: Call,
        /// What is called on it then.
        calls: Vec<Call>,
    },
    /// An object of which nothing but the class is known: what it is depends on the JVM that it
    /// lives in (a `Class`, a thread), or it was cut off.
    Opaque {
        /// Its class.
        class: Arc<str>,
    },
}

/// An object that is there once the program's classes are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Shared {
    /// The string that all constants of the code with these units are.
    Constant(JavaString),
    /// What a static field refers to, or an element of the array that it refers to.
    Static {
        /// The class that declares the field.
        class: Arc<str>,
        /// Its name.
        field: Box<str>,
        /// The index of the element.
        element: Option<u32>,
    },
}

/// A call that makes an object, or is made on it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Call {
    /// The class that declares the method.
    pub class: Arc<str>,
    /// Name of the method: `<init>` of a constructor. A method that makes an object is static, any other is
    /// an instance method.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// The arguments, without the receiver.
    pub arguments: Vec<Value>,
}

/// An instance field and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FieldValue {
    /// The class that declares the field: a subclass may have another one of the same name.
    pub class: Arc<str>,
    /// Name of the field.
    pub name: Arc<str>,
    /// What it holds.
    pub value: Value,
}

/// Objects, each at the place that references name it by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Heap {
    /// The objects; [`ObjectId`] is an index.
    pub objects: Vec<Object>,
}

impl Heap {
    /// A heap without objects.
    pub fn new() -> Heap {
        Heap::default()
    }

    /// Adds an object and returns the reference to it.
    ///
    /// # Panics
    ///
    /// If there are more objects than a `u32` counts, which is more than fits into memory.
    pub fn add(&mut self, object: Object) -> Value {
        let index = u32::try_from(self.objects.len()).expect("memory ends before a u32 does");
        self.objects.push(object);
        Value::Reference(ObjectId(index))
    }

    /// Adds a string.
    pub fn add_string(&mut self, text: &str) -> Value {
        self.add(Object::String(text.into()))
    }

    /// Adds an array.
    pub fn add_array(&mut self, component: JavaType, elements: Vec<Value>) -> Value {
        self.add(Object::Array { component, elements })
    }

    /// The object that a value refers to; `None` if the value is no reference into this heap.
    pub fn get(&self, value: Value) -> Option<&Object> {
        match value {
            Value::Reference(ObjectId(index)) => self.objects.get(index as usize),
            _ => None,
        }
    }

    /// Like [`Heap::get`], for changing the object; this is how a cycle is closed.
    pub fn get_mut(&mut self, value: Value) -> Option<&mut Object> {
        match value {
            Value::Reference(ObjectId(index)) => self.objects.get_mut(index as usize),
            _ => None,
        }
    }
}
