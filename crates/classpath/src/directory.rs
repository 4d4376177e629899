//! Folders of class files.
//!
//! Directories are listed once, when a lookup first comes by, and every name is compared with
//! the listing before a file is opened. So a name has to match the letters of the real file even
//! on a file system that ignores case, a lookup cannot leave the root, and asking for one of the
//! thousands of classes that are not there costs no system call.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::{ClassBytes, ClassSource, Home, MAX_CLASS_BYTES, SourceError, names};

/// How many directories are listed before the search is given up. Symbolic links can make a
/// handful of directories look like a tree of any size, even without a loop.
const MAX_DIRECTORIES: usize = 200_000;

/// A folder of class files, laid out by package.
///
/// Symbolic links are followed, wherever they lead. Files whose names are not Unicode are passed
/// over, since no class has such a name. The folder is taken to be at rest: what appears in a
/// package after its first use is not seen.
#[derive(Debug)]
pub struct Directory {
    root: PathBuf,
    /// The content of directories by the internal name of the package, as far as known.
    listings: RwLock<FxHashMap<Box<str>, Arc<Listing>>>,
}

type Listing = BTreeMap<String, Kind>;

/// What a name in a directory stands for, symbolic links resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
    Other,
}

impl Directory {
    /// A source over the class files below `root`.
    ///
    /// # Errors
    ///
    /// If `root` is not a directory or cannot be listed.
    pub fn open(root: &Path) -> Result<Self, SourceError> {
        let directory = Self { root: root.to_owned(), listings: RwLock::default() };
        directory.listing("")?;
        Ok(directory)
    }

    fn path_of(&self, package: &str) -> PathBuf {
        // Joining an empty path would add a slash to the root.
        if package.is_empty() { self.root.clone() } else { self.root.join(package) }
    }

    /// The content of a package that is known to be a directory.
    fn listing(&self, package: &str) -> Result<Arc<Listing>, SourceError> {
        // Entries are only ever added whole, so a poisoned lock protects nothing broken.
        let known = self.listings.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(listing) = known.get(package) {
            return Ok(Arc::clone(listing));
        }
        drop(known);
        let path = self.path_of(package);
        let listing = Arc::new(list(&path).map_err(|error| SourceError::io(&path, error))?);
        let mut known = self.listings.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(package.into(), Arc::clone(&listing));
        Ok(listing)
    }

    /// Whether there is a directory for this package, spelled exactly like it.
    fn has_package(&self, package: &str) -> Result<bool, SourceError> {
        let known = self.listings.read().unwrap_or_else(PoisonError::into_inner);
        if known.contains_key(package) {
            return Ok(true);
        }
        drop(known);
        let mut parent = String::new();
        for segment in package.split('/') {
            if self.listing(&parent)?.get(segment) != Some(&Kind::Directory) {
                return Ok(false);
            }
            parent = in_package(&parent, segment);
        }
        Ok(true)
    }

    /// Lists the classes below the root, in at most `limit` directories.
    fn list_classes(&self, limit: usize) -> Result<Vec<String>, SourceError> {
        let endless = |package: &str, reason: String| SourceError::EndlessDirectory {
            path: self.path_of(package).display().to_string(),
            reason,
        };
        let mut found = Vec::new();
        let mut visited = 0;
        // The real paths of the directories from the root down to the one being visited.
        let mut trail: Vec<PathBuf> = Vec::new();
        // Packages to visit, each with its depth.
        let mut pending = vec![(String::new(), 0)];
        while let Some((package, depth)) = pending.pop() {
            let path = self.path_of(&package);
            let real = fs::canonicalize(&path).map_err(|error| SourceError::io(&path, error))?;
            trail.truncate(depth);
            if trail.contains(&real) {
                let reason = "a symbolic link leads back to a directory above it";
                return Err(endless(&package, reason.to_owned()));
            }
            trail.push(real);
            visited += 1;
            if visited > limit {
                let reason = format!("there are more than {limit} directories");
                return Err(endless(&package, reason));
            }
            for (name, kind) in self.listing(&package)?.iter() {
                let stem = name.strip_suffix(".class");
                match (kind, stem) {
                    (Kind::File, Some(stem)) => {
                        let class = in_package(&package, stem);
                        if names::is_listed(&class) {
                            found.push(class);
                        }
                    }
                    // No package has a dot in a segment of its internal name.
                    (Kind::Directory, _) if !name.contains('.') && name != "META-INF" => {
                        pending.push((in_package(&package, name), depth + 1));
                    }
                    _ => {}
                }
            }
        }
        Ok(names::sorted(found))
    }
}

impl ClassSource for Directory {
    fn find(&self, internal_name: &str) -> Result<Option<ClassBytes>, SourceError> {
        names::check(internal_name)?;
        let (package, class) = internal_name.rsplit_once('/').unwrap_or(("", internal_name));
        if !self.has_package(package)? {
            return Ok(None);
        }
        let file_name = format!("{class}.class");
        let Some(kind) = self.listing(package)?.get(&file_name).copied() else {
            return Ok(None);
        };
        let path = self.path_of(package).join(file_name);
        let origin = path.display().to_string();
        if kind != Kind::File {
            return Err(SourceError::NotAFile { path: origin });
        }
        match read_file(&path).map_err(|error| SourceError::io(&path, error))? {
            Some(bytes) => Ok(Some(ClassBytes { bytes, origin, home: Home::Folder })),
            None => Err(SourceError::TooLarge { origin, limit: MAX_CLASS_BYTES }),
        }
    }

    fn class_names(&self) -> Result<Vec<String>, SourceError> {
        self.list_classes(MAX_DIRECTORIES)
    }

    fn describe(&self) -> String {
        format!("directory {}", self.root.display())
    }
}

fn in_package(package: &str, name: &str) -> String {
    if package.is_empty() { name.to_owned() } else { format!("{package}/{name}") }
}

/// The content of a directory, as far as the names are Unicode.
fn list(path: &Path) -> io::Result<Listing> {
    let mut listing = Listing::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let mut file_type = entry.file_type()?;
        if file_type.is_symlink() {
            file_type = match fs::metadata(entry.path()) {
                Ok(metadata) => metadata.file_type(),
                // A link to nothing is nothing.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                // A link to itself, or one that may not be followed, is reported when used.
                Err(_) => {
                    listing.insert(name, Kind::Other);
                    continue;
                }
            };
        }
        let kind = if file_type.is_file() {
            Kind::File
        } else if file_type.is_dir() {
            Kind::Directory
        } else {
            Kind::Other
        };
        listing.insert(name, kind);
    }
    Ok(listing)
}

/// The content of a file, or `None` if it has more than [`MAX_CLASS_BYTES`].
fn read_file(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    if len > MAX_CLASS_BYTES {
        return Ok(None);
    }
    // One byte more than needed, so that the end of the file is seen without growing.
    let mut bytes = Vec::with_capacity(len as usize + 1);
    file.take(MAX_CLASS_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= MAX_CLASS_BYTES).then_some(bytes))
}

#[cfg(test)]
mod tests;
