//! How the JVM is run.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use petrel_budget::Alarm;
use petrel_classpath::Jdk;
use petrel_wall::{Allowance, Wall};

use crate::Measure;

/// How the JVM is run.
#[derive(Debug, Clone)]
pub struct ReplayOptions {
    /// The folder of the JDK.
    pub java_home: PathBuf,
    /// Its version of Java: 8, 17, 25.
    pub feature_version: u16,
    /// Folders and jars with the classes of calls that do not name their own.
    pub class_path: Vec<PathBuf>,
    /// How long a call may take.
    pub time_limit: Duration,
    /// How long after the time limit the JVM is killed, if it does not report that by itself.
    pub grace: Duration,
    /// Size of the Java heap in megabytes (`-Xmx`).
    pub heap_megabytes: u32,
    /// The working directory of the JVM, instead of the one of this process. Then paths have to be absolute.
    pub working_directory: Option<PathBuf>,
    /// Folders that are there whenever a JVM starts: code in an earlier one may have removed them.
    pub folders: Vec<PathBuf>,
    /// Further options for `java`.
    pub jvm_options: Vec<OsString>,
    /// How many objects of a heap are described after a call; others are opaque.
    pub max_objects: u32,
    /// How many array elements, fields and characters these may have together.
    pub max_values: u32,
    /// How many bytes of each output stream are kept.
    pub max_output: u32,
    /// What is measured of each call.
    pub measure: Measure,
    /// The wall that the JVM is behind, and what it may do there; without one, it has the rights of this process.
    pub wall: Option<(Wall, Allowance)>,
    /// When it is raised, the JVM is killed, and whoever waits for it gets [`crate::ReplayError::Stopped`].
    pub alarm: Alarm,
}

impl ReplayOptions {
    /// Options for a JDK, without a class path.
    pub fn new(jdk: &Jdk) -> ReplayOptions {
        ReplayOptions::for_home(jdk.home().to_owned(), jdk.feature_version())
    }

    /// Options for the JDK in a folder, of a version of Java, without a class path.
    pub fn for_home(java_home: PathBuf, feature_version: u16) -> ReplayOptions {
        ReplayOptions {
            java_home,
            feature_version,
            class_path: Vec::new(),
            time_limit: Duration::from_secs(5),
            grace: Duration::from_secs(5),
            heap_megabytes: 512,
            working_directory: None,
            folders: Vec::new(),
            jvm_options: Vec::new(),
            max_objects: 10_000,
            max_values: 1_000_000,
            max_output: 1 << 16,
            measure: Measure::Nothing,
            wall: None,
            alarm: Alarm::default(),
        }
    }
}
