//! Running tests in one order, in one JVM after the other.

use std::path::PathBuf;

use petrel_replay::{Call, Outcome, Replay, ReplayError, ReplayOptions};
use petrel_value::{Heap, Value};

use crate::plan::TestName;
use crate::scratch::Scratch;
use crate::{Options, ValidateError, Why};

/// How much of the output of a test is kept; who prints more is not kept.
const MAX_OUTPUT: u32 = 1 << 18;
/// How many tests are handed over before it is looked whether the caller wants to stop: not many, because
/// each may need all of its time.
const PORTION: usize = 8;
/// A test has two strings, its names, and no result.
const MAX_OBJECTS: u32 = 2;
const MAX_VALUES: u32 = 1000;
/// What the JVM is told besides the limits. Build tools enable assertions, and have no screen.
const JVM_OPTIONS: [&str; 3] = ["-ea", "-Djava.awt.headless=true", "-XX:-UsePerfData"];

/// The class that runs tests, and its exceptions for what is left behind.
const RUNNER: &str = "petrel/validate/TestRun";
const SHARED_STATE: &str = "petrel/validate/SharedStateError";
const STRAY_THREAD: &str = "petrel/validate/StrayThreadError";

/// A JVM for tests, in a folder of its own.
pub(crate) struct Runner {
    replay: Replay,
}

impl Runner {
    /// Starts a JVM. Folder is a name in the scratch folder.
    pub(crate) fn start(
        options: &Options,
        class_path: &[PathBuf],
        scratch: &Scratch,
        folder: &str,
    ) -> Result<Runner, ValidateError> {
        let working_directory = scratch.folder(&format!("{folder}/work"))?;
        let temporary = scratch.folder(&format!("{folder}/tmp"))?;
        let mut jvm_options: Vec<_> = JVM_OPTIONS.map(Into::into).into();
        let mut option = std::ffi::OsString::from("-Djava.io.tmpdir=");
        option.push(&temporary);
        jvm_options.push(option);
        let replay = Replay::start(ReplayOptions {
            class_path: class_path.to_vec(),
            time_limit: options.time_limit,
            heap_megabytes: options.heap_megabytes,
            working_directory: Some(working_directory),
            jvm_options,
            max_objects: MAX_OBJECTS,
            max_values: MAX_VALUES,
            max_output: MAX_OUTPUT,
            alarm: options.alarm.clone(),
            ..ReplayOptions::for_home(options.java_home.clone(), options.feature_version)
        })?;
        Ok(Runner { replay })
    }

    /// Runs tests, and tells of each why it did not pass, if so: of the first ones, if the caller wants to stop. The function
    /// is called after each.
    pub(crate) fn run(
        &mut self,
        options: &Options,
        tests: &[TestName<'_>],
        after_each: &(dyn Fn() + Sync),
    ) -> Result<Vec<Option<Why>>, ValidateError> {
        let mut endings = Vec::with_capacity(tests.len());
        while endings.len() < tests.len() {
            if options.alarm.is_raised() {
                break;
            }
            let calls = tests[endings.len()..].iter().take(PORTION).map(call);
            let ran = self.replay.call_each(calls, |outcome| {
                endings.push(why(outcome));
                after_each();
            });
            match ran {
                Ok(()) => {}
                // A test can do anything to its process, and so to what it answers.
                Err(ReplayError::Malformed { message }) => {
                    endings.push(Some(Why::Died(message)));
                    after_each();
                }
                Err(ReplayError::Stopped) => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(endings)
    }
}

fn call(test: &TestName<'_>) -> Call {
    let mut heap = Heap::new();
    let class = heap.add_string(&test.class.replace('/', "."));
    let arguments = vec![class, heap.add_string(test.method), Value::Boolean(test.has_parameters)];
    let descriptor = "(Ljava/lang/String;Ljava/lang/String;Z)V";
    Call { heap, arguments, ..Call::new(RUNNER, "run", descriptor) }
}

/// Why a test did not pass, if so.
fn why(outcome: Outcome) -> Option<Why> {
    Some(match outcome {
        Outcome::Returned { after, .. } => {
            return (after.out.is_cut || after.err.is_cut).then_some(Why::Flooded);
        }
        Outcome::Threw { class, message, .. } => {
            let message = message.map(|text| text.to_text().unwrap_or_else(|| text.escaped()));
            let message = message.unwrap_or_default();
            match &*class {
                SHARED_STATE => Why::SharedState(message),
                STRAY_THREAD => Why::StrayThread(message),
                "java/lang/OutOfMemoryError" => Why::OutOfMemory,
                _ => Why::Failed { exception: class.replace('/', "."), message },
            }
        }
        Outcome::TimedOut => Why::TimedOut,
        Outcome::Exited(status) => Why::Exited(status),
        Outcome::Died(reason) | Outcome::NotCallable(reason) => Why::Died(reason),
    })
}
