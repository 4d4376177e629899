//! Concrete Java values as data, and as Java literals.
//!
//! A [`Value`] is what a variable holds: a primitive value, `null`, or a reference into a [`Heap`].
//! With objects in a table of their own, sharing and cycles need no special care, and values can be
//! copied and compared freely.
//!
//! Text comes in through [`Literals`] (a literal inside of a longer text) and [`argument`] (a word of
//! a command line), and goes out through [`Heap::literal`].

mod heap;
mod literal;

pub use heap::{FieldValue, Heap, Object, ObjectId, Value, unboxed};
pub use literal::{LiteralError, Literals, argument, escaped};
