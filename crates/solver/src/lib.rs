//! Constraints over Java's numbers: terms, the store of a path, models.
//!
//! The layers are those of a constraint solver that is asked often and must answer at once. Cheap
//! ones come first, and a complete one last:
//!
//! 1. [`Terms`]: hash-consed terms, folded and rewritten when they are built.
//! 2. [`Store`]: the constraints of a path, with intervals that are propagated and undone on a trail.
//! 3. Models: an assignment that satisfies the store is carried along; a small search adapts it.
//! 4. A complete decision procedure: bit-blasting to a SAT solver, or an SMT-LIB solver over a pipe.
//!
//! Every answer is a function of the constraints, in their order, and of budgets that are counts.
//!
//! This crate knows numbers only: no classes, no heap, no rules.

mod answer;
mod blast;
mod boxes;
mod constraint;
mod evaluate;
mod express;
mod interval;
mod invert;
mod label;
mod model;
mod order;
mod query;
mod real;
mod rewrite;
mod sat;
mod search;
mod slice;
mod smt;
mod solver;
mod split;
mod statistics;
mod store;
mod tape;
mod term;
#[cfg(test)]
mod testing;
mod theory;

pub use answer::{Answer, Complete};
pub use blast::BitBlaster;
pub use constraint::{Constraint, Membership};
pub use evaluate::{apply, compares, evaluate, holds};
pub use express::{
    Choice, Choices, Numbered, Options, condition, condition_on_choices, expression,
};
pub use label::Labelling;
pub use model::{Model, first_value};
pub use real::{bits_of_rank, rank_of_bits};
pub use smt::{SmtError, SmtProcess, smt_lib};
pub use solver::{Alternative, Alternatives, Solver};
pub use statistics::Statistics;
pub use store::{Conflict, Diligence, Mark, Ranges, Simplified, Store};
pub use term::{Expr, Node, TableId, TermId, Terms, Unknown, UnknownId};
pub use theory::{NoTheory, Theory};
