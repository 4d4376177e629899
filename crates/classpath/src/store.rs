//! Random access to the bytes of a file.
//!
//! Archives and images are read in small pieces by many threads. A [`Store`] gives each reader
//! its own position, so no lock is held while reading, and it gives tests and fuzzers the same
//! code path over bytes in memory.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use crate::SourceError;

/// The bytes of a file, readable at any position from any thread.
#[derive(Debug)]
pub(crate) enum Store {
    /// A file on disk, and its length when it was opened.
    File { file: SharedFile, len: u64 },
    /// A file in memory.
    Bytes(Arc<[u8]>),
}

impl Store {
    /// Opens a regular file.
    pub(crate) fn open(path: &Path) -> Result<Self, SourceError> {
        // Asked before opening: opening a pipe would wait for someone to write into it.
        let metadata = fs::metadata(path).map_err(|error| SourceError::io(path, error))?;
        if !metadata.is_file() {
            return Err(SourceError::NotAFile { path: path.display().to_string() });
        }
        let file = File::open(path).map_err(|error| SourceError::io(path, error))?;
        Ok(Self::File { file: SharedFile::new(file), len: metadata.len() })
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::File { len, .. } => *len,
            Self::Bytes(bytes) => bytes.len() as u64,
        }
    }

    /// Fills `buffer` with the bytes from `offset` on, or fails.
    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        match self {
            Self::File { file, .. } => file.read_exact_at(buffer, offset),
            Self::Bytes(bytes) => {
                let start = usize::try_from(offset).map_err(|_| past_the_end())?;
                let end = start.checked_add(buffer.len()).ok_or_else(past_the_end)?;
                buffer.copy_from_slice(bytes.get(start..end).ok_or_else(past_the_end)?);
                Ok(())
            }
        }
    }

    /// Reads `len` bytes from `offset` on. Nothing is allocated unless the file has that many.
    pub(crate) fn read_vec(&self, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        let end = offset.checked_add(len).ok_or_else(past_the_end)?;
        if end > self.len() {
            return Err(past_the_end());
        }
        let len = usize::try_from(len).map_err(|_| past_the_end())?;
        let mut bytes = vec![0; len];
        self.read_exact_at(&mut bytes, offset)?;
        Ok(bytes)
    }
}

fn past_the_end() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file ends before the data it announces")
}

/// An open file that can be read at a position without moving a cursor that others use.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct SharedFile(File);

#[cfg(unix)]
impl SharedFile {
    fn new(file: File) -> Self {
        Self(file)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, buffer, offset)
    }
}

/// An open file whose cursor is used by one thread at a time.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) struct SharedFile(std::sync::Mutex<File>);

#[cfg(not(unix))]
impl SharedFile {
    fn new(file: File) -> Self {
        Self(std::sync::Mutex::new(file))
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        // A thread that panicked while it held the lock left nothing but a moved cursor.
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

/// How much a [`Window`] reads at once: enough for the header and the data of a typical class,
/// so that one system call does for most entries of a jar.
const BUFFER_SIZE: u64 = 16 << 10;

/// A buffered reader over a part of a [`Store`], with a position of its own.
///
/// A clone shares the store and starts with an empty buffer, which makes it cheap to give every
/// lookup its own reader.
#[derive(Debug)]
pub(crate) struct Window {
    store: Arc<Store>,
    /// Where in the store the window begins.
    start: u64,
    len: u64,
    position: u64,
    buffer: Vec<u8>,
    /// The position of the first byte of `buffer`.
    buffer_position: u64,
}

impl Window {
    /// The part of `store` from `start` to its end.
    pub(crate) fn new(store: Arc<Store>, start: u64) -> Self {
        let len = store.len().saturating_sub(start);
        Self { store, start, len, position: 0, buffer: Vec::new(), buffer_position: 0 }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes at the current position that are in the buffer.
    fn buffered(&self) -> &[u8] {
        self.position
            .checked_sub(self.buffer_position)
            .and_then(|skip| usize::try_from(skip).ok())
            .and_then(|skip| self.buffer.get(skip..))
            .unwrap_or_default()
    }

    /// Makes the buffer hold the bytes at the current position.
    fn fill(&mut self, len: usize) -> io::Result<()> {
        self.buffer.resize(len, 0);
        self.buffer_position = self.position;
        let filled = self.store.read_exact_at(&mut self.buffer, self.start + self.position);
        if filled.is_err() {
            self.buffer.clear();
        }
        filled
    }
}

impl Clone for Window {
    fn clone(&self) -> Self {
        Self { buffer: Vec::new(), buffer_position: 0, store: Arc::clone(&self.store), ..*self }
    }
}

impl Read for Window {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let remaining = self.len.saturating_sub(self.position);
        if remaining == 0 || out.is_empty() {
            return Ok(0);
        }
        if self.buffered().is_empty() {
            // At most `BUFFER_SIZE` or the length of `out`, so neither conversion cuts off.
            if out.len() as u64 >= BUFFER_SIZE {
                let count = remaining.min(out.len() as u64);
                let out = out.get_mut(..count as usize).unwrap_or_default();
                self.store.read_exact_at(out, self.start + self.position)?;
                self.position += count;
                return Ok(count as usize);
            }
            self.fill(remaining.min(BUFFER_SIZE) as usize)?;
        }
        let count = self.buffered().read(out)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Window {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        let position = match target {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(distance) => self.len.checked_add_signed(distance),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
        };
        self.position = position.ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "seek to before the start")
        })?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store_of(len: usize) -> (Vec<u8>, Arc<Store>) {
        let bytes: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        let store = Store::Bytes(bytes.clone().into());
        (bytes, Arc::new(store))
    }

    #[test]
    fn a_window_reads_what_a_cursor_reads() {
        let (bytes, store) = store_of(100_000);
        let mut window = Window::new(store, 7);
        let mut cursor = io::Cursor::new(&bytes[7..]);
        for (seek, len) in [
            (SeekFrom::Start(0), 10),
            (SeekFrom::Current(20), 5),
            (SeekFrom::Start(50_000), 40_000),
            (SeekFrom::Current(-70_000), 16_384),
            (SeekFrom::End(-30), 30),
            (SeekFrom::Start(3), 16_383),
        ] {
            assert_eq!(window.seek(seek).unwrap(), cursor.seek(seek).unwrap());
            let (mut got, mut expected) = (vec![0; len], vec![0; len]);
            window.read_exact(&mut got).unwrap();
            cursor.read_exact(&mut expected).unwrap();
            assert_eq!(got, expected, "{seek:?}");
        }
        assert_eq!(window.seek(SeekFrom::Start(99_990)).unwrap(), 99_990);
        let mut rest = Vec::new();
        assert_eq!(window.clone().read_to_end(&mut rest).unwrap(), 3);
        assert_eq!(rest, &bytes[99_997..]);
    }

    #[test]
    fn reads_beyond_the_end_fail_without_allocation() {
        let (_, store) = store_of(10);
        assert!(store.read_vec(0, u64::MAX).is_err());
        assert!(store.read_vec(u64::MAX, 2).is_err());
        assert!(store.read_vec(8, 3).is_err());
        assert_eq!(store.read_vec(8, 2).unwrap(), [8, 9]);
        let mut window = Window::new(store, 20);
        assert_eq!(window.len(), 0);
        assert_eq!(window.seek(SeekFrom::Start(u64::MAX)).unwrap(), u64::MAX);
        assert_eq!(window.read(&mut [0; 4]).unwrap(), 0);
        assert!(window.seek(SeekFrom::End(-1)).is_err());
    }

    #[test]
    fn a_directory_is_not_opened_as_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(error, SourceError::NotAFile { .. }), "{error}");
        let error = Store::open(&dir.path().join("nothing")).unwrap_err();
        assert!(error.to_string().contains("nothing"), "{error}");
    }
}
