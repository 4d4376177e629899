//! Every case of every method and constructor of the fixtures over strings, library objects and interfaces:
//! its inputs give on the JVM what the case says, and leave the heap behind that it says.
//!
//! `FIXTURE=strings/StringEdges` looks only at fixtures with that in their path, `METHOD=parse` only at methods
//! with that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::sync::Mutex;

use petrel_checks::{Part, Picking};
use petrel_classpath::Jdk;
use petrel_filetests::derive;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::inputs_fixtures::{is_about_inputs, options};
use petrel_filetests::symbolic::{Totals, Trial};
use petrel_filetests::walk::{for_each_fixture, is_chosen, start_replay};
use petrel_replay::Replay;
use petrel_testcase::Options;

const MOST_CASES: usize = 200;
/// Of the methods.
const PART: Part = Part::one_of(30, 10);
/// The second input of a path is another point of it than the first, which is the simplest.
const N_INPUTS: usize = 2;
/// Of hundred methods.
const MOST_UNSUPPORTED: usize = 10;

#[test]
fn cases_over_strings_library_objects_and_interfaces_hold_on_the_jvm() {
    let totals = Mutex::new(Totals::default());
    let picking = PART.picking();
    for_each_fixture(start_replay, |replay, jdk, fixture| {
        if is_about_inputs(fixture) {
            compare(jdk, replay, fixture, &picking, &totals);
        }
    });
    picking.tell("methods of fixtures");
    let totals = totals.into_inner().expect("no thread panics");
    eprintln!("{}", totals.report());
    totals.check_all(MOST_UNSUPPORTED);
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
    let mut methods = fixture.callable_methods(procedures.program());
    methods.retain(|method| is_chosen(method) && picking.picks(&method.to_string()));
    let options = Options { solutions: N_INPUTS, ..options() };
    let class_path = vec![folder];
    let trial = Trial { procedures, options, class_path, most_cases: MOST_CASES };
    trial.run(replay, &methods, totals);
}
