//! Reports of a generation: an opening, the cases one by one as they are found, and a closing.
//!
//! Nothing is kept but the number of cases, so that a report can be as long as it likes.

pub mod objects;

use std::io;

use crate::case::{Case, Summary};
use crate::coverage::Coverage;

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The method: `pkg.Class#method(descriptor)`.
    pub target: String,
    /// The termination criterion: `loop-2`.
    pub termination: String,
    /// The selection criterion: `all-paths`.
    pub selection: String,
    /// How unknown heap is handled: `solver`.
    pub heap: String,
    /// What is assumed of the initial heap: `acyclic(x)`.
    pub assumptions: Vec<String>,
}

/// A way to write down cases: each part is appended to what was written before.
///
/// # Errors
///
/// A part fails only if something refuses to show itself.
pub trait Report {
    /// What comes before the cases.
    fn opening(&self, out: &mut Vec<u8>) -> io::Result<()>;

    /// The next case.
    fn case(&mut self, case: &Case, out: &mut Vec<u8>) -> io::Result<()>;

    /// What comes behind the cases.
    fn closing(&self, summary: &Summary, coverage: &Coverage, out: &mut Vec<u8>) -> io::Result<()>;

    /// What comes behind the cases if there will be no summary.
    fn abandoned(&self, reason: &str, out: &mut Vec<u8>) -> io::Result<()>;
}
