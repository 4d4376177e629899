//! The fixtures whose methods take strings, objects of the class library, and interfaces.

use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_replay::{Replay, ReplayOptions};
use petrel_testcase::Options;

use crate::fixture::Fixture;

/// The folders below `fixtures`.
pub const TOPICS: [&str; 3] = ["strings", "collections", "stubs"];

/// A call that ends within the steps is done long before, unless the machine is very busy.
const REPLAY_LIMIT: Duration = Duration::from_secs(20);
const REPLAY_MEGABYTES: u32 = 128;
/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_secs(2);

/// Whether a fixture is one of these.
pub fn is_about_inputs(fixture: &Fixture) -> bool {
    TOPICS.contains(&fixture.topic.as_str())
}

/// The options that their cases are generated with: the user's own, and no more time than a user has.
pub fn options() -> Options {
    Options { time: Some(MOST_TIME), ..Options::default() }
}

/// A JVM for their cases.
///
/// # Panics
///
/// If it does not start.
pub fn start_replay(jdk: &Jdk) -> Replay {
    let options = ReplayOptions {
        time_limit: REPLAY_LIMIT,
        heap_megabytes: REPLAY_MEGABYTES,
        ..ReplayOptions::new(jdk)
    };
    Replay::start(options).unwrap_or_else(|error| panic!("{error}"))
}
