//! What can go wrong with the JVM itself.

use std::io;
use std::path::PathBuf;

/// Why calls cannot be run at all. How a call ends is never an error.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The JDK lacks a command.
    #[error("{} has no {tool}: running calls needs a full JDK, not only a runtime", home.display())]
    NoTool {
        /// The command.
        tool: &'static str,
        /// The JDK's folder.
        home: PathBuf,
    },
    /// The Java side does not compile.
    #[error("the Java side of Petrel cannot be compiled by the JDK in {}:\n{message}", home.display())]
    Compile {
        /// The JDK's folder.
        home: PathBuf,
        /// What the compiler says.
        message: String,
    },
    /// A file or folder of the cache, or a folder that a JVM needs, cannot be written.
    #[error("{}: {source}", path.display())]
    Cache {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder for the cache is not to be trusted.
    #[error("{} belongs to somebody else; PETREL_CACHE names another folder", path.display())]
    ForeignCache {
        /// The folder.
        path: PathBuf,
    },
    /// A command of the JDK cannot be run.
    #[error("{}: {source}", program.display())]
    Spawn {
        /// The command.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The JVM ended, or hung, before it was ready.
    #[error("the JVM does not start: {message}")]
    Start {
        /// What it says.
        message: String,
    },
    /// A path that no Java string can name.
    #[error("{} is not Unicode", path.display())]
    Path {
        /// The path.
        path: PathBuf,
    },
    /// The caller wanted to stop.
    #[error("stopped")]
    Stopped,
    /// The JVM answers something that is no answer.
    #[error("the JVM gives a malformed answer: {message}")]
    Malformed {
        /// What is wrong with it.
        message: String,
    },
}
