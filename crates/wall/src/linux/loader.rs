//! The program that the kernel executes to load another one, which has to be executable, too.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use crate::WallError;

const MAGIC: [u8; 4] = [0x7f, b'E', b'L', b'F'];
const IS_64_BIT: u8 = 2;
const IS_LITTLE_ENDIAN: u8 = 1;
/// The kind of a segment that names the loader.
const INTERPRETER: u64 = 3;
/// The kernel takes no longer name.
const MOST_BYTES: u64 = 4096;

/// The loader that a program names, if it is of the kind that does.
pub(super) fn of(program: &Path) -> Result<Option<PathBuf>, WallError> {
    let named = File::open(program).and_then(|mut file| interpreter(&mut file));
    named.map_err(|source| WallError::Read { path: program.to_owned(), source })
}

fn interpreter(file: &mut (impl Read + Seek)) -> io::Result<Option<PathBuf>> {
    let mut header = [0; 64];
    if file.read_exact(&mut header).is_err() || header[..4] != MAGIC {
        return Ok(None);
    }
    let layout = Layout { is_64: header[4] == IS_64_BIT, is_little: header[5] == IS_LITTLE_ENDIAN };
    let (table, entry_size, n_entries) = match layout.is_64 {
        true => {
            (layout.word(&header[32..]), layout.half(&header[54..]), layout.half(&header[56..]))
        }
        false => {
            (layout.word(&header[28..]), layout.half(&header[42..]), layout.half(&header[44..]))
        }
    };
    for number in 0..n_entries {
        let mut entry = [0; 56];
        let length = if layout.is_64 { 56 } else { 32 };
        file.seek(SeekFrom::Start(table.saturating_add(number * entry_size)))?;
        file.read_exact(&mut entry[..length])?;
        if layout.quarter(&entry) != INTERPRETER {
            continue;
        }
        let (start, length) = match layout.is_64 {
            true => (layout.word(&entry[8..]), layout.word(&entry[32..])),
            false => (layout.word(&entry[4..]), layout.word(&entry[16..])),
        };
        let mut name = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.take(length.min(MOST_BYTES)).read_to_end(&mut name)?;
        name.truncate(name.iter().position(|&byte| byte == 0).unwrap_or(name.len()));
        return Ok(Some(OsString::from_vec(name).into()));
    }
    Ok(None)
}

/// How numbers are written in a file.
struct Layout {
    is_64: bool,
    is_little: bool,
}

impl Layout {
    /// An address or a size.
    fn word(&self, bytes: &[u8]) -> u64 {
        self.number(&bytes[..if self.is_64 { 8 } else { 4 }])
    }

    fn quarter(&self, bytes: &[u8]) -> u64 {
        self.number(&bytes[..4])
    }

    fn half(&self, bytes: &[u8]) -> u64 {
        self.number(&bytes[..2])
    }

    fn number(&self, bytes: &[u8]) -> u64 {
        let add = |sum: u64, byte: &u8| (sum << 8) | u64::from(*byte);
        match self.is_little {
            true => bytes.iter().rev().fold(0, add),
            false => bytes.iter().fold(0, add),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn the_loader_of_a_program_is_a_file() {
        let own = std::env::current_exe().unwrap();
        // A program that is linked statically has none.
        if let Some(loader) = of(&own).unwrap() {
            assert!(loader.is_absolute() && loader.is_file(), "{}", loader.display());
        }
    }

    #[test]
    fn both_widths_and_orders_are_read() {
        for (is_64, is_little) in [(true, true), (true, false), (false, true), (false, false)] {
            let program = program(is_64, is_little);
            let found = interpreter(&mut Cursor::new(program)).unwrap();
            assert_eq!(found, Some("/lib/ld.so".into()), "{is_64} {is_little}");
        }
    }

    #[test]
    fn other_files_have_none() {
        for text in ["", "#!/bin/sh", &"x".repeat(100)] {
            assert_eq!(interpreter(&mut Cursor::new(text)).unwrap(), None);
        }
        let mut cut = program(true, true);
        cut.truncate(70);
        assert!(interpreter(&mut Cursor::new(cut)).is_err());
    }

    /// The parts of a program that matter: a header, a segment of another kind, and the one that names the loader.
    fn program(is_64: bool, is_little: bool) -> Vec<u8> {
        let mut bytes = vec![0; 300];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4] = if is_64 { 2 } else { 1 };
        bytes[5] = if is_little { 1 } else { 2 };
        let mut put = |at: usize, length: usize, value: u64| {
            let value = value.to_le_bytes();
            for (index, byte) in value[..length].iter().enumerate() {
                let index = if is_little { index } else { length - 1 - index };
                bytes[at + index] = *byte;
            }
        };
        let word = if is_64 { 8 } else { 4 };
        let [table, size, count] = if is_64 { [32, 54, 56] } else { [28, 42, 44] };
        put(table, word, 64);
        put(size, 2, 60);
        put(count, 2, 2);
        put(64, 4, 1);
        put(124, 4, 3);
        let [offset, length] = if is_64 { [8, 32] } else { [4, 16] };
        put(124 + offset, word, 200);
        put(124 + length, word, 11);
        bytes[200..211].copy_from_slice(b"/lib/ld.so\0");
        bytes
    }
}
