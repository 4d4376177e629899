//! The fixtures compiled for other releases of Java than their own, on each JDK of the machine: the
//! `run` lines end in the engine as they end on the JVM.
//!
//! How a compiler translates strings, nested classes, enums and switches differs from release to
//! release. A fixture that does not compile for a release is left out there, and counted.
//! `FIXTURE=arrays` looks only at fixtures with that in their path, and `JDKS=/opt/jdks/21` at other
//! JDKs, separated by colons.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use petrel_checks::Part;
use petrel_classpath::{ClassSource, Jdk};
use petrel_filetests::compare::{Engine, Tally, judge};
use petrel_filetests::derive;
use petrel_filetests::fixture::{self, Fixture};
use petrel_filetests::jvm::Jdks;
use petrel_filetests::world::{root, tool};
use petrel_replay::{Call, Isolation, Replay, ReplayOptions};
use petrel_translate::cache::Procedures;

const RELEASES: [u16; 5] = [8, 11, 17, 21, 25];
const MOST_STEPS: u64 = 50_000_000;
/// Of the fixtures.
const PART: Part = Part::one_of(40, 40);
/// Files with errors hide errors in others.
const MOST_ATTEMPTS: usize = 6;

#[test]
fn fixtures_of_all_releases_end_as_on_the_jvm() {
    let (fixtures, complaints) = fixture::read_all(&fixture::not_built());
    assert!(complaints.is_empty(), "{complaints:?}");
    // What the class library does, does not depend on how its callers were compiled.
    let fixtures: Vec<&Fixture> =
        fixtures.iter().filter(|fixture| !matches!(&*fixture.topic, "bench" | "library")).collect();
    let fixtures = PART.of(fixtures, "fixtures");
    let installed = Jdks::find();
    let newest = installed.iter().max_by_key(|jdk| jdk.feature_version()).expect("there is one");
    let scratch = Scratch::new();
    let mut total = Tally::default();
    let known = RELEASES.into_iter().filter(|release| *release <= newest.feature_version());
    let compiled: Vec<(u16, PathBuf, Vec<&Fixture>)> = known
        .map(|release| {
            let folder = scratch.0.join(release.to_string());
            let compiled = compile(newest, release, &folder, &fixtures);
            eprintln!("release {release}: {} of {} compile", compiled.len(), fixtures.len());
            assert!(!compiled.is_empty(), "nothing compiles for release {release}");
            (release, folder, compiled)
        })
        .collect();
    for jdk in &jdks(&installed) {
        let replay = Replay::start(ReplayOptions::new(jdk));
        let mut replay = replay.unwrap_or_else(|error| panic!("{error}"));
        for (release, folder, fixtures) in &compiled {
            if *release <= jdk.feature_version() {
                let before = total.same;
                compare(jdk, &mut replay, folder, fixtures, &mut total);
                let n_same = total.same - before;
                eprintln!("release {release} on {}: {n_same} calls the same", jdk.describe());
            }
        }
    }
    let report = total.report();
    eprintln!("{report}");
    assert!(total.different.is_empty() && total.limits.is_empty(), "{report}");
    assert!(total.unsupported.is_empty() && total.not_callable.is_empty(), "{report}");
}

fn jdks(installed: &Jdks) -> Vec<Jdk> {
    let homes: Vec<PathBuf> = match std::env::var_os("JDKS") {
        Some(homes) => std::env::split_paths(&homes).collect(),
        None => installed.iter().map(|jdk| jdk.home().to_owned()).collect(),
    };
    homes.iter().map(|home| Jdk::open(home).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Compiles the fixtures that can be compiled for the release into a folder.
fn compile<'f>(
    jdk: &Jdk,
    release: u16,
    folder: &Path,
    fixtures: &[&'f Fixture],
) -> Vec<&'f Fixture> {
    fs::create_dir_all(folder).expect("a new folder in a new folder");
    let mut left: Vec<&Fixture> = Vec::new();
    // Topics have classes of the same name; the first one is taken.
    let mut names = BTreeSet::new();
    left.extend(fixtures.iter().filter(|fixture| names.insert(&fixture.class)));
    for _ in 0..MOST_ATTEMPTS {
        let output = Command::new(tool(jdk, "javac"))
            .args(["-g", "-encoding", "UTF-8", "-proc:none", "-Xlint:none", "-nowarn"])
            .args([
                "-Xmaxerrs",
                "100000",
                "-implicit:none",
                "--release",
                &release.to_string(),
                "-d",
            ])
            .arg(folder)
            .args(left.iter().map(|fixture| &fixture.file))
            .current_dir(root())
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("javac: {error}"));
        if output.status.success() {
            return left;
        }
        let messages = String::from_utf8_lossy(&output.stderr);
        let broken: BTreeSet<&str> = messages
            .lines()
            .filter(|line| line.contains(": error: "))
            .filter_map(|line| line.split(".java:").next())
            .collect();
        assert!(!broken.is_empty(), "javac for release {release}: {messages}");
        left.retain(|fixture| {
            let file = fixture.file.with_extension("");
            !broken.contains(&*file.to_string_lossy())
        });
    }
    panic!("release {release}: files with errors remain")
}

fn compare(
    jdk: &Jdk,
    replay: &mut Replay,
    folder: &Path,
    fixtures: &[&Fixture],
    total: &mut Tally,
) {
    let session = derive::open(jdk, folder);
    let procedures = Procedures::new(session.program());
    let mut engine = Engine::new(&procedures, MOST_STEPS);
    let mut calls = Vec::new();
    for fixture in fixtures {
        let name = fixture.class.replace('.', "/");
        let class = session.program().class(&name).unwrap_or_else(|error| panic!("{error}"));
        for run in fixture.runs.iter().filter(|run| !run.jvm_alone) {
            let method = class.declared_method(&run.method, &run.descriptor);
            let call = Call {
                arguments: run.arguments.clone(),
                heap: run.heap.clone(),
                isolation: Isolation::Fresh,
                class_path: Some(vec![folder.to_owned()]),
                ..Call::new(&*name, &*run.method, &*run.descriptor)
            };
            calls.push((method.expect("the same source has the same methods"), call));
        }
    }
    let outcomes = replay.call_all(calls.iter().map(|(_, call)| call)).expect("the JVM answers");
    for ((method, call), outcome) in calls.iter().zip(&outcomes) {
        engine.reset();
        let derived = engine.call(method, &call.arguments, &call.heap);
        total.add(call, judge(&derived, outcome));
    }
}

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        let name = format!("petrel-releases-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Scratch(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left there is of no consequence.
        let _ = fs::remove_dir_all(&self.0);
    }
}
