mod built;
mod objects;
mod symbolic;

use expect_test::{Expect, expect};
use petrel_classfile::JavaType;
use petrel_clp::ToldTrace;
use petrel_value::{FieldValue, Heap, Object, Value};

use super::*;
use crate::case::{Ends, Output, Stopped, Symbolic, SymbolicObject};
use crate::coverage::{BranchCount, InstructionCount, UncoveredBranch, Why};
use crate::terms::{conditions, lines, symbolic, term};
use crate::{Feature, Limit, Place, Platform};

fn asked() -> Asked {
    Asked {
        target: "demo.Lcm#lcm(II)I".to_owned(),
        termination: "loop-2".to_owned(),
        selection: "all-paths".to_owned(),
        heap: "solver".to_owned(),
        assumptions: Vec::new(),
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn solution(arguments: &[Value], value: Option<Value>) -> Solution {
    let output = Output { value, ..Output::default() };
    Solution {
        receiver: None,
        arguments: arguments.to_vec(),
        statics: Vec::new(),
        answers: Vec::new(),
        heap: Heap::new(),
        output,
    }
}

fn returning(arguments: &[&str], solutions: Vec<Solution>) -> Case {
    Case {
        wanted_if: Vec::new(),
        outcome: Outcome::Return,
        symbolic: Symbolic { arguments: texts(arguments), ..Symbolic::default() },
        condition: Vec::new(),
        solutions,
        trace: ToldTrace::from(&"lcm(1,[],[])".parse().unwrap()),
        lines: Vec::new(),
        rules: Vec::new(),
        program_rules: Vec::new(),
        steps: 1,
        costs: Vec::new(),
        unstable_decision: None,
        overflows: Vec::new(),
    }
}

#[track_caller]
fn check(case: &Case, expected: Expect) {
    let mut report = TextReport::new(asked());
    expected.assert_eq(&written(|out| report.case(case, out)));
}

/// What is written into a buffer.
fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_case_has_constraints_inputs_result_lines_and_trace() {
    let mut case = returning(
        &["x", "y"],
        vec![solution(&[Value::Int(4), Value::Int(6)], Some(Value::Int(12)))],
    );
    case.condition = conditions(&["y != 0", "x % y == 0"]);
    case.symbolic.result = Some(term("x * y / 2"));
    case.lines = lines(&["Lcm.java:8", "Gcd.java:3", "Lcm.java:9"]);
    check(
        &case,
        expect![[r#"
            case 1: returns 12
              if      y != 0, x % y == 0
              input   x = 4, y = 6
              result  x * y / 2
              lines   Lcm.java:8, 9; Gcd.java:3
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn values_are_java_literals_of_their_types() {
    let arguments = [Value::Char(u16::from(b'a')), Value::Char(0xd800), Value::Long(-7)];
    let mut case =
        returning(&["c", "d", "n"], vec![solution(&arguments, Some(Value::Boolean(true)))]);
    case.symbolic.result = Some(term("1"));
    check(
        &case,
        expect![[r#"
            case 1: returns true
              input   c = 'a', d = '\ud800', n = -7L
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn of_several_inputs_each_says_what_it_gives() {
    let give = |x, value| solution(&[Value::Int(x)], Some(Value::Int(value)));
    check(
        &returning(&["x"], vec![give(1, 2), give(2, 4)]),
        expect![[r#"
            case 1: returns 2
              input   x = 1: returns 2
                      x = 2: returns 4
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn exceptions_have_their_message() {
    let mut throwing = returning(&[], vec![solution(&[], None)]);
    throwing.outcome = Outcome::Throw("java.lang.ArithmeticException".to_owned());
    throwing.solutions[0].output.message = Some("/ by\n\"zero\"".into());
    throwing.unstable_decision = Some("Lcm.java:9".to_owned());
    check(
        &throwing,
        expect![[r#"
            case 1: throws java.lang.ArithmeticException: / by\n"zero"
              trace   lcm(1,[],[])
              note    depends on what the JVM does not fix, first at Lcm.java:9

        "#]],
    );
}

#[test]
fn objects_that_no_literal_writes_have_names() {
    let mut case = returning(&[], vec![solution(&[], None)]);
    let output = &mut case.solutions[0].output;
    let field =
        |name: &str, value| FieldValue { class: "demo/Node".into(), name: name.into(), value };
    let array = output.heap.add_array(JavaType::Int, vec![Value::Int(1)]);
    let node = output.heap.add(Object::Instance { class: "demo/Node".into(), fields: Vec::new() });
    if let Some(Object::Instance { fields, .. }) = output.heap.get_mut(node) {
        *fields = vec![field("next", node), field("items", array)];
    }
    output.value = Some(node);
    case.symbolic.result = Some(term("o1"));
    case.symbolic.heap_out = vec![symbolic("o1", "int[]", &[("0", "x + 1")])];
    check(
        &case,
        expect![[r#"
            case 1: returns o1
              gives   o1: demo.Node { next: o1, items: {1} }
              result  new1: int[] {x + 1}
              trace   lcm(1,[],[])

        "#]],
    );
}

#[test]
fn long_rows_go_on_in_the_next_line_and_long_traces_are_cut() {
    let mut case = returning(&[], vec![solution(&[], None)]);
    let constraints: Vec<String> =
        (0..12).map(|number| format!("argument{number} != {number}")).collect();
    case.condition = conditions(&constraints.iter().map(|text| &**text).collect::<Vec<_>>());
    case.trace = ToldTrace::from(&format!("{}(1,[],[])", "t".repeat(1000)).parse().unwrap());
    let text = written(|out| TextReport::new(asked()).case(&case, out));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1..4].iter().all(|line| line.len() <= WIDTH), "{text}");
    assert!(lines[2].starts_with("          argument"), "{text}");
    assert_eq!(lines[4].len(), INDENT + MAX_TRACE, "{text}");
    assert!(lines[4].ends_with("tt..."), "{text}");
}

#[test]
fn the_summary_says_what_is_left_open() {
    let source = Some(("Thread.java".to_owned(), 7));
    let place = Place { method: "Thread.run()V".to_owned(), pc: Some(3), source };
    let stopped = Stopped { what: Feature::Platform(Platform::Threads), place: Some(place) };
    let ends = Ends {
        returned: 1,
        infeasible: 4,
        cut: 2,
        excluded: 3,
        refused: 0,
        same_path: 0,
        limits: [(Limit::Steps(9), 1)].into(),
        unknown: 2,
        unsupported: [(stopped, 5)].into(),
        ..Ends::default()
    };
    let uncovered = |line, why| UncoveredBranch { pc: 1, line, target_pc: 5, why };
    let coverage = Coverage {
        branches: BranchCount {
            total: 4,
            covered: 2,
            infeasible: 1,
            budget: 1,
            ..Default::default()
        },
        instructions: InstructionCount { total: 9, covered: 7 },
        uncovered: vec![uncovered(3, Why::Infeasible), uncovered(0, Why::Budget)],
        operations: Vec::new(),
    };
    let summary = Summary { ends, steps: 99, elapsed_us: 12345, ..Summary::default() };
    expect![[r#"
        1 case: 1 return, 0 throw
          branches      2 of 4 covered
                        line 3, instruction 1 to 5: infeasible
                        instruction 1 to 5: behind a limit
          instructions  7 of 9 covered
          paths         4 infeasible, 2 cut by loop-2, 3 excluded
                        limit reached: 9 steps: 1 path
                        undecided constraints: 2 paths
                        unsupported: threads, at Thread.run()V (Thread.java:7): 5 paths
          steps         99
    "#]]
    .assert_eq(&written(|out| TextReport::new(asked()).closing(&summary, &coverage, out)));
}
