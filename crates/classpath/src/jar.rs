//! Jars: zip files of classes, possibly with variants for several Java versions.

use std::path::Path;
use std::sync::Arc;

use crate::archive::{Archive, ClassIndex};
use crate::names::META_INF;
use crate::store::{Store, Window};
use crate::{ClassBytes, ClassSource, SourceError};

const KIND: &str = "jar";
const MANIFEST: &str = "META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";

/// The first Java version that looks into `META-INF/versions`, and the lowest it looks for.
const FIRST_VERSIONED_RELEASE: u16 = 9;

/// A jar file.
///
/// In a multi-release jar each class is the one that a given Java version would load.
#[derive(Debug)]
pub struct Jar {
    archive: Archive,
    index: ClassIndex,
}

impl Jar {
    /// Opens a jar as the given feature version of Java (8, 17, ...) would.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a zip file, or holds class files with unsafe names.
    pub fn open(path: &Path, feature_version: u16) -> Result<Self, SourceError> {
        Self::from_store(path.display().to_string(), Store::open(path)?, feature_version)
    }

    /// Opens a jar that is in memory. `name` stands for the file in messages and origins.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn from_bytes(
        name: &str,
        bytes: Arc<[u8]>,
        feature_version: u16,
    ) -> Result<Self, SourceError> {
        Self::from_store(name.to_owned(), Store::Bytes(bytes), feature_version)
    }

    fn from_store(file: String, store: Store, feature_version: u16) -> Result<Self, SourceError> {
        let archive = Archive::open(file, KIND, Window::new(Arc::new(store), 0))?;
        let highest =
            if is_multi_release(&archive, feature_version)? { feature_version } else { 0 };
        let index = archive.index(|path| version_and_name(path, highest))?;
        Ok(Self { archive, index })
    }
}

impl ClassSource for Jar {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, SourceError> {
        self.archive.find(&self.index, internal_name)
    }

    fn class_names(&self) -> Result<Vec<String>, SourceError> {
        Ok(self.index.class_names())
    }

    fn describe(&self) -> String {
        format!("{KIND} {}", self.archive.file())
    }
}

/// Splits the path of a class into the version it is for (0 for all) and the name. Versions
/// above `highest` and everything else in `META-INF` are not visible.
fn version_and_name(path: &str, highest: u16) -> Option<(u16, &str)> {
    let (version, name) = match path.strip_prefix(VERSIONS) {
        None => (0, path),
        Some(versioned) => {
            let (digits, name) = versioned.split_once('/')?;
            // `parse` alone would take a sign, too.
            let digits = Some(digits).filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
            let version: u16 = digits?.parse().ok()?;
            if !(FIRST_VERSIONED_RELEASE..=highest).contains(&version) {
                return None;
            }
            (version, name)
        }
    };
    (!name.starts_with(META_INF)).then_some((version, name))
}

/// Whether variants of classes count. The manifest is read only if there can be some.
fn is_multi_release(archive: &Archive, feature_version: u16) -> Result<bool, SourceError> {
    let has_versions = || archive.position(|name| name.starts_with(VERSIONS.as_bytes()));
    if feature_version < FIRST_VERSIONED_RELEASE || has_versions().is_none() {
        return Ok(false);
    }
    match archive.position(|name| name.eq_ignore_ascii_case(MANIFEST.as_bytes())) {
        None => Ok(false),
        Some(entry) => Ok(declares_multi_release(&archive.read(entry)?)),
    }
}

/// Whether the main section of a manifest, which ends at the first empty line, has the attribute
/// `Multi-Release: true`. Like Java's own check, this ignores case and is strict about spaces.
fn declares_multi_release(manifest: &[u8]) -> bool {
    let text = String::from_utf8_lossy(manifest).replace("\r\n", "\n").replace('\r', "\n");
    // A line that starts with a space continues the one before.
    let text = text.replace("\n ", "");
    text.lines()
        .take_while(|line| !line.is_empty())
        .any(|line| line.eq_ignore_ascii_case("Multi-Release: true"))
}

#[cfg(test)]
mod tests;
