//! The body of a test: the input, the call under test, and what is asserted of its outcome.

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_clp::MethodRef;
use petrel_program::{ParameterName, ResolvedMethod};
use petrel_testcase::{AnswerOrigin, InputAnswer, Outcome, Subject};
use petrel_value::{Object, Value};

use crate::body::{Body, Throws, simple_name};
use crate::find;
use crate::helpers::Helpers;
use crate::imports::Imports;
use crate::java::{Form, JavaExpression, Statement};
use crate::literal;
use crate::types::Type;
use crate::typing::{CallTypes, Typing};
use crate::{JUnit, Kind, Test, comment, condition};

/// Two levels of four columns: those of the class and the method.
const INDENT: usize = 8;

/// Writes the body of a test.
///
/// # Errors
///
/// If its input cannot be written.
pub(crate) fn write<'a>(
    test: &Test<'a>,
    imports: Imports<'a>,
    helpers: Helpers,
    release: (JUnit, u16),
) -> Result<Body<'a>, String> {
    write_given(test, imports, helpers, release, Given::default()).map(|(body, _)| body)
}

/// What is a parameter of the test instead of being written into its body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Given {
    /// The names of the parameters that arguments of the call are, by position.
    pub(crate) arguments: Vec<Option<String>>,
    /// The name of the parameter for what is returned, or for the message of what is thrown.
    pub(crate) outcome: Option<String>,
}

impl Given {
    fn is_argument(&self, position: usize) -> bool {
        self.arguments.get(position).is_some_and(Option::is_some)
    }
}

/// Writes the body of a test that has parameters. Their names are changed so that no variable has them.
///
/// # Errors
///
/// If its input cannot be written.
pub(crate) fn write_given<'a>(
    test: &Test<'a>,
    imports: Imports<'a>,
    helpers: Helpers,
    release: (JUnit, u16),
    mut given: Given,
) -> Result<(Body<'a>, Given), String> {
    if let Some(place) = &test.case.unstable_decision {
        return Err(format!("its outcome depends on what the JVM does not fix: {place}"));
    }
    let (typing, types) = typed(test, &imports);
    let mut body = Body::new(imports, helpers, typing, &test.solution.heap, release);
    for name in given.arguments.iter_mut().chain([&mut given.outcome]).flatten() {
        *name = body.local(name);
    }
    // A variable of this name is for what the call returns.
    let result = body.local("result");
    let is_parameterized = given != Given::default();
    for line in heading(test, is_parameterized) {
        body.push(line);
    }
    let n_heading = body.statements.len();
    Writer { test, body: &mut body, types, result, given: &given }.write()?;
    if let Some(reason) = &body.by_reflection {
        let line = comment::line(&format!("By reflection: {reason}."), INDENT);
        body.statements.insert(n_heading, Statement { depth: 0, form: Form::Text(line) });
    }
    body.is_unchecked |= body.typing.is_unchecked;
    Ok((body, given))
}

/// The comment. The path condition of a parameterized test is its display name.
fn heading(test: &Test<'_>, is_parameterized: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    match test.kind {
        Kind::Defect => lines.push("// This looks like a defect.".to_owned()),
        Kind::WorstCase => lines.push("// The most expensive input that was found.".to_owned()),
        Kind::Ordinary | Kind::Overflow(_) => {}
    }
    lines.extend(test.notes.iter().map(|note| comment::line(note, INDENT)));
    if !is_parameterized {
        lines.extend(comment::condition(&condition::of(test), INDENT));
    }
    lines
}

/// The types of the input: with type arguments if javac is content with them.
fn typed<'a>(test: &Test<'a>, imports: &Imports<'a>) -> (Typing<'a>, CallTypes) {
    let solution = test.solution;
    let of_statics = |typing: &mut Typing<'a>| {
        for field in &solution.statics {
            let declared = find::field(imports.visible.program, &field.class, &field.name);
            let of = declared.and_then(|field| JavaType::parse(field.descriptor()).ok());
            let of = of.map_or_else(Type::object, |of| Type::of(&of));
            // Without type arguments, everything fits.
            let _ = typing.expect(field.value, &of);
        }
    };
    let mut typing = Typing::new(imports.visible, &solution.heap, false);
    let call = typing.call(test.method, solution.receiver, &solution.arguments);
    if let Ok(types) = call {
        of_statics(&mut typing);
        return (typing, types);
    }
    let mut typing = Typing::new(imports.visible, &solution.heap, true);
    let call = typing.call(test.method, solution.receiver, &solution.arguments);
    of_statics(&mut typing);
    let none = CallTypes { receiver: None, parameters: Vec::new(), result: None };
    (typing, call.unwrap_or(none))
}

/// A test and its body so far.
pub(crate) struct Writer<'w, 'a> {
    pub(crate) test: &'w Test<'a>,
    pub(crate) body: &'w mut Body<'a>,
    pub(crate) types: CallTypes,
    /// Name of the variable for the result.
    pub(crate) result: String,
    /// What is not written because it is a parameter.
    pub(crate) given: &'w Given,
}

impl Writer<'_, '_> {
    fn write(&mut self) -> Result<(), String> {
        let solution = self.test.solution;
        let declared = |answer: &&InputAnswer| answer.origin == AnswerOrigin::Declared;
        if let Some(answer) = solution.answers.iter().find(declared) {
            let MethodRef { class, name, .. } = &answer.method;
            let class = class.replace('/', ".");
            return Err(format!(
                "it depends on what {class}#{name} answers, which no test can set"
            ));
        }
        self.find_fresh_strings();
        let arguments = solution.arguments.iter().enumerate();
        let written = arguments.filter(|(position, _)| !self.given.is_argument(*position));
        let roots: Vec<Value> = solution
            .receiver
            .into_iter()
            .chain(written.map(|(_, &argument)| argument))
            .chain(solution.statics.iter().map(|field| field.value))
            .collect();
        // What is looked at after the call has a variable, and so has the receiver.
        let looked_at: Vec<Value> = self.looked_at();
        for value in looked_at {
            self.body.note_use(value);
        }
        self.body.prepare(&roots)?;
        let restore = self.set_statics()?;
        if !restore.is_empty() {
            self.body.push("try {");
            self.body.depth += 1;
        }
        self.call_and_assert()?;
        if !restore.is_empty() {
            self.body.depth -= 1;
            self.body.push("} finally {");
            self.body.depth += 1;
            for line in restore {
                self.body.push(line);
            }
            self.body.depth -= 1;
            self.body.push("}");
        }
        Ok(())
    }

    /// Inputs that need variables because of what follows the call.
    fn looked_at(&self) -> Vec<Value> {
        let solution = self.test.solution;
        let mut values: Vec<Value> = solution.receiver.into_iter().collect();
        for seen in &self.test.observed.seen {
            match seen.subject {
                Subject::Receiver => values.extend(solution.receiver),
                Subject::Argument(at) => values.extend(solution.arguments.get(at)),
                Subject::Result => {}
            }
        }
        values.extend(self.changed_inputs());
        values.extend(self.returned_input().map(|(value, _)| value));
        values.extend(self.changed_arrays().iter().map(|&(at, _)| solution.arguments[at]));
        values
    }

    /// Two equal strings may be two objects, and none of them a constant of the code; it matters if the class
    /// compares references.
    fn find_fresh_strings(&mut self) {
        let class = self.test.method.class();
        if !find::compares_references(class) {
            return;
        }
        let heap = self.body.heap;
        for (index, object) in heap.objects.iter().enumerate() {
            let Object::String(text) = object else { continue };
            let is_again = heap.objects[..index].contains(object);
            self.body.is_fresh[index] = is_again || find::has_string(class, text);
        }
    }

    /// Saves and sets static fields. The lines that restore them.
    fn set_statics(&mut self) -> Result<Vec<String>, String> {
        let mut set = Vec::new();
        let mut restore = Vec::new();
        for field in &self.test.solution.statics {
            let visible = self.body.imports.visible;
            let declared = find::field(visible.program, &field.class, &field.name)
                .ok_or_else(|| format!("there is no field {} in {}", field.name, field.class))?;
            let of = JavaType::parse(declared.descriptor()).map_err(|error| error.to_string())?;
            let is_named = Type::of(&of).is_named(visible);
            let of = Type::of(&of).nearest_named(visible);
            if declared.is_final() {
                return Err(format!("the final field {} cannot be set", field.name));
            }
            let value = self.body.value(field.value, &of, false, &field.name)?;
            let name = field.name.chars().next().map_or_else(String::new, |first| {
                first.to_ascii_uppercase().to_string() + &field.name[first.len_utf8()..]
            });
            let saved = self.body.local(&format!("saved{name}"));
            let is_direct = visible.can_use_field(&declared) && is_named;
            let class = self.body.imports.class(&field.class).filter(|_| is_direct);
            if let Some(class) = class {
                let text = of.text(&mut self.body.imports);
                let text = text.unwrap_or_else(|| "Object".to_owned());
                let place = JavaExpression::Class(class).member(&field.name);
                set.push(format!("{place} = {value};"));
                restore.push(format!("{place} = {saved};"));
                self.body.push_variable(text, saved, place);
            } else {
                let class = self.body.class_literal(&JavaType::Object((*field.class).into()));
                self.body.helpers.get_field = true;
                self.body.helpers.set_field = true;
                self.body.declares(Throws::Exception);
                self.body.note_reflection(format!("the field {} is not accessible", field.name));
                let place = vec![class, JavaExpression::Null, literal::name(&field.name)];
                let assigned = |value: JavaExpression| {
                    let arguments = place.iter().cloned().chain([value]).collect();
                    format!("{};", JavaExpression::own_call("setField", arguments))
                };
                set.push(assigned(value));
                restore.push(assigned(JavaExpression::variable(&saved)));
                let read = JavaExpression::own_call("getField", place);
                self.body.push_variable("Object".to_owned(), saved, read);
            }
        }
        for line in set {
            self.body.push(line);
        }
        Ok(restore)
    }

    fn call_and_assert(&mut self) -> Result<(), String> {
        let method = self.test.method;
        let call = self.tested_call()?;
        match &self.test.case.outcome {
            Outcome::Throw(class) => {
                let class = class.replace('.', "/");
                self.assert_throws(&class, &call);
            }
            Outcome::Return => {
                if call.is_reflective {
                    self.body.declares(Throws::Throwable);
                } else if find::is_checked(self.body.imports.visible.program, method) {
                    self.body.declares(Throws::Exception);
                }
                self.assert_result(call);
            }
        }
        self.assert_observations(Subject::Receiver);
        for at in 0..self.test.solution.arguments.len() {
            self.assert_observations(Subject::Argument(at));
        }
        self.assert_arrays();
        self.assert_states();
        Ok(())
    }

    /// The call under test.
    fn tested_call(&mut self) -> Result<TestedCall, String> {
        let method = self.test.method;
        let visible = self.body.imports.visible;
        let solution = self.test.solution;
        let descriptor = MethodDescriptor::parse(method.descriptor());
        let descriptor = descriptor.map_err(|error| error.to_string())?;
        let mut is_named = visible.name(method.class().name()).is_some();
        for parameter in &self.types.parameters {
            is_named &= parameter.erased().text(&mut self.body.imports.clone()).is_some();
        }
        if !visible.can_call(method) || !is_named {
            return self.reflective(&descriptor);
        }
        let class = method.class();
        let parameters = self.types.parameters.clone();
        let expression = if method.is_constructor() {
            if class.is_inner() {
                let [outer, arguments @ ..] = &solution.arguments[..] else {
                    return Err("an inner object without its outer one".to_owned());
                };
                if *outer == Value::Null {
                    return self.reflective(&descriptor);
                }
                let outer = self.body.value(*outer, &parameters[0], false, "outer")?;
                let arguments = self.body.arguments(method, arguments, &parameters[1..])?;
                outer.new_inner(simple_name(class.name()), arguments)
            } else {
                let arguments = self.body.arguments(method, &solution.arguments, &parameters)?;
                let of = self.types.result.clone().unwrap_or_else(Type::object);
                self.body.new_object(class.name(), &of, arguments)?
            }
        } else {
            let on = match solution.receiver {
                Some(receiver) => self.body.receiver(receiver, class.name())?,
                None => JavaExpression::Class(self.body.type_text(&Type::class(class.name()))?),
            };
            let given = &self.given.arguments;
            let arguments =
                self.body.arguments_but(method, &solution.arguments, &parameters, given)?;
            on.call(method.name(), arguments)
        };
        Ok(TestedCall { expression, is_reflective: false, of: self.types.result.clone() })
    }

    fn reflective(&mut self, descriptor: &MethodDescriptor) -> Result<TestedCall, String> {
        let method = self.test.method;
        let solution = self.test.solution;
        self.body.note_reflection(format!("{} is not accessible", shown(method)));
        let class = self.body.class_literal(&JavaType::Object(method.class().name().into()));
        let of: Vec<JavaExpression> =
            descriptor.parameters.iter().map(|of| self.body.class_literal(of)).collect();
        let class_type = "Class<?>".to_owned();
        let types = match of.len() {
            0 => JavaExpression::EmptyArray { element: class_type, length: 0, n_more: 0 },
            _ => JavaExpression::Array { component: class_type, elements: of },
        };
        let mut arguments = vec![class, types];
        if !method.is_constructor() {
            arguments.insert(1, literal::name(method.name()));
            arguments.push(match solution.receiver {
                Some(receiver) => {
                    let hint = self.body.hint_of(receiver);
                    self.body.value(receiver, &Type::object(), false, &hint)?
                }
                None => JavaExpression::Null,
            });
        }
        let names = method.parameter_names();
        for (position, &argument) in solution.arguments.iter().enumerate() {
            let hint = names.get(position).map_or("value", ParameterName::as_str);
            let value = self.body.value(argument, &Type::object(), false, hint)?;
            // A single `null` or array would be taken for the array of all arguments.
            let is_array = matches!(self.body.heap.get(argument), Some(Object::Array { .. }));
            let is_alone = solution.arguments.len() == 1 && (argument == Value::Null || is_array);
            arguments.push(if is_alone { value.cast("Object") } else { value });
        }
        if method.is_constructor() {
            self.body.helpers.construct = true;
            let of = self.body.imports.visible.name(method.class().name());
            let of = of.map_or_else(Type::object, |_| Type::class(method.class().name()));
            let expression = JavaExpression::own_call("construct", arguments);
            return Ok(TestedCall { expression, is_reflective: true, of: Some(of) });
        }
        self.body.helpers.call = true;
        let mut expression = JavaExpression::own_call("call", arguments);
        let result = descriptor.result.as_ref().map(Type::of);
        let of = match &result {
            Some(of @ Type::Primitive(_)) => {
                let boxed = self.body.type_text(&crate::stubs::boxed(of))?;
                let primitive = self.body.type_text(of)?;
                expression = expression.cast(&boxed).call(&format!("{primitive}Value"), Vec::new());
                Some(of.clone())
            }
            Some(_) => Some(Type::object()),
            None => None,
        };
        Ok(TestedCall { expression, is_reflective: true, of })
    }
}

/// The call under test.
pub(crate) struct TestedCall {
    /// A call or a `new`: with a semicolon behind it, it is a statement.
    pub(crate) expression: JavaExpression,
    pub(crate) is_reflective: bool,
    /// Its type; `None` for `void`.
    pub(crate) of: Option<Type>,
}

fn shown(method: &ResolvedMethod) -> String {
    let class = method.class().name().rsplit('/').next().unwrap_or_default();
    if method.is_constructor() {
        return format!("the constructor of {class}");
    }
    format!("{class}.{}", method.name())
}
