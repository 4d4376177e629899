//! Numbers for what rules name: methods, fields and their places.

use petrel_classfile::{LoadableConstant, flags};
use petrel_clp::{FieldRef, MethodRef};
use petrel_program::{Receiver, ResolvedField, ResolvedMethod, StaticChange};
use petrel_translate::outside::OutsideCall;
use rustc_hash::FxHashMap;

use crate::exploration::InstanceField;
use crate::library::natives::{self, MachineAnswer, Native};
use crate::library::{Hashing, TextModel, hashing, text_model};
use crate::machine::compile::{self, CompileError, Linker};
use crate::machine::stop::{Defect, Feature, Library};
use crate::machine::types::{Initialisation, Layout, TypeId, Types};
use crate::machine::value::{Reference, Value};
use crate::machine::{Machine, StaticRead, Stop};

/// What calling a method runs.
#[derive(Clone, Copy)]
pub(crate) enum Entry {
    /// It was not called yet.
    Unlinked,
    /// Code, and the size of its frame.
    Code {
        address: u32,
        frame: u16,
    },
    Native(Native),
    /// It has no code.
    Abstract,
}

/// A method that was mentioned, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MethodNumber(u32);

impl MethodNumber {
    /// Methods are numbered in the order in which they are mentioned.
    pub(crate) fn number(self) -> u64 {
        self.0.into()
    }

    /// No method: that of a frame whose call has not got as far as one.
    pub(super) const NONE: MethodNumber = MethodNumber(u32::MAX);
}

/// A method that was mentioned.
pub(crate) struct Method {
    pub(crate) resolved: ResolvedMethod,
    pub(crate) entry: Entry,
    /// How its results relate to what the JVM does not fix.
    pub(crate) stability: natives::Stability,
    /// Whether its class is of the library, or was made up.
    pub(crate) of_library: bool,
    /// What it does on texts over unknown inputs.
    pub(super) model: Option<TextModel>,
    /// What it does with a hash table.
    pub(crate) hashing: Option<Hashing>,
    /// Who answers a call of it, instead of its code.
    pub(super) answered_by: Option<AnsweredBy>,
}

/// Who answers a call of a method, instead of its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnsweredBy {
    /// An input that implements an interface by answers.
    Stub,
    /// The world outside, as the user declares it.
    Outside(OutsideCall),
    /// The machine, if the program asks it.
    Machine(MachineAnswer),
}

impl Method {
    /// Whether it has a model on texts.
    pub(crate) fn has_model(&self) -> bool {
        self.model.is_some()
    }

    /// Code that can be called without further ado.
    #[inline]
    pub(super) fn fast_entry(&self) -> Option<(u32, u16)> {
        match self.entry {
            Entry::Code { address, frame }
                if self.stability == natives::Stability::Stable
                    && self.model.is_none()
                    && self.answered_by.is_none() =>
            {
                Some((address, frame))
            }
            _ => None,
        }
    }
}

/// All methods that were mentioned.
#[derive(Default)]
pub(crate) struct Methods {
    methods: Vec<Method>,
    numbers: FxHashMap<ResolvedMethod, MethodNumber>,
    /// The method that a call of another selects, by the receiver's class.
    selected: FxHashMap<(TypeId, MethodNumber), MethodNumber>,
}

impl Methods {
    #[inline]
    pub(crate) fn get(&self, method: MethodNumber) -> &Method {
        &self.methods[method.0 as usize]
    }

    pub(super) fn get_mut(&mut self, method: MethodNumber) -> &mut Method {
        &mut self.methods[method.0 as usize]
    }
}

impl Machine<'_> {
    /// The number of a method.
    pub(crate) fn method_number(&mut self, method: &ResolvedMethod) -> MethodNumber {
        if let Some(&number) = self.methods.numbers.get(method) {
            return number;
        }
        if self.exploration.is_on()
            && let Some(plain) = petrel_translate::plain_tables::plain_table(self.program, method)
        {
            let number = self.method_number(&plain);
            self.methods.numbers.insert(method.clone(), number);
            return number;
        }
        let class = self.types.of_name(method.class().name());
        let of_library = method.class().is_synthesised() || self.is_of_library(class);
        let number = MethodNumber(self.methods.methods.len() as u32);
        let is_exploring = self.exploration.is_on();
        let is_of_stub = is_exploring
            && petrel_translate::stub::is_stub(method.class())
            && !method.is_constructor()
            && method.name() != petrel_translate::stub::ANSWER.0;
        let outside = self.procedures.outside().call(method).map(AnsweredBy::Outside);
        let machine = || natives::machine_answer(method).map(AnsweredBy::Machine);
        self.methods.methods.push(Method {
            resolved: method.clone(),
            entry: Entry::Unlinked,
            stability: natives::stability(method),
            of_library,
            model: if is_exploring && of_library { text_model(method) } else { None },
            hashing: if is_exploring && of_library { hashing(method) } else { None },
            answered_by: if is_of_stub { Some(AnsweredBy::Stub) } else { outside.or_else(machine) },
        });
        self.methods.numbers.insert(method.clone(), number);
        number
    }

    /// The method that a class itself declares.
    pub(crate) fn declared(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodNumber, Stop> {
        let loaded = self.program.class(class).map_err(Stop::broken)?;
        let method = loaded.declared_method(name, descriptor).ok_or_else(|| {
            Stop::unsupported(Library::WithoutMethod(format!("{class}.{name}{descriptor}")))
        })?;
        Ok(self.method_number(&method))
    }

    /// What calling a method runs; it is translated and compiled if that has not happened.
    pub(crate) fn entry(&mut self, number: MethodNumber) -> Result<Entry, Stop> {
        let entry = self.methods.get(number).entry;
        if !matches!(entry, Entry::Unlinked) {
            return Ok(entry);
        }
        let entry = self.link(number)?;
        self.methods.get_mut(number).entry = entry;
        Ok(entry)
    }

    fn link(&mut self, number: MethodNumber) -> Result<Entry, Stop> {
        let method = self.methods.get(number).resolved.clone();
        if let Some(native) = natives::find(&method) {
            return Ok(Entry::Native(native));
        }
        if method.is_native() {
            return Err(Stop::unsupported(natives::missing(&method)));
        }
        let procedure = self.procedures.get(&method).map_err(Stop::broken)?;
        let Some(procedure) = procedure else { return Ok(Entry::Abstract) };
        let mut code = std::mem::take(&mut self.code);
        let address = code.next();
        code.ranges.push(crate::machine::code::CodeRange { start: address, method: number });
        let observation = (self.counting, self.is_watched(&method), self.observers.see_reachable());
        let whose = (number, self.methods.get(number).of_library);
        let compiled = compile::compile(&procedure, whose, observation, self, &mut code);
        self.code = code;
        let frame = compiled.map_err(|CompileError(reason)| {
            Stop::defect(Defect::Compilation(method.to_string(), reason))
        })?;
        Ok(Entry::Code { address, frame })
    }

    /// The method that a virtual or interface call runs for a receiver of this class. The inner
    /// error is the exception that the JVM throws.
    pub(crate) fn select(
        &mut self,
        class: TypeId,
        method: MethodNumber,
    ) -> Result<Result<MethodNumber, petrel_program::LinkageError>, Stop> {
        if let Some(&number) = self.methods.selected.get(&(class, method)) {
            return Ok(Ok(number));
        }
        let resolved = self.methods.get(method).resolved.clone();
        let is_array = self.types.get(class).component.is_some();
        let selected = if is_array {
            select(&resolved, Receiver::Array)
        } else {
            let class = self.types.class(self.program, class).map_err(Stop::broken)?;
            let selected = select(&resolved, Receiver::Class(&class));
            if selected.is_err() && class.is_abstract() {
                // No object of a program is of such a class: a model stands for one of a class below it.
                let method = resolved.to_string();
                return Err(Stop::unsupported(Feature::CallOnInterface { method, receiver: None }));
            }
            selected
        };
        Ok(selected.map(|selected| {
            let number = self.method_number(&selected);
            self.methods.selected.insert((class, method), number);
            number
        }))
    }

    /// Where the fields of a class are. Constant fields get their values.
    pub(crate) fn layout(&mut self, id: TypeId) -> Result<&Layout, Stop> {
        if self.types.get(id).layout.is_none() {
            let layout = self.lay_out(id)?;
            self.types.get_mut(id).layout = Some(layout);
        }
        let layout = self.types.get(id).layout.as_ref();
        layout.ok_or_else(|| Stop::defect(Defect::NoLayout))
    }

    fn lay_out(&mut self, id: TypeId) -> Result<Layout, Stop> {
        let class = self.class(id)?;
        let inherited = match class.super_class() {
            Some(above) if !class.is_interface() => {
                let above = self.types.of_name(above.name());
                self.layout(above)?.slots
            }
            _ => 0,
        };
        let mut slots = inherited;
        let mut declared = Vec::with_capacity(class.file.fields.len());
        for field in class.fields() {
            if field.is_static() {
                let value = self.constant_value(&field)?;
                declared.push(self.statics.len() as u32);
                if field.descriptor().starts_with(['L', '[']) {
                    self.reference_statics.push(self.statics.len() as u32);
                }
                self.statics.push(value);
            } else {
                declared.push(u32::from(slots));
                slots = slots
                    .checked_add(1)
                    .ok_or_else(|| Stop::broken(format!("{} has too many fields", class.name())))?;
            }
        }
        if !class.needs_initialisation() {
            self.types.get_mut(id).initialisation = Initialisation::Done;
        }
        Ok(Layout { slots, declared: declared.into() })
    }

    fn constant_value(&mut self, field: &ResolvedField) -> Result<Value, Stop> {
        let pool = &field.class().file.constant_pool;
        let Some(index) = field.declaration().constant_value else { return Ok(Value::NULL) };
        let constant = pool.loadable(index).map_err(Stop::broken)?;
        Ok(match constant {
            LoadableConstant::Integer(value) => Value::int(value),
            LoadableConstant::Long(value) => Value::long(value),
            LoadableConstant::Float(bits) => Value::known(bits.into()),
            LoadableConstant::Double(bits) => Value::known(bits),
            LoadableConstant::String(text) => Value::reference(self.intern(&text.0)),
            _ => Value::NULL,
        })
    }

    /// The class file of a type that has one.
    pub(crate) fn class(
        &mut self,
        id: TypeId,
    ) -> Result<std::sync::Arc<petrel_program::Class>, Stop> {
        self.types.class(self.program, id).map_err(Stop::broken)
    }

    /// The class and number of a field.
    fn field_place(&mut self, field: &FieldRef) -> Result<u32, CompileError> {
        let id = self.types.of_name(&field.class);
        let class = self.class(id).map_err(refused)?;
        let found = class.declared_field(&field.name, &field.descriptor);
        let index = found.map(|found| found.index());
        let layout = self.layout(id).map_err(refused)?;
        let place = index.and_then(|index| layout.declared.get(index).copied());
        place.ok_or_else(|| CompileError(format!("{} has no field {}", field.class, field.name)))
    }

    /// The slot of an instance field, by the names of the class library.
    pub(crate) fn slot_named(&mut self, class: &str, name: &str) -> Result<u16, Stop> {
        self.place_named(class, name).map(|place| place as u16)
    }

    /// Sets an instance field, by the names of the class library.
    pub(crate) fn set_named(
        &mut self,
        object: Reference,
        class: &str,
        field: &str,
        value: Value,
    ) -> Result<(), Stop> {
        let slot = self.slot_named(class, field)?;
        self.heap.set_field(object, slot, value);
        Ok(())
    }

    /// An instance field, by the names of the class library.
    pub(crate) fn get_named(
        &mut self,
        object: Reference,
        class: &str,
        field: &str,
    ) -> Result<Value, Stop> {
        let slot = self.slot_named(class, field)?;
        Ok(self.heap.field(object, slot))
    }

    /// The number of a static field, by the names of the class library.
    pub(crate) fn static_named(&mut self, class: &str, name: &str) -> Result<u32, Stop> {
        self.place_named(class, name)
    }

    fn place_named(&mut self, class: &str, name: &str) -> Result<u32, Stop> {
        let id = self.types.of_name(class);
        let loaded = self.class(id)?;
        let index = loaded.fields().find(|field| field.name() == name).map(|field| field.index());
        let layout = self.layout(id)?;
        index
            .and_then(|index| layout.declared.get(index).copied())
            .ok_or_else(|| Stop::unsupported(Library::WithoutField(format!("{class}.{name}"))))
    }

    /// The descriptor of a field, by the names of the class library.
    pub(crate) fn field_descriptor(&mut self, class: &str, name: &str) -> Result<String, Stop> {
        let id = self.types.of_name(class);
        let class = self.class(id)?;
        let found = class.fields().find(|field| field.name() == name);
        found.map(|field| field.descriptor().to_owned()).ok_or_else(|| {
            Stop::unsupported(Library::WithoutField(format!("{}.{name}", class.name())))
        })
    }

    /// Whether a class of the library has a field of this name.
    pub(crate) fn has_field(&mut self, class: &str, name: &str) -> bool {
        let id = self.types.of_name(class);
        self.class(id).is_ok_and(|class| class.fields().any(|field| field.name() == name))
    }

    /// A new object with default values in all fields.
    pub(crate) fn new_object(&mut self, class: TypeId) -> Result<Reference, Stop> {
        let slots = usize::from(self.layout(class)?.slots);
        Ok(self
            .heap
            .add(class, crate::machine::heap::Body::Fields(vec![Value::NULL; slots].into())))
    }

    /// A new array of default values.
    pub(crate) fn new_array(&mut self, class: TypeId, length: usize) -> Result<Reference, Stop> {
        let Some((_, element)) = self.types.get(class).component else {
            return Err(Stop::defect(Defect::NoArray(self.types.get(class).name.to_string())));
        };
        Ok(self.heap.add(class, crate::machine::heap::Body::array(element, length)))
    }

    pub(crate) fn is_instance(&mut self, object: Reference, class: TypeId) -> bool {
        let exact = self.heap.class(object);
        exact == class || self.types.is_subtype(self.program, exact, class)
    }
}

fn select(
    method: &ResolvedMethod,
    receiver: Receiver<'_>,
) -> Result<ResolvedMethod, petrel_program::LinkageError> {
    if method.class().is_interface() && !method.has_flags(flags::STATIC) {
        method.select_interface(receiver, method.class())
    } else {
        method.select_virtual(receiver)
    }
}

fn refused(stop: Stop) -> CompileError {
    CompileError(stop.0.to_string())
}

impl Linker for Machine<'_> {
    fn type_of(&mut self, class: &str) -> Result<TypeId, CompileError> {
        Ok(self.types.of_name(class))
    }

    fn class_object_type(&mut self, class: &str) -> Result<TypeId, CompileError> {
        // A class may be called `I`; a primitive type is meant only where there is none.
        match Types::primitive(class) {
            Some(primitive) if self.program.class(class).is_err() => Ok(primitive),
            _ => Ok(self.types.of_name(class)),
        }
    }

    fn instance_field(&mut self, field: &FieldRef) -> Result<(u16, u32), CompileError> {
        let slot = self.field_place(field)? as u16;
        let class = self.types.of_name(&field.class);
        let of = self.types.of_descriptor(&field.descriptor);
        let field = InstanceField { class, slot, name: (&*field.name).into(), of };
        Ok((slot, self.exploration.field_number(field)))
    }

    fn static_field(&mut self, field: &FieldRef) -> Result<u32, CompileError> {
        self.field_place(field)
    }

    fn is_changing(&mut self, field: &FieldRef) -> Result<bool, CompileError> {
        let place = self.field_place(field)?;
        if let Some(known) = self.static_reads.get(&place) {
            return Ok(known.is_looked_at());
        }
        let id = self.types.of_name(&field.class);
        let class = self.class(id).map_err(refused)?;
        let found = class.declared_field(&field.name, &field.descriptor);
        let change = match found {
            Some(_) if natives::is_of_machine(&field.class, &field.name) => {
                StaticChange::Everything
            }
            Some(ref found) if !self.is_of_library(id) => self.program.change_of_static(found),
            _ => StaticChange::Nothing,
        };
        let is_reference = field.descriptor.starts_with(['L', '[']);
        // Nobody initialises constants, and tables of the compiler's are the same in every JVM.
        let is_fixed = |field: ResolvedField| {
            let is_table = is_reference && field.has_flags(flags::SYNTHETIC);
            field.declaration().constant_value.is_some() || is_table
        };
        let is_observed = self.counting.is_some() && !self.is_of_library(id);
        let is_initialised = is_observed && !found.is_none_or(is_fixed);
        let read = StaticRead { class: id, change, is_reference, is_initialised };
        self.static_reads.insert(place, read);
        Ok(read.is_looked_at())
    }

    fn preparation(&mut self, field: &FieldRef) -> Result<Option<MethodNumber>, CompileError> {
        Machine::preparation(self, &field.class, &field.name).map_err(refused)
    }

    fn method(&mut self, method: &MethodRef) -> Result<MethodNumber, CompileError> {
        let class = self.program.class(&method.class).map_err(|e| CompileError(e.to_string()))?;
        let found = class.declared_method(&method.name, &method.descriptor);
        let found = found
            .ok_or_else(|| CompileError(format!("there is no method {method} that was linked")))?;
        Ok(self.method_number(&found))
    }
}
