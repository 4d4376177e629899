//! The JVM as oracle: what calls of fixtures really do.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use petrel_classpath::Jdk;

use crate::fixture::{Fixture, Run};
use crate::world::{jdk, jdks_beside, root, tool};

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

/// A call of a static method, as `FixtureRunner` reads it.
pub fn call(folder: &Path, class: &str, method: &str, descriptor: &str, tokens: &str) -> String {
    format!("{}\t{class}\t{method}\t{descriptor}\t{tokens}\n", folder.display())
}

/// A `run` line as a call.
pub fn call_of(fixture: &Fixture, run: &Run) -> String {
    let tokens: Vec<String> = run.arguments.iter().map(|value| value.to_tokens()).collect();
    let folder = fixture.class_folder();
    call(&folder, &fixture.class, &run.method, &run.descriptor, &tokens.join(" "))
}

/// Runs calls in one JVM. An answer is a literal, `void`, `throws Class: message` or `error: ..`.
///
/// # Panics
///
/// If the JVM does not answer every call.
pub fn run(jdk: &Jdk, calls: &[String]) -> Vec<String> {
    let runner = root().join("crates/filetests/src/FixtureRunner.java");
    // Given a source file, `java` compiles it in memory.
    let mut command = Command::new(tool(jdk, "java"));
    command.args(["-Xshare:auto", "-XX:TieredStopAtLevel=1"]).arg(runner);
    let input = calls.concat();
    let answers = converse(command, input);
    assert_eq!(answers.len(), calls.len(), "the JVM should answer each call with one line");
    answers
}

/// Gives a program its input while its output is read, and returns the lines of that.
fn converse(mut command: Command, input: String) -> Vec<String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut stdin = child.stdin.take();
    let writer =
        std::thread::spawn(move || stdin.as_mut().map(|to| to.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let written = writer.join();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && written.is_ok(), "{command:?}: {}\n{stderr}", output.status);
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}
