//! Tests that Petrel writes, against javac, JUnit and JaCoCo, and `petrel generate` where it is hard to go on.

mod coverage;
mod hostile_targets;
mod junit_source;
mod killed_generation;
mod sandbox;
