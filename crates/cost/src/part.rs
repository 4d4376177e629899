//! What the cost of a path is split up by.

use std::fmt;

/// The places that the cost of a path is summed up for: `instructions@method`. Memory belongs to the place where it is
/// allocated, a call to the place where it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The class whose code it is.
    Class,
    /// The method.
    Method,
    /// The source line.
    Line,
    /// The method, with the calls that led to it.
    Stack,
}

impl Part {
    const NAMES: [(Part, &'static str); 4] = [
        (Part::Class, "class"),
        (Part::Method, "method"),
        (Part::Line, "line"),
        (Part::Stack, "stack"),
    ];

    /// A model's name without what it is split up by, and that. Other text behind an `@`, such as that of the name of a file, is
    /// part of the name.
    pub(crate) fn split(text: &str) -> Option<(&str, &str)> {
        let (model, part) = text.rsplit_once('@')?;
        part.chars().all(char::is_alphabetic).then_some((model, part))
    }

    pub(crate) fn named(text: &str) -> Option<Part> {
        Part::NAMES.iter().find(|(_, name)| *name == text).map(|&(part, _)| part)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Part::NAMES.iter().find(|(part, _)| part == self);
        f.write_str(known.map_or("", |(_, name)| name))
    }
}
