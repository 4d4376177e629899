//! A product and a sum that are rounded once.

use petrel_clp::Kind;

use super::arithmetic::Addend;
use super::{EXPONENT_LIMIT, Format, Unpacked};
use crate::blast::circuit::{Bit, Circuit};
use crate::blast::word::Word;
use crate::query::Unsupported;

impl Circuit {
    /// The product of the first two ranks of a kind plus the third.
    pub(in crate::blast) fn multiply_add(
        &mut self,
        kind: Kind,
        operands: &[Word; 3],
    ) -> Result<Word, Unsupported> {
        let format = Format::of_kind(kind).ok_or(Unsupported)?;
        let [a, b, c] = [0, 1, 2].map(|at| self.unpack(format, &operands[at]));
        let sign = self.xor(a.sign, b.sign);
        let product = self.exact_product(format, sign, &a, &b);
        let addend = self.wide_addend(format, &c);
        let (sign_of_sum, exponent, bits) = self.exact_sum(&product, &addend);
        let rounded = self.round(format, sign_of_sum, &exponent, bits);

        let is_product_infinite = self.or(a.is_infinite, b.is_infinite);
        let is_undefined =
            [(&a, &b), (&b, &a)].map(|(one, other)| self.and(one.is_infinite, other.is_zero));
        let is_difference = self.xor(sign, c.sign);
        let are_opposite = self.all([is_product_infinite, c.is_infinite, is_difference]);
        let is_nan = self.any([
            a.is_nan,
            b.is_nan,
            c.is_nan,
            is_undefined[0],
            is_undefined[1],
            are_opposite,
        ]);
        let is_infinite = self.or(is_product_infinite, c.is_infinite);
        let sign = self.choose(is_product_infinite, sign, c.sign);
        Ok(self.result(format, is_nan, (is_infinite, sign), &rounded))
    }

    /// A product with all its bits.
    fn exact_product(&mut self, format: Format, sign: Bit, a: &Unpacked, b: &Unpacked) -> Addend {
        let width = 2 * format.precision();
        let [(x, of_x), (y, of_y)] = [a, b].map(|factor| self.normal_significand(format, factor));
        let product = self.multiply(&Word::unsigned(x), &Word::unsigned(y), width + 1);
        let bits: Vec<Bit> = (0..width).map(|at| product.bit(at)).collect();
        let exponent = self.add(&of_x, &of_y, Bit::FALSE, EXPONENT_LIMIT);
        let is_zero = self.or(a.is_zero, b.is_zero);
        // Of two significands with their highest bits at the top, the product has its at the top or below.
        let is_short = bits.last().map_or(Bit::TRUE, |&top| !top);
        let shifted = |at: usize| if at == 0 { Bit::FALSE } else { bits[at - 1] };
        let significand =
            (0..width).map(|at| self.choose(is_short, shifted(at), bits[at])).collect();
        let exponent = self.subtract(&exponent, &Word::truth(is_short), EXPONENT_LIMIT);
        self.addend(format, sign, is_zero, exponent, significand)
    }

    /// A number with as many bits as a product.
    fn wide_addend(&mut self, format: Format, c: &Unpacked) -> Addend {
        let (bits, exponent) = self.normal_significand(format, c);
        let mut significand = vec![Bit::FALSE; format.precision()];
        significand.extend(bits);
        let places = Word::constant(format.precision() as i64);
        let exponent = self.subtract(&exponent, &places, EXPONENT_LIMIT);
        self.addend(format, c.sign, c.is_zero, exponent, significand)
    }

    /// Numbers whose highest bits are at the top compare by their exponents first; zero is below all.
    fn addend(
        &mut self,
        format: Format,
        sign: Bit,
        is_zero: Bit,
        exponent: Word,
        significand: Vec<Bit>,
    ) -> Addend {
        let least = Word::constant(-(4 << format.exponent));
        let exponent = self.choose_word(is_zero, &least, &exponent);
        let mut magnitude = significand.clone();
        magnitude.extend_from_slice(exponent.bits());
        Addend { sign, magnitude: Word::new(magnitude), exponent, significand }
    }
}
