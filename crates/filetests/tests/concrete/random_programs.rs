//! Random Java programs end in the engine as they end on the JVM.
//!
//! `PETREL_PROGRAMS=5000` tries so many, and `SEED=2` those from there on. The file of a program that
//! ends differently stays where the report says.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use petrel_checks::{Amount, seed};
use petrel_classpath::Jdk;
use petrel_engine::{Limits, Machine, Outcome, Reason};
use petrel_filetests::compare::{Derived, Ending, Instability, Tally, Verdict, judge};
use petrel_filetests::programs::{JavaProgram, compile, program};
use petrel_filetests::{derive, jvm, world};
use petrel_program::ResolvedMethod;
use petrel_replay::{Call, Replay, ReplayOptions};
use petrel_translate::cache::Procedures;
use petrel_value::Value;

const N_PROGRAMS: Amount = Amount::new(10, 40, 300);
/// Programs that are compiled together.
const BATCH: usize = 100;
const MOST_STEPS: u64 = 20_000_000;
const TIME_LIMIT: Duration = Duration::from_secs(20);
const METHOD: (&str, &str) = ("run", "(IJI)J");

/// Arguments that every program gets.
const INPUTS: [(i32, i64, i32); 3] =
    [(0, 0, 1), (7, -123_456_789_012, 2), (i32::MIN, i64::MAX, -1)];

#[test]
fn random_programs_end_as_on_the_jvm() {
    let (count, first) = (N_PROGRAMS.drawn("PETREL_PROGRAMS", "random programs"), seed() as usize);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("programs-{first}"));
    let jdk = world::jdk();
    let options = ReplayOptions { time_limit: TIME_LIMIT, ..ReplayOptions::new(&jdk) };
    let mut replay = Replay::start(options).expect("the JVM starts");
    let mut tally = Tally::default();
    let mut times = Times::default();
    let seeds: Vec<u64> = (first..first + count).map(|seed| seed as u64).collect();
    for seeds in seeds.chunks(BATCH) {
        let programs: Vec<JavaProgram> = seeds.iter().map(|&seed| program(seed)).collect();
        let batch = folder.join(format!("{}", seeds[0]));
        let started = Instant::now();
        let _ = fs::remove_dir_all(&batch);
        fs::create_dir_all(&batch).expect("the folder can be made");
        let programs = compile(&jdk, &batch, &programs);
        times.compiler += started.elapsed();
        let failed_before = tally.n_different() + tally.limits.len();
        compare(&jdk, &mut replay, &batch, &programs, &mut tally, &mut times);
        if tally.n_different() + tally.limits.len() == failed_before {
            fs::remove_dir_all(&batch).expect("the folder can be removed");
        } else {
            eprintln!("see {}", batch.display());
        }
    }
    let report = tally.report();
    eprintln!("{count} programs: {times:?}\n{report}");
    assert!(tally.different.is_empty() && tally.limits.is_empty(), "{report}");
    assert!(tally.unsupported.is_empty(), "{report}");
}

/// Where the time goes.
#[derive(Debug, Default)]
struct Times {
    compiler: Duration,
    jvm: Duration,
    engine: Duration,
}

fn compare(
    jdk: &Jdk,
    replay: &mut Replay,
    folder: &Path,
    programs: &[&JavaProgram],
    tally: &mut Tally,
    times: &mut Times,
) {
    let (name, descriptor) = METHOD;
    let inputs = |program: &&JavaProgram| {
        let class = program.class.clone();
        INPUTS.map(|(a, b, c)| {
            let arguments = vec![Value::Int(a), Value::Long(b), Value::Int(c)];
            jvm::call(folder, &class, name, descriptor, arguments)
        })
    };
    let calls: Vec<Call> = programs.iter().flat_map(inputs).collect();
    let started = Instant::now();
    let outcomes = replay.call_all(&calls).expect("the JVM answers");
    times.jvm += started.elapsed();
    let started = Instant::now();
    let session = derive::open(jdk, folder);
    let procedures = Procedures::new(session.program());
    // Garbage is collected all the time, or not at all.
    let limits = |garbage| Limits { steps: MOST_STEPS, garbage, ..derive::LIMITS };
    for (call, outcome) in calls.into_iter().zip(&outcomes) {
        let class = session.program().class(&call.class).expect("the class was compiled");
        let method = class.declared_method(name, descriptor).expect("the method was compiled");
        let mut verdicts = [1 << 16, usize::MAX].map(|garbage| {
            let mut machine = Machine::new(&procedures, limits(garbage));
            let derived = run(&mut machine, &method, &call.arguments);
            judge(&derived, outcome)
        });
        verdicts.sort_by_key(|verdict| !matches!(verdict, Verdict::Different(_)));
        let [verdict, other] = verdicts;
        let verdict = match (verdict, other) {
            (Verdict::Different(what), Verdict::Different(_)) => Verdict::Different(what),
            (Verdict::Different(what), _) => {
                Verdict::Different(format!("with only one of the garbage limits: {what}"))
            }
            (verdict, _) => verdict,
        };
        tally.add(&call, verdict);
    }
    times.engine += started.elapsed();
}

/// Calls a method that takes numbers and returns a `long`.
fn run(machine: &mut Machine<'_>, method: &ResolvedMethod, arguments: &[Value]) -> Derived {
    let arguments = arguments.iter().map(|argument| match *argument {
        Value::Int(value) => petrel_engine::Value::int(value),
        Value::Long(value) => petrel_engine::Value::long(value),
        _ => petrel_engine::Value::NULL,
    });
    let arguments: Vec<_> = arguments.collect();
    let outcome = machine.call(method, &arguments);
    let decision = machine.unstable_decision().is_some();
    let mut is_unstable = false;
    let ending = match outcome {
        Outcome::Returned(value) => Ending::Returned(value.map(|value| {
            is_unstable |= value.is_unstable();
            Value::Long(value.as_long())
        })),
        Outcome::Threw(exception) => {
            let class = machine.class_name(exception).replace('.', "/");
            let message = machine.exception_message(exception);
            let message = message.map(|shown| {
                shown.map(|shown| {
                    is_unstable |= shown.unstable;
                    shown.units
                })
            });
            Ending::Threw { class, message: message.map_err(|reason| reason.to_string()) }
        }
        Outcome::Stopped { reason, places } => {
            let places: Vec<String> = places.iter().take(5).map(ToString::to_string).collect();
            match reason {
                Reason::Limit(what) => Ending::Limit(what.to_string()),
                Reason::Unsupported(what) => {
                    Ending::Unsupported { reason: what.to_string(), places }
                }
                other => Ending::Broken(format!("{other} at {}", places.join(", "))),
            }
        }
    };
    Derived::of_ending(ending, Instability::of(decision, is_unstable))
}
