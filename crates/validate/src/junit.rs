//! The parts of JUnit that come with this crate, and what runs a test in the JVM.

use std::path::PathBuf;

use petrel_replay::{ReplayError, compile_once};

use crate::Options;

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../java/", $name)))),*]
    };
}

const SOURCES: [(&str, &str); 27] = sources![
    "org/junit/Assert.java",
    "org/junit/Test.java",
    "org/junit/function/ThrowingRunnable.java",
    "org/junit/jupiter/api/ArrayAssertions.java",
    "org/junit/jupiter/api/Assertions.java",
    "org/junit/jupiter/api/DisplayName.java",
    "org/junit/jupiter/api/EqualAssertions.java",
    "org/junit/jupiter/api/Test.java",
    "org/junit/jupiter/api/UnequalAssertions.java",
    "org/junit/jupiter/api/function/Executable.java",
    "org/junit/jupiter/api/function/ThrowingSupplier.java",
    "org/junit/jupiter/params/ParameterizedTest.java",
    "org/junit/jupiter/params/provider/Arguments.java",
    "org/junit/jupiter/params/provider/MethodSource.java",
    "org/opentest4j/AssertionFailedError.java",
    "petrel/validate/Compare.java",
    "petrel/validate/JvmLog.java",
    "petrel/validate/Parameterized.java",
    "petrel/validate/Refusal.java",
    "petrel/validate/Refusals.java",
    "petrel/validate/RefusedError.java",
    "petrel/validate/SharedState.java",
    "petrel/validate/SharedStateError.java",
    "petrel/validate/StrayThreadError.java",
    "petrel/validate/StrayThreads.java",
    "petrel/validate/Thrown.java",
    "petrel/validate/TestRun.java",
];

/// The folder with the classes.
pub(crate) fn classes(options: &Options) -> Result<PathBuf, ReplayError> {
    compile_once(&options.java_home, options.feature_version, "junit", &SOURCES, &options.alarm)
}
