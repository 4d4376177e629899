//! The machine alone: rules are written as text, and paths come out. Neither a JDK nor class files are
//! needed.

mod arrays;
mod calls;
mod control;
mod harness;
mod heap;
mod numbers;
mod tree;
