//! Conversions to, from and between `float` and `double`.

use petrel_clp::Conversion;

use super::{EXPONENT_LIMIT, Format};
use crate::blast::circuit::{Bit, Circuit};
use crate::blast::word::Word;
use crate::query::{Unsupported, width};

impl Circuit {
    pub(super) fn convert(
        &mut self,
        conversion: Conversion,
        operand: &Word,
    ) -> Result<Word, Unsupported> {
        let (from, to) = conversion.kinds();
        Ok(match (Format::of_kind(from), Format::of_kind(to)) {
            (Some(from), Some(to)) => self.change_format(from, to, operand),
            (None, Some(to)) => self.integer_to_real(to, operand),
            (Some(from), None) => self.truncate(from, width(to)?, operand),
            (None, None) => return Err(Unsupported),
        })
    }

    fn change_format(&mut self, from: Format, to: Format, rank: &Word) -> Word {
        let a = self.unpack(from, rank);
        let last_place = Word::constant(from.last_place());
        let exponent = self.add(&a.exponent, &last_place, Bit::FALSE, EXPONENT_LIMIT);
        let rounded = self.round(to, a.sign, &exponent, a.significand);
        self.result(to, a.is_nan, (a.is_infinite, a.sign), &rounded)
    }

    fn integer_to_real(&mut self, to: Format, integer: &Word) -> Word {
        let sign = integer.sign();
        let magnitude = self.negate_if(sign, integer, integer.width() + 1);
        let bits = (0..integer.width()).map(|at| magnitude.bit(at)).collect();
        self.round(to, sign, &Word::constant(0), bits)
    }

    /// The integer of so many bits that is left when what is behind the point is cut off.
    fn truncate(&mut self, from: Format, width: usize, rank: &Word) -> Word {
        let a = self.unpack(from, rank);
        let bias = Word::constant(from.bias());
        let exponent = self.subtract(&a.exponent, &bias, EXPONENT_LIMIT);
        let is_below_one = exponent.sign();
        let last = Word::constant(width as i64 - 1);
        let is_too_large = !self.less(&exponent, &last);
        let amount: Vec<Bit> =
            (0..width.trailing_zeros() as usize).map(|at| exponent.bit(at)).collect();
        let significand = Word::unsigned(a.significand);
        let shifted = self.shift_left(&significand, &amount, from.precision() + width);
        let magnitude = shifted.cut_unsigned(from.fraction + width).shifted_right(from.fraction);
        let number = self.negate_if(a.sign, &magnitude, width);
        let zero = Word::constant(0);
        let number = self.choose_word(is_below_one, &zero, &number);
        let [least, most] =
            [i64::MIN >> (64 - width), i64::MAX >> (64 - width)].map(Word::constant);
        let end = self.choose_word(a.sign, &least, &most);
        let number = self.choose_word(is_too_large, &end, &number);
        self.choose_word(a.is_nan, &zero, &number)
    }
}
