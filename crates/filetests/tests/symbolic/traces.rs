//! Traces of all methods of the fixtures, read back: a complete trace gives exactly its case, a partial
//! one all its instances, in the order in which they come without it ("A Framework for Guided Test Case
//! Generation in Constraint Logic Programming", Def. 4).
//!
//! `FIXTURE=heap` looks only at fixtures with that in their path, `METHOD=insert` only at methods with
//! that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use petrel_checks::Part;
use petrel_clp::{Trace, TraceNode, TracePart};
use petrel_filetests::derive;
use petrel_filetests::symbolic::all_cases;
use petrel_filetests::walk::{for_each_fixture, is_chosen};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Case, HeapMode, Limit, Options, Summary, Termination};
use petrel_translate::cache::Procedures;

const MOST_STEPS: u64 = 5_000;
/// Methods with more cases show nothing new.
const MOST_CASES: usize = 20;
/// Of more cases only these are looked at one by one.
const MOST_TRACES: usize = 4;
/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_millis(100);
/// Longer traces are not compared: the comparison here calls itself.
const MOST_NODES: usize = 1_500;
/// So many parts of a trace are left open in turn.
const PARTIAL: usize = 2;
/// Of the methods.
const PART: Part = Part::one_of(60, 30);

#[derive(Default)]
struct Counts {
    methods: usize,
    complete: usize,
    partial: usize,
    instances: usize,
    without_case: usize,
    wrong: Vec<String>,
}

#[test]
fn traces_lead_back_to_their_cases() {
    let counts = Mutex::new(Counts::default());
    let picking = PART.picking();
    for_each_fixture(
        |_| (),
        |(), jdk, fixture| {
            let procedures = derive::procedures(jdk, &fixture.class_folder());
            let modes = if fixture.topic == "heap" {
                &[HeapMode::Solver, HeapMode::Lazy][..]
            } else {
                &[HeapMode::Solver]
            };
            for method in fixture.callable_methods(procedures.program()) {
                if is_chosen(&method) && picking.picks(&method.to_string()) {
                    modes.iter().for_each(|&mode| check(procedures, &method, mode, &counts));
                }
            }
        },
    );
    picking.tell("methods of fixtures");
    let counts = counts.into_inner().expect("no thread panics");
    eprintln!(
        "{} methods: {} complete traces, {} partial ones with {} instances, {} without a case",
        counts.methods, counts.complete, counts.partial, counts.instances, counts.without_case
    );
    assert!(counts.complete > 0, "no fixture was chosen");
    assert!(counts.wrong.is_empty(), "{}", counts.wrong.join("\n"));
}

fn options(heap: HeapMode) -> Options {
    Options { termination: Termination::Loop(1), steps: MOST_STEPS, heap, ..Options::default() }
}

fn check(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    heap: HeapMode,
    counts: &Mutex<Counts>,
) {
    let mut cases = Vec::new();
    let options = options(heap);
    let within = Options { time: Some(MOST_TIME), ..options.clone() };
    let summary = petrel_testcase::generate(procedures, method, &within, &mut |case| {
        cases.push(case);
        cases.len() <= MOST_CASES
    });
    let is_late = |summary: &Summary| summary.ends.limits.contains_key(&Limit::Time);
    if summary.as_ref().map_or(true, is_late) || cases.len() > MOST_CASES {
        return;
    }
    let traces: Vec<Trace> = cases
        .iter()
        .map(|case| case.trace.to_string().parse().expect("what is printed is read"))
        .collect();
    let mut found = Counts { methods: 1, ..Counts::default() };
    let guided = |trace: &Trace| -> Vec<Case> {
        let options = Options { trace: Some(Arc::new(trace.clone())), ..options.clone() };
        all_cases(procedures, method, &options).expect("a trace changes nothing about that").0
    };
    for (case, trace) in cases.iter().zip(&traces).take(MOST_TRACES) {
        assert_eq!(*trace, case.trace.term());
        if trace.nodes().len() > MOST_NODES {
            continue;
        }
        found.complete += 1;
        let again = guided(trace);
        if again.as_slice() != std::slice::from_ref(case) {
            found.wrong.push(format!(
                "{method} ({heap:?}): {trace} gives {:?}",
                again.iter().map(|case| &case.trace).collect::<Vec<_>>()
            ));
        }
        let count = trace.nodes().len();
        for step in 0..PARTIAL {
            let at = (step * count + count / 2) / PARTIAL;
            let changes = [
                (left_open(trace, at, "_"), true),
                (left_open(trace, at.max(1), "*"), true),
                (other_rule(trace, at), false),
            ];
            for (changed, is_open) in changes {
                let pattern: Trace = changed.parse().expect("it is a trace");
                let expected: Vec<&Case> = cases
                    .iter()
                    .zip(&traces)
                    .filter(|(_, trace)| {
                        trace.nodes().len() <= MOST_NODES && is_instance(trace, &pattern)
                    })
                    .map(|(case, _)| case)
                    .collect();
                let instances = guided(&pattern);
                found.partial += usize::from(is_open);
                found.instances += if is_open { instances.len() } else { 0 };
                found.without_case += usize::from(instances.is_empty());
                let is_same = instances.len() == expected.len()
                    && instances.iter().zip(&expected).all(|(left, right)| left == *right);
                if !is_same {
                    found.wrong.push(format!(
                        "{method} ({heap:?}): {pattern} gives {:?} instead of {:?}",
                        instances.iter().map(|case| &case.trace).collect::<Vec<_>>(),
                        expected.iter().map(|case| &case.trace).collect::<Vec<_>>()
                    ));
                }
            }
        }
    }
    let mut counts = counts.lock().expect("no thread panics");
    counts.methods += found.methods;
    counts.complete += found.complete;
    counts.partial += found.partial;
    counts.instances += found.instances;
    counts.without_case += found.without_case;
    counts.wrong.extend(found.wrong);
}

/// The text of a trace, in which a node is written in another way.
fn with_node(trace: &Trace, at: usize, write: &dyn Fn(&TraceNode, String) -> String) -> String {
    fn part(
        trace: &Trace,
        of: &TracePart,
        at: usize,
        write: &dyn Fn(&TraceNode, String) -> String,
    ) -> String {
        let number = match of {
            TracePart::Free(name) => return name.to_string(),
            TracePart::Any => return "*".to_owned(),
            TracePart::Node(number) => *number,
        };
        let node = &trace.nodes()[number];
        let sizes: Vec<String> = node.parameters.iter().map(ToString::to_string).collect();
        let parts: Vec<String> =
            node.parts.iter().map(|inner| part(trace, inner, at, write)).collect();
        let rest = format!("[{}],[{}])", sizes.join(","), parts.join(","));
        if number == at {
            return write(node, rest);
        }
        format!("'{}'({},{rest}", node.name, node.rule)
    }
    part(trace, trace.root(), at, write)
}

fn left_open(trace: &Trace, at: usize, by: &str) -> String {
    with_node(trace, at, &|_, _| by.to_owned())
}

/// The other rule of a predicate, or one that it does not have.
fn other_rule(trace: &Trace, at: usize) -> String {
    with_node(trace, at, &|node, rest| {
        let rule = if node.rule == 1 { 2 } else { node.rule - 1 };
        format!("'{}'({rule},{rest}", node.name)
    })
}

/// Whether a trace is an instance of a partial one.
fn is_instance(trace: &Trace, pattern: &Trace) -> bool {
    matches(trace, trace.root(), pattern, pattern.root())
}

fn matches(trace: &Trace, part: &TracePart, pattern: &Trace, wanted: &TracePart) -> bool {
    let (TracePart::Node(number), TracePart::Node(expected)) = (part, wanted) else {
        return !matches!(wanted, TracePart::Node(_));
    };
    let (node, expected) = (&trace.nodes()[*number], &pattern.nodes()[*expected]);
    is_same_rule(node, expected) && all_match(trace, &node.parts, pattern, &expected.parts)
}

fn is_same_rule(node: &TraceNode, expected: &TraceNode) -> bool {
    let sizes = &expected.parameters;
    (&node.name, node.rule) == (&expected.name, expected.rule)
        && (sizes.is_empty() || node.parameters == *sizes)
}

/// `*` stands for all parts up to the first that begins like the next one.
fn all_match(trace: &Trace, parts: &[TracePart], pattern: &Trace, wanted: &[TracePart]) -> bool {
    match (parts, wanted) {
        ([], wanted) => wanted.iter().all(|part| *part == TracePart::Any),
        (_, []) => false,
        // What a rule goes on with is its last part.
        ([_], [TracePart::Any]) => true,
        ([last], [TracePart::Any, expected]) => matches(trace, last, pattern, expected),
        ([first, rest @ ..], [TracePart::Any, others @ ..]) => {
            let is_next = match (first, others.first()) {
                (TracePart::Node(node), Some(TracePart::Node(next))) => {
                    is_same_rule(&trace.nodes()[*node], &pattern.nodes()[*next])
                }
                _ => false,
            };
            if is_next {
                all_match(trace, parts, pattern, others)
            } else {
                all_match(trace, rest, pattern, wanted)
            }
        }
        ([first, rest @ ..], [expected, others @ ..]) => {
            matches(trace, first, pattern, expected) && all_match(trace, rest, pattern, others)
        }
    }
}
