//! Stubs: objects that answer as the case needs it. Functional interfaces are lambdas, everything else is an
//! anonymous class.

use petrel_classfile::{JavaType, flags};
use petrel_program::ResolvedMethod;
use petrel_translate::stub;
use petrel_value::{Call, Object, ObjectId, Value};

use crate::body::Body;
use crate::java::JavaExpression;
use crate::literal::literal;
use crate::types::{MethodTypes, Type};

impl Body<'_> {
    /// Declares a stub of a type.
    pub(crate) fn make_stub(
        &mut self,
        id: ObjectId,
        stubbed: &str,
        calls: &[Call],
        of: &Type,
        hint: &str,
    ) -> Result<(), String> {
        let program = self.imports.visible.program;
        let none = || format!("there is no stub of {}", stubbed.replace('/', "."));
        if self.imports.visible.name(stubbed).is_none() {
            return Err(format!("a test cannot name the type {}", stubbed.replace('/', ".")));
        }
        let methods = stub::stub(program, stubbed).ok_or_else(none)?.methods;
        let class = program.class(stubbed).map_err(|error| error.to_string())?;
        let answers = calls.iter().filter(|call| (&*call.name, &*call.descriptor) == stub::ANSWER);
        let answers: Vec<Value> = answers.flat_map(|call| call.arguments.clone()).collect();
        match &methods[..] {
            [method] if self.java >= 8 && stub::is_functional(&class) && !is_generic(method) => {
                let lambda = self.lambda(method, &answers, of, hint)?;
                self.declare(id, JavaExpression::Function(lambda), of, hint)
            }
            _ => {
                let class = self.anonymous(&methods, &answers, of)?;
                self.declare(id, JavaExpression::Function(class), of, hint)
            }
        }
    }

    fn types_of(&self, method: &ResolvedMethod, of: &Type) -> MethodTypes {
        let erased = MethodTypes::erased(method);
        if is_generic(method) {
            return erased;
        }
        let seen = self.typing.seen_from(method, of).unwrap_or_else(|| erased.clone());
        let is_open = seen.parameters.iter().chain(&seen.result).any(Type::is_open);
        if is_open { erased } else { seen }
    }

    /// An answer as an expression for a result.
    fn answer(&mut self, value: Value, result: &Type) -> Result<JavaExpression, String> {
        let content = match self.heap.get(value) {
            Some(Object::Boxed(content)) if matches!(result, Type::Primitive(_)) => *content,
            _ => value,
        };
        match literal(content) {
            Some(literal) => Ok(literal),
            None => self.value(value, result, false, "answer"),
        }
    }

    fn lambda(
        &mut self,
        method: &ResolvedMethod,
        answers: &[Value],
        of: &Type,
        hint: &str,
    ) -> Result<String, String> {
        let types = self.types_of(method, of);
        let names = parameter_names(method);
        let names: Vec<String> = names.iter().map(|name| self.local(name)).collect();
        let parameters = match &names[..] {
            [one] => one.clone(),
            _ => format!("({})", names.join(", ")),
        };
        let Some(result) = types.result else { return Ok(format!("{parameters} -> {{ }}")) };
        let mut written = Vec::new();
        for &answer in answers {
            written.push(self.answer(answer, &result)?);
        }
        match &written[..] {
            [] => Ok(format!("{parameters} -> {}", default_of(&result))),
            [first, rest @ ..] if rest.iter().all(|other| other == first) => {
                Ok(format!("{parameters} -> {first}"))
            }
            _ => {
                let iterator = self.class_text("java/util/Iterator");
                let arrays = self.class("java/util/Arrays");
                let element = self.type_text(&boxed(&result))?;
                let answers = self.local(&format!("{hint}Answers"));
                let lambda = format!("{parameters} -> {answers}.next()");
                let is_clear = matches!(result, Type::Primitive(_));
                let type_argument = (!is_clear).then(|| element.clone());
                let list = arrays.generic_call(type_argument, "asList", written);
                let value = list.call("iterator", Vec::new());
                self.push_variable(format!("{iterator}<{element}>"), answers, value);
                Ok(lambda)
            }
        }
    }

    fn anonymous(
        &mut self,
        methods: &[ResolvedMethod],
        answers: &[Value],
        of: &Type,
    ) -> Result<String, String> {
        let mut lines = vec![format!("new {}() {{", self.type_text(of)?)];
        let gives = |method: &ResolvedMethod| !method.descriptor().ends_with(")V");
        let has_answers = !answers.is_empty() && methods.iter().any(gives);
        if has_answers {
            let mut written = Vec::new();
            for &answer in answers {
                let expression = self.answer(answer, &Type::object())?;
                if self.java < 8 {
                    self.make_final(&expression);
                }
                // A single `null` or array would be taken for the array of all answers.
                let is_alone = answers.len() == 1 && literal(answer).is_none();
                written.push(if is_alone { expression.cast("Object") } else { expression });
            }
            let iterator = self.class_text("java/util/Iterator");
            let arrays = self.class("java/util/Arrays");
            let list = arrays.generic_call(Some("Object".to_owned()), "asList", written);
            let value = list.call("iterator", Vec::new());
            lines.push(format!("    private final {iterator}<Object> answers = {value};"));
        }
        for method in methods {
            let types = self.types_of(method, of);
            if lines.len() > 1 {
                lines.push(String::new());
            }
            if self.java >= 6 {
                lines.push("    @Override".to_owned());
            }
            let access = if method.has_flags(flags::PUBLIC) {
                "public "
            } else if method.has_flags(flags::PROTECTED) {
                "protected "
            } else {
                ""
            };
            let result = match &types.result {
                None => "void".to_owned(),
                Some(result) => self.type_text(result)?,
            };
            let mut parameters = Vec::new();
            for (name, of) in parameter_names(method).iter().zip(&types.parameters) {
                parameters.push(format!("{} {name}", self.type_text(of)?));
            }
            let name = method.name();
            lines.push(format!("    {access}{result} {name}({}) {{", parameters.join(", ")));
            match &types.result {
                None => {}
                Some(result) if !has_answers => {
                    lines.push(format!("        return {};", default_of(result)));
                }
                Some(result) => {
                    let result = boxed(result);
                    self.is_unchecked |= result.is_generic();
                    let result = self.type_text(&result)?;
                    lines.push(format!("        return ({result}) answers.next();"));
                }
            }
            lines.push("    }".to_owned());
        }
        lines.push("}".to_owned());
        Ok(lines.join("\n"))
    }
}

/// Whether a method has type parameters of its own, which neither lambdas nor overriding methods can do without.
fn is_generic(method: &ResolvedMethod) -> bool {
    !MethodTypes::of(method).variables.is_empty()
}

/// Abstract methods seldom have the names of their parameters.
fn parameter_names(method: &ResolvedMethod) -> Vec<String> {
    let n = MethodTypes::erased(method).parameters.len();
    let names = ["a", "b", "c", "d", "e", "f"];
    (0..n)
        .map(|at| names.get(at).map_or_else(|| format!("p{at}"), |name| (*name).to_owned()))
        .collect()
}

fn default_of(result: &Type) -> &'static str {
    match result {
        Type::Primitive(JavaType::Boolean) => "false",
        Type::Primitive(_) => "0",
        _ => "null",
    }
}

/// What a list has in place of a primitive value.
pub(crate) fn boxed(of: &Type) -> Type {
    let Type::Primitive(primitive) = of else { return of.clone() };
    Type::class(match primitive {
        JavaType::Boolean => "java/lang/Boolean",
        JavaType::Byte => "java/lang/Byte",
        JavaType::Char => "java/lang/Character",
        JavaType::Short => "java/lang/Short",
        JavaType::Int => "java/lang/Integer",
        JavaType::Long => "java/lang/Long",
        JavaType::Float => "java/lang/Float",
        _ => "java/lang/Double",
    })
}
