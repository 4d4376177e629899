//! Values as terms for the exported Prolog program. Everything else about values and literals is in
//! `petrel_value`.

use std::fmt::Write;

use petrel_classfile::JavaString;

pub use petrel_value::{Heap, Literals, Object, Value};

/// A value that a literal can write, as a term for `run_concrete/6` of the exported program.
///
/// # Panics
///
/// If it is another object: there is no literal for it, and so none of the tests has one.
pub fn to_prolog(heap: &Heap, value: Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(value) => u8::from(value).to_string(),
        Value::Byte(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Char(unit) => unit.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => value.to_string(),
        Value::Float(bits) => prolog_float(f64::from(f32::from_bits(bits))),
        Value::Double(bits) => prolog_float(f64::from_bits(bits)),
        Value::Reference(_) => match heap.get(value) {
            Some(Object::String(text)) => prolog_string(text),
            Some(Object::Boxed(value)) => to_prolog(heap, *value),
            Some(Object::Array { elements, .. }) => {
                let elements: Vec<String> =
                    elements.iter().map(|element| to_prolog(heap, *element)).collect();
                format!("[{}]", elements.join(", "))
            }
            other => panic!("there is no literal for {other:?}"),
        },
    }
}

fn prolog_float(value: f64) -> String {
    if value.is_nan() {
        return "1.5NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "1.0Inf" } else { "-1.0Inf" }.to_owned();
    }
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

fn prolog_string(text: &JavaString) -> String {
    let mut out = String::from("\"");
    for unit in char::decode_utf16(text.0.iter().copied()) {
        // As in the exported program: see `petrel_prolog`.
        let lone =
            |error: std::char::DecodeUtf16Error| 0x10_0000 + u32::from(error.unpaired_surrogate());
        let code = unit.map_or_else(lone, u32::from);
        let _ = write!(out, "\\x{code:x}\\");
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use petrel_classfile::JavaType;

    use super::*;

    fn check(literal: &str, descriptor: &str, prolog: &str) {
        let mut heap = Heap::new();
        let java_type = JavaType::parse(descriptor).unwrap();
        let value = Literals::new(literal).value(&java_type, &mut heap).unwrap();
        assert_eq!(to_prolog(&heap, value), prolog);
    }

    #[test]
    fn literals_become_terms() {
        check("-5", "I", "-5");
        check("true", "Z", "1");
        check("'c'", "C", "99");
        check("-9223372036854775808L", "J", "-9223372036854775808");
        check("0.5f", "F", "0.5");
        check("-0.0", "D", "-0.0");
        check("1.0E300", "D", "1.0e300");
        check("-Infinity", "F", "-1.0Inf");
        check("NaN", "D", "1.5NaN");
        check("null", "[I", "null");
        check("5", "Ljava/lang/Integer;", "5");
        check("{{1, 2}, null, {}}", "[[I", "[[1, 2], null, []]");
        check("\"a\\n\"", "Ljava/lang/String;", "\"\\x61\\\\xa\\\"");
        check("\"\\ud800\"", "Ljava/lang/String;", "\"\\x10d800\\\"");
    }
}
