//! Shifting significands, and rounding them.

use super::{EXPONENT_LIMIT, Format};
use crate::blast::circuit::{Bit, Circuit};
use crate::blast::word::Word;

impl Circuit {
    /// The bits with the highest one at the top, and how far they were shifted up for that. If there is none,
    /// all of them stay as they are.
    pub(super) fn normalised(&mut self, mut bits: Vec<Bit>) -> (Vec<Bit>, Word) {
        let width = bits.len();
        let mut amount = Vec::new();
        let mut step = width.next_power_of_two();
        while step > 1 {
            step /= 2;
            if step >= width {
                continue;
            }
            let is_empty = !self.any(bits[width - step..].iter().copied());
            bits = (0..width)
                .map(|at| {
                    let shifted = if at < step { Bit::FALSE } else { bits[at - step] };
                    self.choose(is_empty, shifted, bits[at])
                })
                .collect();
            amount.push(is_empty);
        }
        amount.reverse();
        (bits, Word::unsigned(amount))
    }

    /// The bits shifted down by an amount that is not negative. The lowest one is set if any is lost.
    pub(super) fn shifted_down(&mut self, mut bits: Vec<Bit>, amount: &Word) -> Vec<Bit> {
        let width = bits.len();
        let mut lost = Bit::FALSE;
        let mut stage = 0;
        while 1 << stage < width {
            let step = 1 << stage;
            let is_shifted = amount.bit(stage);
            let out = self.any(bits[..step].iter().copied());
            let out = self.and(out, is_shifted);
            lost = self.or(lost, out);
            bits = (0..width)
                .map(|at| {
                    let shifted = bits.get(at + step).copied().unwrap_or(Bit::FALSE);
                    self.choose(is_shifted, shifted, bits[at])
                })
                .collect();
            stage += 1;
        }
        let beyond: Vec<Bit> = (stage..amount.width()).map(|at| amount.bit(at)).collect();
        let is_beyond = self.any(beyond);
        let any = self.any(bits.iter().copied());
        let all_lost = self.and(any, is_beyond);
        for bit in &mut bits {
            *bit = self.and(*bit, !is_beyond);
        }
        lost = self.or(lost, all_lost);
        bits[0] = self.or(bits[0], lost);
        bits
    }

    /// The rank of a number that is bits times a power of two, rounded. If the lowest of more than
    /// `precision + 2` bits was set for others that were lost, they count.
    pub(super) fn round(
        &mut self,
        format: Format,
        sign: Bit,
        exponent: &Word,
        mut bits: Vec<Bit>,
    ) -> Word {
        let kept = format.precision() + 2;
        let missing = kept.saturating_sub(bits.len());
        bits.splice(0..0, vec![Bit::FALSE; missing]);
        let (mut bits, shifted) = self.normalised(bits);
        let is_zero = bits.last().map_or(Bit::TRUE, |&top| !top);
        // One for rounding, and one for all below.
        let rest: Vec<Bit> = bits.drain(..bits.len() - kept + 1).collect();
        let sticky = self.any(rest.iter().copied());
        bits.insert(0, sticky);
        // The field of the exponent of the highest bit.
        let places = (kept - 1 + rest.len() - 1) as i64 - missing as i64;
        let above = Word::constant(places + format.bias());
        let field = self.subtract(exponent, &shifted, EXPONENT_LIMIT);
        let field = self.add(&field, &above, Bit::FALSE, EXPONENT_LIMIT);
        let one = Word::constant(1);
        let is_small = self.less(&field, &one);
        let below = self.subtract(&one, &field, EXPONENT_LIMIT);
        let below = self.choose_word(is_small, &below, &Word::constant(0));
        let bits = self.shifted_down(bits, &below);
        let field = self.choose_word(is_small, &one, &field);
        let (sticky, half, significand) = (bits[0], bits[1], &bits[2..]);
        let is_not_even = self.or(sticky, significand[0]);
        let is_up = self.and(half, is_not_even);
        // The highest bit of the significand adds one to the exponent.
        let width = format.magnitude();
        let field_before = self.subtract(&field, &one, EXPONENT_LIMIT);
        let packed = field_before.shifted_left(format.fraction, width + 2);
        let packed = self.add(&packed, &Word::unsigned(significand.to_vec()), is_up, width + 2);
        let last_field = Word::constant((1 << format.exponent) - 1);
        let is_too_large = !self.less(&field, &last_field);
        let infinity = Word::constant(format.infinity());
        let packed = self.choose_word(is_too_large, &infinity, &packed);
        let mut rank: Vec<Bit> = (0..width)
            .map(|at| {
                let bit = self.and(packed.bit(at), !is_zero);
                self.xor(bit, sign)
            })
            .collect();
        rank.push(sign);
        Word::new(rank)
    }
}
