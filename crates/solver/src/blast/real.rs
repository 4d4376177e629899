//! Circuits for `float` and `double`, whose words are ranks.
//!
//! A number is unpacked into sign, exponent and significand, computed with exactly or with a last bit that
//! stands for all that is lost, and rounded once: to the nearest, ties to even.

mod arithmetic;
mod convert;
mod divide;
mod fused;
mod round;

#[cfg(test)]
mod tests;

use petrel_clp::{ArithmeticKind, Kind, Operation};

use super::circuit::{Bit, Circuit};
use super::word::Word;
use crate::query::Unsupported;

/// Exponents need far fewer bits.
const EXPONENT_LIMIT: usize = 32;

/// How numbers of a kind are put into bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Format {
    /// How many bits the exponent has.
    exponent: usize,
    /// How many bits the significand has behind the point.
    fraction: usize,
}

const SINGLE: Format = Format { exponent: 8, fraction: 23 };
const DOUBLE: Format = Format { exponent: 11, fraction: 52 };

impl Format {
    fn of(kind: ArithmeticKind) -> Option<Format> {
        match kind {
            ArithmeticKind::Float => Some(SINGLE),
            ArithmeticKind::Double => Some(DOUBLE),
            _ => None,
        }
    }

    fn of_kind(kind: Kind) -> Option<Format> {
        Format::of(ArithmeticKind::try_from(kind).ok()?)
    }

    /// How many bits the significand has.
    fn precision(self) -> usize {
        self.fraction + 1
    }

    /// How many bits there are besides the sign.
    fn magnitude(self) -> usize {
        self.exponent + self.fraction
    }

    /// What the field of the exponent is above the exponent.
    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The rank of infinity.
    fn infinity(self) -> i64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The power of two that one in the last place of a significand stands for, if the exponent field is 0.
    fn last_place(self) -> i64 {
        -self.bias() - self.fraction as i64
    }
}

/// How many bits the significands of a kind have behind the point; `None` for integers.
pub(super) fn fraction_bits(kind: Kind) -> Option<u32> {
    Format::of_kind(kind).map(|format| format.fraction as u32)
}

/// A number in parts: if it is one, it is the significand times a power of two.
struct Unpacked {
    sign: Bit,
    /// The rank of the number without its sign.
    magnitude: Word,
    /// The field of the exponent, which is that of the smallest normal number for those below.
    exponent: Word,
    /// The bits of the significand, the lowest first.
    significand: Vec<Bit>,
    is_nan: Bit,
    is_infinite: Bit,
    is_zero: Bit,
}

/// What is known of the ranges of the operands of an operation.
pub(super) type Ranges = [(i64, i64); 2];

impl Circuit {
    /// An operation on ranks and integers.
    pub(super) fn apply_to_reals(
        &mut self,
        operation: Operation,
        a: &Word,
        b: &Word,
        ranges: Ranges,
    ) -> Result<Word, Unsupported> {
        use Operation::*;
        if let Convert(conversion) = operation {
            return self.convert(conversion, a);
        }
        let (Add(kind)
        | Subtract(kind)
        | Multiply(kind)
        | Divide(kind)
        | Remainder(kind)
        | Negate(kind)
        | SquareRoot(kind)
        | Compare(kind, _)) = operation
        else {
            return Err(Unsupported);
        };
        let format = Format::of(kind).ok_or(Unsupported)?;
        if let Compare(_, nan) = operation {
            return Ok(self.compare_reals(format, nan, a, b));
        }
        if let Negate(_) = operation {
            return Ok(self.opposite(format, a));
        }
        let x = self.unpack(format, a);
        if let SquareRoot(_) = operation {
            return Ok(self.square_root(format, a, &x));
        }
        let mut y = self.unpack(format, b);
        Ok(match operation {
            Multiply(_) => self.multiply_reals(format, &x, &y),
            Divide(_) => self.divide_reals(format, &x, &y),
            Remainder(_) => return self.remainder_of_reals(format, a, &x, &y, ranges),
            _ => {
                y.sign = y.sign.negated_if(matches!(operation, Subtract(_)));
                self.add_reals(format, &x, &y)
            }
        })
    }

    fn unpack(&mut self, format: Format, rank: &Word) -> Unpacked {
        let sign = rank.sign();
        let bits: Vec<Bit> =
            (0..format.magnitude()).map(|at| self.xor(rank.bit(at), sign)).collect();
        let (fraction, exponent) = bits.split_at(format.fraction);
        let is_last_exponent = self.all(exponent.iter().copied());
        let is_normal = self.any(exponent.iter().copied());
        let has_fraction = self.any(fraction.iter().copied());
        let mut significand = fraction.to_vec();
        significand.push(is_normal);
        let mut field = exponent.to_vec();
        field[0] = self.or(field[0], !is_normal);
        Unpacked {
            sign,
            magnitude: Word::unsigned(bits.clone()),
            exponent: Word::unsigned(field),
            significand,
            is_nan: self.and(is_last_exponent, has_fraction),
            is_infinite: self.and(is_last_exponent, !has_fraction),
            is_zero: self.and(!is_normal, !has_fraction),
        }
    }

    /// The complement of a rank, but for that of NaN.
    fn opposite(&mut self, format: Format, rank: &Word) -> Word {
        let nan = Word::constant(format.infinity() + 1);
        let is_nan = self.equal(rank, &nan);
        self.choose_word(is_nan, &nan, &rank.complement())
    }

    /// -1, 0 or 1 as Java compares two numbers.
    fn compare_reals(&mut self, format: Format, nan: i8, a: &Word, b: &Word) -> Word {
        let infinity = Word::constant(format.infinity());
        let [is_nan_a, is_nan_b] = [a, b].map(|rank| self.less(&infinity, rank));
        let has_nan = self.or(is_nan_a, is_nan_b);
        // The ranks of the zeros are -1 and 0.
        let [is_zero_a, is_zero_b] = [a, b].map(|rank| {
            let sign = rank.sign();
            let same: Vec<Bit> = rank.bits().iter().map(|&bit| !self.xor(bit, sign)).collect();
            self.all(same)
        });
        let are_zeros = self.and(is_zero_a, is_zero_b);
        let is_same = self.equal(a, b);
        let is_equal = self.or(are_zeros, is_same);
        let is_below = self.less(a, b);
        let is_less = self.and(is_below, !is_equal);
        let compared = Word::new(vec![!is_equal, is_less]);
        self.choose_word(has_nan, &Word::constant(nan.into()), &compared)
    }

    /// A result: NaN, infinity with a sign, or a number that was rounded.
    fn result(
        &mut self,
        format: Format,
        is_nan: Bit,
        (is_infinite, sign): (Bit, Bit),
        rounded: &Word,
    ) -> Word {
        let infinity = format.infinity();
        let [above, below] = [infinity, !infinity].map(Word::constant);
        let infinite = self.choose_word(sign, &below, &above);
        let number = self.choose_word(is_infinite, &infinite, rounded);
        self.choose_word(is_nan, &Word::constant(infinity + 1), &number)
    }
}
