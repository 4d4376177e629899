//! The side of who starts programs: what the system offers, and commands that start behind the wall.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::launcher::{
    ADDRESS_SPACE, FILE_SIZE, LAUNCHER, PROBE, PROCESSES, PROGRAM, RUN, WRITABLE,
};
use crate::{Protection, WallError};

/// What a process behind the wall may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// The folders below which it may write.
    pub writable: Vec<PathBuf>,
    /// How many bytes of addresses it may have, used or only kept.
    pub address_space: u64,
    /// How many bytes a file may have that it writes.
    pub file_size: u64,
    /// How many processes and threads there may be behind its wall.
    pub processes: u64,
}

/// A way to start programs behind a wall, as good as the system offers one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wall {
    launcher: PathBuf,
    protection: Protection,
}

impl Wall {
    /// Finds out what the system offers, by a launcher that tries it: a program that asks [`crate::launched`].
    ///
    /// # Errors
    ///
    /// If the launcher does not run.
    pub fn probe(launcher: &Path) -> Result<Wall, WallError> {
        if !cfg!(target_os = "linux") {
            return Ok(Wall::with(launcher, Protection::default()));
        }
        let failed =
            |message: String| WallError::Launcher { launcher: launcher.to_owned(), message };
        let mut command = Command::new(launcher);
        command.arg(LAUNCHER).arg(PROBE).stdin(Stdio::null());
        let output = command.output().map_err(|error| failed(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let protection = Protection::parse(said.trim()).ok_or_else(|| {
            let errors = String::from_utf8_lossy(&output.stderr);
            failed(format!("it says {:?} and {:?}", said.trim(), errors.trim()))
        })?;
        Ok(Wall::with(launcher, protection))
    }

    pub(crate) fn with(launcher: &Path, protection: Protection) -> Wall {
        Wall { launcher: launcher.to_owned(), protection }
    }

    /// A command that starts a program behind the wall; arguments that are added to it are the program's.
    pub fn command(&self, program: &Path, allowance: &Allowance) -> Command {
        if !cfg!(target_os = "linux") {
            return Command::new(program);
        }
        let mut command = Command::new(&self.launcher);
        command.args([LAUNCHER, RUN]).args(self.protection.words());
        let mut option = |name: &str, value: OsString| {
            command.arg(name).arg(value);
        };
        for folder in &allowance.writable {
            option(WRITABLE, folder.into());
        }
        option(ADDRESS_SPACE, allowance.address_space.to_string().into());
        option(FILE_SIZE, allowance.file_size.to_string().into());
        option(PROCESSES, allowance.processes.to_string().into());
        option(PROGRAM, program.into());
        command
    }

    /// What the system does not offer, and what processes behind the wall can therefore do, in one line; `None` if nothing
    /// is missing that matters.
    pub fn gap(&self) -> Option<String> {
        self.protection.gap()
    }
}
