//! Cases for scripts: one JSON document, a line for each case.
//!
//! `int`, `short`, `byte`, `char` (as its number) and `boolean` are JSON numbers and booleans; `long`,
//! `float` and `double` are strings, because JSON's readers round numbers. A string is a JSON string; one
//! with unpaired surrogates, which many readers refuse, is `{"utf16": [55296]}`. Any other object is
//! `{"ref": "o1"}`, and the heap that goes with it has what `o1` is: the fields of an instance, the elements of an
//! array, or, for an input that the code of its class makes, the calls to do so, of which the first one makes it:
//! `{"class": "java.util.ArrayList", "built": [{"call": "<init>()V", "args": []}]}`; a call has a `class` of its own
//! if the method is declared by another one. After the call such an object has fields. Receiver and arguments have the
//! same names before and after the call; whether any other object is the same is not told, so that
//! names which the input has are used for no others.

mod heap;
#[cfg(test)]
mod tests;

use petrel_value::{Object, Value};
use serde_json::{Map, Value as Json, json};

use crate::case::{
    Case, CaseCost, Ends, Outcome, Solution, Summary, Symbolic, SymbolicObject, Unreached,
};
use crate::coverage::{Coverage, JudgedOperation, UncoveredBranch};
use crate::overflow::{Arithmetic, CaseOverflow, Overflow};
use crate::report::objects::{Names, has_all_elements, qualified};
use crate::report::{Asked, Report};
use heap::Picture;

/// The version of the format.
const SCHEMA: u32 = 1;

/// The report for scripts.
#[derive(Debug)]
pub struct JsonReport {
    asked: Asked,
    /// Whether each case tells all of its solutions, not only the first.
    all_solutions: bool,
    cases: u64,
    /// Cases of earlier reports, which the numbers go on from.
    before: u64,
}

impl JsonReport {
    /// A report on what was asked for; with `all_solutions` each case lists all of its inputs.
    pub fn new(asked: Asked, all_solutions: bool) -> JsonReport {
        JsonReport { asked, all_solutions, cases: 0, before: 0 }
    }

    /// A report on further cases: so many came before.
    pub fn after(self, before: u64) -> JsonReport {
        JsonReport { before, ..self }
    }

    /// The end of the array of cases, and the members behind it.
    fn end(members: &[(&str, Json)]) -> String {
        let members: Vec<String> =
            members.iter().map(|(name, value)| format!("{}:{value}", json!(name))).collect();
        format!("\n],\n{}}}\n", members.join(",\n"))
    }
}

impl Report for JsonReport {
    fn opening(&self) -> String {
        let Asked { target, termination, selection, heap, assumptions } = &self.asked;
        let mut criterion =
            json!({ "termination": termination, "selection": selection, "heap": heap });
        if !assumptions.is_empty() {
            criterion["assume"] = json!(assumptions);
        }
        format!(
            "{{\"schema\":{SCHEMA},\n\"target\":{},\n\"criterion\":{criterion},\n\"cases\":[",
            json!(target)
        )
    }

    fn case(&mut self, case: &Case) -> String {
        self.cases += 1;
        let separator = if self.cases == 1 { "\n" } else { ",\n" };
        format!("{separator}{}", case_json(self.before + self.cases, case, self.all_solutions))
    }

    fn closing(&self, summary: &Summary, coverage: &Coverage) -> String {
        let branches = &coverage.branches;
        JsonReport::end(&[
            (
                "branches",
                json!({
                    "total": branches.total,
                    "covered": branches.covered,
                    "infeasible": branches.infeasible,
                    "beyond_bound": branches.beyond_bound,
                    "unsupported": branches.unsupported,
                    "not_constructible": branches.not_constructible,
                    "not_selected": branches.not_selected,
                    "budget": branches.budget,
                    "unknown": branches.unknown,
                }),
            ),
            ("uncovered_branches", coverage.uncovered.iter().map(uncovered).collect()),
            (
                "instructions",
                json!({
                    "total": coverage.instructions.total,
                    "covered": coverage.instructions.covered,
                }),
            ),
            ("parametric", parametric(summary)),
            (
                "growth",
                summary
                    .growth
                    .iter()
                    .map(|(bound, cost)| json!({ "bound": bound, "value": cost }))
                    .collect(),
            ),
            ("overflow", coverage.operations.iter().map(judged).collect()),
            ("unreached", summary.unreached.iter().map(unreached).collect()),
            ("ends", ends(&summary.ends)),
            ("stats", statistics(summary)),
        ])
    }

    fn abandoned(&self, reason: &str) -> String {
        JsonReport::end(&[("error", json!(reason))])
    }
}

/// A case under a number.
pub fn case_json(id: u64, case: &Case, all_solutions: bool) -> Json {
    let mut solutions = case.solutions.iter().map(|solution| {
        let names = Names::before(solution);
        (input(solution, &names), output(case, solution, &names))
    });
    let (input, output) = solutions.next().unwrap_or_default();
    let mut members = Map::new();
    members.insert("id".to_owned(), json!(id));
    members.insert("outcome".to_owned(), outcome(&case.outcome));
    members.insert("symbolic".to_owned(), symbolic(&case.symbolic));
    members.insert("constraints".to_owned(), json!(case.constraints));
    members.insert("input".to_owned(), input.clone());
    members.insert("output".to_owned(), output.clone());
    if all_solutions {
        let first = (!case.solutions.is_empty()).then_some((input, output));
        let all = first.into_iter().chain(solutions);
        let all = all.map(|(input, output)| json!({ "input": input, "output": output })).collect();
        members.insert("solutions".to_owned(), all);
    }
    members.insert("trace".to_owned(), json!(case.trace));
    members.insert("lines".to_owned(), json!(case.lines));
    members.insert("steps".to_owned(), json!(case.steps));
    if !case.costs.is_empty() {
        members.insert("cost".to_owned(), costs(&case.costs));
    }
    if !case.overflows.is_empty() {
        let overflows = case.overflows.iter().map(|found| overflow(case, found)).collect();
        members.insert("overflows".to_owned(), overflows);
    }
    if let Some(place) = &case.unstable_decision {
        members.insert("unstable_decision".to_owned(), json!(place));
    }
    Json::Object(members)
}

/// The number, or what it depends on, or how often which method was called.
fn costs(costs: &[CaseCost]) -> Json {
    let cost = |cost: &CaseCost| match (&cost.calls, &cost.expression) {
        (Some(calls), _) => {
            calls.iter().map(|(name, count)| (name.clone(), json!(count))).collect()
        }
        (None, Some(expression)) => json!({ "expr": expression, "value": cost.value }),
        (None, None) => json!(cost.value),
    };
    costs.iter().map(|known| (known.model.clone(), cost(known))).collect::<Map<_, _>>().into()
}

/// An input that makes operations overflow.
fn overflow(case: &Case, found: &CaseOverflow) -> Json {
    let names = Names::before(&found.solution);
    let operation = |overflow: &Overflow| {
        let mut told = arithmetic(&overflow.arithmetic);
        let (left, right) = overflow.operands;
        told["operands"] = match overflow.arithmetic.operation.is_unary() {
            true => json!([left.to_string()]),
            false => json!([left.to_string(), right.to_string()]),
        };
        told
    };
    json!({
        "operations": found.overflows.iter().map(operation).collect::<Vec<Json>>(),
        "input": input(&found.solution, &names),
        "output": output(case, &found.solution, &names),
    })
}

fn arithmetic(arithmetic: &Arithmetic) -> Json {
    json!({
        "pc": arithmetic.pc,
        "line": arithmetic.line,
        "operation": arithmetic.name(),
        "type": arithmetic.type_name(),
    })
}

/// An operation with what is known of it: `overflows`, `cannot_overflow`, or why neither is known.
fn judged(judged: &JudgedOperation) -> Json {
    let mut told = arithmetic(&judged.arithmetic);
    told["verdict"] = json!(judged.verdict());
    told
}

fn outcome(outcome: &Outcome) -> Json {
    match outcome {
        Outcome::Return => json!({ "kind": "return" }),
        Outcome::Throw(class) => json!({ "kind": "throw", "exception": class }),
    }
}

fn symbolic(symbolic: &Symbolic) -> Json {
    let heap = |objects: &[SymbolicObject]| -> Map<String, Json> {
        let object =
            |object: &SymbolicObject| (object.name.clone(), symbolic_object(object, symbolic));
        objects.iter().map(object).collect()
    };
    json!({
        "args": symbolic.arguments,
        "heap_in": heap(&symbolic.heap_in),
        "result": symbolic.result,
        "heap_out": heap(&symbolic.heap_out),
    })
}

fn symbolic_object(object: &SymbolicObject, symbolic: &Symbolic) -> Json {
    if !has_all_elements(object, symbolic) {
        return symbolic_parts(object);
    }
    let elements: Vec<&str> = object.parts.iter().map(|(_, term)| &**term).collect();
    json!({ "class": object.class, "length": elements.len(), "elements": elements })
}

/// Fields or elements by name or index.
fn symbolic_parts(object: &SymbolicObject) -> Json {
    let parts = object.parts.iter().map(|(name, term)| (name.clone(), json!(term)));
    let mut members = Map::new();
    members.insert("class".to_owned(), json!(object.class));
    if let Some(length) = &object.length {
        members.insert("length".to_owned(), json!(length));
    }
    let name = if object.is_array { "elements" } else { "fields" };
    members.insert(name.to_owned(), Json::Object(parts.collect()));
    Json::Object(members)
}

fn input(solution: &Solution, names: &Names) -> Json {
    let picture = Picture { heap: &solution.heap, names };
    let mut members = Map::new();
    if let Some(receiver) = solution.receiver {
        members.insert("this".to_owned(), picture.value(receiver));
    }
    members.insert("args".to_owned(), picture.values(&solution.arguments));
    if !solution.statics.is_empty() {
        let statics = solution.statics.iter();
        let statics = statics.map(|field| (qualified(field), picture.value(field.value)));
        members.insert("statics".to_owned(), Json::Object(statics.collect()));
    }
    members.insert("heap".to_owned(), picture.objects());
    Json::Object(members)
}

fn output(case: &Case, solution: &Solution, before: &Names) -> Json {
    let output = &solution.output;
    let picture = Picture { heap: &output.heap, names: &before.after(solution) };
    let mut members = Map::new();
    let value = output.value.map_or(Json::Null, |value| picture.value(value));
    members.insert("value".to_owned(), value);
    if let Some(receiver) = output.receiver {
        members.insert("this".to_owned(), picture.value(receiver));
    }
    // A string does not change.
    let can_change = |value: &Value| {
        let object = output.heap.get(*value);
        object.is_some_and(|object| !matches!(object, Object::String(_)))
    };
    if output.arguments.iter().any(can_change) {
        members.insert("args".to_owned(), picture.values(&output.arguments));
    }
    members.insert("heap".to_owned(), picture.objects());
    if matches!(case.outcome, Outcome::Throw(_)) {
        let message = output.message.as_ref().map_or(Json::Null, heap::string);
        members.insert("message".to_owned(), message);
        if let Some(why) = &output.message_unknown {
            members.insert("message_unknown".to_owned(), why.as_str().into());
        }
    }
    if output.unstable {
        members.insert("unstable".to_owned(), json!(true));
    }
    Json::Object(members)
}

fn uncovered(branch: &UncoveredBranch) -> Json {
    json!({
        "pc": branch.pc,
        "line": branch.line,
        "target_pc": branch.target_pc,
        "why": branch.why.name(),
    })
}

/// From when on a cost that depends on the input is the largest.
fn parametric(summary: &Summary) -> Json {
    let mut all = Vec::new();
    for (model, parametric) in &summary.parametric {
        for (expression, condition) in parametric.exceeds() {
            all.push(json!({
                "model": model,
                "expr": expression,
                "exceeds": parametric.largest,
                "if": condition,
            }));
        }
    }
    all.into()
}

fn unreached(unreached: &Unreached) -> Json {
    let why = if unreached.is_infeasible { "infeasible" } else { "not reachable within the bound" };
    json!({ "point": unreached.point, "why": why })
}

pub(crate) fn ends(ends: &Ends) -> Json {
    let unsupported: Vec<Json> = ends
        .unsupported
        .iter()
        .map(|(stopped, count)| {
            json!({ "what": stopped.what, "where": stopped.place, "count": count })
        })
        .collect();
    json!({
        "returned": ends.returned,
        "threw": ends.threw,
        "excluded": ends.excluded,
        "refused": ends.refused,
        "infeasible": ends.infeasible,
        "cut": ends.cut,
        "limit": ends.limits,
        "unknown": ends.unknown,
        "unsupported": unsupported,
    })
}

/// What was done. The first names are those that scripts know; all counters of the solver follow.
pub(crate) fn statistics(summary: &Summary) -> Json {
    let mut solver = summary.solver;
    let mut told = json!({
        "steps": summary.steps,
        "elapsed_us": summary.elapsed_us,
        "solver_us": summary.solver_us,
        "solver_queries": solver.queries + solver.label_queries,
        "is_estimate": summary.is_estimate,
        "traces_generated": summary.traces.0,
        "traces_infeasible": summary.traces.1,
        "choices": summary.choices,
    });
    for (name, count) in solver.counters() {
        told[name] = json!(count);
    }
    told
}
