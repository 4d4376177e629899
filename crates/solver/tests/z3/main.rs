//! The solver against Z3, on random queries.

mod integers;
mod random;
mod reals;
