//! The smallest parts of the text: atoms and constants.

use std::fmt::Write;

use petrel_classfile::JavaString;

use crate::term::Operand;

/// A Prolog atom, in quotes where it needs them.
pub(super) fn atom(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    push_atom(&mut out, name);
    out
}

/// Writes a Prolog atom, in quotes where it needs them.
pub fn push_atom(out: &mut String, name: &str) {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain {
        out.push_str(name);
        return;
    }
    out.push('\'');
    for c in name.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\x{:x}\\", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('\'');
}

/// A string constant.
pub(super) fn string(value: &JavaString) -> String {
    format!("\"{}\"", value.escaped())
}

/// A constant; `None` for a variable.
pub(super) fn constant(operand: Operand) -> Option<String> {
    Some(match operand {
        Operand::Variable(_) => return None,
        Operand::Int(value) => value.to_string(),
        Operand::Long(value) => format!("{value}L"),
        Operand::Float(bits) => float(bits),
        Operand::Double(bits) => double(bits),
        Operand::Null => "null".to_string(),
    })
}

/// Finite values as the shortest decimal that reads back, with a point or an exponent; the others
/// by their bits, because there are many NaNs.
pub(super) fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_finite() { format!("{value:?}f") } else { format!("float({bits:#x})") }
}

/// As [`float`], without a suffix.
pub(super) fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_finite() { format!("{value:?}") } else { format!("double({bits:#x})") }
}

/// Text for a comment, which ends with its line.
pub(super) fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_quoted_where_needed() {
        for (name, text) in [
            ("gcd", "gcd"),
            ("toString2_x", "toString2_x"),
            ("Lcm", "'Lcm'"),
            ("java/lang/Object", "'java/lang/Object'"),
            ("", "''"),
            ("it's\\", "'it\\'s\\\\'"),
            ("a\nb", "'a\\xa\\b'"),
            ("été", "'été'"),
        ] {
            assert_eq!(atom(name), text);
        }
    }

    #[test]
    fn constants_show_their_kind() {
        for (operand, text) in [
            (Operand::Int(-5), "-5"),
            (Operand::Long(i64::MIN), "-9223372036854775808L"),
            (Operand::Float(1.5f32.to_bits()), "1.5f"),
            (Operand::Float((-0.0f32).to_bits()), "-0.0f"),
            (Operand::Double(1e300f64.to_bits()), "1e300"),
            (Operand::Double(3f64.to_bits()), "3.0"),
            (Operand::Float(0x7fc0_0001), "float(0x7fc00001)"),
            (Operand::Double(f64::INFINITY.to_bits()), "double(0x7ff0000000000000)"),
            (Operand::Null, "null"),
        ] {
            assert_eq!(constant(operand).unwrap(), text);
        }
    }
}
