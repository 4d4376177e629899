//! Floating-point literals (JLS 3.10.2), each with its sign.

use super::LiteralError;
use super::integer::{magnitude, radix_of, signed, underscores_are_inside};

/// The floating-point types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Real {
    /// `float`, rounded or not: whether a literal without suffix may lose digits.
    Float { rounds: bool },
    /// `double`.
    Double,
}

impl Real {
    /// Reads a literal. A `float` is returned as the `double` of the same value.
    pub(super) fn read(self, word: &str) -> Result<f64, LiteralError> {
        let name = if self == Real::Double { "a double" } else { "a float" };
        let wrong = || LiteralError::new(format!("{word:?} is not {name}"));
        let (negative, text) = signed(word);
        let sign = if negative { -1.0 } else { 1.0 };
        match text {
            "NaN" | "Float.NaN" | "Double.NaN" => return Ok(f64::NAN),
            "Infinity" | "Float.POSITIVE_INFINITY" | "Double.POSITIVE_INFINITY" => {
                return Ok(sign * f64::INFINITY);
            }
            "Float.NEGATIVE_INFINITY" | "Double.NEGATIVE_INFINITY" => {
                return Ok(sign * f64::NEG_INFINITY);
            }
            _ => {}
        }
        let (radix, digits) = radix_of(text);
        if matches!(radix, 2 | 16) && !digits.contains(['p', 'P']) {
            // There is no suffix: in these radices it would be a digit.
            let value = magnitude(digits, radix).flatten().ok_or_else(wrong)?;
            return self.rounded(word, sign * value as f64, sign * f64::from(value as f32));
        }
        let (number, suffix) = match text.strip_suffix(['f', 'F']) {
            Some(number) => (number, Some(Real::Float { rounds: true })),
            None => match text.strip_suffix(['d', 'D']) {
                Some(number) => (number, Some(Real::Double)),
                None => (text, None),
            },
        };
        let (double, float) = exact(number).ok_or_else(wrong)?;
        let (double, float) = (sign * double, sign * float);
        let in_range = |value: f64| {
            let lost = value.is_infinite() || (value == 0.0 && has_digits(number));
            let message = || LiteralError::new(format!("{word} is out of range for {name}"));
            if lost { Err(message()) } else { Ok(value) }
        };
        match (self, suffix) {
            (Real::Float { .. }, Some(Real::Double)) => {
                Err(LiteralError::new(format!("{word} is a double, not a float")))
            }
            (_, Some(Real::Float { .. })) => in_range(float),
            (Real::Double, _) => in_range(double),
            (Real::Float { .. }, None) => {
                in_range(float)?;
                self.rounded(word, double, float)
            }
        }
    }

    #[allow(clippy::float_cmp, reason = "whether the value is the same is the question")]
    fn rounded(self, word: &str, double: f64, float: f64) -> Result<f64, LiteralError> {
        match self {
            Real::Double => Ok(double),
            Real::Float { rounds } if rounds || double == float => Ok(float),
            Real::Float { .. } => {
                Err(LiteralError::new(format!("{word} is not a float, {word}f would be")))
            }
        }
    }
}

/// Whether digits other than zeros are part of a number that is not an exponent.
fn has_digits(number: &str) -> bool {
    let (radix, digits) = radix_of(number);
    let end = if radix == 16 { digits.find(['p', 'P']) } else { digits.find(['e', 'E']) };
    let digits = &digits[..end.unwrap_or(digits.len())];
    digits.contains(|c: char| c != '0' && c.is_ascii_hexdigit())
}

/// A number without suffix, rounded to a `double` and to a `float`.
fn exact(number: &str) -> Option<(f64, f64)> {
    let (radix, _) = radix_of(number);
    if !underscores_are_inside(number, radix.max(10)) {
        return None;
    }
    let number = number.replace('_', "");
    if let (16, digits) = radix_of(&number) {
        let hexadecimal = Hexadecimal::read(digits)?;
        return Some((hexadecimal.rounded(53, -1022), hexadecimal.rounded(24, -126)));
    }
    // Rust would read more than Java does, such as `inf`.
    let is_decimal = |c: char| c.is_ascii_digit() || ".eE+-".contains(c);
    if !number.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || !number.chars().all(is_decimal)
    {
        return None;
    }
    let float: f32 = number.parse().ok()?;
    Some((number.parse().ok()?, f64::from(float)))
}

/// A hexadecimal floating-point number: `bits * 2^exponent`, and perhaps a little more.
struct Hexadecimal {
    bits: u64,
    exponent: i64,
    /// Whether digits other than zero were left out.
    more: bool,
}

impl Hexadecimal {
    /// Reads the digits behind `0x`.
    fn read(text: &str) -> Option<Hexadecimal> {
        let (digits, exponent) = text.split_once(['p', 'P'])?;
        let (negative, exponent) = signed(exponent);
        if exponent.is_empty() || !exponent.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        // Beyond this, all numbers are zero or infinite.
        let exponent = exponent.parse::<i64>().unwrap_or(i64::MAX).min(1 << 40);
        let exponent = if negative { -exponent } else { exponent };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut number = Hexadecimal { bits: 0, exponent, more: false };
        for digit in whole.chars() {
            number.push(digit.to_digit(16)?, 4);
        }
        for digit in fraction.chars() {
            number.push(digit.to_digit(16)?, 0);
        }
        Some(number)
    }

    /// Appends a digit; one that no longer fits moves the number up by `scale` bits instead of 4
    /// bits less.
    fn push(&mut self, digit: u32, scale: i64) {
        if self.bits >> 60 == 0 {
            self.bits = self.bits << 4 | u64::from(digit);
            self.exponent += scale - 4;
        } else {
            self.more |= digit != 0;
            self.exponent += scale;
        }
    }

    /// The nearest number of a binary format, the even one of two.
    fn rounded(&self, precision: i64, lowest_exponent: i64) -> f64 {
        if self.bits == 0 {
            return 0.0;
        }
        let n_bits = 64 - i64::from(self.bits.leading_zeros());
        let unit = (self.exponent + n_bits - precision).max(lowest_exponent - precision + 1);
        let dropped = unit - self.exponent;
        if dropped <= 0 {
            return scaled(self.bits, self.exponent, precision);
        }
        if dropped > 64 {
            return 0.0;
        }
        let wide = u128::from(self.bits);
        let (kept, rest) = (wide >> dropped, wide & ((1 << dropped) - 1));
        let half = 1_u128 << (dropped - 1);
        let up = rest > half || (rest == half && (self.more || kept & 1 == 1));
        scaled((kept + u128::from(up)) as u64, unit, precision)
    }
}

/// `bits * 2^exponent`, which the format has unless it is too large.
fn scaled(bits: u64, exponent: i64, precision: i64) -> f64 {
    let highest_exponent = if precision == 24 { 127 } else { 1023 };
    let n_bits = 64 - i64::from(bits.leading_zeros());
    if bits == 0 {
        return 0.0;
    }
    if exponent + n_bits - 1 > highest_exponent {
        return f64::INFINITY;
    }
    let power = |exponent: i64| f64::from_bits(((exponent + 1023) as u64) << 52);
    // In two steps, because the power alone can be below all normal numbers.
    let low = exponent.max(-1022);
    bits as f64 * power(low) * power(exponent - low)
}
