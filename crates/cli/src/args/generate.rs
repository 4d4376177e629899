//! What can be typed for `generate` and `demo`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use petrel_program::MethodPattern;
use petrel_testcase::Selection;

use super::{Goal, numbers};

/// Options of `generate`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Generate {
    /// The folder for the tests; each goes to the package of its class
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// The version of JUnit
    #[arg(long, value_name = "4|5", default_value = "5")]
    pub(crate) junit: JUnitVersion,
    /// What follows the name of the class in that of its test class
    #[arg(long, value_name = "TEXT", default_value = "PetrelTest", value_parser = suffix)]
    pub(crate) suffix: String,
    /// Only classes whose names match: `com.acme.*`, `*Parser`; can be given several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<String>,
    /// No classes whose names match; can be given several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<String>,
    /// Whose methods are tested: public ones, all that the package can call, or private ones, too
    #[arg(long, value_enum, default_value_t = VisibilityName::Package)]
    pub(crate) visibility: VisibilityName,
    /// Which cases become tests: `all-paths`, `local-paths` (one for each path through a method's own code), `statements`,
    /// `branches`, or `points:LINE,...` (only tests that execute these places: `12`, `File.java:12`, `@17`)
    #[arg(long, value_name = "CRITERION", default_value_t = Selection::Branches)]
    pub(crate) select: Selection,
    /// Write one test with parameters for each behaviour, with several inputs of its equivalence class (JUnit 5). Inputs
    /// that have to be built out of objects are ordinary tests
    #[arg(long)]
    pub(crate) parameterized: bool,
    /// How many inputs a test with parameters gets, if there are so many [default: 3]
    #[arg(long, value_name = "N", value_parser = numbers::count, requires = "parameterized")]
    pub(crate) solutions: Option<NonZeroUsize>,
    /// Adds inputs on the edges of each behaviour's conditions, and next to them: 11 and 12 where `x > 10`
    #[arg(long, requires = "parameterized")]
    pub(crate) boundary: bool,
    /// What else to look for: `overflow` adds tests of inputs that make `int` and `long` operations of a method's own
    /// code overflow, and tells which of them cannot
    #[arg(long, value_enum, value_name = "GOAL,...", value_delimiter = ',')]
    pub(crate) goals: Vec<Goal>,
    /// Adds a test of the most expensive input of each method: `instructions`, `memory`, `calls`
    #[arg(long, value_name = "M")]
    pub(crate) worst_case: Option<String>,
    /// Work for each method, in thousands: calls, iterations, and what the solver tries, for all that is done to find its
    /// tests; or a time such as `2s`, which makes the tests depend on the machine
    #[arg(long, value_name = "N|Ns", default_value = "500", value_parser = numbers::budget)]
    pub(crate) budget: Budget,
    /// End after this many seconds, with the classes that are judged by then
    #[arg(long, value_name = "S", value_parser = numbers::seconds)]
    pub(crate) total_time: Option<Duration>,
    /// Do not run the tests: they are compiled, and expect what is predicted
    #[arg(long)]
    pub(crate) no_run: bool,
    /// Run the tests with your own rights: they can write files, start programs and use the network
    #[arg(long)]
    pub(crate) no_sandbox: bool,
    /// How long a test may run
    #[arg(long, value_name = "S", default_value = "5", value_parser = numbers::seconds)]
    pub(crate) test_time: Duration,
    /// The Java heap of the process that runs tests, in megabytes
    #[arg(long, value_name = "MB", default_value = "512", value_parser = numbers::bound)]
    pub(crate) test_memory: u32,
    /// End with status 1 if less than P percent of the branches that are not infeasible are covered
    #[arg(long, value_name = "P", value_parser = numbers::percent)]
    pub(crate) fail_under: Option<f64>,
    /// A predicate (a block of the code) occurs at most K times on a path
    #[arg(long, value_name = "K", value_parser = numbers::bound, conflicts_with = "loops")]
    pub(crate) block_count: Option<u32>,
    /// Per entry of a loop at most K iterations that make a choice, and at most K recursive calls
    /// [default: 2]
    #[arg(id = "loops", long = "loop", value_name = "K", value_parser = numbers::bound)]
    pub(crate) loops: Option<u32>,
    /// The longest string of unknown length that is made for an input [default: 10000]; if it is given, strings of up to N characters are
    /// tried wherever code looks at all of them
    #[arg(long, value_name = "N", value_parser = numbers::length)]
    pub(crate) max_string: Option<u32>,
    /// The largest collection of unknown size that is made for an input [default: 10000]; if it is given, collections of N elements are
    /// tried wherever code looks at elements
    #[arg(long, value_name = "N", value_parser = numbers::length)]
    pub(crate) max_elements: Option<u32>,
    /// Methods whose results are inputs of the case, in the order of their calls; their code is not executed:
    /// `pkg.Class#method`, with `*` in names and a descriptor or without; can be given several times
    #[arg(long, value_name = "METHODS")]
    pub(crate) unknown: Vec<MethodPattern>,
    /// Methods with one boolean parameter that say what is assumed: a call with false ends the path without a case
    #[arg(long, value_name = "METHODS")]
    pub(crate) assume_by: Vec<MethodPattern>,
    /// How many classes to try for an object that is not known, the likeliest first
    #[arg(long, value_name = "N", default_value = "8", value_parser = numbers::count)]
    pub(crate) max_receivers: NonZeroUsize,
    /// `pkg.Class`, `pkg.Class#method`, a folder with classes, or a jar
    #[arg(required = true, value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
}

/// Options of `demo`.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Keep the example and its tests in this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Run the tests with your own rights
    #[arg(long)]
    pub(crate) no_sandbox: bool,
}

/// What may be spent on a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Budget {
    /// Units of work.
    Work(u64),
    /// A time.
    Time(Duration),
}

/// A version of JUnit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JUnitVersion {
    /// JUnit 4.13
    #[value(name = "4")]
    Four,
    /// JUnit 5 and 6 (Jupiter)
    #[value(name = "5")]
    Five,
}

/// Whose methods are tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VisibilityName {
    /// Public ones
    Public,
    /// All that code of the package can call
    Package,
    /// Private ones, too
    All,
}

/// A part of the name of a class.
fn suffix(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !text.is_empty() && text.chars().all(is_part) {
        Ok(text.to_owned())
    } else {
        Err("must be letters and digits: part of the name of a class".to_owned())
    }
}
