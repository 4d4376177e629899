//! The values of operands, from those of an operation.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};

use super::forward::{add, conversion_range, exact_product, exact_shift, places, subtract};
use super::outcomes::Outcomes;
use super::{Interval, bits, difference_is_exact, reals, sum_is_exact};

/// What the operands of an operation can be, given its values: to be intersected with what they are
/// known to be. An interval with `low > high` says that there is none.
#[inline]
pub(crate) fn backward(
    operation: Operation,
    result: Interval,
    left: Interval,
    right: Interval,
    is_divisor_not_zero: bool,
) -> (Interval, Interval) {
    use ArithmeticKind::{Int, Long};
    match operation {
        Operation::Add(kind @ (Int | Long)) => {
            if sum_is_exact(kind, left, right) {
                (exact_difference(result, right), exact_difference(result, left))
            } else {
                (subtract(kind, result, right), subtract(kind, result, left))
            }
        }
        Operation::Subtract(kind @ (Int | Long)) => {
            if difference_is_exact(kind, left, right) {
                (
                    Interval::new(
                        result.low.saturating_add(right.low),
                        result.high.saturating_add(right.high),
                    ),
                    exact_difference(left, result),
                )
            } else {
                (add(kind, result, right), subtract(kind, left, result))
            }
        }
        Operation::Negate(kind @ (Int | Long)) => {
            (subtract(kind, Interval::constant(0), result), Interval::ALL)
        }
        Operation::Multiply(kind @ (Int | Long)) => multiply(kind, result, left, right),
        Operation::Divide(Int | Long) => divide(result, left, right),
        Operation::Remainder(Int | Long) => remainder(result, left, right, is_divisor_not_zero),
        Operation::ShiftLeft(kind @ (Int | Long)) => {
            (shift_left(kind, result, left, right), Interval::ALL)
        }
        Operation::ShiftRight(kind @ (Int | Long)) => {
            (shift_right(kind, result, right), Interval::ALL)
        }
        Operation::ShiftRightUnsigned(kind @ (Int | Long)) if left.low >= 0 => {
            (shift_right(kind, result, right), Interval::ALL)
        }
        Operation::And(Int | Long) => {
            (bits::and_operand(result, left, right), bits::and_operand(result, right, left))
        }
        Operation::Or(Int | Long) => {
            (bits::or_operand(result, left, right), bits::or_operand(result, right, left))
        }
        Operation::ExclusiveOr(Int | Long) => {
            (bits::exclusive_or(result, right), bits::exclusive_or(result, left))
        }
        Operation::Compare(Int | Long, _) => compare(result, left, right),
        Operation::Convert(Conversion::IntToLong) => (result, Interval::ALL),
        Operation::Convert(conversion) => match conversion_range(conversion) {
            Some(range) if left.is_within(range) => (result, Interval::ALL),
            Some(_) => (Interval::ALL, Interval::ALL),
            None => reals::backward(operation, result, left, right),
        },
        Operation::ShiftRightUnsigned(_) => (Interval::ALL, Interval::ALL),
        on_reals => reals::backward(on_reals, result, left, right),
    }
}

#[inline]
fn exact_difference(left: Interval, right: Interval) -> Interval {
    Interval::new(left.low.saturating_sub(right.high), left.high.saturating_sub(right.low))
}

/// A quotient rounded down, if it is a `long`, else the largest; the divisor is not 0.
#[inline]
fn floor_divide(dividend: i64, divisor: i64) -> i64 {
    let Some(quotient) = dividend.checked_div(divisor) else { return i64::MAX };
    let is_inexact = quotient * divisor != dividend;
    quotient - i64::from(is_inexact && (dividend < 0) != (divisor < 0))
}

/// A quotient rounded up, if it is a `long`, else the largest; the divisor is not 0.
#[inline]
fn ceiling_divide(dividend: i64, divisor: i64) -> i64 {
    let Some(quotient) = dividend.checked_div(divisor) else { return i64::MAX };
    let is_inexact = quotient * divisor != dividend;
    quotient + i64::from(is_inexact && (dividend < 0) == (divisor < 0))
}

fn multiply(
    kind: ArithmeticKind,
    result: Interval,
    left: Interval,
    right: Interval,
) -> (Interval, Interval) {
    let is_exact = exact_product(left, right).is_some_and(|(low, high)| {
        Interval::new(low, high).is_within(Interval::of_arithmetic(kind))
    });
    if is_exact {
        (factor(result, right), factor(result, left))
    } else {
        (Interval::ALL, Interval::ALL)
    }
}

/// What one factor of a product that does not wrap can be.
fn factor(product: Interval, other: Interval) -> Interval {
    if let Some(other) = other.fixed() {
        return match other {
            0 => Interval::ALL,
            _ if other > 0 => {
                Interval::new(ceiling_divide(product.low, other), floor_divide(product.high, other))
            }
            _ => {
                Interval::new(ceiling_divide(product.high, other), floor_divide(product.low, other))
            }
        };
    }
    if other.low > 0 || other.high < 0 {
        let ends = [
            (product.low, other.low),
            (product.low, other.high),
            (product.high, other.low),
            (product.high, other.high),
        ];
        let low = ends.map(|(product, other)| ceiling_divide(product, other));
        let high = ends.map(|(product, other)| floor_divide(product, other));
        return Interval::new(
            low[0].min(low[1]).min(low[2].min(low[3])),
            high[0].max(high[1]).max(high[2].max(high[3])),
        );
    }
    // If neither is 0, this is no larger than the product.
    match i64::try_from(product.largest_magnitude()) {
        Ok(limit) if !product.contains(0) => Interval::new(-limit, limit),
        _ => Interval::ALL,
    }
}

fn divide(result: Interval, left: Interval, right: Interval) -> (Interval, Interval) {
    let mut dividend = Interval::ALL;
    let mut divisor = Interval::ALL;
    if right.low > 0 {
        let least = right.low;
        let most = right.high;
        dividend.low = if result.low > 0 {
            result.low.saturating_mul(least)
        } else {
            result.low.saturating_mul(most).saturating_sub(most - 1)
        };
        dividend.high = if result.high < 0 {
            result.high.saturating_mul(least)
        } else {
            result.high.saturating_mul(most).saturating_add(most - 1)
        };
    }
    if left.low >= 0 && result.low > 0 {
        // 0 and negative divisors give no positive quotient.
        divisor = Interval::new(1, left.high / result.low);
    }
    (dividend, divisor)
}

fn remainder(
    result: Interval,
    left: Interval,
    right: Interval,
    is_divisor_not_zero: bool,
) -> (Interval, Interval) {
    let mut dividend = Interval::ALL;
    if result.low > 0 {
        dividend.low = result.low;
    } else if result.high < 0 {
        dividend.high = result.high;
    }
    if let (Some(result), Some(divisor)) = (result.fixed(), right.fixed())
        && divisor != 0
        && divisor != i64::MIN
    {
        // The dividend is that much above a multiple of the divisor.
        let divisor = divisor.abs();
        let low = dividend.low.max(left.low);
        let high = dividend.high.min(left.high);
        let above = |value: i64| value.rem_euclid(divisor);
        let to_next = above(above(result) - above(low));
        let to_previous = above(above(high) - above(result));
        dividend.low = low.saturating_add(to_next);
        dividend.high = high.saturating_sub(to_previous);
    }
    let mut divisor = Interval::ALL;
    let least = result.smallest_magnitude();
    if least > 0 && (is_divisor_not_zero || !right.contains(0)) {
        let beyond = i64::try_from(least).map_or(i64::MAX, |least| least.saturating_add(1));
        if right.low >= 0 {
            divisor.low = beyond;
        } else if right.high <= 0 {
            divisor.high = -beyond;
        }
    }
    (dividend, divisor)
}

fn shift_left(kind: ArithmeticKind, result: Interval, left: Interval, right: Interval) -> Interval {
    let (least, most) = places(kind, right);
    if least == most
        && let Some((low, high)) = exact_shift(left, least)
        && Interval::new(low, high).is_within(Interval::of_arithmetic(kind))
    {
        let round_up = (1i64 << least).wrapping_sub(1);
        return Interval::new(result.low.saturating_add(round_up) >> least, result.high >> least);
    }
    Interval::ALL
}

/// What is shifted right, arithmetically.
fn shift_right(kind: ArithmeticKind, result: Interval, right: Interval) -> Interval {
    let (least, most) = places(kind, right);
    if least != most {
        return Interval::ALL;
    }
    let shifted = |value: i64| {
        let shifted = value << least;
        if shifted >> least == value {
            shifted
        } else if value < 0 {
            i64::MIN
        } else {
            i64::MAX
        }
    };
    Interval::new(
        shifted(result.low),
        shifted(result.high).saturating_add((1i64 << least).wrapping_sub(1)),
    )
}

/// Whether the first operand, and the second, cannot be 0 if the result of an operation on integers
/// is not 0.
#[inline]
pub(crate) fn zero_needs_zero(operation: Operation, is_divisor_not_zero: bool) -> (bool, bool) {
    use ArithmeticKind::{Int, Long};
    match operation {
        Operation::Multiply(Int | Long) | Operation::And(Int | Long) => (true, true),
        Operation::Divide(Int | Long) => (is_divisor_not_zero, false),
        Operation::Remainder(Int | Long)
        | Operation::Negate(Int | Long)
        | Operation::ShiftLeft(_)
        | Operation::ShiftRight(_)
        | Operation::ShiftRightUnsigned(_)
        | Operation::Convert(
            Conversion::IntToLong
            | Conversion::LongToInt
            | Conversion::IntToByte
            | Conversion::IntToChar
            | Conversion::IntToShort,
        ) => (true, false),
        _ => (false, false),
    }
}

fn compare(result: Interval, left: Interval, right: Interval) -> (Interval, Interval) {
    match Outcomes::of_signs(|sign| result.contains(sign)).comparison() {
        Some(comparison) => narrow(comparison, left, right),
        None => (Interval::ALL, Interval::ALL),
    }
}

/// What two numbers can be that compare so. An interval with `low > high` says that there is none.
#[inline]
pub(crate) fn narrow(
    comparison: Comparison,
    left: Interval,
    right: Interval,
) -> (Interval, Interval) {
    match comparison {
        Comparison::Equal => (right, left),
        Comparison::NotEqual => (
            right.fixed().map_or(Interval::ALL, |value| without(left, value)),
            left.fixed().map_or(Interval::ALL, |value| without(right, value)),
        ),
        Comparison::Less => (below(right.high), above(left.low)),
        Comparison::GreaterOrEqual => (Interval::at_least(right.low), Interval::at_most(left.high)),
        Comparison::Greater => (above(right.low), below(left.high)),
        Comparison::LessOrEqual => (Interval::at_most(right.high), Interval::at_least(left.low)),
    }
}

#[inline]
fn below(value: i64) -> Interval {
    value.checked_sub(1).map_or(Interval::EMPTY, Interval::at_most)
}

#[inline]
fn above(value: i64) -> Interval {
    value.checked_add(1).map_or(Interval::EMPTY, Interval::at_least)
}

/// What lies on the other side of a value that is one end of an interval; else everything.
#[inline]
fn without(interval: Interval, value: i64) -> Interval {
    if value == interval.low {
        above(value)
    } else if value == interval.high {
        below(value)
    } else {
        Interval::ALL
    }
}
