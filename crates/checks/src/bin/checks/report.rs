//! What is told in the end: what failed, what was left out, and what the tests cost.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::hunt;
use crate::run::{End, Ended, Tested};

/// So many tests are shown with their times.
const N_SLOWEST: usize = 10;
/// Where the times of all tests are.
const TIMES: &str = "build/test-times.tsv";

/// Prints it; whether all is well. If all tests were to run, those that draw have to be those that are hunted with.
pub(crate) fn report(ended: &Ended, is_all: bool) -> Result<bool, String> {
    let of = |end: End| ended.tests.iter().filter(move |test| test.end == end);
    for test in of(End::Failed) {
        println!("\n---- {} failed\n{}", test.name, test.output);
    }
    for test in of(End::Lost) {
        println!("\n---- {} was running when its process ended", test.name);
    }
    for problem in &ended.broken {
        println!("\n---- {problem}");
    }
    println!("\nsamples (PETREL_TEST_SIZE={}):", size());
    let mut n_samples = 0;
    for test in &ended.tests {
        for sample in test.samples() {
            println!("  {}: {sample}", test.name);
            n_samples += 1;
        }
    }
    if n_samples == 0 {
        println!("  none: everything was tried");
    }
    for test in of(End::Ignored) {
        println!("  {}: not run, it is ignored {}", test.name, test.output);
    }
    let mut slowest: Vec<&Tested> = ended.tests.iter().collect();
    slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let n_tests = ended.tests.len();
    println!(
        "\nthe {N_SLOWEST} slowest of {n_tests} tests, and what processors worked; all are in {TIMES}:"
    );
    for test in slowest.iter().take(N_SLOWEST) {
        println!("{:9.1} s {:>7}  {}", test.seconds, work(test), test.name);
    }
    write_times(&slowest).map_err(|error| format!("{TIMES}: {error}"))?;
    let drawing = if is_all { unexpected_draws(&ended.tests) } else { Vec::new() };
    for problem in &drawing {
        println!("\n---- {problem}");
    }
    let n_bad = of(End::Failed).count() + of(End::Lost).count() + ended.broken.len();
    println!(
        "\n{} tests of {} binaries in {:.0} s: {}",
        ended.tests.len(),
        ended.n_binaries,
        ended.elapsed.as_secs_f64(),
        if n_bad == 0 { "all passed".to_owned() } else { format!("{n_bad} FAILED") }
    );
    Ok(n_bad == 0 && drawing.is_empty() && !ended.tests.is_empty())
}

fn size() -> String {
    std::env::var("PETREL_TEST_SIZE").unwrap_or_else(|_| "test".to_owned())
}

fn work(test: &Tested) -> String {
    test.work.map(|work| format!("{work:.1} s")).unwrap_or_default()
}

/// Seconds, seconds of processors, name and samples of each test, for spreadsheets and comparisons.
fn write_times(tests: &[&Tested]) -> std::io::Result<()> {
    let mut text = String::new();
    for test in tests {
        let samples: Vec<&str> = test.samples().collect();
        let (seconds, samples) = (test.seconds, samples.join("; "));
        let _ = writeln!(text, "{seconds:.3}\t{}\t{}\t{samples}", work(test), test.name);
    }
    if let Some(folder) = Path::new(TIMES).parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(TIMES, text)
}

/// Tests that draw and are not in the list of those to hunt with, and the other way round.
fn unexpected_draws(tests: &[Tested]) -> Vec<String> {
    let passed = tests.iter().filter(|test| test.end == End::Passed);
    let (drawing, others): (Vec<&Tested>, Vec<&Tested>) =
        passed.partition(|test| test.samples().any(hunt::is_drawn));
    let listed: BTreeSet<&str> = hunt::TESTS.iter().copied().collect();
    let is_listed = |test: &&&Tested| listed.contains(&*test.name);
    let missing = drawing.iter().filter(|test| !is_listed(test));
    let missing = missing.map(|test| format!("{} draws, but is not in hunt::TESTS", test.name));
    let surplus = others.iter().filter(is_listed);
    let surplus = surplus.map(|test| format!("{} is in hunt::TESTS, but does not draw", test.name));
    missing.chain(surplus).collect()
}
