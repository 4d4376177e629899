//! Brute force on small heaps: every heap up to a few objects is given to a method, and what happens is
//! the judge of the test cases that Petrel generates for it.

mod assumptions;
mod candidates;
mod derive;
mod enumerate;
mod judge;
mod neighbours;
mod picks;
mod targets;
#[cfg(test)]
mod tests;

use petrel_clp::{HIDDEN_CHOICE, Trace, TracePart};
use petrel_testcase::{Case, Outcome, Solution, SourceLine};
use petrel_value::{Heap, Value};

pub use assumptions::{assumptions, invariant};
pub use derive::{Ending, Observer, ways_of_numbers};
pub use enumerate::{Inputs, Shapes};
pub use judge::{NoPath, holds};
pub use targets::{Bounded, Target, Workshop, bounded_cases, check_methods};

/// A receiver, arguments and the objects that they refer to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Input {
    /// The receiver; `None` for static methods and constructors.
    pub receiver: Option<Value>,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// The objects.
    pub heap: Heap,
}

impl From<&Solution> for Input {
    fn from(solution: &Solution) -> Input {
        Input {
            receiver: solution.receiver,
            arguments: solution.arguments.clone(),
            heap: solution.heap.clone(),
        }
    }
}

/// How a derivation went.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way {
    /// What the program's own rules say of its trace.
    pub trace: String,
    /// The lines that it executes: methods of several classes may have one name in a trace.
    pub lines: Vec<SourceLine>,
    /// Applications of the program's own rules.
    pub steps: u64,
    /// The class of what it throws.
    pub thrown: Option<String>,
}

impl Way {
    /// The way of a case.
    pub fn of(case: &Case) -> Way {
        let thrown = match &case.outcome {
            Outcome::Return => None,
            Outcome::Throw(class) => Some(class.clone()),
        };
        let trace = of_rules(&case.trace.term());
        Way { trace, lines: case.lines.clone(), steps: case.steps, thrown }
    }

    /// The most occurrences of a predicate in an ancestor sequence: what block-count bounds.
    pub fn block_count(&self) -> usize {
        let mut ancestors: Vec<&str> = Vec::new();
        let mut most = 0;
        let mut rest = self.trace.as_str();
        while !rest.is_empty() {
            if let Some(behind) = rest.strip_prefix("])") {
                ancestors.pop();
                rest = behind;
            } else if let Some(behind) = rest.strip_prefix(',') {
                rest = behind;
            } else {
                let (name, behind) = rest.split_once('(').unwrap_or((rest, ""));
                ancestors.push(name);
                most = most.max(ancestors.iter().filter(|&&other| other == name).count());
                rest = behind.split_once(",[],[").map_or("", |(_, inside)| inside);
            }
        }
        most
    }
}

/// What the program's own rules say of a trace: without the sizes of arrays, and without the choices that
/// no rule shows. An input that is known makes none, and knows its sizes.
///
/// # Panics
///
/// If the text is no trace.
pub fn of_rules(trace: &Trace) -> String {
    let mut nodes = trace.nodes().to_vec();
    for node in &mut nodes {
        node.parameters.clear();
        node.parts.retain(|part| match part {
            TracePart::Node(number) => *trace.nodes()[*number].name != *HIDDEN_CHOICE,
            TracePart::Free(_) | TracePart::Any => true,
        });
    }
    Trace::new(trace.root().clone(), nodes).to_string()
}
