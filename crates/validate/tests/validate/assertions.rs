//! The assertions that come with Petrel mean what those of JUnit mean.

use std::path::{Path, PathBuf};

use petrel_validate::{Options, TestSource, Verdict};

use crate::support::{options, options_of_all, source, verdicts};

/// Classes whose tests check that each assertion passes and fails as it should.
fn sources() -> [TestSource; 2] {
    [
        source("AssertionsTest", include_str!("../java/AssertionsTest.java")),
        source("AssertTest", include_str!("../java/AssertTest.java")),
    ]
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
        check(&Options { release: Some(8), ..options });
    }
}

/// The jars of JUnit, if `make jars` has brought them.
fn junit_jars() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/jars");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_junit = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("junit") || name.starts_with("hamcrest")
    };
    let mut jars: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_junit).collect();
    jars.sort();
    jars
}

#[test]
fn the_real_junit_passes_and_fails_in_the_same_places() {
    let class_path = junit_jars();
    if class_path.is_empty() {
        #[expect(clippy::print_stderr, reason = "nothing is skipped silently")]
        {
            eprintln!("skipped: there is no JUnit in build/jars");
        }
        return;
    }
    check(&Options { class_path, ..options() });
}
