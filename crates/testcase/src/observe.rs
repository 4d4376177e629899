//! What code sees of objects after a call: the answers of their own methods.
//!
//! A test cannot look at private fields. What it can do is call methods without arguments (a getter, `size`, `toArray`)
//! on the result, the receiver and the arguments, and compare their answers with those that are derived here.

use std::sync::Arc;

use petrel_value::{Heap, Value};

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// What the call returns; for a constructor, the new object.
    Result,
    /// The receiver.
    Receiver,
    /// An argument, by its position.
    Argument(usize),
}

/// A method without arguments that is called to see something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Observer {
    /// Internal name of the class or interface that declares it.
    pub class: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

/// What is seen of an object after the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// What is looked at.
    pub subject: Subject,
    /// The methods that are called, each on what the one before gives: `keySet()`, then `toArray()`.
    pub calls: Vec<Observer>,
    /// What the last of them gives.
    pub value: Value,
}

/// What is seen after the call of one concrete input. Nothing in it depends on what the JVM does not fix.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Observations {
    /// In the order in which tests look: the result, the receiver, the arguments.
    pub seen: Vec<Observation>,
    /// The objects that the values refer to.
    pub heap: Heap,
}
