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

/// How heap is handled unless something else is said.
const DEFAULT_HEAP: &str = "solver";

impl Asked {
    /// The same for people, in a line.
    pub fn heading(&self) -> String {
        let Asked { target, termination, selection, heap, assumptions } = self;
        // Points are as they were typed.
        let selection = match selection.contains(':') {
            true => selection.clone(),
            false => selection.replace('-', " "),
        };
        let mut text = format!("{target}, {termination}, {selection}");
        if heap != DEFAULT_HEAP {
            text += &format!(", heap {heap}");
        }
        for assumption in assumptions {
            text += &format!(", {assumption}");
        }
        text
    }
}

/// Writes down what is told of cases behind their numbers, which nobody knows before all cases are found that come
/// earlier in the tree.
pub trait Teller {
    /// Appends what is told of a case.
    ///
    /// # Errors
    ///
    /// If something refuses to show itself.
    fn tell(&mut self, case: &Case, out: &mut Vec<u8>) -> io::Result<()>;
}

/// A way to write down cases: each part is appended to what was written before.
///
/// # Errors
///
/// A part fails only if something refuses to show itself.
pub trait Report {
    /// What comes before the cases.
    fn opening(&self, out: &mut Vec<u8>) -> io::Result<()>;

    /// The number of the next case, and what comes before it.
    fn next_case(&mut self, out: &mut Vec<u8>);

    /// Somebody who tells cases: each worker has one.
    fn teller(&self) -> Box<dyn Teller>;

    /// The next case, with its number.
    fn case(&mut self, case: &Case, out: &mut Vec<u8>) -> io::Result<()> {
        self.next_case(out);
        self.teller().tell(case, out)
    }

    /// What comes behind the cases.
    fn closing(&self, summary: &Summary, coverage: &Coverage, out: &mut Vec<u8>) -> io::Result<()>;

    /// What comes behind the cases if there will be no summary.
    fn abandoned(&self, reason: &str, out: &mut Vec<u8>) -> io::Result<()>;
}
