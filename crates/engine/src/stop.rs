//! How a derivation ends.

use std::fmt;

use crate::value::{Reference, Value};

/// Where in the program something happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// `pkg/Class.name(descriptor)`.
    pub method: String,
    /// Offset of the bytecode instruction.
    pub pc: u16,
    /// Source file and line, where the class file has them.
    pub source: Option<(String, u16)>,
}

/// Displays as `pkg/Class.name(descriptor) (File.java:3)`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some((file, line)) => write!(f, "{} ({file}:{line})", self.method),
            None => write!(f, "{} (instruction {})", self.method, self.pc),
        }
    }
}

/// Why a derivation stopped short of an outcome of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A limit of the options was reached.
    Limit(String),
    /// Something that Petrel does not do.
    Unsupported(String),
    /// A guard on a value that depends on unknown inputs.
    Undecided(String),
    /// A class or method that is broken or missing in a way that no exception stands for.
    Broken(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Limit(what) => write!(f, "limit reached: {what}"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Undecided(what) => write!(f, "undecided: {what}"),
            Reason::Broken(what) => f.write_str(what),
        }
    }
}

/// How a call of a method ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It returned, with a value unless it is `void`.
    Returned(Option<Value>),
    /// It threw.
    Threw(Reference),
    /// The derivation stopped.
    Stopped {
        /// Why.
        reason: Reason,
        /// Where, and the methods that called from there: the innermost first.
        places: Vec<Place>,
    },
}
