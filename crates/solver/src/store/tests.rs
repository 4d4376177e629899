//! The store against brute force over all values of the unknowns.

mod brute_force;
mod examples;
