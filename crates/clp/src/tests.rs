//! Tests of printer, parser and verifier together: on random procedures, and on the papers' examples.

mod examples;
mod generate;
mod mutate;
mod random;
