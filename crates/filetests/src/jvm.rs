//! The JVM as oracle: what calls of fixtures really do.

use std::path::Path;
use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_replay::{Call, Isolation, Outcome, Replay, ReplayOptions};
use petrel_value::{Value, escaped};

use crate::fixture::{Fixture, Run};
use crate::world::{jdk, jdks_beside};

/// How long a call may take; none is meant to take that long, whatever else the machine does.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The JDKs of this machine.
pub struct Jdks {
    /// The one in use, and then the others.
    all: Vec<Jdk>,
}

impl Jdks {
    /// Finds them.
    ///
    /// # Panics
    ///
    /// If there is none; the message says how to get one.
    pub fn find() -> Jdks {
        let main = jdk();
        let mut all = jdks_beside(&main);
        all.sort_by_key(Jdk::feature_version);
        all.insert(0, main);
        Jdks { all }
    }

    /// The JDK that fixtures of a release are compiled by: the one in use if it knows the release,
    /// else the oldest that does.
    pub fn for_release(&self, release: u16) -> Option<&Jdk> {
        self.all.iter().find(|jdk| jdk.feature_version() >= release)
    }

    /// All of them that [`Jdks::for_release`] can give.
    pub fn iter(&self) -> impl Iterator<Item = &Jdk> {
        self.all.iter()
    }
}

/// A call of a static method with primitive arguments, in a world of its own.
pub fn call(
    folder: &Path,
    class: &str,
    method: &str,
    descriptor: &str,
    arguments: Vec<Value>,
) -> Call {
    Call {
        arguments,
        isolation: Isolation::Fresh,
        class_path: Some(vec![folder.to_owned()]),
        ..Call::new(class, method, descriptor)
    }
}

/// A `run` line as a call.
pub fn call_of(fixture: &Fixture, run: &Run) -> Call {
    let (folder, arguments) = (fixture.class_folder(), run.arguments.clone());
    let call = call(&folder, &fixture.class, &run.method, &run.descriptor, arguments);
    Call { heap: run.heap.clone(), ..call }
}

/// Runs calls in one JVM. An answer is a literal, `void`, `throws Class: message` or `error: ..`.
///
/// # Panics
///
/// If the JVM cannot be run.
pub fn run(jdk: &Jdk, calls: &[Call]) -> Vec<String> {
    let options = ReplayOptions { time_limit: TIME_LIMIT, ..ReplayOptions::new(jdk) };
    let outcomes = Replay::start(options).and_then(|mut replay| replay.call_all(calls));
    let outcomes = outcomes.unwrap_or_else(|error| panic!("{error}"));
    outcomes.iter().map(answer).collect()
}

fn answer(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned { value: None, .. } => "void".to_owned(),
        Outcome::Returned { value: Some(value), after } => {
            let no_literal = || "error: the result has no literal".to_owned();
            after.heap.literal(*value).unwrap_or_else(no_literal)
        }
        Outcome::Threw { class, message, .. } => {
            let message = message.as_ref().map(|message| format!(": {}", escaped(&message.0)));
            format!("throws {}{}", class.replace('/', "."), message.unwrap_or_default())
        }
        Outcome::TimedOut => format!("error: no end within {TIME_LIMIT:?}"),
        Outcome::Exited(status) => format!("error: exit with status {status}"),
        Outcome::Died(reason) | Outcome::NotCallable(reason) => {
            format!("error: {}", reason.escape_debug())
        }
    }
}
