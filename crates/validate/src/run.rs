//! Running tests round by round, in one JVM after the other.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use petrel_replay::{Call, Isolation, Outcome, Replay, ReplayError, ReplayOptions};
use petrel_value::{Heap, Value};

use crate::plan::{Findings, Plan, Round, Side, Step, TestName};
use crate::scratch::Scratch;
use crate::{Options, ValidateError, Why, enclosure};

/// How much of the output of a test is kept; who prints more is not kept.
const MAX_OUTPUT: u32 = 1 << 18;
/// How many tests are handed over before it is looked whether the caller wants to stop: not many, because
/// each may need all of its time.
const PORTION: usize = 8;
/// How often classes are loaded anew before the process is: code of the program may keep them from going away.
const MOST_RENEWED: usize = 200;
/// A test has two strings, its names, and no result.
const MAX_OBJECTS: u32 = 2;
const MAX_VALUES: u32 = 1000;
/// What the JVM is told besides the limits. Build tools enable assertions, and have no screen.
const JVM_OPTIONS: [&str; 2] = ["-ea", "-Djava.awt.headless=true"];

/// The class that runs tests, and its exceptions for what is left behind.
const RUNNER: &str = "petrel/validate/TestRun";
const SHARED_STATE: &str = "petrel/validate/SharedStateError";
const STRAY_THREAD: &str = "petrel/validate/StrayThreadError";
const REFUSED: &str = "petrel/validate/RefusedError";

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
        let log = Path::new(folder).join(enclosure::LOG_NAME);
        scratch.write(&log, "")?;
        let log = scratch.path().join(log);
        let working_directory = scratch.folder(&format!("{folder}/work"))?;
        let temporary = scratch.folder(&format!("{folder}/tmp"))?;
        let mut jvm_options: Vec<OsString> = JVM_OPTIONS.map(Into::into).into();
        let error_file = temporary.join("jvm-error-%p.log");
        for (option, path) in [("-Djava.io.tmpdir=", &temporary), ("-XX:ErrorFile=", &error_file)] {
            let mut option = OsString::from(option);
            option.push(path);
            jvm_options.push(option);
        }
        jvm_options.extend(enclosure::jvm_options(options).map(Into::into));
        let replay = Replay::start(ReplayOptions {
            class_path: class_path.to_vec(),
            time_limit: options.time_limit,
            heap_megabytes: options.heap_megabytes,
            folders: vec![working_directory.clone(), temporary.clone()],
            working_directory: Some(working_directory.clone()),
            jvm_options,
            max_objects: MAX_OBJECTS,
            max_values: MAX_VALUES,
            max_output: MAX_OUTPUT,
            wall: enclosure::wall(options, vec![working_directory, temporary, log]),
            alarm: options.alarm.clone(),
            ..ReplayOptions::for_home(options.java_home.clone(), options.feature_version)
        })?;
        Ok(Runner { replay })
    }

    /// Runs those tests of a plan that are wanted in some rounds of a side, and tells how they end: of the first rounds, if the
    /// caller wants to stop. The function is called after each run.
    pub(crate) fn run(
        &mut self,
        options: &Options,
        plan: &Plan<'_>,
        (side, rounds): (Side, &[Round]),
        mut is_wanted: Vec<bool>,
        after_each: &(dyn Fn() + Sync),
    ) -> Result<Findings, ValidateError> {
        let endings = vec![Vec::new(); plan.tests.len()];
        let mut found = Findings { endings, ..Findings::default() };
        for round in rounds {
            let steps = plan.steps(side, *round, &is_wanted);
            let endings = self.run_steps(options, plan, &steps, after_each)?;
            if endings.len() < steps.len() {
                return Ok(found);
            }
            for (Step { test, after, .. }, why) in steps.into_iter().zip(endings) {
                match (after, why) {
                    (None, why) => {
                        is_wanted[test] &= why.is_none();
                        found.endings[test].push(why);
                    }
                    (Some(before), Some(why)) => {
                        found.disturbing.push((before, test, why.to_string()));
                    }
                    (Some(_), None) => {}
                }
            }
        }
        found.is_complete = true;
        Ok(found)
    }

    fn run_steps(
        &mut self,
        options: &Options,
        plan: &Plan<'_>,
        steps: &[Step],
        after_each: &(dyn Fn() + Sync),
    ) -> Result<Vec<Option<Why>>, ValidateError> {
        let mut endings = Vec::with_capacity(steps.len());
        let mut n_renewed = 0;
        while endings.len() < steps.len() {
            if options.alarm.is_raised() {
                break;
            }
            let portion = steps[endings.len()..].iter().take(PORTION);
            n_renewed +=
                portion.clone().filter(|step| step.isolation == Isolation::Renewed).count();
            // The tests of a round that share classes go on with them.
            let is_new =
                portion.clone().next().is_some_and(|step| step.isolation == Isolation::Renewed);
            if n_renewed > MOST_RENEWED && is_new {
                self.replay.leave();
                n_renewed = 0;
            }
            let ran = self.replay.call_each(portion.map(|step| call(plan, step)), |outcome| {
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

fn call(plan: &Plan<'_>, step: &Step) -> Call {
    let TestName { class, method, has_parameters } = plan.tests[step.test];
    let mut heap = Heap::new();
    let class = heap.add_string(&class.replace('/', "."));
    let arguments = vec![class, heap.add_string(method), Value::Boolean(has_parameters)];
    let descriptor = "(Ljava/lang/String;Ljava/lang/String;Z)V";
    Call { heap, arguments, isolation: step.isolation, ..Call::new(RUNNER, "run", descriptor) }
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
                REFUSED => Why::Refused(message),
                "java/lang/OutOfMemoryError" => Why::OutOfMemory,
                _ => Why::Failed { exception: class.replace('/', "."), message },
            }
        }
        Outcome::TimedOut => Why::TimedOut,
        Outcome::Exited(status) => Why::Exited(status),
        Outcome::Died(reason) | Outcome::NotCallable(reason) => Why::Died(reason),
    })
}
