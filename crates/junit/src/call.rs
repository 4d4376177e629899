//! The body of a test: the input, the call under test, and what is asserted of its outcome.

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Outcome, Subject};
use petrel_value::{Object, Value};

use crate::body::{Body, Throws, simple_name};
use crate::find;
use crate::helpers::Helpers;
use crate::imports::Imports;
use crate::literal;
use crate::types::Type;
use crate::typing::{CallTypes, Typing};
use crate::visible::is_inner;
use crate::{JUnit, Kind, Test, comment};

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
    if let Some(place) = &test.case.unstable_decision {
        return Err(format!("its outcome depends on what the JVM does not fix: {place}"));
    }
    let (typing, types) = typed(test, &imports);
    let mut body = Body::new(imports, helpers, typing, &test.solution.heap, release);
    // A variable of this name is for what the call returns.
    let result = body.local("result");
    for line in heading(test) {
        body.push(line);
    }
    let n_heading = body.lines.len();
    Writer { test, body: &mut body, types, result }.write()?;
    if let Some(reason) = &body.by_reflection {
        body.lines.insert(n_heading, comment::line(&format!("By reflection: {reason}."), INDENT));
    }
    body.is_unchecked |= body.typing.is_unchecked;
    Ok(body)
}

/// The comment.
fn heading(test: &Test<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    match test.kind {
        Kind::Defect => lines.push("// This looks like a defect.".to_owned()),
        Kind::WorstCase => lines.push("// The most expensive input that was found.".to_owned()),
        Kind::Ordinary => {}
    }
    lines.extend(test.notes.iter().map(|note| comment::line(note, INDENT)));
    lines.extend(comment::condition(&test.case.constraints, INDENT));
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

struct Writer<'w, 'a> {
    test: &'w Test<'a>,
    body: &'w mut Body<'a>,
    types: CallTypes,
    /// Name of the variable for the result.
    result: String,
}

impl Writer<'_, '_> {
    fn write(&mut self) -> Result<(), String> {
        let solution = self.test.solution;
        self.find_fresh_strings();
        let roots: Vec<Value> = solution
            .receiver
            .iter()
            .chain(&solution.arguments)
            .copied()
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
        values.extend(self.returned_input().map(|(value, _)| value));
        values.extend(self.changed_arrays().iter().map(|&(at, _)| solution.arguments[at]));
        values
    }

    /// Two equal strings may be two objects; it matters if the path compares references.
    fn find_fresh_strings(&mut self) {
        let constraints = &self.test.case.constraints;
        let compares = constraints.iter().any(|constraint| is_identity(constraint));
        if !compares {
            return;
        }
        let heap = self.body.heap;
        for (index, object) in heap.objects.iter().enumerate() {
            let Object::String(text) = object else { continue };
            let is_again = heap.objects[..index].contains(object);
            let quoted = literal::string(&text.0);
            let is_constant = constraints
                .iter()
                .any(|constraint| constraint.ends_with(&quoted) && is_identity(constraint));
            self.body.is_fresh[index] = is_again || is_constant;
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
            let of = Type::of(&of);
            if declared.is_final() {
                return Err(format!("the final field {} cannot be set", field.name));
            }
            let value = self.body.value(field.value, &of, false, &field.name)?;
            let name = field.name.chars().next().map_or_else(String::new, |first| {
                first.to_ascii_uppercase().to_string() + &field.name[first.len_utf8()..]
            });
            let saved = self.body.local(&format!("saved{name}"));
            let is_direct = visible.can_use_field(&declared);
            let class = self.body.imports.class(&field.class).filter(|_| is_direct);
            if let Some(class) = class {
                let text = of.text(&mut self.body.imports);
                let text = text.unwrap_or_else(|| "Object".to_owned());
                self.body.push(format!("{text} {saved} = {class}.{};", field.name));
                set.push(format!("{class}.{} = {value};", field.name));
                restore.push(format!("{class}.{} = {saved};", field.name));
            } else {
                let class = self.body.class_literal(&JavaType::Object((*field.class).into()));
                self.body.helpers.get_field = true;
                self.body.helpers.set_field = true;
                self.body.declares(Throws::Exception);
                self.body.note_reflection(format!("the field {} is not accessible", field.name));
                self.body
                    .push(format!("Object {saved} = getField({class}, null, \"{}\");", field.name));
                let call =
                    |value: &str| format!("setField({class}, null, \"{}\", {value});", field.name);
                set.push(call(&value));
                restore.push(call(&saved));
            }
        }
        for line in set {
            self.body.push(line);
        }
        Ok(restore)
    }

    fn call_and_assert(&mut self) -> Result<(), String> {
        let method = self.test.method;
        let call = self.call_text()?;
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
                self.assert_result(&call);
            }
        }
        self.assert_observations(Subject::Receiver);
        for at in 0..self.test.solution.arguments.len() {
            self.assert_observations(Subject::Argument(at));
        }
        self.assert_arrays();
        Ok(())
    }

    /// The call under test.
    fn call_text(&mut self) -> Result<CallText, String> {
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
        let text = if method.is_constructor() {
            if is_inner(class) {
                let [outer, arguments @ ..] = &solution.arguments[..] else {
                    return Err("an inner object without its outer one".to_owned());
                };
                if *outer == Value::Null {
                    return self.reflective(&descriptor);
                }
                let outer = self.body.value(*outer, &parameters[0], false, "outer")?;
                let arguments = self.body.arguments(method, arguments, &parameters[1..])?;
                format!("{outer}.new {}({arguments})", simple_name(class.name()))
            } else {
                let arguments = self.body.arguments(method, &solution.arguments, &parameters)?;
                let of = self.types.result.clone().unwrap_or_else(Type::object);
                format!("{}({arguments})", self.body.new_text(class.name(), &of)?)
            }
        } else {
            let on = match solution.receiver {
                Some(receiver) => self.body.receiver(receiver, class.name())?,
                None => self.body.type_text(&Type::class(class.name()))?,
            };
            let arguments = self.body.arguments(method, &solution.arguments, &parameters)?;
            format!("{on}.{}({arguments})", method.name())
        };
        Ok(CallText { text, is_reflective: false, of: self.types.result.clone() })
    }

    fn reflective(&mut self, descriptor: &MethodDescriptor) -> Result<CallText, String> {
        let method = self.test.method;
        let solution = self.test.solution;
        self.body.note_reflection(format!("{} is not accessible", shown(method)));
        let class = self.body.class_literal(&JavaType::Object(method.class().name().into()));
        let of: Vec<String> =
            descriptor.parameters.iter().map(|of| self.body.class_literal(of)).collect();
        let mut arguments = Vec::new();
        if !method.is_constructor() {
            arguments.push(match solution.receiver {
                Some(receiver) => self.body.value(receiver, &Type::object(), false, "object")?,
                None => "null".to_owned(),
            });
        }
        let names = method.parameter_names();
        for (position, &argument) in solution.arguments.iter().enumerate() {
            let hint = names.get(position).map_or("value", String::as_str);
            let text = self.body.value(argument, &Type::object(), false, hint)?;
            // A single `null` or array would be taken for the array of all arguments.
            let is_array = matches!(self.body.heap.get(argument), Some(Object::Array { .. }));
            let is_alone = solution.arguments.len() == 1 && (argument == Value::Null || is_array);
            arguments.push(if is_alone { format!("(Object) {text}") } else { text });
        }
        let types = if of.is_empty() {
            "new Class<?>[0]".to_owned()
        } else {
            format!("new Class<?>[] {{{}}}", of.join(", "))
        };
        let more: String = arguments.iter().map(|argument| format!(", {argument}")).collect();
        if method.is_constructor() {
            self.body.helpers.construct = true;
            let of = self.body.imports.visible.name(method.class().name());
            let of = of.map_or_else(Type::object, |_| Type::class(method.class().name()));
            let text = format!("construct({class}, {types}{more})");
            return Ok(CallText { text, is_reflective: true, of: Some(of) });
        }
        self.body.helpers.call = true;
        let mut text = format!("call({class}, \"{}\", {types}{more})", method.name());
        let result = descriptor.result.as_ref().map(Type::of);
        let of = match &result {
            Some(of @ Type::Primitive(_)) => {
                let boxed = self.body.type_text(&crate::stubs::boxed(of))?;
                let primitive = self.body.type_text(of)?;
                text = format!("(({boxed}) {text}).{primitive}Value()");
                Some(of.clone())
            }
            Some(_) => Some(Type::object()),
            None => None,
        };
        Ok(CallText { text, is_reflective: true, of })
    }

    /// Asserts that the call throws.
    fn assert_throws(&mut self, class: &str, call: &CallText) {
        let visible = self.body.imports.visible;
        let known = visible.program.class(class).ok();
        let named = match &known {
            Some(known) => visible.nearest(known),
            None => "java/lang/Throwable".into(),
        };
        let named_text = self.body.class_text(&named);
        let output = &self.test.solution.output;
        let message = output.message.as_ref().filter(|_| !output.unstable);
        let message = message.filter(|_| output.message_unknown.is_none() && !is_implicit(class));
        let checks_class = &*named != class;
        let is_used = message.is_some() || checks_class;
        if self.body.java >= 8 {
            let assert = self.body.assertion("assertThrows");
            // A lambda that is an expression has to be a statement, too.
            let lambda = if call.is_statement() {
                format!("() -> {}", call.text)
            } else {
                let unused = self.body.local("unused");
                format!("() -> {{ Object {unused} = {}; }}", call.text)
            };
            let text = format!("{assert}({named_text}.class, {lambda});");
            if is_used {
                let thrown = self.body.local("thrown");
                self.body.push(format!("{named_text} {thrown} = {text}"));
                self.assert_thrown(&thrown, message, checks_class.then_some(class));
            } else {
                self.body.push(text);
            }
            return;
        }
        // What `fail` throws must not be taken for the exception.
        let thrown = self.body.local("thrown");
        let caught = self.body.local("caught");
        if call.is_reflective {
            self.body.declares(Throws::Throwable);
        } else {
            self.body.declares(Throws::Exception);
        }
        self.body.push(format!("{named_text} {thrown} = null;"));
        self.body.push("try {");
        let line = if call.is_statement() {
            format!("    {};", call.text)
        } else {
            format!("    Object {} = {};", self.body.local("unused"), call.text)
        };
        self.body.push(line);
        self.body.push(format!("}} catch ({named_text} {caught}) {{"));
        self.body.push(format!("    {thrown} = {caught};"));
        self.body.push("}");
        let assert = self.body.assertion("assertNotNull");
        self.body.push(format!("{assert}({thrown});"));
        self.assert_thrown(&thrown, message, checks_class.then_some(class));
    }

    fn assert_thrown(
        &mut self,
        thrown: &str,
        message: Option<&petrel_classfile::JavaString>,
        class: Option<&str>,
    ) {
        let assert = self.body.assertion("assertEquals");
        if let Some(class) = class {
            let class = class.replace('/', ".");
            self.body.push(format!("{assert}(\"{class}\", {thrown}.getClass().getName());"));
        }
        if let Some(message) = message {
            let message = literal::string(&message.0);
            self.body.push(format!("{assert}({message}, {thrown}.getMessage());"));
        }
    }

    /// The input that the call returns, and its expression.
    fn returned_input(&self) -> Option<(Value, Subject)> {
        let solution = self.test.solution;
        let output = &solution.output;
        let value @ Value::Reference(_) = output.value? else { return None };
        // Strings and the like are compared by value.
        if matches!(
            output.heap.get(value),
            Some(Object::String(_) | Object::Boxed(_) | Object::EnumConstant { .. })
        ) {
            return None;
        }
        if output.receiver == Some(value) {
            return solution.receiver.map(|receiver| (receiver, Subject::Receiver));
        }
        let at = output.arguments.iter().position(|&argument| argument == value)?;
        Some((*solution.arguments.get(at)?, Subject::Argument(at)))
    }

    fn assert_result(&mut self, call: &CallText) {
        let output = &self.test.solution.output;
        let statement = |body: &mut Body<'_>| {
            if call.is_statement() {
                body.push(format!("{};", call.text));
            } else {
                let unused = body.local("unused");
                body.push(format!("Object {unused} = {};", call.text));
            }
        };
        let has_result = call.of.is_some();
        if !has_result {
            return statement(self.body);
        }
        if output.unstable {
            self.body.push("// What it gives differs from run to run.");
            return statement(self.body);
        }
        let of = call.of.clone().unwrap_or_else(Type::object);
        let seen_of_result = self.sees(Subject::Result);
        if self.test.method.is_constructor() {
            if !seen_of_result {
                return statement(self.body);
            }
            self.declare_result(call, &of);
            return self.assert_observations(Subject::Result);
        }
        let Some(value) = output.value else { return statement(self.body) };
        if let Some((input, _)) = self.returned_input() {
            let input = self.body.value(input, &Type::object(), false, "input");
            if let Ok(input) = input {
                let assert = self.body.assertion("assertSame");
                let text = &call.text;
                return self.body.push(format!("{assert}({input}, {text});"));
            }
        }
        let is_simple = matches!(of, Type::Primitive(_) | Type::Array(_))
            || matches!(&of, Type::Class(name, arguments)
                if arguments.is_empty() && petrel_value::unboxed(name).is_some() || &**name == "java/lang/String");
        // A generic method in an argument of an overloaded one is more than javac can infer.
        let n_lines = self.body.lines.len();
        if is_simple || value == Value::Null {
            let text = match value {
                Value::Null if !is_simple && call.text.contains("<>") => None,
                _ => Some(call.text.clone()),
            };
            if let Some(text) = text
                && self.body.assert_value(&output.heap, value, &of, &text)
            {
                return;
            }
        }
        self.body.lines.truncate(n_lines);
        self.declare_result(call, &of);
        let name = self.result.clone();
        let of = of.erased();
        if self.body.assert_value(&output.heap, value, &of, &name) {
            return;
        }
        let n_lines = self.body.lines.len();
        self.assert_observations(Subject::Result);
        if self.body.lines.len() == n_lines {
            let assert = self.body.assertion("assertNotNull");
            self.body.push(format!("{assert}({name});"));
        }
    }

    fn declare_result(&mut self, call: &CallText, of: &Type) {
        let text = match of.text(&mut self.body.imports) {
            Some(text) if !of.is_open() => text,
            _ => "Object".to_owned(),
        };
        let name = self.result.clone();
        self.body.push(format!("{text} {name} = {};", call.text));
    }

    fn sees(&self, subject: Subject) -> bool {
        self.test.observed.seen.iter().any(|seen| seen.subject == subject)
    }

    fn assert_observations(&mut self, subject: Subject) {
        if !self.sees(subject) {
            return;
        }
        let solution = self.test.solution;
        let named = match subject {
            Subject::Result => {
                let of = self
                    .types
                    .result
                    .clone()
                    .filter(|of| of.erased().text(&mut self.body.imports.clone()).is_some());
                Some((self.result.clone(), of.unwrap_or_else(Type::object)))
            }
            Subject::Receiver => solution.receiver.and_then(|value| self.named(value)),
            Subject::Argument(at) => {
                solution.arguments.get(at).and_then(|&value| self.named(value))
            }
        };
        let Some((name, of)) = named else { return };
        let observed = self.test.observed;
        for seen in observed.seen.iter().filter(|seen| seen.subject == subject) {
            self.body.assert_observation(&observed.heap, seen.value, &seen.calls, (&name, &of));
        }
    }

    /// The variable of an input, and its type.
    fn named(&self, value: Value) -> Option<(String, Type)> {
        let Value::Reference(id) = value else { return None };
        let name = self.body.made.get(id.0 as usize)?.clone()?;
        Some((name, self.body.typing.of(value)?.clone()))
    }

    /// The arguments that are arrays whose contents the call changed, with their positions.
    fn changed_arrays(&self) -> Vec<(usize, Value)> {
        let solution = self.test.solution;
        let output = &solution.output;
        let pairs = solution.arguments.iter().zip(&output.arguments).enumerate();
        let changed = pairs.filter(|(_, (before, after))| {
            let (
                Some(Object::Array { elements: old, .. }),
                Some(Object::Array { elements: new, .. }),
            ) = (solution.heap.get(**before), output.heap.get(**after))
            else {
                return false;
            };
            let same = |(&old, &new): (&Value, &Value)| match (
                solution.heap.get(old),
                output.heap.get(new),
            ) {
                (None, None) => old == new,
                (Some(old), Some(new)) => old == new,
                _ => false,
            };
            old.len() != new.len() || !old.iter().zip(new).all(same)
        });
        changed.map(|(at, (_, &after))| (at, after)).collect()
    }

    fn assert_arrays(&mut self) {
        if self.test.solution.output.unstable {
            return;
        }
        let mut is_asserted: Vec<Value> = Vec::new();
        for (at, after) in self.changed_arrays() {
            if is_asserted.contains(&after) {
                continue;
            }
            is_asserted.push(after);
            let Some((name, of)) = self.named(self.test.solution.arguments[at]) else { continue };
            let output = &self.test.solution.output;
            self.body.assert_value(&output.heap, after, &of, &name);
        }
    }
}

/// The call under test as an expression.
struct CallText {
    text: String,
    is_reflective: bool,
    /// Its type; `None` for `void`.
    of: Option<Type>,
}

impl CallText {
    /// Whether it is a statement when a semicolon follows.
    fn is_statement(&self) -> bool {
        !self.text.starts_with('(') || self.text.ends_with("Value()")
    }
}

fn shown(method: &ResolvedMethod) -> String {
    let class = simple_name(method.class().name());
    if method.is_constructor() {
        return format!("the constructor of {class}");
    }
    format!("{class}.{}", method.name())
}

/// Whether a constraint says that references are the same or not.
fn is_identity(constraint: &str) -> bool {
    let Some((left, right)) =
        constraint.split_once(" == ").or_else(|| constraint.split_once(" != "))
    else {
        return false;
    };
    let is_path = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '[' | ']'))
    };
    is_path(left) && right != "null" && (is_path(right) || right.starts_with('"'))
}

/// Exceptions whose messages the JVM or the class library makes, each release its own.
fn is_implicit(class: &str) -> bool {
    let Some(name) = class.strip_prefix("java/lang/").or_else(|| class.strip_prefix("java/util/"))
    else {
        return false;
    };
    name.ends_with("Error")
        || name.ends_with("IndexOutOfBoundsException")
        || matches!(
            name,
            "NullPointerException"
                | "ClassCastException"
                | "ArithmeticException"
                | "ArrayStoreException"
                | "NegativeArraySizeException"
                | "NumberFormatException"
                | "NoSuchElementException"
                | "InputMismatchException"
                | "ConcurrentModificationException"
        )
}
