//! Tries class files that may run away in a process of its own whose memory is limited, since neither an allocation that
//! fails nor a stack that overflows can be caught. It writes a line to stderr before each case, so that the last ones are
//! known when it dies or hangs.

use std::collections::VecDeque;
use std::fmt::Display;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use petrel_filetests::world::{self, Platform, Progress};

/// Tells a process that it is the limited one.
const LIMITED: &str = "PETREL_LIMITED";
/// Of address space. The process needs a fifth of it.
const MEMORY_LIMIT_KIB: u64 = 1_500_000;
/// For a mutated class, and for one that was made to take long.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(2);
pub(crate) const LONG_TIME_LIMIT: Duration = Duration::from_secs(5);
/// A process that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// What such a process says first.
const STARTED: &str = "the memory is limited";

/// Does something in a process with limited memory that runs just this test, whose path is given.
pub(crate) fn limited(test: &str, work: fn()) {
    if std::env::var_os(LIMITED).is_some() {
        say(STARTED);
        return work();
    }
    let this = std::env::current_exe().expect("a test knows where it is");
    let mut process = Command::new("sh")
        .args(["-c", "ulimit -v \"$0\" && exec \"$@\""])
        .arg(MEMORY_LIMIT_KIB.to_string())
        .arg(this)
        .args(["--exact", test, "--nocapture"])
        .env(LIMITED, "yes")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let messages = BufReader::new(process.stderr.take().expect("stderr is piped"));
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in messages.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let mut last = VecDeque::new();
    let mut has_started = false;
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                has_started |= line == STARTED;
                last.push_back(line);
                if last.len() > 60 {
                    last.pop_front();
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                last.push_back(format!("(silent for {PATIENCE:?}, ended)"));
                let _ = process.kill();
                break;
            }
        }
    }
    let status = process.wait().expect("the process was started");
    let last = Vec::from(last).join("\n");
    assert!(status.success(), "{status}; the last lines are\n{last}");
    assert!(has_started, "there is no test {test}");
}

/// Tries a class file; why it failed, if it panicked or took too long.
pub(crate) fn try_class(
    platform: &Arc<Platform>,
    bytes: &[u8],
    limit: Duration,
) -> Result<Progress, String> {
    let (progress, mut time) = timed(platform, bytes)?;
    if time > limit {
        // Something else may have kept the machine busy.
        time = time.min(timed(platform, bytes)?.1);
    }
    if time > limit {
        return Err(format!("took {time:?}"));
    }
    Ok(progress)
}

fn timed(platform: &Arc<Platform>, bytes: &[u8]) -> Result<(Progress, Duration), String> {
    let start = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| world::exercise(platform, bytes)));
    match outcome {
        Ok(progress) => Ok((progress, start.elapsed())),
        Err(payload) => Err(match payload.downcast::<String>() {
            Ok(message) => *message,
            Err(_) => "panicked".to_owned(),
        }),
    }
}

/// Writes to stderr.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

pub(crate) fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let is_peak = |line: &&str| line.starts_with("VmPeak") || line.starts_with("VmHWM");
    status.lines().filter(is_peak).collect::<Vec<_>>().join(" ")
}
