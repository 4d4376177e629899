//! What can be wrong with the name or the file of a cost model.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A cost model or scope that cannot be used; the message says what to change.
#[derive(Debug, Error)]
pub enum ModelError {
    /// No model has this name.
    #[error(
        "there is no cost model `{text}`; there are instructions, memory, memory:hotspot, \
         memory:live, memory:ref=8 (and other sizes), calls, calls:METHOD, and files with models of your own (FILE.toml)"
    )]
    Unknown {
        /// What was asked for.
        text: String,
    },
    /// Costs cannot be split up by this.
    #[error("`{text}`: costs are split up by class, method, line or stack, not by `{part}`")]
    Part {
        /// What was asked for.
        text: String,
        /// The part.
        part: String,
    },
    /// The sizes of primitives, references and headers are none.
    #[error("`{text}`: {problem}")]
    Size {
        /// What was asked for.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// No scope has this name.
    #[error("there is no cost scope `{text}`; there are class, project and all")]
    Scope {
        /// What was asked for.
        text: String,
    },
    /// What should name a method does not.
    #[error("`{text}` names no method: {problem}")]
    MethodName {
        /// What was to name a method.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The file cannot be read.
    #[error("the cost model {} cannot be read: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file does not describe a cost model.
    #[error("{}:{line}: {problem}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A model names a class or method that the program does not have.
    #[error("the cost model {model} names `{text}`: {problem}")]
    Missing {
        /// Name of the model.
        model: String,
        /// The class or method.
        text: String,
        /// What there is instead.
        problem: String,
    },
}
