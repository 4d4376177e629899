//! Assumptions about the initial heap ("A CLP Heap Solver for Test Case Generation", section 4).

mod notation;
#[cfg(test)]
mod tests;

use thiserror::Error;

/// A place of the initial heap: a parameter or `this`, and fields from there on (`x.next`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AccessPath {
    /// The parameter, or `this`.
    pub root: String,
    /// The fields.
    pub fields: Vec<String>,
}

/// What is assumed of the initial heap. Where a path leads through `null`, nothing is assumed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// Both are null, or they are different objects.
    NonAliasing(AccessPath, AccessPath),
    /// They are not the same: different objects, or one of them null.
    Different(AccessPath, AccessPath),
    /// No object is reached from both.
    NonSharing(AccessPath, AccessPath),
    /// No object that is reached from it reaches itself; through the field of this name and elements of arrays alone, if
    /// one is given.
    Acyclic(AccessPath, Option<String>),
    /// It is not null.
    NonNull(AccessPath),
    /// It is null, or its method without parameters that says whether the object is as its class
    /// wants it (`repOk`, `isValid`, or the one of this name) returns true.
    Valid(AccessPath, Option<String>),
}

/// What is wrong with the text of an assumption, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("at character {position}: {problem}")]
pub struct AssumptionError {
    /// Counted from 1; the one behind the last if something is missing in the end.
    position: usize,
    problem: String,
}
