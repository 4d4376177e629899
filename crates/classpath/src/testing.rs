//! Zip files for tests, good and bad ones.
//!
//! They are written byte by byte because the interesting ones are those that no library writes.

use std::io::Write;

/// Puts together a zip file.
#[derive(Debug, Default)]
pub(crate) struct ZipBuilder {
    entries: Vec<ZipEntry>,
}

/// An entry, with everything that its headers state.
#[derive(Debug, Clone)]
pub(crate) struct ZipEntry {
    pub(crate) name: Vec<u8>,
    pub(crate) data: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) crc: u32,
    pub(crate) compressed_size: u32,
    pub(crate) size: u32,
}

impl ZipEntry {
    /// An entry whose content is stored as it is.
    pub(crate) fn stored(name: &str, content: &[u8]) -> Self {
        Self { method: 0, data: content.to_vec(), ..Self::deflated(name, content) }.sized()
    }

    /// An entry whose content is deflated.
    pub(crate) fn deflated(name: &str, content: &[u8]) -> Self {
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(content).unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(content);
        Self {
            name: name.as_bytes().to_vec(),
            data: encoder.finish().unwrap(),
            flags: 0,
            method: 8,
            crc: crc.sum(),
            compressed_size: 0,
            size: content.len() as u32,
        }
        .sized()
    }

    fn sized(self) -> Self {
        Self { compressed_size: self.data.len() as u32, ..self }
    }

    /// The part of the headers that is the same in front of the data and in the directory.
    fn common_header(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for short in [20, self.flags, self.method, 0, 0x21] {
            bytes.extend(short.to_le_bytes());
        }
        for long in [self.crc, self.compressed_size, self.size] {
            bytes.extend(long.to_le_bytes());
        }
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend(0u16.to_le_bytes());
        bytes
    }
}

impl ZipBuilder {
    /// Adds an ordinary entry.
    pub(crate) fn entry(self, name: &str, content: &[u8]) -> Self {
        self.with(ZipEntry::deflated(name, content))
    }

    /// Adds any entry.
    pub(crate) fn with(mut self, entry: ZipEntry) -> Self {
        self.entries.push(entry);
        self
    }

    /// The bytes of the zip file.
    pub(crate) fn finish(&self) -> Vec<u8> {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        for entry in &self.entries {
            let offset = bytes.len() as u32;
            bytes.extend(b"PK\x03\x04");
            bytes.extend(entry.common_header());
            bytes.extend(&entry.name);
            bytes.extend(&entry.data);
            directory.extend(b"PK\x01\x02\x14\x00");
            directory.extend(entry.common_header());
            // Comment length, disk, attributes.
            directory.extend([0; 10]);
            directory.extend(offset.to_le_bytes());
            directory.extend(&entry.name);
        }
        let start = bytes.len() as u32;
        let count = self.entries.len() as u16;
        bytes.extend(&directory);
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend(count.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend((directory.len() as u32).to_le_bytes());
        bytes.extend(start.to_le_bytes());
        bytes.extend(0u16.to_le_bytes());
        bytes
    }
}

/// A small generator of pseudo-random numbers (xorshift), the same on every run.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`, which must not be 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    /// Damages bytes in one to four places: flips bits, writes extreme values, cuts off the end,
    /// or copies a part somewhere else.
    pub(crate) fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            if bytes.is_empty() {
                return;
            }
            let at = self.below(bytes.len());
            match self.below(8) {
                0..=2 => bytes[at] ^= 1 << self.below(8),
                3 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][self.below(5)],
                4 | 5 => {
                    let end = bytes.len().min(at + 4);
                    bytes[at..end].fill([0, 0xFF][self.below(2)]);
                }
                6 => {
                    let from = self.below(bytes.len());
                    let len = self.below(16).min(bytes.len() - from.max(at));
                    bytes.copy_within(from..from + len, at);
                }
                _ if self.below(4) == 0 => bytes.truncate(at),
                _ => bytes[at] = bytes[at].wrapping_add(1),
            }
        }
    }
}
