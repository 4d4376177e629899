//! Calls, and how they end.

use std::borrow::Cow;
use std::path::PathBuf;

use petrel_classfile::JavaString;
use petrel_value::{FieldValue, Heap, Value};

use crate::Measured;

/// A call of a method or constructor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Internal name of the class. The method may also be inherited, and the class of the receiver
    /// may override it, as with `invokevirtual`.
    pub class: String,
    /// Name of the method; `<init>` makes a new object, which is the result.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The object that an instance method is called on.
    pub receiver: Option<Value>,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// Static fields that have these values when the call starts, and what they had before when it has
    /// ended.
    pub statics: Vec<FieldValue>,
    /// The objects that receiver, arguments and static fields refer to.
    pub heap: Heap,
    /// Which static state the call sees.
    pub isolation: Isolation,
    /// Folders and jars to take classes from, instead of those of the options.
    pub class_path: Option<Vec<PathBuf>>,
}

impl Call {
    /// A call without receiver and arguments, in the shared world.
    pub fn new(
        class: impl Into<String>,
        method: impl Into<String>,
        descriptor: impl Into<String>,
    ) -> Call {
        Call {
            class: class.into(),
            method: method.into(),
            descriptor: descriptor.into(),
            receiver: None,
            arguments: Vec::new(),
            statics: Vec::new(),
            heap: Heap::new(),
            isolation: Isolation::Shared,
            class_path: None,
        }
    }
}

/// Which static state a call sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// What earlier shared calls with the same class path have left. A restart of the JVM clears it.
    #[default]
    Shared,
    /// Nothing: from this call on, shared calls with the same class path see what it and they leave.
    Renewed,
    /// The classes of the class path are loaded anew for this call. What the class library keeps,
    /// such as system properties, is not reset.
    Fresh,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It returned.
    Returned {
        /// The result; `None` for `void`.
        value: Option<Value>,
        /// What the call left behind; the result refers to its heap.
        after: After,
    },
    /// It threw, or its class could not be initialised.
    Threw {
        /// Internal name of the exception's class.
        class: String,
        /// What `getMessage` answers.
        message: Option<JavaString>,
        /// What the call left behind.
        after: After,
    },
    /// It did not end within the time limit.
    TimedOut,
    /// The process ended with this status while the call ran: `System.exit` or `Runtime.halt`.
    Exited(i32),
    /// The JVM broke down; the text is what is known of why.
    Died(String),
    /// There is no such call; the text says why.
    NotCallable(String),
}

/// What there is after a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct After {
    /// All that can be reached from result, receiver and arguments, in the order in which it is
    /// found from there, breadth first: equal states are equal heaps.
    pub heap: Heap,
    /// The receiver, if there was one.
    pub receiver: Option<Value>,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// Whether objects of the heap are opaque because there were too many.
    pub is_cut: bool,
    /// What was written to `System.out`.
    pub out: Captured,
    /// What was written to `System.err`.
    pub err: Captured,
    /// What the call has cost, if that is measured. There is nothing to measure of a call whose class
    /// could not be initialised, and the bytes of one that ran out of memory are not counted.
    pub measured: Option<Measured>,
}

/// What was written to a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Captured {
    /// The bytes; text is UTF-8.
    pub bytes: Vec<u8>,
    /// Whether there was more.
    pub is_cut: bool,
}

impl Captured {
    /// As text.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}
