//! Cases of static methods of published libraries whose inputs are numbers and booleans: their inputs
//! give on the JVM what the cases say, to the last bit.
//!
//! `METHODS=1000000` looks at so many methods of each jar instead of a sample, `SEED=2` draws others,
//! `CLASS=MathUtils` looks only at classes with that in their names, and `JAR=guava` only at jars with
//! that in theirs.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use petrel_checks::{Amount, filter, judges_shares, seed};
use petrel_classpath::{ClassSource, Jdk};
use petrel_filetests::derive;
use petrel_filetests::sample::sample;
use petrel_filetests::symbolic::{
    Prediction, Totals, all_cases, is_real_target, is_target, predictions,
};
use petrel_filetests::world::{jar, jar_file, jdk};
use petrel_program::{Program, ResolvedMethod};
use petrel_replay::{Call, Isolation, Replay, ReplayOptions};
use petrel_testcase::Options;
use petrel_translate::cache::Procedures;

const JARS: [&str; 3] =
    ["commons-lang3-3.17.0.jar", "commons-math3-3.6.1.jar", "guava-33.3.1-jre.jar"];
/// Of each jar; those on `float` and `double` take longer.
const N_METHODS: Amount = Amount::new(4, 16, 100);
const N_REAL_METHODS: Amount = Amount::new(1, 6, 25);
const MOST_TIME: Duration = Duration::from_secs(2);
const MOST_STEPS: u64 = 20_000;
/// Cases beyond these are counted, but not run on the JVM.
const MOST_REPLAYED: usize = 500;
/// Of hundred methods on integers. Those on `float` and `double` call `sin` and `pow`, of which nothing is known.
/// The time limit decides how far a method gets: a faster machine meets one or two more.
const MOST_UNSUPPORTED: usize = 11;
/// Of thousand decisions that took more than rewriting.
const MOST_UNKNOWN: u64 = 5;
/// From so many methods on, that share is judged.
const ENOUGH_METHODS: usize = 300;

#[test]
fn cases_of_libraries_hold_on_the_jvm() {
    let totals = compare_jars(is_target, N_METHODS);
    let report = totals.report();
    if judges_shares() {
        let n_unsupported = totals.n_unsupported();
        assert!(n_unsupported * 100 <= totals.methods * MOST_UNSUPPORTED, "{report}");
        // Of few methods, a single one that runs out of time decides this share.
        let is_whole = totals.methods >= ENOUGH_METHODS;
        let is_known = totals.solver.unknown * 1000 < totals.n_decisions() * MOST_UNKNOWN;
        assert!(is_known || !is_whole, "{report}");
    }
}

#[test]
fn cases_of_methods_on_floats_hold_on_the_jvm() {
    compare_jars(is_real_target, N_REAL_METHODS);
}

/// What came of the methods that are wanted; all that was predicted holds.
fn compare_jars(is_wanted: fn(&ResolvedMethod) -> bool, n_methods: Amount) -> Totals {
    let jdk = jdk();
    let wanted = filter("JAR");
    let totals = Mutex::new(Totals::default());
    for name in JARS.iter().filter(|name| name.contains(&wanted)) {
        let start = Instant::now();
        let before = totals.lock().expect("no thread panics").methods;
        compare_jar(&jdk, &jar_file(name), is_wanted, n_methods, &totals);
        let n_methods = totals.lock().expect("no thread panics").methods - before;
        eprintln!("{name}: {n_methods} methods in {} ms", start.elapsed().as_millis());
    }
    let totals = totals.into_inner().expect("no thread panics");
    let report = totals.report();
    eprintln!("{report}");
    assert!(totals.tally.compared > 0, "no method was chosen");
    assert!(totals.is_sound(), "{report}");
    totals
}

fn compare_jar(
    jdk: &Jdk,
    file: &Path,
    is_wanted: fn(&ResolvedMethod) -> bool,
    n_methods: Amount,
    totals: &Mutex<Totals>,
) {
    let procedures = derive::procedures(jdk, file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut targets = all_methods(jdk, &name, procedures.program());
    targets.retain(is_wanted);
    let n_methods = n_methods.drawn("METHODS", &format!("methods of {name}"));
    let methods = sample(&targets, n_methods, seed());
    let next = AtomicUsize::new(0);
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                let mut replay = start_replay(jdk, file.to_owned());
                while let Some(method) = methods.get(next.fetch_add(1, Ordering::Relaxed)) {
                    compare(procedures, &mut replay, method, totals);
                }
            });
        }
    });
}

fn all_methods(jdk: &Jdk, jar_name: &str, program: &Program) -> Vec<ResolvedMethod> {
    let names = jar(jar_name, jdk.feature_version()).class_names().expect("the jar can be listed");
    let wanted = filter("CLASS");
    let names = names.iter().filter(|name| name.contains(&wanted));
    let classes = names.filter_map(|name| program.class(name).ok());
    classes.flat_map(|class| class.methods().collect::<Vec<_>>()).collect()
}

fn start_replay(jdk: &Jdk, file: PathBuf) -> Replay {
    let options = ReplayOptions {
        class_path: vec![file],
        time_limit: Duration::from_secs(10),
        ..ReplayOptions::new(jdk)
    };
    Replay::start(options).expect("the JVM starts")
}

fn compare(
    procedures: &Procedures<'_>,
    replay: &mut Replay,
    method: &ResolvedMethod,
    totals: &Mutex<Totals>,
) {
    let options = Options { steps: MOST_STEPS, time: Some(MOST_TIME), ..Options::default() };
    let generated = all_cases(procedures, method, &options);
    let predicted: Vec<Prediction> = match generated {
        Ok((cases, summary)) => {
            let name = method.to_string();
            totals.lock().expect("no thread panics").add(&name, cases.len(), &summary);
            let replayed = cases.iter().take(MOST_REPLAYED);
            replayed.flat_map(|case| predictions(method, case)).collect()
        }
        Err(error) => {
            totals.lock().expect("no thread panics").add_refused(&error);
            return;
        }
    };
    // A case begins with what initialisers leave, whatever was called before.
    let isolation = Isolation::Fresh;
    let calls = predicted.iter().map(|prediction| Call { isolation, ..prediction.call.clone() });
    let outcomes = replay.call_all(calls).expect("the JVM answers");
    let mut totals = totals.lock().expect("no thread panics");
    for (prediction, outcome) in predicted.iter().zip(&outcomes) {
        totals.tally.add(&prediction.call, prediction.judge(outcome));
    }
}
