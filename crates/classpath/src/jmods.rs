//! The folder `jmods` of a JDK: one file per module, each a zip file behind a short header.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::archive::{Archive, ClassIndex};
use crate::store::{Store, Window};
use crate::{ClassBytes, ClassSource, Home, SourceError, names};

const KIND: &str = "jmod";
/// The magic number and the version, 1.0, that a jmod file starts with.
const HEADER: [u8; 4] = *b"JM\x01\x00";
/// Where the classes are in a jmod; next to it are native libraries, headers and such.
const CLASSES: &str = "classes/";

/// A folder of `.jmod` files.
#[derive(Debug)]
pub struct Jmods {
    folder: String,
    modules: BTreeMap<String, Module>,
}

#[derive(Debug)]
struct Module {
    archive: Archive,
    index: ClassIndex,
}

impl Jmods {
    /// Opens all `.jmod` files of a folder. Each is taken for the module it is named after.
    ///
    /// # Errors
    ///
    /// If the folder or one of the files cannot be read, or a file is not a jmod.
    pub fn open(folder: &Path) -> Result<Self, SourceError> {
        let failed = |error| SourceError::io(folder, error);
        let mut modules = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|extension| extension == "jmod")
                && let Some(module) = path.file_stem().and_then(|stem| stem.to_str())
            {
                modules.insert(module.to_owned(), Module::open(&path)?);
            }
        }
        Ok(Self { folder: folder.display().to_string(), modules })
    }

    /// The names of the modules, sorted.
    pub fn module_names(&self) -> Vec<String> {
        self.modules.keys().cloned().collect()
    }

    /// The classes of one module, sorted, or `None` if there is no such module.
    pub fn class_names_of_module(&self, module: &str) -> Option<Vec<String>> {
        self.modules.get(module).map(|module| module.index.class_names())
    }
}

impl ClassSource for Jmods {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, SourceError> {
        names::check(internal_name)?;
        // There are less than a hundred modules, and asking one costs a hash lookup.
        for (name, module) in &self.modules {
            let found = module.archive.find(&module.index, internal_name)?;
            if let Some(found) = found {
                return Ok(Some(ClassBytes { home: Home::Module(name.clone()), ..found }));
            }
        }
        Ok(None)
    }

    fn class_names(&self) -> Result<Vec<String>, SourceError> {
        let all = self.modules.values().flat_map(|module| module.index.class_names());
        Ok(names::sorted(all.collect()))
    }

    fn describe(&self) -> String {
        format!("jmod files in {}", self.folder)
    }
}

impl Module {
    fn open(path: &Path) -> Result<Self, SourceError> {
        let file = path.display().to_string();
        let store = Store::open(path)?;
        let mut header = [0; HEADER.len()];
        store
            .read_exact_at(&mut header, 0)
            .map_err(|error| SourceError::malformed(&file, KIND, error))?;
        if header != HEADER {
            return Err(SourceError::malformed(&file, KIND, "it lacks the header of version 1.0"));
        }
        // The zip part counts its offsets from its own start.
        let archive = Archive::open(file, KIND, Window::new(Arc::new(store), HEADER.len() as u64))?;
        let index = archive.index(|path| Some((0, path.strip_prefix(CLASSES)?)))?;
        Ok(Self { archive, index })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ZipBuilder;

    fn write_jmod(folder: &Path, module: &str, zip: &[u8]) {
        let bytes = [&HEADER, zip].concat();
        fs::write(folder.join(format!("{module}.jmod")), bytes).unwrap();
    }

    #[test]
    fn classes_are_found_by_name_and_listed_by_module() {
        let dir = tempfile::tempdir().unwrap();
        let one = ZipBuilder::default()
            .entry("classes/module-info.class", b"m")
            .entry("classes/p/A.class", b"a")
            .entry("lib/p/Native.class", b"x");
        let two = ZipBuilder::default().entry("classes/q/B.class", b"b");
        write_jmod(dir.path(), "one", &one.finish());
        write_jmod(dir.path(), "two", &two.finish());
        fs::write(dir.path().join("readme.txt"), "not a jmod").unwrap();

        let jmods = Jmods::open(dir.path()).unwrap();
        assert_eq!(jmods.module_names(), ["one", "two"]);
        assert_eq!(jmods.class_names_of_module("one").unwrap(), ["p/A"]);
        assert_eq!(jmods.class_names_of_module("three"), None);
        assert_eq!(jmods.class_names().unwrap(), ["p/A", "q/B"]);
        let found = jmods.find("q/B").unwrap().unwrap();
        assert_eq!(found.bytes, b"b");
        assert!(found.origin.ends_with("two.jmod!/classes/q/B.class"), "{}", found.origin);
        assert_eq!(jmods.find("p/Native").unwrap(), None);
        assert!(jmods.find("../x").is_err());
    }

    #[test]
    fn a_file_without_the_header_is_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("bad.jmod"), ZipBuilder::default().finish()).unwrap();
        let error = Jmods::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("bad.jmod") && error.contains("header"), "{error}");
        fs::write(dir.path().join("bad.jmod"), b"JM").unwrap();
        let error = Jmods::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("bad.jmod"), "{error}");
    }
}
