//! Descriptors (JVMS 4.3): the types of fields and methods.

use std::fmt;

use crate::error::ClassFileError;

/// The type of a field, parameter or array component.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are Java's own")]
pub enum JavaType {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    /// A class or interface, by internal name.
    Object(Box<str>),
    /// An array with this component type.
    Array(Box<JavaType>),
}

/// Parameter and return types of a method.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MethodDescriptor {
    /// Declared parameters, the receiver not among them.
    pub parameters: Vec<JavaType>,
    /// `None` for `void`.
    pub result: Option<JavaType>,
}

const MAX_DIMENSIONS: usize = 255;
const MAX_PARAMETER_SLOTS: usize = 255;

impl JavaType {
    /// Parses a field descriptor.
    pub fn parse(descriptor: &str) -> Result<JavaType, ClassFileError> {
        match Self::prefix(descriptor) {
            Some((java_type, "")) => Ok(java_type),
            _ => Err(ClassFileError::new(format!("\"{descriptor}\" is not a field descriptor"))),
        }
    }

    /// The type that a `Class` constant names: internal name or array descriptor.
    pub fn of_class_constant(name: &str) -> Result<JavaType, ClassFileError> {
        if name.starts_with('[') { Self::parse(name) } else { Ok(JavaType::Object(name.into())) }
    }

    fn prefix(text: &str) -> Option<(JavaType, &str)> {
        let element = text.trim_start_matches('[');
        let dimensions = text.len() - element.len();
        if dimensions > MAX_DIMENSIONS {
            return None;
        }
        let mut chars = element.chars();
        let base = match chars.next()? {
            'Z' => JavaType::Boolean,
            'B' => JavaType::Byte,
            'C' => JavaType::Char,
            'S' => JavaType::Short,
            'I' => JavaType::Int,
            'J' => JavaType::Long,
            'F' => JavaType::Float,
            'D' => JavaType::Double,
            'L' => {
                let (name, rest) = chars.as_str().split_once(';')?;
                check_binary_name(name).ok()?;
                chars = rest.chars();
                JavaType::Object(name.into())
            }
            _ => return None,
        };
        let java_type = (0..dimensions).fold(base, |inner, _| JavaType::Array(Box::new(inner)));
        Some((java_type, chars.as_str()))
    }

    /// Whether values of the type are references.
    pub fn is_reference(&self) -> bool {
        matches!(self, JavaType::Object(_) | JavaType::Array(_))
    }

    /// Local variable or operand stack slots that a value takes.
    pub fn slots(&self) -> usize {
        if matches!(self, JavaType::Long | JavaType::Double) { 2 } else { 1 }
    }

    /// The name that a `Class` constant for the type would have; `None` for a primitive type.
    pub fn class_constant_name(&self) -> Option<String> {
        match self {
            JavaType::Object(name) => Some(name.to_string()),
            JavaType::Array(_) => Some(self.to_string()),
            _ => None,
        }
    }
}

/// Displays as a descriptor.
impl fmt::Display for JavaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JavaType::Boolean => f.write_str("Z"),
            JavaType::Byte => f.write_str("B"),
            JavaType::Char => f.write_str("C"),
            JavaType::Short => f.write_str("S"),
            JavaType::Int => f.write_str("I"),
            JavaType::Long => f.write_str("J"),
            JavaType::Float => f.write_str("F"),
            JavaType::Double => f.write_str("D"),
            JavaType::Object(name) => write!(f, "L{name};"),
            JavaType::Array(component) => write!(f, "[{component}"),
        }
    }
}

impl MethodDescriptor {
    /// Parses a method descriptor.
    pub fn parse(descriptor: &str) -> Result<MethodDescriptor, ClassFileError> {
        let wrong = || ClassFileError::new(format!("\"{descriptor}\" is not a method descriptor"));
        let mut rest = descriptor.strip_prefix('(').ok_or_else(wrong)?;
        let mut parameters = Vec::new();
        let mut slots = 0;
        let result = loop {
            if let Some(result) = rest.strip_prefix(')') {
                break result;
            }
            let (parameter, after) = JavaType::prefix(rest).ok_or_else(wrong)?;
            slots += parameter.slots();
            if slots > MAX_PARAMETER_SLOTS {
                return Err(wrong());
            }
            parameters.push(parameter);
            rest = after;
        };
        let result = if result == "V" { None } else { Some(JavaType::parse(result)?) };
        Ok(MethodDescriptor { parameters, result })
    }

    /// Local variable slots that the parameters take, the receiver not counted.
    pub fn parameter_slots(&self) -> usize {
        self.parameters.iter().map(JavaType::slots).sum()
    }
}

impl fmt::Display for MethodDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for parameter in &self.parameters {
            write!(f, "{parameter}")?;
        }
        match &self.result {
            Some(result) => write!(f, "){result}"),
            None => f.write_str(")V"),
        }
    }
}

/// The name in a `Class` constant: a binary name in internal form, or an array descriptor.
pub(crate) fn check_class_name(name: &str) -> Result<(), ClassFileError> {
    if name.starts_with('[') { JavaType::parse(name).map(drop) } else { check_binary_name(name) }
}

/// JVMS 4.2.1: unqualified names separated by `/`.
fn check_binary_name(name: &str) -> Result<(), ClassFileError> {
    let well_formed =
        !name.contains(['.', ';', '[']) && name.split('/').all(|part| !part.is_empty());
    if well_formed {
        Ok(())
    } else {
        Err(ClassFileError::new(format!("\"{name}\" is not the name of a class")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_print_as_they_were_read() {
        for text in ["()V", "(I)I", "([[Ljava/lang/String;JD)Ljava/util/Map;", "(ZBCSIJFD[J)[[D"] {
            assert_eq!(MethodDescriptor::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn wrong_descriptors_are_refused() {
        let long = format!("({})V", "J".repeat(128));
        let deep = format!("({}I)V", "[".repeat(256));
        for text in
            ["", "I", "(", "()", "(V)V", "()VV", "(L;)V", "(Ljava.lang.X;)V", "(L)V", &long, &deep]
        {
            assert!(MethodDescriptor::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_parts_of_a_class_name_are_separated_by_single_slashes() {
        for name in ["A", "a/B", "a/b/C$1", "a/ß", "[La/B;", "[[I"] {
            assert_eq!(check_class_name(name), Ok(()), "{name}");
        }
        for name in ["", "/", "/A", "A/", "a//B", "a.B", "a/B;", "a[", "[", "[a/B", "[La//B;"] {
            assert!(check_class_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn longs_and_doubles_take_two_slots() {
        assert_eq!(MethodDescriptor::parse("(IJD[JLa/B;)V").unwrap().parameter_slots(), 7);
    }
}
