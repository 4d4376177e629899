//! Quotients and remainders.

use super::{EXPONENT_LIMIT, Format, Ranges, Unpacked};
use crate::blast::circuit::{Bit, Circuit};
use crate::blast::word::Word;
use crate::query::Unsupported;

/// How many digits the quotient may have that a remainder is left after: each takes a subtraction.
const MOST_DIGITS: i64 = 128;

impl Circuit {
    pub(super) fn divide_reals(&mut self, format: Format, a: &Unpacked, b: &Unpacked) -> Word {
        let sign = self.xor(a.sign, b.sign);
        let (dividend, exponent) = self.normal_significand(format, a);
        let (divisor, below) = self.normal_significand(format, b);
        let (mut rest, divisor) = (Word::unsigned(dividend), Word::unsigned(divisor));
        // The first digit may be 0; then there is one more than is kept besides the one for rounding.
        let more = format.precision() + 2;
        let mut quotient = Vec::new();
        for _ in 0..=more {
            let (digit, less) = self.divided_once(&rest, &divisor);
            quotient.push(digit);
            rest = less.shifted_left(1, less.width() + 1);
        }
        quotient.push(self.any(rest.bits().to_vec()));
        quotient.reverse();
        let exponent = self.subtract(&exponent, &below, EXPONENT_LIMIT);
        let places = Word::constant(more as i64 + 1);
        let exponent = self.subtract(&exponent, &places, EXPONENT_LIMIT);
        let rounded = self.round(format, sign, &exponent, quotient);

        let are_zero = self.and(a.is_zero, b.is_zero);
        let are_infinite = self.and(a.is_infinite, b.is_infinite);
        let is_nan = self.any([a.is_nan, b.is_nan, are_zero, are_infinite]);
        let is_infinite = self.or(a.is_infinite, b.is_zero);
        let is_zero = self.or(a.is_zero, b.is_infinite);
        let [plus, minus] = [0, -1].map(Word::constant);
        let zero = self.choose_word(sign, &minus, &plus);
        let rounded = self.choose_word(is_zero, &zero, &rounded);
        self.result(format, is_nan, (is_infinite, sign), &rounded)
    }

    /// Whether a divisor goes into a number that is less than twice as large, and what is left.
    fn divided_once(&mut self, rest: &Word, divisor: &Word) -> (Bit, Word) {
        let less = self.subtract(rest, divisor, rest.width().max(divisor.width()) + 1);
        let digit = !less.sign();
        // What is left is less than the divisor.
        (digit, self.choose_word(digit, &less, rest).cut(divisor.width()))
    }

    /// The remainder after a quotient that is rounded towards zero; `rank` is that of the dividend.
    pub(super) fn remainder_of_reals(
        &mut self,
        format: Format,
        rank: &Word,
        a: &Unpacked,
        b: &Unpacked,
        ranges: Ranges,
    ) -> Result<Word, Unsupported> {
        let most = most_digits(format, ranges);
        if most > MOST_DIGITS {
            return Err(Unsupported);
        }
        let (dividend, exponent) = self.normal_significand(format, a);
        let (divisor, below) = self.normal_significand(format, b);
        let distance = self.subtract(&exponent, &below, EXPONENT_LIMIT);
        let divisor = Word::unsigned(divisor);
        let (_, mut rest) = self.divided_once(&Word::unsigned(dividend), &divisor);
        for digit in (0..most).rev() {
            let is_there = self.less(&Word::constant(digit), &distance);
            let longer = rest.shifted_left(1, rest.width() + 1);
            let (_, less) = self.divided_once(&longer, &divisor);
            rest = self.choose_word(is_there, &less, &rest);
        }
        let bits = (0..format.precision()).map(|at| rest.bit(at)).collect();
        let rounded = self.round(format, a.sign, &below, bits);

        // A dividend that is smaller than the divisor is left as it is; so is zero.
        let is_smaller = self.less(&a.magnitude, &b.magnitude);
        let is_left = self.or(is_smaller, a.is_zero);
        let rounded = self.choose_word(is_left, rank, &rounded);
        let is_nan = self.any([a.is_nan, b.is_nan, a.is_infinite, b.is_zero]);
        Ok(self.result(format, is_nan, (Bit::FALSE, Bit::FALSE), &rounded))
    }
}

/// How many digits a quotient has at most, besides the first.
fn most_digits(format: Format, [(low, high), (least, most)]: Ranges) -> i64 {
    let magnitude = |rank: i64| rank.max(!rank).min(format.infinity() - 1);
    let exponent = |magnitude: i64| magnitude >> format.fraction;
    let dividend = exponent(magnitude(low).max(magnitude(high)));
    let divisor = if least <= 0 && most >= -1 { 0 } else { magnitude(least).min(magnitude(most)) };
    // The divisor may be any that has no exponent of its own.
    let lowest = if exponent(divisor) == 0 { -(format.fraction as i64) } else { exponent(divisor) };
    (dividend - lowest).max(0)
}
