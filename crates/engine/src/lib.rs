//! Execution of rules: derivations of the constraint logic program of "Test Data Generation of
//! Bytecode by CLP Partial Evaluation", section 4, for arguments that are known.
//!
//! A [`Machine`] derives the call of a method from the rules of the program and of the class
//! library, which are translated and compiled to register code when they are first called. On known
//! arguments no choice is left: the derivation is the execution. Values may also be terms over
//! unknown inputs; they flow through arithmetic, fields and arrays, and the derivation ends at the
//! first guard on one.
//!
//! There are four rooms. What is in them is private to them:
//!
//! - `machine`: code, frames, the heap, and the loop that executes instructions;
//! - `library`: what the class library has in native code, a function for each method, and models of methods on
//!   unknown texts. Everything else of it is the user's own JDK as bytecode;
//! - `exploration`: choices, and unknown and made inputs;
//! - `observers`: those who look at a derivation while it goes on.
//!
//! This crate does no input or output: what the program prints is kept.

mod exploration;
mod library;
mod machine;
mod observers;

pub use exploration::{
    AccessPath, AnswerOrigin, Assumption, Bounds, Condition, Counts, Decision, HeapMode,
    InputAnswer, InputHeap, LabelOrder, LeftOutAt, MadeBy, Objects, Part, PathEnd, Prefix,
    SymbolicObject, SymbolicState, Unfollowed,
};
pub use library::natives;
pub use machine::{
    Defect, Extent, Feature, Import, LeftOut, Library, Limit, Limits, Machine, Outcome, Place,
    Platform, Providers, Reason, Reference, Shown, SourceLine, Undecided, Value, ended_by,
};
pub use observers::{
    AppliedRule, Boundary, CostSum, Forecast, Linear, LinearCost, LocalPaths, Overflowed, PathCost,
    Required, Site, can_overflow,
};

pub use petrel_clp::Termination;
