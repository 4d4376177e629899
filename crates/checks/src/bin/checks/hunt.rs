//! Tests that draw, with new seeds and sizes, until the time is over.

use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value as Json;

use crate::binaries::Binary;

/// The tests that draw by the seed; `checks run` makes sure of it.
pub(crate) const TESTS: [&str; 16] = [
    "filetests/bytes javap::the_listing_agrees_with_javap_on_random_classes_of_the_jdk_and_of_five_libraries",
    "filetests/bytes mutated_classes::mutated_classes_end_in_a_value_or_an_error",
    "filetests/concrete edge_values::fixtures_end_on_edge_values_as_on_the_jvm",
    "filetests/concrete numeric_families::numeric_instructions_compute_what_the_jvm_computes",
    "filetests/concrete random_programs::random_programs_end_as_on_the_jvm",
    "filetests/concrete real_libraries::static_methods_of_libraries_end_as_on_the_jvm",
    "filetests/costs calls::random_programs_cost_what_the_jvm_spends",
    "filetests/costs object_layout::instances_of_random_classes_have_the_size_that_the_jvm_allocates",
    "filetests/generated killed_generation::killed_runs_leave_whole_files_and_the_next_run_completes",
    "filetests/heaps libraries::cases_with_heaps_of_libraries_hold_on_the_jvm",
    "filetests/refuted verdicts::no_call_takes_an_infeasible_branch_of_a_library",
    "filetests/symbolic libraries::cases_of_libraries_hold_on_the_jvm",
    "filetests/symbolic libraries::cases_of_methods_on_floats_hold_on_the_jvm",
    "filetests/symbolic programs::cases_of_random_methods_hold_on_the_jvm_and_are_complete",
    "solver/z3 integers::random_queries_agree_with_z3",
    "solver/z3 reals::random_queries_over_reals_get_one_answer",
];

/// Sizes, in percent of those of everything: small ones try more seeds, large ones come further with each.
const SIZES: [usize; 4] = [5, 10, 20, 40];
/// So much of the message of a finding is shown.
const SHOWN: usize = 20;

/// Whether a line about a sample says that it was drawn by the seed.
pub(crate) fn is_drawn(sample: &str) -> bool {
    sample.rsplit_once(", ").is_some_and(|(_, end)| end.starts_with("SEED="))
}

/// What is tried next.
struct Next {
    seed: u64,
    test: usize,
}

/// Whether nothing was found.
pub(crate) fn hunt(binaries: &[Binary], options: &[String], seconds: u64) -> Result<bool, String> {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|error| error.to_string())?;
    // Far from the seeds of the tests, and short enough to be typed.
    let first = clock.as_secs() % 1_000_000 * 1_000;
    println!("hunting for {seconds} s from seed {first} on, with {} tests", TESTS.len());
    let tests: Vec<(&Binary, &str)> = TESTS
        .iter()
        .map(|name| find(binaries, name).ok_or_else(|| format!("there is no test {name}")))
        .collect::<Result<_, _>>()?;
    let next = Mutex::new(Next { seed: first, test: 0 });
    let found = Mutex::new(Vec::new());
    let n_tried = Mutex::new(0);
    let n_workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_workers {
            scope.spawn(|| {
                while Instant::now() < deadline {
                    let (seed, test) = {
                        let mut next = next.lock().expect("no worker panics");
                        next.seed += 1;
                        next.test += 1;
                        (next.seed, next.test - 1)
                    };
                    let size = SIZES[(test / tests.len()) % SIZES.len()];
                    let (binary, name) = tests[test % tests.len()];
                    let outcome = attempt(binary, name, seed, size, deadline);
                    *n_tried.lock().expect("no worker panics") += usize::from(outcome.is_some());
                    if let Some(Err(message)) = outcome {
                        let finding = describe(binary, name, seed, size, options, &message);
                        println!("\n{finding}");
                        found.lock().expect("no worker panics").push(finding);
                    }
                }
            });
        }
    });
    let found = found.into_inner().map_err(|_| "a worker panicked".to_owned())?;
    let n_tried = n_tried.into_inner().map_err(|_| "a worker panicked".to_owned())?;
    println!("\n{n_tried} runs, {} findings", found.len());
    Ok(found.is_empty())
}

/// The binary and the path of a test.
fn find<'a>(binaries: &'a [Binary], name: &'a str) -> Option<(&'a Binary, &'a str)> {
    let (binary, test) = name.split_once(' ')?;
    Some((binaries.iter().find(|known| known.name() == binary)?, test))
}

/// Runs a test; its message if it failed, and nothing if the time was over first.
fn attempt(
    binary: &Binary,
    test: &str,
    seed: u64,
    size: usize,
    deadline: Instant,
) -> Option<Result<(), String>> {
    let mut command = binary.command();
    command
        .args(["--exact", test])
        .env("SEED", seed.to_string())
        .env("PETREL_TEST_SIZE", format!("{size}%"))
        .stderr(std::process::Stdio::null());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Some(Err(error.to_string())),
    };
    let mut stdout = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = std::io::Read::read_to_end(&mut stdout, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(20)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    let text = reader.join().unwrap_or_default();
    if status.success() {
        return Some(Ok(()));
    }
    let events = text.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let output = events.filter_map(|event| event["stdout"].as_str().map(str::to_owned)).next();
    Some(Err(output.unwrap_or_else(|| status.to_string())))
}

fn describe(
    binary: &Binary,
    test: &str,
    seed: u64,
    size: usize,
    options: &[String],
    message: &str,
) -> String {
    let is_told = |line: &&str| !line.starts_with("note: ") && !line.is_empty();
    let lines: Vec<&str> = message.lines().filter(is_told).take(SHOWN).collect();
    format!(
        "FOUND by {} {test}; to repeat it:\n\n    SEED={seed} PETREL_TEST_SIZE={size}% cargo test {} {} -- --exact {test} \
         --nocapture\n\n{}",
        binary.name(),
        options.join(" "),
        binary.choice(),
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::is_drawn;

    #[test]
    fn what_is_drawn_says_by_which_seed() {
        assert!(is_drawn("20 of 300 programs, SEED=1"));
        assert!(!is_drawn("20 of 300 methods of fixtures"));
    }
}
