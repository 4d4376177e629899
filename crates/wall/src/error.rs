//! What can go wrong with the wall itself.

use std::io;
use std::path::PathBuf;

/// Why a process cannot be put behind a wall.
#[derive(Debug, thiserror::Error)]
pub enum WallError {
    /// The launcher does not run, or says nothing that makes sense.
    #[error("{} cannot be used to start programs in a sandbox: {message}", launcher.display())]
    Launcher {
        /// The program.
        launcher: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A file that has to be known cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The launcher is called in a way that it does not know.
    #[error("the launcher does not know what {argument} means")]
    Argument {
        /// The first argument that is wrong.
        argument: String,
    },
    /// A right cannot be given up.
    #[error("cannot {what}: {message}")]
    Step {
        /// What was to be done.
        what: &'static str,
        /// Why it cannot be.
        message: String,
    },
    /// The program cannot be executed.
    #[error("{}: {source}", program.display())]
    Execute {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
}
