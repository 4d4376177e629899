//! Java strings: sequences of UTF-16 units, unpaired surrogates and NUL included.

use std::fmt;

/// The exact value of a `String` constant.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct JavaString(pub Box<[u16]>);

impl JavaString {
    /// Decodes modified UTF-8 (JVMS 4.4.7); `None` if the bytes are not that.
    pub fn from_modified_utf8(bytes: &[u8]) -> Option<JavaString> {
        // Most texts are ASCII, and for those this is several times as fast.
        if bytes.is_ascii() && !bytes.contains(&0) {
            return Some(JavaString(bytes.iter().map(|&byte| u16::from(byte)).collect()));
        }
        let mut units = Vec::with_capacity(bytes.len());
        let mut rest = bytes.iter().copied();
        let continuation = |byte: Option<u8>| match byte {
            Some(byte) if byte & 0xc0 == 0x80 => Some(u16::from(byte & 0x3f)),
            _ => None,
        };
        while let Some(first) = rest.next() {
            let unit = match first {
                // A raw NUL byte is not allowed: NUL is written as c0 80.
                0x01..=0x7f => u16::from(first),
                0xc0..=0xdf => u16::from(first & 0x1f) << 6 | continuation(rest.next())?,
                0xe0..=0xef => {
                    let middle = continuation(rest.next())?;
                    let last = continuation(rest.next())?;
                    u16::from(first & 0x0f) << 12 | middle << 6 | last
                }
                _ => return None,
            };
            units.push(unit);
        }
        Some(JavaString(units.into_boxed_slice()))
    }

    /// Encodes as modified UTF-8.
    pub fn to_modified_utf8(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len());
        for &unit in &self.0 {
            let low = |shift: u16| (0x80 | unit >> shift & 0x3f) as u8;
            match unit {
                0x01..=0x7f => bytes.push(unit as u8),
                0 | 0x80..=0x7ff => bytes.extend([(0xc0 | unit >> 6) as u8, low(0)]),
                _ => bytes.extend([(0xe0 | unit >> 12) as u8, low(6), low(0)]),
            }
        }
        bytes
    }

    /// As Rust text, if there is no unpaired surrogate.
    pub fn to_text(&self) -> Option<String> {
        String::from_utf16(&self.0).ok()
    }

    /// As a Java (and Rust-like) literal body: printable text as it is, everything else as `\uXXXX`.
    pub fn escaped(&self) -> String {
        use fmt::Write;
        let mut out = String::with_capacity(self.0.len());
        for decoded in char::decode_utf16(self.0.iter().copied()) {
            match decoded {
                Ok('"') => out.push_str("\\\""),
                Ok('\\') => out.push_str("\\\\"),
                Ok('\n') => out.push_str("\\n"),
                Ok('\t') => out.push_str("\\t"),
                Ok('\r') => out.push_str("\\r"),
                Ok(c) if c == ' ' || c.is_alphanumeric() || c.is_ascii_graphic() => out.push(c),
                Ok(c) => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let _ = write!(out, "\\u{unit:04x}");
                    }
                }
                Err(unpaired) => {
                    let _ = write!(out, "\\u{:04x}", unpaired.unpaired_surrogate());
                }
            }
        }
        out
    }

    /// Reads what [`JavaString::escaped`] wrote; `None` on a malformed escape.
    pub fn from_escaped(text: &str) -> Option<JavaString> {
        let mut units = Vec::with_capacity(text.len());
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                continue;
            }
            units.push(match chars.next()? {
                'n' => u16::from(b'\n'),
                't' => u16::from(b'\t'),
                'r' => u16::from(b'\r'),
                '"' => u16::from(b'"'),
                '\\' => u16::from(b'\\'),
                'u' => {
                    let digits: String = chars.by_ref().take(4).collect();
                    let well_formed =
                        digits.len() == 4 && digits.chars().all(|digit| digit.is_ascii_hexdigit());
                    u16::from_str_radix(&digits, 16).ok().filter(|_| well_formed)?
                }
                _ => return None,
            });
        }
        Some(JavaString(units.into_boxed_slice()))
    }
}

impl From<&str> for JavaString {
    fn from(text: &str) -> Self {
        JavaString(text.encode_utf16().collect())
    }
}

impl fmt::Debug for JavaString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.escaped())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(units: &[u16]) -> JavaString {
        JavaString(units.into())
    }

    #[test]
    fn every_unit_survives_both_encodings() {
        let all: Vec<u16> = (0..=u16::MAX).collect();
        let all = string(&all);
        assert_eq!(JavaString::from_modified_utf8(&all.to_modified_utf8()).as_ref(), Some(&all));
        assert_eq!(JavaString::from_escaped(&all.escaped()).as_ref(), Some(&all));
    }

    #[test]
    fn an_unpaired_surrogate_is_a_string_but_not_text() {
        assert_eq!(string(&[0xd800]).to_text(), None);
        assert_eq!(string(&[0xd83d, 0xde00]).to_text().as_deref(), Some("😀"));
    }

    #[test]
    fn broken_sequences_are_refused() {
        for bytes in [&[0xc3][..], &[0xe2, 0x82], &[0x80], &[0xf0, 0x9f], &[0xc3, 0x41], &[0]] {
            assert_eq!(JavaString::from_modified_utf8(bytes), None, "{bytes:x?}");
        }
    }

    #[test]
    fn malformed_escapes_are_refused() {
        for text in ["\\", "\\u12", "\\q", "\\u+123"] {
            assert_eq!(JavaString::from_escaped(text), None, "{text}");
        }
    }
}
