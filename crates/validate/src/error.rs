//! What can go wrong with validation itself.

use std::io;
use std::path::PathBuf;

use petrel_replay::ReplayError;

/// Why tests cannot be validated at all. What is wrong with a test is never an error.
#[derive(Debug, thiserror::Error)]
pub enum ValidateError {
    /// The JVM cannot be run.
    #[error(transparent)]
    Jvm(#[from] ReplayError),
    /// A file or folder for the time of the validation cannot be written.
    #[error("{}: {source}", path.display())]
    Scratch {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The compiler cannot be run.
    #[error("{}: {source}", program.display())]
    Compiler {
        /// The command.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A class path that cannot be told to a JVM.
    #[error("the class path {path} cannot be used: {reason}")]
    ClassPath {
        /// The folder or jar.
        path: String,
        /// Why.
        reason: String,
    },
    /// The caller wanted to stop; whoever validates is not told.
    #[error("stopped")]
    Stopped,
}
