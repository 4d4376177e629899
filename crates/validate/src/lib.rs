//! Compiles generated JUnit tests with the user's JDK, runs each of them twice, and says which are worth
//! keeping.
//!
//! **Compiling.** All tests are compiled by `javac`, many classes at once. A test in whose lines the
//! compiler finds an error is cut out, and the rest is compiled again; an error elsewhere costs the whole
//! class, and nothing costs another class. Where the compiler gives no place, the classes are halved until
//! the one that it cannot bear is alone.
//!
//! **Running.** Test classes come in batches. Each batch runs in two orders, one the reverse of the other,
//! each in a JVM process of its own with a time limit for each test, a limited heap, assertions
//! switched on as build tools do, and a scratch folder as working directory and for temporary files. The
//! tests of a batch share the static state of the classes under test, as they do when JUnit runs them: a
//! test that passes only where nobody was before is found out. Which classes make a batch depends
//! on the sources alone, so that verdicts do not depend on the number of jobs.
//!
//! A test that ends the process, breaks it or does not end costs a restart and is reported as what it
//! did; the tests behind it run in the next process. A test that leaves a thread which goes on is not kept,
//! and its process is not used any more. A test that leaves changed what all code of a JVM shares (`System.out`, the
//! default locale and time zone, system properties) is not kept, and everything is put back. Output beyond a limit is thrown away, and such a test is not
//! kept either.
//!
//! **JUnit.** Nothing has to be downloaded: this crate brings sources of those parts of JUnit 4 and 5 that
//! generated tests use (`java/`), with the same names and the same meaning, and the JDK compiles them
//! into the cache on first use. They are last on the class path: a JUnit that is there comes first.
//!
//! **What is not guarded against.** Tests run with the rights of the user: they can write files anywhere,
//! use the network and start processes. For code that is not trusted, let them only be compiled
//! ([`Options::run`]).

mod compile;
mod diagnostics;
mod error;
mod javac;
mod junit;
mod options;
mod plan;
mod run;
mod scratch;
mod source;
mod validate;
mod verdict;

pub use error::ValidateError;
pub use options::Options;
pub use scratch::remove_scratch;
pub use source::{TestPlace, TestSource};
pub use validate::validate;
pub use verdict::{Verdict, Why};
