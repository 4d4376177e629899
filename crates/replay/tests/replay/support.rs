//! JDKs, and the classes that tests call.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_replay::{After, Call, Outcome, Replay, ReplayOptions};
use petrel_value::Value;

/// A JDK, and the test classes as it compiles them.
struct World {
    jdk: Jdk,
    classes: PathBuf,
}

fn worlds() -> &'static [World] {
    static WORLDS: OnceLock<Vec<World>> = OnceLock::new();
    WORLDS.get_or_init(|| jdks().into_iter().map(World::new).collect())
}

/// The JDK in use, and those beside it.
fn jdks() -> Vec<Jdk> {
    let main = Jdk::locate(None).unwrap_or_else(|error| panic!("{error}"));
    let home = fs::canonicalize(main.home()).expect("the JDK is there");
    let beside = fs::read_dir(home.parent().expect("it is in a folder")).expect("it is readable");
    let mut others: Vec<PathBuf> = beside
        .filter_map(|entry| fs::canonicalize(entry.ok()?.path()).ok())
        .filter(|other| *other != home && other.join("bin/javac").is_file())
        .collect();
    others.sort();
    others.dedup();
    let others = others.iter().filter_map(|home| Jdk::open(home).ok());
    // The test classes are written for this version.
    let mut all: Vec<Jdk> = others.filter(|jdk| jdk.feature_version() >= 17).collect();
    all.insert(0, main);
    all
}

impl World {
    fn new(jdk: Jdk) -> World {
        // A name that is hard on command lines and encodings.
        let name = format!("für jdk {}", jdk.feature_version());
        let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay").join(name);
        fs::create_dir_all(&classes).expect("the folder can be made");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        let sources = fs::read_dir(sources).expect("the sources are there");
        let output = Command::new(jdk.home().join("bin/javac"))
            .env("LC_ALL", "C.UTF-8")
            .args(["-encoding", "UTF-8", "-proc:none", "-d"])
            .arg(&classes)
            .args(sources.map(|source| source.expect("it is readable").path()))
            .output()
            .expect("javac runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        World { jdk, classes }
    }
}

/// Runs a test with each JDK; the time limit is short.
pub(crate) fn with_each_jdk(test: impl Fn(&mut Replay)) {
    with_options(|_| {}, test);
}

/// Like [`with_each_jdk`], with other options.
pub(crate) fn with_options(change: impl Fn(&mut ReplayOptions), test: impl Fn(&mut Replay)) {
    for world in worlds() {
        let mut options = ReplayOptions::new(&world.jdk);
        options.class_path = vec![world.classes.clone()];
        options.time_limit = Duration::from_secs(20);
        options.heap_megabytes = 64;
        change(&mut options);
        let mut replay = Replay::start(options).unwrap_or_else(|error| panic!("{error}"));
        test(&mut replay);
    }
}

/// Options for the JDK in use.
pub(crate) fn options() -> ReplayOptions {
    ReplayOptions::new(&worlds()[0].jdk)
}

/// The classes that the JDK in use has compiled.
pub(crate) fn class_folder() -> &'static Path {
    &worlds()[0].classes
}

/// A call with primitive arguments.
pub(crate) fn call(class: &str, method: &str, descriptor: &str, arguments: &[Value]) -> Call {
    Call { arguments: arguments.to_vec(), ..Call::new(class, method, descriptor) }
}

pub(crate) fn run(replay: &mut Replay, call: &Call) -> Outcome {
    replay.call(call).unwrap_or_else(|error| panic!("{error}"))
}

/// The result of a call that has one.
#[track_caller]
pub(crate) fn returned(outcome: Outcome) -> (Value, After) {
    match outcome {
        Outcome::Returned { value: Some(value), after } => (value, after),
        other => panic!("{other:?}"),
    }
}

/// Class and message of what a call threw.
#[track_caller]
pub(crate) fn threw(outcome: Outcome) -> (String, Option<String>) {
    match outcome {
        Outcome::Threw { class, message, .. } => (class, message.and_then(|text| text.to_text())),
        other => panic!("{other:?}"),
    }
}
