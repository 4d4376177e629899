//! Processes with all that they have started.
//!
//! A process that leads a group of its own and has ended keeps the group's number until somebody asks how it ended.
//! Only until then is it certain who is meant by that number: the group is ended first.

use std::io;
use std::process::{Child, ExitStatus};

/// Whether a process has ended. It is not asked how: that is for [`end_all`].
#[cfg(unix)]
pub fn has_ended(child: &mut Child) -> bool {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let Some(id) = number(child) else { return true };
    // Who cannot be looked at is not there any more.
    !matches!(waitid(Id::Pid(id), look), Ok(WaitStatus::StillAlive))
}

/// Whether a process has ended.
#[cfg(not(unix))]
pub fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Kills a process that leads a group of its own with all that is left of the group, and tells how it ended. It must
/// not have been waited for.
///
/// # Errors
///
/// If nobody knows how it ended.
pub fn end_all(child: &mut Child) -> io::Result<ExitStatus> {
    // Nothing happens if all have ended by themselves.
    #[cfg(unix)]
    if let Some(id) = number(child) {
        let _ = nix::sys::signal::killpg(id, nix::sys::signal::Signal::SIGKILL);
    }
    let _ = child.kill();
    child.wait()
}

#[cfg(unix)]
fn number(child: &Child) -> Option<nix::unistd::Pid> {
    i32::try_from(child.id()).ok().map(nix::unistd::Pid::from_raw)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Command, Stdio};
    use std::time::Duration;

    fn shell(text: &str) -> Child {
        let mut command = Command::new("sh");
        command
            .args(["-c", text])
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("there is a shell")
    }

    #[test]
    fn what_a_process_has_started_ends_with_it() {
        // The shell ends; who holds its output open is the other process.
        let mut child = shell("sleep 60 & exit 3");
        while !has_ended(&mut child) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(end_all(&mut child).unwrap().code(), Some(3));
        let mut said = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut said).unwrap();
        assert!(said.is_empty());
    }

    #[test]
    fn a_process_that_goes_on_is_killed() {
        let mut child = shell("sleep 60; echo late");
        assert!(!has_ended(&mut child));
        assert_eq!(end_all(&mut child).unwrap().signal(), Some(9));
    }
}
