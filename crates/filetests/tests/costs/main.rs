//! What cases of the fixtures cost is what the JVM spends on their inputs: the instructions that it
//! executes in classes of the class path, the calls of their methods, and the bytes that it allocates.
//!
//! `FIXTURE=heap` looks only at fixtures with that in their path, `METHOD=insert` only at methods with
//! that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

mod allocation;
mod counts;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_filetests::compare::Verdict;
use petrel_filetests::derive;
use petrel_filetests::fixture::{self, Fixture};
use petrel_filetests::jvm::Jdks;
use petrel_filetests::jvmti;
use petrel_filetests::symbolic::{Prediction, for_each_in_threads, predictions};
use petrel_program::ResolvedMethod;
use petrel_replay::{self as replay, Call, Isolation, Measure, Measured, Replay, ReplayOptions};
use petrel_testcase::{Case, GenerateError, Model, Options, Termination, generate};
use petrel_translate::cache::Procedures;

use allocation::Allocator;
use counts::Counts;

/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_millis(500);
const MOST_STEPS: u64 = 20_000;
const MOST_CASES: usize = 60;
/// A call that ends within the steps is done long before, unless the machine is very busy.
const REPLAY_LIMIT: Duration = Duration::from_secs(60);

/// Fewer comparisons than these would show that the test looks at nothing.
const LEAST_EXECUTIONS: usize = 5_000;
const LEAST_ALLOCATIONS: usize = 1_500;
/// Of which so many allocate anything.
const LEAST_ALLOCATING: usize = 300;

const MODELS: [&str; 3] = ["instructions", "calls", "memory:hotspot"];

#[test]
fn cases_cost_what_the_jvm_spends() {
    let (fixtures, complaints) = fixture::read_all(&fixture::not_built());
    assert!(complaints.is_empty(), "{complaints:?}");
    let fixtures: Vec<Fixture> =
        fixtures.into_iter().filter(|fixture| fixture.topic != "bench").collect();
    let jdks = Jdks::find();
    let counts = Mutex::new(Counts::default());
    for_each_in_threads(&fixtures, BTreeMap::new, |meters, fixture| {
        let Some(jdk) = jdks.for_release(fixture.release) else { return };
        let meters = meters.entry(jdk.feature_version()).or_insert_with(|| Meters::start(jdk));
        compare(jdk, meters, fixture, &counts);
    });
    let counts = counts.into_inner().expect("no thread panics");
    let report = counts.report();
    eprintln!("{report}");
    assert!(counts.executions > 0, "no fixture was chosen");
    assert!(counts.wrong.is_empty(), "{report}");
    if std::env::var("FIXTURE").is_err() && std::env::var("METHOD").is_err() {
        assert!(counts.executions >= LEAST_EXECUTIONS, "{report}");
        assert!(counts.allocations >= LEAST_ALLOCATIONS, "{report}");
        assert!(counts.allocating >= LEAST_ALLOCATING, "{report}");
    }
}

/// JVMs that measure calls.
struct Meters {
    execution: Replay,
    allocation: Replay,
}

impl Meters {
    fn start(jdk: &Jdk) -> Meters {
        let start = |measure: Measure| {
            let options = ReplayOptions {
                time_limit: REPLAY_LIMIT,
                heap_megabytes: 128,
                measure,
                ..ReplayOptions::new(jdk)
            };
            Replay::start(options).expect("the JVM starts")
        };
        let agent = jvmti::agent(jdk).unwrap_or_else(|error| panic!("{error}"));
        Meters {
            execution: start(Measure::Execution { agent }),
            allocation: start(Measure::Allocation),
        }
    }
}

/// An input of a case with what it should cost.
struct Priced {
    name: String,
    prediction: Prediction,
    case: Case,
    /// Why the bytes that the JVM allocates are not those of the instructions of the class path.
    other_allocations: Option<String>,
}

fn compare(jdk: &Jdk, meters: &mut Meters, fixture: &Fixture, counts: &Mutex<Counts>) {
    let folder = fixture.class_folder();
    let session = derive::open(jdk, &folder);
    let procedures = Procedures::new(session.program());
    let wanted = std::env::var("METHOD").unwrap_or_default();
    let mut methods = fixture.callable_methods(session.program());
    methods.retain(|method| !fixture.is_jvm_alone(method) && method.name().contains(&wanted));
    let read = |path: &std::path::Path| panic!("{} is no file of a model", path.display());
    let options = Options {
        termination: Termination::Loop(1),
        steps: MOST_STEPS,
        time: Some(MOST_TIME),
        symbolic_statics: true,
        models: MODELS.map(|model| Model::parse(model, &read).expect("it is built in")).into(),
        feature_version: jdk.feature_version(),
        ..Options::default()
    };
    let mut found = Counts::default();
    let mut priced = Vec::new();
    for method in &methods {
        found.methods += 1;
        match cases(&procedures, method, &options) {
            Ok(cases) => {
                found.cases += cases.len();
                priced.extend(price(&procedures, method, &options, cases));
            }
            Err(_) => found.without_cases += 1,
        }
    }
    let call = |priced: &Priced| Call {
        isolation: Isolation::Fresh,
        class_path: Some(vec![folder.clone()]),
        ..priced.prediction.call.clone()
    };
    let outcomes = meters.execution.call_all(priced.iter().map(call)).expect("the JVM answers");
    for (priced, outcome) in priced.iter().zip(&outcomes) {
        if let Some(measured) = comparable(priced, outcome, &mut found) {
            found.executions += 1;
            found.instructions += measured.n_instructions();
            found.calls += measured.n_calls();
            found.wrong.extend(
                counts::wrong_execution(&priced.case, &priced.prediction.call, measured)
                    .map(|what| format!("{}: {what}", priced.name)),
            );
        }
    }
    let (exact, others): (Vec<Priced>, Vec<Priced>) =
        priced.into_iter().partition(|priced| priced.other_allocations.is_none());
    for other in others {
        let why = other.other_allocations.unwrap_or_default();
        *found.other_allocations.entry(why).or_default() += 1;
    }
    let outcomes = meters.allocation.call_all(exact.iter().map(call)).expect("the JVM answers");
    for (priced, outcome) in exact.iter().zip(&outcomes) {
        let Some(measured) = comparable(priced, outcome, &mut Counts::default()) else { continue };
        let Some(bytes) = measured.allocated_bytes else { continue };
        if !measured.ended_as_before {
            found.other_second_calls += 1;
            continue;
        }
        found.allocations += 1;
        found.allocating += usize::from(bytes > 0);
        found.bytes += bytes;
        let expected = counts::cost(&priced.case, "memory:hotspot").value;
        if u64::try_from(expected) != Ok(bytes) {
            found.wrong.push(format!("{}: {expected} bytes, and on the JVM {bytes}", priced.name));
        }
    }
    counts.lock().unwrap_or_else(PoisonError::into_inner).add(found);
}

fn cases(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
) -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    generate(procedures, method, options, &mut |case| {
        cases.push(case);
        cases.len() < MOST_CASES
    })?;
    Ok(cases)
}

fn price(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    cases: Vec<Case>,
) -> Vec<Priced> {
    let mut allocator = Allocator::new(procedures, method, options);
    let price = |case: Case| {
        let prediction = predictions(method, &case).into_iter().next()?;
        let name = petrel_filetests::compare::described_call(&prediction.call);
        let other_allocations = allocator.other_allocations(&case.solutions[0]);
        Some(Priced { name, prediction, case, other_allocations })
    };
    cases.into_iter().filter_map(price).collect()
}

/// What the JVM measured, if the call ended as the case says: then it can be compared.
fn comparable<'o>(
    priced: &Priced,
    outcome: &'o replay::Outcome,
    counts: &mut Counts,
) -> Option<&'o Measured> {
    match priced.prediction.judge(outcome) {
        Verdict::Same => {}
        Verdict::Unstable => {
            counts.unstable += 1;
            return None;
        }
        other => {
            let what = match other {
                Verdict::Exhausted => "exhausted".to_owned(),
                Verdict::NotCallable(why) => why,
                other => format!("{}: {other:?}", priced.name),
            };
            *counts.ended_otherwise.entry(what).or_default() += 1;
            return None;
        }
    }
    match outcome {
        replay::Outcome::Returned { after, .. } | replay::Outcome::Threw { after, .. } => {
            after.measured.as_ref()
        }
        _ => None,
    }
}
