//! Calls in real JVMs: every test runs on each JDK of the machine.

mod built;
mod endings;
mod errors;
mod objects;
mod support;
mod values;
