//! The values of an operation, from those of its operands.

use petrel_clp::{ArithmeticKind, Conversion, Operation};

use super::{Interval, bits, is_below_divisor, reals};

/// The values that an operation can have. A divisor may be known not to be 0.
#[inline]
pub(crate) fn forward(
    operation: Operation,
    left: Interval,
    right: Interval,
    is_divisor_not_zero: bool,
) -> Interval {
    use ArithmeticKind::{Int, Long};
    match operation {
        Operation::Add(kind @ (Int | Long)) => add(kind, left, right),
        Operation::Subtract(kind @ (Int | Long)) => subtract(kind, left, right),
        Operation::Multiply(kind @ (Int | Long)) => multiply(kind, left, right),
        Operation::Divide(kind @ (Int | Long)) => divide(kind, left, right, is_divisor_not_zero),
        Operation::Remainder(Int | Long) => remainder(left, right, is_divisor_not_zero),
        Operation::Negate(kind @ (Int | Long)) => subtract(kind, Interval::constant(0), left),
        Operation::ShiftLeft(kind @ (Int | Long)) => shift_left(kind, left, right),
        Operation::ShiftRight(kind @ (Int | Long)) => shift_right(kind, left, right),
        Operation::ShiftRightUnsigned(kind @ (Int | Long)) => {
            shift_right_unsigned(kind, left, right)
        }
        Operation::And(Int | Long) => bits::and(left, right),
        Operation::Or(Int | Long) => bits::or(left, right),
        Operation::ExclusiveOr(Int | Long) => bits::exclusive_or(left, right),
        Operation::Compare(Int | Long, _) => three_way(left, right),
        Operation::Convert(conversion) => convert(conversion, left),
        on_reals => reals::forward(on_reals, left, right),
    }
}

/// -1, 0 or 1 as the first is below, equal to or above the second.
#[inline]
pub(super) fn three_way(left: Interval, right: Interval) -> Interval {
    let low = if left.low > right.high {
        1
    } else if left.low == right.high {
        0
    } else {
        -1
    };
    let high = if left.high < right.low {
        -1
    } else if left.high == right.low {
        0
    } else {
        1
    };
    Interval::new(low, high)
}

/// The bounds of what a conversion to a smaller type gives.
#[inline]
pub(crate) fn conversion_range(conversion: Conversion) -> Option<Interval> {
    Some(match conversion {
        Conversion::IntToByte => Interval::new(i8::MIN.into(), i8::MAX.into()),
        Conversion::IntToChar => Interval::new(0, u16::MAX.into()),
        Conversion::IntToShort => Interval::new(i16::MIN.into(), i16::MAX.into()),
        Conversion::LongToInt => Interval::INT,
        _ => return None,
    })
}

fn convert(conversion: Conversion, operand: Interval) -> Interval {
    let Some(range) = conversion_range(conversion) else {
        return match conversion {
            Conversion::IntToLong => operand,
            _ => reals::forward(Operation::Convert(conversion), operand, Interval::constant(0)),
        };
    };
    if operand.is_within(range) {
        return operand;
    }
    let operation = Operation::Convert(conversion);
    let low = crate::evaluate::apply(operation, operand.low, 0);
    let high = crate::evaluate::apply(operation, operand.high, 0);
    one_piece(operand.width(), low, high, range)
}

/// The range after wrapping: its ends, if they are in order and it is narrower than the whole.
#[inline]
fn one_piece(width: u64, low: i64, high: i64, whole: Interval) -> Interval {
    if low <= high && width <= whole.width() { Interval::new(low, high) } else { whole }
}

/// The `int`s that numbers from one to another are after wrapping.
#[inline]
fn wrapped_int(low: i64, high: i64) -> Interval {
    let width = Interval::new(low, high).width();
    one_piece(width, (low as i32).into(), (high as i32).into(), Interval::INT)
}

#[inline]
pub(super) fn add(kind: ArithmeticKind, left: Interval, right: Interval) -> Interval {
    let low = left.low.wrapping_add(right.low);
    let high = left.high.wrapping_add(right.high);
    if kind == ArithmeticKind::Int {
        wrapped_int(low, high)
    } else {
        sum_of_longs(left, right, low, high)
    }
}

#[inline]
pub(super) fn subtract(kind: ArithmeticKind, left: Interval, right: Interval) -> Interval {
    let low = left.low.wrapping_sub(right.high);
    let high = left.high.wrapping_sub(right.low);
    if kind == ArithmeticKind::Int {
        wrapped_int(low, high)
    } else {
        sum_of_longs(left, right, low, high)
    }
}

/// The sum or difference of `long`s with the wrapped ends given.
#[inline]
fn sum_of_longs(left: Interval, right: Interval, low: i64, high: i64) -> Interval {
    match left.width().checked_add(right.width()) {
        Some(width) => one_piece(width, low, high, Interval::ALL),
        None => Interval::ALL,
    }
}

/// The smallest and the largest of four numbers, if they are all known.
#[inline]
pub(super) fn corners(values: [Option<i64>; 4]) -> Option<(i64, i64)> {
    let [Some(a), Some(b), Some(c), Some(d)] = values else { return None };
    Some((a.min(b).min(c.min(d)), a.max(b).max(c.max(d))))
}

/// The ends of a product, if they are `long`s.
#[inline]
pub(super) fn exact_product(left: Interval, right: Interval) -> Option<(i64, i64)> {
    if let Some(factor) = right.fixed() {
        let (low, high) = (left.low.checked_mul(factor)?, left.high.checked_mul(factor)?);
        return Some((low.min(high), low.max(high)));
    }
    corners([
        left.low.checked_mul(right.low),
        left.low.checked_mul(right.high),
        left.high.checked_mul(right.low),
        left.high.checked_mul(right.high),
    ])
}

fn multiply(kind: ArithmeticKind, left: Interval, right: Interval) -> Interval {
    let Some((low, high)) = exact_product(left, right) else { return Interval::ALL };
    let all = Interval::of_arithmetic(kind);
    let exact = Interval::new(low, high);
    if !exact.is_within(all) {
        return wrapped_int(low, high);
    }
    exact
}

fn divide(
    kind: ArithmeticKind,
    left: Interval,
    right: Interval,
    is_divisor_not_zero: bool,
) -> Interval {
    let mut all = Interval::EMPTY;
    let negative = Interval::new(right.low, right.high.min(-1));
    let positive = Interval::new(right.low.max(1), right.high);
    for part in [negative, positive] {
        if !part.is_empty() {
            all = all.hull(quotients(kind, left, part));
        }
    }
    if right.contains(0) && (!is_divisor_not_zero || right.fixed().is_some()) {
        if left.high >= 0 {
            all = all.hull(Interval::constant(-1));
        }
        if left.low < 0 {
            all = all.hull(Interval::constant(1));
        }
    }
    all
}

/// The quotients by divisors of one sign.
fn quotients(kind: ArithmeticKind, left: Interval, right: Interval) -> Interval {
    let (low, high) = (left.low.checked_div(right.low), left.high.checked_div(right.low));
    let ends = if right.low == right.high {
        corners([low, high, low, high])
    } else {
        corners([low, high, left.low.checked_div(right.high), left.high.checked_div(right.high)])
    };
    match ends {
        // The smallest number by -1 wraps.
        Some((low, high)) if kind == ArithmeticKind::Int => wrapped_int(low, high),
        Some((low, high)) => Interval::new(low, high),
        None => Interval::ALL,
    }
}

fn remainder(left: Interval, right: Interval, is_divisor_not_zero: bool) -> Interval {
    if is_below_divisor(left, right) || right.fixed() == Some(0) {
        return left;
    }
    if let Some(divisor) = right.fixed()
        && left.low.wrapping_div(divisor) == left.high.wrapping_div(divisor)
    {
        // All have the same quotient.
        return Interval::new(left.low.wrapping_rem(divisor), left.high.wrapping_rem(divisor));
    }
    // A divisor of 0 leaves the dividend as it is.
    let limits = if is_divisor_not_zero || !right.contains(0) {
        let limit = (right.largest_magnitude() - 1) as i64;
        Interval::new(-limit, limit)
    } else {
        Interval::ALL
    };
    Interval::new(left.low.max(limits.low).min(0), left.high.min(limits.high).max(0))
}

/// The smallest and the largest number of places of a shift.
#[inline]
pub(super) fn places(kind: ArithmeticKind, count: Interval) -> (u32, u32) {
    let last = if kind == ArithmeticKind::Int { 31 } else { 63 };
    match count.fixed() {
        Some(count) => (count as u32 & last, count as u32 & last),
        None if count.low >= 0 && count.high <= i64::from(last) => {
            (count.low as u32, count.high as u32)
        }
        None => (0, last),
    }
}

/// The range of a left shift by a number of places, if it stays in the `long`s.
#[inline]
pub(super) fn exact_shift(interval: Interval, places: u32) -> Option<(i64, i64)> {
    let (low, high) = (interval.low << places, interval.high << places);
    (low >> places == interval.low && high >> places == interval.high).then_some((low, high))
}

fn shift_left(kind: ArithmeticKind, left: Interval, right: Interval) -> Interval {
    let (least, most) = places(kind, right);
    match (exact_shift(left, least), exact_shift(left, most)) {
        (Some((low, high)), Some((lowest, highest))) => {
            let (low, high) = (low.min(lowest), high.max(highest));
            if kind == ArithmeticKind::Long {
                Interval::new(low, high)
            } else if least == most {
                wrapped_int(low, high)
            } else if Interval::new(low, high).is_within(Interval::INT) {
                Interval::new(low, high)
            } else {
                Interval::INT
            }
        }
        _ => Interval::of_arithmetic(kind),
    }
}

fn shift_right(kind: ArithmeticKind, left: Interval, right: Interval) -> Interval {
    let (least, most) = places(kind, right);
    Interval::new(
        (left.low >> least).min(left.low >> most),
        (left.high >> least).max(left.high >> most),
    )
}

fn shift_right_unsigned(kind: ArithmeticKind, left: Interval, right: Interval) -> Interval {
    if left.low >= 0 {
        return shift_right(kind, left, right);
    }
    let (least, most) = places(kind, right);
    if least == 0 {
        // Without a shift, numbers keep their sign.
        return if most == 0 { left } else { Interval::of_arithmetic(kind) };
    }
    let unsigned = |value: i64| {
        if kind == ArithmeticKind::Int { u64::from(value as u32) } else { value as u64 }
    };
    if left.high < 0 {
        Interval::new((unsigned(left.low) >> most) as i64, (unsigned(left.high) >> least) as i64)
    } else {
        Interval::new(0, (unsigned(-1) >> least) as i64)
    }
}
