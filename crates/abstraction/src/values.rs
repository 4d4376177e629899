//! What an abstraction knows of a value.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};

/// A value in an abstraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// Nothing is known.
    Anything,
    /// A number; references apart, everything is one.
    Number(i64),
    /// `factor * unknown + offset` as an `int` that does not overflow.
    Linear { unknown: u32, factor: i64, offset: i64 },
    /// The null reference.
    Null,
    /// An object that the derivation made.
    Made(u32),
    /// A reference that is an input, or comes from one.
    Input(u32),
}

/// The range of an unknown.
pub(crate) type Range = (i64, i64);

/// The range of all `int`s.
pub(crate) const INTS: Range = (i32::MIN as i64, i32::MAX as i64);

/// The range of a linear value, if it does not overflow anywhere.
pub(crate) fn range_of_linear(factor: i64, offset: i64, (low, high): Range) -> Option<Range> {
    let at = |x: i64| factor.checked_mul(x)?.checked_add(offset);
    let (left, right) = (at(low)?, at(high)?);
    let range = (left.min(right), left.max(right));
    (INTS.0 <= range.0 && range.1 <= INTS.1).then_some(range)
}

/// Whether a comparison holds for all, none, or some values of two ranges.
pub(crate) fn compare(comparison: Comparison, left: Range, right: Range) -> Option<bool> {
    let is_same = left.0 == left.1 && left == right;
    let is_apart = left.1 < right.0 || right.1 < left.0;
    let decide = |always: bool, never: bool| match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    match comparison {
        Comparison::Equal => decide(is_same, is_apart),
        Comparison::NotEqual => decide(is_apart, is_same),
        Comparison::Less => decide(left.1 < right.0, left.0 >= right.1),
        Comparison::GreaterOrEqual => decide(left.0 >= right.1, left.1 < right.0),
        Comparison::Greater => decide(left.0 > right.1, left.1 <= right.0),
        Comparison::LessOrEqual => decide(left.1 <= right.0, left.0 > right.1),
    }
}

/// The values of a range that compare so with a number; `None` if there are none. What is no range is
/// left as it is.
pub(crate) fn narrowed((low, high): Range, comparison: Comparison, bound: i64) -> Option<Range> {
    let range = match comparison {
        Comparison::Equal => (low.max(bound), high.min(bound)),
        Comparison::NotEqual if bound == low => (low + 1, high),
        Comparison::NotEqual if bound == high => (low, high - 1),
        Comparison::NotEqual => (low, high),
        Comparison::Less => (low, high.min(bound - 1)),
        Comparison::LessOrEqual => (low, high.min(bound)),
        Comparison::Greater => (low.max(bound + 1), high),
        Comparison::GreaterOrEqual => (low.max(bound), high),
    };
    (range.0 <= range.1).then_some(range)
}

/// The same comparison of the unknown itself with a number: `factor * x + offset < bound` is `x < ...`.
pub(crate) fn solved(
    comparison: Comparison,
    factor: i64,
    offset: i64,
    bound: i64,
) -> Option<(Comparison, i64)> {
    let rest = bound.checked_sub(offset)?;
    let comparison = if factor < 0 { comparison.mirrored() } else { comparison };
    let is_exact = rest % factor == 0;
    // The largest number of multiples that is not beyond the rest, whatever the signs are.
    let (rest, positive) = if factor < 0 { (rest.checked_neg()?, -factor) } else { (rest, factor) };
    let floor = rest.div_euclid(positive);
    match comparison {
        // Between two multiples nothing is equal.
        Comparison::Equal | Comparison::NotEqual => is_exact.then_some((comparison, floor)),
        _ if is_exact => Some((comparison, floor)),
        Comparison::Less | Comparison::LessOrEqual => Some((Comparison::LessOrEqual, floor)),
        Comparison::Greater | Comparison::GreaterOrEqual => Some((Comparison::Greater, floor)),
    }
}

/// An operation on values; numbers are exact, linear values stay linear where they do not overflow.
pub(crate) fn apply(
    operation: Operation,
    operands: &[Value],
    range: impl Fn(u32) -> Range,
) -> Value {
    let number = |at: usize| match operands.get(at) {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    };
    if let (Some(left), Some(right)) =
        (number(0), number(1).or_else(|| operands.get(1).map_or(Some(0), |_| None)))
    {
        return of_numbers(operation, left, right).map_or(Value::Anything, Value::Number);
    }
    let linear = |value: Option<&Value>| match value {
        Some(Value::Linear { unknown, factor, offset }) => Some((*unknown, *factor, *offset)),
        _ => None,
    };
    let int = ArithmeticKind::Int;
    let made = match operation {
        Operation::Add(kind) if kind == int => {
            match (linear(operands.first()), number(1), number(0), linear(operands.get(1))) {
                (Some((unknown, factor, offset)), Some(more), _, _)
                | (_, _, Some(more), Some((unknown, factor, offset))) => {
                    Some((unknown, factor, offset.saturating_add(more)))
                }
                _ => None,
            }
        }
        Operation::Subtract(kind) if kind == int => match (linear(operands.first()), number(1)) {
            (Some((unknown, factor, offset)), Some(less)) => {
                Some((unknown, factor, offset.saturating_sub(less)))
            }
            _ => None,
        },
        Operation::Multiply(kind) if kind == int => {
            match (linear(operands.first()), number(1), number(0), linear(operands.get(1))) {
                (Some((unknown, factor, offset)), Some(times), _, _)
                | (_, _, Some(times), Some((unknown, factor, offset)))
                    if times != 0 =>
                {
                    Some((unknown, factor.saturating_mul(times), offset.saturating_mul(times)))
                }
                _ => None,
            }
        }
        _ => None,
    };
    match made {
        Some((unknown, factor, offset))
            if range_of_linear(factor, offset, range(unknown)).is_some() =>
        {
            Value::Linear { unknown, factor, offset }
        }
        _ => Value::Anything,
    }
}

/// Java's arithmetic on integers; `None` for what is not followed.
fn of_numbers(operation: Operation, left: i64, right: i64) -> Option<i64> {
    use ArithmeticKind::{Int, Long};
    let wrap = |kind: ArithmeticKind, value: i64| match kind {
        Int => Some(i64::from(value as i32)),
        Long => Some(value),
        _ => None,
    };
    let shift = |kind: ArithmeticKind| (right & if kind == Int { 31 } else { 63 }) as u32;
    match operation {
        Operation::Add(kind) => wrap(kind, left.wrapping_add(right)),
        Operation::Subtract(kind) => wrap(kind, left.wrapping_sub(right)),
        Operation::Multiply(kind) => wrap(kind, left.wrapping_mul(right)),
        Operation::Divide(kind) if right != 0 => wrap(kind, left.wrapping_div(right)),
        Operation::Remainder(kind) if right != 0 => wrap(kind, left.wrapping_rem(right)),
        Operation::Negate(kind) => wrap(kind, left.wrapping_neg()),
        Operation::ShiftLeft(kind) => wrap(kind, left.wrapping_shl(shift(kind))),
        Operation::ShiftRight(kind) => wrap(kind, left.wrapping_shr(shift(kind))),
        Operation::ShiftRightUnsigned(Int) => Some(i64::from(((left as u32) >> shift(Int)) as i32)),
        Operation::ShiftRightUnsigned(Long) => Some(((left as u64) >> shift(Long)) as i64),
        Operation::And(kind) => wrap(kind, left & right),
        Operation::Or(kind) => wrap(kind, left | right),
        Operation::ExclusiveOr(kind) => wrap(kind, left ^ right),
        Operation::Compare(Long, _) => Some(left.cmp(&right) as i64),
        Operation::Convert(Conversion::IntToLong) => Some(left),
        Operation::Convert(Conversion::LongToInt) => Some(i64::from(left as i32)),
        Operation::Convert(Conversion::IntToByte) => Some(i64::from(left as i8)),
        Operation::Convert(Conversion::IntToChar) => Some(i64::from(left as u16)),
        Operation::Convert(Conversion::IntToShort) => Some(i64::from(left as i16)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Solving a comparison for the unknown, by brute force.
    #[test]
    fn comparisons_are_solved_for_the_unknown() {
        for factor in [-3, -2, -1, 1, 2, 3] {
            for offset in -4..=4 {
                for bound in -9..=9 {
                    for comparison in Comparison::ALL {
                        let Some((solved, limit)) = solved(comparison, factor, offset, bound)
                        else {
                            continue;
                        };
                        for x in -9_i64..=9 {
                            let value = (factor * x + offset, factor * x + offset);
                            let direct = compare(comparison, value, (bound, bound));
                            let indirect = compare(solved, (x, x), (limit, limit));
                            assert_eq!(
                                direct, indirect,
                                "{factor}*{x}+{offset} {comparison:?} {bound}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn narrowing_keeps_exactly_what_compares_so() {
        for comparison in Comparison::ALL {
            for bound in -3..=3 {
                let range = narrowed((-2, 2), comparison, bound);
                let kept: Vec<i64> = (-2..=2)
                    .filter(|&x| compare(comparison, (x, x), (bound, bound)) == Some(true))
                    .collect();
                match range {
                    None => assert!(kept.is_empty(), "{comparison:?} {bound}"),
                    Some((low, high)) => {
                        let is_kept = |x: &i64| (low..=high).contains(x);
                        assert!(kept.iter().all(is_kept), "{comparison:?} {bound}");
                    }
                }
            }
        }
    }
}
