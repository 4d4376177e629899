//! Type arguments that follow from where an object is used, and from what it holds.

use std::sync::Arc;

use petrel_program::Class;
use petrel_program::signature::TypeParameter;
use petrel_translate::stub;
use petrel_value::{Call, Object, Shared, Value};

use super::{Misfit, Typing, own_type};
use crate::find;
use crate::types::{Bindings, MethodTypes, Type, bind, class_parameters, view};

impl Typing<'_> {
    /// What the variables of a parameter's type have to stand for if this is the argument.
    pub(super) fn collect(
        &self,
        of: &Type,
        value: Value,
        bindings: &mut Bindings,
    ) -> Result<(), Misfit> {
        let Some(object) = self.heap.get(value) else { return Ok(()) };
        match (of, object) {
            (Type::Variable(name), object) => match self.natural(object) {
                Some(natural) => stands_for(bindings, name, natural),
                None => Ok(()),
            },
            (Type::Array(of), Object::Array { component, elements }) => match &**of {
                // Its elements may say more than the array does, which is then no array of theirs.
                Type::Variable(name) => stands_for(bindings, name, Type::of(component)),
                of => elements.iter().try_for_each(|&element| self.collect(of, element, bindings)),
            },
            (Type::Class(name, arguments), Object::Built { class, by, calls }) => {
                let Some(of) = self.made_class(class, by) else { return Ok(()) };
                let parameters = class_parameters(&of);
                let Some(Type::Class(_, seen)) =
                    view(self.program(), &own_type(&of, &parameters), name)
                else {
                    return Ok(());
                };
                let own = self.contents(&of, &parameters, std::iter::once(by).chain(calls));
                for (argument, seen) in arguments.iter().zip(&seen) {
                    if let (Type::Variable(_), Some(argument)) = (seen, argument.without_wildcard())
                        && let Type::Variable(wanted) = argument
                        && let found @ Type::Class(..) = seen.with(&own)
                    {
                        bindings.entry(wanted).or_insert(found);
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The class of an object whose constructor is called, or of the stubbed type.
    pub(super) fn made_class(&self, class: &str, by: &Call) -> Option<Arc<Class>> {
        match stub::stubbed(&by.class) {
            Some(of) => self.program().class(&of).ok(),
            None if &*by.name == "<init>" => self.program().class(class).ok(),
            None => None,
        }
    }

    /// What the variables of a class have to stand for because of what calls are given.
    pub(super) fn contents<'c>(
        &self,
        class: &Arc<Class>,
        parameters: &[TypeParameter],
        calls: impl Iterator<Item = &'c Call>,
    ) -> Bindings {
        let mut found = Bindings::new();
        let own = own_type(class, parameters);
        for call in calls {
            let Ok(method) = find::called(self.program(), call) else { continue };
            let Some(types) = self.seen_from(&method, &own) else { continue };
            for (of, &argument) in types.parameters.iter().zip(&call.arguments) {
                let (Type::Variable(name), Some(object)) = (of, self.heap.get(argument)) else {
                    continue;
                };
                let Some(natural) = self.natural(object) else { continue };
                let bound = found.entry(name.clone()).or_insert_with(|| natural.clone());
                if *bound != natural {
                    *bound = Type::object();
                }
            }
        }
        found
    }

    /// The type that an object has by itself, if it has no parameters.
    pub(super) fn natural(&self, object: &Object) -> Option<Type> {
        let plain = |class: &str| {
            let loaded = self.program().class(class).ok()?;
            let is_plain = class_parameters(&loaded).is_empty();
            (is_plain && self.visible.name(class).is_some()).then(|| Type::class(class))
        };
        match object {
            Object::String(_) => Some(Type::class("java/lang/String")),
            Object::Boxed(value) => value.box_class().map(Type::class),
            Object::Shared(Shared::Constant(_)) => Some(Type::class("java/lang/String")),
            Object::EnumConstant { class, .. } | Object::Instance { class, .. } => plain(class),
            Object::Built { class, by, .. } if &*by.name == "<init>" => {
                plain(&stub::stubbed(class).unwrap_or_else(|| class.to_string()))
            }
            Object::Array { component, .. } => Some(Type::Array(Box::new(Type::of(component)))),
            Object::Shared(Shared::Static { .. })
            | Object::Built { .. }
            | Object::Opaque { .. } => None,
        }
    }

    /// Finds something for the variables that nothing is known of.
    pub(super) fn complete(
        &self,
        parameters: &[&TypeParameter],
        bindings: &mut Bindings,
    ) -> Result<(), Misfit> {
        // A bound may speak of variables that come later.
        for _ in parameters {
            for parameter in parameters {
                if !bindings.contains_key(&parameter.name)
                    && let Some(chosen) = self.any_within(parameter, bindings)
                {
                    bindings.insert(parameter.name.clone(), chosen);
                }
            }
        }
        let is_bound = |parameter: &&TypeParameter| bindings.contains_key(&parameter.name);
        let is_right = parameters.iter().all(is_bound) && self.keep_to_bounds(parameters, bindings);
        if is_right { Ok(()) } else { Err(Misfit) }
    }

    pub(super) fn type_of(&self, object: &Object, expected: &Type) -> Type {
        match object {
            Object::Array { component, .. } => {
                let natural = Type::of(component);
                match expected {
                    Type::Array(wanted) if wanted.erased() == natural => expected.clone(),
                    _ => Type::Array(Box::new(natural)),
                }
            }
            Object::Instance { class, .. } => {
                self.instantiated(class, expected, std::iter::empty())
            }
            Object::Built { class, by, calls } => match stub::stubbed(&by.class) {
                Some(of) => self.instantiated(&of, expected, std::iter::empty()),
                None if &*by.name == "<init>" => {
                    self.instantiated(class, expected, std::iter::once(by).chain(calls))
                }
                None => self.result_of_factory(by, expected),
            },
            _ => self.natural(object).unwrap_or_else(|| expected.erased()),
        }
    }

    /// A class with the type arguments that make it fit.
    pub(super) fn instantiated<'c>(
        &self,
        class: &str,
        expected: &Type,
        calls: impl Iterator<Item = &'c Call>,
    ) -> Type {
        let Ok(loaded) = self.program().class(class) else { return expected.clone() };
        if self.visible.name(class).is_none() {
            let nearest = self.visible.nearest(&loaded);
            let is_named =
                matches!(expected, Type::Class(name, _) if self.visible.name(name).is_some());
            let says_more = &*nearest == "java/lang/Object" && is_named;
            return if says_more { expected.erased() } else { Type::class(&nearest) };
        }
        let parameters = class_parameters(&loaded);
        if self.is_raw || parameters.is_empty() {
            return Type::class(class);
        }
        let own = own_type(&loaded, &parameters);
        let mut bindings = Bindings::new();
        if let Type::Class(name, _) = expected
            && let Some(seen) = view(self.program(), &own, name)
        {
            bind(&seen, expected, &mut bindings);
        }
        for (name, of) in self.contents(&loaded, &parameters, calls) {
            bindings.entry(name).or_insert(of);
        }
        let parameters: Vec<&TypeParameter> = parameters.iter().collect();
        match self.complete(&parameters, &mut bindings) {
            Ok(()) => own.with(&bindings),
            Err(Misfit) => Type::class(class),
        }
    }

    pub(super) fn result_of_factory(&self, by: &Call, expected: &Type) -> Type {
        let Ok(method) = find::called(self.program(), by) else { return expected.clone() };
        if self.is_raw {
            return MethodTypes::erased(&method).result.unwrap_or_else(|| expected.clone());
        }
        let types = MethodTypes::of(&method);
        let Some(result) = types.result else { return expected.clone() };
        let mut bindings = Bindings::new();
        if let Type::Class(name, _) = expected
            && let Some(seen) = view(self.program(), &result, name)
        {
            bind(&seen, expected, &mut bindings);
        }
        for (of, &argument) in types.parameters.iter().zip(&by.arguments) {
            if let (Type::Variable(name), Some(object)) = (of, self.heap.get(argument))
                && let Some(natural) = self.natural(object)
            {
                bindings.entry(name.clone()).or_insert(natural);
            }
        }
        let of_class = class_parameters(method.class());
        let variables: Vec<&TypeParameter> = of_class.iter().chain(&types.variables).collect();
        match self.complete(&variables, &mut bindings) {
            Ok(()) => result.with(&bindings),
            Err(Misfit) => MethodTypes::erased(&method).result.unwrap_or(result),
        }
    }
}

/// Notes what a variable stands for, which is one thing only.
fn stands_for(bindings: &mut Bindings, name: &str, of: Type) -> Result<(), Misfit> {
    let known = bindings.entry(name.into()).or_insert_with(|| of.clone());
    if *known == of { Ok(()) } else { Err(Misfit) }
}
