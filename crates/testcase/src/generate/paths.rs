//! One case for a path of the method, if inputs have to be valid.
//!
//! An invariant is a call before the method's own ("A CLP Heap Solver for Test Case Generation", section 4, leaves it to the
//! caller to conjoin such calls), and has as many ways to be true as it has paths. What is tested is the method: a derivation that
//! differs from one before it in the invariants alone gives a further input of the same path, not a further case.

use std::collections::BTreeMap;

use petrel_clp::ToldTrace;
use petrel_engine::Assumption;

use super::Options;

/// The paths of the method that have cases, by the texts of their traces, and how many inputs of each are told.
pub type ToldPaths = BTreeMap<Box<str>, usize>;

/// Which paths have as many inputs as are wanted.
#[derive(Debug)]
pub(super) struct Paths {
    told: ToldPaths,
    most: usize,
}

impl Paths {
    /// Those that were told before; `None` if each derivation is a path of its own.
    pub(super) fn told_before(options: &Options) -> Option<Paths> {
        let is_valid = |assumption: &Assumption| matches!(assumption, Assumption::Valid(..));
        options
            .assumptions
            .iter()
            .any(is_valid)
            .then(|| Paths { told: options.told_paths.as_ref().clone(), most: options.solutions })
    }

    /// Whether further inputs of a path are wanted.
    pub(super) fn has_room(&self, trace: &ToldTrace) -> bool {
        self.told.get(trace.as_str()).is_none_or(|&told| told < self.most)
    }

    /// Notes inputs of a path.
    pub(super) fn add(&mut self, trace: &ToldTrace, n_inputs: usize) {
        *self.told.entry(trace.as_str().into()).or_default() += n_inputs;
    }

    /// What has been told.
    pub(super) fn into_told(self) -> ToldPaths {
        self.told
    }
}
