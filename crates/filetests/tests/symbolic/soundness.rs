//! Every case of every static method of the fixtures whose inputs are numbers and booleans: its inputs
//! give on the JVM what the case says.
//!
//! `FIXTURE=arrays` looks only at fixtures with that in their path.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::sync::Mutex;
use std::time::Duration;

use petrel_checks::{Part, Picking, judges_shares};
use petrel_classpath::Jdk;
use petrel_filetests::derive;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::symbolic::{Totals, all_cases, is_numeric_target, predictions};
use petrel_filetests::walk::{for_each_fixture, start_replay};
use petrel_replay::{Call, Isolation, Replay};
use petrel_testcase::Options;

/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_secs(2);
const MOST_STEPS: u64 = 20_000;
/// Of the methods.
const PART: Part = Part::one_of(20, 16);
/// The second input of a path is another point of it than the first, which is the simplest.
const N_INPUTS: usize = 2;
/// Of hundred methods.
const MOST_UNSUPPORTED: usize = 5;

#[test]
fn cases_of_fixtures_hold_on_the_jvm() {
    let totals = Mutex::new(Totals::default());
    let picking = PART.picking();
    for_each_fixture(start_replay, |replay, jdk, fixture| {
        compare(jdk, replay, fixture, &picking, &totals);
    });
    picking.tell("methods of fixtures");
    let totals = totals.into_inner().expect("no thread panics");
    let report = totals.report();
    eprintln!("{report}");
    assert!(totals.tally.compared > 0, "no fixture was chosen");
    assert!(totals.tally.different.is_empty(), "{report}");
    assert!(totals.tally.not_callable.is_empty(), "{report}");
    assert!(totals.contradictions.is_empty(), "{report}");
    let is_usual = totals.n_unsupported() * 100 <= totals.methods * MOST_UNSUPPORTED;
    assert!(!judges_shares() || is_usual, "{report}");
}

fn compare(
    jdk: &Jdk,
    replay: &mut Replay,
    fixture: &Fixture,
    picking: &Picking,
    totals: &Mutex<Totals>,
) {
    let folder = fixture.class_folder();
    let procedures = derive::procedures(jdk, &folder);
    let options = Options {
        steps: MOST_STEPS,
        time: Some(MOST_TIME),
        solutions: N_INPUTS,
        ..Options::default()
    };
    let mut predicted = Vec::new();
    for method in fixture.static_methods(procedures.program()) {
        let is_meant = is_numeric_target(&method) && !fixture.is_jvm_alone(&method);
        if !is_meant || !picking.picks(&method.to_string()) {
            continue;
        }
        let generated = all_cases(procedures, &method, &options);
        let mut totals = totals.lock().expect("no thread panics");
        match generated {
            Ok((cases, summary)) => {
                totals.add(&method.to_string(), cases.len(), &summary);
                predicted.extend(cases.iter().flat_map(|case| predictions(&method, case)));
            }
            Err(error) => totals.add_refused(&error),
        }
    }
    let calls = predicted.iter().map(|prediction| Call {
        isolation: Isolation::Fresh,
        class_path: Some(vec![folder.clone()]),
        ..prediction.call.clone()
    });
    let outcomes = replay.call_all(calls).expect("the JVM answers");
    let mut totals = totals.lock().expect("no thread panics");
    for (prediction, outcome) in predicted.iter().zip(&outcomes) {
        totals.tally.add(&prediction.call, prediction.judge(outcome));
    }
}
