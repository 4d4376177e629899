//! The assertions that come with Petrel mean what those of JUnit mean.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use petrel_validate::{Options, TestSource, Verdict};

use crate::support::{jupiter, options, options_of_all, reason, source, verdicts, verdicts_on};

/// Classes whose tests check that each assertion passes and fails as it should.
fn sources() -> [TestSource; 2] {
    [
        source("AssertionsTest", include_str!("../java/AssertionsTest.java")),
        source("AssertTest", include_str!("../java/AssertTest.java")),
    ]
    .map(|source| TestSource { release: Some(8), ..source })
}

fn check(options: &Options) {
    let sources = sources();
    let found = verdicts(options, &sources);
    for (source, found) in sources.iter().zip(found) {
        assert!(source.tests.len() > 5, "{} has tests", source.class);
        for (test, verdict) in source.tests.iter().zip(found) {
            assert_eq!(verdict, Verdict::Kept, "{} {}", source.class, test.name);
        }
    }
}

#[test]
fn assertions_pass_and_fail_as_they_should() {
    for options in options_of_all() {
        check(&options);
    }
}

/// The jars of JUnit, if `make jars` has brought them.
fn junit_jars() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/jars");
    let entries = fs::read_dir(folder).into_iter().flatten();
    let is_junit = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("junit") || name.starts_with("hamcrest")
    };
    let mut jars: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_junit).collect();
    jars.sort();
    if jars.is_empty() {
        #[expect(clippy::print_stderr, reason = "nothing is skipped silently")]
        {
            eprintln!("skipped: there is no JUnit in build/jars");
        }
    }
    jars
}

#[test]
fn the_real_junit_passes_and_fails_in_the_same_places() {
    let class_path = junit_jars();
    if !class_path.is_empty() {
        check(&Options { class_path, ..options() });
    }
}

#[test]
fn a_junit_on_the_class_path_comes_first() {
    let members =
        "@Test void a() { fail(Test.class.getProtectionDomain().getCodeSource().toString()); }";
    let class_path = junit_jars();
    let is_jar = !class_path.is_empty();
    let found = verdicts_on(&Options { class_path, ..options() }, jupiter("ATest", members));
    assert_eq!(reason(&found[0]).contains("/build/jars/junit-"), is_jar, "{found:?}");
}

/// Names and descriptors of the public static methods of classes.
fn static_methods(class_path: &[PathBuf], classes: &[&str]) -> BTreeSet<(String, String)> {
    let output = Command::new(options().java_home.join("bin/javap"))
        .args(["-public", "-s", "-cp"])
        .arg(std::env::join_paths(class_path).expect("it is a class path"))
        .args(classes)
        .output()
        .expect("javap runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("it is text");
    let lines: Vec<&str> = text.lines().collect();
    let method = |lines: &[&str]| {
        let (before, _) = lines[0].split_once('(')?;
        let descriptor = lines[1].trim().strip_prefix("descriptor: ")?;
        let name = before.contains(" static ").then(|| before.rsplit(' ').next())??;
        Some((name.to_owned(), descriptor.to_owned()))
    };
    lines.windows(2).filter_map(method).collect()
}

fn java_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("it is readable").path();
        if path.is_dir() { java_files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn overloads_are_those_of_the_real_junit() {
    let jars = junit_jars();
    if jars.is_empty() {
        return;
    }
    let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("junit");
    let mut files = Vec::new();
    java_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("java"), &mut files);
    let javac = options().java_home.join("bin/javac");
    let made = Command::new(javac).arg("-d").arg(&classes).args(files).status().unwrap();
    assert!(made.success());
    let jupiter = ["EqualAssertions", "UnequalAssertions", "ArrayAssertions", "Assertions"];
    let jupiter = jupiter.map(|name| format!("org.junit.jupiter.api.{name}"));
    let jupiter: Vec<&str> = jupiter.iter().map(String::as_str).collect();
    for (ours, real) in [(&jupiter[..], jupiter[3]), (&["org.junit.Assert"], "org.junit.Assert")] {
        let ours = static_methods(std::slice::from_ref(&classes), ours);
        assert!(ours.len() > 50);
        let names: BTreeSet<&String> = ours.iter().map(|(name, _)| name).collect();
        let mut real = static_methods(&jars, &[real]);
        // Whole families may be missing, but not members of one.
        real.retain(|(name, _)| names.contains(name));
        assert_eq!(ours, real);
    }
}
