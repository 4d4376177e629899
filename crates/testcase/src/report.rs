//! Reports of a generation: an opening, the cases one by one as they are found, and a closing.
//!
//! Nothing is kept but the number of cases, so that a report can be as long as it likes.

pub(crate) mod objects;

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

/// A way to write down cases. The texts, one behind the other, are the report.
pub trait Report {
    /// What comes before the cases.
    fn opening(&self) -> String;

    /// The next case.
    fn case(&mut self, case: &Case) -> String;

    /// What comes behind the cases.
    fn closing(&self, summary: &Summary, coverage: &Coverage) -> String;

    /// What comes behind the cases if there will be no summary.
    fn abandoned(&self, reason: &str) -> String;
}
