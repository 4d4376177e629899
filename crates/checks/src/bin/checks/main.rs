//! Runs the tests of the workspace side by side, and shows what each costs and what it leaves out.
//!
//! ```text
//! checks run [--cargo OPTION]... [FILTER...]     all tests, or those with one of these in their names
//! checks hunt SECONDS [--cargo OPTION]...        tests that draw, with new seeds and sizes, until the time is over
//! ```
//!
//! `PETREL_TEST_SIZE` in the environment says how much is tried. `--cargo` hands an option to `cargo test --no-run`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

mod binaries;
mod hunt;
mod report;
mod run;

use std::process::ExitCode;

const USAGE: &str = "usage: checks (run [FILTER...] | hunt SECONDS) [--cargo OPTION]...";

fn main() -> ExitCode {
    match start() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether all is well.
fn start() -> Result<bool, String> {
    let (mut words, mut cargo) = (Vec::new(), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--cargo" {
            cargo.push(arguments.next().ok_or(USAGE)?);
        } else {
            words.push(argument);
        }
    }
    match words.split_first().map(|(command, rest)| (command.as_str(), rest)) {
        Some(("run", filters)) => {
            let ended = run::run(&binaries::build(&cargo)?, filters)?;
            report::report(&ended, filters.is_empty())
        }
        Some(("hunt", [seconds])) => {
            let seconds = seconds.parse().map_err(|_| USAGE)?;
            hunt::hunt(&binaries::build(&cargo)?, &cargo, seconds)
        }
        _ => Err(USAGE.to_owned()),
    }
}
