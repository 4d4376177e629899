//! Written tests compile and pass: for the cases of fixtures, JUnit source is written for both versions of JUnit,
//! compiled by javac with all warnings, and run.
//!
//! `FIXTURE=Inventory` looks only at fixtures with that in their path, `METHOD=merge` only at methods with that
//! in their names. `KEEP=DIR` leaves the sources in a folder.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use petrel_checks::{Part, Picking, is_filtered};
use petrel_classpath::Jdk;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::jvm::Jdks;
use petrel_filetests::sample::sample;
use petrel_filetests::scratch::Scratch;
use petrel_filetests::symbolic::{all_cases, is_callable};
use petrel_filetests::walk::{for_each_fixture, is_chosen};
use petrel_filetests::{derive, world};
use petrel_junit::{JUnit, Kind, Test, TestClass, Written};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Case, Observations, Observing, Options, Outcome};

const TOPICS: [&str; 8] =
    ["junit", "papers", "strings", "collections", "stubs", "heap", "symbolic", "exceptions"];
/// So many cases of each method are written.
const N_CASES: usize = 12;
/// Inputs of each case, and those on the edges of its conditions, are rows of one test for JUnit 5.
const N_INPUTS: usize = 2;
const SEED: u64 = 1;
/// Methods that change the array of a final static field, which no test restores: what they do depends on those
/// that ran before.
const NOT_REPEATABLE: [(&str, &str); 3] =
    [("HeapStatics", "tabled"), ("HeapStatics", "tabledByField"), ("HeapStatics", "notTheTable")];
/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_secs(1);
/// There are cases enough in the fixtures.
const LEAST_TESTS: usize = 1500;
/// Of the methods.
const PART: Part = Part::one_of(60, 60);
const LAUNCHER: &str = "junit-platform-console-standalone-1.11.4.jar";
const OTHER_JARS: [&str; 2] = ["junit-4.13.2.jar", "hamcrest-core-1.3.jar"];

/// The tests of the classes of one folder, for one release.
type Group = (PathBuf, u16);

#[derive(Default)]
struct Found {
    /// For each version of JUnit.
    files: BTreeMap<Group, [Vec<Written>; 2]>,
    n_tests: usize,
    /// Inputs of the tests for JUnit 5: each is a test for it.
    n_inputs: usize,
    n_by_reflection: usize,
    refused: BTreeMap<String, usize>,
    by_reflection: BTreeMap<String, usize>,
}

#[test]
fn written_tests_compile_and_pass() {
    let found = Mutex::new(Found::default());
    let picking = PART.picking();
    for_each_fixture(
        |_| (),
        |(), jdk, fixture| {
            if TOPICS.contains(&fixture.topic.as_str()) {
                collect(jdk, fixture, &picking, &found);
            }
        },
    );
    picking.tell("methods of fixtures");
    let mut found = found.into_inner().expect("no thread panics");
    let jdks = Jdks::find();
    let scratch = Scratch::new();
    let keep = std::env::var_os("KEEP").map(PathBuf::from);
    let folder = keep.as_deref().unwrap_or(scratch.path());
    let mut problems = Vec::new();
    let mut n_passed = [0, 0];
    let mut n_warnings = 0;
    for (number, ((classes, release), of_versions)) in found.files.iter_mut().enumerate() {
        let jdk = jdks.for_release(*release).expect("the fixture was compiled");
        for (version, files) in of_versions.iter_mut().enumerate() {
            files.sort_by(|a, b| a.file.cmp(&b.file));
            let folder = folder.join(format!("{number}-junit{}", version + 4));
            match compile(jdk, *release, &folder, classes, files) {
                Err(message) => problems.push(message),
                Ok(warnings) => {
                    n_warnings += warnings.matches("warning: [").count();
                    if !warnings.is_empty() {
                        eprintln!("{warnings}");
                    }
                    match run(jdk, &folder, classes) {
                        Err(message) => problems.push(message),
                        Ok(passed) => n_passed[version] += passed,
                    }
                }
            }
        }
    }
    let n_tests = found.n_tests;
    eprintln!("{n_tests} tests, {} by reflection, {n_warnings} warnings", found.n_by_reflection);
    eprintln!("passed: {} with JUnit 4, {} with JUnit 5", n_passed[0], n_passed[1]);
    for (reason, count) in &found.by_reflection {
        eprintln!("  {count} by reflection: {reason}");
    }
    for (reason, count) in &found.refused {
        eprintln!("  {count} refused: {reason}");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(n_passed, [n_tests, found.n_inputs], "every test runs, with every input");
    assert!(n_tests >= PART.least(LEAST_TESTS), "only {n_tests} tests were written");
    assert!(is_filtered() || found.n_inputs > n_tests, "no test has parameters");
}

/// A case with what is seen after its call.
struct Told {
    method: ResolvedMethod,
    case: Case,
    /// For each of its inputs.
    observed: Vec<Observations>,
}

impl Told {
    fn test(&self) -> Test<'_> {
        let mut inputs = self.case.solutions.iter().zip(&self.observed);
        let (solution, observed) = inputs.next().expect("a case has an input");
        Test {
            method: &self.method,
            case: &self.case,
            solution,
            observed,
            kind: Kind::Ordinary,
            notes: Vec::new(),
            more: inputs.collect(),
        }
    }
}

fn collect(jdk: &Jdk, fixture: &Fixture, picking: &Picking, found: &Mutex<Found>) {
    let procedures = derive::procedures(jdk, &fixture.class_folder());
    // All tests of a folder share a JVM: those that depend on statics set them.
    let options = Options {
        time: Some(MOST_TIME),
        symbolic_statics: true,
        assertions: true,
        solutions: N_INPUTS,
        boundary: true,
        ..Options::default()
    };
    for class in fixture.classes(procedures.program()) {
        let methods = class.methods();
        let is_meant = |method: &ResolvedMethod| {
            is_callable(method)
                && is_chosen(method)
                && !fixture.is_jvm_alone(method)
                && !NOT_REPEATABLE.contains(&(method.class().name(), method.name()))
                && picking.picks(&method.to_string())
        };
        let mut told = Vec::new();
        for method in methods.filter(is_meant) {
            let Ok((cases, _)) = all_cases(procedures, &method, &options) else { continue };
            let mut observing =
                Observing::new(procedures, &method, options.assertions, &options.purse);
            for case in sample(&cases, N_CASES, SEED) {
                let observed = case.solutions.iter().map(|solution| match case.outcome {
                    Outcome::Return => observing.observe(solution, &[]),
                    Outcome::Throw(_) => Observations::default(),
                });
                let observed = observed.collect();
                told.push(Told { method: method.clone(), case, observed });
            }
        }
        if told.is_empty() {
            continue;
        }
        let written = [JUnit::Four, JUnit::Five].map(|junit| {
            let tests = told.iter().map(Told::test).collect();
            let class = TestClass {
                class: Arc::clone(&class),
                junit,
                suffix: "PetrelTest",
                java: fixture.release,
                tests,
            };
            petrel_junit::write(procedures.program(), &class)
        });
        let mut found = found.lock().expect("no thread panics");
        found.add(fixture, written);
    }
}

impl Found {
    fn add(&mut self, fixture: &Fixture, written: [Written; 2]) {
        let [four, five] = written;
        assert_eq!(four.refused, five.refused, "both versions write the same tests");
        self.n_tests += four.tests.len();
        self.n_inputs += five.tests.iter().map(|test| test.n_inputs).sum::<usize>();
        for (_, reason) in &five.refused {
            *self.refused.entry(reason.clone()).or_default() += 1;
        }
        for test in &five.tests {
            if let Some(reason) = &test.by_reflection {
                self.n_by_reflection += 1;
                *self.by_reflection.entry(reason.clone()).or_default() += 1;
            }
        }
        if five.tests.is_empty() {
            return;
        }
        let group = (fixture.class_folder(), fixture.release);
        let files = self.files.entry(group).or_default();
        files[0].push(four);
        files[1].push(five);
    }
}

/// Compiles tests into a folder; the warnings.
fn compile(
    jdk: &Jdk,
    release: u16,
    folder: &Path,
    classes: &Path,
    files: &[Written],
) -> Result<String, String> {
    let sources = folder.join("src");
    let mut paths = Vec::new();
    for written in files {
        let path = sources.join(&written.file);
        let parent = path.parent().expect("it is below the folder");
        fs::create_dir_all(parent).expect("the folder can be made");
        fs::write(&path, &written.source).expect("the file can be written");
        paths.push(path);
    }
    let output = Command::new(world::tool(jdk, "javac"))
        .args([
            "-encoding",
            "US-ASCII",
            "-proc:none",
            "-Xlint:all,-path,-options",
            "-Xmaxerrs",
            "60",
        ])
        .args(["-Xmaxwarns", "60", "--release", &release.to_string(), "-d"])
        .arg(folder.join("classes"))
        .arg("-cp")
        .arg(class_path(&[classes]))
        .args(&paths)
        .output()
        .expect("javac can be started");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(messages) } else { Err(format!("javac refuses:\n{messages}")) }
}

fn class_path(more: &[&Path]) -> std::ffi::OsString {
    let jars = std::iter::once(LAUNCHER).chain(OTHER_JARS).map(world::jar_file);
    let more = more.iter().map(|path| (*path).to_owned());
    std::env::join_paths(more.chain(jars)).expect("folders of the checkout can be joined")
}

/// Runs the tests in a folder; how many pass, or what fails.
fn run(jdk: &Jdk, folder: &Path, classes: &Path) -> Result<usize, String> {
    let tests = folder.join("classes");
    let output = Command::new(world::tool(jdk, "java"))
        .args(["-ea", "-Xmx512m", "-cp"])
        .arg(class_path(&[&tests, classes]))
        .args(["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"])
        .args(["--disable-ansi-colors", "--details=summary", "--include-classname=.*PetrelTest"])
        .arg("--scan-class-path")
        .arg(&tests)
        .output()
        .expect("java can be started");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let count = |what: &str| {
        let line = text.lines().find(|line| line.contains(what))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()
    };
    match (count("tests successful"), count("tests failed")) {
        (Some(passed), Some(0)) if output.status.success() => Ok(passed),
        _ => Err(format!("{text}\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}
