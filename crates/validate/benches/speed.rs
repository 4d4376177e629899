//! How long validation takes: `cargo bench -p petrel-validate`.

#![allow(clippy::print_stderr, reason = "figures are for people to read")]

#[allow(dead_code, reason = "the tests need more of it")]
#[path = "../tests/validate/support.rs"]
mod support;

use std::time::Instant;

use petrel_validate::{Options, TestSource, Verdict};

use support::{jupiter, options, verdicts};

fn small_class(name: &str, n_tests: usize) -> TestSource {
    let test = |n: usize| {
        format!(
            "    // n >= {n}\n    @Test\n    void addsUpTo{n}() {{\n        StringBuilder text = new StringBuilder();\n        \
             for (int i = 0; i < 5; i++) {{\n            text.append(i + {n});\n        }}\n        \
             assertEquals({n}, Integer.parseInt(\"{n}\"));\n        assertTrue(text.length() > 4);\n    }}\n"
        )
    };
    let members: String = (0..n_tests).map(test).collect();
    jupiter(name, &members)
}

fn measure(what: &str, options: &Options, sources: &[TestSource]) {
    let n_tests: usize = sources.iter().map(|source| source.tests.len()).sum();
    let started = Instant::now();
    let found = verdicts(options, sources);
    let elapsed = started.elapsed().as_secs_f64();
    assert!(found.iter().flatten().all(|verdict| *verdict == Verdict::Kept));
    eprintln!("{what}: {elapsed:.2} s, {:.0} tests per second", n_tests as f64 / elapsed);
}

fn speed_of_a_small_class() {
    // The first use also compiles what is kept in the cache.
    for _ in 0..5 {
        measure("one class with 10 tests", &options(), &[small_class("ATest", 10)]);
    }
    let options = Options { run: false, ..options() };
    measure("the same without running", &options, &[small_class("ATest", 10)]);
}

fn speed_of_many_tests() {
    let sources: Vec<TestSource> =
        (0..200).map(|n| small_class(&format!("A{n}Test"), 50)).collect();
    measure("10,000 tests without running", &Options { run: false, ..options() }, &sources);
    for jobs in [1, 2] {
        measure(&format!("10,000 tests, {jobs} jobs"), &Options { jobs, ..options() }, &sources);
    }
}

fn speed_of_deaths() {
    let tests: String = (0..50)
        .map(|n| format!("@Test void a{n}() {{ Runtime.getRuntime().halt(1); }}\n"))
        .collect();
    let started = Instant::now();
    let found = verdicts(&options(), &[jupiter("ATest", &tests)]);
    let elapsed = started.elapsed().as_secs_f64();
    assert!(found.iter().flatten().all(|verdict| *verdict != Verdict::Kept));
    eprintln!("50 tests that end the JVM, in both runs: {elapsed:.2} s");
}

fn main() {
    speed_of_a_small_class();
    speed_of_many_tests();
    speed_of_deaths();
}
