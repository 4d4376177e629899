//! A cursor over big-endian bytes which cannot run past its end.

use crate::error::ClassFileError;

#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    /// Offset of `bytes` in the file, for messages.
    base: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: usize) -> Self {
        Reader { bytes, position: 0, base }
    }

    /// Offset from the start of the file.
    pub(crate) fn offset(&self) -> usize {
        self.base.saturating_add(self.position)
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    pub(crate) fn error(&self, reason: impl Into<String>) -> ClassFileError {
        ClassFileError::at(self.offset(), reason)
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], ClassFileError> {
        let end = self.position.checked_add(length).filter(|&end| end <= self.bytes.len());
        let Some(slice) = end.and_then(|end| self.bytes.get(self.position..end)) else {
            return Err(self.error(format!(
                "{length} more bytes are needed but only {} are left",
                self.remaining()
            )));
        };
        self.position += length;
        Ok(slice)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ClassFileError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, ClassFileError> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn i8(&mut self) -> Result<i8, ClassFileError> {
        self.array().map(i8::from_be_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, ClassFileError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn i16(&mut self) -> Result<i16, ClassFileError> {
        self.array().map(i16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ClassFileError> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn i32(&mut self) -> Result<i32, ClassFileError> {
        self.array().map(i32::from_be_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, ClassFileError> {
        self.array().map(u64::from_be_bytes)
    }

    /// A sub-reader over the next `length` bytes.
    pub(crate) fn sub(&mut self, length: usize) -> Result<Reader<'a>, ClassFileError> {
        let base = self.offset();
        Ok(Reader::new(self.take(length)?, base))
    }

    /// Reads a table of `count` entries of at least `entry_size` bytes each. The reservation never
    /// exceeds what the remaining bytes can hold, however large the count claims to be.
    pub(crate) fn table<T>(
        &mut self,
        count: usize,
        entry_size: usize,
        mut entry: impl FnMut(&mut Self) -> Result<T, ClassFileError>,
    ) -> Result<Vec<T>, ClassFileError> {
        if count.saturating_mul(entry_size) > self.remaining() {
            return Err(self.error(format!(
                "a table of {count} entries does not fit into the {} bytes that are left",
                self.remaining()
            )));
        }
        let mut table = Vec::with_capacity(count);
        for _ in 0..count {
            table.push(entry(self)?);
        }
        Ok(table)
    }
}
