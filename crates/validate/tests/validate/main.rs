//! Test classes that are compiled and run by real JDKs.

mod assertions;
mod compiling;
mod hostile;
mod running;
mod support;
