//! How users name methods: `realloc`, `Vector#realloc`, `pkg.Vector#realloc(I)V`.

use std::str::FromStr;

use petrel_classfile::MethodDescriptor;

use crate::ModelError;

/// The name of a method, or of several: without a class any class is meant, without a descriptor all
/// overloads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MethodName {
    /// As the user wrote it.
    pub(crate) text: Box<str>,
    /// The class in internal form. Without a package, the class may be in any.
    pub(crate) class: Option<Box<str>>,
    pub(crate) name: Box<str>,
    pub(crate) descriptor: Option<Box<str>>,
}

impl FromStr for MethodName {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<MethodName, ModelError> {
        let error = |problem: &str| ModelError::MethodName {
            text: text.to_owned(),
            problem: problem.to_owned(),
        };
        let (class, member) = match text.split_once('#') {
            Some((class, member)) => (Some(class), member),
            None => (None, text),
        };
        let (name, descriptor) = match member.find('(') {
            Some(start) => (&member[..start], Some(&member[start..])),
            None => (member, None),
        };
        if class.is_some_and(str::is_empty) {
            return Err(error("there is no class before the `#`"));
        }
        if name.is_empty() {
            return Err(error("the name is empty"));
        }
        if name == "<clinit>" {
            return Err(error("initialisers of classes are not called, and have no costs"));
        }
        if name.contains(['.', '/', ';', '[', '#']) || name.contains(char::is_whitespace) {
            return Err(error("expected METHOD, CLASS#METHOD or CLASS#METHOD(descriptor)"));
        }
        if descriptor.is_some_and(|descriptor| MethodDescriptor::parse(descriptor).is_err()) {
            return Err(error("what follows the name is no method descriptor, such as `(I[J)V`"));
        }
        Ok(MethodName {
            text: text.into(),
            class: class.map(|class| class.replace('.', "/").into()),
            name: name.into(),
            descriptor: descriptor.map(Into::into),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_up_to_three_parts() {
        let parts = |text: &str| {
            let name: MethodName = text.parse().unwrap();
            (name.class, name.name, name.descriptor)
        };
        assert_eq!(parts("realloc"), (None, "realloc".into(), None));
        assert_eq!(parts("Vector#<init>"), (Some("Vector".into()), "<init>".into(), None));
        assert_eq!(
            parts("a.b.Vector#put(I[J)V"),
            (Some("a/b/Vector".into()), "put".into(), Some("(I[J)V".into()))
        );
    }

    #[test]
    fn what_names_no_method_is_refused_with_the_reason() {
        let problem = |text: &str| text.parse::<MethodName>().unwrap_err().to_string();
        for (text, part) in [
            ("", "the name is empty"),
            ("Vector#", "the name is empty"),
            ("#put", "no class before the `#`"),
            ("Vector.put", "CLASS#METHOD"),
            ("a#b#c", "CLASS#METHOD"),
            ("put(int)", "no method descriptor"),
            ("A#<clinit>", "initialisers"),
        ] {
            let problem = problem(text);
            assert!(problem.contains(part) && problem.contains(text), "{text}: {problem}");
        }
    }
}
