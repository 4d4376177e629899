//! Static types with type arguments: what the generic signatures say of inputs.
//!
//! The heap solver knows static types by their numbers. A type with arguments has a number of its own, far
//! behind those of classes.

use std::rc::Rc;

use petrel_heap::ClassId;
use petrel_program::signature::{
    ClassSignature, MethodSignature, TypeArgument, TypeParameter, TypeSignature,
};
use petrel_program::{Class, ResolvedMethod};
use rustc_hash::FxHashMap;

use crate::machine::{Machine, TypeId};

/// The first number of a type with arguments.
const FIRST: u32 = 1 << 30;

/// Bounds of type parameters may speak of themselves: they are followed so far.
const DEEPEST: u32 = 4;

/// Static types with type arguments, by their numbers.
#[derive(Debug, Default)]
pub(in crate::exploration) struct StaticTypes {
    all: Vec<(TypeId, Rc<[ClassId]>)>,
    numbers: FxHashMap<(TypeId, Rc<[ClassId]>), ClassId>,
}

impl StaticTypes {
    /// The class or array type, and the type arguments.
    pub(in crate::exploration) fn get(&self, of: ClassId) -> (TypeId, Rc<[ClassId]>) {
        match of.0.checked_sub(FIRST) {
            Some(number) => self.all[number as usize].clone(),
            None => (TypeId(of.0), Rc::from([])),
        }
    }

    pub(super) fn number(&mut self, erased: TypeId, arguments: Rc<[ClassId]>) -> ClassId {
        if arguments.is_empty() {
            return ClassId(erased.0);
        }
        let next = ClassId(FIRST + self.all.len() as u32);
        let all = &mut self.all;
        *self.numbers.entry((erased, arguments)).or_insert_with_key(|key| {
            all.push(key.clone());
            next
        })
    }
}

/// What type variables stand for.
#[derive(Debug, Clone, Default)]
pub(in crate::exploration) struct Bindings<'a> {
    /// Type parameters with their bounds.
    parameters: Vec<&'a TypeParameter>,
    /// Those that stand for a type.
    bound: Vec<(&'a str, ClassId)>,
}

impl<'a> Bindings<'a> {
    /// What a factory returns says what its own type parameters stand for.
    fn bind_by_result(&mut self, signature: &'a MethodSignature, arguments: &[ClassId]) {
        let Some(TypeSignature::Class(result)) = &signature.result else { return };
        if signature.type_parameters.is_empty() || result.arguments().len() != arguments.len() {
            return;
        }
        for (argument, &of) in result.arguments().iter().zip(arguments) {
            if let TypeArgument::Exact(TypeSignature::Variable(name)) = argument {
                self.bound.push((name, of));
            }
        }
    }
}

/// The signature of a class, if it is generic.
pub(in crate::exploration) fn class_signature(class: &Class) -> Option<ClassSignature> {
    class.file.signature()?.parse().ok()
}

impl Machine<'_> {
    /// The static types of a method's parameters.
    pub(in crate::exploration) fn parameter_types(
        &mut self,
        method: &ResolvedMethod,
        arguments: &[ClassId],
    ) -> Vec<ClassId> {
        let erased: Vec<TypeId> =
            match petrel_classfile::MethodDescriptor::parse(method.descriptor()) {
                Ok(descriptor) => {
                    let parameters = descriptor.parameters.iter();
                    parameters.map(|of| self.types.of_descriptor(&of.to_string())).collect()
                }
                Err(_) => Vec::new(),
            };
        let generic = self.generic_parameter_types(method, arguments);
        match generic.filter(|generic| generic.len() == erased.len()) {
            Some(generic) => generic,
            // Parameters that a compiler adds are not in the signature.
            None => erased.into_iter().map(|of| ClassId(of.0)).collect(),
        }
    }

    fn generic_parameter_types(
        &mut self,
        method: &ResolvedMethod,
        arguments: &[ClassId],
    ) -> Option<Vec<ClassId>> {
        let signature = method.class().file.method_signature(method.declaration())?;
        let signature: MethodSignature = signature.parse().ok()?;
        let of_class = class_signature(method.class());
        let mut bindings = bindings(Some(&signature), of_class.as_ref(), arguments);
        bindings.bind_by_result(&signature, arguments);
        let types = signature.parameters.iter().map(|of| self.static_type(of, &bindings, 0));
        Some(types.collect())
    }

    /// The static type of what a method returns; `None` for `void`.
    pub(in crate::exploration) fn result_type(
        &mut self,
        method: &ResolvedMethod,
        arguments: &[ClassId],
    ) -> Option<ClassId> {
        let descriptor = petrel_classfile::MethodDescriptor::parse(method.descriptor()).ok()?;
        let erased = self.types.of_descriptor(&descriptor.result?.to_string());
        let signature = method.class().file.method_signature(method.declaration());
        let parsed = signature.and_then(|text| text.parse::<MethodSignature>().ok());
        let of_class = class_signature(method.class());
        let generic = parsed.as_ref().and_then(|signature| signature.result.as_ref());
        Some(match generic {
            Some(result) => {
                let bindings = bindings(parsed.as_ref(), of_class.as_ref(), arguments);
                self.static_type(result, &bindings, 0)
            }
            None => ClassId(erased.0),
        })
    }

    /// The static type of a field.
    pub(in crate::exploration) fn field_type(
        &mut self,
        class: &Class,
        signature: &str,
    ) -> Option<ClassId> {
        let parsed: TypeSignature = signature.parse().ok()?;
        let of_class = class_signature(class);
        Some(self.static_type(&parsed, &bindings(None, of_class.as_ref(), &[]), 0))
    }

    fn static_type(&mut self, of: &TypeSignature, bindings: &Bindings<'_>, depth: u32) -> ClassId {
        match of {
            TypeSignature::Primitive(primitive) => {
                ClassId(self.types.of_descriptor(&primitive.letter().to_string()).0)
            }
            TypeSignature::Class(class) => {
                let erased = self.types.of_name(&class.internal_name());
                if depth >= DEEPEST {
                    return ClassId(erased.0);
                }
                let arguments = class.arguments().iter().map(|argument| match argument {
                    TypeArgument::Any => ClassId(TypeId::OBJECT.0),
                    TypeArgument::Exact(of)
                    | TypeArgument::Extends(of)
                    | TypeArgument::Super(of) => self.static_type(of, bindings, depth + 1),
                });
                let arguments: Rc<[ClassId]> = arguments.collect();
                self.exploration.unknown.static_types.number(erased, arguments)
            }
            TypeSignature::Variable(name) => self.variable_type(name, bindings, depth),
            TypeSignature::Array(component) => {
                let component = self.static_type(component, bindings, depth + 1);
                let (erased, _) = self.exploration.unknown.static_types.get(component);
                ClassId(self.types.array_of(erased).0)
            }
        }
    }

    fn variable_type(&mut self, name: &str, bindings: &Bindings<'_>, depth: u32) -> ClassId {
        if let Some(&(_, of)) = bindings.bound.iter().find(|(bound, _)| *bound == name) {
            return of;
        }
        let parameter = bindings.parameters.iter().find(|parameter| *parameter.name == *name);
        let bound = parameter.and_then(|parameter| {
            let is_object = |bound: &&TypeSignature| {
                matches!(bound, TypeSignature::Class(class) if class.internal_name() == "java/lang/Object")
            };
            let class_bound = parameter.class_bound.as_ref().filter(|bound| !is_object(bound));
            class_bound.or_else(|| parameter.interface_bounds.first())
        });
        match bound {
            Some(bound) if depth < DEEPEST => self.static_type(bound, bindings, depth + 1),
            _ => ClassId(TypeId::OBJECT.0),
        }
    }

    /// The type of an input, and what is known of it by its static type.
    pub(in crate::exploration) fn erased(&self, of: ClassId) -> TypeId {
        self.exploration.unknown.static_types.get(of).0
    }
}

/// What the type variables in the signatures of a method and its class stand for. The class may have type
/// arguments.
fn bindings<'a>(
    method: Option<&'a MethodSignature>,
    class: Option<&'a ClassSignature>,
    arguments: &[ClassId],
) -> Bindings<'a> {
    let of_class = class.map_or(&[][..], |class| &class.parameters);
    let of_method = method.map_or(&[][..], |method| &method.type_parameters);
    let bound = if of_class.len() == arguments.len() {
        let hidden = |name: &str| of_method.iter().any(|own| *own.name == *name);
        let pairs = of_class.iter().zip(arguments);
        let visible = pairs.filter(|(parameter, _)| !hidden(&parameter.name));
        visible.map(|(parameter, &of)| (&*parameter.name, of)).collect()
    } else {
        Vec::new()
    };
    Bindings { parameters: of_method.iter().chain(of_class).collect(), bound }
}
