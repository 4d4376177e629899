//! The fixtures whose methods take strings, objects of the class library, and interfaces.

use std::time::Duration;

use petrel_testcase::Options;

use crate::fixture::Fixture;

/// The folders below `fixtures`.
pub const TOPICS: [&str; 3] = ["strings", "collections", "stubs"];

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
