//! Words: numbers in two's complement whose bits are those of a circuit.
//!
//! A word is as narrow as its number allows: the last bit is the sign and stands for all bits above.
//! Circuits shrink with their words, so that small ranges make small circuits. Results are cut to the
//! width of the kind, which is Java's wraparound.

use petrel_clp::Comparison;

use super::circuit::{Bit, Circuit};

/// A number in two's complement, the lowest bit first. There is at least one bit; the last is the
/// sign, and differs from the one before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Word(Vec<Bit>);

impl Word {
    /// The word of these bits, of which the last is the sign.
    pub(super) fn new(mut bits: Vec<Bit>) -> Word {
        while let [.., a, b] = bits.as_slice()
            && a == b
        {
            bits.pop();
        }
        Word(bits)
    }

    /// The word of these bits, above which there are zeros.
    pub(super) fn unsigned(mut bits: Vec<Bit>) -> Word {
        bits.push(Bit::FALSE);
        Word::new(bits)
    }

    /// 1 or 0.
    pub(super) fn truth(bit: Bit) -> Word {
        Word::unsigned(vec![bit])
    }

    pub(super) fn constant(value: i64) -> Word {
        Word::new((0..i64::BITS).map(|at| Bit::constant(value >> at & 1 == 1)).collect())
    }

    /// The number, if all bits are constants.
    pub(super) fn as_constant(&self) -> Option<i64> {
        self.value(Bit::as_constant)
    }

    /// The number, if all bits have a value; the lowest 64 bits of a longer one.
    pub(super) fn value(&self, value: impl Fn(Bit) -> Option<bool>) -> Option<i64> {
        let mut number = if value(self.sign())? { -1i64 } else { 0 };
        for (at, &bit) in self.0.iter().enumerate().take(i64::BITS as usize) {
            number = number & !(1 << at) | i64::from(value(bit)?) << at;
        }
        Some(number)
    }

    pub(super) fn width(&self) -> usize {
        self.0.len()
    }

    /// The bit at a position, which may be beyond the sign.
    pub(super) fn bit(&self, at: usize) -> Bit {
        self.0[at.min(self.0.len() - 1)]
    }

    pub(super) fn sign(&self) -> Bit {
        self.bit(usize::MAX)
    }

    /// The bits up to the sign.
    pub(super) fn bits(&self) -> &[Bit] {
        &self.0
    }

    /// The number that the lowest bits make, the last of them being its sign.
    pub(super) fn cut(&self, width: usize) -> Word {
        Word::new(self.0[..width.min(self.0.len())].to_vec())
    }

    /// The number that the lowest bits make, without a sign.
    pub(super) fn cut_unsigned(&self, width: usize) -> Word {
        Word::unsigned((0..width).map(|at| self.bit(at)).collect())
    }

    /// All bits negated: `-1 - self`.
    pub(super) fn complement(&self) -> Word {
        Word(self.0.iter().map(|&bit| !bit).collect())
    }

    /// The number divided by a power of two, rounded down.
    pub(super) fn shifted_right(&self, by: usize) -> Word {
        Word(self.0[by.min(self.0.len() - 1)..].to_vec())
    }

    /// The number multiplied by a power of two.
    pub(super) fn shifted_left(&self, by: usize, limit: usize) -> Word {
        let mut bits = vec![Bit::FALSE; by];
        bits.extend_from_slice(&self.0);
        bits.truncate(limit);
        Word::new(bits)
    }
}

/// How many bits the numbers of a range need, including the sign.
pub(super) fn width_of_range(low: i64, high: i64) -> usize {
    let needed = |number: i64| (i64::BITS - (number ^ (number >> 63)).leading_zeros()) as usize + 1;
    needed(low).max(needed(high))
}

impl Circuit {
    /// The word with the bits that became known since it was made.
    pub(super) fn resolve_word(&self, word: &Word) -> Word {
        Word::new(word.0.iter().map(|&bit| self.resolve(bit)).collect())
    }

    /// `a + b`, plus 1 if there is a carry.
    pub(super) fn add(&mut self, a: &Word, b: &Word, mut carry: Bit, limit: usize) -> Word {
        let width = (a.width().max(b.width()) + 1).min(limit);
        let mut bits = Vec::with_capacity(width);
        for at in 0..width {
            let (a, b) = (a.bit(at), b.bit(at));
            bits.push(self.parity(a, b, carry));
            carry = self.majority(a, b, carry);
        }
        Word::new(bits)
    }

    /// `a - b`.
    pub(super) fn subtract(&mut self, a: &Word, b: &Word, limit: usize) -> Word {
        self.add(a, &b.complement(), Bit::TRUE, limit)
    }

    /// `-word` if the bit holds, else `word`.
    pub(super) fn negate_if(&mut self, negate: Bit, word: &Word, limit: usize) -> Word {
        let flipped = Word(word.0.iter().map(|&bit| self.xor(bit, negate)).collect());
        self.add(&flipped, &Word::constant(0), negate, limit)
    }

    /// Applies a gate to the bits of two words.
    pub(super) fn bitwise(
        &mut self,
        a: &Word,
        b: &Word,
        gate: fn(&mut Circuit, Bit, Bit) -> Bit,
    ) -> Word {
        let width = a.width().max(b.width());
        Word::new((0..width).map(|at| gate(self, a.bit(at), b.bit(at))).collect())
    }

    /// One of two words.
    pub(super) fn choose_word(&mut self, condition: Bit, then: &Word, otherwise: &Word) -> Word {
        let width = then.width().max(otherwise.width());
        let bits = (0..width).map(|at| self.choose(condition, then.bit(at), otherwise.bit(at)));
        Word::new(bits.collect())
    }

    /// The word shifted to the left by the lowest bits of an amount.
    pub(super) fn shift_left(&mut self, word: &Word, amount: &[Bit], limit: usize) -> Word {
        let mut word = word.clone();
        for (stage, &bit) in amount.iter().enumerate() {
            let shifted = word.shifted_left(1 << stage, limit);
            word = self.choose_word(bit, &shifted, &word);
        }
        word
    }

    /// The word shifted to the right by the lowest bits of an amount, with copies of its sign.
    pub(super) fn shift_right(&mut self, word: &Word, amount: &[Bit]) -> Word {
        let mut word = word.clone();
        for (stage, &bit) in amount.iter().enumerate() {
            let shifted = word.shifted_right(1 << stage);
            word = self.choose_word(bit, &shifted, &word);
        }
        word
    }

    /// Whether two words are equal.
    pub(super) fn equal(&mut self, a: &Word, b: &Word) -> Bit {
        let width = a.width().max(b.width());
        let same: Vec<Bit> = (0..width).map(|at| !self.xor(a.bit(at), b.bit(at))).collect();
        self.all(same)
    }

    /// Whether `a < b`: the carry of `b - a - 1` with both signs flipped.
    pub(super) fn less(&mut self, a: &Word, b: &Word) -> Bit {
        let top = a.width().max(b.width()) - 1;
        let mut less = Bit::FALSE;
        for at in 0..top {
            less = self.majority(!a.bit(at), b.bit(at), less);
        }
        self.majority(a.bit(top), !b.bit(top), less)
    }

    /// Whether two words compare so.
    pub(super) fn compare(&mut self, comparison: Comparison, a: &Word, b: &Word) -> Bit {
        match comparison {
            Comparison::Equal => self.equal(a, b),
            Comparison::NotEqual => !self.equal(a, b),
            Comparison::Less => self.less(a, b),
            Comparison::GreaterOrEqual => !self.less(a, b),
            Comparison::Greater => self.less(b, a),
            Comparison::LessOrEqual => !self.less(b, a),
        }
    }

    /// The element of a list at an index, 0 outside of it.
    pub(super) fn select(&mut self, elements: Vec<Word>, index: &Word) -> Word {
        let mut level = elements;
        let mut at = 0;
        let zero = Word::constant(0);
        while level.len() > 1 {
            let bit = index.bit(at);
            at += 1;
            level = level
                .chunks(2)
                .map(|pair| self.choose_word(bit, pair.get(1).unwrap_or(&zero), &pair[0]))
                .collect();
        }
        let Some(element) = level.pop() else { return zero };
        // Also without any bit above, the sign has to be 0.
        let above: Vec<Bit> = (at..index.width().max(at + 1)).map(|at| !index.bit(at)).collect();
        let is_inside = self.all(above);
        self.choose_word(is_inside, &element, &zero)
    }

    /// Demands that a number lies in a range.
    pub(super) fn assert_range(&mut self, word: &Word, low: i64, high: i64) {
        let below = self.less(word, &Word::constant(low));
        self.assert(!below);
        let above = self.less(&Word::constant(high), word);
        self.assert(!above);
    }

    /// The word cut to the bits that a range needs. That the number fits into these bits is asserted.
    pub(super) fn narrow(&mut self, word: &Word, low: i64, high: i64) -> Word {
        let width = width_of_range(low, high);
        let sign = word.bit(width - 1);
        for at in width..word.width() {
            self.assert_equal(word.bit(at), sign);
        }
        if low >= 0 {
            self.assert(!sign);
        } else if high < 0 {
            self.assert(sign);
        }
        self.resolve_word(&word.cut(width))
    }
}
