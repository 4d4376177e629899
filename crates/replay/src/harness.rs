//! The Java side: compiled by the JDK that will run it, once, into a cache. Other crates that bring Java
//! sources have them compiled in the same way.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use petrel_budget::Alarm;
use petrel_wall::{Allowance, Wall};

use crate::{ReplayError, ReplayOptions};

/// The class with `main`.
pub(crate) const MAIN_CLASS: &str = "petrel.replay.ReplayServer";

macro_rules! sources {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../java/", $name)))),*]
    };
}

const SOURCES: [(&str, &str); 15] = sources![
    "AllocationMeter.java",
    "Builder.java",
    "BuildingCall.java",
    "Calls.java",
    "Capture.java",
    "ExecutionMeter.java",
    "FrameReader.java",
    "FrameWriter.java",
    "Graph.java",
    "Layout.java",
    "Meter.java",
    "NotCallable.java",
    "ReplayServer.java",
    "Statics.java",
    "Worlds.java"
];

/// A command of the JDK in a folder.
///
/// # Errors
///
/// If the JDK does not have it.
pub fn jdk_tool(java_home: &Path, name: &'static str) -> Result<PathBuf, ReplayError> {
    let path = java_home.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let missing = || ReplayError::NoTool { tool: name, home: java_home.to_owned() };
    // The process may be started in another folder.
    if path.is_file() { std::path::absolute(path).map_err(|_| missing()) } else { Err(missing()) }
}

/// A command of the JDK that does not depend on the user's environment, from which Java takes options
/// and the encoding of file names. A key that interrupts this process does not reach it: who has started
/// it decides what becomes of it.
pub fn jdk_command(tool: &Path) -> Command {
    independent(Command::new(tool))
}

/// Makes folders that are not there.
pub(crate) fn make_folders(folders: &[PathBuf]) -> Result<(), ReplayError> {
    for path in folders {
        let refused = |source| ReplayError::Cache { path: path.clone(), source };
        fs::create_dir_all(path).map_err(refused)?;
    }
    Ok(())
}

/// The command that starts a JVM for code under test, which is behind a wall if there is one.
pub fn jvm_command(java: &Path, wall: Option<&(Wall, Allowance)>) -> Command {
    independent(match wall {
        Some((wall, allowance)) => wall.command(java, allowance),
        None => Command::new(java),
    })
}

fn independent(mut command: Command) -> Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "_JAVA_OPTIONS"]
    {
        command.env_remove(variable);
    }
    command.env("LC_ALL", "C.UTF-8");
    command
}

/// Runs a command to its end, or until an alarm is raised: then it is killed. What it says on its standard output is not
/// kept.
///
/// # Errors
///
/// If it cannot be run.
pub fn run_to_end(command: &mut Command, alarm: &Alarm) -> io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let errors = child.stderr.take();
    let child = Arc::new(Mutex::new(child));
    let killed = Arc::clone(&child);
    let _listener = alarm.on_raise(move |_| {
        // Nothing happens if it has ended by itself.
        let _ = lock(&killed).kill();
    });
    let mut stderr = Vec::new();
    if let Some(mut errors) = errors {
        errors.read_to_end(&mut stderr)?;
    }
    let status = lock(&child).wait()?;
    Ok(Output { status, stdout: Vec::new(), stderr })
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder with the classes of the Java side, compiled if they are not there yet.
pub(crate) fn classes(options: &ReplayOptions) -> Result<PathBuf, ReplayError> {
    compile_once(&options.java_home, options.feature_version, "replay", &SOURCES, &options.alarm)
}

/// The folder with the classes of Java sources that come with Petrel, given as relative paths and texts;
/// they are compiled by the JDK if that has not been done yet. The name is the one of their folder in the cache.
///
/// # Errors
///
/// If the JDK does not compile them, the cache cannot be written, or the alarm is raised.
pub fn compile_once(
    java_home: &Path,
    feature_version: u16,
    name: &str,
    sources: &[(&str, &str)],
    alarm: &Alarm,
) -> Result<PathBuf, ReplayError> {
    let folder = cache_folder()?.join(name);
    let classes = folder.join(format!("{:016x}-jdk{feature_version}", hash_of(sources)));
    if !classes.is_dir() {
        compile(java_home, sources, &folder, &classes, alarm)?;
    }
    Ok(classes)
}

/// Compiles into a folder of its own and then renames it: nobody ever sees half of the classes.
fn compile(
    java_home: &Path,
    sources: &[(&str, &str)],
    folder: &Path,
    classes: &Path,
    alarm: &Alarm,
) -> Result<(), ReplayError> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let scratch = folder.join(format!("making-{}-{number}", std::process::id()));
    let made = compile_into(java_home, sources, &scratch, alarm).and_then(|made| {
        match fs::rename(&made, classes) {
            // Somebody else was faster; what they made is the same.
            Err(_) if classes.is_dir() => Ok(()),
            renamed => renamed.map_err(cannot_write(classes)),
        }
    });
    // What is left there is of no use; if it stays, it does no harm.
    let _ = fs::remove_dir_all(&scratch);
    made
}

fn compile_into(
    java_home: &Path,
    sources: &[(&str, &str)],
    scratch: &Path,
    alarm: &Alarm,
) -> Result<PathBuf, ReplayError> {
    let javac = jdk_tool(java_home, "javac")?;
    let (source, made) = (scratch.join("source"), scratch.join("classes"));
    fs::create_dir_all(&made).map_err(cannot_write(&made))?;
    let mut command = jdk_command(&javac);
    command.args(["-J-Xshare:auto", "-J-XX:TieredStopAtLevel=1"]);
    command.args(["-encoding", "UTF-8", "-proc:none", "-nowarn", "-d"]).arg(&made);
    for (name, text) in sources {
        let file = source.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(cannot_write(folder))?;
        }
        fs::write(&file, text).map_err(cannot_write(&file))?;
        command.arg(file);
    }
    let output = run_to_end(&mut command, alarm)
        .map_err(|source| ReplayError::Spawn { program: javac.clone(), source })?;
    if alarm.is_raised() {
        return Err(ReplayError::Stopped);
    }
    if output.status.success() {
        return Ok(made);
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(ReplayError::Compile { home: java_home.to_owned(), message })
}

fn cannot_write(path: &Path) -> impl FnOnce(io::Error) -> ReplayError {
    let path = path.to_owned();
    move |source| ReplayError::Cache { path, source }
}

/// FNV-1a, which is the same everywhere and for ever.
fn hash_of(sources: &[(&str, &str)]) -> u64 {
    let texts = sources.iter().flat_map(|(name, text)| [*name, *text]);
    texts.flat_map(|text| text.bytes().chain([0])).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The folder for what is worth keeping; it exists.
fn cache_folder() -> Result<PathBuf, ReplayError> {
    let (folder, is_private) = chosen_folder(|name| std::env::var_os(name));
    // The JVM may run in another folder than this process.
    let folder = std::path::absolute(&folder).map_err(cannot_write(&folder))?;
    fs::create_dir_all(&folder).map_err(cannot_write(&folder))?;
    if is_private || belongs_to_us(&folder).map_err(cannot_write(&folder))? {
        Ok(folder)
    } else {
        Err(ReplayError::ForeignCache { path: folder })
    }
}

/// The folder, and whether only the user is expected to write there.
fn chosen_folder(variable: impl Fn(&str) -> Option<OsString>) -> (PathBuf, bool) {
    let folder = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let chosen = folder("PETREL_CACHE")
        .or_else(|| Some(folder("XDG_CACHE_HOME")?.join("petrel")))
        .or_else(|| Some(folder("HOME")?.join(".cache").join("petrel")));
    match chosen {
        Some(folder) => (folder, true),
        None => (std::env::temp_dir().join("petrel-cache"), false),
    }
}

/// In the folder for temporary files anybody could have put classes for us to run.
#[cfg(unix)]
fn belongs_to_us(folder: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let probe = folder.join(format!("owner-{}", std::process::id()));
    if fs::write(&probe, "").is_err() {
        return Ok(false);
    }
    let us = fs::metadata(&probe)?.uid();
    fs::remove_file(&probe)?;
    let folder = fs::metadata(folder)?;
    Ok(folder.uid() == us && folder.mode() & 0o022 == 0)
}

#[cfg(not(unix))]
fn belongs_to_us(_: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_where_the_environment_says() {
        let chosen = |set: &[(&str, &str)]| {
            let variable = |name: &str| {
                set.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).into())
            };
            chosen_folder(variable)
        };
        let all = [("PETREL_CACHE", "a"), ("XDG_CACHE_HOME", "b"), ("HOME", "c")];
        assert_eq!(chosen(&all), ("a".into(), true));
        assert_eq!(chosen(&all[1..]), ("b/petrel".into(), true));
        assert_eq!(chosen(&all[2..]), ("c/.cache/petrel".into(), true));
        assert!(!chosen(&[("PETREL_CACHE", "")]).1);
    }
}
