//! Characters and strings between quotes, with their escapes (JLS 3.10.7).

use std::fmt::Write;
use std::str::Chars;

use super::LiteralError;

/// Reads the UTF-16 units of a literal from its opening quote on; also returns what follows it.
pub(super) fn read(text: &str, quote: char) -> Result<(Vec<u16>, &str), LiteralError> {
    let Some(rest) = text.strip_prefix(quote) else {
        return Err(LiteralError::new(format!("{quote} is expected before {text:?}")));
    };
    let mut units = Vec::new();
    let mut chars = rest.chars();
    loop {
        match chars.next() {
            None => return Err(LiteralError::new(format!("{quote} is missing at the end"))),
            Some(c) if c == quote => return Ok((units, chars.as_str())),
            Some('\\') => units.extend(escape(&mut chars)?),
            Some(c) => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
        }
    }
}

/// The unit of an escape behind its backslash; none for a line that goes on.
fn escape(chars: &mut Chars<'_>) -> Result<Option<u16>, LiteralError> {
    let unit = match chars.next() {
        Some('b') => 0x8,
        Some('t') => 0x9,
        Some('n') => 0xa,
        Some('f') => 0xc,
        Some('r') => 0xd,
        Some('s') => 0x20,
        Some('\n') => return Ok(None),
        Some('u') => unicode(chars)?,
        Some(first @ '0'..='7') => octal(first, chars),
        Some(c @ ('\\' | '\'' | '"')) => c as u16,
        Some(other) => return Err(LiteralError::new(format!("\\{other} is no escape"))),
        None => return Err(LiteralError::new("there is nothing behind the last \\")),
    };
    Ok(Some(unit))
}

fn unicode(chars: &mut Chars<'_>) -> Result<u16, LiteralError> {
    // Java allows any number of them.
    while chars.as_str().starts_with('u') {
        chars.next();
    }
    let digits: String = chars.by_ref().take(4).collect();
    let well_formed = digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let unit = u16::from_str_radix(&digits, 16).ok().filter(|_| well_formed);
    unit.ok_or_else(|| LiteralError::new(format!("\\u{digits} is no escape")))
}

/// Up to three octal digits, none above `\377`.
fn octal(first: char, chars: &mut Chars<'_>) -> u16 {
    let n_digits = if first <= '3' { 3 } else { 2 };
    let mut unit = first as u16 - '0' as u16;
    for _ in 1..n_digits {
        let Some(digit) = chars.as_str().chars().next().and_then(|c| c.to_digit(8)) else { break };
        unit = unit * 8 + digit as u16;
        chars.next();
    }
    unit
}

/// The text of a string literal without its quotes: printable ASCII as it is, all else escaped, so
/// that it stays one line wherever it is written.
pub fn escaped(units: &[u16]) -> String {
    escaped_within('"', units)
}

pub(super) fn escaped_within(quote: char, units: &[u16]) -> String {
    let mut out = String::with_capacity(units.len());
    for &unit in units {
        match char::from_u32(u32::from(unit)) {
            // In a Java file the numeric escape would end the line.
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some(c) if c == quote || c == '\\' => out.extend(['\\', c]),
            Some(c @ ' '..='~') => out.push(c),
            _ => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}
