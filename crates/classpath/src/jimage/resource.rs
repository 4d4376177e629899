//! Compressed resources of images.
//!
//! `jlink` can pass resources through a chain of compressors. Each puts a header in front of its
//! output, so undoing the chain means to remove layers until there is no header left.

use flate2::{Decompress, FlushDecompress, Status};

use super::compact_cp;
use super::index::{Index, Order};
use crate::MAX_CLASS_BYTES;
use crate::archive::MAX_DEFLATE_RATIO;

const MAGIC: u32 = 0xCAFE_FAFA;
const HEADER_SIZE: usize = 29;

/// How many layers a resource may have. There are two kinds of compressors and `jlink` applies
/// each at most once. Without a limit, data that decompresses to itself would keep us busy for
/// ever.
const MAX_LAYERS: usize = 4;

/// The header of a layer.
struct Header {
    /// The number of bytes that follow the header.
    compressed_size: u64,
    /// The number of bytes they stand for.
    size: u64,
    /// The name of the compressor, as a position in the strings of the image.
    compressor: u64,
}

impl Header {
    /// Splits a header from the bytes that follow it, or gives `None` if there is no header.
    fn split(bytes: &[u8], order: Order) -> Option<(Self, &[u8])> {
        let (magic, rest) = bytes.split_first_chunk()?;
        let (compressed_size, rest) = rest.split_first_chunk()?;
        let (size, rest) = rest.split_first_chunk()?;
        let (compressor, _) = rest.split_first_chunk()?;
        // What remains is a configuration that no compressor uses, and a flag for the last layer
        // that the JDK ignores as well.
        let content = bytes.get(HEADER_SIZE..)?;
        let header = Self {
            compressed_size: order.u64(*compressed_size),
            size: order.u64(*size),
            compressor: u64::from(order.u32(*compressor)),
        };
        (order.u32(*magic) == MAGIC).then_some((header, content))
    }
}

/// Undoes the compression of a resource that should have `size` bytes in the end. An error is a
/// description of the defect.
pub(super) fn decompress(stored: Vec<u8>, size: u64, index: &Index) -> Result<Vec<u8>, String> {
    let mut bytes = stored;
    let mut layers = 0;
    while let Some((header, content)) = Header::split(&bytes, index.order()) {
        layers += 1;
        if layers > MAX_LAYERS {
            return Err(format!("it is compressed more than {MAX_LAYERS} times"));
        }
        bytes = remove_layer(&header, content, index)?;
    }
    if bytes.len() as u64 != size {
        return Err(format!("it decompresses to {} bytes instead of {size}", bytes.len()));
    }
    Ok(bytes)
}

fn remove_layer(header: &Header, content: &[u8], index: &Index) -> Result<Vec<u8>, String> {
    if header.size > MAX_CLASS_BYTES {
        return Err(format!("it would decompress to {} bytes, which is too much", header.size));
    }
    let content = usize::try_from(header.compressed_size)
        .ok()
        .and_then(|len| content.get(..len))
        .ok_or("its compressed data is cut off")?;
    let bytes = match index.strings().get(header.compressor)? {
        b"zip" => inflate(content, header.size)?,
        b"compact-cp" => compact_cp::expand(content, header.size, index.strings())?,
        other => {
            let name = String::from_utf8_lossy(other);
            return Err(format!("it is compressed in an unknown way, {name:?}"));
        }
    };
    if bytes.len() as u64 != header.size {
        return Err(format!("a layer has {} bytes instead of {}", bytes.len(), header.size));
    }
    Ok(bytes)
}

/// Inflates a zlib stream that should give `size` bytes.
fn inflate(content: &[u8], size: u64) -> Result<Vec<u8>, String> {
    let possible = (content.len() as u64).saturating_mul(MAX_DEFLATE_RATIO);
    // At most `MAX_CLASS_BYTES`, so the conversion does not cut off. One byte more tells a stream
    // that is too long from one that fits.
    let mut bytes = Vec::with_capacity(size.min(possible) as usize + 1);
    let status = Decompress::new(true)
        .decompress_vec(content, &mut bytes, FlushDecompress::Finish)
        .map_err(|error| format!("it cannot be inflated: {error}"))?;
    if status == Status::StreamEnd || bytes.len() as u64 > size {
        Ok(bytes)
    } else {
        Err("its compressed data ends too early".to_owned())
    }
}
