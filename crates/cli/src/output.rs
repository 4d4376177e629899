//! Where output goes. A reader that is gone (`petrel cases ... | head`) has seen enough: that is no failure, and nothing
//! is said about it.

use std::io::{self, StdoutLock, Write};

/// Standard output. When nobody reads it any more, what is written goes nowhere.
pub(crate) struct Output {
    out: StdoutLock<'static>,
    /// The same without a buffer.
    direct: Option<Box<dyn Write>>,
    is_closed: bool,
}

impl Output {
    pub(crate) fn stdout() -> Output {
        Output { out: io::stdout().lock(), direct: None, is_closed: false }
    }

    /// For who writes long pieces, none of which may wait for the next: the usual one looks for the ends of lines in each,
    /// and passes it on in several parts.
    pub(crate) fn in_pieces() -> Output {
        let out = io::stdout().lock();
        Output { direct: direct(&out), out, is_closed: false }
    }

    /// Whether nobody reads it any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Does something with it as long as it is read.
    fn unless_closed(
        &mut self,
        otherwise: usize,
        write: impl FnOnce(&mut dyn Write) -> io::Result<usize>,
    ) -> io::Result<usize> {
        if self.is_closed {
            return Ok(otherwise);
        }
        let written = match &mut self.direct {
            Some(direct) => write(direct),
            None => write(&mut self.out),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(otherwise)
            }
            written => written,
        }
    }
}

/// Standard output without a buffer, where there is such a thing.
#[cfg(unix)]
fn direct(out: &StdoutLock<'_>) -> Option<Box<dyn Write>> {
    use std::os::fd::AsFd;
    let own = out.as_fd().try_clone_to_owned().ok()?;
    Some(Box::new(std::fs::File::from(own)))
}

#[cfg(not(unix))]
fn direct(_: &StdoutLock<'_>) -> Option<Box<dyn Write>> {
    None
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
