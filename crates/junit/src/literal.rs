//! Literals of primitive values and strings.

use petrel_value::Value;

use crate::java::JavaExpression;

/// A literal that has the type of the value; `None` for references.
pub(crate) fn literal(value: Value) -> Option<JavaExpression> {
    let text = match value {
        Value::Null | Value::Reference(_) => return None,
        Value::Boolean(value) => value.to_string(),
        Value::Byte(i8::MIN) => "Byte.MIN_VALUE".to_owned(),
        Value::Byte(i8::MAX) => "Byte.MAX_VALUE".to_owned(),
        Value::Byte(_) => return Some(element(value)?.cast("byte")),
        Value::Short(i16::MIN) => "Short.MIN_VALUE".to_owned(),
        Value::Short(i16::MAX) => "Short.MAX_VALUE".to_owned(),
        Value::Short(_) => return Some(element(value)?.cast("short")),
        Value::Char(unit) => format!("'{}'", escaped(&[unit], '\'')),
        Value::Int(i32::MIN) => "Integer.MIN_VALUE".to_owned(),
        Value::Int(i32::MAX) => "Integer.MAX_VALUE".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Long(i64::MIN) => "Long.MIN_VALUE".to_owned(),
        Value::Long(i64::MAX) => "Long.MAX_VALUE".to_owned(),
        Value::Long(value) => format!("{value}L"),
        Value::Float(bits) => float(f32::from_bits(bits)),
        Value::Double(bits) => double(f64::from_bits(bits)),
    };
    Some(JavaExpression::Literal(text))
}

/// As [`literal`], where the context gives the type: in an initialiser of an array, `3` may be a byte.
pub(crate) fn element(value: Value) -> Option<JavaExpression> {
    match value {
        Value::Byte(value) => Some(JavaExpression::Literal(value.to_string())),
        Value::Short(value) => Some(JavaExpression::Literal(value.to_string())),
        other => literal(other),
    }
}

/// Rust prints the shortest digits that read back as the same number, as Java reads them.
fn float(value: f32) -> String {
    if value.is_nan() {
        "Float.NaN".to_owned()
    } else if value.is_infinite() {
        format!("Float.{}", infinity(value > 0.0))
    } else if value.abs() == f32::MAX {
        signed(value < 0.0, "Float.MAX_VALUE")
    } else if value.to_bits() & 0x7fff_ffff == 1 {
        signed(value < 0.0, "Float.MIN_VALUE")
    } else {
        format!("{value:?}f")
    }
}

fn double(value: f64) -> String {
    if value.is_nan() {
        "Double.NaN".to_owned()
    } else if value.is_infinite() {
        format!("Double.{}", infinity(value > 0.0))
    } else if value.abs() == f64::MAX {
        signed(value < 0.0, "Double.MAX_VALUE")
    } else if value.to_bits() & (u64::MAX >> 1) == 1 {
        signed(value < 0.0, "Double.MIN_VALUE")
    } else {
        format!("{value:?}")
    }
}

fn infinity(is_positive: bool) -> &'static str {
    if is_positive { "POSITIVE_INFINITY" } else { "NEGATIVE_INFINITY" }
}

fn signed(is_negative: bool, name: &str) -> String {
    if is_negative { format!("-{name}") } else { name.to_owned() }
}

/// A string literal.
pub(crate) fn string(units: &[u16]) -> JavaExpression {
    JavaExpression::Literal(format!("\"{}\"", escaped(units, '"')))
}

/// A length or a number of elements.
pub(crate) fn count(number: usize) -> JavaExpression {
    JavaExpression::Literal(number.to_string())
}

/// The name of a class or a member as a string: as the source has it elsewhere.
pub(crate) fn name(name: &str) -> JavaExpression {
    JavaExpression::Literal(format!("\"{name}\""))
}

/// What stands between the quotes. Control characters become octal escapes and not `\u000a`, which javac
/// replaces before it looks for the end of the line. Other characters beyond ASCII are escaped, so that the
/// encoding of the file does not matter.
fn escaped(units: &[u16], quote: char) -> String {
    let mut text = String::new();
    for (at, &unit) in units.iter().enumerate() {
        match unit {
            0x8 => text.push_str("\\b"),
            0x9 => text.push_str("\\t"),
            0xa => text.push_str("\\n"),
            0xc => text.push_str("\\f"),
            0xd => text.push_str("\\r"),
            0x5c => text.push_str("\\\\"),
            0x20..=0x7e => {
                let c = char::from(unit as u8);
                if c == quote {
                    text.push('\\');
                }
                text.push(c);
            }
            0..=0x1f | 0x7f => {
                // A digit behind it would belong to a short escape.
                let is_before_digit =
                    units.get(at + 1).is_some_and(|next| (0x30..=0x39).contains(next));
                text +=
                    &if is_before_digit { format!("\\{unit:03o}") } else { format!("\\{unit:o}") };
            }
            _ => text += &format!("\\u{unit:04x}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_literals_of_their_types() {
        for (value, expected) in [
            (Value::Int(-5), "-5"),
            (Value::Int(i32::MIN), "Integer.MIN_VALUE"),
            (Value::Long(7), "7L"),
            (Value::Byte(-3), "(byte) -3"),
            (Value::Char(0x27), "'\\''"),
            (Value::Char(0x22), "'\"'"),
            (Value::Char(0), "'\\0'"),
            (Value::Char(0xd800), "'\\ud800'"),
            (Value::float(1.5), "1.5f"),
            (Value::double(-0.0), "-0.0"),
            (Value::double(1e300), "1e300"),
            (Value::double(f64::NAN), "Double.NaN"),
            (Value::double(-4.9e-324), "-Double.MIN_VALUE"),
            (Value::float(f32::NEG_INFINITY), "Float.NEGATIVE_INFINITY"),
        ] {
            assert_eq!(literal(value).map(|of| of.to_string()).as_deref(), Some(expected));
        }
        assert_eq!(element(Value::Byte(3)), Some(JavaExpression::Literal("3".to_owned())));
    }

    #[test]
    fn strings_are_escaped_so_that_no_line_ends_in_them() {
        let units: Vec<u16> = "a\"'\\\n\u{0}7\u{1}é".encode_utf16().collect();
        assert_eq!(string(&units).to_string(), "\"a\\\"'\\\\\\n\\0007\\1\\u00e9\"");
    }
}
