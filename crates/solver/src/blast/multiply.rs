//! Sums of many bits: products, and what is defined by them.

use super::circuit::{Bit, Circuit};
use super::word::Word;

/// What becomes of carries out of the last column of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overflow {
    /// They are ignored: the sum wraps around.
    Dropped,
    /// It is asserted that there are none.
    Forbidden,
}

/// A sum of bits, each times a power of two, modulo a power of two.
pub(super) struct Columns {
    /// The bits with the weight `2^index`.
    columns: Vec<Vec<Bit>>,
    /// A constant addend.
    constant: u128,
}

impl Columns {
    /// An empty sum modulo `2^width`, with a width of at most 128.
    pub(super) fn new(width: usize) -> Columns {
        Columns { columns: vec![Vec::new(); width], constant: 0 }
    }

    /// Adds a bit with the weight `2^at`.
    pub(super) fn add(&mut self, at: usize, bit: Bit) {
        if at >= self.columns.len() {
            return;
        }
        match bit {
            Bit::TRUE => self.constant = self.constant.wrapping_add(1 << at),
            Bit::FALSE => {}
            _ => self.columns[at].push(bit),
        }
    }

    /// Subtracts a bit with the weight `2^at`: adds its negation, and subtracts `2^at`.
    pub(super) fn subtract(&mut self, at: usize, bit: Bit) {
        if at + 1 >= self.columns.len() {
            // The sign is its own negation.
            self.add(at, bit);
        } else if bit != Bit::FALSE {
            self.add(at, !bit);
            self.constant = self.constant.wrapping_sub(1 << at);
        }
    }

    /// Adds a bit, or subtracts it.
    fn add_signed(&mut self, at: usize, bit: Bit, negative: bool) {
        if negative {
            self.subtract(at, bit);
        } else {
            self.add(at, bit);
        }
    }

    /// Adds a word times `2^at`, or subtracts it.
    pub(super) fn add_word(&mut self, at: usize, word: &Word, negative: bool) {
        let sign = word.width() - 1;
        for (position, &bit) in word.bits().iter().enumerate() {
            self.add_signed(at + position, bit, negative != (position == sign));
        }
    }

    /// Adds the product of two words.
    pub(super) fn add_product(&mut self, circuit: &mut Circuit, a: &Word, b: &Word) {
        if let Some(constant) = a.as_constant() {
            self.add_multiple(constant, b);
        } else if let Some(constant) = b.as_constant() {
            self.add_multiple(constant, a);
        } else if a == b {
            self.add_square(circuit, a);
        } else {
            // One order for both orders of the operands, so that their products are the same gates.
            let (a, b) = if a.bits() <= b.bits() { (a, b) } else { (b, a) };
            let width = self.columns.len();
            for (i, &x) in a.bits().iter().enumerate().take(width) {
                for (j, &y) in b.bits().iter().enumerate().take(width - i) {
                    let negative = (i + 1 == a.width()) != (j + 1 == b.width());
                    let both = circuit.and(x, y);
                    self.add_signed(i + j, both, negative);
                }
            }
        }
    }

    /// Adds a word times a constant, by the digits -1, 0 and 1 of the constant: of those in the
    /// non-adjacent form at most every second is not 0.
    fn add_multiple(&mut self, constant: i64, word: &Word) {
        let mut rest = i128::from(constant);
        let mut at = 0;
        while rest != 0 {
            if rest & 1 == 1 {
                let digit = 2 - (rest & 3);
                self.add_word(at, word, digit < 0);
                rest -= digit;
            }
            rest >>= 1;
            at += 1;
        }
    }

    /// Adds the square of a word: every product of different bits occurs twice.
    fn add_square(&mut self, circuit: &mut Circuit, word: &Word) {
        let sign = word.width() - 1;
        for (i, &x) in word.bits().iter().enumerate() {
            self.add(2 * i, x);
            for (j, &y) in word.bits().iter().enumerate().skip(i + 1) {
                if i + j + 1 < self.columns.len() {
                    let both = circuit.and(x, y);
                    self.add_signed(i + j + 1, both, j == sign);
                }
            }
        }
    }

    /// The bits of the sum: a chain of full adders for each column.
    pub(super) fn sum(mut self, circuit: &mut Circuit, overflow: Overflow) -> Vec<Bit> {
        let width = self.columns.len();
        let mut bits = Vec::with_capacity(width);
        for at in 0..width {
            let constant = Bit::constant(self.constant >> at & 1 == 1);
            let mut addends = std::mem::take(&mut self.columns[at]).into_iter();
            let mut sum = constant;
            while let Some(a) = addends.next() {
                let b = addends.next().unwrap_or(Bit::FALSE);
                if at + 1 < width {
                    let carry = circuit.majority(sum, a, b);
                    self.add(at + 1, carry);
                } else if overflow == Overflow::Forbidden {
                    let carry = circuit.majority(sum, a, b);
                    circuit.assert(!carry);
                }
                sum = circuit.parity(sum, a, b);
            }
            bits.push(sum);
        }
        bits
    }
}

impl Circuit {
    /// `a * b`.
    pub(super) fn multiply(&mut self, a: &Word, b: &Word, limit: usize) -> Word {
        let mut columns = Columns::new((a.width() + b.width()).min(limit));
        columns.add_product(self, a, b);
        Word::new(columns.sum(self, Overflow::Dropped))
    }
}
