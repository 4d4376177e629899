//! Derivations on known inputs, against the JVM.

mod derivation;
mod edge_values;
mod exchange;
mod numeric_families;
mod random_programs;
mod real_libraries;
