//! Runs the `petrel` binary. Tests of the command line crate know where it is.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use petrel_classpath::Jdk;

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

    /// Runs it in the folder of the checkout.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn run(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Finished {
        let output = Command::new(&self.0)
            .args(arguments)
            .current_dir(root())
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}", self.0.display()));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Finished {
            status: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
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
