//! Installed JDKs: what version they are and where they keep their classes.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::class_path::jars_in;
use crate::{ClassBytes, ClassSource, JImage, Jar, Jmods, SourceError, names};

mod discovery;

pub use discovery::Environment;

/// The name under which all of `rt.jar` of a JDK 8 goes as a module.
const RT: &str = "rt";

/// An installed JDK, as a source of the platform's classes.
#[derive(Debug)]
pub struct Jdk {
    home: PathBuf,
    feature_version: u16,
    release: Option<String>,
    runtime: Runtime,
}

/// The classes of the platform.
#[derive(Debug)]
enum Runtime {
    /// `lib/modules`.
    Image(JImage),
    /// The folder `jmods`.
    Jmods(Jmods),
    /// `rt.jar` and the jars next to it, each with its name less the extension.
    Jars(Vec<(String, Jar)>),
}

/// Where a folder keeps the classes of the platform.
#[derive(Debug, PartialEq, Eq)]
enum Layout {
    Image(PathBuf),
    Jmods(PathBuf),
    /// The folder of `rt.jar`.
    Jars(PathBuf),
}

impl Layout {
    /// The best way to read the JDK in `home`, or `None` if that is not a JDK. The image comes
    /// first: it is what the JVM itself uses, it is one file, and it is usually not compressed.
    fn of(home: &Path) -> Option<Self> {
        let image = home.join("lib").join("modules");
        if image.is_file() {
            return Some(Self::Image(image));
        }
        let jmods = home.join("jmods");
        if jmods.join("java.base.jmod").is_file() {
            return Some(Self::Jmods(jmods));
        }
        [home.join("jre").join("lib"), home.join("lib")]
            .into_iter()
            .find(|lib| lib.join("rt.jar").is_file())
            .map(Self::Jars)
    }
}

impl Jdk {
    /// Opens the JDK in the folder `home`, the one that contains `bin/java`.
    ///
    /// # Errors
    ///
    /// If the folder is not a JDK, or its classes cannot be read.
    pub fn open(home: &Path) -> Result<Self, SourceError> {
        Self::open_described(home, home.display().to_string())
    }

    /// Like [`open`](Self::open), with words of its own for `home` if that is not a JDK.
    fn open_described(home: &Path, description: String) -> Result<Self, SourceError> {
        let Some(layout) = Layout::of(home) else {
            let reason = if home.is_dir() {
                "it has none of lib/modules, jmods/java.base.jmod and jre/lib/rt.jar"
            } else {
                "there is no such folder"
            };
            return Err(SourceError::NotAJdk { home: description, reason: reason.to_owned() });
        };
        let release = release(home);
        let runtime = match layout {
            Layout::Image(file) => Runtime::Image(JImage::open(&file)?),
            Layout::Jmods(folder) => Runtime::Jmods(Jmods::open(&folder)?),
            Layout::Jars(lib) => Runtime::Jars(open_jars(&lib)?),
        };
        let feature_version = match release.as_deref().and_then(feature_of) {
            Some(version) => version,
            None => guess_version(&runtime)?.ok_or_else(|| SourceError::NotAJdk {
                home: description,
                reason: "its version is neither in the file `release` nor in its classes"
                    .to_owned(),
            })?,
        };
        Ok(Self { home: home.to_owned(), feature_version, release, runtime })
    }

    /// The folder of the JDK.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The version of Java: 8, 17, 25.
    pub fn feature_version(&self) -> u16 {
        self.feature_version
    }

    /// The release, as the JDK states it: `17.0.15`; or else the version of Java.
    pub fn release(&self) -> String {
        self.release.clone().unwrap_or_else(|| self.feature_version.to_string())
    }

    /// The names of the modules, sorted. A JDK 8 has no modules; there each jar counts as one,
    /// and the bulk of the platform is the module `rt`.
    ///
    /// # Errors
    ///
    /// If the JDK is damaged.
    pub fn module_names(&self) -> Result<Vec<String>, SourceError> {
        match &self.runtime {
            Runtime::Image(image) => image.module_names(),
            Runtime::Jmods(jmods) => Ok(jmods.module_names()),
            Runtime::Jars(jars) => {
                Ok(names::sorted(jars.iter().map(|(name, _)| name.clone()).collect()))
            }
        }
    }

    /// The internal names of the classes of one module (`java.base`), sorted.
    ///
    /// # Errors
    ///
    /// If there is no such module, or the JDK is damaged.
    pub fn class_names_of_module(&self, module: &str) -> Result<Vec<String>, SourceError> {
        let listed = match &self.runtime {
            Runtime::Image(image) => image.class_names_of_module(module)?,
            Runtime::Jmods(jmods) => jmods.class_names_of_module(module),
            Runtime::Jars(jars) => match jars.iter().find(|(name, _)| name == module) {
                Some((_, jar)) => Some(jar.class_names()?),
                None => None,
            },
        };
        listed.ok_or_else(|| SourceError::NoSuchModule {
            jdk: self.describe(),
            module: module.to_owned(),
        })
    }
}

impl ClassSource for Jdk {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, SourceError> {
        match &self.runtime {
            Runtime::Image(image) => image.find(internal_name),
            Runtime::Jmods(jmods) => jmods.find(internal_name),
            Runtime::Jars(jars) => find_in_jars(jars, internal_name),
        }
    }

    fn class_names(&self) -> Result<Vec<String>, SourceError> {
        match &self.runtime {
            Runtime::Image(image) => image.class_names(),
            Runtime::Jmods(jmods) => jmods.class_names(),
            Runtime::Jars(jars) => {
                let mut all = Vec::new();
                for (_, jar) in jars {
                    all.append(&mut jar.class_names()?);
                }
                Ok(names::sorted(all))
            }
        }
    }

    fn describe(&self) -> String {
        format!("JDK {} in {}", self.feature_version, self.home.display())
    }
}

fn find_in_jars(jars: &[(String, Jar)], name: &str) -> Result<Option<ClassBytes>, SourceError> {
    for (_, jar) in jars {
        let found = jar.find(name)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Opens the jars of a JDK 8: `rt.jar` first, then its neighbours, then the extensions, as the
/// class loaders of that version are asked.
fn open_jars(lib: &Path) -> Result<Vec<(String, Jar)>, SourceError> {
    let mut paths = jars_in(lib)?;
    let extensions = lib.join("ext");
    if extensions.is_dir() {
        paths.append(&mut jars_in(&extensions)?);
    }
    let mut jars = Vec::with_capacity(paths.len());
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        jars.push((name, Jar::open(&path, 8)?));
    }
    // A stable sort: the rest keeps its order.
    jars.sort_by_key(|(name, _)| name != RT);
    Ok(jars)
}

/// The version that the file `release` of a JDK states.
fn release(home: &Path) -> Option<String> {
    /// The file has a few lines; a larger one is something else.
    const MAX_RELEASE_BYTES: u64 = 64 << 10;
    let mut bytes = Vec::new();
    let file = File::open(home.join("release")).ok()?;
    file.take(MAX_RELEASE_BYTES).read_to_end(&mut bytes).ok()?;
    String::from_utf8_lossy(&bytes)
        .lines()
        .find_map(|line| line.trim().strip_prefix("JAVA_VERSION="))
        .map(|value| value.trim_matches('"').to_owned())
}

/// The feature version in a version string: 17 in `17.0.15`, 8 in `1.8.0_392`, 26 in `26-ea`.
fn feature_of(version: &str) -> Option<u16> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let end = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
    version.get(..end)?.parse().ok()
}

/// The feature version of a JDK that does not state it.
///
/// Jars mean version 8. Otherwise the classes of the platform tell: they are compiled for their
/// own version, and bytes 6 and 7 of a class file hold that version plus 44. This is the only
/// place where this crate looks into a class.
fn guess_version(runtime: &Runtime) -> Result<Option<u16>, SourceError> {
    const OBJECT: &str = "java/lang/Object";
    let object = match runtime {
        Runtime::Image(image) => image.find(OBJECT)?,
        Runtime::Jmods(jmods) => jmods.find(OBJECT)?,
        Runtime::Jars(_) => return Ok(Some(8)),
    };
    Ok(object.and_then(|class| match class.bytes.get(6..8) {
        Some(&[high, low]) => u16::from_be_bytes([high, low]).checked_sub(44),
        _ => None,
    }))
}

#[cfg(test)]
mod tests;
