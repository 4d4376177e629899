//! Java values as literals: one syntax for the comments of fixtures, the answers of the JVM and the
//! answers of Prolog.
//!
//! `-5`, `5L`, `1.5f`, `1.5`, `NaN`, `-Infinity`, `'c'`, `"text"`, `{1, 2}`, `null`, `true`. What a
//! literal means depends on the type that is expected. Numbers need no suffix but one: `0.1` is no
//! `float`, `0.1f` is.

use std::fmt::Write;

use petrel_classfile::{JavaString, JavaType};

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// A value of an integral type; a `boolean` is 0 or 1, a `char` its code.
    Integer(i64),
    /// A `float` or `double`, as the bits of the `double`; there is one NaN.
    Real(u64),
    /// A string.
    Text(JavaString),
    /// An array.
    Array(Vec<Value>),
}

impl Value {
    fn real(value: f64) -> Value {
        let value = if value.is_nan() { f64::NAN } else { value };
        Value::Real(value.to_bits())
    }

    /// As a term for `run_concrete/6` of the exported program.
    pub fn to_prolog(&self) -> String {
        match self {
            Value::Null => "null".to_owned(),
            Value::Integer(value) => value.to_string(),
            Value::Real(bits) => prolog_float(f64::from_bits(*bits)),
            Value::Text(text) => prolog_string(text),
            Value::Array(elements) => {
                let elements: Vec<String> = elements.iter().map(Value::to_prolog).collect();
                format!("[{}]", elements.join(", "))
            }
        }
    }

    /// As tokens for `FixtureRunner`: numbers in decimal, floats by their bits, strings by their
    /// units.
    pub fn to_tokens(&self) -> String {
        match self {
            Value::Null => "null".to_owned(),
            Value::Integer(value) => value.to_string(),
            Value::Real(bits) => format!("{bits:x}"),
            Value::Text(text) => {
                let mut out = String::from("\"");
                for unit in &text.0 {
                    let _ = write!(out, "{unit:04x}");
                }
                out
            }
            Value::Array(elements) => {
                let elements: Vec<String> = elements.iter().map(Value::to_tokens).collect();
                let mut tokens = vec!["{"];
                tokens.extend(elements.iter().map(String::as_str));
                tokens.push("}");
                tokens.join(" ")
            }
        }
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

/// A place in a text with literals.
#[derive(Debug, Clone)]
pub struct Literals<'a> {
    rest: &'a str,
}

impl<'a> Literals<'a> {
    /// The start of a text.
    pub fn new(text: &'a str) -> Self {
        Literals { rest: text }
    }

    /// What was not read yet, without space before it.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_start()
    }

    /// Whether this comes next; it is read then.
    pub fn skip(&mut self, token: &str) -> bool {
        match self.rest().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Reads a literal of a type.
    ///
    /// # Errors
    ///
    /// If what comes next is no value of the type.
    pub fn value(&mut self, java_type: &JavaType) -> Result<Value, String> {
        let java_type = &unboxed(java_type);
        if java_type.is_reference() && self.skip("null") {
            return Ok(Value::Null);
        }
        match java_type {
            JavaType::Boolean if self.skip("true") => Ok(Value::Integer(1)),
            JavaType::Boolean if self.skip("false") => Ok(Value::Integer(0)),
            JavaType::Boolean => self.integer(0, 1),
            JavaType::Byte => self.integer(i64::from(i8::MIN), i64::from(i8::MAX)),
            JavaType::Short => self.integer(i64::from(i16::MIN), i64::from(i16::MAX)),
            JavaType::Char if self.rest().starts_with('\'') => match &*self.units('\'')? {
                [unit] => Ok(Value::Integer(i64::from(*unit))),
                _ => Err("a character literal has one character".to_owned()),
            },
            JavaType::Char => self.integer(0, i64::from(u16::MAX)),
            JavaType::Int => self.integer(i64::from(i32::MIN), i64::from(i32::MAX)),
            JavaType::Long => self.integer(i64::MIN, i64::MAX),
            JavaType::Float => self.float(),
            JavaType::Double => self.double(),
            JavaType::Object(_) => Ok(Value::Text(JavaString(self.units('"')?.into()))),
            JavaType::Array(element) => self.array(element),
        }
    }

    fn array(&mut self, element: &JavaType) -> Result<Value, String> {
        if !self.skip("{") {
            return Err(format!("`{{` is expected before {:?}", self.rest()));
        }
        let mut elements = Vec::new();
        while !self.skip("}") {
            if !elements.is_empty() && !self.skip(",") {
                return Err(format!("`,` is expected before {:?}", self.rest()));
            }
            elements.push(self.value(element)?);
        }
        Ok(Value::Array(elements))
    }

    /// The letters, digits, signs and points that come next.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let in_word = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
        let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word
    }

    fn integer(&mut self, low: i64, high: i64) -> Result<Value, String> {
        let word = self.word();
        let digits = word.strip_suffix('L').unwrap_or(word);
        match digits.parse::<i64>() {
            Ok(value) if (low..=high).contains(&value) => Ok(Value::Integer(value)),
            _ => Err(format!("{word:?} is no number from {low} to {high}")),
        }
    }

    fn float(&mut self) -> Result<Value, String> {
        let word = self.word();
        let value = match word.strip_suffix('f') {
            Some(digits) => digits.parse::<f32>().map(f64::from).ok(),
            None => java_double(word).filter(|&value| is_float(value)),
        };
        value.map(Value::real).ok_or_else(|| format!("{word:?} is no float"))
    }

    fn double(&mut self) -> Result<Value, String> {
        let word = self.word();
        let value = java_double(word).map(Value::real);
        value.ok_or_else(|| format!("{word:?} is no double"))
    }

    /// The UTF-16 units of a string or character literal.
    fn units(&mut self, quote: char) -> Result<Vec<u16>, String> {
        let Some(rest) = self.rest().strip_prefix(quote) else {
            return Err(format!("{quote} is expected before {:?}", self.rest()));
        };
        let mut units = Vec::new();
        let mut chars = rest.chars();
        loop {
            match chars.next() {
                None => return Err(format!("{quote} is missing at the end")),
                Some(c) if c == quote => break,
                Some('\\') => units.push(escaped(&mut chars)?),
                Some(c) => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
            }
        }
        self.rest = chars.as_str();
        Ok(units)
    }
}

fn escaped(chars: &mut std::str::Chars<'_>) -> Result<u16, String> {
    match chars.next() {
        Some('n') => Ok(0xa),
        Some('r') => Ok(0xd),
        Some('t') => Ok(0x9),
        Some('u') => {
            let digits: String = chars.by_ref().take(4).collect();
            u16::from_str_radix(&digits, 16).map_err(|_| format!("\\u{digits} is no escape"))
        }
        Some(c @ ('\\' | '\'' | '"')) => Ok(c as u16),
        other => Err(format!("\\{} is no escape", other.unwrap_or(' '))),
    }
}

fn java_double(word: &str) -> Option<f64> {
    match word {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        // Rust would read more than Java writes, such as `inf`.
        _ if word.ends_with(|c: char| c.is_ascii_digit()) => word.parse().ok(),
        _ => None,
    }
}

#[allow(clippy::float_cmp, reason = "whether the value is the same is the question")]
fn is_float(value: f64) -> bool {
    value.is_nan() || f64::from(value as f32) == value
}

/// A box is written as what is in it.
fn unboxed(java_type: &JavaType) -> JavaType {
    let JavaType::Object(name) = java_type else {
        return java_type.clone();
    };
    match &**name {
        "java/lang/Boolean" => JavaType::Boolean,
        "java/lang/Byte" => JavaType::Byte,
        "java/lang/Short" => JavaType::Short,
        "java/lang/Character" => JavaType::Char,
        "java/lang/Integer" => JavaType::Int,
        "java/lang/Long" => JavaType::Long,
        "java/lang/Float" => JavaType::Float,
        "java/lang/Double" => JavaType::Double,
        _ => java_type.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(literal: &str, descriptor: &str, prolog: &str, tokens: &str) {
        let mut literals = Literals::new(literal);
        let value = literals.value(&JavaType::parse(descriptor).unwrap()).unwrap();
        assert_eq!(literals.rest(), "");
        assert_eq!((&*value.to_prolog(), &*value.to_tokens()), (prolog, tokens));
    }

    #[test]
    fn literals_become_terms_and_tokens() {
        check("-5", "I", "-5", "-5");
        check("true", "Z", "1", "1");
        check("'c'", "C", "99", "99");
        check("'\\u0041'", "C", "65", "65");
        check("-9223372036854775808L", "J", "-9223372036854775808", "-9223372036854775808");
        check("0.5", "D", "0.5", "3fe0000000000000");
        check("0.5f", "F", "0.5", "3fe0000000000000");
        check("-0.0", "D", "-0.0", "8000000000000000");
        check("1.0E300", "D", "1.0e300", "7e37e43c8800759c");
        check("-Infinity", "F", "-1.0Inf", "fff0000000000000");
        check("NaN", "D", "1.5NaN", "7ff8000000000000");
        check("null", "[I", "null", "null");
        check("{{1, 2}, null, {}}", "[[I", "[[1, 2], null, []]", "{ { 1 2 } null { } }");
        check("\"a\\n\"", "Ljava/lang/String;", "\"\\x61\\\\xa\\\"", "\"0061000a");
    }

    #[test]
    fn a_literal_has_to_fit_its_type() {
        for (literal, descriptor) in [
            ("128", "B"),
            ("-1", "C"),
            ("2147483648", "I"),
            ("0.1", "F"),
            ("inf", "D"),
            ("null", "I"),
            ("{1", "[I"),
            ("\"a", "Ljava/lang/String;"),
        ] {
            let java_type = JavaType::parse(descriptor).unwrap();
            assert!(Literals::new(literal).value(&java_type).is_err(), "{literal} {descriptor}");
        }
    }

    #[test]
    fn a_float_that_was_not_rounded_is_no_float() {
        let java_type = JavaType::Float;
        let rounded = Literals::new("0.10000000149011612").value(&java_type).unwrap();
        assert_eq!(rounded, Literals::new("0.1f").value(&java_type).unwrap());
        assert!(Literals::new("0.1000000014").value(&java_type).is_err());
    }
}
