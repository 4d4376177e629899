//! Bitwise operations. Both kinds of integers carry their sign, so that one rule serves both.

use super::Interval;

/// The negative of the smallest power of two that reaches down to a number, which is negative.
#[inline]
fn power_below(low: i64) -> i64 {
    i64::MIN >> ((!low).leading_zeros() - 1)
}

#[inline]
fn complement(interval: Interval) -> Interval {
    Interval::new(!interval.high, !interval.low)
}

#[inline]
pub(super) fn and(left: Interval, right: Interval) -> Interval {
    let high = match (left.low >= 0, right.low >= 0) {
        (true, true) => left.high.min(right.high),
        (true, false) => left.high,
        (false, true) => right.high,
        (false, false) if left.high < 0 && right.high < 0 => left.high.min(right.high),
        (false, false) => left.high.max(right.high),
    };
    let low =
        if left.low >= 0 || right.low >= 0 { 0 } else { power_below(left.low.min(right.low)) };
    Interval::new(low, high)
}

#[inline]
pub(super) fn or(left: Interval, right: Interval) -> Interval {
    complement(and(complement(left), complement(right)))
}

#[inline]
pub(super) fn exclusive_or(left: Interval, right: Interval) -> Interval {
    // All numbers of both need these bits at most, besides the sign.
    let largest = (left.low ^ (left.low >> 63))
        .max(left.high ^ (left.high >> 63))
        .max(right.low ^ (right.low >> 63))
        .max(right.high ^ (right.high >> 63));
    let high = i64::MAX >> (largest.leading_zeros() - 1);
    // 0 and -1 for known signs, else something between.
    let sign = |interval: Interval| (interval.low >> 63, interval.high >> 63);
    match (sign(left), sign(right)) {
        ((0, _), (0, _)) | ((_, -1), (_, -1)) => Interval::new(0, high),
        ((0, _), (_, -1)) | ((_, -1), (0, _)) => Interval::new(!high, -1),
        _ => Interval::new(!high, high),
    }
}

/// What the first operand of a bitwise and can be, given the result and the other operand.
#[inline]
pub(super) fn and_operand(result: Interval, operand: Interval, other: Interval) -> Interval {
    let mut narrowed = Interval::ALL;
    if result.high < 0 {
        narrowed.high = -1;
    } else if result.low >= 0 && other.high < 0 {
        narrowed.low = 0;
    }
    // Clearing bits makes a number smaller, unless the sign goes.
    if operand.low >= 0 || other.high < 0 {
        narrowed.low = narrowed.low.max(result.low);
    }
    narrowed
}

/// What the first operand of a bitwise or can be, given the result and the other operand.
#[inline]
pub(super) fn or_operand(result: Interval, operand: Interval, other: Interval) -> Interval {
    let dual = and_operand(complement(result), complement(operand), complement(other));
    let mut narrowed = complement(dual);
    if operand.low >= 0 && other.low >= 0 {
        // Bits of the result that the other has not are this operand's.
        narrowed.low = narrowed.low.max(result.low.saturating_sub(other.high));
    }
    narrowed
}
