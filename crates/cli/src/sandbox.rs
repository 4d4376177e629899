//! The sandbox for code under test: who starts it, and what is said about it.

use std::io::Write;
use std::process::ExitCode;

use petrel_wall::Wall;

use crate::failure::Failure;
use crate::output::{Output, say};

/// What to do instead of reading the arguments, if this process was started as the launcher of the sandbox.
pub(crate) fn launched() -> Option<ExitCode> {
    Some(match petrel_wall::launched(std::env::args_os().skip(1))? {
        Ok(answer) => match writeln!(Output::stdout(), "{answer}") {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(error) => {
            say!("the sandbox: {error}");
            ExitCode::FAILURE
        }
    })
}

/// The wall around code under test. What the system does not offer for it is said on one line.
pub(crate) fn wall() -> Result<Wall, Failure> {
    let failed = |error: String| {
        Failure(format!("{error}; --no-sandbox lets code under test run with your rights"))
    };
    let own = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let wall = Wall::probe(&own).map_err(|error| failed(error.to_string()))?;
    if let Some(gap) = wall.gap() {
        say!("note: {gap}");
    }
    Ok(wall)
}
