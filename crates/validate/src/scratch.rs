//! A folder for the time of a validation.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::ValidateError;

/// A new folder that nobody else may read, and that goes away with this value.
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    pub(crate) fn new() -> Result<Scratch, ValidateError> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let parent = std::env::temp_dir();
        let parent = std::path::absolute(&parent).map_err(cannot_write(&parent))?;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let folder = parent.join(format!("{}{number}", prefix()));
            match create_private(&folder) {
                Ok(()) => return Ok(Scratch { folder }),
                // Left by a process of the same number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot_write(&folder)(error)),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// A folder in it; it exists.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf, ValidateError> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder).map_err(cannot_write(&folder))?;
        Ok(folder)
    }

    /// Writes a file, and the folders that it is in.
    pub(crate) fn write(&self, name: &Path, text: &str) -> Result<(), ValidateError> {
        let file = self.folder.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(cannot_write(folder))?;
        }
        fs::write(&file, text).map_err(cannot_write(&file))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What a test has made so that it cannot be deleted stays.
        let _ = remove_all(&self.folder);
    }
}

/// What the names of all folders of this process begin with.
fn prefix() -> String {
    format!("petrel-validate-{}-", std::process::id())
}

/// Removes all folders of validations that are under way in this process: for who is about to end it.
pub fn remove_scratch() {
    let prefix = prefix();
    let entries = fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix)) {
        // What cannot be removed stays.
        let _ = remove_all(&entry.path());
    }
}

/// Removes a folder with all that is in it, however deep: each folder inside is moved up before anybody looks into it. Only this process
/// can write to the outermost one, so that what was moved there stays what it is, whatever a process that is left of a test does meanwhile.
fn remove_all(folder: &Path) -> io::Result<()> {
    let mut full = vec![folder.to_owned()];
    let mut empty = Vec::new();
    let mut number = 0_u64;
    while let Some(next) = full.pop() {
        make_accessible(&next);
        // First all of them: what is moved up may be among those of the outermost folder.
        for entry in fs::read_dir(&next)?.collect::<io::Result<Vec<_>>>()? {
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
                continue;
            }
            let moved = folder.join(format!("removed-{number}"));
            number += 1;
            if fs::rename(entry.path(), &moved).is_err() {
                make_accessible(&entry.path());
                fs::rename(entry.path(), &moved)?;
            }
            if fs::symlink_metadata(&moved)?.is_dir() {
                full.push(moved);
            } else {
                fs::remove_file(&moved)?;
            }
        }
        empty.push(next);
    }
    empty.iter().rev().try_for_each(fs::remove_dir)
}

/// A test may have taken away the right to look into its folders.
fn make_accessible(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What cannot be changed cannot be removed, either.
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    }
}

fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn cannot_write(path: &Path) -> impl FnOnce(io::Error) -> ValidateError {
    let path = path.to_owned();
    move |source| ValidateError::Scratch { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_any_depth_go_away() {
        let scratch = Scratch::new().unwrap();
        let inside = scratch.folder("inside").unwrap();
        scratch.write(Path::new("inside/removed-0"), "not a folder").unwrap();
        for _ in 0..20_000 {
            fs::create_dir(scratch.path().join("above")).unwrap();
            fs::rename(&inside, scratch.path().join("above/inside")).unwrap();
            fs::rename(scratch.path().join("above"), &inside).unwrap();
        }
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn scratch_folders_are_different_and_go_away() {
        let (one, other) = (Scratch::new().unwrap(), Scratch::new().unwrap());
        assert_ne!(one.path(), other.path());
        one.write(Path::new("a/b/c"), "text").unwrap();
        let path = one.path().to_owned();
        assert_eq!(fs::read_to_string(path.join("a/b/c")).unwrap(), "text");
        drop(one);
        assert!(!path.exists());
        assert!(other.path().is_dir());
    }
}
