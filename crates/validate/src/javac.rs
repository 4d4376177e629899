//! The compiler.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use petrel_replay::{jdk_command, jdk_tool};

use crate::scratch::Scratch;
use crate::{Options, TestSource, ValidateError};

/// How long the compiler may take, and how much longer for each source.
const TIME_LIMIT: Duration = Duration::from_secs(60);
const TIME_LIMIT_PER_SOURCE: Duration = Duration::from_secs(1);
/// How often it is looked whether the caller wants to stop.
const PAUSE: Duration = Duration::from_millis(50);
/// The file that names the sources.
const ARGUMENT_FILE: &str = "sources.txt";

/// What a compiler has made of sources.
pub(crate) enum Made {
    /// Classes.
    Classes,
    /// Errors; this is what it said.
    Errors(String),
}

/// `javac` with a class path and a folder for its classes.
pub(crate) struct Javac<'a> {
    options: &'a Options,
    program: PathBuf,
    class_path: OsString,
    classes: PathBuf,
    empty_folder: PathBuf,
}

impl<'a> Javac<'a> {
    /// A compiler that puts its classes into a folder.
    pub(crate) fn new(
        options: &'a Options,
        class_path: &[PathBuf],
        classes: PathBuf,
        scratch: &Scratch,
    ) -> Result<Javac<'a>, ValidateError> {
        let program = jdk_tool(&options.java_home, "javac")?;
        let class_path = std::env::join_paths(class_path).map_err(|error| {
            let path = class_path.iter().map(|path| path.display().to_string());
            let path = path.collect::<Vec<_>>().join(" and ");
            ValidateError::ClassPath { path, reason: error.to_string() }
        })?;
        let empty_folder = scratch.folder("empty")?;
        Ok(Javac { options, program, class_path, classes, empty_folder })
    }

    /// Compiles files that are named relative to the scratch folder, for a release that
    /// [`Javac::release_for`] gives.
    pub(crate) fn compile(
        &self,
        scratch: &Scratch,
        release: Option<u16>,
        files: &[&Path],
    ) -> Result<Made, ValidateError> {
        let names: String = files.iter().map(|file| quoted(file)).collect();
        scratch.write(Path::new(ARGUMENT_FILE), &names)?;
        let mut command = jdk_command(&self.program);
        command.current_dir(scratch.path());
        command.args(["-J-Xshare:auto", "-J-XX:TieredStopAtLevel=1", "-J-XX:-UsePerfData"]);
        // What it says is read here: it has to be English.
        command.args(["-J-Duser.language=en", "-J-Duser.country=US"]);
        command.args(["-encoding", "UTF-8", "-proc:none", "-nowarn", "-Xlint:-options"]);
        command.args(["-Xmaxerrs", "1000000"]);
        // Errors of all kinds at once, as far as they do not depend on each other; the option has had two
        // names, and unknown ones do no harm.
        command.args(["-XDshould-stop.ifError=FLOW", "-XDshouldStopPolicyIfError=FLOW"]);
        if let Some(release) = release {
            command.arg("--release").arg(release.to_string());
        }
        // Plug-ins of the compiler would run with all rights: those of the class path are found nowhere.
        command.arg("-processorpath").arg(&self.empty_folder);
        // Sources that lie about on the class path are none of our business.
        command.arg("-implicit:none").arg("-sourcepath").arg(&self.empty_folder);
        command.arg("-cp").arg(&self.class_path).arg("-d").arg(&self.classes);
        command.arg(format!("@{ARGUMENT_FILE}"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|source| self.failed(source))?;
        let limit = TIME_LIMIT + TIME_LIMIT_PER_SOURCE * u32::try_from(files.len()).unwrap_or(0);
        let errors = child.stderr.take();
        let said = errors.map_or(Ok(None), |errors| self.listen(errors, limit));
        if !matches!(said, Ok(Some(_))) {
            // Nothing happens if it has just ended by itself.
            let _ = child.kill();
        }
        let status = child.wait().map_err(|source| self.failed(source))?;
        Ok(match said? {
            Some(_) if status.success() => Made::Classes,
            Some(said) => Made::Errors(said),
            None => Made::Errors("the compiler takes too long".to_owned()),
        })
    }

    /// What the compiler says until it ends; `None` if its time is over before.
    fn listen(
        &self,
        mut errors: ChildStderr,
        limit: Duration,
    ) -> Result<Option<String>, ValidateError> {
        let (send, receive) = channel();
        std::thread::spawn(move || {
            let mut said = Vec::new();
            let _ = errors.read_to_end(&mut said);
            let _ = send.send(said);
        });
        let started = Instant::now();
        loop {
            match receive.recv_timeout(PAUSE) {
                Ok(said) => return Ok(Some(String::from_utf8_lossy(&said).into_owned())),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    if self.options.alarm.is_raised() {
                        return Err(ValidateError::Stopped);
                    }
                    if started.elapsed() > limit {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// The release that a source is compiled for, if it is not the JDK's.
    pub(crate) fn release_for(&self, source: &TestSource) -> Option<u16> {
        known_release(self.options.feature_version, source.release)
    }

    fn failed(&self, source: std::io::Error) -> ValidateError {
        ValidateError::Compiler { program: self.program.clone(), source }
    }
}

/// The release that the compiler of a JDK has to be told for sources of a version of Java, if any: that of the JDK
/// itself goes without saying, and what is older than all it knows becomes the oldest.
fn known_release(feature_version: u16, wanted: Option<u16>) -> Option<u16> {
    let oldest = match feature_version {
        // It has no option for it.
        ..=8 => return None,
        9..=11 => 6,
        12..=19 => 7,
        20.. => 8,
    };
    wanted.map(|release| release.max(oldest)).filter(|release| *release < feature_version)
}

/// A line of an argument file.
fn quoted(file: &Path) -> String {
    let name = file.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{name}\"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_is_one_that_the_compiler_knows() {
        assert_eq!(known_release(17, None), None);
        assert_eq!(known_release(17, Some(11)), Some(11));
        assert_eq!(known_release(11, Some(5)), Some(6));
        assert_eq!(known_release(17, Some(5)), Some(7));
        assert_eq!(known_release(25, Some(5)), Some(8));
        assert_eq!(known_release(17, Some(17)), None);
        assert_eq!(known_release(17, Some(21)), None);
        assert_eq!(known_release(8, Some(7)), None);
    }

    #[test]
    fn names_of_files_are_quoted() {
        assert_eq!(quoted(Path::new("a b\\c\"")), "\"a b\\\\c\\\"\"\n");
    }
}
