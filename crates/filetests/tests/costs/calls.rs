//! What Petrel says that calls cost is what the JVM spends on them: the instructions that it executes in
//! classes of the class path, the calls of their methods, and the bytes that it allocates. The calls are
//! the inputs of the cases of the fixtures, the `run` lines of the fixtures, and random programs.
//!
//! `FIXTURE=heap` looks only at fixtures with that in their path, `METHOD=insert` only at methods with
//! that in their names. `CLASSES=/a/file.jar` looks at the cases of a jar or folder instead of fixtures,
//! or of a sample of `METHODS=500` methods. `PETREL_PROGRAMS=5000` tries so many programs. `SEED=2` draws
//! others.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

mod assembled;
mod counts;
mod derivation;
mod meters;
mod prices;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use petrel_checks::{Amount, Part, is_filtered, seed};
use petrel_classpath::Jdk;
use petrel_filetests::jvm;
use petrel_filetests::programs::{JavaProgram, compile, program};
use petrel_filetests::symbolic::{contradictions, for_each_in_threads, predictions};
use petrel_filetests::walk::{chosen_classes, for_each_fixture, for_each_method_of, is_chosen};
use petrel_filetests::{derive, world};
use petrel_program::ResolvedMethod;
use petrel_replay::Call;
use petrel_testcase::{Case, Model, Options, Termination, generate};
use petrel_translate::cache::Procedures;
use petrel_value::Value;

use counts::Counts;
use derivation::Derivation;
use meters::Meters;
use prices::{Ending, MODELS, Priced};

/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_millis(200);
const MOST_STEPS: u64 = 20_000;
const MOST_CASES: usize = 60;

/// Of each method.
const MOST_RUNS: usize = 3;
const N_PROGRAMS: Amount = Amount::new(2, 8, 20);
/// Of the methods, and of the `run` lines.
const PART: Part = Part::one_of(60, 25);
const PART_OF_RUNS: Part = Part::one_of(60, 30);
/// Arguments that every random program gets.
const PROGRAM_INPUTS: [(i32, i64, i32); 3] =
    [(0, 0, 1), (7, -123_456_789_012, 2), (i32::MIN, i64::MAX, -1)];

/// Fewer comparisons than these would show that the tests look at nothing.
const LEAST_CASES: usize = 8_000;
const LEAST_ALLOCATING_CASES: usize = 1_000;
const LEAST_RUNS: usize = 1_500;
const LEAST_ALLOCATING_RUNS: usize = 150;

#[test]
fn cases_cost_what_the_jvm_spends() {
    let counts = Mutex::new(Counts::default());
    match chosen_classes() {
        Some(file) => {
            for_each_method_of(&file, Meters::start, |meters, jdk, procedures, method| {
                let method = std::slice::from_ref(method);
                compare_cases(jdk, meters, &file, procedures, method, &counts);
            })
        }
        None => {
            let picking = PART.picking();
            for_each_fixture(Meters::start, |meters, jdk, fixture| {
                let folder = fixture.class_folder();
                let procedures = derive::procedures(jdk, &folder);
                let mut methods = fixture.callable_methods(procedures.program());
                methods.retain(|method| !fixture.is_jvm_alone(method) && is_chosen(method));
                methods.retain(|method| picking.picks(&method.to_string()));
                compare_cases(jdk, meters, &folder, procedures, &methods, &counts);
            });
            picking.tell("methods of fixtures");
        }
    }
    check(counts, PART.least(LEAST_CASES), PART.least(LEAST_ALLOCATING_CASES));
}

#[test]
fn runs_cost_what_the_jvm_spends() {
    let counts = Mutex::new(Counts::default());
    let picking = PART_OF_RUNS.picking();
    for_each_fixture(Meters::start, |meters, jdk, fixture| {
        let mut n_runs: BTreeMap<&str, usize> = BTreeMap::new();
        let runs = fixture.runs.iter().filter(|run| {
            let count = n_runs.entry(&run.method).or_default();
            *count += 1;
            let is_meant = !run.jvm_alone && *count <= MOST_RUNS;
            is_meant && picking.picks(&format!("{} {}", fixture.class, run.line))
        });
        let calls: Vec<Call> = runs.map(|run| jvm::call_of(fixture, run)).collect();
        compare_calls(jdk, meters, &fixture.class_folder(), &fixture.class, calls, &counts);
    });
    picking.tell("run lines of fixtures");
    check(counts, PART_OF_RUNS.least(LEAST_RUNS), PART_OF_RUNS.least(LEAST_ALLOCATING_RUNS));
}

#[test]
fn random_programs_cost_what_the_jvm_spends() {
    let (count, first) = (N_PROGRAMS.drawn("PETREL_PROGRAMS", "random programs"), seed() as usize);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("priced-programs-{first}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    let jdk = world::jdk();
    let programs: Vec<JavaProgram> =
        (first..first + count).map(|seed| program(seed as u64)).collect();
    let programs = compile(&jdk, &folder, &programs);
    let counts = Mutex::new(Counts::default());
    for_each_in_threads(
        &programs,
        || Meters::start(&jdk),
        |meters, program| {
            let call = |(a, b, c)| {
                let arguments = vec![Value::Int(a), Value::Long(b), Value::Int(c)];
                jvm::call(&folder, &program.class, "run", "(IJI)J", arguments)
            };
            let calls = PROGRAM_INPUTS.map(call).into();
            compare_calls(&jdk, meters, &folder, &program.class, calls, &counts);
        },
    );
    check(counts, count, 0);
    fs::remove_dir_all(&folder).expect("the folder can be removed");
}

fn check(counts: Mutex<Counts>, least: usize, least_with_bytes: usize) {
    let counts = counts.into_inner().expect("no thread panics");
    let report = counts.report();
    eprintln!("{report}");
    assert!(counts.executions > 0, "nothing was chosen");
    assert!(counts.wrong.is_empty(), "{report}");
    if !is_filtered() {
        assert!(counts.executions >= least, "{report}");
        assert!(counts.allocating >= least_with_bytes, "{report}");
    }
}

fn options(jdk: &Jdk) -> Options {
    let read = |path: &Path| panic!("{} is no file of a model", path.display());
    Options {
        termination: Termination::Loop(1),
        steps: MOST_STEPS,
        time: Some(MOST_TIME),
        symbolic_statics: true,
        models: MODELS.map(|model| Model::parse(model, &read).expect("it is built in")).into(),
        feature_version: jdk.feature_version(),
        ..Options::default()
    }
}

fn compare_cases(
    jdk: &Jdk,
    meters: &mut Meters,
    class_path: &Path,
    procedures: &Procedures<'_>,
    methods: &[ResolvedMethod],
    counts: &Mutex<Counts>,
) {
    let options = options(jdk);
    let mut found = Counts::default();
    let mut priced = Vec::new();
    let mut derivations = BTreeMap::new();
    for method in methods {
        let mut cases = Vec::new();
        let generated = generate(procedures, method, &options, &mut |case: Case| {
            cases.push(case);
            cases.len() < MOST_CASES
        });
        found.methods += 1;
        match generated {
            Ok(summary) => {
                let found_wrong = contradictions(&summary);
                found.wrong.extend(found_wrong.iter().map(|what| format!("{method}: {what}")));
            }
            Err(_) => found.methods_without += 1,
        }
        let class = method.class().name();
        let derivation = derivations
            .entry(class.to_owned())
            .or_insert_with(|| Derivation::new(procedures, class, &options));
        for case in cases {
            found.calls += 1;
            let prediction = predictions(method, &case).swap_remove(0);
            let call = prediction.call.clone();
            let conduct = derivation.conduct(method, &call);
            let (ending, price) = (Ending::Predicted(Box::new(prediction)), prices::of_case(&case));
            priced.push(Priced { call, ending, price, conduct });
        }
    }
    meters.compare(class_path, priced, &mut found);
    counts.lock().expect("no thread panics").add(found);
}

/// Compares calls of static methods of one class.
fn compare_calls(
    jdk: &Jdk,
    meters: &mut Meters,
    class_path: &Path,
    class: &str,
    calls: Vec<Call>,
    counts: &Mutex<Counts>,
) {
    let procedures = derive::procedures(jdk, class_path);
    let options = options(jdk);
    let class = procedures.program().class(&class.replace('.', "/")).expect("it is there");
    let mut derivation = Derivation::new(procedures, class.name(), &options);
    let mut found = Counts::default();
    let mut priced = Vec::new();
    for call in calls {
        let method = class.declared_method(&call.method, &call.descriptor);
        let Some(method) = method.filter(is_chosen) else { continue };
        found.calls += 1;
        match derivation.price(&method, &call) {
            Ok((ending, price)) => {
                let conduct = derivation.conduct(&method, &call);
                priced.push(Priced { call, ending, price, conduct });
            }
            Err(why) => found.add_stopped(&why),
        }
    }
    meters.compare(class_path, priced, &mut found);
    counts.lock().expect("no thread panics").add(found);
}
