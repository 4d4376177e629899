//! Where output goes. A reader that is gone (`petrel cases ... | head`) has seen enough: that is no failure, and nothing
//! is said about it.

use std::io::{self, StdoutLock, Write};

/// Standard output. When nobody reads it any more, what is written goes nowhere.
pub(crate) struct Output {
    out: StdoutLock<'static>,
    is_closed: bool,
}

impl Output {
    pub(crate) fn stdout() -> Output {
        Output { out: io::stdout().lock(), is_closed: false }
    }

    /// Whether nobody reads it any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Does something with it as long as it is read.
    fn unless_closed(
        &mut self,
        otherwise: usize,
        write: impl FnOnce(&mut StdoutLock<'static>) -> io::Result<usize>,
    ) -> io::Result<usize> {
        if self.is_closed {
            return Ok(otherwise);
        }
        match write(&mut self.out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(otherwise)
            }
            written => written,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed(0, |out| out.flush().map(|()| 0)).map(|_| ())
    }
}

/// Writes a line to standard error, as `eprintln!` does: but that nobody reads it is no reason to break down.
macro_rules! say {
    ($($argument:tt)*) => {{
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("{}\n", format_args!($($argument)*)),
        );
    }};
}
pub(crate) use say;
