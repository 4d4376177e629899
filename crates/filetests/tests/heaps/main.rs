//! Cases of methods on unknown heaps, against the JVM and against derivations of all small heaps.

mod assumptions;
mod completeness;
mod libraries;
mod library_aliases;
mod modes;
mod soundness;
