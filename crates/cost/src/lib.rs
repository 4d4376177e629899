//! Cost models, and what rules cost under them ("Resource-driven CLP-based Test Case Generation",
//! section 3).
//!
//! A [`Model`] is data: what each kind of instruction, each allocated class and each called method
//! costs. [`Costing`] applies models to the rules of a program: the cost of a derivation is the sum over
//! the rules that it applies ([`Costing::of_rule`]), the arrays that they make
//! ([`Costing::of_array`], because lengths are known to the derivation alone) and the calls
//! ([`Costing::of_call`], because it is the derivation that selects methods).
//!
//! No cost is negative, so that a sum never goes down while a derivation goes on. Sums saturate.
//!
//! This crate knows rules and classes. It reads no files and derives nothing.

mod allocations;
mod array;
mod costing;
mod error;
mod file;
mod hotspot;
mod method_name;
mod model;
mod named;
mod part;
mod scope;
mod sizes;

pub use array::ArrayCost;
pub use costing::{Costing, Costs, object_constructor};
pub use error::ModelError;
pub use hotspot::instance_size;
pub use model::Model;
pub use part::Part;
pub use scope::Scope;
