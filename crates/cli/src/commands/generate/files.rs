//! The files with the tests.

use std::fs;
use std::io::Write;
use std::path::Path;

use petrel_junit::{Written, is_ours};

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
    let cannot_write = |error: std::io::Error| format!("cannot write {shown}: {error}");
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(cannot_write)?;
    let name = format!(".{}.{}.tmp", written.name, std::process::id());
    let temporary = parent.join(name);
    let made = fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(written.source.as_bytes()))
        .and_then(|()| fs::rename(&temporary, &path));
    made.map_err(|error| {
        // It is of no use to anybody.
        let _ = fs::remove_file(&temporary);
        cannot_write(error)
    })
}
