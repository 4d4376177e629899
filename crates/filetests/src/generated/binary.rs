//! Runs the `petrel` binary of this build, for a limited time.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::scratch::Scratch;
use crate::world::root;

/// What the binary may have of memory, in kilobytes: addresses, of which a JVM takes more than it uses.
const MOST_MEMORY: &str = "12000000";
/// How often it is looked whether a process has ended.
const LOOK: Duration = Duration::from_millis(5);

/// The binary that was built with the program that asks.
///
/// # Errors
///
/// If there is none: Cargo builds only binaries of packages that it is asked for.
pub fn petrel() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let file = format!("petrel{}", std::env::consts::EXE_SUFFIX);
    // A program is beside it, a test in a folder beside it.
    let folders = own.ancestors().skip(1).take(2);
    let found = folders.map(|folder| folder.join(&file)).find(|path| path.is_file());
    found.ok_or_else(|| {
        format!(
            "there is no {file} near {}; `cargo build -p petrel-cli`, with the profile of the tests, builds it",
            own.display()
        )
    })
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Exit status; `None` if a signal ended it, or the time was over.
    pub status: Option<i32>,
    /// Whether it was ended because it took too long.
    pub is_late: bool,
    /// What it printed.
    pub stdout: String,
    /// Its messages.
    pub stderr: String,
    /// How long it ran.
    pub elapsed: Duration,
}

impl Ended {
    /// Status and last messages, for those who look for the reason.
    pub fn describe(&self) -> String {
        let how = match self.status {
            Some(status) => format!("status {status}"),
            None if self.is_late => format!("still running after {} s", self.elapsed.as_secs()),
            None => "ended by a signal".to_owned(),
        };
        let lines: Vec<&str> = self.stderr.lines().collect();
        let last = &lines[lines.len().saturating_sub(20)..];
        format!("{how}\n{}", last.join("\n"))
    }
}

/// Runs a command. What it prints goes through files, so that it can be any amount.
///
/// # Errors
///
/// If it does not start.
pub fn run(command: &mut Command, limit: Duration) -> Result<Ended, String> {
    let scratch = Scratch::new();
    let [out, err] = ["stdout", "stderr"].map(|name| scratch.path().join(name));
    let started = Instant::now();
    let mut child = start(command, &out, &err).map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        format!("{program}: {error}")
    })?;
    let status = wait(&mut child, started + limit).map_err(|error| error.to_string())?;
    let text = |path: &Path| {
        fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    };
    Ok(Ended {
        status: status.and_then(|status| status.code()),
        is_late: status.is_none(),
        stdout: text(&out),
        stderr: text(&err),
        elapsed: started.elapsed(),
    })
}

fn start(command: &mut Command, out: &Path, err: &Path) -> std::io::Result<Child> {
    command.stdin(Stdio::null()).stdout(File::create(out)?).stderr(File::create(err)?).spawn()
}

/// Waits for a process until some moment, and ends it then; its status, if it ended by itself.
fn wait(child: &mut Child, until: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    }
}

/// `petrel generate --json` in the folder of the checkout.
///
/// # Errors
///
/// If there is no binary, or it does not start.
pub fn generate(
    output: &Path,
    class_path: &Path,
    more: impl IntoIterator<Item = impl AsRef<OsStr>>,
    limit: Duration,
) -> Result<Ended, String> {
    run(&mut command(output, class_path, more)?, limit)
}

/// The command `petrel generate --json`, in the folder of the checkout. Its memory is limited: else a mistake would end
/// other processes of the machine, too.
///
/// # Errors
///
/// If there is no binary.
pub fn command(
    output: &Path,
    class_path: &Path,
    more: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<Command, String> {
    let binary = petrel()?;
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v \"$0\" && exec \"$@\"", MOST_MEMORY]).arg(binary);
        shell
    } else {
        Command::new(binary)
    };
    command.args(["generate", "--json", "-o"]).arg(output).arg("-c").arg(class_path).args(more);
    command.current_dir(root());
    Ok(command)
}
