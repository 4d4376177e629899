//! JSON without any space, written straight into bytes.
//!
//! Cases are written by the hundred thousand, and most of what they are is text that needs no escape: it is copied, not
//! looked at character by character. The bytes are those that `serde_json` writes.

use std::fmt::{self, Display, Write};
use std::io;

use serde::ser::{self, Impossible, Serialize, Serializer};

/// Appends a value.
///
/// # Errors
///
/// If it refuses to show itself, or has a number that is no integer, or a member whose name is no text.
pub(crate) fn append(value: &impl Serialize, out: &mut Vec<u8>) -> io::Result<()> {
    value.serialize(&mut Compact { out }).map_err(|Refused(why)| io::Error::other(why))
}

struct Compact<'o> {
    out: &'o mut Vec<u8>,
}

/// Why something cannot be written.
#[derive(Debug)]
struct Refused(String);

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl ser::Error for Refused {
    fn custom<T: Display>(why: T) -> Refused {
        Refused(why.to_string())
    }
}

/// What answers do not have.
fn no(what: &str) -> Refused {
    Refused(format!("{what} is no part of an answer"))
}

/// Escapes what is shown.
struct Escaped<'o>(&'o mut Vec<u8>);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(text, self.0);
        Ok(())
    }
}

/// Whether a byte of a text is written as another one.
fn is_escaped(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Whether all bytes are written as they are. Without a branch inside, many are looked at in one instruction.
fn is_plain(bytes: &[u8]) -> bool {
    !bytes.iter().fold(false, |any, &byte| any | is_escaped(byte))
}

/// Of a text that has to be escaped somewhere, so many bytes are looked at together.
const AT_ONCE: usize = 32;

fn escape(text: &str, out: &mut Vec<u8>) {
    if is_plain(text.as_bytes()) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    for part in text.as_bytes().chunks(AT_ONCE) {
        if is_plain(part) {
            out.extend_from_slice(part);
            continue;
        }
        for &byte in part {
            match byte {
                b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\t' => out.extend_from_slice(b"\\t"),
                0x08 => out.extend_from_slice(b"\\b"),
                0x0C => out.extend_from_slice(b"\\f"),
                0..0x20 => {
                    const DIGITS: [u8; 16] = *b"0123456789abcdef";
                    let digits = [byte >> 4, byte & 0xF].map(|digit| DIGITS[usize::from(digit)]);
                    out.extend_from_slice(b"\\u00");
                    out.extend_from_slice(&digits);
                }
                _ => out.push(byte),
            }
        }
    }
}

fn append_number(is_negative: bool, size: u64, out: &mut Vec<u8>) {
    // The digits of the largest number.
    let mut digits = [0; 20];
    let mut first = digits.len();
    let mut left = size;
    loop {
        first -= 1;
        digits[first] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if is_negative {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[first..]);
}

/// Appends a number.
pub(crate) fn append_count(number: u64, out: &mut Vec<u8>) {
    append_number(false, number, out);
}

macro_rules! numbers {
    ($($name:ident: $kind:ty, $is_negative:expr, $size:expr;)*) => {
        $(fn $name(self, number: $kind) -> Result<(), Refused> {
            append_number($is_negative(number), $size(number).into(), self.out);
            Ok(())
        })*
    };
}

impl<'c, 'o> Serializer for &'c mut Compact<'o> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Several<'c, 'o>;
    type SerializeTuple = Several<'c, 'o>;
    type SerializeTupleStruct = Several<'c, 'o>;
    type SerializeTupleVariant = Impossible<(), Refused>;
    type SerializeMap = Several<'c, 'o>;
    type SerializeStruct = Several<'c, 'o>;
    type SerializeStructVariant = Impossible<(), Refused>;

    numbers!(
        serialize_i8: i8, i8::is_negative, i8::unsigned_abs;
        serialize_i16: i16, i16::is_negative, i16::unsigned_abs;
        serialize_i32: i32, i32::is_negative, i32::unsigned_abs;
        serialize_i64: i64, i64::is_negative, i64::unsigned_abs;
        serialize_u8: u8, |_| false, |size: u8| size;
        serialize_u16: u16, |_| false, |size: u16| size;
        serialize_u32: u32, |_| false, |size: u32| size;
        serialize_u64: u64, |_| false, |size: u64| size;
    );

    fn serialize_bool(self, value: bool) -> Result<(), Refused> {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_f32(self, _: f32) -> Result<(), Refused> {
        Err(no("a number that is no integer"))
    }

    fn serialize_f64(self, _: f64) -> Result<(), Refused> {
        Err(no("a number that is no integer"))
    }

    fn serialize_char(self, value: char) -> Result<(), Refused> {
        self.collect_str(&value)
    }

    fn serialize_str(self, text: &str) -> Result<(), Refused> {
        self.out.push(b'"');
        escape(text, self.out);
        self.out.push(b'"');
        Ok(())
    }

    fn collect_str<T: ?Sized + Display>(self, shown: &T) -> Result<(), Refused> {
        self.out.push(b'"');
        let shown = write!(Escaped(self.out), "{shown}");
        shown.map_err(|_| Refused("something refuses to show itself".to_owned()))?;
        self.out.push(b'"');
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Refused> {
        Err(no("a list of bytes"))
    }

    fn serialize_none(self) -> Result<(), Refused> {
        self.serialize_unit()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Refused> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Refused> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Refused> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Refused> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Refused> {
        Err(no("a variant under its name"))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Several<'c, 'o>, Refused> {
        Ok(Several::new(self, b'[', b']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Several<'c, 'o>, Refused> {
        Ok(Several::new(self, b'[', b']'))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Several<'c, 'o>, Refused> {
        Ok(Several::new(self, b'[', b']'))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Refused> {
        Err(no("a variant under its name"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Several<'c, 'o>, Refused> {
        Ok(Several::new(self, b'{', b'}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Several<'c, 'o>, Refused> {
        Ok(Several::new(self, b'{', b'}'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Refused> {
        Err(no("a variant under its name"))
    }
}

/// Elements or members, one by one.
struct Several<'c, 'o> {
    json: &'c mut Compact<'o>,
    is_first: bool,
    last: u8,
}

impl<'c, 'o> Several<'c, 'o> {
    fn new(json: &'c mut Compact<'o>, first: u8, last: u8) -> Several<'c, 'o> {
        json.out.push(first);
        Several { json, is_first: true, last }
    }

    fn next(&mut self) -> &mut Compact<'o> {
        if !std::mem::take(&mut self.is_first) {
            self.json.out.push(b',');
        }
        self.json
    }

    fn close(self) -> Result<(), Refused> {
        self.json.out.push(self.last);
        Ok(())
    }
}

impl ser::SerializeSeq for Several<'_, '_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Refused> {
        value.serialize(self.next())
    }

    fn end(self) -> Result<(), Refused> {
        self.close()
    }
}

impl ser::SerializeTuple for Several<'_, '_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Refused> {
        value.serialize(self.next())
    }

    fn end(self) -> Result<(), Refused> {
        self.close()
    }
}

impl ser::SerializeTupleStruct for Several<'_, '_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Refused> {
        value.serialize(self.next())
    }

    fn end(self) -> Result<(), Refused> {
        self.close()
    }
}

impl ser::SerializeMap for Several<'_, '_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Refused> {
        let json = self.next();
        let start = json.out.len();
        key.serialize(&mut *json)?;
        let is_text = json.out.get(start) == Some(&b'"');
        json.out.push(b':');
        if is_text { Ok(()) } else { Err(no("a member whose name is no text")) }
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Refused> {
        value.serialize(&mut *self.json)
    }

    fn end(self) -> Result<(), Refused> {
        self.close()
    }
}

impl ser::SerializeStruct for Several<'_, '_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        let json = self.next();
        json.out.push(b'"');
        // Names of members are identifiers.
        json.out.extend_from_slice(name.as_bytes());
        json.out.extend_from_slice(b"\":");
        value.serialize(json)
    }

    fn end(self) -> Result<(), Refused> {
        self.close()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_bytes_are_those_of_serde_json() {
        let texts = (0..0x90u8).map(|byte| format!("{}-{byte}", char::from(byte)));
        let long =
            "a longer text, with a \"quoted\" one and a \\ behind the first bytes \u{1F600}\u{7F}";
        let texts: Vec<String> = texts.chain([long.to_owned(), long.repeat(3)]).collect();
        let named: BTreeMap<&str, Option<bool>> =
            [("a\n", None), ("b", Some(true)), ("", Some(false))].into();
        let numbers = (i64::MIN, u64::MAX, -1i8, 0u16, 10i32, i64::MAX, 'x');
        let all = (texts, named, numbers, (), [(); 0]);
        let mut written = Vec::new();
        append(&all, &mut written).unwrap_or_else(|error| panic!("{error}"));
        let expected = serde_json::to_vec(&all).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&expected));
    }

    #[test]
    fn what_answers_do_not_have_is_refused() {
        let mut out = Vec::new();
        assert!(append(&1.5, &mut out).is_err());
        assert!(append(&BTreeMap::from([(1, 2)]), &mut out).is_err());
    }
}
