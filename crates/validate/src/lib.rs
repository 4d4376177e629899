//! Compiles generated JUnit tests with the user's JDK, runs each of them several times, and says which are worth
//! keeping.
//!
//! **Compiling.** All tests are compiled by `javac`, many classes at once. A test in whose lines the
//! compiler finds an error is cut out, and the rest is compiled again; an error elsewhere costs the whole
//! class, and nothing costs another class. Where the compiler gives no place, the classes are halved until
//! the one that it cannot bear is alone.
//!
//! **Running.** Test classes come in batches. The tests of a batch run in two JVM processes with a time limit for each test, a
//! limited heap, assertions switched on as build tools do, and a scratch folder as working directory and for temporary files. First
//! each test is alone, with classes that nobody has used before, and another test after it. Then the tests share the static
//! state of the classes under test, as they do when JUnit runs them, those of a class and all of a batch, in several orders: a
//! test that passes only where nobody was before, or only where somebody was, is found out. See `plan`. Which
//! classes make a batch depends on the sources alone, so that verdicts do not depend on the number of jobs.
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
//! **Sandbox.** Behind a wall ([`Options::wall`]) tests write only in the scratch folder of their JVM, start no programs and
//! have no network. Who tries is told and not kept. That is read in a log which the JVM itself writes, because code may catch
//! what is thrown then, or not be told at all; see `java/petrel/validate/Refusals.java`. Without a wall, tests have the rights of
//! the user.

mod compile;
mod diagnostics;
mod enclosure;
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
