//! The harness of the tests that need more than one crate: fixtures, real jars, whole JDKs.

pub mod sample;
pub mod world;
