//! The encoding of strings in images: modified UTF-8.
//!
//! It differs from UTF-8 in two ways. The character zero takes two bytes, which names of classes
//! never have, and characters beyond U+FFFF are written as two surrogates of three bytes each.

use std::borrow::Cow;

/// Encodes text. Without characters beyond U+FFFF, nothing is copied.
pub(super) fn encode(text: &str) -> Cow<'_, [u8]> {
    if text.chars().all(|c| c != '\0' && c as u32 <= 0xFFFF) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len() * 3 / 2);
    for unit in text.encode_utf16() {
        let [low, middle, high] = [unit & 0x3F, unit >> 6 & 0x3F, unit >> 12].map(|x| x as u8);
        match unit {
            1..0x80 => bytes.push(unit as u8),
            0 | 0x80..0x800 => bytes.extend([0xC0 | middle, 0x80 | low]),
            0x800.. => bytes.extend([0xE0 | high, 0x80 | middle, 0x80 | low]),
        }
    }
    Cow::Owned(bytes)
}

/// Decodes text, or gives `None` if the bytes are not modified UTF-8 or have unpaired surrogates.
pub(super) fn decode(bytes: &[u8]) -> Option<String> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(text.to_owned());
    }
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let (unit, after): (u16, &[u8]) = match rest {
            [] => return String::from_utf16(&units).ok(),
            [a @ 0..0x80, after @ ..] => (u16::from(*a), after),
            [a @ 0xC0..0xE0, b @ 0x80..0xC0, after @ ..] => {
                (u16::from(a & 0x1F) << 6 | u16::from(b & 0x3F), after)
            }
            [a @ 0xE0..0xF0, b @ 0x80..0xC0, c @ 0x80..0xC0, after @ ..] => {
                let high = u16::from(a & 0x0F) << 12;
                (high | u16::from(b & 0x3F) << 6 | u16::from(c & 0x3F), after)
            }
            _ => return None,
        };
        units.push(unit);
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_a_round_trip() {
        for text in ["", "java/lang/String", "Größe", "a/漢字", "a/𝐀b", "zero \0 inside"] {
            let bytes = encode(text);
            assert!(!bytes.contains(&0), "{text:?}");
            assert_eq!(decode(&bytes).as_deref(), Some(text));
        }
        assert!(matches!(encode("Größe"), Cow::Borrowed(_)));
        assert_eq!(encode("𝐀").len(), 6);
    }

    #[test]
    fn other_bytes_are_not_text() {
        for bytes in [&b"\xFF"[..], b"\xC0", b"\xE0\x80", b"\xED\xA0\x80", b"a\x80"] {
            assert_eq!(decode(bytes), None, "{bytes:x?}");
        }
    }
}
