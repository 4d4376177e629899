//! Integer literals (JLS 3.10.1), each with its sign.

use super::LiteralError;

/// The integral types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Integral {
    /// Its name, with an article.
    name: &'static str,
    low: i64,
    high: i64,
    /// Bits of the literal, which is an `int` for the smaller types.
    width: u32,
}

const fn integral(name: &'static str, low: i64, high: i64, width: u32) -> Integral {
    Integral { name, low, high, width }
}

pub(super) const BOOLEAN: Integral = integral("a boolean", 0, 1, 32);
pub(super) const BYTE: Integral = integral("a byte", i8::MIN as i64, i8::MAX as i64, 32);
pub(super) const SHORT: Integral = integral("a short", i16::MIN as i64, i16::MAX as i64, 32);
pub(super) const CHAR: Integral = integral("a char", 0, u16::MAX as i64, 32);
pub(super) const INT: Integral = integral("an int", i32::MIN as i64, i32::MAX as i64, 32);
pub(super) const LONG: Integral = integral("a long", i64::MIN, i64::MAX, 64);

impl Integral {
    /// Reads a literal; its suffix has to fit as well.
    pub(super) fn read(self, word: &str) -> Result<i64, LiteralError> {
        let Integral { name, low, high, width } = self;
        let wrong = || LiteralError::new(format!("{word:?} is not {name}"));
        let (negative, digits) = signed(word);
        let (digits, is_long) = match digits.strip_suffix(['L', 'l']) {
            Some(digits) => (digits, true),
            None => (digits, false),
        };
        let (radix, digits) = radix_of(digits);
        let magnitude = magnitude(digits, radix).ok_or_else(wrong)?;
        if is_long && width < 64 {
            return Err(LiteralError::new(format!("{word} is a long, not {name}")));
        }
        let out_of_range =
            || LiteralError::new(format!("{word} is out of range: {name} is from {low} to {high}"));
        let magnitude = magnitude.ok_or_else(out_of_range)?;
        let value = match (radix, negative) {
            (10, false) => Some(magnitude),
            (10, true) => Some(-magnitude),
            // Other radices write the bits, the sign bit among them.
            _ if magnitude >> width != 0 => None,
            (_, false) => Some(sign_extended(magnitude, width)),
            (_, true) => Some(sign_extended(-sign_extended(magnitude, width), width)),
        };
        let value = value.and_then(|value| i64::try_from(value).ok());
        value.filter(|value| (low..=high).contains(value)).ok_or_else(out_of_range)
    }

    /// Whether a value of another kind fits, as a `char` may into an `int`.
    pub(super) fn holds(self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

fn sign_extended(value: i128, width: u32) -> i128 {
    (value << (128 - width)) >> (128 - width)
}

pub(super) fn signed(word: &str) -> (bool, &str) {
    match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    }
}

pub(super) fn radix_of(digits: &str) -> (u32, &str) {
    let prefixed = |prefix: [&str; 2]| prefix.iter().find_map(|prefix| digits.strip_prefix(prefix));
    if let Some(digits) = prefixed(["0x", "0X"]) {
        (16, digits)
    } else if let Some(digits) = prefixed(["0b", "0B"]) {
        (2, digits)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (8, digits)
    } else {
        (10, digits)
    }
}

/// The value of digits, the inner option being empty if it is beyond all types; `None` if they are
/// no digits.
pub(super) fn magnitude(digits: &str, radix: u32) -> Option<Option<i128>> {
    let is_digit = |c: char| c.is_digit(radix) || c == '_';
    if digits.is_empty() || !digits.chars().all(is_digit) || !underscores_are_inside(digits, radix)
    {
        return None;
    }
    let value = u64::from_str_radix(&digits.replace('_', ""), radix);
    Some(value.ok().map(i128::from))
}

/// Underscores stand between digits, or other underscores, only.
pub(super) fn underscores_are_inside(text: &str, radix: u32) -> bool {
    let is_inside = |c: Option<char>| c.is_some_and(|c| c.is_digit(radix) || c == '_');
    let mut before = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '_' && !(is_inside(before) && is_inside(rest.clone().next())) {
            return false;
        }
        before = Some(c);
    }
    true
}
