//! How tests are validated.

use std::path::PathBuf;
use std::time::Duration;

use petrel_budget::Alarm;
use petrel_classpath::Jdk;
use petrel_wall::Wall;

/// How tests are validated.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder of the JDK.
    pub java_home: PathBuf,
    /// Its version of Java: 8, 17, 25.
    pub feature_version: u16,
    /// Folders and jars with the classes under test and all that they need.
    pub class_path: Vec<PathBuf>,
    /// How long a test may take.
    pub time_limit: Duration,
    /// Size of the Java heap of tests in megabytes.
    pub heap_megabytes: u32,
    /// How many processes there may be at the same time.
    pub jobs: usize,
    /// Whether tests are run; if not, what compiles is kept.
    pub run: bool,
    /// The wall that tests run behind; without one, they have the rights of this process.
    pub wall: Option<Wall>,
    /// Once it is raised, validation ends as soon as it can, with the verdicts that there are.
    pub alarm: Alarm,
}

impl Options {
    /// Options for a JDK, without a class path.
    pub fn new(jdk: &Jdk) -> Options {
        Options {
            java_home: jdk.home().to_owned(),
            feature_version: jdk.feature_version(),
            class_path: Vec::new(),
            time_limit: Duration::from_secs(5),
            heap_megabytes: 512,
            jobs: 2,
            run: true,
            wall: None,
            alarm: Alarm::default(),
        }
    }
}
