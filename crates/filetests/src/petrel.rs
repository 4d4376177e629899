//! Runs the `petrel` binary. Tests of the command line crate know where it is.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use petrel_classpath::Jdk;

use crate::documents;
use crate::world::root;

/// The binary.
#[derive(Debug, Clone)]
pub struct Petrel(PathBuf);

/// What a run of the binary left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// Its messages.
    pub stderr: String,
}

impl Petrel {
    /// The binary in this file: `env!("CARGO_BIN_EXE_petrel")`.
    pub fn new(binary: impl Into<PathBuf>) -> Petrel {
        Petrel(binary.into())
    }

    /// Runs it in the folder of the checkout. JSON that it answers with, or saves, fits its schema.
    ///
    /// # Panics
    ///
    /// If it does not start, or what it writes does not fit.
    pub fn run(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Finished {
        let arguments: Vec<_> = arguments.into_iter().collect();
        let output = Command::new(&self.0)
            .args(&arguments)
            .current_dir(root())
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}", self.0.display()));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let finished = Finished {
            status: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        };
        if matches!(finished.status, Some(0 | 1)) {
            check(&arguments, &finished);
        }
        finished
    }

    /// The Prolog program of a class and what it reaches.
    ///
    /// # Errors
    ///
    /// If there is any message, or the exit status is not 0.
    pub fn prolog(&self, jdk: &Jdk, folder: &OsStr, class: &str) -> Result<String, String> {
        let jdk = jdk.home().as_os_str();
        let (options, class) =
            (["translate", "--prolog", "--jdk"].map(OsStr::new), OsStr::new(class));
        let rest = [jdk, OsStr::new("-c"), folder, class];
        let finished = self.run(options.into_iter().chain(rest));
        match finished {
            Finished { status: Some(0), stdout, stderr } if stderr.is_empty() => Ok(stdout),
            Finished { status, stderr, .. } => Err(format!("petrel: status {status:?}\n{stderr}")),
        }
    }
}

/// Checks what a run that came to its end wrote.
fn check(arguments: &[impl AsRef<OsStr>], finished: &Finished) {
    if let Some(schema) = documents::asked_for(arguments) {
        documents::check(schema, &finished.stdout);
    }
    if let Some(path) = documents::saved_to(arguments) {
        let path = root().join(path);
        let saved = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        documents::check("saved", &saved);
    }
}
