//! What becomes of a test.

use std::fmt;

/// How much of a message is shown.
const MAX_TEXT: usize = 300;

/// What becomes of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It compiles, and passes in all runs.
    Kept,
    /// It is of no use.
    Dropped(Why),
}

/// Why a test is of no use. Each is shown as one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It does not compile; the text is what the compiler says.
    NotCompiled(String),
    /// It throws, in all runs.
    Failed {
        /// The exception's class, as in sources: `java.lang.AssertionError`.
        exception: String,
        /// Its message, empty if there is none.
        message: String,
    },
    /// It passes in some runs and not in others; the text says how one of those ends.
    Flickers(String),
    /// It passes, but another test does not that runs after it, and only then; the text says which.
    Disturbs(String),
    /// It does not end in time.
    TimedOut,
    /// It ends the process with this status.
    Exited(i32),
    /// The JVM breaks down; the text is what is known of why.
    Died(String),
    /// It prints more than anybody would read.
    Flooded,
    /// The heap is not enough for it.
    OutOfMemory,
    /// It tries what the sandbox does not allow, whether it passes or not; the text says what.
    Refused(String),
    /// It passes, but leaves a thread with this name that goes on.
    StrayThread(String),
    /// It passes, but does not put back what all code of a JVM shares: this.
    SharedState(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::NotCompiled(error) => write!(f, "does not compile: {}", OneLine(error)),
            Why::Failed { exception, message } if message.is_empty() => {
                write!(f, "fails with {exception}")
            }
            Why::Failed { exception, message } => {
                write!(f, "fails with {exception}: {}", OneLine(message))
            }
            Why::Flickers(how) => write!(f, "passes in some runs only: {}", OneLine(how)),
            Why::Disturbs(which) => {
                write!(f, "leaves classes in a state in which {}", OneLine(which))
            }
            Why::TimedOut => f.write_str("does not end in time"),
            Why::Exited(status) => write!(f, "ends the JVM with status {status}"),
            Why::Died(reason) => write!(f, "breaks the JVM: {}", OneLine(reason)),
            Why::Flooded => f.write_str("prints too much"),
            Why::OutOfMemory => f.write_str("runs out of memory"),
            Why::Refused(what) => write!(f, "{}", OneLine(what)),
            Why::SharedState(what) => write!(f, "leaves {} changed", OneLine(what)),
            Why::StrayThread(name) => write!(f, "leaves the thread {} running", OneLine(name)),
        }
    }
}

/// A text whose white space is single blanks, cut if it is long.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = MAX_TEXT;
        for (n, word) in self.0.split_whitespace().enumerate() {
            if n > 0 {
                f.write_str(" ")?;
            }
            for character in word.chars() {
                if left == 0 {
                    return f.write_str("...");
                }
                left -= 1;
                write!(f, "{}", if character.is_control() { '?' } else { character })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_one_line_each() {
        let message = "expected:\n <a> \u{1b}[1m".to_owned();
        let why = Why::Failed { exception: "a.B".to_owned(), message };
        assert_eq!(why.to_string(), "fails with a.B: expected: <a> ?[1m");
        let silent = Why::Failed { exception: "a.B".to_owned(), message: String::new() };
        assert_eq!(silent.to_string(), "fails with a.B");
    }

    #[test]
    fn long_reasons_are_cut() {
        let text = Why::Died("x".repeat(10_000)).to_string();
        assert_eq!(text, format!("breaks the JVM: {}...", "x".repeat(MAX_TEXT)));
    }
}
