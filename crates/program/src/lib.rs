//! Class files to a program: the class hierarchy, and which field or method a reference means, by
//! the JVM's rules (JVMS chapter 5, Java SE 25).
//!
//! * [`Program`] loads classes by name from a [`ClassProvider`] and keeps them; a [`Class`] is a
//!   class file together with its supertypes, whose fit was checked.
//! * `resolve_*` and `link_*` of [`Program`] turn symbolic references into a [`ResolvedField`] or
//!   [`ResolvedMethod`], access control included.
//! * `select_*` of [`ResolvedMethod`] tell which method a call with a given receiver runs.
//! * [`signature`] reads generic signatures.
//!
//! This crate does no input or output. What the program under test would see as an exception is a
//! [`LinkageError`]; what is wrong with the classes themselves is a [`LoadError`].
//!
//! Not modelled: class loaders (a package is known by its name alone), loading constraints, and
//! modules: every package is exported to everyone.

mod access;
mod array_uses;
mod class;
mod construction;
pub mod control_flow;
mod error;
mod hierarchy;
mod link;
pub mod listing;
pub mod liveness;
mod load;
mod machine_errors;
mod members;
mod names;
mod pattern;
mod program;
mod resolve;
mod select;
pub mod signature;
mod statics;
mod subtypes;
#[cfg(test)]
mod testing;

pub use class::{Class, MAX_DEPTH};
pub use construction::{FieldsUsed, is_visible};
pub use error::{LinkageError, LoadError, SupertypeProblem};
pub use link::{FieldAccess, InvokeKind, LinkedCall};
pub use machine_errors::handlers_of_machine_errors;
pub use members::{ParameterName, ResolvedField, ResolvedMethod};
pub use names::external_type;
pub use pattern::{MethodPattern, MethodPatternError, matches_pattern};
pub use program::{ClassBytes, ClassProvider, Origin, Program};
pub use resolve::ResolvedClass;
pub use select::Receiver;
pub use statics::{StaticChange, writes_one_field_at_a_time};
pub use subtypes::{Candidates, Compared, Hints, checked_types};
