//! What calls have taken.

use std::collections::BTreeMap;
use std::time::Duration;

use petrel_testcase::Edge;

use crate::instrument::LeftAlone;

/// The branches that were taken.
#[derive(Debug, Clone, Default)]
pub struct Taken {
    /// By internal name.
    pub classes: BTreeMap<String, TakenClass>,
    /// How many calls were made.
    pub calls: u64,
    /// How long that took.
    pub elapsed: Duration,
    /// How many times the process ended before its time, by which member as far as that is known.
    pub ends: Vec<Option<String>>,
    /// Classes and members that could not be used, and why.
    pub notes: Vec<String>,
}

/// The branches of one class.
#[derive(Debug, Clone, Default)]
pub struct TakenClass {
    /// By name and descriptor: each branch that was taken, with the first call that took it.
    pub methods: BTreeMap<String, BTreeMap<Edge, String>>,
    /// How many branches have a probe.
    pub n_probes: usize,
    /// Methods whose branches have none.
    pub left_alone: Vec<LeftAlone>,
}

impl Taken {
    /// The first call that took a branch.
    pub fn first_call(&self, class: &str, method: &str, edge: Edge) -> Option<&str> {
        self.classes.get(class)?.methods.get(method)?.get(&edge).map(String::as_str)
    }

    /// How many branches were taken, of how many.
    pub fn count(&self) -> (usize, usize) {
        let methods = self.classes.values().flat_map(|class| class.methods.values());
        let taken = methods.map(BTreeMap::len).sum();
        (taken, self.classes.values().map(|class| class.n_probes).sum())
    }
}
