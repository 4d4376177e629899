//! Runs calls in a real JVM and tells how they end: the last word on what a program does.
//!
//! [`Replay`] drives one JVM process over a pipe. The program that runs there is written in Java,
//! comes with this crate as source, and is compiled by the user's own JDK on first use, so that
//! nothing has to be shipped and any JDK from 8 on will do.
//!
//! Whatever a call does, the calls behind it are not affected: a call that does not end, ends the
//! process or breaks it costs a restart, and is reported as what it did.

mod call;
mod error;
mod harness;
mod measure;
mod options;
mod process;
mod replay;
mod throughput;
mod wire;

pub use call::{After, Call, Captured, Isolation, Outcome};
pub use error::ReplayError;
pub use harness::{compile_once, jdk_command, jdk_tool, jvm_command, run_to_end};
pub use measure::{Measure, Measured, MethodName};
pub use options::ReplayOptions;
pub use replay::Replay;
pub use throughput::{Throughput, measure_throughput};
