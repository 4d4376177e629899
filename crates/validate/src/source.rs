//! Test classes as text.

use std::ops::Range;
use std::path::PathBuf;

/// The source file of a test class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSource {
    /// Internal name of the class.
    pub class: String,
    /// Where the file will be, below the folder for the tests.
    pub file: PathBuf,
    /// The version of Java that it is compiled for, language and class library; the JDK's if none is given. If that
    /// is older than what the compiler knows, it is the oldest that it does know.
    pub release: Option<u16>,
    /// Its text.
    pub text: String,
    /// Its tests.
    pub tests: Vec<TestPlace>,
}

/// A test, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestPlace {
    /// Name of the method.
    pub name: String,
    /// Whether it has parameters, and a source of arguments for them. Then no other method has the name.
    pub has_parameters: bool,
    /// The lines of the method with its annotations and comments, and of what else is its own, the first line of the file being 1.
    /// Nothing else is on them: without them the class still makes sense.
    pub lines: Range<u32>,
}
