//! The Java side: compiled by the JDK that will run it, once, into a cache.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// A command of the JDK.
pub(crate) fn tool(options: &ReplayOptions, name: &'static str) -> Result<PathBuf, ReplayError> {
    let home = &options.java_home;
    let path = home.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let missing = || ReplayError::NoTool { tool: name, home: home.clone() };
    if path.is_file() { Ok(path) } else { Err(missing()) }
}

/// A command that does not depend on the user's environment, from which Java takes options and the
/// encoding of file names.
pub(crate) fn java_command(tool: &Path) -> Command {
    let mut command = Command::new(tool);
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "_JAVA_OPTIONS"]
    {
        command.env_remove(variable);
    }
    command.env("LC_ALL", "C.UTF-8");
    command
}

/// The folder with the classes of the Java side, compiled if they are not there yet.
pub(crate) fn classes(options: &ReplayOptions) -> Result<PathBuf, ReplayError> {
    let folder = cache_folder()?.join("replay");
    let name = format!("{:016x}-jdk{}", hash_of_sources(), options.feature_version);
    let classes = folder.join(name);
    if !classes.is_dir() {
        compile(options, &folder, &classes)?;
    }
    Ok(classes)
}

/// Compiles into a folder of its own and then renames it: nobody ever sees half of the classes.
fn compile(options: &ReplayOptions, folder: &Path, classes: &Path) -> Result<(), ReplayError> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let javac = tool(options, "javac")?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let scratch = folder.join(format!("making-{}-{number}", std::process::id()));
    let made = compile_into(options, &javac, &scratch).and_then(|made| {
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
    options: &ReplayOptions,
    javac: &Path,
    scratch: &Path,
) -> Result<PathBuf, ReplayError> {
    let (source, made) = (scratch.join("source"), scratch.join("classes"));
    for folder in [&source, &made] {
        fs::create_dir_all(folder).map_err(cannot_write(folder))?;
    }
    let mut command = java_command(javac);
    command.args(["-J-Xshare:auto", "-J-XX:TieredStopAtLevel=1"]);
    command.args(["-encoding", "UTF-8", "-proc:none", "-nowarn", "-d"]).arg(&made);
    for (name, text) in SOURCES {
        let file = source.join(name);
        fs::write(&file, text).map_err(cannot_write(&file))?;
        command.arg(file);
    }
    let output = command
        .output()
        .map_err(|source| ReplayError::Spawn { program: javac.to_owned(), source })?;
    if output.status.success() {
        return Ok(made);
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(ReplayError::Compile { home: options.java_home.clone(), message })
}

fn cannot_write(path: &Path) -> impl FnOnce(io::Error) -> ReplayError {
    let path = path.to_owned();
    move |source| ReplayError::Cache { path, source }
}

/// FNV-1a, which is the same everywhere and for ever.
fn hash_of_sources() -> u64 {
    let texts = SOURCES.iter().flat_map(|(name, text)| [*name, *text]);
    texts.flat_map(|text| text.bytes().chain([0])).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The folder for what is worth keeping; it exists.
fn cache_folder() -> Result<PathBuf, ReplayError> {
    let (folder, is_private) = chosen_folder(|name| std::env::var_os(name));
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
