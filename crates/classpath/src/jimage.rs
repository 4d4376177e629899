//! The file `lib/modules` of a JDK 9 or newer.
//!
//! An image holds the classes and resources of all modules of a JDK:
//!
//! ```text
//! header | redirect table | location offsets | locations | strings | resources
//! ```
//!
//! The numbers are in the byte order of the machine that the JDK is for. Everything up to the
//! strings is the index, see [`index`]. It is kept in memory, about 3 MB for a full JDK, while
//! resources are read from the file one by one. JDKs ship them as they are; `jlink` can compress
//! them, see [`resource`].
//!
//! A class is stored as `/module/package/Class.class`, so a lookup by class name first needs the
//! module. For this the image has one more resource per package, `/packages/java.lang`, with the
//! modules that have something in that package.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::store::Store;
use crate::{ClassBytes, ClassSource, Home, MAX_CLASS_BYTES, SourceError, names};
use index::{Index, Location};

mod compact_cp;
mod index;
mod mutf8;
mod resource;
#[cfg(test)]
mod testing;

const KIND: &str = "JDK image";

/// The names below which an image keeps data about itself, where others have a module.
const SPECIAL_MODULES: [&[u8]; 2] = [b"modules", b"packages"];

/// The image of a JDK's modules.
#[derive(Debug)]
pub struct JImage {
    file: String,
    store: Store,
    index: Index,
    /// For each package used so far, the modules that have a part in it, as positions in the
    /// string table. Packages that the image does not have are not remembered, so that lookups
    /// cannot fill the memory.
    packages: RwLock<FxHashMap<Box<str>, Arc<[u64]>>>,
}

impl JImage {
    /// Opens an image and reads its index.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not an image.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        Self::from_store(path.display().to_string(), Store::open(path)?)
    }

    /// Opens an image that is in memory. `name` stands for the file in messages and origins.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn from_bytes(name: &str, bytes: Arc<[u8]>) -> Result<Self, SourceError> {
        Self::from_store(name.to_owned(), Store::Bytes(bytes))
    }

    fn from_store(file: String, store: Store) -> Result<Self, SourceError> {
        let index =
            Index::read(&store).map_err(|defect| SourceError::malformed(&file, KIND, defect))?;
        Ok(Self { file, store, index, packages: RwLock::default() })
    }

    /// The names of the modules, sorted.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn module_names(&self) -> Result<Vec<String>, SourceError> {
        let mut modules = BTreeSet::new();
        self.for_each_class(|module, _, _| {
            modules.insert(module.to_vec());
            Ok(())
        })?;
        modules.iter().map(|module| self.text(module)).collect()
    }

    /// The classes of one module, sorted, or `None` if there is no such module.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn class_names_of_module(&self, module: &str) -> Result<Option<Vec<String>>, SourceError> {
        let mut known = false;
        let listed = self.collect_names(|of| {
            known |= of == module.as_bytes();
            of == module.as_bytes()
        })?;
        Ok(known.then_some(listed))
    }

    /// The listed classes of the modules that `wanted` accepts.
    fn collect_names(
        &self,
        mut wanted: impl FnMut(&[u8]) -> bool,
    ) -> Result<Vec<String>, SourceError> {
        let mut listed = Vec::new();
        self.for_each_class(|module, parent, base| {
            if wanted(module) {
                // No module has a class outside of all packages, so there is always a slash.
                let name = self.text(&[parent, b"/", base].concat())?;
                if names::is_listed(&name) {
                    listed.push(name);
                }
            }
            Ok(())
        })?;
        Ok(names::sorted(listed))
    }

    /// Calls `visit` with the module, package and simple name of each class file.
    fn for_each_class(
        &self,
        mut visit: impl FnMut(&[u8], &[u8], &[u8]) -> Result<(), SourceError>,
    ) -> Result<(), SourceError> {
        for slot in 0..self.index.len() {
            let location = self.index.location(slot).map_err(|defect| self.malformed(defect))?;
            let string = |at| self.index.strings().get(at).map_err(|defect| self.malformed(defect));
            let module = string(location.module)?;
            if string(location.extension)? == b"class" && !SPECIAL_MODULES.contains(&module) {
                visit(module, string(location.parent)?, string(location.base)?)?;
            }
        }
        Ok(())
    }

    /// The modules that have a part in a package.
    fn modules_of(&self, package: &str) -> Result<Arc<[u64]>, SourceError> {
        // Entries are only ever added whole, so a poisoned lock protects nothing broken.
        let known = self.packages.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(modules) = known.get(package) {
            return Ok(Arc::clone(modules));
        }
        drop(known);
        let entry = format!("packages/{}", package.replace('/', "."));
        let Some(location) = self.locate(&entry)? else {
            return Ok(Arc::default());
        };
        let content = self.read(&entry, &location)?;
        // Pairs of a flag and the position of a module's name. The flag says that the module has
        // only packages further down, in later versions also other things. It is not needed: in
        // such a module the class is just not found.
        let modules: Arc<[u64]> = content
            .chunks_exact(8)
            .filter_map(|pair| pair.last_chunk::<4>())
            .map(|name| u64::from(self.index.order().u32(*name)))
            .collect();
        let mut known = self.packages.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(package.into(), Arc::clone(&modules));
        Ok(modules)
    }

    /// The location of `entry`, a path without the slash at its front.
    fn locate(&self, entry: &str) -> Result<Option<Location>, SourceError> {
        let path = format!("/{entry}");
        self.index
            .find(&mutf8::encode(&path))
            .map_err(|defect| SourceError::bad_entry(&self.file, entry, defect))
    }

    /// Reads a resource and undoes its compression.
    fn read(&self, entry: &str, location: &Location) -> Result<Vec<u8>, SourceError> {
        let too_large = || SourceError::TooLarge {
            origin: format!("{}!/{entry}", self.file),
            limit: MAX_CLASS_BYTES,
        };
        if location.size > MAX_CLASS_BYTES || location.compressed_size > MAX_CLASS_BYTES {
            return Err(too_large());
        }
        let bad_entry = |defect: String| SourceError::bad_entry(&self.file, entry, defect);
        let is_compressed = location.compressed_size != 0;
        let stored = if is_compressed { location.compressed_size } else { location.size };
        let bytes = self
            .index
            .resources_start()
            .checked_add(location.offset)
            .ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
            .and_then(|start| self.store.read_vec(start, stored))
            .map_err(|error| bad_entry(error.to_string()))?;
        if !is_compressed {
            return Ok(bytes);
        }
        resource::decompress(bytes, location.size, &self.index).map_err(bad_entry)
    }

    /// A string of the index as text.
    fn text(&self, bytes: &[u8]) -> Result<String, SourceError> {
        mutf8::decode(bytes).ok_or_else(|| {
            let shown = String::from_utf8_lossy(bytes);
            self.malformed(format!("the name {:?} is not modified UTF-8", shown))
        })
    }

    fn malformed(&self, defect: String) -> SourceError {
        SourceError::malformed(&self.file, KIND, defect)
    }
}

impl ClassSource for JImage {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, SourceError> {
        names::check(internal_name)?;
        let Some((package, _)) = internal_name.rsplit_once('/') else {
            return Ok(None);
        };
        for module in self.modules_of(package)?.iter() {
            let module = self.index.strings().get(*module);
            let module = self.text(module.map_err(|defect| self.malformed(defect))?)?;
            let entry = format!("{module}/{internal_name}.class");
            if let Some(location) = self.locate(&entry)? {
                let bytes = self.read(&entry, &location)?;
                let origin = format!("{}!/{entry}", self.file);
                return Ok(Some(ClassBytes { bytes, origin, home: Home::Module(module) }));
            }
        }
        Ok(None)
    }

    fn class_names(&self) -> Result<Vec<String>, SourceError> {
        self.collect_names(|_| true)
    }

    fn describe(&self) -> String {
        format!("{KIND} {}", self.file)
    }
}

#[cfg(test)]
mod tests;
