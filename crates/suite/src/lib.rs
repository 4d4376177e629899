//! Test suites: which methods of a class are tested, by which cases, and what is said of the rest.
//!
//! "JTestCraft", chapter 6, has this loop of exploring, building inputs and keeping what covers something new. Here each method
//! is explored by itself (`pool`), a small set of its cases is chosen (`select`, `findings`), written as source
//! (petrel-junit), and judged by a JVM (petrel-validate). The [`Account`] tells for every branch which test covers
//! it, or why none does.
//!
//! This crate reads and writes no files, and knows no terminal.

mod account;
mod findings;
mod inputs;
mod overflow;
mod plan;
mod pool;
mod select;
mod stages;
mod targets;
mod text;
mod workers;

use std::time::Duration;

use petrel_junit::JUnit;
use petrel_testcase::{Model, Options, Selection};

pub use account::{
    Account, BranchAccount, ClassAccount, Dropped, Finding, MethodAccount, OperationAccount,
    Prediction, TestAccount, Verdict,
};
pub use plan::{ClassPlan, Judged};
pub use targets::{ClassTarget, Visibility, targets_of};
pub use text::{account_text, class_line};
pub use workers::{Suite, Watch};

/// What is wanted of a suite.
#[derive(Debug, Clone)]
pub struct SuiteOptions {
    /// Bounds of the explorations.
    pub cases: Options,
    /// What tests have to cover, of what cases cover: enough cases for that become tests.
    pub selection: Selection,
    /// Which JUnit the tests are for.
    pub junit: JUnit,
    /// What follows the name of a class in the name of its test class.
    pub suffix: String,
    /// Work for each method, all stages of its planning together.
    pub budget: u64,
    /// Time for each method, likewise.
    pub time: Option<Duration>,
    /// Inputs of each test: more than one makes tests with parameters.
    pub solutions: usize,
    /// Whether tests also have inputs on the edges of their conditions, and next to them.
    pub boundary: bool,
    /// Whether operations that overflow get tests of their own.
    pub overflow: bool,
    /// The cost whose worst case gets a test of its own.
    pub worst_case: Option<Model>,
}

/// Work for each method.
const BUDGET: u64 = 500_000;
/// Paths with more rules are given up.
const MOST_STEPS: u64 = 30_000;
/// Queries that take longer are given up: there are other paths to be looked at.
const CONFLICTS: u64 = 1_000;

impl SuiteOptions {
    /// What is wanted if nothing else is said, with the class library of this release of the JDK (17).
    pub fn usual(feature_version: u16) -> SuiteOptions {
        let defaults = Options::default();
        SuiteOptions {
            cases: Options {
                steps: defaults.steps.min(MOST_STEPS),
                conflicts: CONFLICTS.min(defaults.conflicts),
                feature_version,
                // Build tools run tests with assertions.
                assertions: true,
                ..defaults
            },
            selection: Selection::Branches,
            junit: JUnit::Five,
            suffix: "PetrelTest".to_owned(),
            budget: BUDGET,
            time: None,
            solutions: 1,
            boundary: false,
            overflow: false,
            worst_case: None,
        }
    }
}
