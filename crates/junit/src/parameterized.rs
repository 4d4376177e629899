//! One test for several inputs of a case: a parameterized test of JUnit 5.
//!
//! Arguments of the call that are numbers, booleans, characters or strings become parameters of the test, and so does
//! what is expected, if that differs. Everything else of the body has to be the same for all inputs: those for which it
//! is not are left out, and if no two are left there is an ordinary test.

use petrel_program::ResolvedMethod;
use petrel_testcase::{Observations, Outcome, Solution};
use petrel_value::{Heap, Object, Value};

use crate::body::Body;
use crate::call::{self, Given};
use crate::find;
use crate::helpers::Helpers;
use crate::imports::Imports;
use crate::java::JavaExpression;
use crate::literal::{self, literal};
use crate::types::{MethodTypes, Type};
use crate::{JUnit, Kind, Test, comment, condition};

/// A longer display name is cut: nobody reads on.
const LONGEST_NAME: usize = 200;

/// A test of several inputs.
pub(crate) struct Parameterized<'a> {
    pub(crate) body: Body<'a>,
    /// Its parameters: `int points`.
    parameters: Vec<String>,
    /// The arguments of each call of the test.
    rows: Vec<Vec<JavaExpression>>,
    display_name: String,
}

/// Writes a test of several inputs; `None` if there is none, or no need for it.
pub(crate) fn write<'a>(
    test: &Test<'a>,
    imports: &Imports<'a>,
    helpers: Helpers,
    release: (JUnit, u16),
) -> Option<Parameterized<'a>> {
    if test.more.is_empty() || test.kind != Kind::Ordinary || test.method.is_constructor() {
        return None;
    }
    let types = MethodTypes::erased(test.method);
    let is_given: Vec<bool> = types.parameters.iter().map(is_literal).collect();
    let has_strings = types.parameters.iter().any(is_string);
    // Equal strings may have to be different objects, which literals are not.
    if !is_given.contains(&true) || has_strings && find::compares_references(test.method.class()) {
        return None;
    }
    let inputs: Vec<(&'a Solution, &'a Observations)> =
        [(test.solution, test.observed)].into_iter().chain(test.more.iter().copied()).collect();
    let written = |outcome: bool| -> Option<(Body<'a>, Given, Vec<&'a Solution>)> {
        let mut first: Option<(Body<'a>, Given)> = None;
        let mut kept = Vec::new();
        for &(solution, observed) in &inputs {
            let test = Test { solution, observed, more: Vec::new(), ..test.clone() };
            let given = names(test.method, &is_given, outcome.then(|| outcome_name(&test)));
            let body = call::write_given(&test, imports.clone(), helpers, release, given);
            let Some((body, given)) = body.ok().filter(|(body, _)| body.by_reflection.is_none())
            else {
                continue;
            };
            let is_same = first.as_ref().is_none_or(|(first, known)| {
                (&first.statements, &first.throws, known)
                    == (&body.statements, &body.throws, &given)
            });
            if is_same {
                kept.push(solution);
                first.get_or_insert((body, given));
            }
        }
        first.map(|(body, given)| (body, given, kept))
    };
    let plain = written(false)?;
    let (mut body, given, kept) = if plain.2.len() == inputs.len() {
        plain
    } else {
        let with_outcome = outcome_type(test, &types).and_then(|_| written(true));
        with_outcome.filter(|(_, _, kept)| kept.len() > plain.2.len()).unwrap_or(plain)
    };
    if kept.len() < 2 {
        return None;
    }
    let mut parameters = Vec::new();
    for (of, name) in types.parameters.iter().zip(&given.arguments) {
        if let Some(name) = name {
            parameters.push(format!("{} {name}", body.type_text(of).ok()?));
        }
    }
    if let Some(name) = &given.outcome {
        let of = outcome_type(test, &types)?;
        parameters.push(format!("{} {name}", body.type_text(&of).ok()?));
    }
    let rows = kept.iter().map(|solution| row(solution, &given, &test.case.outcome));
    let rows = rows.collect::<Option<Vec<Vec<JavaExpression>>>>()?;
    let display_name = comment::joined(&condition::of(test));
    Some(Parameterized { body, parameters, rows, display_name })
}

impl Parameterized<'_> {
    /// How many inputs it has.
    pub(crate) fn n_inputs(&self) -> usize {
        self.rows.len()
    }

    /// The name of the method that gives the inputs.
    pub(crate) fn source_name(name: &str) -> String {
        format!("{name}Inputs")
    }

    /// The annotations.
    pub(crate) fn annotations(&mut self, name: &str) -> Vec<String> {
        let imports = &mut self.body.imports;
        let test = imports.junit("org/junit/jupiter/params/ParameterizedTest");
        let source = imports.junit("org/junit/jupiter/params/provider/MethodSource");
        let mut lines = vec![
            format!("@{test}"),
            format!("@{source}(\"{}\")", Parameterized::source_name(name)),
        ];
        if !self.display_name.is_empty() {
            let shown = imports.junit("org/junit/jupiter/api/DisplayName");
            let text: Vec<u16> = self.display_name.encode_utf16().take(LONGEST_NAME).collect();
            lines.push(format!("@{shown}({})", literal::string(&text)));
        }
        lines
    }

    /// The parameters of the test.
    pub(crate) fn parameters(&self) -> String {
        self.parameters.join(", ")
    }

    /// The method that gives the inputs.
    pub(crate) fn source(&mut self, name: &str) -> Vec<String> {
        let arguments = self.body.imports.junit("org/junit/jupiter/params/provider/Arguments");
        let stream = self.body.class_text("java/util/stream/Stream");
        let mut lines = vec![
            format!("static {stream}<{arguments}> {}() {{", Parameterized::source_name(name)),
            format!("    return {stream}.of("),
        ];
        let last = self.rows.len() - 1;
        for (number, row) in self.rows.iter().enumerate() {
            let end = if number == last { ");" } else { "," };
            let row = JavaExpression::Class(arguments.clone()).call("of", row.clone());
            lines.push(format!("            {row}{end}"));
        }
        lines.push("}".to_owned());
        lines
    }
}

/// Names of the parameters, which are wanted where `is_given`.
fn names(method: &ResolvedMethod, is_given: &[bool], outcome: Option<&str>) -> Given {
    let names = method.parameter_names();
    let arguments =
        is_given.iter().zip(&names).map(|(is_given, name)| is_given.then(|| name.to_string()));
    Given { arguments: arguments.collect(), outcome: outcome.map(str::to_owned) }
}

fn outcome_name(test: &Test<'_>) -> &'static str {
    match test.case.outcome {
        Outcome::Return => "expected",
        Outcome::Throw(_) => "message",
    }
}

/// The type of what is expected, if it can be a parameter.
fn outcome_type(test: &Test<'_>, types: &MethodTypes) -> Option<Type> {
    match test.case.outcome {
        Outcome::Return => types.result.clone().filter(is_literal),
        Outcome::Throw(_) => Some(Type::class("java/lang/String")),
    }
}

/// Whether values of a type are literals.
fn is_literal(of: &Type) -> bool {
    matches!(of, Type::Primitive(_)) || is_string(of)
}

fn is_string(of: &Type) -> bool {
    matches!(of, Type::Class(name, _) if &**name == "java/lang/String")
}

/// The arguments of one call of the test.
fn row(solution: &Solution, given: &Given, outcome: &Outcome) -> Option<Vec<JavaExpression>> {
    let arguments = solution.arguments.iter().zip(&given.arguments);
    let arguments = arguments.filter(|(_, name)| name.is_some());
    let values = arguments.map(|(&value, _)| constant(&solution.heap, value));
    let mut row = values.collect::<Option<Vec<JavaExpression>>>()?;
    if given.outcome.is_some() {
        let output = &solution.output;
        row.push(match outcome {
            Outcome::Return => constant(&output.heap, output.value?)?,
            Outcome::Throw(_) => literal::string(&output.message.as_ref()?.0),
        });
    }
    // It would be taken for the array of all arguments.
    if row == [JavaExpression::Null] {
        row = vec![JavaExpression::Null.cast("Object")];
    }
    Some(row)
}

fn constant(heap: &Heap, value: Value) -> Option<JavaExpression> {
    match (value, heap.get(value)) {
        (Value::Null, _) => Some(JavaExpression::Null),
        (_, Some(Object::String(text))) => Some(literal::string(&text.0)),
        (_, Some(_)) => None,
        (value, None) => literal(value),
    }
}
