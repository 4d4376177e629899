//! The rules for a product and a sum that are rounded once.

use petrel_clp::{ArithmeticKind, Kind, Operation};

use super::{Numbers, around, unrounded, unscaled};
use crate::interval::Interval;
use crate::real::{Real, multiply_add_of};

/// The values that the product of two numbers of a kind plus a third can have.
pub(crate) fn multiply_add(kind: Kind, operands: [Interval; 3]) -> Interval {
    match kind {
        Kind::Float => forward::<f32>(operands),
        Kind::Double => forward::<f64>(operands),
        other => Interval::of(other),
    }
}

/// What the operands can be, given the values of the result.
pub(crate) fn operands_of_multiply_add(
    kind: Kind,
    result: Interval,
    operands: [Interval; 3],
) -> [Interval; 3] {
    match kind {
        Kind::Float => backward::<f32>(ArithmeticKind::Float, result, operands),
        Kind::Double => backward::<f64>(ArithmeticKind::Double, result, operands),
        _ => [Interval::ALL; 3],
    }
}

fn forward<R: Real>(operands: [Interval; 3]) -> Interval {
    let all @ [a, b, c] = operands.map(Numbers::of::<R>);
    let mut has_nan = all.iter().any(|operand| operand.has_nan);
    if all.iter().any(|operand| operand.is_empty()) {
        return Numbers { low: 1, high: 0, has_nan }.interval::<R>();
    }
    let is_infinite = a.contains_infinity::<R>() || b.contains_infinity::<R>();
    has_nan |= a.contains_zero() && b.contains_infinity::<R>()
        || a.contains_infinity::<R>() && b.contains_zero()
        || is_infinite && c.contains_infinity::<R>();
    // Next to operands whose result is NaN there are ones with any result.
    let (low, high) =
        corners::<R>([a, b], c.low, c.high).unwrap_or((R::FIRST_RANK, R::RANK_OF_INFINITY));
    Numbers { low, high, has_nan }.interval::<R>()
}

/// The least product plus one number, and the largest plus another; `None` if one is NaN.
fn corners<R: Real>([a, b]: [Numbers; 2], low: i64, high: i64) -> Option<(i64, i64)> {
    let (mut least, mut most) = (R::RANK_OF_NAN, i64::MIN);
    for left in [a.low, a.high] {
        for right in [b.low, b.high] {
            let ends = [low, high].map(|addend| multiply_add_of::<R>([left, right, addend]));
            if ends.contains(&R::RANK_OF_NAN) {
                return None;
            }
            least = least.min(ends[0]);
            most = most.max(ends[1]);
        }
    }
    Some((least, most))
}

fn backward<R: Real>(
    kind: ArithmeticKind,
    result: Interval,
    operands: [Interval; 3],
) -> [Interval; 3] {
    let Some((low, high)) = unrounded::<R>(result) else { return [Interval::ALL; 3] };
    // The result is a number: the operands are.
    let numbers = Interval::new(R::FIRST_RANK, R::RANK_OF_INFINITY);
    let all @ [a, b, c] = operands.map(Numbers::of::<R>);
    if all.iter().any(|operand| operand.is_empty()) {
        return [numbers; 3];
    }
    let [mut by_a, mut by_b, mut by_c] = [numbers; 3];
    if !a.contains_infinity::<R>() && !b.contains_infinity::<R>() {
        // The addend is the result less the product.
        let opposite = Numbers { low: !a.high, high: !a.low, has_nan: false };
        if let Some((least, most)) = corners::<R>([opposite, b], low.rank(), high.rank()) {
            by_c = around(R::of_rank(least), R::of_rank(most));
        }
    }
    if !c.contains_infinity::<R>() {
        let less = |result: R, addend: i64| {
            R::apply(Operation::Subtract(kind), result, R::of_rank(addend))
                .map_or(R::RANK_OF_NAN, R::rank)
        };
        let products = around(R::of_rank(less(low, c.high)), R::of_rank(less(high, c.low)));
        let [low, high] = [products.low, products.high].map(R::of_rank);
        let by = Operation::Divide(kind);
        by_a = by_a.intersect(unscaled::<R>(by, low, high, b));
        by_b = by_b.intersect(unscaled::<R>(by, low, high, a));
    }
    [by_a, by_b, by_c]
}
