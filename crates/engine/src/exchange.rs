//! Values between the machine and data: arguments in, results out.

use petrel_classfile::JavaType;
use petrel_value::{self as data, Heap, Object, ObjectId};
use rustc_hash::FxHashMap;

use crate::machine::{Machine, Stop};
use crate::stop::{Outcome, Reason};
use crate::types::TypeId;
use crate::value::{Reference, Value};

/// Objects beyond this number are left out of what is taken from the machine.
const MOST_OBJECTS: usize = 10_000;

/// Puts data into a machine. Each object of the heap becomes one object, however many values refer to
/// it.
pub struct Import<'a> {
    heap: &'a Heap,
    known: FxHashMap<ObjectId, Value>,
}

impl<'a> Import<'a> {
    /// For the values that go with a heap.
    pub fn new(heap: &'a Heap) -> Import<'a> {
        Import { heap, known: FxHashMap::default() }
    }

    /// The value in the machine.
    ///
    /// # Errors
    ///
    /// If an object cannot be made.
    pub fn value(
        &mut self,
        machine: &mut Machine<'_>,
        value: data::Value,
    ) -> Result<Value, Reason> {
        Ok(match value {
            data::Value::Null => Value::NULL,
            data::Value::Boolean(value) => Value::boolean(value),
            data::Value::Byte(value) => Value::int(value.into()),
            data::Value::Short(value) => Value::int(value.into()),
            data::Value::Char(value) => Value::int(value.into()),
            data::Value::Int(value) => Value::int(value),
            data::Value::Long(value) => Value::long(value),
            data::Value::Float(bits) => Value::known(bits.into()),
            data::Value::Double(bits) => Value::known(bits),
            data::Value::Reference(id) => match self.known.get(&id) {
                Some(&known) => known,
                None => self.object(machine, id)?,
            },
        })
    }

    fn object(&mut self, machine: &mut Machine<'_>, id: ObjectId) -> Result<Value, Reason> {
        let stopped = |Stop(reason): Stop| reason;
        let object = self
            .heap
            .get(data::Value::Reference(id))
            .ok_or_else(|| Reason::Broken("a reference to an object that is not there".into()))?;
        match object {
            Object::String(text) => {
                let string = machine.string(&text.0)?;
                self.known.insert(id, string);
                Ok(string)
            }
            Object::Boxed(value) => {
                let boxed = self.boxed(machine, *value)?;
                self.known.insert(id, boxed);
                Ok(boxed)
            }
            Object::Array { component, elements } => {
                let class = machine.types.of_name(&format!("[{component}"));
                let array = machine.new_array(class, elements.len()).map_err(stopped)?;
                self.known.insert(id, Value::reference(array));
                for (index, &element) in elements.iter().enumerate() {
                    let element = self.value(machine, element)?;
                    machine.heap.set_element(array, index, element);
                }
                Ok(Value::reference(array))
            }
            Object::Instance { class, fields } => {
                let class = machine.types.of_name(class);
                let object = machine.new_object(class).map_err(stopped)?;
                self.known.insert(id, Value::reference(object));
                for field in fields {
                    let value = self.value(machine, field.value)?;
                    let slot = machine.slot_named(&field.class, &field.name).map_err(stopped)?;
                    machine.heap.set_field(object, slot, value);
                }
                Ok(Value::reference(object))
            }
            Object::EnumConstant { class, name } => {
                let constant = self.constant(machine, class, name)?;
                self.known.insert(id, constant);
                Ok(constant)
            }
            Object::Opaque { class } => {
                Err(Reason::Unsupported(format!("an opaque {class} as an argument")))
            }
        }
    }

    /// Through `valueOf`, because of the caches.
    fn boxed(&mut self, machine: &mut Machine<'_>, value: data::Value) -> Result<Value, Reason> {
        let primitive = match value {
            data::Value::Boolean(_) => "Z",
            data::Value::Byte(_) => "B",
            data::Value::Short(_) => "S",
            data::Value::Char(_) => "C",
            data::Value::Int(_) => "I",
            data::Value::Long(_) => "J",
            data::Value::Float(_) => "F",
            _ => "D",
        };
        let class = value.box_class().unwrap_or("java/lang/Object");
        let descriptor = format!("({primitive})L{class};");
        let value = self.value(machine, value)?;
        machine.call_library(class, "valueOf", &descriptor, &[value])
    }

    fn constant(
        &mut self,
        machine: &mut Machine<'_>,
        class: &str,
        name: &str,
    ) -> Result<Value, Reason> {
        let descriptor = format!("(Ljava/lang/String;)L{class};");
        let units: Vec<u16> = name.encode_utf16().collect();
        let name = machine.string(&units)?;
        machine.call_library(class, "valueOf", &descriptor, &[name])
    }
}

impl Machine<'_> {
    /// Calls a static method that returns.
    ///
    /// # Errors
    ///
    /// If there is no such method, it throws, or the derivation stops.
    pub fn call_library(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        arguments: &[Value],
    ) -> Result<Value, Reason> {
        let method = self.declared(class, name, descriptor).map_err(|Stop(reason)| reason)?;
        self.frames.clear();
        self.special.clear();
        match self.execute(method, arguments) {
            Outcome::Returned(value) => Ok(value.unwrap_or_default()),
            Outcome::Threw(exception) => {
                let class = self.class_name(exception);
                Err(Reason::Broken(format!("{class} thrown by {name}{descriptor}")))
            }
            Outcome::Stopped { reason, .. } => Err(reason),
        }
    }

    /// The name of an object's class, as `Class.getName` gives it.
    pub fn class_name(&self, object: Reference) -> String {
        self.types.class_name(self.heap.class(object))
    }

    /// A value of a type as data, with all that it refers to.
    pub fn export(&mut self, value: Value, java_type: &JavaType) -> (data::Value, Heap) {
        let mut export = Export { heap: Heap::new(), known: FxHashMap::default() };
        let value = export.value(self, value, java_type);
        (value, export.heap)
    }
}

/// Takes data out of a machine.
struct Export {
    heap: Heap,
    known: FxHashMap<Reference, data::Value>,
}

impl Export {
    fn value(&mut self, machine: &mut Machine<'_>, value: Value, of: &JavaType) -> data::Value {
        match of {
            JavaType::Boolean => data::Value::Boolean(value.as_int() & 1 != 0),
            JavaType::Byte => data::Value::Byte(value.as_int() as i8),
            JavaType::Short => data::Value::Short(value.as_int() as i16),
            JavaType::Char => data::Value::Char(value.as_int() as u16),
            JavaType::Int => data::Value::Int(value.as_int()),
            JavaType::Long => data::Value::Long(value.as_long()),
            JavaType::Float => data::Value::Float(value.bits as u32),
            JavaType::Double => data::Value::Double(value.bits),
            _ => self.object(machine, value.as_reference()),
        }
    }

    fn object(&mut self, machine: &mut Machine<'_>, reference: Reference) -> data::Value {
        if reference.is_null() {
            return data::Value::Null;
        }
        if let Some(&known) = self.known.get(&reference) {
            return known;
        }
        let class = machine.heap.class(reference);
        let name: Box<str> = (&*machine.types.get(class).name).into();
        let opaque = Object::Opaque { class: name.clone() };
        if let Some(units) = machine.units(reference) {
            return self.add(reference, Object::String(petrel_classfile::JavaString(units.into())));
        }
        if self.heap.objects.len() >= MOST_OBJECTS || class == TypeId::CLASS {
            return self.add(reference, opaque);
        }
        if let Some(boxed) = unboxed(&name) {
            let value = machine
                .slot_named(&name, "value")
                .map_or(Value::NULL, |slot| machine.heap.field(reference, slot));
            let value = self.value(machine, value, &boxed);
            return self.add(reference, Object::Boxed(value));
        }
        if let Some((component, _)) = machine.types.get(class).component {
            let descriptor = machine.types.descriptor(component);
            let Ok(component) = JavaType::parse(&descriptor) else {
                return self.add(reference, opaque);
            };
            let empty = Object::Array { component: component.clone(), elements: Vec::new() };
            let array = self.add(reference, empty);
            let elements: Vec<data::Value> = (0..machine.heap.length(reference))
                .map(|index| {
                    let element = machine.heap.element(reference, index);
                    self.value(machine, element, &component)
                })
                .collect();
            if let Some(Object::Array { elements: place, .. }) = self.heap.get_mut(array) {
                *place = elements;
            }
            return array;
        }
        let instance = self.add(reference, Object::Instance { class: name, fields: Vec::new() });
        let fields = self.fields(machine, reference, class).unwrap_or_default();
        if let Some(Object::Instance { fields: place, .. }) = self.heap.get_mut(instance) {
            *place = fields;
        }
        instance
    }

    fn add(&mut self, reference: Reference, object: Object) -> data::Value {
        let value = self.heap.add(object);
        self.known.insert(reference, value);
        value
    }

    fn fields(
        &mut self,
        machine: &mut Machine<'_>,
        object: Reference,
        class: TypeId,
    ) -> Result<Vec<data::FieldValue>, Stop> {
        let loaded = machine.class(class)?;
        let mut values = Vec::new();
        for declaring in loaded.lineage() {
            let id = machine.types.of_name(declaring.name());
            for field in declaring.fields().filter(|field| !field.is_static()) {
                let slot = machine.layout(id)?.declared.get(field.index()).copied();
                let value = machine.heap.field(object, slot.unwrap_or_default() as u16);
                let Ok(java_type) = JavaType::parse(field.descriptor()) else { continue };
                let value = self.value(machine, value, &java_type);
                values.push(data::FieldValue {
                    class: declaring.name().into(),
                    name: field.name().into(),
                    value,
                });
            }
        }
        Ok(values)
    }
}

/// The type in a box.
fn unboxed(class: &str) -> Option<JavaType> {
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
