//! Names as Java programmers and HotSpot's messages write them.

use petrel_classfile::{JavaType, MethodDescriptor};

/// `a.B` for `a/B`, and `[La.B;` for `[La/B;`.
pub(crate) fn external_class(name: &str) -> String {
    name.replace('/', ".")
}

/// How Java writes a type: `int`, `a.B`, `a.B[][]`.
pub fn external_type(java_type: &JavaType) -> String {
    let mut element = java_type;
    let mut brackets = String::new();
    while let JavaType::Array(component) = element {
        element = component;
        brackets.push_str("[]");
    }
    let name = match element {
        JavaType::Boolean => "boolean".to_owned(),
        JavaType::Byte => "byte".to_owned(),
        JavaType::Char => "char".to_owned(),
        JavaType::Short => "short".to_owned(),
        JavaType::Int => "int".to_owned(),
        JavaType::Long => "long".to_owned(),
        JavaType::Float => "float".to_owned(),
        JavaType::Double => "double".to_owned(),
        JavaType::Object(name) => external_class(name),
        // The loop above ends at an element.
        JavaType::Array(_) => String::new(),
    };
    name + &brackets
}

/// `int a.B.m(java.lang.String, int[])`, or without the class.
pub(crate) fn external_method(class: Option<&str>, name: &str, descriptor: &str) -> String {
    let class = class.map_or_else(String::new, |class| external_class(class) + ".");
    let Ok(parsed) = MethodDescriptor::parse(descriptor) else {
        return format!("{class}{name}{descriptor}");
    };
    let result = parsed.result.as_ref().map_or_else(|| "void".to_owned(), external_type);
    let parameters: Vec<_> = parsed.parameters.iter().map(external_type).collect();
    format!("{result} {class}{name}({})", parameters.join(", "))
}

/// The package part of an internal name; empty for the unnamed package.
pub(crate) fn package(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(package, _)| package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_written_as_hotspot_writes_them() {
        assert_eq!(
            external_method(Some("a/B"), "m", "(Ljava/lang/String;[[IJ)V"),
            "void a.B.m(java.lang.String, int[][], long)"
        );
        assert_eq!(external_method(None, "m", "()[La/C;"), "a.C[] m()");
        assert_eq!(external_method(Some("B"), "m", "nonsense"), "B.mnonsense");
    }

    #[test]
    fn a_package_is_what_stands_before_the_last_slash() {
        assert_eq!(package("a/b/C"), "a/b");
        assert_eq!(package("C"), "");
    }
}
