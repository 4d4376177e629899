//! Concrete Java values as data, and as Java literals.
//!
//! A [`Value`] is what a variable holds: a primitive value, `null`, or a reference into a [`Heap`].
//! With objects in a table of their own, sharing and cycles need no special care, and values can be
//! copied and compared freely.
//!
//! Text comes in through [`Literals`] (a literal inside of a longer text) and [`argument`] (a word of
//! a command line), and goes out through [`Heap::literal`].
//!
//! An input may be an object that the code of its class builds ([`Object::Built`]);
//! [`Heap::order_of_building`] says what is to be done when.

mod build;
mod call;
mod graph;
mod heap;
mod literal;

pub use build::BuildStep;
pub use heap::{Call, FieldValue, Heap, Object, ObjectId, Shared, Value, boxed, unboxed};
pub use literal::{LiteralError, Literals, argument, escaped};
