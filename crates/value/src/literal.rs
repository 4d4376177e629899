//! Java literals: one syntax for command lines, comments of fixtures, and the answers of oracles.
//!
//! `-5`, `0xff`, `5L`, `1.5f`, `1e3`, `NaN`, `'c'`, `"text"`, `{1, 2}`, `null`, `true`. What a literal
//! means depends on the type that is expected, as if a number had the suffix of that type: `5` is a
//! `long` where one is expected, and `0xffffffff` is -1 as an `int` and 4294967295 as a `long`. A
//! `char` and a `boolean` may be written as numbers.

mod integer;
mod read;
mod real;
#[cfg(test)]
mod tests;
mod units;
mod write;

pub use read::{Literals, argument};
pub use units::escaped;

/// Why a text is no literal of the type that is expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LiteralError(String);

impl LiteralError {
    fn new(message: impl Into<String>) -> LiteralError {
        LiteralError(message.into())
    }
}

impl From<LiteralError> for String {
    fn from(error: LiteralError) -> String {
        error.0
    }
}
