//! Types as source writes them: with type arguments where signatures give them.

use std::collections::BTreeMap;
use std::sync::Arc;

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_program::signature::{
    ClassSignature, ClassType, MethodSignature, PrimitiveType, TypeArgument, TypeParameter,
    TypeSignature,
};
use petrel_program::{Class, Program, ResolvedField, ResolvedMethod};

use crate::imports::Imports;
use crate::visible::Visible;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Primitive(JavaType),
    /// Internal name, and type arguments: none if the type is raw or has no parameters.
    Class(Arc<str>, Vec<Type>),
    Array(Box<Type>),
    Variable(Box<str>),
    /// `?`, as a type argument.
    Any,
    /// `? extends`.
    Extends(Box<Type>),
    /// `? super`.
    Super(Box<Type>),
}

/// What type variables stand for.
pub(crate) type Bindings = BTreeMap<Box<str>, Type>;

impl Type {
    pub(crate) fn object() -> Type {
        Type::class("java/lang/Object")
    }

    /// A class without type arguments.
    pub(crate) fn class(name: &str) -> Type {
        Type::Class(name.into(), Vec::new())
    }

    pub(crate) fn of(java_type: &JavaType) -> Type {
        match java_type {
            JavaType::Object(name) => Type::class(name),
            JavaType::Array(component) => Type::Array(Box::new(Type::of(component))),
            primitive => Type::Primitive(primitive.clone()),
        }
    }

    fn of_signature(signature: &TypeSignature) -> Type {
        match signature {
            TypeSignature::Primitive(primitive) => Type::Primitive(match primitive {
                PrimitiveType::Boolean => JavaType::Boolean,
                PrimitiveType::Byte => JavaType::Byte,
                PrimitiveType::Char => JavaType::Char,
                PrimitiveType::Short => JavaType::Short,
                PrimitiveType::Int => JavaType::Int,
                PrimitiveType::Long => JavaType::Long,
                PrimitiveType::Float => JavaType::Float,
                PrimitiveType::Double => JavaType::Double,
            }),
            TypeSignature::Class(class) => Type::of_class_type(class),
            TypeSignature::Variable(name) => Type::Variable(name.clone()),
            TypeSignature::Array(component) => Type::Array(Box::new(Type::of_signature(component))),
        }
    }

    /// Arguments of the classes around a member class are left out: such types are raw here.
    fn of_class_type(class: &ClassType) -> Type {
        let is_in_generic = |outer: &[TypeArgument]| !outer.is_empty();
        let outer = std::iter::once(&class.outermost).chain(&class.members);
        let n_outer = class.members.len();
        let is_partial = outer.take(n_outer).any(|outer| is_in_generic(&outer.arguments));
        let argument = |argument: &TypeArgument| match argument {
            TypeArgument::Any => Type::Any,
            TypeArgument::Exact(of) => Type::of_signature(of),
            TypeArgument::Extends(of) => Type::Extends(Box::new(Type::of_signature(of))),
            TypeArgument::Super(of) => Type::Super(Box::new(Type::of_signature(of))),
        };
        let arguments = class.arguments().iter().filter(|_| !is_partial).map(argument).collect();
        Type::Class(class.internal_name().into(), arguments)
    }

    /// Without type arguments and variables, as descriptors have it. A variable is `Object`: whoever needs more
    /// looks at the descriptor.
    pub(crate) fn erased(&self) -> Type {
        match self {
            Type::Class(name, _) => Type::class(name),
            Type::Array(component) => Type::Array(Box::new(component.erased())),
            Type::Primitive(_) => self.clone(),
            Type::Extends(bound) => bound.erased(),
            Type::Variable(_) | Type::Any | Type::Super(_) => Type::object(),
        }
    }

    pub(crate) fn with(&self, bindings: &Bindings) -> Type {
        let boxed = |of: &Type| Box::new(of.with(bindings));
        match self {
            Type::Variable(name) => bindings.get(name).cloned().unwrap_or_else(|| self.clone()),
            Type::Class(name, arguments) => {
                Type::Class(name.clone(), arguments.iter().map(|of| of.with(bindings)).collect())
            }
            Type::Array(component) => Type::Array(boxed(component)),
            Type::Extends(bound) => Type::Extends(boxed(bound)),
            Type::Super(bound) => Type::Super(boxed(bound)),
            Type::Primitive(_) | Type::Any => self.clone(),
        }
    }

    /// The type that a wildcard is taken for.
    pub(crate) fn without_wildcard(&self) -> Option<Type> {
        match self {
            Type::Any => None,
            Type::Extends(bound) | Type::Super(bound) => Some((**bound).clone()),
            other => Some(other.clone()),
        }
    }

    /// Whether it has variables or wildcards that nothing was found for.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Type::Variable(_) => true,
            Type::Class(_, arguments) => arguments.iter().any(Type::is_open),
            Type::Array(of) | Type::Extends(of) | Type::Super(of) => of.is_open(),
            Type::Primitive(_) | Type::Any => false,
        }
    }

    pub(crate) fn is_generic(&self) -> bool {
        match self {
            Type::Class(_, arguments) => !arguments.is_empty(),
            Type::Array(of) => of.is_generic(),
            _ => false,
        }
    }

    /// Whether the file can write it.
    pub(crate) fn is_named(&self, visible: Visible<'_>) -> bool {
        match self {
            Type::Class(name, arguments) => {
                visible.name(name).is_some() && arguments.iter().all(|of| of.is_named(visible))
            }
            Type::Array(of) | Type::Extends(of) | Type::Super(of) => of.is_named(visible),
            Type::Primitive(_) | Type::Variable(_) | Type::Any => true,
        }
    }

    /// With superclasses in place of the classes that have no names in the file.
    pub(crate) fn nearest_named(&self, visible: Visible<'_>) -> Type {
        let boxed = |of: &Type| Box::new(of.nearest_named(visible));
        match self {
            Type::Class(name, arguments) if visible.name(name).is_some() => {
                let arguments = arguments.iter().map(|of| of.nearest_named(visible));
                Type::Class(name.clone(), arguments.collect())
            }
            Type::Class(name, _) => match visible.program.class(name) {
                Ok(class) => Type::Class(visible.nearest(&class), Vec::new()),
                Err(_) => Type::object(),
            },
            Type::Array(component) => Type::Array(boxed(component)),
            Type::Extends(bound) => Type::Extends(boxed(bound)),
            Type::Super(bound) => Type::Super(boxed(bound)),
            Type::Primitive(_) | Type::Variable(_) | Type::Any => self.clone(),
        }
    }

    /// As in `Class` constants; `None` for primitive types and what is no type by itself.
    pub(crate) fn constant_name(&self) -> Option<String> {
        match self {
            Type::Class(name, _) => Some(name.to_string()),
            Type::Array(component) => Some(format!("[{}", component.descriptor())),
            _ => None,
        }
    }

    fn descriptor(&self) -> String {
        match self {
            Type::Primitive(primitive) => primitive.to_string(),
            Type::Class(name, _) => format!("L{name};"),
            Type::Array(component) => format!("[{}", component.descriptor()),
            _ => "Ljava/lang/Object;".to_owned(),
        }
    }

    /// How the file writes it; `None` if a class in it has no name there.
    pub(crate) fn text(&self, imports: &mut Imports<'_>) -> Option<String> {
        Some(match self {
            Type::Primitive(primitive) => petrel_program::external_type(primitive),
            Type::Class(name, arguments) => {
                let mut text = imports.class(name)?;
                if !arguments.is_empty() {
                    let arguments: Option<Vec<String>> =
                        arguments.iter().map(|argument| argument.text(imports)).collect();
                    text += &format!("<{}>", arguments?.join(", "));
                }
                text
            }
            Type::Array(component) => component.text(imports)? + "[]",
            Type::Any | Type::Variable(_) => "?".to_owned(),
            Type::Extends(bound) => format!("? extends {}", bound.text(imports)?),
            Type::Super(bound) => format!("? super {}", bound.text(imports)?),
        })
    }
}

/// The types of a method.
#[derive(Debug, Clone)]
pub(crate) struct MethodTypes {
    pub(crate) variables: Vec<TypeParameter>,
    pub(crate) parameters: Vec<Type>,
    pub(crate) result: Option<Type>,
}

impl MethodTypes {
    /// Those of its descriptor.
    pub(crate) fn erased(method: &ResolvedMethod) -> MethodTypes {
        let descriptor = MethodDescriptor::parse(method.descriptor());
        let (parameters, result) =
            descriptor.map_or((Vec::new(), None), |of| (of.parameters, of.result));
        MethodTypes {
            variables: Vec::new(),
            parameters: parameters.iter().map(Type::of).collect(),
            result: result.as_ref().map(Type::of),
        }
    }

    /// Those of its signature. A signature leaves parameters out that the compiler added: then it says nothing.
    pub(crate) fn of(method: &ResolvedMethod) -> MethodTypes {
        let erased = MethodTypes::erased(method);
        let file = &method.class().file;
        let signature = file.method_signature(method.declaration());
        let signature = signature.and_then(|text| text.parse::<MethodSignature>().ok());
        match signature {
            Some(signature) if signature.parameters.len() == erased.parameters.len() => {
                MethodTypes {
                    parameters: signature.parameters.iter().map(Type::of_signature).collect(),
                    result: signature.result.as_ref().map(Type::of_signature),
                    variables: signature.type_parameters,
                }
            }
            _ => erased,
        }
    }
}

/// The type of a field.
pub(crate) fn field_type(field: &ResolvedField) -> Type {
    let file = &field.class().file;
    let signature = file.field_signature(field.declaration());
    match signature.and_then(|text| text.parse::<TypeSignature>().ok()) {
        Some(signature) => Type::of_signature(&signature),
        None => {
            JavaType::parse(field.descriptor()).map_or_else(|_| Type::object(), |of| Type::of(&of))
        }
    }
}

/// The type parameters of a class.
pub(crate) fn class_parameters(class: &Class) -> Vec<TypeParameter> {
    class_signature(class).map_or_else(Vec::new, |signature| signature.parameters)
}

fn class_signature(class: &Class) -> Option<ClassSignature> {
    class.file.signature()?.parse().ok()
}

/// The bounds of a variable that say something.
pub(crate) fn bounds_of(parameter: &TypeParameter) -> Vec<Type> {
    let bounds = parameter.class_bound.iter().chain(&parameter.interface_bounds);
    bounds.map(Type::of_signature).filter(|bound| *bound != Type::object()).collect()
}

/// A class type seen as one of its supertypes: `ArrayList<String>` as `List<String>`.
pub(crate) fn view(program: &Program, of: &Type, as_class: &str) -> Option<Type> {
    let Type::Class(name, arguments) = of else { return None };
    if &**name == as_class {
        return Some(of.clone());
    }
    let class = program.class(name).ok()?;
    let target = program.class(as_class).ok()?;
    if !class.is_subclass_of(&target) {
        return None;
    }
    let Some(signature) = class_signature(&class) else {
        // What is above a class without a signature has no arguments that are known.
        let above = class.super_class().into_iter().chain(class.interfaces());
        let mut above = above.filter(|above| above.is_subclass_of(&target));
        return view(program, &Type::class(above.next()?.name()), as_class);
    };
    let is_raw = arguments.len() != signature.parameters.len();
    let names = signature.parameters.iter().map(|parameter| parameter.name.clone());
    let bindings: Bindings = names.zip(arguments.iter().cloned()).collect();
    let above = std::iter::once(&signature.super_class).chain(&signature.interfaces);
    above.map(Type::of_class_type).find_map(|above| {
        let above = if is_raw { above.erased() } else { above.with(&bindings) };
        view(program, &above, as_class)
    })
}

/// Binds the variables of a pattern so that it is the given type, as far as that goes.
pub(crate) fn bind(pattern: &Type, given: &Type, bindings: &mut Bindings) {
    match (pattern, given) {
        (Type::Variable(name), given) => {
            if let Some(given) = given.without_wildcard() {
                bindings.entry(name.clone()).or_insert(given);
            }
        }
        (Type::Class(a, patterns), Type::Class(b, given)) if a == b => {
            for (pattern, given) in patterns.iter().zip(given) {
                bind(pattern, given, bindings);
            }
        }
        (Type::Array(pattern), Type::Array(given)) => bind(pattern, given, bindings),
        (Type::Extends(pattern) | Type::Super(pattern), given) => {
            if let Some(given) = given.without_wildcard() {
                bind(pattern, &given, bindings);
            }
        }
        _ => {}
    }
}
