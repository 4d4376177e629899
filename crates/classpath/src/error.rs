//! What can go wrong while looking for classes.

use std::fmt::Display;
use std::io;
use std::path::Path;

/// The reason why a class, or a whole source of classes, cannot be read.
///
/// Each message names the file, and the entry within it, so that it can be shown as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The operating system refused an operation.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file or directory that was read.
        path: String,
        /// The answer of the operating system.
        source: io::Error,
    },
    /// A directory, a pipe or a device stands where a file is needed.
    #[error("{path} is not a regular file")]
    NotAFile {
        /// The offending path.
        path: String,
    },
    /// A lookup was made with something that is not an internal class name.
    #[error("`{name}` is not an internal class name: {reason}")]
    InvalidName {
        /// The name as given.
        name: String,
        /// The rule that it breaks.
        reason: &'static str,
    },
    /// A file is damaged as a whole, or not of the kind it should be.
    #[error("{file} is not a usable {kind}: {reason}")]
    Malformed {
        /// The file.
        file: String,
        /// What the file should be: `jar`, `jmod`, `JDK image`.
        kind: &'static str,
        /// The defect.
        reason: String,
    },
    /// One entry of an archive or image is damaged or unsupported.
    #[error("{file}!/{entry}: {reason}")]
    BadEntry {
        /// The archive or image.
        file: String,
        /// The entry within it.
        entry: String,
        /// The defect.
        reason: String,
    },
    /// A class file is larger than [`MAX_CLASS_BYTES`](crate::MAX_CLASS_BYTES).
    #[error("{origin} is larger than the limit of {limit} bytes for a class file")]
    TooLarge {
        /// The file or entry.
        origin: String,
        /// The limit.
        limit: u64,
    },
    /// The directories below a root have no end.
    #[error("{path}: {reason}")]
    EndlessDirectory {
        /// The directory at which the search gave up.
        path: String,
        /// Why it gave up.
        reason: String,
    },
    /// An entry of a class path does not exist.
    #[error("the class path entry `{entry}` does not exist")]
    MissingEntry {
        /// The entry as written.
        entry: String,
    },
    /// A folder that should be a JDK is none.
    #[error(
        "{home} is not a JDK: {reason}; pass --jdk DIR or set JAVA_HOME to the folder of a JDK, \
         the one that contains bin/java"
    )]
    NotAJdk {
        /// The folder, and how it was found.
        home: String,
        /// What is missing.
        reason: String,
    },
    /// No JDK was found at all.
    #[error(
        "found no JDK: {tried}; install a JDK (8 or newer), then pass --jdk DIR or set JAVA_HOME \
         to its folder, the one that contains bin/java"
    )]
    NoJdk {
        /// Where the search went.
        tried: String,
    },
    /// A JDK does not have the module asked for.
    #[error("{jdk} has no module `{module}`")]
    NoSuchModule {
        /// The JDK or part of it that was asked.
        jdk: String,
        /// The name of the module.
        module: String,
    },
}

impl SourceError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }

    pub(crate) fn malformed(file: &str, kind: &'static str, reason: impl Display) -> Self {
        Self::Malformed { file: file.to_owned(), kind, reason: reason.to_string() }
    }

    /// Entry names come from the archive and may hold anything, so control characters are
    /// escaped before they reach a terminal.
    pub(crate) fn bad_entry(file: &str, entry: &str, reason: impl Display) -> Self {
        Self::BadEntry {
            file: file.to_owned(),
            entry: entry.escape_debug().to_string(),
            reason: reason.to_string(),
        }
    }
}
