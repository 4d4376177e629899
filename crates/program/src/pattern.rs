//! Patterns for names, in which `*` stands for anything.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::ResolvedMethod;

/// Whether a name matches a pattern, in which `*` stands for anything.
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    // Where to go on if what follows the last star does not match here.
    let (mut at, mut of) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while of < name.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at, of));
            at += 1;
        } else if pattern.get(at) == Some(&name[of]) {
            at += 1;
            of += 1;
        } else if let Some((star_at, star_of)) = star {
            star = Some((star_at, star_of + 1));
            at = star_at + 1;
            of = star_of + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|&c| c == b'*')
}

/// Methods by their names: `pkg.Class#method` or `pkg.Class#method(descriptor)`, with stars in the names. Constructors and
/// initialisers are none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodPattern {
    class: Box<str>,
    name: Box<str>,
    descriptor: Option<Box<str>>,
}

/// Why a text is no pattern for methods.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("must be pkg.Class#method, with a descriptor or without; * stands for any part of a name")]
pub struct MethodPatternError;

impl MethodPattern {
    /// Whether a method is one of these, by the class that declares it.
    pub fn matches(&self, method: &ResolvedMethod) -> bool {
        !method.name().starts_with('<')
            && matches_pattern(&self.name, method.name())
            && self.descriptor.as_deref().is_none_or(|known| known == method.descriptor())
            && matches_pattern(&self.class, &method.class().name().replace('/', "."))
    }

    /// The class, if it is one alone (`pkg.Class`).
    pub fn only_class(&self) -> Option<&str> {
        (!self.class.contains('*')).then_some(&*self.class)
    }
}

impl FromStr for MethodPattern {
    type Err = MethodPatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (class, method) = text.split_once('#').ok_or(MethodPatternError)?;
        let (name, descriptor) = match method.find('(') {
            Some(at) => (&method[..at], Some(&method[at..])),
            None => (method, None),
        };
        let is_name = |name: &str| !name.is_empty() && !name.contains(['#', '/', ';', '<']);
        let is_descriptor = |text: &str| petrel_classfile::MethodDescriptor::parse(text).is_ok();
        if !is_name(class) || !is_name(name) || !descriptor.is_none_or(is_descriptor) {
            return Err(MethodPatternError);
        }
        Ok(MethodPattern {
            class: class.into(),
            name: name.into(),
            descriptor: descriptor.map(Into::into),
        })
    }
}

/// Displays as it was written.
impl fmt::Display for MethodPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}{}", self.class, self.name, self.descriptor.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{MethodPattern, matches_pattern};

    #[test]
    fn stars_stand_for_anything() {
        assert!(matches_pattern("com.acme.*", "com.acme.a.B"));
        assert!(matches_pattern("*Parser", "a.XmlParser"));
        assert!(matches_pattern("a.*.C*", "a.b.Cat"));
        assert!(matches_pattern("*", ""));
        assert!(!matches_pattern("com.acme.*", "com.acmeB"));
        assert!(!matches_pattern("*Parser", "a.Parsers"));
        assert!(!matches_pattern("", "a"));
    }

    #[test]
    fn patterns_for_methods_have_a_class_and_a_name() {
        for text in ["a.B#c", "a.*#nondet*", "B#assume(Z)V"] {
            let pattern: Result<MethodPattern, _> = text.parse();
            assert_eq!(pattern.map(|pattern| pattern.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "a.B", "#c", "a.B#", "a/B#c", "a.B#c(", "a.B#<init>", "a.B#c#d"] {
            assert!(text.parse::<MethodPattern>().is_err(), "{text}");
        }
    }
}
