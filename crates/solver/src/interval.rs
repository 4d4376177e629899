//! Intervals: which values a term can have, roughly.
//!
//! An interval holds all values that a term has in some solution, and perhaps more. It has two ends,
//! and it can have a hole at 0, because 0 is what divisors and lengths are compared with most.
//!
//! The rules know Java's arithmetic. They compute with the exact result first; if that leaves the
//! range of the kind, it may still be one piece after wrapping, and else every value is possible.
//! Forward rules are monotone: smaller operands never give a larger result.

mod backward;
mod bits;
mod forward;
mod outcomes;

#[cfg(test)]
mod tests;

use petrel_clp::{ArithmeticKind, Comparison, Kind};

pub(crate) use backward::{backward, narrow};
pub(crate) use forward::{conversion_range, forward};
pub(crate) use outcomes::{Outcomes, mirrored};

/// All numbers from `low` to `high`; 0 is not among them if it is a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: i64,
    pub(crate) high: i64,
    /// Whether 0, which lies between the ends, is missing. Never set if 0 is an end or outside.
    pub(crate) hole: bool,
}

impl Interval {
    /// Every `int`.
    pub(crate) const INT: Interval =
        Interval { low: i32::MIN as i64, high: i32::MAX as i64, hole: false };

    /// Every `long`, and everything of kinds that are not integers.
    pub(crate) const ALL: Interval = Interval { low: i64::MIN, high: i64::MAX, hole: false };

    /// Every number but 0.
    pub(crate) const NOT_ZERO: Interval = Interval { low: i64::MIN, high: i64::MAX, hole: true };

    /// No number.
    pub(crate) const EMPTY: Interval = Interval { low: i64::MAX, high: i64::MIN, hole: false };

    /// The numbers from one to another.
    #[inline]
    pub(crate) fn new(low: i64, high: i64) -> Interval {
        Interval { low, high, hole: false }
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
        if kind == Kind::Int { Interval::INT } else { Interval::ALL }
    }

    /// Everything of a kind of integers.
    #[inline]
    pub(crate) fn of_arithmetic(kind: ArithmeticKind) -> Interval {
        if kind == ArithmeticKind::Int { Interval::INT } else { Interval::ALL }
    }

    /// The only number, if there is one only.
    #[inline]
    pub(crate) fn fixed(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether a number is possible.
    #[inline]
    pub(crate) fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high && !(self.hole && value == 0)
    }

    /// Whether all of this lies between the ends of the other.
    #[inline]
    pub(crate) fn is_within(self, other: Interval) -> bool {
        self.low >= other.low && self.high <= other.high
    }

    /// Whether 0 is impossible.
    #[inline]
    pub(crate) fn excludes_zero(self) -> bool {
        self.hole || self.low > 0 || self.high < 0
    }

    /// The same with a hole at 0, or without 0 if that is an end; it may be empty then, with
    /// `low > high`.
    #[inline]
    pub(crate) fn without_zero(mut self) -> Interval {
        self.low += i64::from(self.low == 0);
        self.high -= i64::from(self.high == 0);
        self.hole = self.low < 0 && self.high > 0;
        self
    }

    /// What is in both, if there is anything. The other may have `low > high`: it is empty then.
    #[inline]
    pub(crate) fn intersect(self, other: Interval) -> Option<Interval> {
        let both = Interval::new(self.low.max(other.low), self.high.min(other.high));
        let both = if self.hole || other.hole { both.without_zero() } else { both };
        (both.low <= both.high).then_some(both)
    }

    /// The smallest interval around both.
    #[inline]
    pub(crate) fn hull(self, other: Interval) -> Interval {
        let hull = Interval::new(self.low.min(other.low), self.high.max(other.high));
        if self.excludes_zero() && other.excludes_zero() { hull.without_zero() } else { hull }
    }

    /// The largest magnitude in it.
    #[inline]
    fn largest_magnitude(self) -> u64 {
        self.low.unsigned_abs().max(self.high.unsigned_abs())
    }

    /// The smallest magnitude in it.
    #[inline]
    fn smallest_magnitude(self) -> u64 {
        if self.low > 0 {
            self.low.unsigned_abs()
        } else if self.high < 0 {
            self.high.unsigned_abs()
        } else {
            u64::from(self.hole)
        }
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
            } else if left.low > right.high
                || left.high < right.low
                || (left.hole && right.fixed() == Some(0))
                || (right.hole && left.fixed() == Some(0))
            {
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
