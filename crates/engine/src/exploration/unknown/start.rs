//! The initial heap: inputs, assumptions about them, and what it is when the unknowns have values.

use std::sync::Arc;

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_clp::Kind;
use petrel_expression::Expression;
use petrel_heap::{ClassId, FieldId, Sort};
use petrel_program::{Hints, ResolvedMethod};
use petrel_value as data;

use super::Size;
use super::fields::InstanceField;
use crate::exploration::choose::value_of;
use crate::exploration::explore::{Bounds, HeapMode, Objects};
use crate::machine::{
    Defect, Feature, Halt, Machine, MethodNumber, Outcome, Reason, Stop, TypeId, Value,
};

/// An input that was made.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) name: Box<str>,
    pub(super) value: Value,
    pub(super) of: TypeId,
}

/// The inputs of a call.
#[derive(Debug, Default)]
pub(in crate::exploration) struct Inputs {
    pub(super) all: Vec<Named>,
    /// Receivers and methods that have to return true before the call.
    pub(in crate::exploration) valid: Vec<(Value, MethodNumber)>,
    /// Receivers that are made before the call, each with a method that looks into it.
    pub(in crate::exploration) opened: Vec<(Value, MethodNumber)>,
}

/// `Class` objects of so many enums of the project may be inputs.
const MOST_ENUMS: usize = 64;

impl Machine<'_> {
    /// Inputs of a method are going to be made. They may be objects that the program has already, unless something is
    /// assumed of them: of such objects nobody knows.
    pub fn expect_inputs_of(&mut self, method: &ResolvedMethod, may_be_shared: bool) {
        let mut hints = Hints::of(method);
        // An object of one input may be another input.
        let mut types: Vec<Arc<str>> = Vec::new();
        if !method.is_static() {
            types.push(method.class().name().into());
        }
        if let Ok(descriptor) = MethodDescriptor::parse(method.descriptor()) {
            for parameter in descriptor.parameters {
                match parameter {
                    JavaType::Object(name) => types.push((&*name).into()),
                    array @ JavaType::Array(_) => types.push(array.to_string().into()),
                    _ => {}
                }
            }
        }
        types.append(&mut hints.checked);
        hints.checked = types;
        self.exploration.unknown.classes.hints = hints;
        if matches!(self.exploration.unknown.classes.objects, Objects::Calls(1..)) {
            self.exploration.unknown.classes.fields_read = self.program.fields_used(method).read;
        }
        self.expect_class_objects();
        self.exploration.unknown.classes.shared.clear();
        if may_be_shared {
            self.learn_shared(method);
        }
    }

    /// Makes the `Class` objects that inputs may be: those of types that everybody has, of each kind, and of those that the code names.
    fn expect_class_objects(&mut self) {
        const ENUMS: [&str; 1] = ["Ljava/util/concurrent/TimeUnit;"];
        const OTHERS: [&str; 3] =
            ["Ljava/lang/String;", "Ljava/lang/Integer;", "Ljava/lang/Object;"];
        const KINDS: [&str; 3] = ["Ljava/lang/Runnable;", "I", "[I"];
        let named = self.exploration.unknown.classes.hints.named_classes.clone();
        let mut objects_of = |descriptors: &mut dyn Iterator<Item = &str>| {
            let mut objects: Vec<petrel_heap::Known> = Vec::new();
            for descriptor in descriptors {
                let id = self.types.of_descriptor(descriptor);
                let Ok(mirror) = self.mirror(id) else { continue };
                let object = petrel_heap::Known(mirror.0);
                if !objects.contains(&object) {
                    objects.push(object);
                }
            }
            objects
        };
        let enums = objects_of(&mut ENUMS.into_iter());
        let named = named.iter().map(|descriptor| &**descriptor);
        let others = objects_of(&mut OTHERS.into_iter().chain(named).chain(KINDS));
        let hints = &self.exploration.unknown.classes.hints;
        let known = self.program.candidates("java/lang/Enum", hints, MOST_ENUMS).classes;
        let ids: Vec<TypeId> = known.iter().map(|name| self.types.of_name(name)).collect();
        let of_project = ids
            .into_iter()
            .filter_map(|id| Some((id, petrel_heap::Known(self.mirror(id).ok()?.0))))
            .collect();
        let objects = super::ClassObjects { enums, others, of_project };
        self.exploration.unknown.classes.class_objects = objects;
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
        self.unknown_of_type(name, ClassId(of.0), is_nullable)
    }

    fn unknown_of_type(
        &mut self,
        name: &str,
        of: ClassId,
        is_nullable: bool,
    ) -> Result<Value, Reason> {
        let sort = self.sort_of(of);
        let erased = self.erased(of);
        for &constants in self.enums_of(erased).iter() {
            self.prepare_class(constants)?;
            self.learn_constants(constants).map_err(|Stop(reason)| reason)?;
        }
        self.add_input(name, erased, sort, is_nullable)
    }

    /// The unknown arguments of a method, without its receiver.
    ///
    /// # Errors
    ///
    /// If there can be no such input.
    pub fn unknown_arguments(
        &mut self,
        method: &ResolvedMethod,
        names: &[&str],
    ) -> Result<Vec<Value>, Reason> {
        let types = self.parameter_types(method, &[]);
        let mut arguments = Vec::with_capacity(types.len());
        for (of, name) in types.into_iter().zip(names) {
            arguments.push(self.unknown_of_type(name, of, true)?);
        }
        Ok(arguments)
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
            let is_opaque = self.exploration.unknown.classes.opaque.contains(&TypeId(class.0));
            let selected = self.select(TypeId(class.0), number).map_err(|Stop(reason)| reason)?;
            let is_same = method.is_private() || selected == Ok(number);
            if !is_opaque && is_same {
                classes.push(class);
            }
        }
        if classes.is_empty() {
            return self.made_receiver(method, number, of);
        }
        let made = self.ask_heap(|heap, context| {
            let classes = candidates.among(classes);
            heap.unknown_of_classes(context, Expression::name("this"), classes, false)
        });
        let made = made.map_err(|_| Reason::Defect(Defect::ImpossibleReceiver))?;
        let value = value_of(made, Kind::Reference);
        self.exploration.inputs.all.push(Named { name: "this".into(), value, of });
        Ok(value)
    }

    /// The unknown receiver of a method of a class whose objects are not made up field by field.
    fn made_receiver(
        &mut self,
        method: &ResolvedMethod,
        number: MethodNumber,
        of: TypeId,
    ) -> Result<Value, Reason> {
        let name = Expression::name("this");
        let objects = self.ask_heap(|_, context| context.world.objects(ClassId(of.0), &name));
        let mut with_method = Vec::new();
        for object in objects {
            let class = self.heap.class(crate::machine::Reference(object.0));
            let selected = self.select(class, number).map_err(|Stop(reason)| reason)?;
            if method.is_private() || selected == Ok(number) {
                with_method.push(object);
            }
        }
        if with_method.is_empty() {
            let class = self.types.java_name(of);
            return Err(Feature::Receiver(class).into());
        }
        let receiver = self.receiver_among(&with_method, of);
        // Who calls a method has an object, also if the method never looks at it.
        if self.exploration.unknown.classes.objects != Objects::Fields
            && let Ok(class) = self.class(of)
            && let Some(opener) = petrel_translate::opener::opener(self.program, &class)
        {
            let opener = self.method_number(&opener);
            self.exploration.inputs.opened.push((receiver, opener));
        }
        Ok(receiver)
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
        number: MethodNumber,
        enumeration: TypeId,
        of: TypeId,
    ) -> Result<Value, Reason> {
        self.prepare_class(enumeration)?;
        self.learn_constants(enumeration).map_err(|Stop(reason)| reason)?;
        let constants = self.exploration.unknown.classes.constants.get(&enumeration).cloned();
        let mut with_method = Vec::new();
        for &constant in constants.iter().flat_map(|constants| constants.iter()) {
            let class = self.heap.class(crate::machine::Reference(constant.0));
            let selected = self.select(class, number).map_err(|Stop(reason)| reason)?;
            let is_same = method.is_private() || selected == Ok(number);
            if is_same && self.types.is_subtype(self.program, class, of) {
                with_method.push(constant);
            }
        }
        if with_method.is_empty() {
            let class = self.types.java_name(of);
            return Err(Feature::Receiver(class).into());
        }
        Ok(self.receiver_among(&with_method, of))
    }

    /// A receiver that is one of some objects.
    fn receiver_among(&mut self, objects: &[petrel_heap::Known], of: TypeId) -> Value {
        let made = self.ask_heap(|heap, context| {
            let name = Expression::name("this");
            heap.unknown_of_some(context.store, name, objects, false, true)
        });
        let value = value_of(made, Kind::Reference);
        self.exploration.inputs.all.push(Named { name: "this".into(), value, of });
        value
    }

    fn add_input(
        &mut self,
        name: &str,
        of: TypeId,
        sort: Sort,
        is_nullable: bool,
    ) -> Result<Value, Reason> {
        let made = self.ask_heap(|heap, context| {
            heap.unknown(context, Expression::name(name), sort, is_nullable)
        });
        let made = made.map_err(|_| Reason::Defect(Defect::ImpossibleInput))?;
        let value = value_of(made, sort.kind());
        self.exploration.inputs.all.push(Named { name: name.into(), value, of });
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

    /// What a static field of a class that is initialised holds.
    pub fn static_value(&mut self, class: &str, name: &str) -> Option<Value> {
        let id = self.types.of_name(class);
        let is_there = self.is_initialised(id).ok()?;
        let place = self.static_named(class, name).ok().filter(|_| is_there)?;
        self.static_values().get(place as usize).copied()
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

    /// The number of an instance field for the heap solver.
    pub(crate) fn instance_field_number(
        &mut self,
        class: TypeId,
        field: &petrel_program::ResolvedField,
    ) -> Result<FieldId, Stop> {
        let slot = self.layout(class)?.declared.get(field.index()).copied().unwrap_or_default();
        let of = self.types.of_descriptor(field.descriptor());
        let field = InstanceField { class, slot: slot as u16, name: field.name().into(), of };
        Ok(self.exploration.unknown.fields.number(field))
    }

    /// Initialises a class once and for all.
    pub(crate) fn prepare_class(&mut self, class: TypeId) -> Result<(), Reason> {
        self.limit_steps(u64::MAX);
        let was_preparing = std::mem::replace(&mut self.exploration.is_preparing, true);
        let ended = self.begin(Some(class)).and_then(|()| self.run());
        self.exploration.is_preparing = was_preparing;
        match ended {
            Ok(Outcome::Returned(_)) | Err(Halt::Done(Outcome::Returned(_))) => Ok(()),
            Ok(Outcome::Threw(exception)) | Err(Halt::Done(Outcome::Threw(exception))) => {
                let thrown = self.class_name(exception);
                let class = self.types.java_name(class);
                Err(Feature::FailedInitialisation(class, thrown).into())
            }
            Ok(Outcome::Stopped { reason, .. })
            | Err(Halt::Stop(Stop(reason)) | Halt::Done(Outcome::Stopped { reason, .. })) => {
                Err(reason)
            }
            Err(
                Halt::Cut
                | Halt::Infeasible
                | Halt::Astray
                | Halt::TooExpensive
                | Halt::Unfollowed(_),
            ) => Err(Reason::Defect(Defect::CutInitialisation)),
        }
    }

    /// How unknown objects are handled, and how many classes they may have.
    pub(in crate::exploration) fn handle_unknowns(&mut self, bounds: &Bounds) {
        self.exploration.unknown.mode = bounds.heap;
        self.exploration.unknown.solver.is_lazy =
            matches!(bounds.heap, HeapMode::Lazy | HeapMode::LazyNoAlias);
        self.exploration.unknown.domain = bounds.domain;
        self.exploration.unknown.classes.most = bounds.max_receivers;
        self.exploration.unknown.classes.objects = bounds.objects;
        self.exploration.unknown.units = Size { asked_for: bounds.max_string };
        self.exploration.unknown.elements = Size { asked_for: bounds.max_elements };
    }
}
