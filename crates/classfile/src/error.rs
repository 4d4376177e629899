//! What can be wrong with a class file, and where.

use std::fmt;

/// A malformed class file. Displays as `class a/B, method m()V, instruction 12 (byte 345): reason`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassFileError {
    /// Internal name of the class, once it is known.
    pub class: Option<String>,
    /// The structure that was being read, outermost first.
    pub place: Vec<String>,
    /// Offset from the start of the file, where one is known.
    pub offset: Option<usize>,
    /// What is wrong there.
    pub reason: String,
}

impl ClassFileError {
    /// An error at no particular byte.
    pub fn new(reason: impl Into<String>) -> Self {
        ClassFileError { class: None, place: Vec::new(), offset: None, reason: reason.into() }
    }

    pub(crate) fn at(offset: usize, reason: impl Into<String>) -> Self {
        ClassFileError { offset: Some(offset), ..Self::new(reason) }
    }

    /// Names an enclosing structure.
    #[must_use]
    pub fn within(mut self, place: impl Into<String>) -> Self {
        self.place.insert(0, place.into());
        self
    }

    /// Names the class.
    #[must_use]
    pub fn in_class(mut self, class: &str) -> Self {
        self.class.get_or_insert_with(|| class.to_owned());
        self
    }
}

impl fmt::Display for ClassFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = self.class.as_deref().unwrap_or("(class not yet named)");
        write!(f, "class {class}")?;
        for place in &self.place {
            write!(f, ", {place}")?;
        }
        if let Some(offset) = self.offset {
            write!(f, " (byte {offset})")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for ClassFileError {}

/// Adds the enclosing structure to an error on its way out.
pub(crate) trait Within {
    fn within(self, place: impl FnOnce() -> String) -> Self;
}

impl<T> Within for Result<T, ClassFileError> {
    fn within(self, place: impl FnOnce() -> String) -> Self {
        self.map_err(|error| error.within(place()))
    }
}
