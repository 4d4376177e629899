//! Zip files, as far as jars and jmods need them.
//!
//! The central directory is read once. After that an [`Archive`] is immutable: each read works
//! on a clone of the reader, which shares the directory and the open file, and inflates without
//! holding a lock.
//!
//! Only entries whose name ends in `.class` are looked at. Others may be as odd as they like,
//! since nothing is ever unpacked to disk.

use std::io::{self, Read, Seek, SeekFrom};

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use zip::ZipArchive;
use zip::read::ZipArchiveMetadata;
use zip::result::ZipError;

use crate::store::Window;
use crate::{ClassBytes, Home, MAX_CLASS_BYTES, SourceError, names};

/// One byte of deflated data stands for at most this many bytes, by the format. It tells a
/// declared size that is possible from one that is made up.
pub(crate) const MAX_DEFLATE_RATIO: u64 = 1032;

/// An open zip file.
#[derive(Debug)]
pub(crate) struct Archive {
    file: String,
    kind: &'static str,
    len: u64,
    directory: Arc<ZipArchiveMetadata>,
    zip: ZipArchive<Window>,
}

/// The classes of an archive by internal name.
#[derive(Debug, Default)]
pub(crate) struct ClassIndex {
    slots: FxHashMap<Box<str>, Slot>,
}

/// Where one class is.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// The number of the entry in the central directory.
    entry: usize,
    /// The Java version the entry is meant for, 0 for all.
    version: u16,
    /// Whether the archive has several entries of the same name.
    ambiguous: bool,
}

impl Archive {
    /// Reads the central directory. `file` and `kind` are for messages.
    pub(crate) fn open(
        file: String,
        kind: &'static str,
        reader: Window,
    ) -> Result<Self, SourceError> {
        let len = reader.len();
        let zip = ZipArchive::new(reader)
            .map_err(|error| SourceError::malformed(&file, kind, explain(&error)))?;
        Ok(Self { file, kind, len, directory: zip.metadata(), zip })
    }

    /// The name of the archive, for messages.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// The number of the first entry whose name fits.
    pub(crate) fn position(&self, fits: impl Fn(&[u8]) -> bool) -> Option<usize> {
        self.zip.file_names_raw().position(fits)
    }

    /// Collects the classes. For the path of each class file, less `.class`, `select` gives the
    /// version it is meant for and the internal name, or `None` to skip it. Of several versions
    /// of a class the highest is kept.
    pub(crate) fn index(
        &self,
        select: impl Fn(&str) -> Option<(u16, &str)>,
    ) -> Result<ClassIndex, SourceError> {
        let repeated = self.repeated_names()?;
        let mut slots: FxHashMap<Box<str>, Slot> = FxHashMap::default();
        for (entry, raw) in self.zip.file_names_raw().enumerate() {
            let Some(stem) = raw.strip_suffix(b".class") else {
                continue;
            };
            // Java reads names as UTF-8 whatever the flags of the entry say.
            let stem = std::str::from_utf8(stem)
                .map_err(|_| self.bad_entry(raw, "the name is not UTF-8"))?;
            if let Some(defect) = names::defect(stem) {
                return Err(self.bad_entry(raw, format_args!("the name is unsafe: {defect}")));
            }
            let Some((version, name)) = select(stem) else {
                continue;
            };
            let slot = Slot { entry, version, ambiguous: repeated.contains(raw) };
            match slots.get_mut(name) {
                Some(known) if known.version >= version => {}
                Some(known) => *known = slot,
                None => {
                    slots.insert(name.into(), slot);
                }
            }
        }
        Ok(ClassIndex { slots })
    }

    /// Reads a class of `index`, which must be an index of this archive.
    pub(crate) fn find(
        &self,
        index: &ClassIndex,
        name: &str,
    ) -> Result<Option<ClassBytes>, SourceError> {
        names::check(name)?;
        let Some(slot) = index.slots.get(name) else {
            return Ok(None);
        };
        if slot.ambiguous {
            // Which one a JVM takes is an accident of its implementation; testing the other
            // one would be worse than saying so.
            let entry = self.entry_name(slot.entry);
            let reason = "the archive has several entries of this name";
            return Err(SourceError::bad_entry(&self.file, &entry, reason));
        }
        let bytes = self.read(slot.entry)?;
        Ok(Some(ClassBytes { bytes, origin: self.origin(slot.entry), home: Home::Archive }))
    }

    /// Reads one entry and checks its length and checksum.
    pub(crate) fn read(&self, entry: usize) -> Result<Vec<u8>, SourceError> {
        let fail =
            |reason: String| SourceError::bad_entry(&self.file, &self.entry_name(entry), reason);
        let too_large =
            || SourceError::TooLarge { origin: self.origin(entry), limit: MAX_CLASS_BYTES };
        let mut zip = self.zip.clone();
        let file = zip.by_index(entry).map_err(|error| fail(explain(&error)))?;
        let declared = file.size();
        if declared > MAX_CLASS_BYTES {
            return Err(too_large());
        }
        let possible = file.compressed_size().min(self.len).saturating_mul(MAX_DEFLATE_RATIO);
        // At most `MAX_CLASS_BYTES`, so the conversion does not cut off.
        let mut bytes = Vec::with_capacity(declared.min(possible) as usize);
        file.take(MAX_CLASS_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| fail(error.to_string()))?;
        if bytes.len() as u64 > MAX_CLASS_BYTES {
            return Err(too_large());
        }
        if bytes.len() as u64 != declared {
            return Err(fail(format!("it has {} bytes but declares {declared}", bytes.len())));
        }
        Ok(bytes)
    }

    /// The names that the central directory has more than once.
    ///
    /// The zip reader keeps one entry per name and tells only that there were more, so in that
    /// rare case the directory is read again.
    fn repeated_names(&self) -> Result<FxHashSet<Box<[u8]>>, SourceError> {
        let mut repeated = FxHashSet::default();
        if self.zip.has_duplicate_names() {
            let mut seen = FxHashSet::default();
            let mut reader = self.zip.clone().into_inner();
            reader
                .seek(SeekFrom::Start(self.zip.central_directory_start()))
                .and_then(|_| {
                    while let Some(name) = next_central_name(&mut reader)? {
                        if !seen.insert(name.clone()) {
                            repeated.insert(name);
                        }
                    }
                    Ok(())
                })
                .map_err(|error| SourceError::malformed(&self.file, self.kind, error))?;
        }
        Ok(repeated)
    }

    fn entry_name(&self, entry: usize) -> String {
        match self.directory.entry(entry) {
            Ok(entry) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
            Err(_) => format!("entry {entry}"),
        }
    }

    fn origin(&self, entry: usize) -> String {
        format!("{}!/{}", self.file, self.entry_name(entry))
    }

    fn bad_entry(&self, raw_name: &[u8], reason: impl std::fmt::Display) -> SourceError {
        SourceError::bad_entry(&self.file, &String::from_utf8_lossy(raw_name), reason)
    }
}

impl ClassIndex {
    /// The names to list, sorted.
    pub(crate) fn class_names(&self) -> Vec<String> {
        let listed = self.slots.keys().filter(|name| names::is_listed(name));
        names::sorted(listed.map(|name| name.to_string()).collect())
    }
}

/// Reads one header of a central directory and gives the name in it, or `None` at the end.
fn next_central_name(reader: &mut Window) -> io::Result<Option<Box<[u8]>>> {
    const SIGNATURE: [u8; 4] = *b"PK\x01\x02";
    let mut header = [0; 46];
    match reader.read_exact(&mut header) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        result => result?,
    }
    if !header.starts_with(&SIGNATURE) {
        return Ok(None);
    }
    let length_at = |at: usize| match header.get(at..) {
        Some([low, high, ..]) => u16::from_le_bytes([*low, *high]),
        _ => 0,
    };
    let (name, extra, comment) = (length_at(28), length_at(30), length_at(32));
    let mut bytes = vec![0; usize::from(name)];
    reader.read_exact(&mut bytes)?;
    reader.seek(SeekFrom::Current(i64::from(extra) + i64::from(comment)))?;
    Ok(Some(bytes.into()))
}

/// What the zip reader has to say, in terms of the entry.
fn explain(error: &ZipError) -> String {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            "the entry is encrypted".to_owned()
        }
        ZipError::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}
