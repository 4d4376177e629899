//! The types of the input objects: which type arguments a `new ArrayList<>()` has.
//!
//! The engine knows no type arguments, and neither does the heap. They follow from where an object is used: from
//! the parameter that takes it, or else from what it holds. Where no choice makes javac content, all types are
//! raw, and the test says so.

mod bounds;
mod fits;
mod infer;

use std::sync::Arc;

use petrel_program::signature::TypeParameter;
use petrel_program::{Class, Program, ResolvedMethod};
use petrel_translate::stub;
use petrel_value::{Call, Heap, Object, ObjectId, Value};

use crate::find;
use crate::types::{Bindings, MethodTypes, Type, bind, class_parameters, field_type, view};
use crate::visible::Visible;

/// The types that were found.
#[derive(Debug, Clone)]
pub(crate) struct Typing<'a> {
    visible: Visible<'a>,
    heap: &'a Heap,
    /// Whether all types are raw.
    pub(crate) is_raw: bool,
    /// Whether javac warns although the code is right.
    pub(crate) is_unchecked: bool,
    /// By object.
    types: Vec<Option<Type>>,
}

/// The call under test: what is expected of its receiver and arguments, and what it gives.
#[derive(Debug, Clone)]
pub(crate) struct CallTypes {
    pub(crate) receiver: Option<Type>,
    pub(crate) parameters: Vec<Type>,
    pub(crate) result: Option<Type>,
}

/// No type arguments make an object fit where it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Misfit;

impl<'a> Typing<'a> {
    pub(crate) fn new(visible: Visible<'a>, heap: &'a Heap, is_raw: bool) -> Typing<'a> {
        Typing { visible, heap, is_raw, is_unchecked: false, types: vec![None; heap.objects.len()] }
    }

    fn program(&self) -> &'a Program {
        self.visible.program
    }

    /// The type of the variable that holds an object.
    pub(crate) fn of(&self, value: Value) -> Option<&Type> {
        match value {
            Value::Reference(id) => self.types.get(id.0 as usize)?.as_ref(),
            _ => None,
        }
    }

    /// The variable of an object has a type above the one that was found.
    pub(crate) fn widen(&mut self, id: ObjectId, to: Type) {
        if let Some(of) = self.types.get_mut(id.0 as usize) {
            *of = Some(to);
        }
    }

    /// The types of the call under test.
    pub(crate) fn call(
        &mut self,
        method: &ResolvedMethod,
        receiver: Option<Value>,
        arguments: &[Value],
    ) -> Result<CallTypes, Misfit> {
        let class = method.class();
        if self.is_raw {
            let types = MethodTypes::erased(method);
            let of_class = Type::class(class.name());
            return self.expect_call(
                CallTypes {
                    receiver: receiver.is_some().then(|| of_class.clone()),
                    result: if method.is_constructor() { Some(of_class) } else { types.result },
                    parameters: types.parameters,
                },
                receiver,
                arguments,
            );
        }
        let types = MethodTypes::of(method);
        let mut bindings = Bindings::new();
        let of_class = if method.is_static() { Vec::new() } else { class_parameters(class) };
        let own = own_type(class, &of_class);
        if let Some(receiver) = receiver {
            self.collect(&own, receiver, &mut bindings)?;
        }
        for (parameter, &argument) in types.parameters.iter().zip(arguments) {
            self.collect(parameter, argument, &mut bindings)?;
        }
        let variables: Vec<&TypeParameter> = of_class.iter().chain(&types.variables).collect();
        self.complete(&variables, &mut bindings)?;
        let own = own.with(&bindings);
        let call = CallTypes {
            receiver: receiver.is_some().then(|| own.clone()),
            parameters: types.parameters.iter().map(|of| of.with(&bindings)).collect(),
            result: match types.result {
                _ if method.is_constructor() => Some(own),
                result => result.map(|of| of.with(&bindings)),
            },
        };
        self.expect_call(call, receiver, arguments)
    }

    fn expect_call(
        &mut self,
        call: CallTypes,
        receiver: Option<Value>,
        arguments: &[Value],
    ) -> Result<CallTypes, Misfit> {
        if let (Some(receiver), Some(of)) = (receiver, &call.receiver) {
            self.expect(receiver, of)?;
        }
        for (parameter, &argument) in call.parameters.iter().zip(arguments) {
            self.expect(argument, parameter)?;
        }
        Ok(call)
    }

    /// The types of a method, with the variables of its class as an object of some type has them.
    pub(crate) fn seen_from(&self, method: &ResolvedMethod, of: &Type) -> Option<MethodTypes> {
        let Type::Class(_, arguments) = view(self.program(), of, method.class().name())? else {
            return None;
        };
        let parameters = class_parameters(method.class());
        if self.is_raw || arguments.len() != parameters.len() {
            return Some(MethodTypes::erased(method));
        }
        let names = parameters.into_iter().map(|parameter| parameter.name);
        let bindings: Bindings = names.zip(arguments).collect();
        let types = MethodTypes::of(method);
        Some(MethodTypes {
            parameters: types.parameters.iter().map(|of| of.with(&bindings)).collect(),
            result: types.result.map(|of| of.with(&bindings)),
            variables: types.variables,
        })
    }

    /// Whether javac calls a type raw.
    pub(crate) fn is_raw_type(&self, of: &Type) -> bool {
        let (name, arguments) = match of {
            Type::Class(name, arguments) => (name, arguments),
            Type::Array(component) => return self.is_raw_type(component),
            _ => return false,
        };
        arguments.is_empty()
            && self.program().class(name).is_ok_and(|class| !class_parameters(&class).is_empty())
    }

    /// Notes that an object is used where some type is expected.
    pub(crate) fn expect(&mut self, value: Value, expected: &Type) -> Result<(), Misfit> {
        let Value::Reference(id) = value else { return Ok(()) };
        let heap = self.heap;
        let Some(object) = heap.objects.get(id.0 as usize) else { return Ok(()) };
        if let Some(known) = self.types[id.0 as usize].clone() {
            return self.check(&known, expected);
        }
        let found = self.type_of(object, expected).nearest_named(self.visible);
        self.is_unchecked |= self.is_raw_type(&found);
        self.types[id.0 as usize] = Some(found.clone());
        self.check(&found, expected)?;
        self.expect_parts(object, &found)
    }

    fn expect_parts(&mut self, object: &Object, found: &Type) -> Result<(), Misfit> {
        match object {
            Object::Array { elements, .. } => {
                let Type::Array(component) = found else { return Err(Misfit) };
                // There are no arrays of types with arguments.
                self.is_unchecked |= component.is_generic();
                elements.iter().try_for_each(|&element| self.expect(element, component))
            }
            Object::Instance { fields, .. } => {
                for field in fields {
                    let declared = find::field(self.program(), &field.class, &field.name);
                    let expected = declared.map_or_else(Type::object, |field| field_type(&field));
                    let expected = match view(self.program(), found, &field.class) {
                        Some(Type::Class(name, arguments)) if !self.is_raw => {
                            expected.with(&self.bindings_of(&name, arguments))
                        }
                        _ => expected.erased(),
                    };
                    // Reflection sets what fits without its type arguments.
                    self.expect(field.value, &expected.nearest_named(self.visible))?;
                }
                Ok(())
            }
            Object::Built { by, calls, .. } => {
                if let Some(of) = stub::stubbed(&by.class) {
                    let results = self.results_of_stub(&of, found);
                    for &answer in calls.iter().flat_map(|call| &call.arguments) {
                        let object = self.heap.get(answer);
                        let own = object.map(|object| self.type_of(object, &Type::object()));
                        if let Some(own) = own
                            && !self.is_raw
                            && !results.is_empty()
                            && !results.iter().any(|of| self.fits(&own.erased(), of))
                        {
                            return Err(Misfit);
                        }
                        let natural = object.and_then(|object| self.natural(object));
                        self.expect(answer, &natural.unwrap_or_else(Type::object))?;
                    }
                    return Ok(());
                }
                self.expect_arguments(by, found)?;
                calls.iter().try_for_each(|call| self.expect_arguments(call, found))
            }
            _ => Ok(()),
        }
    }

    /// What the methods of a stub give, without type arguments, if all of that are references.
    fn results_of_stub(&self, stubbed: &str, found: &Type) -> Vec<Type> {
        let methods = stub::stub(self.program(), stubbed).map_or_else(Vec::new, |of| of.methods);
        let results = methods.iter().filter_map(|method| self.seen_from(method, found)?.result);
        let results: Vec<Type> = results.map(|of| of.erased()).collect();
        let has_primitive = results.iter().any(|of| matches!(of, Type::Primitive(_)));
        if has_primitive { Vec::new() } else { results }
    }

    fn bindings_of(&self, class: &str, arguments: Vec<Type>) -> Bindings {
        let parameters = self.program().class(class).map(|class| class_parameters(&class));
        let names = parameters.unwrap_or_default().into_iter().map(|parameter| parameter.name);
        names.zip(arguments).collect()
    }

    /// The types of the parameters of a call that makes an object of some type, or is made on it.
    pub(crate) fn parameters(&self, call: &Call, of: &Type) -> Vec<Type> {
        let Ok(method) = find::called(self.program(), call) else { return Vec::new() };
        let erased = MethodTypes::erased(&method).parameters;
        if self.is_raw {
            return erased;
        }
        let mut bindings = Bindings::new();
        let types = if method.is_static() {
            let types = MethodTypes::of(&method);
            if let Some(result) = &types.result {
                bind(result, of, &mut bindings);
            }
            types
        } else {
            self.seen_from(&method, of).unwrap_or_else(|| MethodTypes::erased(&method))
        };
        // Variables of the method itself may be anything that their bounds allow.
        let variables: Vec<&TypeParameter> = types.variables.iter().collect();
        let _ = self.complete(&variables, &mut bindings);
        let closed = types.parameters.iter().map(|of| of.with(&bindings)).zip(erased);
        closed.map(|(of, erased)| if of.is_open() { erased } else { of }).collect()
    }

    fn expect_arguments(&mut self, call: &Call, of: &Type) -> Result<(), Misfit> {
        let parameters = self.parameters(call, of);
        // A factory may be a method of an object, which is its first argument.
        let n_receivers = call.arguments.len().saturating_sub(parameters.len());
        let (receiver, arguments) = call.arguments.split_at(n_receivers);
        if let [receiver] = receiver {
            let expected = match of {
                // An iterator of strings comes from a list of strings.
                Type::Class(_, arguments) if arguments.len() == 1 && !self.is_raw => {
                    let loaded = self.program().class(&call.class);
                    let n = loaded.map_or(0, |class| class_parameters(&class).len());
                    let arguments = if n == 1 { arguments.clone() } else { Vec::new() };
                    Type::Class(call.class.clone(), arguments)
                }
                _ => Type::class(&call.class),
            };
            self.expect(*receiver, &expected)?;
        }
        for (parameter, &argument) in parameters.iter().zip(arguments) {
            self.expect(argument, parameter)?;
        }
        Ok(())
    }
}

/// A class with its own variables as arguments.
fn own_type(class: &Class, parameters: &[TypeParameter]) -> Type {
    let arguments = parameters.iter().map(|of| Type::Variable(of.name.clone())).collect();
    Type::Class(Arc::clone(class.shared_name()), arguments)
}
