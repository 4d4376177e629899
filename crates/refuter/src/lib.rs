//! Tries to refute what Petrel says: drives classes with random calls in a JVM, and tells which of their branches were taken.
//!
//! "Infeasible" is a proof that no input takes a branch. Here nothing is proved: classes get a probe on each branch
//! ([`instrument`]), one JVM makes tens of thousands of calls a second on values of all kinds ([`Refuter::drive`]), and a
//! branch that is taken and that Petrel calls infeasible ([`Judging`]) is a bug of Petrel ([`refuted`]).
//!
//! The program in the JVM is written in Java (`java/`) and compiled by the user's JDK on first use, as the one of petrel-replay.
//! How a call ends is never an error.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod catalogue;
mod constants;
mod drive;
mod error;
pub mod instrument;
mod process;
mod refute;
mod taken;
mod verdicts;
mod wire;

pub use catalogue::Catalogue;
pub use constants::Constants;
pub use drive::{Effort, Refuter, RefuterOptions, TargetClass, Wanted};
pub use error::RefuterError;
pub use refute::{Comparison, Refuted, compare, refuted};
pub use taken::{Taken, TakenClass};
pub use verdicts::{JudgedBranch, JudgedMethod, Judgement, Judging};
