//! Loops.

/// Loops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopForest {}

impl LoopForest {
    /// The loops of a graph whose entry is node 0.
    pub fn of(_successors: &[Vec<usize>]) -> LoopForest {
        LoopForest {}
    }
}
