//! What is asserted of the outcome of the call under test.

use petrel_classfile::JavaString;
use petrel_testcase::{Observation, Subject};
use petrel_value::{Object, Value};

use crate::body::Throws;
use crate::call::{TestedCall, Writer};
use crate::java::JavaExpression;
use crate::literal;
use crate::types::Type;

/// A call that makes the line longer goes to the next one.
const LONGEST_LINE: usize = 90;
/// Larger maps are compared by what they hold, not entry by entry.
const MOST_ENTRIES: usize = 8;

impl Writer<'_, '_> {
    /// Asserts that the call throws.
    pub(crate) fn assert_throws(&mut self, class: &str, call: &TestedCall) {
        let visible = self.body.imports.visible;
        let known = visible.program.class(class).ok();
        let named = match &known {
            Some(known) => visible.nearest(known),
            None => "java/lang/Throwable".into(),
        };
        let named_text = self.body.class_text(&named);
        let output = &self.test.solution.output;
        let message = output.message.as_ref().filter(|_| !output.unstable_result);
        let message = message.filter(|_| output.message_unknown.is_none() && !is_implicit(class));
        let checks_class = &*named != class;
        let is_used = message.is_some() || checks_class;
        if self.body.java >= 8 {
            let assert = self.body.assertion("assertThrows");
            let lambda = format!("() -> {}", call.expression);
            let thrown = is_used.then(|| self.body.local("thrown"));
            let declared = thrown.as_ref().map(|thrown| format!("{named_text} {thrown} = "));
            let first = format!("{}{assert}({named_text}.class,", declared.unwrap_or_default());
            let is_long = first.len() + lambda.len() > LONGEST_LINE;
            let space = if is_long { "\n        " } else { " " };
            self.body.push(format!("{first}{space}{lambda});"));
            if let Some(thrown) = thrown {
                self.assert_thrown(&thrown, message, checks_class.then_some(class));
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
        self.body.push(format!("    {};", call.expression));
        self.body.push(format!("}} catch ({named_text} {caught}) {{"));
        self.body.push(format!("    {thrown} = {caught};"));
        self.body.push("}");
        self.body.assert("assertNotNull", vec![JavaExpression::variable(&thrown)]);
        self.assert_thrown(&thrown, message, checks_class.then_some(class));
    }

    fn assert_thrown(&mut self, thrown: &str, message: Option<&JavaString>, class: Option<&str>) {
        let assert = self.body.assertion("assertEquals");
        let of_thrown = |method| JavaExpression::variable(thrown).call(method, Vec::new());
        if let Some(class) = class {
            let expected = literal::name(&class.replace('/', "."));
            let actual = of_thrown("getClass").call("getName", Vec::new());
            self.body.push_call(&JavaExpression::own_call(&assert, vec![expected, actual]));
        }
        if let Some(message) = message {
            let given = self.given.outcome.as_deref().map(JavaExpression::variable);
            let expected = given.unwrap_or_else(|| literal::string(&message.0));
            let actual = of_thrown("getMessage");
            self.body.push_call(&JavaExpression::own_call(&assert, vec![expected, actual]));
        }
    }

    /// The input that the call returns, and its expression.
    pub(crate) fn returned_input(&self) -> Option<(Value, Subject)> {
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

    pub(crate) fn assert_result(&mut self, call: TestedCall) {
        let output = &self.test.solution.output;
        let TestedCall { expression: call, of, .. } = call;
        let Some(of) = of else { return self.body.push_call(&call) };
        if output.unstable_result {
            self.body.push("// What it gives differs from run to run.");
            return self.body.push_call(&call);
        }
        let seen_of_result = self.sees(Subject::Result);
        if self.test.method.is_constructor() {
            if !seen_of_result {
                return self.body.push_call(&call);
            }
            self.declare_result(call, &of);
            return self.assert_observations(Subject::Result);
        }
        let Some(value) = output.value else { return self.body.push_call(&call) };
        if let Some(expected) = &self.given.outcome {
            let expected = JavaExpression::variable(expected);
            return self.body.assert("assertEquals", vec![expected, call]);
        }
        if let Some((input, _)) = self.returned_input() {
            let input = self.body.value(input, &Type::object(), false, "input");
            if let Ok(input) = input {
                return self.body.assert("assertSame", vec![input, call]);
            }
        }
        let is_simple = matches!(of, Type::Primitive(_) | Type::Array(_))
            || matches!(&of, Type::Class(name, arguments)
                if arguments.is_empty() && petrel_value::unboxed(name).is_some() || &**name == "java/lang/String");
        let n_statements = self.body.statements.len();
        // A generic method in an argument of an overloaded one is more than javac can infer.
        let is_direct = is_simple || value == Value::Null && !call.infers_type_arguments();
        if is_direct && self.body.assert_value(&output.heap, value, &of, call.clone()) {
            return;
        }
        self.body.statements.truncate(n_statements);
        self.declare_result(call, &of);
        let result = JavaExpression::variable(&self.result);
        let of = of.erased();
        if self.body.assert_value(&output.heap, value, &of, result.clone()) {
            return;
        }
        let n_statements = self.body.statements.len();
        self.assert_observations(Subject::Result);
        if self.body.statements.len() == n_statements {
            self.assert_fields((&result, &of), (&output.heap, value), None);
        }
        if self.body.statements.len() == n_statements {
            self.body.assert("assertNotNull", vec![result]);
        }
    }

    fn declare_result(&mut self, call: JavaExpression, of: &Type) {
        let text = match of.text(&mut self.body.imports) {
            Some(text) if !of.is_open() => text,
            _ => "Object".to_owned(),
        };
        self.body.push_variable(text, self.result.clone(), call);
    }

    pub(crate) fn sees(&self, subject: Subject) -> bool {
        self.test.observed.seen.iter().any(|seen| seen.subject == subject)
    }

    pub(crate) fn assert_observations(&mut self, subject: Subject) {
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
                let result = JavaExpression::variable(&self.result);
                Some((result, of.unwrap_or_else(Type::object)))
            }
            Subject::Receiver => solution.receiver.and_then(|value| self.named(value)),
            Subject::Argument(at) => {
                solution.arguments.get(at).and_then(|&value| self.named(value))
            }
        };
        let Some((name, of)) = named else { return };
        let observed = self.test.observed;
        let all: Vec<&Observation> =
            observed.seen.iter().filter(|seen| seen.subject == subject).collect();
        let mut rest = &all[..];
        while let [seen, after @ ..] = rest {
            rest = after;
            if let [values, after @ ..] = after
                && self.assert_map((&name, &of), seen, values)
            {
                rest = after;
                continue;
            }
            self.body.assert_observation(&observed.heap, seen.value, &seen.calls, (&name, &of));
        }
    }

    /// Asserts the entries of a map of which keys and values are seen.
    fn assert_map(
        &mut self,
        (map, of): (&JavaExpression, &Type),
        keys: &Observation,
        values: &Observation,
    ) -> bool {
        let heap = &self.test.observed.heap;
        let ([key_set, _], [value_list, _]) = (&keys.calls[..], &values.calls[..]) else {
            return false;
        };
        let (
            Some(Object::Array { elements: keys, .. }),
            Some(Object::Array { elements: values, .. }),
        ) = (heap.get(keys.value), heap.get(values.value))
        else {
            return false;
        };
        let is_map = &*key_set.name == "keySet"
            && &*value_list.name == "values"
            && keys.len() == values.len()
            && keys.len() <= MOST_ENTRIES;
        let program = self.body.imports.visible.program;
        let is_seen = of
            .constant_name()
            .is_some_and(|class| program.is_assignable(&class, "java/util/Map").unwrap_or(false));
        let Some(keys) = self.body.elements(heap, keys).filter(|_| is_map && is_seen) else {
            return false;
        };
        if self.body.elements(heap, values).is_none() {
            return false;
        }
        let of_map = |method, arguments| map.clone().call(method, arguments);
        if keys.is_empty() {
            self.body.assert("assertTrue", vec![of_map("isEmpty", Vec::new())]);
            return true;
        }
        let size = of_map("size", Vec::new());
        self.body.assert("assertEquals", vec![literal::count(keys.len()), size]);
        for (key, &value) in keys.into_iter().zip(values) {
            self.body.assert_value(heap, value, &Type::object(), of_map("get", vec![key]));
        }
        true
    }

    /// The variable of an input, and its type.
    pub(crate) fn named(&self, value: Value) -> Option<(JavaExpression, Type)> {
        let Value::Reference(id) = value else { return None };
        // Another expression would make another object.
        let made = self.body.made(id).ok();
        let variable = made.filter(|made| matches!(made, JavaExpression::Variable(_)))?;
        Some((variable, self.body.typing.of(value)?.clone()))
    }
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
