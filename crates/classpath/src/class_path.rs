//! Several sources in order, and the strings that describe them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{ClassBytes, ClassSource, Directory, Jar, SourceError, names};

/// An ordered list of sources. A class is taken from the first source that has it.
#[derive(Default)]
pub struct ClassPath {
    sources: Vec<Box<dyn ClassSource>>,
    /// The folders and jars that were opened by their names.
    paths: Vec<PathBuf>,
}

impl ClassPath {
    /// Opens the entries of a class path, written as for `java -cp`: folders and jars, with the
    /// path separator of the platform between them. `dir/*` stands for all jars in `dir`, sorted
    /// by name, and an empty entry for the current directory. `feature_version` chooses among
    /// the variants in multi-release jars.
    ///
    /// # Errors
    ///
    /// If an entry does not exist (which `java` would ignore) or cannot be opened.
    pub fn parse(class_path: &OsStr, feature_version: u16) -> Result<Self, SourceError> {
        let mut path = Self::default();
        for entry in std::env::split_paths(class_path) {
            if entry.as_os_str().is_empty() {
                path.open_folder(Path::new("."))?;
            } else if entry.file_name() == Some(OsStr::new("*")) {
                let folder = entry.parent().filter(|parent| !parent.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                if !folder.is_dir() {
                    return Err(missing(&entry));
                }
                for jar in jars_in(folder)? {
                    path.open_jar(&jar, feature_version)?;
                }
            } else if entry.is_dir() {
                path.open_folder(&entry)?;
            } else if entry.exists() {
                path.open_jar(&entry, feature_version)?;
            } else {
                return Err(missing(&entry));
            }
        }
        Ok(path)
    }

    fn open_folder(&mut self, folder: &Path) -> Result<(), SourceError> {
        self.push(Directory::open(folder)?);
        self.paths.push(folder.to_owned());
        Ok(())
    }

    fn open_jar(&mut self, jar: &Path, feature_version: u16) -> Result<(), SourceError> {
        self.push(Jar::open(jar, feature_version)?);
        self.paths.push(jar.to_owned());
        Ok(())
    }

    /// The folders and jars of a class path that was parsed, in order: what a JVM gets.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Adds a source behind those that are there.
    pub fn push(&mut self, source: impl ClassSource + 'static) {
        self.sources.push(Box::new(source));
    }

    /// The sources in order.
    pub fn sources(&self) -> impl Iterator<Item = &dyn ClassSource> {
        self.sources.iter().map(AsRef::as_ref)
    }
}

impl std::fmt::Debug for ClassPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.sources().map(ClassSource::describe)).finish()
    }
}

impl ClassSource for ClassPath {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, SourceError> {
        names::check(internal_name)?;
        for source in &self.sources {
            let found = source.find(internal_name)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn class_names(&self) -> Result<Vec<String>, SourceError> {
        let mut all = Vec::new();
        for source in &self.sources {
            all.append(&mut source.class_names()?);
        }
        Ok(names::sorted(all))
    }

    fn describe(&self) -> String {
        if self.sources.is_empty() {
            return "an empty class path".to_owned();
        }
        self.sources().map(ClassSource::describe).collect::<Vec<_>>().join(", ")
    }
}

/// The jars in a folder, sorted.
pub(crate) fn jars_in(folder: &Path) -> Result<Vec<PathBuf>, SourceError> {
    let failed = |error| SourceError::io(folder, error);
    let mut jars = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let extension = path.extension();
        if extension.is_some_and(|text| text == "jar" || text == "JAR") && path.is_file() {
            jars.push(path);
        }
    }
    jars.sort_unstable();
    Ok(jars)
}

fn missing(entry: &Path) -> SourceError {
    SourceError::MissingEntry { entry: entry.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ZipBuilder;

    /// A class path of the given entries below `root`.
    fn parse(root: &Path, entries: &[&str]) -> Result<ClassPath, SourceError> {
        let paths = entries.iter().map(|entry| root.join(entry));
        ClassPath::parse(&std::env::join_paths(paths).unwrap(), 17)
    }

    fn sample() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["classes/p", "lib/nested"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        fs::write(dir.path().join("classes/p/A.class"), b"directory").unwrap();
        for (jar, class) in [
            ("lib/b.jar", "p/A.class"),
            ("lib/a.JAR", "p/B.class"),
            ("lib/c.jar", "p/B.class"),
            ("lib/ignored.zip", "p/C.class"),
            ("lib/nested/d.jar", "p/D.class"),
        ] {
            let zip = ZipBuilder::default().entry(class, jar.as_bytes()).finish();
            fs::write(dir.path().join(jar), zip).unwrap();
        }
        dir
    }

    #[test]
    fn the_first_source_that_has_a_class_wins() {
        let dir = sample();
        let find = |entries: &[&str]| {
            parse(dir.path(), entries).unwrap().find("p/A").unwrap().unwrap().bytes
        };
        assert_eq!(find(&["classes", "lib/b.jar"]), b"directory");
        assert_eq!(find(&["lib/b.jar", "classes"]), b"lib/b.jar");
        let path = parse(dir.path(), &["lib/a.JAR", "lib/b.jar", "classes"]).unwrap();
        assert_eq!(path.class_names().unwrap(), ["p/A", "p/B"]);
        assert_eq!(path.find("p/Nothing").unwrap(), None);
        assert!(path.find("p//A").is_err());
        assert_eq!(path.sources().count(), 3);
        assert!(path.describe().contains("b.jar, directory "), "{}", path.describe());
        assert!(format!("{path:?}").contains("a.JAR"));
    }

    #[test]
    fn a_wildcard_stands_for_the_jars_of_one_folder_in_order() {
        let dir = sample();
        let path = parse(dir.path(), &["lib/*"]).unwrap();
        let described: Vec<_> = path.sources().map(ClassSource::describe).collect();
        assert_eq!(described.len(), 3);
        for (source, name) in described.iter().zip(["a.JAR", "b.jar", "c.jar"]) {
            assert!(source.ends_with(name), "{source}");
        }
        assert_eq!(path.find("p/B").unwrap().unwrap().bytes, b"lib/a.JAR");
        assert_eq!(path.find("p/D").unwrap(), None);
    }

    #[test]
    fn an_entry_that_does_not_exist_is_named() {
        let dir = sample();
        for entry in ["lib/gone.jar", "gone/*"] {
            let error = parse(dir.path(), &["classes", entry]).unwrap_err().to_string();
            assert!(error.contains("gone") && error.contains("does not exist"), "{error}");
        }
        // A file that is no zip file is an error, too, whatever it is called.
        let error = parse(dir.path(), &["classes/p/A.class"]).unwrap_err().to_string();
        assert!(error.contains("A.class is not a usable jar"), "{error}");
    }

    #[test]
    fn an_empty_class_path_is_the_current_directory() {
        let path = ClassPath::parse(OsStr::new(""), 17).unwrap();
        assert_eq!(path.describe(), "directory .");
        assert_eq!(ClassPath::default().describe(), "an empty class path");
    }
}
