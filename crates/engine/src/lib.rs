//! Execution of rules: derivations of the constraint logic program of "Test Data Generation of
//! Bytecode by CLP Partial Evaluation", section 4, for arguments that are known.
//!
//! A [`Machine`] derives the call of a method from the rules of the program and of the class
//! library, which are translated and compiled to register code when they are first called. On known
//! arguments no choice is left: the derivation is the execution. Values may also be terms over
//! unknown inputs; they flow through arithmetic, fields and arrays, and the derivation ends at the
//! first guard on one.
//!
//! The class library is the user's own JDK as bytecode; what it has in native code is in `natives`,
//! a function for each method.
//!
//! This crate does no input or output: what the program prints is kept.

mod arithmetic;
mod assume;
mod boundary;
mod calls;
mod choose;
mod code;
mod collect;
mod compile;
mod criterion;
mod exchange;
mod explore;
mod guide;
mod heap;
mod initialise;
mod link;
mod local;
mod machine;
mod made;
mod meter;
mod mirrors;
mod natives;
mod observe;
mod outline;
mod overflow;
mod run;
mod show;
mod spend;
mod stack;
mod stop;
mod strings;
mod symbolic;
mod throwables;
mod told;
mod trail;
mod types;
mod unknown;
mod unstable;
mod value;

pub use assume::{AccessPath, Assumption};
pub use boundary::Boundary;
pub use choose::Decision;
pub use exchange::Import;
pub use explore::{Bounds, Counts, HeapMode, Objects, PathEnd, Prefix, Unfollowed};
pub use local::LocalPaths;
pub use machine::{Limits, Machine};
pub use meter::PathCost;
pub use natives::listing as natives;
pub use overflow::{Overflowed, Site, can_overflow};
pub use show::Shown;
pub use spend::ended_by;
pub use stop::{
    Defect, Feature, Library, Limit, Outcome, Place, Platform, Providers, Reason, SourceLine,
    Undecided,
};
pub use symbolic::{Part, SymbolicObject, SymbolicState};
pub use unknown::{Condition, InputHeap, MadeBy};
pub use value::{Reference, Value};

pub use petrel_clp::Termination;
