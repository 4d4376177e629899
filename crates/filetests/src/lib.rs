//! The harness of the tests that need more than one crate: fixtures, real jars, whole JDKs.

pub mod compare;
pub mod derive;
pub mod documents;
pub mod fixture;
pub mod generated;
pub mod heaps;
pub mod inputs;
pub mod inputs_fixtures;
pub mod inputs_source;
pub mod jvm;
pub mod jvmti;
pub mod library;
pub mod petrel;
pub mod programs;
pub mod sample;
pub mod scratch;
pub mod stubs;
pub mod swipl;
pub mod symbolic;
pub mod value;
pub mod walk;
pub mod world;
