//! The traces that an abstraction generates are those of the program: of each method of the fixtures, each path is an instance of
//! one listed trace with a case, as it is printed, and of no trace that is called unfeasible ("A Framework for Guided Test Case
//! Generation in Constraint Logic Programming", Def. 6).
//!
//! `FIXTURE=heap` and `METHOD=insert` choose as elsewhere.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use petrel_abstraction::Precision;
use petrel_checks::{Part, Picking};
use petrel_classpath::Jdk;
use petrel_filetests::derive;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::symbolic::all_cases;
use petrel_filetests::walk::{for_each_fixture, is_chosen};
use petrel_program::ResolvedMethod;
use petrel_testcase::{
    Case, Limit, ListedTrace, Options, Selection, Termination, TraceVerdict, list_traces,
};
use petrel_translate::cache::Procedures;

const MOST_STEPS: u64 = 2_000;
const MOST_TIME: Duration = Duration::from_millis(50);
/// A method with more has shown enough.
const MOST_CASES: usize = 30;
const MOST_TRACES: usize = 300;
/// Of the methods.
const PART: Part = Part::one_of(60, 30);

#[derive(Default)]
struct Counts {
    methods: usize,
    traces: usize,
    unfeasible: usize,
    wrong: Vec<String>,
}

#[test]
fn each_path_is_an_instance_of_a_listed_trace() {
    let counts = Mutex::new(Counts::default());
    let picking = PART.picking();
    for_each_fixture(|_| (), |(), jdk, fixture| check_fixture(jdk, fixture, &picking, &counts));
    picking.tell("methods of fixtures");
    let counts = counts.into_inner().expect("no thread panics");
    let Counts { methods, traces, unfeasible, wrong } = counts;
    eprintln!("{methods} methods: {traces} traces, {unfeasible} of them unfeasible");
    assert!(traces > 0, "no fixture was chosen");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check_fixture(jdk: &Jdk, fixture: &Fixture, picking: &Picking, counts: &Mutex<Counts>) {
    let procedures = derive::procedures(jdk, &fixture.class_folder());
    let mut methods = fixture.callable_methods(procedures.program());
    methods.retain(|method| is_chosen(method) && picking.picks(&method.to_string()));
    for method in &methods {
        for selection in [Selection::AllPaths, Selection::LocalPaths] {
            for precision in [Precision::Naive, Precision::Enhanced { observes_sizes: false }] {
                check(procedures, method, &selection, precision, counts);
            }
        }
    }
}

fn check(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    selection: &Selection,
    precision: Precision,
    counts: &Mutex<Counts>,
) {
    let options = Options {
        termination: Termination::Loop(1),
        steps: MOST_STEPS,
        time: Some(MOST_TIME),
        ..Options::default()
    };
    let Ok((cases, summary)) = all_cases(procedures, method, &options) else { return };
    let is_late = summary.ends.limits.contains_key(&Limit::Time);
    if is_late || cases.is_empty() || cases.len() > MOST_CASES {
        return;
    }
    let mut listed: Vec<ListedTrace> = Vec::new();
    let of_selection = Options { selection: selection.clone(), ..options.clone() };
    let told = list_traces(procedures, method, &of_selection, precision, &mut |trace| {
        listed.push(trace);
        listed.len() < MOST_TRACES
    });
    if told.is_err() || listed.len() == MOST_TRACES {
        return;
    }
    let named = format!("{method}, {selection}, {precision:?}");
    let wrong = wrong_traces(procedures, method, &options, &cases, &listed);
    let mut counts = counts.lock().expect("no thread panics");
    counts.methods += 1;
    counts.traces += listed.len();
    counts.unfeasible +=
        listed.iter().filter(|listed| listed.verdict == TraceVerdict::Unfeasible).count();
    counts.wrong.extend(wrong.into_iter().map(|what| format!("{named}: {what}")));
}

/// What is wrong with the traces of a method, whose cases are known.
fn wrong_traces(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    cases: &[Case],
    listed: &[ListedTrace],
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for ListedTrace { trace, verdict, .. } in listed {
        // As it is printed.
        let read = trace.to_string().parse();
        let Ok(read) = read else {
            wrong.push(format!("{trace} cannot be read"));
            continue;
        };
        let guided = Options { trace: Some(Arc::new(read)), time: None, ..options.clone() };
        let Ok((instances, _)) = all_cases(procedures, method, &guided) else {
            wrong.push(format!("{trace} is refused"));
            continue;
        };
        if (*verdict == TraceVerdict::Feasible) == instances.is_empty() {
            wrong.push(format!("{trace} is {verdict:?} and has {} cases", instances.len()));
        }
        // Where a trace leaves something open, it may have instances of others.
        seen.extend(instances.iter().map(|case| case.trace.to_string()));
    }
    let missed = cases.iter().filter(|case| !seen.contains(case.trace.as_str()));
    wrong.extend(missed.map(|case| format!("{} is an instance of no trace", case.trace)));
    wrong
}
