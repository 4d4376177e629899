//! How documents are laid out.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};

/// A document as one object, each of whose members has a line of its own.
pub(crate) fn in_lines(document: &impl Serialize, out: &mut Vec<u8>) -> io::Result<()> {
    Ok(document.serialize(&mut Serializer::with_formatter(out, Lines { depth: 0 }))?)
}

/// An indented document with a line break at its end.
pub(crate) fn pretty(document: &impl Serialize, mut out: impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, document)?;
    out.write_all(b"\n")
}

struct Lines {
    depth: usize,
}

impl Formatter for Lines {
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        writer.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        if self.depth == 1 && !is_first {
            return writer.write_all(b",\n");
        }
        CompactFormatter.begin_object_key(writer, is_first)
    }
}
