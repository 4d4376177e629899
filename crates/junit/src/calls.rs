//! Calls that make objects, and calls on them.

use petrel_classfile::{JavaType, flags};
use petrel_program::{ParameterName, ResolvedMethod};
use petrel_translate::stub;
use petrel_value::{Call, Object, ObjectId, Value};

use crate::body::{Body, Throws, simple_name};
use crate::find;
use crate::java::JavaExpression;
use crate::types::{MethodTypes, Type};

impl Body<'_> {
    /// Makes an object by its first call.
    pub(crate) fn make_built(
        &mut self,
        id: ObjectId,
        by: &Call,
        calls: &[Call],
        (of, declared): (&Type, &Type),
        hint: &str,
    ) -> Result<(), String> {
        if let Some(stubbed) = stub::stubbed(&by.class) {
            return self.make_stub(id, &stubbed, calls, of, hint);
        }
        if let Some(class) = self.class_found_by(by) {
            // Where it stands, it tells its class: a variable of type `Class<?>` would not.
            let literal = self.class_literal(&class);
            self.set_made(id, literal);
            return Ok(());
        }
        let visible = self.imports.visible;
        let method = find::called(visible.program, by)?;
        if !visible.can_call(&method) {
            return Err(format!("a test cannot call {}", shown(&method)));
        }
        if find::is_checked(visible.program, &method) {
            self.declares(Throws::Exception);
        }
        let parameters = self.typing.parameters(by, of);
        if &*by.name != "<init>" {
            let n_receivers = by.arguments.len().saturating_sub(parameters.len());
            let (receiver, arguments) = by.arguments.split_at(n_receivers);
            let on = match receiver {
                [receiver] => self.receiver(*receiver, &by.class)?,
                _ => JavaExpression::Class(self.type_text(&Type::class(&by.class))?),
            };
            let arguments = self.arguments(&method, arguments, &parameters)?;
            return self.declare(id, on.call(&by.name, arguments), of, hint);
        }
        let class = method.class();
        if class.is_abstract() {
            return Err(format!("an object of the abstract class {}", class.name()));
        }
        if class.is_inner() {
            let [outer, arguments @ ..] = &by.arguments[..] else {
                return Err("an inner object without its outer one".to_owned());
            };
            if *outer == Value::Null {
                return Err(format!("an object of {} without its outer one", class.name()));
            }
            let outer = self.value(*outer, &parameters[0], false, "outer")?;
            let arguments = self.arguments(&method, arguments, &parameters[1..])?;
            let made = outer.new_inner(simple_name(class.name()), arguments);
            return self.declare(id, made, of, hint);
        }
        let arguments = self.arguments(&method, &by.arguments, &parameters)?;
        let made = self.new_object(class.name(), of, arguments)?;
        if calls.is_empty() && !of.is_generic() && !made.has_type_arguments() {
            return self.place(id, made, declared, hint);
        }
        self.declare(id, made, declared, hint)
    }

    /// The class that a call finds by its name: source has a shorter form for it.
    fn class_found_by(&self, by: &Call) -> Option<JavaType> {
        let [name] = by.arguments[..] else { return None };
        if (&*by.class, &*by.name) != ("java/lang/Class", "forName") {
            return None;
        }
        let Some(Object::String(name)) = self.heap.get(name) else { return None };
        let name = String::from_utf16(&name.0).ok()?;
        let name = name.replace('.', "/");
        match name.starts_with('[') {
            true => JavaType::parse(&name).ok(),
            false => Some(JavaType::Object(name.into())),
        }
    }

    /// A call on an object that is made.
    pub(crate) fn call_on(&mut self, id: ObjectId, call: &Call) -> Result<(), String> {
        if (&*call.name, &*call.descriptor) == stub::ANSWER {
            return Ok(());
        }
        let visible = self.imports.visible;
        let value = Value::Reference(id);
        let of = self.typing.of(value).cloned().unwrap_or_else(Type::object);
        // The type of the variable may be above the class that the call names.
        let mut call = call.clone();
        if let Type::Class(class, _) = &of
            && find::method(visible.program, class, &call.name, &call.descriptor).is_some()
        {
            call.class = class.clone();
        }
        let method = find::called(visible.program, &call)?;
        if !visible.can_call(&method) {
            return Err(format!("a test cannot call {}", shown(&method)));
        }
        if find::is_checked(visible.program, &method) {
            self.declares(Throws::Exception);
        }
        let parameters = self.typing.parameters(&call, &of);
        let on = self.receiver(value, &call.class)?;
        let arguments = self.arguments(&method, &call.arguments, &parameters)?;
        self.push_call(&on.call(&call.name, arguments));
        Ok(())
    }

    /// An object on which a method of some class is called.
    pub(crate) fn receiver(&mut self, value: Value, class: &str) -> Result<JavaExpression, String> {
        self.value(value, &Type::class(class), false, simple_name(class))
    }

    /// The arguments of a call.
    pub(crate) fn arguments(
        &mut self,
        method: &ResolvedMethod,
        arguments: &[Value],
        expected: &[Type],
    ) -> Result<Vec<JavaExpression>, String> {
        self.arguments_but(method, arguments, expected, &[])
    }

    /// The same, where some of them are given by name.
    pub(crate) fn arguments_but(
        &mut self,
        method: &ResolvedMethod,
        arguments: &[Value],
        expected: &[Type],
        given: &[Option<String>],
    ) -> Result<Vec<JavaExpression>, String> {
        if arguments.len() != expected.len() {
            return Err(format!("{} arguments for {}", arguments.len(), shown(method)));
        }
        let names = method.parameter_names();
        // The first parameters of an inner class are not written.
        let names = &names[names.len().saturating_sub(arguments.len())..];
        // Without type arguments, javac takes what it is given for the types of variables.
        let types = MethodTypes::of(method);
        let is_inferred = |position: usize| {
            !types.variables.is_empty()
                || types.parameters.get(position).is_some_and(Type::is_generic)
        };
        let own = MethodTypes::erased(method).parameters;
        let mut rivals = find::rivals(method);
        rivals.retain(|rival| {
            let mut pairs = arguments.iter().zip(expected).zip(rival);
            pairs.all(|((&argument, own), rival)| self.may_take(argument, own, rival))
        });
        let is_rivalled =
            |position: usize| rivals.iter().any(|rival| rival.get(position) != own.get(position));
        let mut written = Vec::new();
        for (position, (&argument, expected)) in arguments.iter().zip(expected).enumerate() {
            if let Some(Some(name)) = given.get(position) {
                written.push(JavaExpression::variable(name));
                continue;
            }
            let is_last = position + 1 == arguments.len();
            let is_exact = is_rivalled(position)
                || is_last && method.has_flags(flags::VARARGS)
                || self.typing.is_raw && is_inferred(position);
            let hint = match names.get(position).and_then(ParameterName::of_source) {
                Some(name) => name.to_owned(),
                None => self.hint_of(argument),
            };
            written.push(self.value(argument, expected, is_exact, &hint)?);
        }
        Ok(written)
    }

    /// Whether an argument, as it is written for a parameter of its own, may be given to one of another type.
    fn may_take(&self, argument: Value, own: &Type, rival: &Type) -> bool {
        let found = match self.heap.get(argument) {
            None if argument == Value::Null => return !matches!(rival, Type::Primitive(_)),
            None => return true,
            Some(Object::Boxed(content)) => {
                let class = content.box_class().map(Type::class);
                // Then it may be written as what is in it.
                if class.as_ref() == Some(own) {
                    return true;
                }
                class
            }
            Some(_) => self.typing.of(argument).cloned(),
        };
        let program = self.imports.visible.program;
        match (found.and_then(|of| of.constant_name()), rival.constant_name()) {
            (Some(found), Some(rival)) => program.is_assignable(&found, &rival).unwrap_or(true),
            _ => !matches!(rival, Type::Primitive(_)),
        }
    }
}

fn shown(method: &ResolvedMethod) -> String {
    format!("{}.{}", method.class().name().replace('/', "."), method.name())
}
