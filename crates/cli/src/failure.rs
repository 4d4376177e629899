//! How a command ends.

use std::fmt;
use std::process::ExitCode;

use petrel_classpath::SourceError;
use petrel_program::LoadError;

/// A command that came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Everything that was asked for was done.
    Complete,
    /// Some things could not be done; each was named.
    Incomplete,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        match status {
            Status::Complete => ExitCode::SUCCESS,
            Status::Incomplete => ExitCode::from(1),
        }
    }
}

/// Bad usage or bad input: what is wrong, where, and if possible what helps.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        Failure(error.to_string())
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Failure(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure(format!("cannot write the output: {error}"))
    }
}
