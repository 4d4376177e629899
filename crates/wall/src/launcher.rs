//! The launcher: it reads what is wanted from its arguments, and becomes the program.

use std::ffi::OsString;

use crate::{Allowance, Namespace, Protection, WallError};

/// The first argument of a program that is to be the launcher.
pub(crate) const LAUNCHER: &str = "__behind-wall";

/// What the launcher is asked for: to tell what the system offers, or to run a program.
pub(crate) const PROBE: &str = "probe";
pub(crate) const RUN: &str = "run";

/// What a program is run with. The options follow the two words of the protection; the last one is the program, and what
/// follows it are its arguments.
pub(crate) const WRITABLE: &str = "--writable";
pub(crate) const ADDRESS_SPACE: &str = "--address-space";
pub(crate) const FILE_SIZE: &str = "--file-size";
pub(crate) const PROCESSES: &str = "--processes";
pub(crate) const PROGRAM: &str = "--";

/// A program, and what it may do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) protection: Protection,
    pub(crate) allowance: Allowance,
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
}

/// What to do instead of what a program is for, if its arguments (without its name) are those of a launcher. If it is asked what the system offers, the answer
/// is to be printed; if it is to run a program, this process becomes it. It must have one thread.
///
/// # Errors
///
/// If a right cannot be given up, or the program cannot be executed. Then this process is to end.
pub fn launched(
    mut arguments: impl Iterator<Item = OsString>,
) -> Option<Result<String, WallError>> {
    arguments.next().filter(|first| first == LAUNCHER)?;
    Some(run_launcher(arguments))
}

fn run_launcher(mut arguments: impl Iterator<Item = OsString>) -> Result<String, WallError> {
    match arguments.next() {
        Some(asked) if asked == PROBE => Ok(system::probe().words().join(" ")),
        Some(asked) if asked == RUN => Err(system::run(&request(arguments)?)),
        asked => Err(unknown(asked)),
    }
}

fn request(mut arguments: impl Iterator<Item = OsString>) -> Result<Request, WallError> {
    let protection = protection(arguments.next(), arguments.next())?;
    let mut allowance =
        Allowance { writable: Vec::new(), address_space: 0, file_size: 0, processes: 0 };
    loop {
        let name = arguments.next();
        let Some(value) = arguments.next() else { return Err(unknown(name)) };
        match name.as_deref().and_then(|name| name.to_str()) {
            Some(WRITABLE) => allowance.writable.push(value.into()),
            Some(ADDRESS_SPACE) => allowance.address_space = number(value)?,
            Some(FILE_SIZE) => allowance.file_size = number(value)?,
            Some(PROCESSES) => allowance.processes = number(value)?,
            Some(PROGRAM) => {
                let arguments = arguments.collect();
                return Ok(Request { protection, allowance, program: value, arguments });
            }
            _ => return Err(unknown(name)),
        }
    }
}

fn protection(
    namespace: Option<OsString>,
    landlock: Option<OsString>,
) -> Result<Protection, WallError> {
    let word = namespace.as_deref().and_then(|word| word.to_str());
    let Some(namespace) = word.and_then(Namespace::parse) else { return Err(unknown(namespace)) };
    let Some(landlock) = landlock else { return Err(unknown(None)) };
    Ok(Protection { namespace, landlock: number(landlock)? })
}

fn number<N: std::str::FromStr>(argument: OsString) -> Result<N, WallError> {
    let number = argument.to_str().and_then(|text| text.parse().ok());
    number.ok_or_else(|| unknown(Some(argument)))
}

fn unknown(argument: Option<OsString>) -> WallError {
    let argument = argument.map(|argument| argument.display().to_string());
    WallError::Argument { argument: argument.unwrap_or_else(|| "the end".to_owned()) }
}

#[cfg(target_os = "linux")]
use crate::linux as system;

/// Elsewhere nothing is offered, and no program is started by a launcher.
#[cfg(not(target_os = "linux"))]
mod system {
    use super::Request;
    use crate::{Protection, WallError};

    pub(super) fn probe() -> Protection {
        Protection::default()
    }

    pub(super) fn run(_: &Request) -> WallError {
        let message = "this system has none".to_owned();
        WallError::Step { what: "build a sandbox", message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wall;
    use std::path::Path;

    fn read(words: &[&str]) -> Result<Request, WallError> {
        request(words.iter().map(OsString::from))
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn commands_read_back() {
        let protection = Protection { namespace: Namespace::UserAndNetwork, landlock: 7 };
        let allowance = Allowance {
            writable: vec!["/a b".into(), "--".into()],
            address_space: u64::MAX,
            file_size: 1,
            processes: 2,
        };
        let wall = Wall::with(Path::new("petrel"), protection);
        let mut command = wall.command(Path::new("/bin/java"), &allowance);
        command.args(["--", "--writable", "/"]);
        let arguments: Vec<OsString> = command.get_args().map(OsString::from).collect();
        assert_eq!(arguments[..2], [LAUNCHER, RUN]);
        let expected = Request {
            protection,
            allowance,
            program: "/bin/java".into(),
            arguments: ["--", "--writable", "/"].map(OsString::from).into(),
        };
        assert_eq!(request(arguments.into_iter().skip(2)).unwrap(), expected);
    }

    #[test]
    fn nothing_runs_with_rights_that_are_not_understood() {
        let wrong: [&[&str]; 7] = [
            &[],
            &["network"],
            &["other", "7", "--", "java"],
            &["network", "7"],
            &["network", "7", "--"],
            &["network", "7", "--file-size", "many", "--", "java"],
            &["network", "7", "--unknown", "1", "--", "java"],
        ];
        for words in wrong {
            let read = read(words);
            assert!(matches!(read, Err(WallError::Argument { .. })), "{words:?}: {read:?}");
        }
        let nothing = run_launcher(["sing"].map(OsString::from).into_iter());
        assert!(matches!(nothing, Err(WallError::Argument { .. })), "{nothing:?}");
    }
}
