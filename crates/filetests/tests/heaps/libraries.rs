//! Cases of public methods and constructors of published libraries whose receivers and parameters are
//! integers, booleans, arrays, and objects of the library's own classes that hold nothing else: they give
//! on the JVM what the cases say, and leave the heap behind that they say.
//!
//! `METHODS=1000000` looks at so many methods of each jar instead of a sample, `SEED=2` draws others,
//! `CLASS=MutableInt` looks only at classes with that in their names, `METHOD=increment` only at methods
//! with that in theirs, `JAR=guava` at the jars of `build/jars` with that in their names, and
//! `JAR=/a/folder` at all methods of a jar or folder elsewhere. `HEAP=lazy` handles unknown heap that way;
//! `LOOP=2`, `SOLUTIONS=3`, `JOBS=2` and `STATICS=1` change the other options.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use petrel_checks::{Amount, filter, judges_shares, number, seed};
use petrel_classfile::{JavaType, MethodDescriptor, flags};
use petrel_classpath::Jdk;
use petrel_filetests::derive;
use petrel_filetests::fixture::heap_mode;
use petrel_filetests::sample::sample;
use petrel_filetests::symbolic::{Totals, Trial, for_each_in_threads, is_callable};
use petrel_filetests::world::{jar_file, jdk, root};
use petrel_program::{Class, Program, ResolvedMethod};
use petrel_replay::{Replay, ReplayOptions};
use petrel_testcase::{Options, Termination};

const JARS: [&str; 2] = ["commons-lang3-3.17.0.jar", "commons-math3-3.6.1.jar"];
/// Of each jar.
const N_METHODS: Amount = Amount::new(4, 16, 100);
const MOST_TIME: Duration = Duration::from_secs(1);
const MOST_STEPS: u64 = 20_000;
const MOST_CASES: usize = 100;
/// Of hundred methods.
const MOST_UNSUPPORTED: usize = 30;

#[test]
fn cases_with_heaps_of_libraries_hold_on_the_jvm() {
    let jdk = jdk();
    let totals = Mutex::new(Totals::default());
    for file in jars() {
        let start = Instant::now();
        let before = totals.lock().expect("no thread panics").methods;
        compare_jar(&jdk, &file, &totals);
        let n_methods = totals.lock().expect("no thread panics").methods - before;
        let name = name_of(&file);
        eprintln!("{name}: {n_methods} methods in {} ms", start.elapsed().as_millis());
    }
    let totals = totals.into_inner().expect("no thread panics");
    let report = totals.report();
    eprintln!("{report}");
    assert!(totals.tally.compared > 0, "no method was chosen");
    assert!(totals.is_sound(), "{report}");
    let is_usual = totals.n_unsupported() * 100 <= totals.methods * MOST_UNSUPPORTED;
    assert!(!judges_shares() || is_usual, "{report}");
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn jars() -> Vec<PathBuf> {
    let Ok(wanted) = std::env::var("JAR") else {
        return JARS.iter().map(|name| jar_file(name)).collect();
    };
    if wanted.contains('/') {
        return vec![wanted.into()];
    }
    let folder = root().join("build").join("jars");
    let entries = std::fs::read_dir(&folder).expect("`make jars` fetches jars");
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.contains(&wanted)).collect();
    names.sort_unstable();
    names.iter().map(|name| jar_file(name)).collect()
}

fn compare_jar(jdk: &Jdk, file: &Path, totals: &Mutex<Totals>) {
    let procedures = derive::procedures(jdk, file);
    let n_methods = N_METHODS.drawn("METHODS", &format!("methods of {}", name_of(file)));
    let methods = sample(&targets(procedures.program()), n_methods, seed());
    let trial = Trial {
        procedures,
        options: options(),
        class_path: vec![file.to_owned()],
        most_cases: MOST_CASES,
    };
    for_each_in_threads(
        &methods,
        || start_replay(jdk, file.to_owned()),
        |replay, method| trial.run(replay, std::slice::from_ref(method), totals),
    );
}

fn options() -> Options {
    let heap = std::env::var("HEAP").ok();
    let heap = heap.map(|mode| heap_mode(&mode).unwrap_or_else(|error| panic!("HEAP: {error}")));
    Options {
        termination: Termination::Loop(number("LOOP").unwrap_or(1) as u32),
        steps: MOST_STEPS,
        time: Some(MOST_TIME),
        heap: heap.unwrap_or_default(),
        solutions: number("SOLUTIONS").unwrap_or(1),
        symbolic_statics: number("STATICS").unwrap_or(0) > 0,
        jobs: number("JOBS").unwrap_or(1),
        ..Options::default()
    }
}

fn targets(program: &Program) -> Vec<ResolvedMethod> {
    let names = program.project_classes().expect("the jar can be listed");
    let wanted_class = filter("CLASS");
    let wanted_method = filter("METHOD");
    let names = names.iter().filter(|name| name.contains(&wanted_class));
    let classes = names.filter_map(|name| program.class(name).ok());
    let is_elsewhere = std::env::var("JAR").is_ok_and(|path| path.contains('/'));
    let classes = classes.filter(|class| is_elsewhere || class.file.has_flags(flags::PUBLIC));
    let methods = classes.flat_map(|class| class.methods().collect::<Vec<_>>());
    methods
        .filter(|method| method.name().contains(&wanted_method))
        .filter(|method| is_callable(method) && (is_elsewhere || is_target(program, method)))
        .collect()
}

/// Whether a method takes what unknown inputs can be: the class library's objects cannot be made up field
/// by field, and guards on floating-point numbers are not decided yet.
fn is_target(program: &Program, method: &ResolvedMethod) -> bool {
    let Ok(descriptor) = MethodDescriptor::parse(method.descriptor()) else { return false };
    let has_receiver = !method.is_static() && !method.is_constructor();
    method.has_flags(flags::PUBLIC)
        // A method without any input has one path.
        && (has_receiver || !descriptor.parameters.is_empty())
        && (!has_receiver || holds_inputs(program, method.class()))
        && descriptor.parameters.iter().all(|java_type| {
            is_input(program, java_type)
                && match element(java_type) {
                    JavaType::Object(name) => {
                        program.class(name).is_ok_and(|class| holds_inputs(program, &class))
                    }
                    _ => true,
                }
        })
}

/// Whether all fields of a class's objects are what an input can be.
fn holds_inputs(program: &Program, class: &Arc<Class>) -> bool {
    let fields = class.lineage().flat_map(|class| class.fields().collect::<Vec<_>>());
    fields.filter(|field| !field.is_static()).all(|field| {
        JavaType::parse(field.descriptor()).is_ok_and(|java_type| is_input(program, &java_type))
    })
}

/// The type of the elements of an array in the end, or the type itself.
fn element(java_type: &JavaType) -> &JavaType {
    match java_type {
        JavaType::Array(of) => element(of),
        _ => java_type,
    }
}

fn is_input(program: &Program, java_type: &JavaType) -> bool {
    match element(java_type) {
        JavaType::Object(name) => program.is_project_class(name),
        JavaType::Float | JavaType::Double => false,
        _ => true,
    }
}

fn start_replay(jdk: &Jdk, file: PathBuf) -> Replay {
    let options = ReplayOptions {
        class_path: vec![file],
        time_limit: Duration::from_secs(10),
        ..ReplayOptions::new(jdk)
    };
    Replay::start(options).expect("the JVM starts")
}
