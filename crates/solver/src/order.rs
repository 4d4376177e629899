//! Orders of values: which numbers people like to see in a test.
//!
//! Small numbers come first, and readable characters before others; of objects, those that share
//! nothing.

use petrel_clp::Kind;

use crate::real;
use crate::term::Unknown;

/// What is tried of the range of a `char`, in this order: letters, digits, signs, other scripts; then
/// what cannot be read.
const CHARACTERS: [(i64, i64); 15] = [
    (0x61, 0x7A),
    (0x41, 0x5A),
    (0x30, 0x39),
    (0x20, 0x20),
    (0x21, 0x2F),
    (0x3A, 0x40),
    (0x5B, 0x60),
    (0x7B, 0x7E),
    (0xA1, 0xFF),
    (0x100, 0xD7FF),
    (0xE000, 0xFFFD),
    (0, 0x1F),
    (0x7F, 0xA0),
    (0xD800, 0xDFFF),
    (0xFFFE, 0xFFFF),
];

/// The values of an interval in the order of preference. The first ones are computed on demand and
/// kept.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    low: i64,
    high: i64,
    is_character: bool,
    /// Of a reference: its own object.
    own: Option<i64>,
    /// Of a number that is no integer: the readable ones, in ascending order.
    readable: Vec<i64>,
    first: Vec<i64>,
}

impl Order {
    /// The order of the values that an unknown has in an interval.
    pub(crate) fn new(unknown: &Unknown, (low, high): (i64, i64)) -> Order {
        let is_character = (unknown.low, unknown.high) == (0, 0xFFFF);
        let is_own = unknown.kind == Kind::Reference && (low..=high).contains(&unknown.own);
        let own = is_own.then_some(unknown.own);
        let is_real = real::ranks(unknown.kind).is_some();
        let first = if is_real { real::readable(unknown.kind, (low, high)) } else { Vec::new() };
        let mut readable = first.clone();
        readable.sort_unstable();
        Order { low, high, is_character, own, readable, first }
    }

    /// How many values there are; at most `u64::MAX`.
    pub(crate) fn len(&self) -> u64 {
        u64::try_from(i128::from(self.high) - i128::from(self.low) + 1)
            .unwrap_or(if self.low > self.high { 0 } else { u64::MAX })
    }

    /// How many of so many first values there are.
    pub(crate) fn count_within(&self, count: usize) -> usize {
        usize::try_from(self.len()).map_or(count, |len| len.min(count))
    }

    /// The first values: as many as asked for, or all.
    pub(crate) fn first(&mut self, count: usize) -> &[i64] {
        let count = self.count_within(count);
        for rank in self.first.len()..count {
            let value = self.nth(rank as i64);
            self.first.push(value);
        }
        &self.first[..count]
    }

    fn nth(&self, rank: i64) -> i64 {
        if self.is_character {
            return self.nth_character(rank);
        }
        if !self.readable.is_empty() {
            return self.nth_other(rank - self.readable.len() as i64);
        }
        if let Some(own) = self.own {
            return self.nth_object(rank, own);
        }
        if self.low > 0 {
            return self.low + rank;
        }
        if self.high < 0 {
            return self.high - rank;
        }
        // Both signs in turn, until one side is used up.
        let both = self.high.min(self.low.checked_neg().unwrap_or(i64::MAX));
        if rank / 2 < both || rank <= both.saturating_mul(2) {
            let size = (rank + 1) / 2;
            if rank % 2 == 1 { size } else { -size }
        } else if self.high > both {
            rank - both
        } else {
            both - rank
        }
    }

    /// Null, an object of its own, and then the others: the fewest objects and the least aliasing.
    fn nth_object(&self, rank: i64, own: i64) -> i64 {
        let is_null_first = i64::from(self.low <= 0);
        match rank - is_null_first {
            -1 => 0,
            0 => own,
            rank => {
                let other = self.low.max(1) + rank - 1;
                if other >= own { other + 1 } else { other }
            }
        }
    }

    /// After the readable numbers, the others in their order.
    fn nth_other(&self, rank: i64) -> i64 {
        let mut value = self.low + rank;
        for &readable in &self.readable {
            if readable <= value {
                value += 1;
            }
        }
        value
    }

    fn nth_character(&self, mut rank: i64) -> i64 {
        for (low, high) in CHARACTERS {
            let (low, high) = (low.max(self.low), high.min(self.high));
            let count = (high - low + 1).max(0);
            if rank < count {
                return low + rank;
            }
            rank -= count;
        }
        self.high
    }
}

#[cfg(test)]
mod tests;
