//! The JVMTI agent that counts instructions for `petrel_replay`: compiled by the C compiler of this
//! machine when it is needed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use petrel_classpath::{ClassSource, Jdk};

use crate::world::root;

/// The agent for a JDK, in the `build` folder; compiled if it is missing or older than its source.
///
/// # Errors
///
/// If there is no C compiler, the JDK has no headers, or the source does not compile.
pub fn agent(jdk: &Jdk) -> Result<PathBuf, String> {
    let source = root().join("crates/filetests/jvmti/execution.c");
    let folder = root().join("build").join("jvmti");
    let file = format!("execution-jdk{}{}", jdk.feature_version(), std::env::consts::DLL_SUFFIX);
    let library = folder.join(file);
    if is_current(&library, &source) {
        return Ok(library);
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let scratch = scratch_beside(&library);
    let made = compile(jdk, &source, &scratch).and_then(|()| {
        // Nobody ever loads half of a library.
        fs::rename(&scratch, &library).map_err(|error| format!("{}: {error}", library.display()))
    });
    if made.is_err() {
        // It may not even be there.
        let _ = fs::remove_file(&scratch);
    }
    made.map(|()| library)
}

fn is_current(library: &Path, source: &Path) -> bool {
    let changed = |path: &Path| -> Option<SystemTime> { fs::metadata(path).ok()?.modified().ok() };
    changed(library).is_some_and(|made| changed(source).is_some_and(|written| made > written))
}

/// A name that no other thread or process uses.
fn scratch_beside(library: &Path) -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    library.with_extension(format!("{}-{number}", std::process::id()))
}

fn compile(jdk: &Jdk, source: &Path, library: &Path) -> Result<(), String> {
    let include = jdk.home().join("include");
    if !include.join("jvmti.h").is_file() {
        return Err(format!("{} has no jvmti.h; `make setup` installs a full JDK", jdk.describe()));
    }
    // The JDK's name for the system is the folder of its headers.
    let system = if std::env::consts::OS == "macos" { "darwin" } else { std::env::consts::OS };
    let output = Command::new("cc")
        .args(["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"])
        .arg(&include)
        .arg("-I")
        .arg(include.join(system))
        .arg("-o")
        .arg(library)
        .arg(source)
        .output()
        .map_err(|error| format!("cc: {error}; `make setup` installs a C compiler"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} does not compile:\n{said}", source.display()))
}
