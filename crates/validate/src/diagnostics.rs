//! What `javac` says, as far as it is about places in sources.

/// The folder with the sources, in which each has a folder of its own, named by its number: file names
/// alone are not unique, and package names do not matter to the compiler.
pub(crate) const SOURCE_FOLDER: &str = "s";

/// Lines that belong to an error and say more.
const DETAILS: [&str; 4] = ["symbol:", "required:", "found:", "reason:"];

/// An error in a source.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SourceError {
    /// Number of the source.
    pub(crate) source: usize,
    /// The line, starting with 1.
    pub(crate) line: u32,
    /// What is wrong.
    pub(crate) message: String,
}

/// The errors that have a place, in the order of the compiler.
pub(crate) fn errors(said: &str) -> Vec<SourceError> {
    let mut errors: Vec<SourceError> = Vec::new();
    // Warnings have details too.
    let mut is_error = false;
    for line in said.lines() {
        let place = place(line);
        if let Some((source, line, rest)) = place {
            let message = rest.strip_prefix("error: ").map(str::trim);
            is_error = message.is_some();
            errors.extend(message.map(|message| {
                let message = message.to_owned();
                SourceError { source, line, message }
            }));
        } else if is_error
            && DETAILS.iter().any(|detail| line.trim_start().starts_with(detail))
            && let Some(error) = errors.last_mut()
        {
            error.message.push_str("; ");
            error.message.push_str(&line.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    errors
}

/// The number of the source, the line and what follows, in `s/12/ATest.java:34: error: ...`.
fn place(line: &str) -> Option<(usize, u32, &str)> {
    let rest = line.strip_prefix(SOURCE_FOLDER)?.strip_prefix(['/', '\\'])?;
    let (source, rest) = rest.split_once(['/', '\\'])?;
    let (_, rest) = rest.split_once(':')?;
    let (line, rest) = rest.split_once(": ")?;
    Some((source.parse().ok()?, line.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(source: usize, line: u32, message: &str) -> SourceError {
        SourceError { source, line, message: message.to_owned() }
    }

    #[test]
    fn errors_have_a_place_and_details() {
        let said = "\
s/12/ATest.java:34: error: cannot find symbol
        foo();
        ^
  symbol:   method foo()
  location: class ATest
s/3/ATest.java:5: warning: [removal] found: nothing
  symbol: x
s\\3\\ATest.java:6: error: incompatible types: String cannot be converted to int
error: cannot access Foo
2 errors
";
        let incompatible = "incompatible types: String cannot be converted to int";
        assert_eq!(
            errors(said),
            [error(12, 34, "cannot find symbol; symbol: method foo()"), error(3, 6, incompatible)]
        );
    }

    #[test]
    fn other_lines_are_no_errors() {
        assert_eq!(errors("error: a\ns/x/A.java:1: error: b\ns/1/A.java: error: c\n"), []);
    }
}
