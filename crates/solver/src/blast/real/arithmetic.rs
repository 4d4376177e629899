//! Sums, products and square roots.

use super::{EXPONENT_LIMIT, Format, Unpacked};
use crate::blast::circuit::{Bit, Circuit};
use crate::blast::word::Word;

/// With so many more bits below, a sum is rounded as if it had all of them.
const MORE_BITS: usize = 3;

/// A number in parts that is to be added to another one.
pub(super) struct Addend {
    pub(super) sign: Bit,
    /// What numbers without their signs compare by.
    pub(super) magnitude: Word,
    pub(super) exponent: Word,
    /// As many bits as the other one has. The highest is at the top, or the exponents are the same, or it is 0
    /// and has the smaller exponent.
    pub(super) significand: Vec<Bit>,
}

impl Circuit {
    pub(super) fn add_reals(&mut self, format: Format, a: &Unpacked, b: &Unpacked) -> Word {
        let [one, other] = [a, b].map(|of| Addend {
            sign: of.sign,
            magnitude: of.magnitude.clone(),
            exponent: of.exponent.clone(),
            significand: of.significand.clone(),
        });
        let (sign, exponent, bits) = self.exact_sum(&one, &other);
        let last_place = Word::constant(format.last_place());
        let exponent = self.add(&exponent, &last_place, Bit::FALSE, EXPONENT_LIMIT);
        let rounded = self.round(format, sign, &exponent, bits);

        let is_difference = self.xor(a.sign, b.sign);
        let are_opposite = self.all([a.is_infinite, b.is_infinite, is_difference]);
        let is_nan = self.any([a.is_nan, b.is_nan, are_opposite]);
        let is_infinite = self.or(a.is_infinite, b.is_infinite);
        let sign = self.choose(a.is_infinite, a.sign, b.sign);
        self.result(format, is_nan, (is_infinite, sign), &rounded)
    }

    /// The sign, the exponent of the lowest bit, and the bits of a sum. The lowest bit is set if any is lost.
    pub(super) fn exact_sum(&mut self, a: &Addend, b: &Addend) -> (Bit, Word, Vec<Bit>) {
        let is_difference = self.xor(a.sign, b.sign);
        let is_swapped = self.less(&a.magnitude, &b.magnitude);
        let exponents = [&a.exponent, &b.exponent];
        let large_exponent = self.choose_word(is_swapped, exponents[1], exponents[0]);
        let small_exponent = self.choose_word(is_swapped, exponents[0], exponents[1]);
        let distance = self.subtract(&large_exponent, &small_exponent, EXPONENT_LIMIT);
        let mut large = vec![Bit::FALSE; MORE_BITS];
        let mut small = large.clone();
        for (&x, &y) in a.significand.iter().zip(&b.significand) {
            large.push(self.choose(is_swapped, y, x));
            small.push(self.choose(is_swapped, x, y));
        }
        let small = self.shifted_down(small, &distance);
        let mut addend: Vec<Bit> = small.iter().map(|&bit| self.xor(bit, is_difference)).collect();
        addend.push(is_difference);
        let width = large.len() + 1;
        let sum = self.add(&Word::unsigned(large), &Word::new(addend), is_difference, width + 1);
        let bits: Vec<Bit> = (0..width).map(|at| sum.bit(at)).collect();
        // What cancels out is 0.0, and -0.0 is only what both are.
        let is_something = self.any(bits.iter().copied());
        let sign_of_larger = self.choose(is_swapped, b.sign, a.sign);
        let sign_of_zero = self.and(a.sign, b.sign);
        let sign = self.choose(is_something, sign_of_larger, sign_of_zero);
        let below = Word::constant(MORE_BITS as i64);
        let exponent = self.subtract(&large_exponent, &below, EXPONENT_LIMIT);
        (sign, exponent, bits)
    }

    pub(super) fn multiply_reals(&mut self, format: Format, a: &Unpacked, b: &Unpacked) -> Word {
        let sign = self.xor(a.sign, b.sign);
        let width = 2 * format.precision();
        let factors = [a, b].map(|factor| Word::unsigned(factor.significand.clone()));
        let product = self.multiply(&factors[0], &factors[1], width + 1);
        let bits = (0..width).map(|at| product.bit(at)).collect();
        let exponent = self.add(&a.exponent, &b.exponent, Bit::FALSE, EXPONENT_LIMIT);
        let last_place = Word::constant(2 * format.last_place());
        let exponent = self.add(&exponent, &last_place, Bit::FALSE, EXPONENT_LIMIT);
        let rounded = self.round(format, sign, &exponent, bits);

        let is_undefined =
            [(a, b), (b, a)].map(|(one, other)| self.and(one.is_infinite, other.is_zero));
        let is_nan = self.any([a.is_nan, b.is_nan, is_undefined[0], is_undefined[1]]);
        let is_infinite = self.or(a.is_infinite, b.is_infinite);
        self.result(format, is_nan, (is_infinite, sign), &rounded)
    }

    /// The square root, digit by digit; `rank` is that of the operand.
    pub(super) fn square_root(&mut self, format: Format, rank: &Word, a: &Unpacked) -> Word {
        let (mut radicand, exponent) = self.normal_significand(format, a);
        // The exponent is made even.
        let is_odd = exponent.bit(0);
        radicand.push(Bit::FALSE);
        radicand = (0..radicand.len())
            .map(|at| {
                let shifted = if at == 0 { Bit::FALSE } else { radicand[at - 1] };
                self.choose(is_odd, shifted, radicand[at])
            })
            .collect();
        // Enough digits for the root to have two more than are kept.
        let more = (format.precision() + 4).next_multiple_of(2);
        let mut digits = vec![Bit::FALSE; more];
        digits.extend(radicand);
        if digits.len() % 2 == 1 {
            digits.push(Bit::FALSE);
        }
        let (mut root, mut rest) = (Vec::new(), Word::constant(0));
        let limit = digits.len();
        for pair in digits.rchunks(2) {
            let mut longer = pair.to_vec();
            longer.extend_from_slice(rest.bits());
            rest = Word::new(longer);
            // Twice the root and the next digit, times that digit, if it is 1.
            let mut subtrahend = vec![Bit::TRUE, Bit::FALSE];
            subtrahend.extend_from_slice(&root);
            let less = self.subtract(&rest, &Word::unsigned(subtrahend), limit);
            let digit = !less.sign();
            rest = self.choose_word(digit, &less, &rest);
            root.insert(0, digit);
        }
        let is_rest = self.any(rest.bits().to_vec());
        root.insert(0, is_rest);
        let exponent =
            self.subtract(&exponent, &Word::constant(more as i64), EXPONENT_LIMIT).shifted_right(1);
        let exponent = self.subtract(&exponent, &Word::constant(1), EXPONENT_LIMIT);
        let rounded = self.round(format, Bit::FALSE, &exponent, root);

        let is_negative = self.and(a.sign, !a.is_zero);
        let is_nan = self.or(a.is_nan, is_negative);
        let root = self.result(format, is_nan, (a.is_infinite, Bit::FALSE), &rounded);
        self.choose_word(a.is_zero, rank, &root)
    }

    /// The significand with its highest bit at the top, and the power of two that it is multiplied by.
    pub(super) fn normal_significand(&mut self, format: Format, a: &Unpacked) -> (Vec<Bit>, Word) {
        let (bits, shifted) = self.normalised(a.significand.clone());
        let exponent = self.subtract(&a.exponent, &shifted, EXPONENT_LIMIT);
        let last_place = Word::constant(format.last_place());
        (bits, self.add(&exponent, &last_place, Bit::FALSE, EXPONENT_LIMIT))
    }
}
