//! The initial heap: inputs, assumptions about them, and what it is when the unknowns have values.

use std::sync::Arc;

use petrel_classfile::{JavaType, MethodDescriptor, flags};
use petrel_clp::Kind;
use petrel_heap::{ClassId, FieldId, InputElement, InputObject, Location, Sort, either, truth};
use petrel_program::{Hints, ResolvedMethod};
use petrel_solver::{Expr, Simplified, evaluate};
use petrel_value as data;
use rustc_hash::FxHashMap;

use super::fields::{InstanceField, kind_of};
use crate::assume::{AccessPath, Assumption};
use crate::calls::Halt;
use crate::choose::{expr_of, value_of};
use crate::explore::HeapMode;
use crate::machine::{Machine, Stop};
use crate::stop::{Outcome, Reason};
use crate::symbolic::SymbolicObject;
use crate::types::TypeId;
use crate::value::Value;

/// Inputs as data.
#[derive(Debug, Clone, Default)]
pub struct InputHeap {
    /// The values, in the order in which they were asked for.
    pub values: Vec<data::Value>,
    /// The objects that they refer to.
    pub heap: data::Heap,
}

/// An input that was made.
#[derive(Debug, Clone)]
struct Named {
    name: Box<str>,
    value: Value,
    of: TypeId,
}

/// The inputs of a call.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    all: Vec<Named>,
    /// Receivers and methods that have to return true before the call.
    pub(crate) valid: Vec<(Value, u32)>,
}

/// The methods that say whether an object is as its class wants it, if no other is named.
const INVARIANTS: [&str; 2] = ["repOk", "isValid"];

impl Machine<'_> {
    /// Inputs of a method are going to be made.
    pub fn expect_inputs_of(&mut self, method: &ResolvedMethod) {
        let mut hints = Hints::of(method);
        // An object of one input may be another input.
        let mut types: Vec<std::sync::Arc<str>> = Vec::new();
        if !method.is_static() {
            types.push(method.class().name().into());
        }
        if let Ok(descriptor) = MethodDescriptor::parse(method.descriptor()) {
            for parameter in descriptor.parameters {
                if let JavaType::Object(name) = parameter {
                    types.push((&*name).into());
                }
            }
        }
        types.append(&mut hints.checked);
        hints.checked = types;
        self.unknown.classes.hints = hints;
    }

    /// An unknown input.
    ///
    /// # Errors
    ///
    /// If there can be no such input.
    pub fn unknown_input(
        &mut self,
        name: &str,
        of: &JavaType,
        is_nullable: bool,
    ) -> Result<Value, Reason> {
        let of = self.types.of_descriptor(&of.to_string());
        let Sort::Reference(_) = self.sort(of) else {
            return self.add_input(name, of, self.sort(of), is_nullable);
        };
        if self.is_enum(of) {
            self.prepare_class(of)?;
            self.learn_constants(of).map_err(|Stop(reason)| reason)?;
        }
        self.add_input(name, of, self.sort(of), is_nullable)
    }

    /// The unknown receiver of a method: of a class that does not override it.
    ///
    /// # Errors
    ///
    /// If no class of the class path has such objects.
    pub fn unknown_receiver(&mut self, method: &ResolvedMethod) -> Result<Value, Reason> {
        let of = self.types.of_name(method.class().name());
        let number = self.method_number(method);
        if let Some(enumeration) = self.enum_above(of) {
            return self.unknown_constant(method, number, enumeration, of);
        }
        let candidates = self.ask_heap(|_, context| context.world.candidates(ClassId(of.0)));
        let mut classes = Vec::new();
        for &class in candidates.iter() {
            let is_opaque = self.unknown.classes.opaque.contains(&TypeId(class.0));
            let selected = self.select(TypeId(class.0), number).map_err(|Stop(reason)| reason)?;
            let is_same = method.is_private() || selected == Ok(number);
            if !is_opaque && is_same {
                classes.push(class);
            }
        }
        if classes.is_empty() {
            let class = self.types.java_name(of);
            return Err(Reason::Unsupported(format!("an unknown receiver of class {class}")));
        }
        let made = self.ask_heap(|heap, context| {
            heap.unknown_of_classes(context, "this".into(), classes.into(), false)
        });
        let made = made.map_err(|_| Reason::Broken("a receiver that cannot be".to_owned()))?;
        let value = value_of(made, Kind::Reference);
        self.inputs.all.push(Named { name: "this".into(), value, of });
        Ok(value)
    }

    /// The enum that a class is, or that it is the body of a constant of.
    fn enum_above(&mut self, of: TypeId) -> Option<TypeId> {
        let class = self.class(of).ok()?;
        let names: Vec<_> = class.lineage().map(|class| class.shared_name().clone()).collect();
        let above: Vec<TypeId> = names.iter().map(|name| self.types.of_name(name)).collect();
        above.into_iter().find(|&id| self.is_enum(id))
    }

    /// The unknown receiver of a method of an enum: one of the constants that have the method.
    fn unknown_constant(
        &mut self,
        method: &ResolvedMethod,
        number: u32,
        enumeration: TypeId,
        of: TypeId,
    ) -> Result<Value, Reason> {
        self.prepare_class(enumeration)?;
        self.learn_constants(enumeration).map_err(|Stop(reason)| reason)?;
        let constants = self.unknown.classes.constants.get(&enumeration).cloned();
        let mut with_method = Vec::new();
        for &constant in constants.iter().flat_map(|constants| constants.iter()) {
            let class = self.heap.class(crate::value::Reference(constant.0));
            let selected = self.select(class, number).map_err(|Stop(reason)| reason)?;
            let is_same = method.is_private() || selected == Ok(number);
            if is_same && self.types.is_subtype(self.program, class, of) {
                with_method.push(constant);
            }
        }
        if with_method.is_empty() {
            let class = self.types.java_name(of);
            return Err(Reason::Unsupported(format!("an unknown receiver of class {class}")));
        }
        let made = self.ask_heap(|heap, context| {
            heap.unknown_of_constants(context.store, "this", &with_method, false)
        });
        let value = value_of(made, Kind::Reference);
        self.inputs.all.push(Named { name: "this".into(), value, of });
        Ok(value)
    }

    fn add_input(
        &mut self,
        name: &str,
        of: TypeId,
        sort: Sort,
        is_nullable: bool,
    ) -> Result<Value, Reason> {
        let made =
            self.ask_heap(|heap, context| heap.unknown(context, name.into(), sort, is_nullable));
        let made = made.map_err(|_| Reason::Broken("an input that cannot be".to_owned()))?;
        let value = value_of(made, sort.kind());
        self.inputs.all.push(Named { name: name.into(), value, of });
        Ok(value)
    }

    /// Makes the static fields of a method's class that can change unknown inputs; which they are.
    ///
    /// # Errors
    ///
    /// If there can be no such input.
    pub fn unknown_statics(
        &mut self,
        method: &ResolvedMethod,
    ) -> Result<Vec<data::FieldValue>, Reason> {
        let class = self.types.of_name(method.class().name());
        let loaded = self.class(class).map_err(|Stop(reason)| reason)?;
        let mut made = Vec::new();
        for field in loaded.fields().filter(|field| field.is_static() && !field.is_final()) {
            let Ok(of) = JavaType::parse(field.descriptor()) else { continue };
            let layout = self.layout(class).map_err(|Stop(reason)| reason)?;
            let Some(&place) = layout.declared.get(field.index()) else { continue };
            let simple = loaded.name().rsplit('/').next().unwrap_or_default();
            let value = self.unknown_input(&format!("{simple}.{}", field.name()), &of, true)?;
            self.set_static(place, value);
            let named = data::FieldValue {
                class: loaded.name().into(),
                name: field.name().into(),
                value: data::Value::Null,
            };
            made.push(named);
        }
        Ok(made)
    }

    /// Sets a static field.
    ///
    /// # Errors
    ///
    /// If there is no such field.
    pub fn set_static_named(
        &mut self,
        class: &str,
        name: &str,
        value: Value,
    ) -> Result<(), Reason> {
        let place = self.static_named(class, name).map_err(|Stop(reason)| reason)?;
        self.set_static(place, value);
        Ok(())
    }

    pub(super) fn is_enum(&mut self, of: TypeId) -> bool {
        if of.is_primitive() || self.types.get(of).component.is_some() {
            return false;
        }
        let Ok(class) = self.class(of) else { return false };
        class.super_class().is_some_and(|above| above.name() == "java/lang/Enum")
    }

    /// Finds the constants of an enum that is initialised.
    pub(super) fn learn_constants(&mut self, of: TypeId) -> Result<(), Stop> {
        let class = self.class(of)?;
        let mut constants = Vec::new();
        for field in
            class.fields().filter(|field| field.is_static() && field.has_flags(flags::ENUM))
        {
            let place = self.layout(of)?.declared.get(field.index()).copied();
            let constant = place.map(|place| self.statics[place as usize].as_reference());
            constants.extend(constant.map(|constant| petrel_heap::Known(constant.0)));
        }
        self.unknown.classes.constants.insert(of, constants.into());
        Ok(())
    }

    /// Assumes something of the initial heap. All inputs have been made.
    ///
    /// # Errors
    ///
    /// If it speaks of something that there is not; the text says of what.
    pub fn assume_of_heap(&mut self, assumption: &Assumption) -> Result<(), String> {
        let conflict = |_| "no heap is like this".to_owned();
        match assumption {
            Assumption::NonNull(path) => {
                let (place, parent) = self.place_of(path)?;
                let holds = self.ask_heap(|heap, context| {
                    let is_null = heap.ref_eq(context.store, place.0, Expr::Constant(0));
                    let is_not_null = petrel_heap::not(context.store, is_null);
                    let no_parent = match parent {
                        Some(parent) => heap.ref_eq(context.store, parent, Expr::Constant(0)),
                        None => Expr::Constant(0),
                    };
                    either(context.store, no_parent, is_not_null)
                });
                self.assume_truth(holds)
            }
            Assumption::NonAliasing(left, right) => {
                let (left, right) = (self.place_of(left)?.0.0, self.place_of(right)?.0.0);
                self.ask_heap(|heap, context| heap.assume_non_aliasing(context, left, right))
                    .map_err(conflict)
            }
            Assumption::NonSharing(left, right) => {
                let (left, right) = (self.place_of(left)?.0.0, self.place_of(right)?.0.0);
                self.ask_heap(|heap, context| heap.assume_non_sharing(context, left, right))
                    .map_err(conflict)
            }
            Assumption::Acyclic(path, field) => {
                let (reference, of) = self.place_of(path)?.0;
                let field = match field {
                    Some(name) => Some(self.field_below(of, name)?),
                    None => None,
                };
                self.ask_heap(|heap, context| heap.assume_acyclic(context, reference, field))
                    .map_err(conflict)
            }
            Assumption::Valid(path, name) => {
                let (reference, of) = self.place_of(path)?.0;
                let method = self.invariant(of, name.as_deref())?;
                self.inputs.valid.push((value_of(reference, Kind::Reference), method));
                Ok(())
            }
        }
    }

    fn assume_truth(&mut self, holds: Expr) -> Result<(), String> {
        let conflict = || "no heap is like this".to_owned();
        match self.solver.store.simplify(truth(holds)) {
            Simplified::True => Ok(()),
            Simplified::False => Err(conflict()),
            Simplified::Open(open) => self.solver.store.assume(open).map_err(|_| conflict()),
        }
    }

    /// The method that says whether an object of a type is valid.
    fn invariant(&mut self, of: TypeId, name: Option<&str>) -> Result<u32, String> {
        let class = self.class(of).map_err(|Stop(reason)| reason.to_string())?;
        let wanted: &[&str] = match &name {
            Some(name) => std::slice::from_ref(name),
            None => &INVARIANTS,
        };
        for name in wanted {
            let found = class.lineage().find_map(|class| class.declared_method(name, "()Z"));
            if let Some(method) = found.filter(|method| !method.is_static()) {
                return Ok(self.method_number(&method));
            }
        }
        let names: Vec<String> = wanted.iter().map(|name| format!("boolean {name}()")).collect();
        Err(format!("{} has no method {}", class.name().replace('/', "."), names.join(" or ")))
    }

    /// The reference at a place of the initial heap with its static type, null if the path leads through
    /// null; and what the last field is of.
    fn place_of(&mut self, path: &AccessPath) -> Result<((Expr, TypeId), Option<Expr>), String> {
        let root = self.inputs.all.iter().find(|named| *named.name == *path.root);
        let Some(Named { value, of, .. }) = root.cloned() else {
            return Err(format!("there is no parameter {}", path.root));
        };
        if of.is_primitive() {
            return Err(format!("{} is no reference", path.root));
        }
        let mut at = (expr_of(value, Kind::Reference), of);
        let mut parent = None;
        for name in &path.fields {
            let (object, class) = at;
            let field = self.field_below(class, name)?;
            let of = self.unknown.fields.get(field).of;
            let sort @ Sort::Reference(_) = self.sort(of) else {
                return Err(format!("{name} of {} is no reference", self.types.java_name(class)));
            };
            let read = self.ask_heap(|heap, context| {
                let value = heap.get_field(context, object, field, sort)?;
                let is_null = heap.ref_eq(context.store, object, Expr::Constant(0));
                Ok(context.store.choose(Kind::Reference, is_null, Expr::Constant(0), value))
            });
            let read =
                read.map_err(|_: petrel_solver::Conflict| "no heap is like this".to_owned())?;
            parent = Some(object);
            at = (read, of);
        }
        Ok((at, parent))
    }

    /// The field of a name that objects of a type have.
    fn field_below(&mut self, class: TypeId, name: &str) -> Result<FieldId, String> {
        let no_field =
            |machine: &Self| format!("{} has no field {name}", machine.types.java_name(class));
        let Ok(loaded) = self.class(class) else { return Err(no_field(self)) };
        for declaring in loaded.lineage() {
            let field = declaring.fields().find(|field| !field.is_static() && field.name() == name);
            if let Some(field) = field {
                let id = self.types.of_name(declaring.name());
                let number =
                    self.instance_field_number(id, &field).map_err(|stop| stop.0.to_string())?;
                return Ok(number);
            }
        }
        Err(no_field(self))
    }

    /// The number of an instance field for the heap solver.
    pub(crate) fn instance_field_number(
        &mut self,
        class: TypeId,
        field: &petrel_program::ResolvedField,
    ) -> Result<FieldId, Stop> {
        let slot = self.layout(class)?.declared.get(field.index()).copied().unwrap_or_default();
        let of = self.types.of_descriptor(field.descriptor());
        let field = InstanceField { class, slot: slot as u16, name: field.name().into(), of };
        Ok(self.unknown.fields.number(field))
    }

    /// The initial heap, when the unknowns have these values.
    ///
    /// # Errors
    ///
    /// If an object cannot be made as it would have to be.
    pub fn input_heap(&mut self, assignment: &[i64]) -> Result<InputHeap, Reason> {
        let terms = self.solver.store.terms();
        let values = evaluate(terms, assignment, terms.len());
        let value = |expr: Expr| match expr {
            Expr::Constant(number) => number,
            Expr::Term(term) => values[term.index()],
        };
        let objects = self.unknown.solver.objects(&value);
        let mut building = Building { heap: data::Heap::new(), places: FxHashMap::default() };
        for object in &objects {
            let outline = self.input_outline(object)?;
            let place = building.heap.add(outline);
            building.places.insert(object.number, place);
        }
        for object in &objects {
            self.fill(object, &mut building)?;
        }
        let inputs: Vec<(Expr, TypeId)> = self
            .inputs
            .all
            .iter()
            .map(|named| (expr_of(named.value, kind_of(named.of)), named.of))
            .collect();
        let mut made = Vec::new();
        for (expr, of) in inputs {
            made.push(self.datum(value(expr), of, &mut building)?);
        }
        Ok(InputHeap { values: made, heap: building.heap })
    }

    fn input_outline(&mut self, object: &InputObject) -> Result<data::Object, Reason> {
        let class = TypeId(object.class.0);
        let name = self.types.java_name(class);
        if self.unknown.classes.opaque.contains(&class) {
            return Err(Reason::Unsupported(format!("an unknown {name}")));
        }
        let Some((component, _)) = self.types.get(class).component else {
            let class = Arc::clone(&self.types.get(class).name);
            return Ok(data::Object::Instance { class, fields: Vec::new() });
        };
        let length = object.length.unwrap_or(0);
        let most = self.exploring.as_ref().map_or(0, |exploring| exploring.max_array);
        if length > i64::from(most) {
            return Err(Reason::Limit(format!("arrays of {most} elements")));
        }
        let component = JavaType::parse(&self.types.descriptor(component));
        let component = component.map_err(|error| Reason::Broken(error.to_string()))?;
        Ok(data::Object::Array { component, elements: Vec::with_capacity(length as usize) })
    }

    fn fill(&mut self, object: &InputObject, building: &mut Building) -> Result<(), Reason> {
        let class = TypeId(object.class.0);
        let place = building.places.get(&object.number).copied().unwrap_or(data::Value::Null);
        if let Some((component, _)) = self.types.get(class).component {
            let length = object.length.unwrap_or(0);
            let group = if component.is_primitive() { component } else { TypeId::OBJECT };
            let mut made = Vec::new();
            for index in 0..length {
                let is_it =
                    |element: &&InputElement| element.index == index && element.elements == group.0;
                let known = object.elements.iter().find(is_it);
                let number = known.map_or_else(|| self.unread(component), |known| known.value);
                made.push(self.datum(number, component, building)?);
            }
            if let Some(data::Object::Array { elements, .. }) = building.heap.get_mut(place) {
                *elements = made;
            }
            return Ok(());
        }
        let outlines = self.field_outlines(class).map_err(|Stop(reason)| reason)?;
        let mut made = Vec::with_capacity(outlines.len());
        for field in outlines.iter() {
            let known = object.fields.iter().find(|&&(known, _)| known == field.number);
            let content = known.map_or_else(|| self.unread(field.of), |&(_, content)| content);
            made.push(data::FieldValue {
                class: Arc::clone(&field.class),
                name: Arc::clone(&field.name),
                value: self.datum(content, field.of, building)?,
            });
        }
        if let Some(data::Object::Instance { fields, .. }) = building.heap.get_mut(place) {
            *fields = made;
        }
        Ok(())
    }

    /// What a field or element holds that no path has looked at.
    fn unread(&self, of: TypeId) -> i64 {
        match self.sort(of) {
            Sort::Number { low, high, .. } => 0.clamp(low, high),
            Sort::Reference(_) => 0,
        }
    }

    fn datum(
        &mut self,
        number: i64,
        of: TypeId,
        building: &mut Building,
    ) -> Result<data::Value, Reason> {
        Ok(match of {
            TypeId::BOOLEAN => data::Value::Boolean(number != 0),
            TypeId::BYTE => data::Value::Byte(number as i8),
            TypeId::SHORT => data::Value::Short(number as i16),
            TypeId::CHAR => data::Value::Char(number as u16),
            TypeId::INT => data::Value::Int(number as i32),
            TypeId::LONG => data::Value::Long(number),
            TypeId::FLOAT => data::Value::Float(number as u32),
            TypeId::DOUBLE => data::Value::Double(number as u64),
            _ if number == 0 => data::Value::Null,
            _ => match building.places.get(&number) {
                Some(&place) => place,
                // A constant of an enum: it exists once.
                None => {
                    let known = crate::value::Reference(number.unsigned_abs() as u32);
                    let object = crate::exchange::enum_constant(self, known).ok_or_else(|| {
                        Reason::Broken("an input that refers to a new object".to_owned())
                    })?;
                    let place = building.heap.add(object);
                    building.places.insert(number, place);
                    place
                }
            },
        })
    }

    /// The objects of the initial heap that the path has looked at, as terms.
    pub fn symbolic_inputs(&mut self) -> Vec<SymbolicObject> {
        let mut found: Vec<(Expr, SymbolicObject, Vec<(u16, String, String)>)> = Vec::new();
        let cells: Vec<_> =
            self.unknown.solver.cells().map(|(location, cell)| (location, *cell)).collect();
        let terms = self.solver.store.terms();
        for input in self.unknown.solver.inputs() {
            if self.solver.store.fixed(input.reference) == Expr::Constant(0) {
                continue;
            }
            let class = TypeId(input.classes[0].0);
            let of_input = cells.iter().filter(|(_, cell)| cell.reference == input.reference);
            let mut object = SymbolicObject {
                name: input.name.to_string(),
                class: self.types.java_name(class),
                parts: Vec::new(),
                is_array: self.types.get(class).component.is_some(),
                length: None,
            };
            let mut parts = Vec::new();
            let mut is_seen = false;
            for (location, cell) in of_input {
                match location {
                    Location::Field(field) => {
                        let field = self.unknown.fields.get(*field);
                        let text = petrel_solver::text(terms, cell.value, kind_of(field.of));
                        parts.push((field.slot, field.name.to_string(), text));
                    }
                    Location::Elements(group) => {
                        let kind = kind_of(TypeId(*group));
                        let index = petrel_solver::text(terms, cell.index, Kind::Int);
                        let text = petrel_solver::text(terms, cell.value, kind);
                        parts.push((0, index, text));
                    }
                    Location::Length => {
                        object.length = Some(petrel_solver::text(terms, cell.value, Kind::Int));
                    }
                    Location::Class | Location::Ghost(_) => continue,
                }
                is_seen = true;
            }
            if is_seen {
                found.push((input.reference, object, parts));
            }
        }
        let in_order = |(_, mut object, mut parts): (Expr, SymbolicObject, Vec<_>)| {
            // The order in which fields came up depends on the paths before.
            parts.sort_by_key(|&(slot, ..): &(u16, String, String)| slot);
            object.parts = parts.into_iter().map(|(_, name, text)| (name, text)).collect();
            object
        };
        found.into_iter().map(in_order).collect()
    }

    /// Initialises a class once and for all.
    pub(crate) fn prepare_class(&mut self, class: TypeId) -> Result<(), Reason> {
        self.last_step = u64::MAX;
        let started = self.begin(Some(class));
        match started.and_then(|()| self.run()) {
            Ok(Outcome::Returned(_)) | Err(Halt::Done(Outcome::Returned(_))) => Ok(()),
            Ok(Outcome::Threw(exception)) | Err(Halt::Done(Outcome::Threw(exception))) => {
                let thrown = self.class_name(exception);
                let class = self.types.java_name(class);
                Err(Reason::Unsupported(format!("{class}, whose initialisation throws {thrown}")))
            }
            Ok(Outcome::Stopped { reason, .. })
            | Err(Halt::Stop(Stop(reason)) | Halt::Done(Outcome::Stopped { reason, .. })) => {
                Err(reason)
            }
            Err(Halt::Cut | Halt::Infeasible) => {
                Err(Reason::Broken("an initialisation was cut".to_owned()))
            }
        }
    }

    /// How unknown objects are handled, and how many classes they may have.
    pub(crate) fn handle_unknowns(
        &mut self,
        mode: HeapMode,
        domain: Option<(i64, i64)>,
        max_receivers: usize,
    ) {
        self.unknown.mode = mode;
        self.unknown.solver.is_lazy = matches!(mode, HeapMode::Lazy | HeapMode::LazyNoAlias);
        self.unknown.domain = domain;
        self.unknown.classes.most = max_receivers;
    }
}

/// Inputs that become data.
struct Building {
    heap: data::Heap,
    /// The objects by their numbers.
    places: FxHashMap<i64, data::Value>,
}
