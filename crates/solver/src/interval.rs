//! Intervals: which values a term can have, roughly.
//!
//! An interval holds all values that a term has in some solution, and perhaps more. It is two words,
//! so that it stays in registers. That a term is not 0 is known besides, because divisors are not.
//!
//! The rules know Java's arithmetic. They compute with the exact result first; if that leaves the
//! range of the kind, it may still be one piece after wrapping, and else every value is possible.
//! Forward rules are monotone: smaller operands never give a larger result.

mod backward;
mod bits;
mod forward;
mod outcomes;
mod reals;

#[cfg(test)]
mod tests;

use petrel_clp::{ArithmeticKind, Comparison, Kind};

use crate::real;

pub(crate) use backward::{backward, narrow, zero_needs_zero};
pub(crate) use forward::{conversion_range, forward};
pub(crate) use outcomes::Outcomes;
pub(crate) use reals::{multiply_add, operands_of_multiply_add, root_of_square, square};

/// All numbers from `low` to `high`; none if `low > high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

impl Interval {
    /// Every `int`.
    pub(crate) const INT: Interval = Interval { low: i32::MIN as i64, high: i32::MAX as i64 };

    /// Every `long`.
    pub(crate) const ALL: Interval = Interval { low: i64::MIN, high: i64::MAX };

    /// No number.
    pub(crate) const EMPTY: Interval = Interval { low: i64::MAX, high: i64::MIN };

    /// The numbers from one to another.
    #[inline]
    pub(crate) fn new(low: i64, high: i64) -> Interval {
        Interval { low, high }
    }

    /// One number.
    #[inline]
    pub(crate) fn constant(value: i64) -> Interval {
        Interval::new(value, value)
    }

    /// The numbers from one on.
    #[inline]
    pub(crate) fn at_least(low: i64) -> Interval {
        Interval::new(low, i64::MAX)
    }

    /// The numbers up to one.
    #[inline]
    pub(crate) fn at_most(high: i64) -> Interval {
        Interval::new(i64::MIN, high)
    }

    /// Everything of a kind.
    #[inline]
    pub(crate) fn of(kind: Kind) -> Interval {
        match real::ranks(kind) {
            Some((low, high)) => Interval::new(low, high),
            None if kind == Kind::Int => Interval::INT,
            None => Interval::ALL,
        }
    }

    /// Everything of a kind of integers.
    #[inline]
    pub(crate) fn of_arithmetic(kind: ArithmeticKind) -> Interval {
        if kind == ArithmeticKind::Int { Interval::INT } else { Interval::ALL }
    }

    /// Whether no number is in it.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// The only number, if there is one only.
    #[inline]
    pub(crate) fn fixed(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether a number is in it.
    #[inline]
    pub(crate) fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether all of this is in the other.
    #[inline]
    pub(crate) fn is_within(self, other: Interval) -> bool {
        self.low >= other.low && self.high <= other.high
    }

    /// What is in both.
    #[inline]
    pub(crate) fn intersect(self, other: Interval) -> Interval {
        Interval::new(self.low.max(other.low), self.high.min(other.high))
    }

    /// The smallest interval around both.
    #[inline]
    pub(crate) fn hull(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// How far apart the ends are; it is not empty.
    #[inline]
    pub(crate) fn width(self) -> u64 {
        self.high.wrapping_sub(self.low) as u64
    }

    /// The same without 0, if that is an end.
    #[inline]
    pub(crate) fn without_zero(self) -> Interval {
        Interval::new(self.low + i64::from(self.low == 0), self.high - i64::from(self.high == 0))
    }

    /// The largest magnitude in it.
    #[inline]
    fn largest_magnitude(self) -> u64 {
        self.low.unsigned_abs().max(self.high.unsigned_abs())
    }

    /// The smallest magnitude in it.
    #[inline]
    fn smallest_magnitude(self) -> u64 {
        if self.contains(0) { 0 } else { self.low.unsigned_abs().min(self.high.unsigned_abs()) }
    }
}

/// Whether a remainder is always its dividend, because the divisor is larger.
pub(crate) fn is_below_divisor(dividend: Interval, divisor: Interval) -> bool {
    dividend.largest_magnitude() < divisor.smallest_magnitude()
}

/// Whether a sum never wraps.
#[inline]
pub(crate) fn sum_is_exact(kind: ArithmeticKind, left: Interval, right: Interval) -> bool {
    let all = Interval::of_arithmetic(kind);
    left.low.checked_add(right.low).is_some_and(|low| low >= all.low)
        && left.high.checked_add(right.high).is_some_and(|high| high <= all.high)
}

/// Whether a difference never wraps.
#[inline]
pub(crate) fn difference_is_exact(kind: ArithmeticKind, left: Interval, right: Interval) -> bool {
    let all = Interval::of_arithmetic(kind);
    left.low.checked_sub(right.high).is_some_and(|low| low >= all.low)
        && left.high.checked_sub(right.low).is_some_and(|high| high <= all.high)
}

/// Whether all numbers of two intervals compare so, or none do.
#[inline]
pub(crate) fn decide(comparison: Comparison, left: Interval, right: Interval) -> Option<bool> {
    match comparison {
        Comparison::Equal => {
            if left.low == right.high && left.high == right.low {
                Some(true)
            } else if left.low > right.high || left.high < right.low {
                Some(false)
            } else {
                None
            }
        }
        Comparison::NotEqual => decide(Comparison::Equal, left, right).map(|equal| !equal),
        Comparison::Less => {
            if left.high < right.low {
                Some(true)
            } else if left.low >= right.high {
                Some(false)
            } else {
                None
            }
        }
        Comparison::GreaterOrEqual => decide(Comparison::Less, left, right).map(|less| !less),
        Comparison::Greater => decide(Comparison::Less, right, left),
        Comparison::LessOrEqual => decide(Comparison::Less, right, left).map(|less| !less),
    }
}
