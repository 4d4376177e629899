//! Finding a JDK on the machine.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::{Jdk, Layout};
use crate::SourceError;

/// The part of the process environment that leads to a JDK.
///
/// It is a value of its own so that the search can be tested, and so that it is read once.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// The variable `JAVA_HOME`.
    pub java_home: Option<OsString>,
    /// The variable `PATH`.
    pub path: Option<OsString>,
}

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        Self { java_home: std::env::var_os("JAVA_HOME"), path: std::env::var_os("PATH") }
    }
}

impl Jdk {
    /// Finds the JDK to use: `explicit` if given, else what `JAVA_HOME` says, else the one whose
    /// `java` is first on `PATH`.
    ///
    /// # Errors
    ///
    /// If there is none. What is stated explicitly is never passed over for something else: if
    /// `explicit` or `JAVA_HOME` is not a JDK, that is the error.
    pub fn locate(explicit: Option<&Path>) -> Result<Self, SourceError> {
        Self::locate_in(explicit, &Environment::of_process())
    }

    /// Like [`locate`](Self::locate), in a given environment.
    ///
    /// # Errors
    ///
    /// As for [`locate`](Self::locate).
    pub fn locate_in(
        explicit: Option<&Path>,
        environment: &Environment,
    ) -> Result<Self, SourceError> {
        if let Some(home) = explicit {
            return Self::open(home);
        }
        if let Some(home) = non_empty(environment.java_home.as_deref()) {
            let home = Path::new(home);
            let description = format!("{}, to which JAVA_HOME is set,", home.display());
            return Self::open_described(home, description);
        }
        let Some(path) = non_empty(environment.path.as_deref()) else {
            let tried = "neither JAVA_HOME nor PATH is set".to_owned();
            return Err(SourceError::NoJdk { tried });
        };
        // Wrappers of version managers are called java, too, but do not lie in a JDK. They are
        // named in the message and the search goes on.
        let mut strays = Vec::new();
        for folder in std::env::split_paths(path) {
            let java = folder.join(format!("java{}", std::env::consts::EXE_SUFFIX));
            if java.is_file() {
                match home_of(&java) {
                    Some(home) => return Self::open(&home),
                    None => strays.push(java.display().to_string()),
                }
            }
        }
        let tried = if strays.is_empty() {
            "JAVA_HOME is not set and there is no java on PATH".to_owned()
        } else {
            format!("JAVA_HOME is not set and {} does not lie in a JDK", strays.join(", "))
        };
        Err(SourceError::NoJdk { tried })
    }
}

fn non_empty(value: Option<&OsStr>) -> Option<&OsStr> {
    value.filter(|value| !value.is_empty())
}

/// The JDK that a `java` command belongs to, symbolic links resolved.
fn home_of(java: &Path) -> Option<PathBuf> {
    let java = std::fs::canonicalize(java).ok()?;
    let bin = java.parent()?;
    let home = bin.parent().filter(|_| bin.ends_with("bin"))?;
    // A JDK 8 has a second java in the JRE that is inside of it.
    let around = home.parent().filter(|_| home.ends_with("jre"));
    around
        .into_iter()
        .chain([home])
        .find(|candidate| Layout::of(candidate).is_some())
        .map(Path::to_owned)
}
