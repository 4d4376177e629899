//! How much tests try: the one knob of all of them, for the tests of any crate.
//!
//! `PETREL_TEST_SIZE` in the environment is `check` (a little of everything), `test` (the default, what continuous
//! integration tries), `full` (everything), or a part of that such as `25%`, which is for `make hunt`. A test that tries
//! less than everything says so, in a line that [`sample`] prints and the program `checks` shows, in one of two ways:
//!
//! - [`Part`]: of a whole that has an end, such as the methods of the fixtures, every so many items are looked at.
//! - [`Amount`]: of what has no end, such as random programs, so many are drawn.
//!
//! `SEED` in the environment shifts parts and draws others; without it, each run looks at the same.

mod sizes;

pub use sizes::{
    Amount, Part, Picking, SAMPLE, Size, filter, is_filtered, judges_shares, number, sample, seed,
    size,
};
