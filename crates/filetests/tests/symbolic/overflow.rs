//! Operations that overflow: `overflow` lines of fixtures say which do, and methods with `Math.addExact` and the like are
//! the judges of the inputs, in the JVM.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use petrel_budget::Purse;
use petrel_classfile::{MethodDescriptor, op};
use petrel_classpath::Jdk;
use petrel_filetests::compare::Verdict;
use petrel_filetests::derive;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::inputs::edge_combinations;
use petrel_filetests::sample::Random;
use petrel_filetests::symbolic::{all_cases, contradictions, is_callable, is_target, predictions};
use petrel_filetests::walk::for_each_fixture;
use petrel_program::{Program, ResolvedMethod};
use petrel_replay::{Call, Isolation, Outcome, Replay, ReplayOptions};
use petrel_testcase::{
    Case, Coverage, JudgedOperation, Options, Solution, Summary, TargetCode, Termination,
};
use petrel_translate::cache::Procedures;

const FIXTURE: &str = "Overflows";
/// Fixtures whose methods compute something, whether or not they were written for this.
const TOPICS: [&str; 6] = ["arithmetic", "calls", "control", "papers", "symbolic", "types"];
/// Calls of a method of which nothing overflows.
const N_CALLS: usize = 200;
/// Enough for methods that nobody wrote for this.
const MOST_WORK: u64 = 200_000;

/// What an `overflow` line says.
struct Expected {
    method: String,
    bound: Option<u32>,
    verdicts: Vec<String>,
}

fn expectations(fixture: &Fixture) -> Vec<Expected> {
    let text = fs::read_to_string(petrel_filetests::world::root().join(&fixture.file))
        .expect("the fixture can be read");
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("// overflow: "));
    lines
        .map(|line| {
            let (call, verdicts) = line.split_once(" == ").expect("an overflow line has verdicts");
            let mut words = call.split(' ');
            let method = words.next().unwrap_or_default().to_owned();
            let bound = words.find_map(|word| word.strip_prefix("loop="));
            let bound = bound.map(|bound| bound.parse().expect("a bound is a number"));
            Expected { method, bound, verdicts: verdicts.split(' ').map(str::to_owned).collect() }
        })
        .collect()
}

fn start_replay(jdk: &Jdk) -> Replay {
    Replay::start(ReplayOptions::new(jdk)).expect("the JVM starts")
}

fn judged(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
) -> (Vec<Case>, Summary, Vec<JudgedOperation>) {
    let (cases, summary) = all_cases(procedures, method, options).expect("there is code");
    let project = [method.class().name().to_owned()];
    let coverage = Coverage::of(procedures, &project, method, &summary).expect("it is translated");
    (cases, summary, coverage.operations)
}

#[test]
fn what_overflows_is_found_and_what_does_not_is_proved() {
    let n_lines = AtomicUsize::new(0);
    let n_shown = AtomicUsize::new(0);
    for_each_fixture(start_replay, |replay, jdk, fixture| {
        if !fixture.class.ends_with(FIXTURE) {
            return;
        }
        let procedures = derive::procedures(jdk, &fixture.class_folder());
        for expected in expectations(fixture) {
            let name = &expected.method;
            let method = method(procedures.program(), &fixture.class, name);
            let termination = expected.bound.map_or(Termination::Loop(2), Termination::Loop);
            let options = Options { overflow: true, termination, ..Options::default() };
            let (cases, summary, operations) = judged(procedures, &method, &options);
            let verdicts: Vec<&str> = operations
                .iter()
                .map(|judged| match judged.verdict() {
                    "overflows" => "yes",
                    "cannot_overflow" => "no",
                    _ => "?",
                })
                .collect();
            assert_eq!(verdicts, expected.verdicts, "{name}: {:?}", summary.ends);
            let exact = self::method(procedures.program(), &fixture.class, &format!("{name}Exact"));
            for found in cases.iter().flat_map(|case| &case.overflows) {
                assert!(overflows(replay, fixture, &exact, &found.solution), "{name}: {found:?}");
                n_shown.fetch_add(1, Ordering::Relaxed);
            }
            if expected.verdicts.iter().all(|verdict| verdict == "no") {
                never_overflows(replay, fixture, &exact);
            }
            n_lines.fetch_add(1, Ordering::Relaxed);
        }
    });
    let (n_lines, n_shown) = (n_lines.into_inner(), n_shown.into_inner());
    eprintln!("{n_lines} methods, {n_shown} inputs that overflow");
    assert!(n_lines > 0 && n_shown > 0);
}

fn method(program: &Program, class: &str, name: &str) -> ResolvedMethod {
    let class = program.class(&class.replace('.', "/")).expect("the fixture is compiled");
    let found = class.methods().find(|method| method.name() == name);
    found.unwrap_or_else(|| panic!("{name} is not there"))
}

/// Whether the JVM finds an overflow where operations are exact.
fn overflows(
    replay: &mut Replay,
    fixture: &Fixture,
    exact: &ResolvedMethod,
    solution: &Solution,
) -> bool {
    let call = Call {
        arguments: solution.arguments.clone(),
        heap: solution.heap.clone(),
        class_path: Some(vec![fixture.class_folder()]),
        ..Call::new(exact.class().name(), exact.name(), exact.descriptor())
    };
    is_overflow(&replay.call(&call).expect("the JVM answers"))
}

fn is_overflow(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Threw { class, message: Some(message), .. }
            if class == "java/lang/ArithmeticException" && message.escaped().contains("overflow")
    )
}

/// Edge values make nothing overflow.
fn never_overflows(replay: &mut Replay, fixture: &Fixture, exact: &ResolvedMethod) {
    let descriptor = MethodDescriptor::parse(exact.descriptor()).expect("it is checked");
    let inputs = edge_combinations(&descriptor.parameters, N_CALLS, &mut Random::new(1));
    for (arguments, heap) in inputs {
        let call = Call {
            arguments,
            heap,
            class_path: Some(vec![fixture.class_folder()]),
            ..Call::new(exact.class().name(), exact.name(), exact.descriptor())
        };
        let outcome = replay.call(&call).expect("the JVM answers");
        assert!(!is_overflow(&outcome), "{}: {:?}", exact.name(), call.arguments);
    }
}

#[test]
fn inputs_that_overflow_end_as_on_the_jvm() {
    let (n_shown, n_missing) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for_each_fixture(start_replay, |replay, jdk, fixture| {
        if !TOPICS.contains(&fixture.topic.as_str()) {
            return;
        }
        let procedures = derive::procedures(jdk, &fixture.class_folder());
        for method in fixture.static_methods(procedures.program()) {
            check_places(procedures, &method);
            if !is_target(&method) || !is_callable(&method) || fixture.is_jvm_alone(&method) {
                continue;
            }
            let purse = Purse::unlimited().with_work(MOST_WORK);
            let options = Options { overflow: true, purse, steps: 10_000, ..Options::default() };
            let (cases, summary, operations) = judged(procedures, &method, &options);
            let bugs = contradictions(&summary);
            assert!(bugs.is_empty(), "{method}: {bugs:?}");
            for case in cases {
                for found in &case.overflows {
                    let solutions = vec![found.solution.clone()];
                    let case = Case { solutions, ..case.clone() };
                    check_prediction(replay, fixture, &method, &case);
                    n_shown.fetch_add(1, Ordering::Relaxed);
                }
            }
            let missing = operations.iter().filter(|judged| judged.why_not.is_some()).count();
            n_missing.fetch_add(missing, Ordering::Relaxed);
        }
    });
    let (n_shown, n_missing) = (n_shown.into_inner(), n_missing.into_inner());
    eprintln!("{n_shown} inputs that overflow, {n_missing} operations without one");
    assert!(n_shown > 0, "no fixture was chosen");
}

fn check_prediction(replay: &mut Replay, fixture: &Fixture, method: &ResolvedMethod, case: &Case) {
    for prediction in predictions(method, case) {
        let class_path = Some(vec![fixture.class_folder()]);
        let isolation = Isolation::Fresh;
        let call = Call { class_path, isolation, ..prediction.call.clone() };
        let outcome = replay.call(&call).expect("the JVM answers");
        let verdict = prediction.judge(&outcome);
        let is_different = matches!(verdict, Verdict::Different(_));
        assert!(!is_different, "{method}: {:?}: {verdict:?}", call.arguments);
    }
}

/// Each instruction that may overflow is known by its place, if it can be reached.
fn check_places(procedures: &Procedures<'_>, method: &ResolvedMethod) {
    let Ok(Some(target)) = TargetCode::of(procedures, method) else { return };
    let Ok(Some(code)) = method.class().file.code(method.declaration()) else { return };
    let Ok(Some(procedure)) = procedures.get(method) else { return };
    let translated: Vec<u16> =
        procedure.rules().flat_map(|rule| &rule.instructions).map(|at| at.pc).collect();
    let is_translated = |opcodes: &[u8]| {
        let instructions = code.instructions.iter();
        let found = instructions.filter(|at| opcodes.contains(&at.opcode.byte()));
        found.filter(|at| translated.contains(&at.pc)).count()
    };
    let plain =
        [op::IADD, op::LADD, op::ISUB, op::LSUB, op::IMUL, op::LMUL, op::INEG, op::LNEG, op::IINC];
    let n_plain = is_translated(&plain);
    // A division by the constant zero computes nothing.
    let n_most = n_plain + is_translated(&[op::IDIV, op::LDIV]);
    let n_known = target.n_operations();
    assert!((n_plain..=n_most).contains(&n_known), "{method}: {n_known} of {n_most}");
}
