//! The files with the tests.

use std::fs;
use std::path::Path;

use petrel_junit::{Written, is_ours};

use crate::replace::replace;

/// Puts a test class into its place. A file that is the same is left alone, one that somebody else wrote is never
/// touched, and nobody ever sees half of one.
pub(super) fn place(folder: &Path, written: &Written) -> Result<(), String> {
    let path = folder.join(&written.file);
    let shown = path.display();
    let old = match fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("cannot read {shown}: {error}")),
    };
    if let Some(old) = &old {
        if !is_ours(&String::from_utf8_lossy(old)) {
            return Err(format!("{shown} was not written by Petrel"));
        }
        if old == written.source.as_bytes() {
            return Ok(());
        }
    }
    if written.tests.is_empty() {
        // Tests of a class that has none any more would fail.
        return match old {
            Some(_) => {
                fs::remove_file(&path).map_err(|error| format!("cannot remove {shown}: {error}"))
            }
            None => Ok(()),
        };
    }
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent)
        .and_then(|()| replace(&path, written.source.as_bytes()))
        .map_err(|error| format!("cannot write {shown}: {error}"))
}
