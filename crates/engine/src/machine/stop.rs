//! How a derivation ends.

mod defect;
mod feature;
mod left_out;
mod limit;

use std::fmt;
use std::sync::Arc;

pub use defect::Defect;
pub use feature::{Feature, Library, Platform, Providers, Undecided};
pub use left_out::{Extent, LeftOut};
pub use limit::Limit;
use petrel_program::ResolvedMethod;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::machine::value::{Reference, Value};

/// Where in the program something happened.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Place {
    /// `pkg/Class.name(descriptor)`.
    pub method: String,
    /// Offset of the bytecode instruction; `None` for the method as a whole.
    pub pc: Option<u16>,
    /// Source file and line, where the class file has them.
    pub source: Option<(String, u16)>,
}

impl Place {
    /// A method as a whole.
    pub fn whole(method: &ResolvedMethod) -> Place {
        Place { method: method.to_string(), pc: None, source: None }
    }
}

/// Displays as `pkg/Class.name(descriptor) (File.java:3)`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.source, self.pc) {
            (Some((file, line)), _) => write!(f, "{} ({file}:{line})", self.method),
            (None, Some(pc)) => write!(f, "{} (instruction {pc})", self.method),
            (None, None) => f.write_str(&self.method),
        }
    }
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// The file, as the class file names it.
    pub file: Arc<str>,
    /// The line.
    pub line: u16,
}

/// Displays as `File.java:3`.
impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why a derivation stopped short of an outcome of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A limit was reached.
    Limit(Limit),
    /// Something that Petrel does not do.
    Unsupported(Feature),
    /// A decision that depends on unknown inputs, where there is nobody to make it.
    Undecided(Undecided),
    /// A class or method that is broken or missing in a way that no exception stands for: what was said of it when
    /// it was loaded, linked or translated.
    Broken(String),
    /// A bug of Petrel.
    Defect(Defect),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Limit(what) => write!(f, "limit reached: {what}"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Undecided(what) => write!(f, "undecided: {what}"),
            Reason::Broken(what) => f.write_str(what),
            Reason::Defect(what) => write!(f, "{what}"),
        }
    }
}

impl From<Limit> for Reason {
    fn from(limit: Limit) -> Reason {
        Reason::Limit(limit)
    }
}

impl From<Feature> for Reason {
    fn from(feature: Feature) -> Reason {
        Reason::Unsupported(feature)
    }
}

impl From<Platform> for Feature {
    fn from(part: Platform) -> Feature {
        Feature::Platform(part)
    }
}

impl From<Library> for Feature {
    fn from(library: Library) -> Feature {
        Feature::Library(library)
    }
}

impl From<Undecided> for Feature {
    fn from(undecided: Undecided) -> Feature {
        Feature::Undecided(undecided)
    }
}

impl From<Defect> for Reason {
    fn from(defect: Defect) -> Reason {
        Reason::Defect(defect)
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
