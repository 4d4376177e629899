//! The compressor `compact-cp` of `jlink`: constant pools with shared strings.
//!
//! The constant pool of a class is kept in its place, but strings that also occur elsewhere are
//! replaced by references into the string table of the image. Descriptors are taken apart
//! further: `(Ljava/lang/String;I)V` becomes `(L;I)V` with references to `java/lang` and
//! `String`. The rest of the class file is unchanged.

use super::index::Strings;

/// A string of the constant pool, as in any class file.
const UTF8: u8 = 1;
const LONG: u8 = 5;
const DOUBLE: u8 = 6;
/// In place of [`UTF8`]: a string of the image.
const SHARED: u8 = 23;
/// In place of [`UTF8`]: a descriptor whose class names are strings of the image.
const SHARED_DESCRIPTOR: u8 = 25;

/// The number of bytes after the tag of other constants, by tag.
///
/// This is the table of `jlink`, the other side of this code. It is right to repeat its one
/// oddity, size 0 for unknown tags and for `CONSTANT_Dynamic` (17): the bytes of such a constant
/// are taken for tags on both sides, and come out as they went in.
const SIZES: [usize; 21] = [0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 0, 4, 2, 2];

/// Magic number and version of a class file.
const HEADER_SIZE: usize = 8;

/// Restores a class file of at most `size` bytes. An error is a description of the defect.
pub(super) fn expand(content: &[u8], size: u64, strings: &Strings) -> Result<Vec<u8>, String> {
    let mut input = Input(content);
    let mut output = Output { bytes: Vec::with_capacity(content.len()), limit: size };
    output.push(input.take(HEADER_SIZE)?)?;
    let count = input.take_u16()?;
    output.push(&count.to_be_bytes())?;
    let mut index = 1;
    while index < count {
        index += 1;
        let tag = input.take_u8()?;
        match tag {
            SHARED => output.push_utf8(strings.get(input.take_reference()?)?)?,
            SHARED_DESCRIPTOR => {
                let descriptor = strings.get(input.take_reference()?)?;
                let len = usize::try_from(input.take_reference()?).unwrap_or(usize::MAX);
                let names = Input(input.take(len)?);
                output.push_utf8(&join_descriptor(descriptor, names, strings)?)?;
            }
            UTF8 => {
                let len = input.take_u16()?;
                output.push_utf8(input.take(usize::from(len))?)?;
            }
            _ => {
                let size = SIZES
                    .get(usize::from(tag))
                    .ok_or_else(|| format!("a shared constant pool has the unknown tag {tag}"))?;
                output.push(&[tag])?;
                output.push(input.take(*size)?)?;
                if tag == LONG || tag == DOUBLE {
                    // These take two places in the pool. Saturated, 65535 still ends the loop.
                    index = index.saturating_add(1);
                }
            }
        }
    }
    output.push(input.0)?;
    Ok(output.bytes)
}

/// Puts the names of packages and classes back into a descriptor, two for each `L`.
fn join_descriptor(
    descriptor: &[u8],
    mut names: Input<'_>,
    strings: &Strings,
) -> Result<Vec<u8>, String> {
    // A descriptor without names is complete, even if it has an `L`.
    if names.0.is_empty() {
        return Ok(descriptor.to_vec());
    }
    let mut joined = Vec::new();
    for byte in descriptor {
        joined.push(*byte);
        if *byte == b'L' {
            let package = strings.get(names.take_reference()?)?;
            joined.extend_from_slice(package);
            if !package.is_empty() {
                joined.push(b'/');
            }
            joined.extend_from_slice(strings.get(names.take_reference()?)?);
        }
        if joined.len() > usize::from(u16::MAX) {
            return Err(TOO_LONG.to_owned());
        }
    }
    Ok(joined)
}

const TOO_LONG: &str = "a string is too long for a constant pool";

/// The bytes not read yet.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], String> {
        let cut_off = "a shared constant pool is cut off";
        let (part, rest) = self.0.split_at_checked(len).ok_or(cut_off)?;
        self.0 = rest;
        Ok(part)
    }

    fn take_u8(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?.iter().fold(0, |_, byte| *byte))
    }

    fn take_u16(&mut self) -> Result<u16, String> {
        Ok(self.take(2)?.iter().fold(0, |sum, byte| sum << 8 | u16::from(*byte)))
    }

    /// Reads a number of up to four bytes. If the top bit of the first byte is set, the next two
    /// bits say how many bytes there are and the remaining five begin the number. Otherwise
    /// there are four bytes.
    fn take_reference(&mut self) -> Result<u64, String> {
        let first = self.0.first().copied().unwrap_or_default();
        let (len, mask) =
            if first & 0x80 == 0 { (4, 0xFF) } else { (usize::from(first >> 5 & 3), 0x1F) };
        // A length of 0 stands for nothing that a compressor writes; take the byte at least.
        let bytes = self.take(len.max(1))?;
        let start = u64::from(first & mask);
        Ok(bytes.iter().skip(1).fold(start, |sum, byte| sum << 8 | u64::from(*byte)))
    }
}

/// The bytes written so far, never more than the class is known to have.
struct Output {
    bytes: Vec<u8>,
    limit: u64,
}

impl Output {
    fn push(&mut self, bytes: &[u8]) -> Result<(), String> {
        if (self.bytes.len() + bytes.len()) as u64 > self.limit {
            return Err("a shared constant pool expands to more than it declares".to_owned());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn push_utf8(&mut self, string: &[u8]) -> Result<(), String> {
        let len = u16::try_from(string.len()).map_err(|_| TOO_LONG)?;
        self.push(&[UTF8])?;
        self.push(&len.to_be_bytes())?;
        self.push(string)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_have_one_to_four_bytes() {
        let read = |bytes: &[u8]| Input(bytes).take_reference();
        assert_eq!(read(&[0xA1]).unwrap(), 1);
        assert_eq!(read(&[0xC1, 0x02]).unwrap(), 0x102);
        assert_eq!(read(&[0xE1, 0x02, 0x03]).unwrap(), 0x10203);
        assert_eq!(read(&[0x01, 0x02, 0x03, 0x04]).unwrap(), 0x0102_0304);
        assert!(read(&[]).is_err());
        assert!(read(&[0xE1, 0x02]).is_err());
        assert!(read(&[0x01, 0x02, 0x03]).is_err());
    }
}
