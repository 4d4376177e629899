//! Why classes cannot be driven at all.

use petrel_classfile::ClassFileError;
use petrel_classpath::SourceError;
use petrel_replay::ReplayError;

/// Why classes cannot be driven, or not be judged. How a call ends is never an error.
#[derive(Debug, thiserror::Error)]
pub enum RefuterError {
    /// There is no JVM, or the Java side does not compile.
    #[error(transparent)]
    Jvm(#[from] ReplayError),
    /// A class file is malformed.
    #[error(transparent)]
    Class(#[from] ClassFileError),
    /// The class path cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A class is not there, or cannot be loaded.
    #[error("{class}: {reason}")]
    Load {
        /// Its internal name.
        class: String,
        /// Why.
        reason: String,
    },
}
