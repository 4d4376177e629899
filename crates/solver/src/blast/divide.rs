//! Division: quotients and remainders.
//!
//! Quotients are free bits that multiplication defines: `quotient * divisor + remainder = dividend`
//! without overflow, and a remainder that is smaller than the divisor. That is about half the size of
//! a circuit for long division, lets the solver reason backwards from a remainder, and shares its
//! product with programs that compute the same one.

use rustc_hash::FxHashMap;

use super::circuit::{Bit, Circuit};
use super::multiply::{Columns, Overflow};
use super::word::Word;

/// What divisions share.
#[derive(Default)]
pub(super) struct Divisions {
    /// Magnitudes of words, many of which are known without computing them: a remainder is made from
    /// its magnitude.
    magnitudes: FxHashMap<Word, Word>,
    /// Quotient and remainder of pairs of words.
    results: FxHashMap<(Word, Word), (Word, Word)>,
}

impl Divisions {
    /// Notes that a word has the magnitude of another.
    pub(super) fn copy_magnitude(&mut self, from: &Word, to: &Word) {
        if from != to
            && let Some(magnitude) = self.magnitudes.get(from).cloned()
        {
            self.magnitudes.insert(to.clone(), magnitude);
        }
    }

    /// Whether a word is not 0.
    pub(super) fn is_nonzero(&self, circuit: &mut Circuit, word: &Word) -> Bit {
        let magnitude = self.magnitudes.get(word).unwrap_or(word);
        circuit.any(magnitude.bits().iter().copied())
    }

    /// `dividend / divisor`, rounded towards 0.
    pub(super) fn quotient(
        &mut self,
        circuit: &mut Circuit,
        dividend: &Word,
        divisor: &Word,
        limit: usize,
    ) -> Word {
        if let Some(power) = power_of_two(divisor) {
            let rounded_down = dividend.shifted_right(power);
            let round_up = is_negative_part(circuit, dividend, power);
            let quotient = circuit.add(&rounded_down, &Word::constant(0), round_up, limit);
            return circuit.negate_if(divisor.sign(), &quotient, limit);
        }
        if let Some(constant) = nonzero_constant(divisor) {
            return self.divide_by_constant(circuit, dividend, constant).0;
        }
        let magnitude = self.divide(circuit, dividend, divisor).0;
        let is_negative = circuit.xor(dividend.sign(), divisor.sign());
        let quotient = circuit.negate_if(is_negative, &magnitude, limit);
        self.magnitudes.entry(quotient.clone()).or_insert(magnitude);
        let is_by_zero = !self.is_nonzero(circuit, divisor);
        let quotient_by_zero = Word::new(vec![Bit::TRUE, !dividend.sign()]);
        circuit.choose_word(is_by_zero, &quotient_by_zero, &quotient)
    }

    /// The remainder, with the sign of the dividend.
    pub(super) fn remainder(
        &mut self,
        circuit: &mut Circuit,
        dividend: &Word,
        divisor: &Word,
        limit: usize,
    ) -> Word {
        if let Some(power) = power_of_two(divisor) {
            let sign = is_negative_part(circuit, dividend, power);
            let bits = (0..power).map(|at| dividend.bit(at)).chain(std::iter::once(sign));
            return Word::new(bits.collect());
        }
        if let Some(constant) = nonzero_constant(divisor) {
            return self.divide_by_constant(circuit, dividend, constant).1;
        }
        let magnitude = self.divide(circuit, dividend, divisor).1;
        let remainder = circuit.negate_if(dividend.sign(), &magnitude, limit);
        self.magnitudes.entry(remainder.clone()).or_insert(magnitude);
        remainder
    }

    /// The absolute value, which may need one bit more than the word.
    fn magnitude(&mut self, circuit: &mut Circuit, word: &Word) -> Word {
        if word.sign() == Bit::FALSE {
            return word.clone();
        }
        if let Some(magnitude) = self.magnitudes.get(word) {
            return circuit.resolve_word(magnitude);
        }
        let width = word.width();
        let magnitude = circuit.negate_if(word.sign(), word, width).cut_unsigned(width);
        self.magnitudes.insert(word.clone(), magnitude.clone());
        magnitude
    }

    /// Quotient and remainder of the magnitudes of two words. If the divisor is 0, the quotient is
    /// anything and the remainder is the dividend.
    fn divide(&mut self, circuit: &mut Circuit, dividend: &Word, divisor: &Word) -> (Word, Word) {
        let dividend = self.magnitude(circuit, dividend);
        let divisor = self.magnitude(circuit, divisor);
        let key = (dividend, divisor);
        if let Some(result) = self.results.get(&key) {
            return result.clone();
        }
        let result = divide_magnitudes(circuit, &key.0, &key.1);
        self.results.insert(key, result.clone());
        result
    }

    /// Quotient and remainder, both with their signs.
    fn divide_by_constant(
        &mut self,
        circuit: &mut Circuit,
        dividend: &Word,
        divisor: i64,
    ) -> (Word, Word) {
        let key = (dividend.clone(), Word::constant(divisor));
        if let Some(result) = self.results.get(&key) {
            return result.clone();
        }
        let result = divide_by_constant(circuit, dividend, divisor);
        self.results.insert(key, result.clone());
        result
    }
}

/// The exponent, if the magnitude of a constant is a power of two.
fn power_of_two(word: &Word) -> Option<usize> {
    let magnitude = word.as_constant()?.unsigned_abs();
    magnitude.is_power_of_two().then_some(magnitude.trailing_zeros() as usize)
}

fn nonzero_constant(word: &Word) -> Option<i64> {
    word.as_constant().filter(|&constant| constant != 0)
}

/// Whether a word is negative and its lowest bits are not all 0.
fn is_negative_part(circuit: &mut Circuit, word: &Word, bits: usize) -> Bit {
    let is_inexact = circuit.any((0..bits).map(|at| word.bit(at)));
    circuit.and(word.sign(), is_inexact)
}

fn divide_magnitudes(circuit: &mut Circuit, dividend: &Word, divisor: &Word) -> (Word, Word) {
    let is_by_zero = circuit.all(divisor.bits().iter().map(|&bit| !bit));
    // Without the sign, which is 0.
    let width = dividend.width() - 1;
    // A divisor that has a bit at a position for sure makes the quotient shorter by it.
    let certain = divisor.bits().iter().rposition(|&bit| bit == Bit::TRUE).unwrap_or_default();
    if is_by_zero == Bit::TRUE || certain >= width {
        return (Word::constant(0), dividend.clone());
    }
    let quotient = Word::unsigned((certain..width).map(|_| circuit.input()).collect());
    let mut columns = Columns::new(width);
    columns.add_product(circuit, &quotient, divisor);
    let product = columns.sum(circuit, Overflow::Forbidden);
    assert_no_product_beyond(circuit, &quotient, divisor, width);
    let remainder = circuit.subtract(dividend, &Word::unsigned(product), width + 1);
    circuit.assert(!remainder.sign());
    let is_smaller = circuit.less(&remainder, divisor);
    circuit.assert_any(&[is_by_zero, is_smaller]);
    (circuit.resolve_word(&quotient), circuit.resolve_word(&remainder))
}

/// Demands that no two bits of magnitudes make a product at or above a position.
fn assert_no_product_beyond(circuit: &mut Circuit, a: &Word, b: &Word, position: usize) {
    let mut is_above = Bit::FALSE;
    let mut next = b.width() - 1;
    for (at, &bit) in a.bits().iter().enumerate() {
        while next > 0 && next - 1 + at >= position {
            next -= 1;
            is_above = circuit.or(is_above, b.bit(next));
        }
        circuit.assert_any(&[!bit, !is_above]);
    }
}

/// Quotient and remainder by a constant whose magnitude is neither 0 nor a power of two.
fn divide_by_constant(circuit: &mut Circuit, dividend: &Word, divisor: i64) -> (Word, Word) {
    if let Some(dividend) = dividend.as_constant() {
        return (Word::constant(dividend / divisor), Word::constant(dividend % divisor));
    }
    let (width, magnitude) = (dividend.width(), divisor.unsigned_abs());
    let length = (u64::BITS - magnitude.leading_zeros()) as usize;
    if width <= length {
        return (Word::constant(0), dividend.clone());
    }
    let quotient = Word::new((length..=width).map(|_| circuit.input()).collect());
    let product = circuit.multiply(&quotient, &Word::constant(divisor), usize::MAX);
    let remainder = circuit.subtract(dividend, &product, usize::MAX);
    let largest = magnitude as i64 - 1;
    let remainder = circuit.narrow(&remainder, -largest, largest);
    circuit.assert_range(&remainder, -largest, largest);
    // The remainder is 0 or has the sign of the dividend.
    circuit.assert_any(&[!remainder.sign(), dividend.sign()]);
    let is_zero = circuit.all(remainder.bits().iter().map(|&bit| !bit));
    circuit.assert_any(&[remainder.sign(), !dividend.sign(), is_zero]);
    (circuit.resolve_word(&quotient), circuit.resolve_word(&remainder))
}
