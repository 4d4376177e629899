//! The index of an image: a perfect hash table from paths to locations.
//!
//! The hash of a path selects a slot of the redirect table. Its value says what to do: 0 means
//! that there is no such path, a negative value gives the slot of the location directly, and a
//! positive value is the seed for a second hash that gives it. Since the table tells nothing
//! about paths that are not in it, the location found has to be compared with the path.

use std::ops::Range;

use crate::store::Store;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER_SIZE: usize = 28;
/// The major version of the format; versions that differ in the minor part only are compatible.
const MAJOR_VERSION: u32 = 1;

/// The multiplier of the hash and its first seed.
const HASH_MULTIPLIER: u32 = 0x0100_0193;

/// The largest index that is read. That of a full JDK has 3 MB; the limit keeps a damaged header
/// of a large file from asking for gigabytes.
const MAX_INDEX_SIZE: u64 = 256 << 20;

/// The byte order of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    pub(super) fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    pub(super) fn u64(self, bytes: [u8; 8]) -> u64 {
        match self {
            Self::Little => u64::from_le_bytes(bytes),
            Self::Big => u64::from_be_bytes(bytes),
        }
    }

    fn table(self, bytes: &[u8]) -> Vec<u32> {
        let words = bytes.chunks_exact(4).filter_map(|word| word.first_chunk::<4>());
        words.map(|word| self.u32(*word)).collect()
    }
}

/// The index of an image. Both tables have the same length.
#[derive(Debug)]
pub(super) struct Index {
    order: Order,
    redirects: Vec<u32>,
    location_offsets: Vec<u32>,
    locations: Vec<u8>,
    strings: Strings,
    resources_start: u64,
}

/// The strings of an image: modified UTF-8, each ended by a zero byte.
#[derive(Debug)]
pub(super) struct Strings(Vec<u8>);

/// Where a resource is, and the parts of its path as positions in the strings.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) module: u64,
    pub(super) parent: u64,
    pub(super) base: u64,
    pub(super) extension: u64,
    /// The distance from the start of the resources.
    pub(super) offset: u64,
    /// The size in the file if the resource is compressed, else 0.
    pub(super) compressed_size: u64,
    /// The size of the resource itself.
    pub(super) size: u64,
}

impl Index {
    /// Reads the index of an image. An error is a description of the defect.
    pub(super) fn read(store: &Store) -> Result<Self, String> {
        let mut header = [0; HEADER_SIZE];
        store.read_exact_at(&mut header, 0).map_err(|error| error.to_string())?;
        let magic = header.first_chunk().copied().unwrap_or_default();
        let order = [Order::Little, Order::Big]
            .into_iter()
            .find(|order| order.u32(magic) == MAGIC)
            .ok_or("it lacks the magic number CAFEDADA")?;
        let fields: [u32; HEADER_SIZE / 4] =
            order.table(&header).try_into().map_err(|_| "the header is too short")?;
        let [_, version, _flags, _resources, table_length, locations_size, strings_size] = fields;
        if version >> 16 != MAJOR_VERSION {
            return Err(format!("version {} of the format is unknown", version >> 16));
        }
        // Sums of four numbers of 34 bits do not overflow.
        let table_size = u64::from(table_length) * 4;
        let size = table_size * 2 + u64::from(locations_size) + u64::from(strings_size);
        if size > MAX_INDEX_SIZE {
            return Err(format!("an index of {size} bytes is too large"));
        }
        let bytes = store
            .read_vec(HEADER_SIZE as u64, size)
            .map_err(|error| format!("the index is cut off: {error}"))?;
        let mut rest = bytes.as_slice();
        let mut take = |len: u64| -> Result<&[u8], String> {
            let len = usize::try_from(len).map_err(|_| "the index is too large")?;
            let (part, after) = rest.split_at_checked(len).ok_or("the index is cut off")?;
            rest = after;
            Ok(part)
        };
        Ok(Self {
            order,
            redirects: order.table(take(table_size)?),
            location_offsets: order.table(take(table_size)?),
            locations: take(u64::from(locations_size))?.to_vec(),
            strings: Strings(take(u64::from(strings_size))?.to_vec()),
            resources_start: HEADER_SIZE as u64 + size,
        })
    }

    pub(super) fn order(&self) -> Order {
        self.order
    }

    pub(super) fn strings(&self) -> &Strings {
        &self.strings
    }

    /// Where in the file the resources begin.
    pub(super) fn resources_start(&self) -> u64 {
        self.resources_start
    }

    /// The number of slots. Some may be empty.
    pub(super) fn len(&self) -> usize {
        self.location_offsets.len()
    }

    /// The location with this path, such as `/java.base/java/lang/String.class`.
    pub(super) fn find(&self, path: &[u8]) -> Result<Option<Location>, String> {
        let Some(redirect) = self.slot(path, HASH_MULTIPLIER).and_then(|s| self.redirects.get(s))
        else {
            return Ok(None);
        };
        let slot = match redirect.cast_signed() {
            0 => return Ok(None),
            direct @ ..0 => usize::try_from(-1 - direct).ok(),
            seed => self.slot(path, seed.cast_unsigned()),
        };
        let slot =
            slot.filter(|slot| *slot < self.len()).ok_or("a hash redirect is out of range")?;
        let location = self.location(slot)?;
        Ok(self.has_path(&location, path)?.then_some(location))
    }

    /// The slot that a path hashes to, or `None` in an empty table.
    fn slot(&self, path: &[u8], seed: u32) -> Option<usize> {
        (hash(path, seed) as usize).checked_rem(self.len())
    }

    /// Decodes the location in a slot.
    ///
    /// A location is a list of attributes. Each has a byte with its kind (5 bits) and the number
    /// of bytes of its value less one (3 bits), then the value, most significant byte first
    /// whatever the byte order of the image. Kind 0 ends the list.
    pub(super) fn location(&self, slot: usize) -> Result<Location, String> {
        const CUT_OFF: &str = "a location is cut off";
        let offset = self.location_offsets.get(slot).ok_or("a slot is out of range")?;
        let mut rest = usize::try_from(*offset)
            .ok()
            .and_then(|offset| self.locations.get(offset..))
            .ok_or("a location is out of range")?;
        let mut location = Location::default();
        loop {
            let (head, after) = rest.split_first().ok_or(CUT_OFF)?;
            let (kind, len) = (head >> 3, usize::from(head & 7) + 1);
            if kind == 0 {
                return Ok(location);
            }
            let (value, after) = after.split_at_checked(len).ok_or(CUT_OFF)?;
            rest = after;
            let value = value.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
            match kind {
                1 => location.module = value,
                2 => location.parent = value,
                3 => location.base = value,
                4 => location.extension = value,
                5 => location.offset = value,
                6 => location.compressed_size = value,
                7 => location.size = value,
                // Newer JDKs have more to say; it does not matter here.
                _ => {}
            }
        }
    }

    /// Whether a location is that of `path`.
    fn has_path(&self, location: &Location, path: &[u8]) -> Result<bool, String> {
        let string = |at| self.strings.get(at);
        let module = string(location.module)?;
        let parent = string(location.parent)?;
        let extension = string(location.extension)?;
        // Empty parts are left out together with their separators.
        let parts: [(&[u8], &[u8], &[u8]); 4] = [
            (b"/", module, b"/"),
            (b"", parent, b"/"),
            (b"", string(location.base)?, b""),
            (b".", extension, b""),
        ];
        let mut rest = path;
        for (before, part, after) in parts.into_iter().filter(|(_, part, _)| !part.is_empty()) {
            for piece in [before, part, after] {
                match rest.strip_prefix(piece) {
                    Some(stripped) => rest = stripped,
                    None => return Ok(false),
                }
            }
        }
        Ok(rest.is_empty())
    }
}

impl Strings {
    /// The string that starts at a position, without the zero byte that ends it.
    pub(super) fn get(&self, at: u64) -> Result<&[u8], String> {
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        self.0
            .get(Range { start, end: self.0.len() })
            .and_then(|rest| rest.split(|byte| *byte == 0).next().filter(|s| s.len() < rest.len()))
            .ok_or_else(|| format!("there is no string at position {at} of the index"))
    }
}

/// The hash of a path. The result has 31 bits, as Java has no unsigned numbers.
pub(super) fn hash(path: &[u8], seed: u32) -> u32 {
    let mix = |hash: u32, byte: &u8| hash.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(*byte);
    path.iter().fold(seed, mix) & 0x7FFF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_at_a_zero_byte_that_has_to_be_there() {
        let strings = Strings(b"\0java.base\0open".to_vec());
        assert_eq!(strings.get(0).unwrap(), b"");
        assert_eq!(strings.get(1).unwrap(), b"java.base");
        assert_eq!(strings.get(6).unwrap(), b"base");
        for at in [11, 15, 16, u64::MAX] {
            assert!(strings.get(at).unwrap_err().contains(&at.to_string()));
        }
    }

    #[test]
    fn the_hash_has_31_bits() {
        assert_eq!(hash(b"", u32::MAX), 0x7FFF_FFFF);
        assert_eq!(hash(b"a", HASH_MULTIPLIER), {
            (HASH_MULTIPLIER.wrapping_mul(HASH_MULTIPLIER) ^ 0x61) & 0x7FFF_FFFF
        });
    }
}
