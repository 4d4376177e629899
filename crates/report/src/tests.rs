#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod objects;
mod saved;
mod schema;

use petrel_clp::ToldTrace;
use petrel_expression::{Expression, Node};
use petrel_solver::Statistics;
use petrel_testcase::{
    Asked, BranchCount, Case, Condition, Coverage, Defect, Ends, Feature, InstructionCount, Limit,
    MadeBy, Outcome, Output, Place, Platform, Report, Solution, SourceLine, Stopped, Summary,
    Symbolic, UncoveredBranch, Why,
};
use petrel_value::{Heap, Value};
use serde_json::{Value as Json, json};

use crate::{CasesAnswer, JsonReport};

fn asked() -> Asked {
    Asked {
        target: "demo.A#m()V".to_owned(),
        termination: "block-count-3".to_owned(),
        selection: "all-paths".to_owned(),
        heap: "solver".to_owned(),
        assumptions: Vec::new(),
    }
}

fn solution(value: Value, heap: Heap) -> Solution {
    let output = Output {
        value: Some(value),
        arguments: vec![value],
        heap: heap.clone(),
        ..Output::default()
    };
    Solution {
        receiver: None,
        arguments: vec![value],
        statics: Vec::new(),
        answers: Vec::new(),
        heap,
        output,
    }
}

fn with_solutions(solutions: Vec<Solution>) -> Case {
    Case {
        outcome: Outcome::Return,
        symbolic: Symbolic { arguments: vec!["x".to_owned()], ..Symbolic::default() },
        condition: vec![Condition { test: term("x != 0"), made_by: MadeBy::Program }],
        wanted_if: Vec::new(),
        solutions,
        trace: ToldTrace::from(&"m(1,[],[])".parse().unwrap()),
        lines: vec![SourceLine { file: "A.java".into(), line: 3 }],
        rules: Vec::new(),
        program_rules: Vec::new(),
        steps: 7,
        costs: Vec::new(),
        unstable_decision: None,
        overflows: Vec::new(),
    }
}

/// A term: `o1` is a new object, a number is itself, and any other text stands for itself.
fn term(text: &str) -> Expression {
    let number = text.strip_prefix('o').and_then(|number| number.parse().ok());
    match (number, text.parse()) {
        (Some(number), _) => Expression::new(Node::NewObject(number)),
        (None, Ok(number)) => Expression::int(number),
        (None, Err(_)) => Expression::name(text),
    }
}

/// The report with these cases, read again.
fn read(cases: &[Case], all_solutions: bool, summary: &Summary, coverage: &Coverage) -> Json {
    let mut report = JsonReport::new(asked(), all_solutions);
    let mut text = Vec::new();
    report.opening(&mut text).unwrap();
    for case in cases {
        report.case(case, &mut text).unwrap();
    }
    report.closing(summary, coverage, &mut text).unwrap();
    parsed(&text)
}

/// A document of cases: it fits its schema, and what is read as data is written as it was.
fn parsed(text: &[u8]) -> Json {
    let json: Json = serde_json::from_slice(text).unwrap();
    schema::check("cases", &json);
    let answer: CasesAnswer<'static> = serde_json::from_slice(text).unwrap();
    assert_eq!(serde_json::to_value(answer).unwrap(), json);
    json
}

fn read_case(case: Case) -> Json {
    read(&[case], false, &Summary::default(), &Coverage::default())["cases"][0].take()
}

#[test]
fn a_report_without_cases_is_a_document() {
    let read = read(&[], false, &Summary::default(), &Coverage::default());
    let members: Vec<&String> = read.as_object().unwrap().keys().collect();
    assert_eq!(
        members,
        [
            "schema",
            "target",
            "criterion",
            "cases",
            "branches",
            "uncovered_branches",
            "instructions",
            "parametric",
            "growth",
            "overflow",
            "unreached",
            "ends",
            "stats"
        ]
    );
    assert_eq!(read["schema"], 1);
    assert_eq!(read["cases"], json!([]));
    let criterion = json!({
        "termination": "block-count-3",
        "selection": "all-paths",
        "heap": "solver",
    });
    assert_eq!(read["criterion"], criterion);
}

#[test]
fn a_report_has_a_line_for_each_member_and_each_case() {
    let mut report = JsonReport::new(asked(), false).after(7);
    let case = with_solutions(vec![solution(Value::Int(1), Heap::new())]);
    let mut text = Vec::new();
    report.opening(&mut text).unwrap();
    report.case(&case, &mut text).unwrap();
    report.case(&case, &mut text).unwrap();
    report.closing(&Summary::default(), &Coverage::default(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let starts: Vec<&str> = text.lines().map(|line| line.split(':').next().unwrap()).collect();
    let expected = [
        "{\"schema\"",
        "\"target\"",
        "\"criterion\"",
        "\"cases\"",
        "{\"id\"",
        "{\"id\"",
        "],",
        "\"branches\"",
        "\"uncovered_branches\"",
        "\"instructions\"",
        "\"parametric\"",
        "\"growth\"",
        "\"overflow\"",
        "\"unreached\"",
        "\"ends\"",
        "\"stats\"",
    ];
    assert_eq!(starts, expected);
    assert_eq!(parsed(text.as_bytes())["cases"][1]["id"], 9);
}

#[test]
fn cases_are_numbered_from_one() {
    let case = with_solutions(vec![solution(Value::Int(1), Heap::new())]);
    let read = read(&[case.clone(), case], false, &Summary::default(), &Coverage::default());
    assert_eq!(read["cases"][0]["id"], 1);
    assert_eq!(read["cases"][1]["id"], 2);
}

#[test]
fn a_case_has_the_members_that_scripts_know() {
    let case = read_case(with_solutions(vec![solution(Value::Int(5), Heap::new())]));
    let expected = json!({
        "id": 1,
        "outcome": { "kind": "return" },
        "symbolic": { "args": ["x"], "heap_in": {}, "result": null, "heap_out": {} },
        "constraints": ["x != 0"],
        "input": { "args": [5], "heap": {} },
        "output": { "value": 5, "heap": {} },
        "trace": "m(1,[],[])",
        "lines": ["A.java:3"],
        "steps": 7,
    });
    assert_eq!(case, expected);
}

#[test]
fn all_solutions_are_told_if_more_than_one_was_asked_for() {
    let solutions = [1, 2].map(|value| solution(Value::Int(value), Heap::new()));
    let case = with_solutions(solutions.to_vec());
    let read = read(&[case], true, &Summary::default(), &Coverage::default());
    let case = &read["cases"][0];
    assert_eq!(case["input"]["args"], json!([1]));
    assert_eq!(case["solutions"][0]["input"], case["input"]);
    assert_eq!(case["solutions"][1]["output"]["value"], 2);
}

#[test]
fn exceptions_have_a_class_and_a_message() {
    let mut throwing = with_solutions(vec![solution(Value::Int(0), Heap::new())]);
    throwing.outcome = Outcome::Throw("java.lang.ArithmeticException".to_owned());
    throwing.solutions[0].output.value = None;
    throwing.solutions[0].output.message = Some("/ by zero".into());
    let case = read_case(throwing);
    let outcome = json!({ "kind": "throw", "exception": "java.lang.ArithmeticException" });
    assert_eq!(case["outcome"], outcome);
    assert_eq!(case["output"], json!({ "value": null, "heap": {}, "message": "/ by zero" }));
}

#[track_caller]
fn check_value(value: Value, expected: Json) {
    let case = read_case(with_solutions(vec![solution(value, Heap::new())]));
    assert_eq!(case["input"]["args"], json!([expected]));
}

#[test]
fn small_numbers_are_numbers_and_large_ones_strings() {
    check_value(Value::Null, Json::Null);
    check_value(Value::Boolean(true), json!(true));
    check_value(Value::Byte(-1), json!(-1));
    check_value(Value::Short(-300), json!(-300));
    check_value(Value::Char(0xd800), json!(0xd800));
    check_value(Value::Int(i32::MIN), json!(i32::MIN));
    check_value(Value::Long(i64::MIN), json!("-9223372036854775808"));
    check_value(Value::float(1.5), json!("1.5"));
    check_value(Value::float(f32::INFINITY), json!("Infinity"));
    check_value(Value::double(-0.0), json!("-0.0"));
    check_value(Value::double(f64::NAN), json!("NaN"));
}

#[test]
fn assumptions_are_part_of_the_criterion() {
    let assumptions = vec!["acyclic(x)".to_owned(), "non-null(x.next)".to_owned()];
    let report = JsonReport::new(Asked { assumptions, ..asked() }, false);
    let mut text = Vec::new();
    report.opening(&mut text).unwrap();
    report.abandoned("", &mut text).unwrap();
    let read = parsed(&text);
    assert_eq!(read["criterion"]["assume"], json!(["acyclic(x)", "non-null(x.next)"]));
}

#[test]
fn the_closing_tells_ends_branches_and_statistics() {
    let place = Place { method: "A.f()V".to_owned(), pc: Some(4), source: None };
    let stopped = Stopped { what: Feature::Platform(Platform::Threads), place: Some(place) };
    let defect = Stopped { what: Defect::CodeEnded, place: None };
    let ends = Ends {
        returned: 1,
        threw: 2,
        excluded: 3,
        refused: 0,
        same_path: 0,
        infeasible: 4,
        cut: 5,
        limits: [(Limit::Steps(9), 6)].into(),
        unknown: 7,
        unsupported: [(stopped, 8)].into(),
        defects: [(defect, 9)].into(),
    };
    let coverage = Coverage {
        branches: BranchCount { total: 2, covered: 1, infeasible: 1, ..BranchCount::default() },
        instructions: InstructionCount { total: 9, covered: 8 },
        uncovered: vec![UncoveredBranch { pc: 1, line: 3, target_pc: 6, why: Why::Infeasible }],
        operations: Vec::new(),
    };
    let solver = Statistics { queries: 3, label_queries: 2, by_model: 4, ..Statistics::default() };
    let summary = Summary { ends, solver, steps: 10, elapsed_us: 11, ..Summary::default() };
    let read = read(&[], false, &summary, &coverage);
    let expected = json!({
        "returned": 1,
        "threw": 2,
        "excluded": 3,
        "refused": 0,
        "infeasible": 4,
        "cut": 5,
        "limit": { "9 steps": 6 },
        "unknown": 7,
        "unsupported": [{ "what": "threads", "where": "A.f()V (instruction 4)", "count": 8 }],
        "defects": [{
            "what": "the code came to an end: this is a bug of Petrel",
            "where": "",
            "count": 9,
        }],
    });
    assert_eq!(read["ends"], expected);
    assert_eq!(read["branches"]["infeasible"], 1);
    let uncovered = json!([{ "pc": 1, "line": 3, "target_pc": 6, "why": "infeasible" }]);
    assert_eq!(read["uncovered_branches"], uncovered);
    assert_eq!(read["instructions"], json!({ "total": 9, "covered": 8 }));
    let stats = &read["stats"];
    assert_eq!((&stats["steps"], &stats["elapsed_us"]), (&json!(10), &json!(11)));
    assert_eq!((&stats["solver_queries"], &stats["by_model"]), (&json!(5), &json!(4)));
}

#[test]
fn an_abandoned_report_is_a_document_too() {
    let mut report = JsonReport::new(asked(), false);
    let case = with_solutions(vec![solution(Value::Int(1), Heap::new())]);
    let mut text = Vec::new();
    report.opening(&mut text).unwrap();
    report.case(&case, &mut text).unwrap();
    report.abandoned("no \"solver\"", &mut text).unwrap();
    let read = parsed(&text);
    assert_eq!(read["error"], "no \"solver\"");
}
