//! Static methods of published libraries on random arguments: they end in the engine as they end on
//! the JVM.
//!
//! `CLASSES=1000000` looks at so many classes instead of a sample, `INPUTS=300` draws so many
//! arguments for each method, `SEED=2` draws others, `CLASS=StringUtils` looks only at classes with
//! that in their names, and `JAR=joda` only at jars with that in theirs, from all of `build/jars`.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use petrel_checks::{Amount, filter, judges_shares, number, seed};
use petrel_classfile::{MethodDescriptor, flags};
use petrel_classpath::{ClassSource, Jdk};
use petrel_filetests::compare::{Engine, Tally, judge};
use petrel_filetests::derive;
use petrel_filetests::inputs::{Inputs, is_callable};
use petrel_filetests::sample::sample;
use petrel_filetests::world::{jar, jar_file, jdk, root};
use petrel_program::{Class, ResolvedMethod};
use petrel_replay::{Call, Replay, ReplayOptions};
use petrel_session::Session;
use petrel_translate::cache::Procedures;

const JARS: [&str; 3] =
    ["commons-lang3-3.17.0.jar", "commons-math3-3.6.1.jar", "guava-33.3.1-jre.jar"];
const N_CLASSES: Amount = Amount::new(3, 12, 30);
const N_METHODS: usize = 3;
const N_INPUTS: usize = 30;
const MOST_STEPS: u64 = 20_000_000;
/// Of hundred calls.
const MOST_UNSUPPORTED: usize = 5;

#[test]
fn static_methods_of_libraries_end_as_on_the_jvm() {
    let jdk = jdk();
    let n_inputs = number("INPUTS").unwrap_or(N_INPUTS);
    let sessions: Vec<(PathBuf, Session)> = jars()
        .into_iter()
        .map(|file| {
            let session = derive::open(&jdk, &file);
            (file, session)
        })
        .collect();
    let eligible: Vec<(usize, String)> = sessions
        .iter()
        .enumerate()
        .flat_map(|(place, (file, session))| {
            eligible(&jdk, file, session).into_iter().map(move |name| (place, name))
        })
        .collect();
    let n_classes = N_CLASSES.drawn("CLASSES", "classes of three jars");
    let chosen = sample(&eligible, n_classes, seed());
    let mut total = Tally::default();
    for (place, (file, session)) in sessions.iter().enumerate() {
        let procedures = Procedures::new(session.program());
        let options = ReplayOptions {
            class_path: vec![file.clone()],
            time_limit: Duration::from_secs(2),
            ..ReplayOptions::new(&jdk)
        };
        let mut replay = Replay::start(options).expect("the JVM starts");
        for (_, name) in chosen.iter().filter(|(of, _)| *of == place) {
            let start = Instant::now();
            let before = total.compared;
            let mut inputs = Inputs::new(seed());
            compare_class(&procedures, &mut replay, name, n_inputs, &mut inputs, &mut total);
            let n_calls = total.compared - before;
            eprintln!("{name}: {n_calls} calls in {} ms", start.elapsed().as_millis());
        }
    }
    let report = total.report();
    eprintln!("{} classes, {report}", chosen.len());
    assert!(total.compared > 0, "no class was chosen");
    assert!(total.different.is_empty() && total.limits.is_empty(), "{report}");
    let most = total.compared * MOST_UNSUPPORTED / 100;
    assert!(
        !judges_shares() || total.n_unsupported() <= most,
        "more than {most} calls are unsupported: {report}"
    );
}

fn jars() -> Vec<PathBuf> {
    let Ok(wanted) = std::env::var("JAR") else { return JARS.map(jar_file).into() };
    let folder =
        std::fs::read_dir(root().join("build").join("jars")).expect("`make jars` fills it");
    let names = folder.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter(|name| name.ends_with(".jar") && name.contains(&wanted)).collect();
    names.sort_unstable();
    names.iter().map(|name| jar_file(name)).collect()
}

/// The public classes with enough methods that can be called.
fn eligible(jdk: &Jdk, file: &Path, session: &Session) -> Vec<String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let names = jar(&name, jdk.feature_version()).class_names().expect("the jar can be listed");
    let wanted = filter("CLASS");
    let is_eligible = |name: &String| {
        let Ok(class) = session.program().class(name) else { return false };
        class.file.has_flags(flags::PUBLIC) && callable(&class).len() >= N_METHODS
    };
    names.into_iter().filter(|name| name.contains(&wanted)).filter(is_eligible).collect()
}

fn callable(class: &std::sync::Arc<Class>) -> Vec<(ResolvedMethod, MethodDescriptor)> {
    class
        .methods()
        .filter(|method| method.is_static() && method.has_flags(flags::PUBLIC))
        .filter_map(|method| {
            let descriptor = MethodDescriptor::parse(method.descriptor()).ok()?;
            is_callable(&descriptor).then_some((method, descriptor))
        })
        .collect()
}

fn compare_class(
    procedures: &Procedures<'_>,
    replay: &mut Replay,
    name: &str,
    n_inputs: usize,
    inputs: &mut Inputs,
    total: &mut Tally,
) {
    let class = procedures.program().class(name).expect("it was loaded before");
    let mut calls = Vec::new();
    for (method, descriptor) in callable(&class) {
        // Without arguments there is only one call.
        let n_calls = if descriptor.parameters.is_empty() { 1 } else { n_inputs };
        for _ in 0..n_calls {
            let (arguments, heap) = inputs.arguments(&descriptor.parameters);
            let call = Call::new(name, method.name(), method.descriptor());
            calls.push((method.clone(), Call { arguments, heap, ..call }));
        }
    }
    let outcomes = replay.call_all(calls.iter().map(|(_, call)| call)).expect("the JVM answers");
    let mut engine = Engine::new(procedures, MOST_STEPS);
    for ((method, call), outcome) in calls.iter().zip(&outcomes) {
        let derived = engine.call(method, &call.arguments, &call.heap);
        total.add(call, judge(&derived, outcome));
    }
}
