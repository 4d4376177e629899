//! A test case.
//!
//! Receiver and arguments have the same names before and after the call; whether any other object is the same is not
//! told, so that names which the input has are used for no others.

use petrel_clp::MethodRef;
use petrel_expression::Seen;
use petrel_testcase as testcase;
use petrel_testcase::objects::Names;
use petrel_value as data;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::members::Members;
use crate::text::Text;
use crate::value::{Heap, Picture, Value, qualified, string};

/// A case under its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NumberedCase<'a> {
    /// Its number, from 1 on.
    pub id: u64,
    /// Everything else.
    #[serde(flatten)]
    pub case: Case<'a>,
}

/// What is told of a case, whatever its number is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Case<'a> {
    /// How the call ends.
    pub outcome: Outcome<'a>,
    /// The case over source names.
    pub symbolic: Symbolic<'a>,
    /// The constraints of the path in Java's notation, in the order of execution.
    pub constraints: Vec<Text<'a>>,
    /// What the policy demands of the inputs besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wanted_if: Vec<Text<'a>>,
    /// A concrete input that takes the path.
    pub input: Input<'a>,
    /// What it gives.
    pub output: Output<'a>,
    /// All concrete inputs, if more than one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Vec<Solution<'a>>>,
    /// The trace term.
    pub trace: Text<'a>,
    /// Source lines of the class path that are executed: `Vector.java:3`.
    pub lines: Vec<Text<'a>>,
    /// Applications of the program's own rules.
    pub steps: u64,
    /// What it costs, by cost model.
    #[serde(default, skip_serializing_if = "Members::is_empty")]
    pub cost: Members<'a, Cost<'a>>,
    /// Inputs that make operations overflow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overflows: Vec<Overflow<'a>>,
    /// The first place where the outcome depends on what the JVM does not fix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unstable_decision: Option<Text<'a>>,
}

/// How a call ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Outcome<'a> {
    /// It returns.
    Return,
    /// It throws.
    Throw {
        /// The class of the exception.
        exception: Text<'a>,
    },
}

/// A case over source names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Symbolic<'a> {
    /// The arguments: names of unknowns.
    pub args: Vec<Text<'a>>,
    /// The objects of the initial heap that the path looks at, by access path.
    pub heap_in: Members<'a, SymbolicObject<'a>>,
    /// The result as a term, if there is one; a reference is the name of an object of `heap_out`.
    pub result: Option<Text<'a>>,
    /// Objects after the call that the result, the receiver or an argument reaches.
    pub heap_out: Members<'a, SymbolicObject<'a>>,
}

/// An object whose fields or elements are terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum SymbolicObject<'a> {
    /// An array with all of its elements.
    Array {
        /// Its class: `int[]`.
        class: Text<'a>,
        /// Its length.
        length: usize,
        /// Its elements.
        elements: Vec<Text<'a>>,
    },
    /// An array, and the elements that a path looks at.
    Elements {
        /// Its class.
        class: Text<'a>,
        /// Its length, if the path looks at that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length: Option<Text<'a>>,
        /// Elements by index, which may be a term.
        elements: Members<'a, Text<'a>>,
    },
    /// An instance.
    Instance {
        /// Its class.
        class: Text<'a>,
        /// Its fields, or those that the path looks at.
        fields: Members<'a, Text<'a>>,
    },
}

/// The input of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input<'a> {
    /// The receiver, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub this: Option<Value<'a>>,
    /// The arguments.
    pub args: Vec<Value<'a>>,
    /// Static fields that are set before the call: `pkg.Class.name`.
    #[serde(default, skip_serializing_if = "Members::is_empty")]
    pub statics: Members<'a, Value<'a>>,
    /// What methods of the world outside answer (`--unknown`), and the machine, in the order of the calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer<'a>>,
    /// The objects that they refer to.
    pub heap: Heap<'a>,
}

/// What the world outside answers to a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer<'a> {
    /// The method that is called: `pkg.Class#method(descriptor)`.
    pub method: Text<'a>,
    /// The name of the property or variable that is asked for, if the method takes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Text<'a>>,
    /// What it returns.
    pub value: Value<'a>,
}

/// What a call gives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Output<'a> {
    /// The returned value; `null` if there is none.
    pub value: Value<'a>,
    /// The receiver after the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub this: Option<Value<'a>>,
    /// The arguments after the call, if one of them is an object that can change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<Value<'a>>>,
    /// The objects after the call.
    pub heap: Heap<'a>,
    /// The message of the exception, or `null`; only if the call throws.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some")]
    pub message: Option<Value<'a>>,
    /// Why the message is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_unknown: Option<Text<'a>>,
    /// Whether value or message depend on what the JVM does not fix.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
}

/// A member that is there, even if it is `null`.
fn some<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A concrete input and what it gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Solution<'a> {
    /// The input.
    pub input: Input<'a>,
    /// What it gives.
    pub output: Output<'a>,
}

/// What a case costs under a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Cost<'a> {
    /// A number.
    Constant(i64),
    /// What each part of the program costs.
    Profile {
        /// The cost as a function of the input, if it is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expr: Option<Text<'a>>,
        /// Its value for the first input: the sum of all parts.
        value: i64,
        /// The parts, the most expensive first.
        parts: Members<'a, i64>,
    },
    /// A function of the input.
    Parametric {
        /// The function: `12 + 4*icap`.
        expr: Text<'a>,
        /// Its value for the first input.
        value: i64,
    },
    /// How often each method was called.
    Calls(Members<'a, u64>),
}

/// An input that makes operations overflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Overflow<'a> {
    /// The operations.
    pub operations: Vec<OverflowingOperation<'a>>,
    /// The input.
    pub input: Input<'a>,
    /// What it gives.
    pub output: Output<'a>,
}

/// An operation that overflows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OverflowingOperation<'a> {
    /// Offset of the instruction.
    pub pc: u16,
    /// Its source line; 0 if the class file does not say.
    pub line: u16,
    /// `addition`, `subtraction`, `multiplication`, `division` or `negation`.
    pub operation: Text<'a>,
    /// `int` or `long`.
    #[serde(rename = "type")]
    pub type_name: Text<'a>,
    /// Its operands when it overflows first, as text.
    pub operands: Vec<Text<'a>>,
}

/// Texts of the case that was told last: the next one mostly begins alike, and shares what it has in common.
#[derive(Debug, Default)]
pub(crate) struct LastTold {
    conditions: Vec<ToldCondition>,
    lines: Vec<(testcase::SourceLine, String)>,
}

#[derive(Debug)]
struct ToldCondition {
    condition: testcase::Condition,
    /// Nothing, if another one before says the same.
    text: Option<String>,
}

impl LastTold {
    /// Makes the texts of the next case.
    pub(crate) fn go_on_with(&mut self, case: &testcase::Case) {
        let known = self.conditions.iter().zip(&case.condition);
        let n_known = known.take_while(|(told, next)| told.condition.is_same(next)).count();
        self.conditions.truncate(n_known);
        let mut seen = Seen::default();
        for next in &case.condition[n_known..] {
            let before = self.conditions.iter().map(|told| &told.condition.test);
            let text = seen.is_new(&next.test, before).then(|| next.test.to_string());
            self.conditions.push(ToldCondition { condition: next.clone(), text });
        }
        let known = self.lines.iter().zip(&case.lines);
        let n_known = known.take_while(|((told, _), next)| told == *next).count();
        self.lines.truncate(n_known);
        let others = case.lines[n_known..].iter();
        self.lines.extend(others.map(|line| (line.clone(), line.to_string())));
    }
}

impl<'a> Case<'a> {
    /// What is told of a case, of which the texts were made; with `all_solutions` it lists all of its inputs.
    pub(crate) fn of(
        case: &'a testcase::Case,
        all_solutions: bool,
        texts: &'a LastTold,
    ) -> Case<'a> {
        let (input, output) = case
            .solutions
            .first()
            .map_or_else(Default::default, |first| input_and_output(case, first));
        Case {
            outcome: Outcome::of(&case.outcome),
            symbolic: Symbolic::of(&case.symbolic),
            constraints: texts
                .conditions
                .iter()
                .filter_map(|told| told.text.as_deref())
                .map(Text::from)
                .collect(),
            input,
            output,
            solutions: all_solutions.then(|| {
                let all = case.solutions.iter();
                all.map(|solution| {
                    let (input, output) = input_and_output(case, solution);
                    Solution { input, output }
                })
                .collect()
            }),
            wanted_if: case.wanted_if.iter().map(|condition| Text::from(&**condition)).collect(),
            trace: Text::from(case.trace.as_str()),
            lines: texts.lines.iter().map(|(_, text)| Text::from(&**text)).collect(),
            steps: case.steps,
            cost: Members::distinct(
                case.costs.iter().map(|cost| (Text::from(&*cost.model), Cost::of(cost))),
            ),
            overflows: case.overflows.iter().map(|found| Overflow::of(case, found)).collect(),
            unstable_decision: case.unstable_decision.as_ref().map(|place| Text::shown(place)),
        }
    }

    /// Appends it as one line.
    ///
    /// # Errors
    ///
    /// If something refuses to show itself.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> std::io::Result<()> {
        Ok(serde_json::to_writer(out, self)?)
    }
}

impl<'a> Outcome<'a> {
    /// How a call ends.
    pub fn of(outcome: &'a testcase::Outcome) -> Outcome<'a> {
        match outcome {
            testcase::Outcome::Return => Outcome::Return,
            testcase::Outcome::Throw(class) => Outcome::Throw { exception: Text::from(&**class) },
        }
    }
}

impl<'a> Symbolic<'a> {
    fn of(symbolic: &'a testcase::Symbolic) -> Symbolic<'a> {
        let heap = |objects: &'a [testcase::SymbolicObject]| {
            let objects = objects.iter();
            let named =
                objects.map(|object| (Text::shown(&object.name), SymbolicObject::of(object)));
            Members::distinct(named)
        };
        Symbolic {
            args: symbolic.arguments.iter().map(|name| Text::shown(name)).collect(),
            heap_in: heap(&symbolic.heap_in),
            result: symbolic.result.as_ref().map(|term| Text::shown(term)),
            heap_out: heap(&symbolic.heap_out),
        }
    }
}

impl<'a> SymbolicObject<'a> {
    fn of(object: &'a testcase::SymbolicObject) -> Self {
        let class = Text::from(&*object.class);
        if object.has_all_elements() {
            let elements: Vec<_> = object.parts.iter().map(|(_, term)| Text::shown(term)).collect();
            return SymbolicObject::Array { class, length: elements.len(), elements };
        }
        let part = |part: &'a testcase::Part| match part {
            testcase::Part::Field(name) => Text::from(&**name),
            testcase::Part::Element(index) => Text::shown(index),
        };
        let parts = object.parts.iter().map(|(at, term)| (part(at), Text::shown(term)));
        let parts = Members::distinct(parts);
        if object.is_array {
            let length = object.length.as_ref().map(|length| Text::shown(length));
            SymbolicObject::Elements { class, length, elements: parts }
        } else {
            SymbolicObject::Instance { class, fields: parts }
        }
    }
}

pub(crate) fn input_and_output<'a>(
    case: &'a testcase::Case,
    solution: &'a testcase::Solution,
) -> (Input<'a>, Output<'a>) {
    let names = Names::before(solution);
    (Input::of(solution, &names), Output::of(case, solution, &names))
}

impl<'a> Input<'a> {
    fn of(solution: &'a testcase::Solution, names: &Names) -> Input<'a> {
        let picture = Picture { heap: &solution.heap, names };
        let statics = solution.statics.iter();
        let answers = solution.answers.iter().map(|answer| {
            let MethodRef { class, name, descriptor } = &answer.method;
            let method = format!("{}#{name}{descriptor}", class.replace('/', "."));
            let key = answer.key.as_deref().map(Text::from);
            Answer { method: method.into(), key, value: picture.value(answer.value) }
        });
        Input {
            this: solution.receiver.map(|receiver| picture.value(receiver)),
            args: picture.values(&solution.arguments),
            statics: statics.map(|field| (qualified(field), picture.value(field.value))).collect(),
            answers: answers.collect(),
            heap: picture.objects(),
        }
    }
}

impl<'a> Output<'a> {
    fn of(case: &'a testcase::Case, solution: &'a testcase::Solution, before: &Names) -> Self {
        let output = &solution.output;
        let picture = Picture { heap: &output.heap, names: &before.after(solution) };
        // A string does not change.
        let can_change = |value: &data::Value| {
            let object = output.heap.get(*value);
            object.is_some_and(|object| !matches!(object, data::Object::String(_)))
        };
        let is_changed = output.arguments.iter().any(can_change);
        let is_thrown = matches!(case.outcome, testcase::Outcome::Throw(_));
        let message = || output.message.as_ref().map_or(Value::Null, string);
        let unknown = output.message_unknown.as_ref().filter(|_| is_thrown);
        Output {
            value: output.value.map_or(Value::Null, |value| picture.value(value)),
            this: output.receiver.map(|receiver| picture.value(receiver)),
            args: is_changed.then(|| picture.values(&output.arguments)),
            heap: picture.objects(),
            message: is_thrown.then(message),
            message_unknown: unknown.map(|why| Text::shown(why)),
            unstable: output.unstable,
        }
    }
}

impl<'a> Cost<'a> {
    fn of(cost: &'a testcase::CaseCost) -> Cost<'a> {
        if let Some(parts) = &cost.parts {
            let parts = parts.iter().map(|(name, cost)| (Text::from(&**name), *cost));
            let expr = cost.expression.as_ref().map(|expression| Text::shown(expression));
            return Cost::Profile { expr, value: cost.value, parts: parts.collect() };
        }
        match (&cost.calls, &cost.expression) {
            (Some(calls), _) => {
                let calls = calls.iter().map(|(name, count)| (Text::from(&**name), *count));
                Cost::Calls(calls.collect())
            }
            (None, Some(expression)) => {
                Cost::Parametric { expr: Text::shown(expression), value: cost.value }
            }
            (None, None) => Cost::Constant(cost.value),
        }
    }
}

impl<'a> Overflow<'a> {
    fn of(case: &'a testcase::Case, found: &'a testcase::CaseOverflow) -> Overflow<'a> {
        let (input, output) = input_and_output(case, &found.solution);
        let operation = |overflow: &'a testcase::Overflow| {
            let testcase::Overflow { arithmetic, operands: (left, right) } = overflow;
            let n_operands = if arithmetic.operation.is_unary() { 1 } else { 2 };
            let operands = [*left, *right].into_iter().take(n_operands);
            OverflowingOperation {
                pc: arithmetic.pc,
                line: arithmetic.line,
                operation: arithmetic.name().into(),
                type_name: arithmetic.type_name().into(),
                operands: operands.map(Text::number).collect(),
            }
        };
        Overflow { operations: found.overflows.iter().map(operation).collect(), input, output }
    }
}
