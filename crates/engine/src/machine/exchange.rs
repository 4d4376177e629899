//! Values between the machine and data: arguments in, results out.

use std::collections::VecDeque;
use std::sync::Arc;

use petrel_classfile::{JavaType, flags};
use petrel_program::ResolvedMethod;
use petrel_value::{self as data, BuildStep, Heap, Object, ObjectId, Shared};
use rustc_hash::FxHashMap;

use crate::exploration::FOR_NAME;
use crate::machine::outline::FieldOutline;
use crate::machine::stop::{Feature, Outcome, Reason};
use crate::machine::types::TypeId;
use crate::machine::value::{Reference, Value};
use crate::machine::{Machine, MethodNumber, Stop};

/// Objects beyond this number are left out of what is taken from the machine.
const MOST_OBJECTS: usize = 10_000;

/// Puts data into a machine. Each object of the heap becomes one object, however many values refer to
/// it.
pub struct Import {
    objects: Vec<Value>,
}

impl Import {
    /// Makes the objects of a heap.
    ///
    /// # Errors
    ///
    /// If an object cannot be made.
    pub fn new(machine: &mut Machine<'_>, heap: &Heap) -> Result<Import, Reason> {
        // All objects first, then what they refer to: graphs may be deep and have cycles.
        let made = heap.objects.iter().map(|object| make(machine, object));
        let mut import = Import { objects: made.collect::<Result<_, _>>()? };
        for step in heap.order_of_building() {
            let (BuildStep::Make(id) | BuildStep::Fill(id) | BuildStep::Call(id)) = step;
            let Some(object) = heap.objects.get(id.0 as usize) else { continue };
            match (step, object) {
                (BuildStep::Make(_), Object::Built { by, .. }) => {
                    let made = import.make_by(machine, by)?;
                    import.objects[id.0 as usize] = made;
                }
                (BuildStep::Call(_), Object::Built { calls, .. }) => {
                    let receiver = import.value(data::Value::Reference(id));
                    for call in calls {
                        import.call_on(machine, receiver, call)?;
                    }
                }
                _ => {
                    let made = import.value(data::Value::Reference(id));
                    import.fill(machine, object, made.as_reference())?;
                }
            }
        }
        Ok(import)
    }

    /// Makes an object by a constructor or factory.
    fn make_by(&self, machine: &mut Machine<'_>, by: &data::Call) -> Result<Value, Reason> {
        if (&*by.name, &*by.descriptor) == FOR_NAME {
            return self.class_object(machine, by);
        }
        let class = machine.types.of_name(&by.class);
        // Nothing else refers to what was made before.
        machine.heap.kept = machine.heap.count();
        if !machine.is_initialised(class).map_err(reason)? {
            machine.prepare_class(class)?;
        }
        let method = machine.declared(&by.class, &by.name, &by.descriptor).map_err(reason)?;
        let mut arguments: Vec<Value> =
            by.arguments.iter().map(|&argument| self.value(argument)).collect();
        let is_constructor = machine.methods.get(method).resolved.is_constructor();
        if is_constructor {
            let made = machine.new_object(class).map(Value::reference).map_err(reason)?;
            arguments.insert(0, made);
        }
        let returned = machine.returned(method, &arguments)?;
        Ok(if is_constructor { arguments[0] } else { returned })
    }

    /// The `Class` object of a class of the class library. Its own code would ask class loaders.
    fn class_object(&self, machine: &mut Machine<'_>, by: &data::Call) -> Result<Value, Reason> {
        let name = by.arguments.first().map(|&name| self.value(name).as_reference());
        let name = name.and_then(|name| machine.text_of(name)).unwrap_or_default();
        let name = name.replace('.', "/");
        let class = match name.starts_with('[') {
            true => machine.types.of_descriptor(&name),
            false => machine.types.of_name(&name),
        };
        machine.mirror(class).map(Value::reference).map_err(reason)
    }

    fn call_on(
        &self,
        machine: &mut Machine<'_>,
        receiver: Value,
        call: &data::Call,
    ) -> Result<(), Reason> {
        let mut arguments = vec![receiver];
        arguments.extend(call.arguments.iter().map(|&argument| self.value(argument)));
        if receiver.as_reference().is_null() {
            return Err(Reason::Broken(format!("{} on an object that was not made", call.name)));
        }
        let method = machine.declared(&call.class, &call.name, &call.descriptor).map_err(reason)?;
        let class = machine.heap.class(receiver.as_reference());
        let selected = machine.select(class, method).map_err(reason)?;
        let selected = selected.map_err(|error| Reason::Broken(error.message))?;
        machine.returned(selected, &arguments).map(drop)
    }

    /// The value in the machine.
    pub fn value(&self, value: data::Value) -> Value {
        match value {
            data::Value::Reference(ObjectId(index)) => {
                self.objects.get(index as usize).copied().unwrap_or_default()
            }
            primitive => primitive_value(primitive),
        }
    }

    /// What a method is called with: the object that a constructor is to make, or the receiver, if there is
    /// one, and the arguments.
    ///
    /// # Errors
    ///
    /// If the object of a constructor cannot be made.
    pub fn arguments<'v>(
        &self,
        machine: &mut Machine<'_>,
        method: &ResolvedMethod,
        given: impl Iterator<Item = &'v data::Value>,
    ) -> Result<Vec<Value>, Reason> {
        let mut all = Vec::new();
        if method.is_constructor() {
            all.push(machine.new_instance(method.class().name())?);
        }
        all.extend(given.map(|&value| self.value(value)));
        Ok(all)
    }

    fn fill(
        &self,
        machine: &mut Machine<'_>,
        object: &Object,
        made: Reference,
    ) -> Result<(), Reason> {
        match object {
            Object::Array { elements, .. } => {
                for (index, &element) in elements.iter().enumerate() {
                    machine.heap.set_element(made, index, self.value(element));
                }
            }
            Object::Instance { fields, .. } => {
                let class = machine.heap.class(made);
                let outlines = machine.field_outlines(class).map_err(reason)?;
                for (at, field) in fields.iter().enumerate() {
                    let is_it = |outline: &&FieldOutline| {
                        outline.name == field.name && outline.class == field.class
                    };
                    // Mostly they come in the same order.
                    let same_place = outlines.get(at).filter(is_it);
                    let outline = same_place.or_else(|| outlines.iter().find(is_it));
                    let outline = outline.ok_or_else(|| {
                        Reason::Broken(format!("{} has no field {}", field.class, field.name))
                    })?;
                    machine.heap.set_field(made, outline.slot, self.value(field.value));
                }
            }
            Object::String(_)
            | Object::Boxed(_)
            | Object::EnumConstant { .. }
            | Object::Shared(_)
            | Object::Built { .. }
            | Object::Opaque { .. } => {}
        }
        Ok(())
    }
}

fn reason(Stop(reason): Stop) -> Reason {
    reason
}

fn primitive_value(value: data::Value) -> Value {
    match value {
        data::Value::Null | data::Value::Reference(_) => Value::NULL,
        data::Value::Boolean(value) => Value::boolean(value),
        data::Value::Byte(value) => Value::int(value.into()),
        data::Value::Short(value) => Value::int(value.into()),
        data::Value::Char(value) => Value::int(value.into()),
        data::Value::Int(value) => Value::int(value),
        data::Value::Long(value) => Value::long(value),
        data::Value::Float(bits) => Value::known(bits.into()),
        data::Value::Double(bits) => Value::known(bits),
    }
}

/// An object whose elements and fields are still to come.
fn make(machine: &mut Machine<'_>, object: &Object) -> Result<Value, Reason> {
    match object {
        Object::String(text) => machine.string(&text.0),
        Object::Boxed(value) => make_box(machine, *value),
        Object::Array { component, elements } => {
            let class = machine.types.of_name(&format!("[{component}"));
            machine.new_array(class, elements.len()).map(Value::reference).map_err(reason)
        }
        Object::Instance { class, .. } => {
            let class = machine.types.of_name(class);
            // Where there is an object, there is its class.
            if !machine.is_initialised(class).map_err(reason)? {
                machine.prepare_class(class)?;
            }
            machine.new_object(class).map(Value::reference).map_err(reason)
        }
        Object::EnumConstant { class, name } => constant_of(machine, class, name),
        Object::Shared(shared) => {
            // Nothing refers to what was made before.
            machine.heap.kept = machine.heap.count();
            machine.shared_object(shared)
        }
        // It has to wait for its arguments.
        Object::Built { .. } => Ok(Value::NULL),
        Object::Opaque { class } => Err(Feature::OpaqueArgument(class.to_string()).into()),
    }
}

impl Machine<'_> {
    /// An object that the program has already.
    pub(crate) fn shared_object(&mut self, shared: &Shared) -> Result<Value, Reason> {
        let (class, field, element) = match shared {
            Shared::Constant(text) => return Ok(Value::reference(self.intern(&text.0))),
            Shared::Static { class, field, element } => (class, field, *element),
        };
        let id = self.types.of_name(class);
        self.prepare_class(id)?;
        let loaded = self.class(id).map_err(reason)?;
        let found = loaded.fields().find(|of| of.is_static() && of.name() == &**field);
        let missing =
            || Reason::from(Feature::MissingConstant(class.to_string(), field.to_string()));
        let found = found.ok_or_else(missing)?;
        let place = self.layout(id).map_err(reason)?.declared.get(found.index()).copied();
        let value = place.map(|place| self.statics[place as usize]).ok_or_else(missing)?;
        let Some(element) = element else { return Ok(value) };
        let array = value.as_reference();
        let at = element as usize;
        let is_there =
            !array.is_null() && self.heap.known_length(array).is_ok_and(|length| at < length);
        if is_there { Ok(self.heap.get_element(array, at)) } else { Err(missing()) }
    }
}

/// A constant of an enum. It is not asked for by `valueOf`, because the class would keep a table of its
/// constants, which the call should not find.
fn constant_of(machine: &mut Machine<'_>, class: &str, name: &str) -> Result<Value, Reason> {
    let id = machine.types.of_name(class);
    // Nothing refers to what was made before.
    machine.heap.kept = machine.heap.count();
    machine.prepare_class(id)?;
    let loaded = machine.class(id).map_err(reason)?;
    for field in loaded.fields().filter(|field| field.is_static() && field.has_flags(flags::ENUM)) {
        let place = machine.layout(id).map_err(reason)?.declared.get(field.index()).copied();
        let Some(constant) = place.map(|place| machine.statics[place as usize]) else { continue };
        let object = enum_constant(machine, constant.as_reference());
        if matches!(object, Some(Object::EnumConstant { name: of, .. }) if *of == *name) {
            return Ok(constant);
        }
    }
    Err(Feature::MissingConstant(class.to_string(), name.to_string()).into())
}

/// Through `valueOf`, because of the caches.
fn make_box(machine: &mut Machine<'_>, value: data::Value) -> Result<Value, Reason> {
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
    machine.call_library(class, "valueOf", &descriptor, &[primitive_value(value)])
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
        self.returned(method, arguments)
    }

    /// Calls an instance method without arguments on an object, as a virtual call does.
    ///
    /// # Errors
    ///
    /// If the object has no such method, it throws, or the derivation stops.
    pub fn call_on(&mut self, object: Value, method: &ResolvedMethod) -> Result<Value, Reason> {
        let number = self.method_number(method);
        let class = self.heap.class(object.as_reference());
        match self.select(class, number).map_err(|Stop(reason)| reason)? {
            Ok(selected) => self.returned(selected, &[object]),
            Err(error) => Err(Reason::Broken(error.to_string())),
        }
    }

    /// What a method returns that is no part of the program.
    fn returned(&mut self, method: MethodNumber, arguments: &[Value]) -> Result<Value, Reason> {
        match self.execute_beside(method, arguments) {
            Outcome::Returned(value) => Ok(value.unwrap_or_default()),
            Outcome::Threw(exception) => {
                let class = self.class_name(exception);
                let method = &self.methods.get(method).resolved;
                Err(Feature::Throwing(class, method.to_string()).into())
            }
            Outcome::Stopped { reason, .. } => Err(reason),
        }
    }

    /// A new object of a class, whose constructor has not run.
    ///
    /// # Errors
    ///
    /// If there can be none.
    pub fn new_instance(&mut self, class: &str) -> Result<Value, Reason> {
        let class = self.types.of_name(class);
        self.new_object(class).map(Value::reference).map_err(reason)
    }

    /// The name of an object's class, as `Class.getName` gives it.
    pub fn class_name(&self, object: Reference) -> String {
        self.types.class_name(self.heap.class(object))
    }

    /// A value of a type as data, with all that it refers to.
    pub fn export(&mut self, value: Value, java_type: &JavaType) -> (data::Value, Heap) {
        let (value, heap, _) = self.export_marked(value, java_type);
        (value, heap)
    }

    /// As [`Machine::export`], and whether any of that depends on what the JVM does not fix.
    pub fn export_marked(
        &mut self,
        value: Value,
        java_type: &JavaType,
    ) -> (data::Value, Heap, bool) {
        let (values, heap, unstable) = self.export_all([(value, java_type)]);
        (values.first().copied().unwrap_or(data::Value::Null), heap, unstable)
    }

    /// Values with their types as data, with all that they refer to, and whether any of that depends on
    /// what the JVM does not fix.
    pub fn export_all<'t>(
        &mut self,
        values: impl IntoIterator<Item = (Value, &'t JavaType)>,
    ) -> (Vec<data::Value>, Heap, bool) {
        let mut export = Export {
            heap: Heap::new(),
            known: FxHashMap::default(),
            open: VecDeque::new(),
            is_unstable: false,
        };
        let values = values
            .into_iter()
            .map(|(value, java_type)| export.value(self, value, java_type))
            .collect();
        while let Some((reference, place)) = export.open.pop_front() {
            export.fill(self, reference, place);
        }
        (values, export.heap, export.is_unstable)
    }
}

/// Takes data out of a machine.
struct Export {
    heap: Heap,
    known: FxHashMap<Reference, data::Value>,
    /// Objects whose fields or elements are still to come.
    open: VecDeque<(Reference, data::Value)>,
    /// Whether a value was met that the JVM does not fix.
    is_unstable: bool,
}

impl Export {
    fn value(&mut self, machine: &mut Machine<'_>, value: Value, of: &JavaType) -> data::Value {
        self.is_unstable |= value.is_unstable();
        match of {
            JavaType::Boolean => data::Value::Boolean(value.as_int() & 1 != 0),
            JavaType::Byte => data::Value::Byte(value.as_int() as i8),
            JavaType::Short => data::Value::Short(value.as_int() as i16),
            JavaType::Char => data::Value::Char(value.as_int() as u16),
            JavaType::Int => data::Value::Int(value.as_int()),
            JavaType::Long => data::Value::Long(value.as_long()),
            JavaType::Float => data::Value::Float(value.bits as u32),
            JavaType::Double => data::Value::Double(value.bits),
            JavaType::Object(_) | JavaType::Array(_) => self.object(machine, value.as_reference()),
        }
    }

    fn object(&mut self, machine: &mut Machine<'_>, reference: Reference) -> data::Value {
        if reference.is_null() {
            return data::Value::Null;
        }
        if let Some(&known) = self.known.get(&reference) {
            return known;
        }
        let (object, is_open) = self.outline(machine, reference);
        let place = self.heap.add(object);
        self.known.insert(reference, place);
        if is_open {
            self.open.push_back((reference, place));
        }
        place
    }

    /// An object without what it refers to, and whether there may be something.
    fn outline(&mut self, machine: &mut Machine<'_>, reference: Reference) -> (Object, bool) {
        let class = machine.heap.class(reference);
        let name = Arc::clone(&machine.types.get(class).name);
        if let Some(units) = machine.units(reference) {
            self.is_unstable |= machine.is_unstable_string(reference);
            return (Object::String(petrel_classfile::JavaString(units.into())), false);
        }
        if self.heap.objects.len() >= MOST_OBJECTS || class == TypeId::CLASS {
            return (Object::Opaque { class: name }, false);
        }
        if let Some(boxed) = data::unboxed(&name) {
            let value = machine
                .slot_named(&name, "value")
                .map_or(Value::NULL, |slot| machine.heap.field(reference, slot));
            return (Object::Boxed(self.value(machine, value, &boxed)), false);
        }
        if let Some(constant) = enum_constant(machine, reference) {
            return (constant, false);
        }
        let Some((component, _)) = machine.types.get(class).component else {
            return (Object::Instance { class: name, fields: Vec::new() }, true);
        };
        match JavaType::parse(&machine.types.descriptor(component)) {
            Ok(component) => (Object::Array { component, elements: Vec::new() }, true),
            Err(_) => (Object::Opaque { class: name }, false),
        }
    }

    fn fill(&mut self, machine: &mut Machine<'_>, reference: Reference, place: data::Value) {
        match self.heap.get(place) {
            Some(Object::Array { component, .. }) => {
                let component = component.clone();
                self.is_unstable |= machine.heap.object(reference).unstable;
                let values: Vec<data::Value> = (0..machine.heap.length(reference))
                    .map(|index| {
                        let element = machine.heap.element(reference, index);
                        self.value(machine, element, &component)
                    })
                    .collect();
                if let Some(Object::Array { elements, .. }) = self.heap.get_mut(place) {
                    *elements = values;
                }
            }
            Some(Object::Instance { .. }) => {
                let values = self.fields(machine, reference).unwrap_or_default();
                if let Some(Object::Instance { fields, .. }) = self.heap.get_mut(place) {
                    *fields = values;
                }
            }
            _ => {}
        }
    }

    fn fields(
        &mut self,
        machine: &mut Machine<'_>,
        object: Reference,
    ) -> Result<Vec<data::FieldValue>, Stop> {
        let class = machine.heap.class(object);
        let outlines = machine.field_outlines(class)?;
        let values = outlines.iter().map(|field| {
            let value = machine.heap.field(object, field.slot);
            let value = self.value(machine, value, &field.java_type);
            let (class, name) = (Arc::clone(&field.class), Arc::clone(&field.name));
            data::FieldValue { class, name, value }
        });
        Ok(values.collect())
    }
}

/// An enum constant, by the enum that declares it: a constant with a body has a class of its own.
pub(crate) fn enum_constant(machine: &mut Machine<'_>, object: Reference) -> Option<Object> {
    const ENUM: &str = "java/lang/Enum";
    let class = machine.heap.class(object);
    if machine.types.get(class).component.is_some() {
        return None;
    }
    let loaded = machine.class(class).ok()?;
    let is_enum = |class: &petrel_program::Class| {
        class.super_class().is_some_and(|above| above.name() == ENUM)
    };
    let declaring = loaded.lineage().find(|class| is_enum(class))?.name().into();
    let slot = machine.slot_named(ENUM, "name").ok()?;
    let name = machine.text_of(machine.heap.field(object, slot).as_reference())?;
    Some(Object::EnumConstant { class: declaring, name: name.into() })
}
