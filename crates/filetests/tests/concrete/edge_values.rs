//! Every static method of the fixtures on edge values: it ends in the engine as it ends on the JVM.
//!
//! `FIXTURE=arrays` looks only at fixtures with that in their path, `CALLS=300` makes up to so many
//! calls of each method, and `SEED=2` chooses others.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use petrel_checks::{Amount, Part, Picking, seed};
use petrel_classfile::{MethodDescriptor, flags};
use petrel_classpath::Jdk;
use petrel_filetests::compare::{Ending, Engine, Tally, Verdict, judge};
use petrel_filetests::derive;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::inputs::{edge_combinations, is_callable};
use petrel_filetests::sample::Random;
use petrel_filetests::walk::for_each_fixture;
use petrel_program::{Class, ResolvedField};
use petrel_replay::{Call, Isolation, Replay, ReplayOptions};

const N_CALLS: Amount = Amount::new(10, 30, 30);
/// Of the methods.
const PART: Part = Part::one_of(20, 3);
/// Calls into the class library take their time, and these fixtures are most of all.
const N_LIBRARY_CALLS: Amount = Amount::new(4, 8, 8);
/// Loops up to the largest int are not worth their time: what takes more is counted, not compared.
const MOST_STEPS: u64 = 200_000;
/// A call that the engine ends within its steps is done long before, unless the machine is very busy.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// What is not supported is in these fixtures, and nowhere else.
const UNSUPPORTED: [&str; 4] = ["Unsupported.", "OutOfReach.", "Harness.", "MachineInputVerdicts."];

#[test]
fn fixtures_end_on_edge_values_as_on_the_jvm() {
    let total = Mutex::new(Tally::default());
    let picking = PART.picking();
    let n_calls = N_CALLS.drawn("CALLS", "calls of each method");
    let n_library_calls = N_LIBRARY_CALLS.drawn("CALLS", "calls of each method of library");
    for_each_fixture(start_replay, |replay, jdk, fixture| {
        let n_calls = if fixture.topic == "library" { n_library_calls } else { n_calls };
        for (call, verdict) in compare(jdk, replay, fixture, n_calls, &picking) {
            total.lock().expect("no thread panics").add(&call, verdict);
        }
    });
    picking.tell("methods of fixtures");
    let mut total = total.into_inner().expect("no thread panics");
    let report = total.report();
    eprintln!("{report}");
    assert!(total.compared > 0, "no fixture was chosen");
    assert!(total.different.is_empty() && total.limits.is_empty(), "{report}");
    let is_unexpected =
        |example: &str| !UNSUPPORTED.iter().any(|fixture| example.starts_with(fixture));
    total.unsupported.retain(|_, (_, example)| is_unexpected(example));
    assert!(total.unsupported.is_empty(), "{report}");
}

fn start_replay(jdk: &Jdk) -> Replay {
    // Filling more takes long, and says no more.
    let heap_megabytes = 128;
    let options =
        ReplayOptions { time_limit: TIME_LIMIT, heap_megabytes, ..ReplayOptions::new(jdk) };
    Replay::start(options).expect("the JVM starts")
}

fn compare(
    jdk: &Jdk,
    replay: &mut Replay,
    fixture: &Fixture,
    n_calls: usize,
    picking: &Picking,
) -> Vec<(Call, Verdict)> {
    let folder = fixture.class_folder();
    let procedures = derive::procedures(jdk, &folder);
    let mut random = Random::new(seed());
    let mut calls = Vec::new();
    for method in fixture.static_methods(procedures.program()) {
        let Ok(descriptor) = MethodDescriptor::parse(method.descriptor()) else { continue };
        let is_meant = is_callable(&descriptor) && !fixture.is_jvm_alone(&method);
        if !is_meant || !picking.picks(&method.to_string()) {
            continue;
        }
        for (arguments, heap) in edge_combinations(&descriptor.parameters, n_calls, &mut random) {
            let call = Call::new(method.class().name(), method.name(), method.descriptor());
            let class_path = Some(vec![folder.clone()]);
            let isolation = Isolation::Fresh;
            calls.push((method.clone(), Call { arguments, heap, isolation, class_path, ..call }));
        }
    }
    let mut engine = Engine::new(procedures, MOST_STEPS);
    let has_state = fixture.classes(procedures.program()).iter().any(has_state);
    let mut verdicts = Vec::new();
    let mut ended = Vec::new();
    for (method, call) in calls {
        if has_state {
            engine.reset();
        }
        let derived = engine.call(&method, &call.arguments, &call.heap);
        match derived.ending {
            Ending::Limit(_) => verdicts.push((call, Verdict::Exhausted)),
            _ => ended.push((call, derived)),
        }
    }
    let outcomes = replay.call_all(ended.iter().map(|(call, _)| call)).expect("the JVM answers");
    for ((call, derived), outcome) in ended.into_iter().zip(outcomes) {
        let verdict = judge(&derived, &outcome);
        verdicts.push((call, verdict));
    }
    verdicts
}

/// Whether a call may leave something to the next one. A machine is expensive where much of the class
/// library is used, so that one serves all calls if this cannot be.
fn has_state(class: &Arc<Class>) -> bool {
    let mut fields = class.fields().filter(ResolvedField::is_static);
    fields.any(|field| {
        let is_plain = matches!(field.descriptor(), "Ljava/lang/String;")
            || field.descriptor().len() == 1
            || field.has_flags(flags::ENUM);
        !(is_plain && field.is_final())
    })
}
