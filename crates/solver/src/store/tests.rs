//! The store against brute force over all values of the unknowns, and on typical constraints.

mod actions;
mod brute_force;
mod examples;
