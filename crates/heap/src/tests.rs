//! The heap solver on examples, and on random programs against a plain interpreter.

mod agreement;
mod arrays;
mod assumptions;
mod classes;
mod concrete;
mod costs;
mod examples;
mod fixture;
mod grids;
mod initial;
mod program;
mod session;
mod undo;
mod world;

use petrel_clp::Kind;
use petrel_solver::Expr;
use proptest::test_runner::{Config, RngSeed, contextualize_config};

use crate::world::Sort;

/// Null.
const NULL: Expr = Expr::Constant(0);

/// Any `int`.
const INT: Sort = Sort::Number { kind: Kind::Int, low: i32::MIN as i64, high: i32::MAX as i64 };

/// The same random cases each time, unless the environment wants other or more ones
/// (`PROPTEST_RNG_SEED`, `PROPTEST_CASES`).
fn repeatable(cases: u32) -> Config {
    let seed = RngSeed::Fixed(2013);
    contextualize_config(Config {
        cases,
        rng_seed: seed,
        failure_persistence: None,
        ..Config::default()
    })
}
