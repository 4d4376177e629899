//! Written tests, compiled by javac and run by JUnit, as in a build of a project.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use petrel_classpath::Jdk;

use super::binary;
use crate::scratch::Scratch;
use crate::world::{jar_file, jdk, tool};

const LAUNCHER: &str = "junit-platform-console-standalone-1.11.4.jar";
const AGENT: &str = "org.jacoco.agent-0.8.14-runtime.jar";
/// Names of test classes: those of Petrel, and the usual ones.
const CLASSES: &str = "--include-classname=.*PetrelTest";
const USUAL_CLASSES: &str = "--include-classname=.*Tests?";
/// javac takes no longer for a folder of sources.
const MOST_COMPILING: Duration = Duration::from_secs(120);
/// What builds of libraries open for their tests.
const OPEN: [&str; 4] = [
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "--add-opens=java.base/java.time=ALL-UNNAMED",
];

/// In which order tests run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As JUnit likes.
    Usual,
    /// By names, backwards.
    Reverse,
    /// By chance, from a seed.
    Random(u64),
}

/// What puts tests in reverse order, as source.
const REVERSE_ORDER: &str = include_str!("suite/ReverseOrder.java");

impl Order {
    /// The classes that put test methods and test classes in order, if it is not as usual.
    fn orderers(self) -> Option<[&'static str; 2]> {
        match self {
            Order::Usual => None,
            Order::Reverse => Some(["ReverseOrder", "ReverseOrder"]),
            Order::Random(_) => Some([
                "org.junit.jupiter.api.MethodOrderer$Random",
                "org.junit.jupiter.api.ClassOrderer$Random",
            ]),
        }
    }
}

/// How tests ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passed {
    /// Tests that passed.
    pub passed: usize,
    /// Tests that did not.
    pub failed: usize,
    /// What JUnit says of those that did not.
    pub failures: String,
}

/// Test classes in a folder, with the classes that they test.
#[derive(Debug)]
pub struct Suite<'a> {
    jdk: &'a Jdk,
    /// The compiled tests.
    tests: PathBuf,
    class_path: Vec<PathBuf>,
    names: &'static str,
    options: &'static [&'static str],
}

impl<'a> Suite<'a> {
    /// Compiles all source files below a folder into another one.
    ///
    /// # Errors
    ///
    /// If javac refuses: what it says.
    pub fn compile(
        jdk: &'a Jdk,
        sources: &Path,
        tests: &Path,
        class_path: &[PathBuf],
        limit: Duration,
    ) -> Result<Suite<'a>, String> {
        let suite =
            Suite { names: CLASSES, options: &[], ..Suite::published(jdk, tests, class_path) };
        let mut files = files_below(sources, "java");
        fs::create_dir_all(tests).map_err(|error| error.to_string())?;
        if files.is_empty() {
            return Ok(suite);
        }
        let reverse = tests.join("ReverseOrder.java");
        fs::write(&reverse, REVERSE_ORDER).map_err(|error| error.to_string())?;
        files.push(reverse);
        let list = tests.join("sources");
        let lines: Vec<String> =
            files.iter().map(|file| format!("\"{}\"\n", file.display())).collect();
        fs::write(&list, lines.concat()).map_err(|error| error.to_string())?;
        let mut argument = OsString::from("@");
        argument.push(&list);
        let mut command = Command::new(tool(jdk, "javac"));
        command.args(["-encoding", "UTF-8", "-proc:none", "-nowarn", "-XDsuppressNotes", "-cp"]);
        command.arg(joined(&suite.class_path)?).arg("-d").arg(tests).arg(argument);
        let ended = binary::run(&mut command, limit)?;
        match ended.status {
            Some(0) => Ok(suite),
            _ => Err(format!("javac refuses written tests: {}", ended.describe())),
        }
    }

    /// Tests that are compiled, in a folder or jar.
    pub fn published(jdk: &'a Jdk, tests: &Path, class_path: &[PathBuf]) -> Suite<'a> {
        let launcher = jar_file(LAUNCHER);
        let class_path = class_path.iter().cloned().chain([launcher]).collect();
        Suite { jdk, tests: tests.to_owned(), class_path, names: USUAL_CLASSES, options: &OPEN }
    }

    /// The folder with the compiled tests.
    pub fn tests(&self) -> &Path {
        &self.tests
    }

    /// Runs all tests in one JVM, in a folder. JaCoCo may note what is executed of classes, given by names with dots,
    /// in a file.
    ///
    /// # Errors
    ///
    /// If the JVM does not come to an end with a count.
    pub fn run(
        &self,
        folder: &Path,
        order: Order,
        noted: Option<(&[String], &Path)>,
        limit: Duration,
    ) -> Result<Passed, String> {
        fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        let mut class_path = vec![self.tests.clone()];
        class_path.extend(self.class_path.iter().cloned());
        let mut command = Command::new(tool(self.jdk, "java"));
        command.args(noted.map(|(classes, executed)| agent(classes, executed)));
        command.args(self.options).args(["-ea", "-Xmx1g", "-Djava.awt.headless=true", "-cp"]);
        command.arg(joined(&class_path)?);
        command.args(["org.junit.platform.console.ConsoleLauncher", "execute"]);
        command.args([
            "--disable-banner",
            "--disable-ansi-colors",
            "--details=summary",
            self.names,
        ]);
        for (what, orderer) in
            ["testmethod", "testclass"].iter().zip(order.orderers().iter().flatten())
        {
            command.arg("--config");
            command.arg(format!("junit.jupiter.{what}.order.default={orderer}"));
        }
        if let Order::Random(seed) = order {
            command
                .args(["--config", &format!("junit.jupiter.execution.order.random.seed={seed}")]);
        }
        command.arg("--scan-class-path").arg(&self.tests).current_dir(folder);
        let ended = binary::run(&mut command, limit)?;
        let count = |what: &str| {
            let line = ended.stdout.lines().rev().find(|line| line.contains(what))?;
            line.split_whitespace().nth(1)?.parse::<usize>().ok()
        };
        match (count("tests successful"), count("tests failed")) {
            (Some(passed), Some(failed)) => {
                let failures = if failed > 0 { first_lines(&ended.stdout) } else { String::new() };
                Ok(Passed { passed, failed, failures })
            }
            _ => Err(format!("JUnit: {}\n{}", ended.describe(), first_lines(&ended.stdout))),
        }
    }
}

/// The option of the JVM that makes JaCoCo take notes.
fn agent(classes: &[String], executed: &Path) -> OsString {
    let mut agent = OsString::from("-javaagent:");
    agent.push(jar_file(AGENT));
    agent.push("=append=false,destfile=");
    agent.push(executed);
    agent.push(format!(",includes={}", classes.join(":")));
    agent
}

/// Failures come first, and then the stacks of their exceptions.
fn first_lines(text: &str) -> String {
    const MOST: usize = 60;
    let is_frame = |line: &&str| line.trim_start().starts_with("org.junit.");
    text.lines().filter(|line| !is_frame(line)).take(MOST).collect::<Vec<_>>().join("\n")
}

fn joined(paths: &[PathBuf]) -> Result<OsString, String> {
    std::env::join_paths(paths).map_err(|error| error.to_string())
}

/// The classes of the sources below a folder, compiled.
///
/// # Panics
///
/// If javac refuses them.
pub fn compiled_sources(sources: &Path) -> Scratch {
    let scratch = Scratch::new();
    let mut command = Command::new(tool(&jdk(), "javac"));
    command.args(["-g", "-proc:none", "-d"]).arg(scratch.path());
    let ended = binary::run(command.args(files_below(sources, "java")), MOST_COMPILING)
        .expect("the program starts and ends");
    assert_eq!(ended.status, Some(0), "{}", ended.describe());
    scratch
}

/// All files below a folder whose names end so, sorted.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort_unstable();
    files
}
