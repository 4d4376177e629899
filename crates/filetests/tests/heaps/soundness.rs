//! Every case of every method and constructor of the fixtures, whatever its inputs are: receiver,
//! arguments, heap and static fields give on the JVM what the case says, and leave the heap behind that
//! it says.
//!
//! `FIXTURE=heap` looks only at fixtures with that in their path, `METHOD=insert` only at methods with
//! that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::sync::Mutex;
use std::time::Duration;

use petrel_checks::{Part, Picking, filter};
use petrel_classpath::Jdk;
use petrel_filetests::derive;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::symbolic::{Totals, Trial};
use petrel_filetests::walk::{for_each_fixture, start_replay};
use petrel_replay::Replay;
use petrel_testcase::{HeapMode, Options, Termination};

/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_secs(1);
const MOST_STEPS: u64 = 20_000;
const MOST_CASES: usize = 200;
/// Of the methods.
const PART: Part = Part::one_of(60, 25);
const ALL_MODES: [HeapMode; 4] =
    [HeapMode::Solver, HeapMode::Lazy, HeapMode::LazyNoAlias, HeapMode::Simulation];
/// The second input of a path is another point of it than the first, which is the simplest.
const N_INPUTS: usize = 2;
/// Of hundred methods: most of them take strings or floating-point numbers.
const MOST_UNSUPPORTED: usize = 25;

#[test]
fn cases_with_heaps_hold_on_the_jvm() {
    let totals = Mutex::new(Totals::default());
    let picking = PART.picking();
    for_each_fixture(start_replay, |replay, jdk, fixture| {
        compare(jdk, replay, fixture, &picking, &totals);
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
    let wanted = filter("METHOD");
    let mut methods = fixture.callable_methods(procedures.program());
    methods.retain(|method| !fixture.is_jvm_alone(method) && method.name().contains(&wanted));
    methods.retain(|method| picking.picks(&method.to_string()));
    // The other ways to handle unknown heap are for comparison: where heaps are the topic is enough.
    let modes = if fixture.topic == "heap" { &ALL_MODES[..] } else { &[HeapMode::Solver] };
    for &heap in modes {
        let options = Options {
            termination: Termination::Loop(1),
            steps: MOST_STEPS,
            time: Some(MOST_TIME),
            heap,
            solutions: if heap == HeapMode::Solver { N_INPUTS } else { 1 },
            symbolic_statics: true,
            ..Options::default()
        };
        let class_path = vec![folder.clone()];
        let trial = Trial { procedures, options, class_path, most_cases: MOST_CASES };
        trial.run(replay, &methods, totals);
    }
}
