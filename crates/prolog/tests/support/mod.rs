//! Programs that are built by hand, and SWI-Prolog to run them.

pub mod build;
pub mod lcm;
pub mod swipl;
pub mod vector;
