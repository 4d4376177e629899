mod objects;

use petrel_solver::Statistics;
use petrel_value::{Heap, Value};

use super::*;
use crate::case::{Output, Stopped};
use crate::coverage::{BranchCount, InstructionCount, Why};

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
    Solution { receiver: None, arguments: vec![value], statics: Vec::new(), heap, output }
}

fn with_solutions(solutions: Vec<Solution>) -> Case {
    Case {
        outcome: Outcome::Return,
        symbolic: Symbolic { arguments: vec!["x".to_owned()], ..Symbolic::default() },
        constraints: vec!["x != 0".to_owned()],
        condition: vec!["x != 0".to_owned()],
        solutions,
        trace: "m(1,[],[])".to_owned(),
        lines: vec!["A.java:3".to_owned()],
        rules: Vec::new(),
        steps: 7,
        costs: Vec::new(),
        unstable_decision: None,
        overflows: Vec::new(),
    }
}

/// The report with these cases, read again.
fn read(cases: &[Case], all_solutions: bool, summary: &Summary, coverage: &Coverage) -> Json {
    let mut report = JsonReport::new(asked(), all_solutions);
    let mut text = report.opening();
    for case in cases {
        text += &report.case(case);
    }
    text += &report.closing(summary, coverage);
    serde_json::from_str(&text).unwrap()
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
    let text = report.opening() + &report.abandoned("");
    let read: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(read["criterion"]["assume"], json!(["acyclic(x)", "non-null(x.next)"]));
}

#[test]
fn the_closing_tells_ends_branches_and_statistics() {
    let stopped = Stopped { what: "threads".to_owned(), place: "A.java:3".to_owned() };
    let ends = Ends {
        returned: 1,
        threw: 2,
        excluded: 3,
        refused: 0,
        infeasible: 4,
        cut: 5,
        limits: [("steps".to_owned(), 6)].into(),
        unknown: 7,
        unsupported: [(stopped, 8)].into(),
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
        "limit": { "steps": 6 },
        "unknown": 7,
        "unsupported": [{ "what": "threads", "where": "A.java:3", "count": 8 }],
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
    let text = report.opening() + &report.case(&case) + &report.abandoned("no \"solver\"");
    let read: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(read["error"], "no \"solver\"");
}
