//! Intervals of ranks: which numbers that are no integers a term can have.
//!
//! NaN has the last rank, so that an interval that ends with it says nothing of the largest number. All
//! rules are for round to nearest: results of monotone operations are between those of the ends, and a
//! number that was rounded to a result lies between the neighbours of that.

mod fused;

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};

use super::{Interval, Outcomes};
use crate::real::{self, Real};

pub(crate) use fused::{multiply_add, operands_of_multiply_add};

/// The values that an operation on numbers that are no integers can have.
pub(super) fn forward(operation: Operation, left: Interval, right: Interval) -> Interval {
    use ArithmeticKind::{Double, Float};
    use Operation::*;
    match operation {
        Convert(conversion) => convert(conversion, left),
        Compare(Float, nan) => compare::<f32>(nan, left, right),
        Compare(Double, nan) => compare::<f64>(nan, left, right),
        Add(Float) | Subtract(Float) | Multiply(Float) | Divide(Float) | Remainder(Float)
        | Negate(Float) | SquareRoot(Float) => arithmetic::<f32>(operation, left, right),
        Add(Double) | Subtract(Double) | Multiply(Double) | Divide(Double) | Remainder(Double)
        | Negate(Double) | SquareRoot(Double) => arithmetic::<f64>(operation, left, right),
        other => Interval::of(other.result_kind()),
    }
}

/// What the operands of an operation on numbers that are no integers can be, given its values.
pub(super) fn backward(
    operation: Operation,
    result: Interval,
    left: Interval,
    right: Interval,
) -> (Interval, Interval) {
    use ArithmeticKind::{Double, Float};
    use Operation::*;
    match operation {
        Convert(conversion) => (unconvert(conversion, result), Interval::ALL),
        Compare(Float, nan) => uncompare::<f32>(nan, result, left, right),
        Compare(Double, nan) => uncompare::<f64>(nan, result, left, right),
        Add(Float) | Subtract(Float) | Multiply(Float) | Divide(Float) | Negate(Float)
        | SquareRoot(Float) => inverse::<f32>(operation, result, left, right),
        Add(Double) | Subtract(Double) | Multiply(Double) | Divide(Double) | Negate(Double)
        | SquareRoot(Double) => inverse::<f64>(operation, result, left, right),
        _ => (Interval::ALL, Interval::ALL),
    }
}

/// The values of a number times itself, if it is no integer: no negative ones.
pub(crate) fn square(operation: Operation) -> Interval {
    match operation {
        Operation::Multiply(ArithmeticKind::Float | ArithmeticKind::Double) => {
            Interval::at_least(0)
        }
        _ => Interval::ALL,
    }
}

/// What a number that is no integer can be, given what it is when it is multiplied by itself.
pub(crate) fn root_of_square(operation: Operation, square: Interval, known: Interval) -> Interval {
    match operation {
        Operation::Multiply(ArithmeticKind::Float) => root::<f32>(square, known),
        Operation::Multiply(ArithmeticKind::Double) => root::<f64>(square, known),
        _ => Interval::ALL,
    }
}

/// An interval of ranks in parts: the numbers, and whether NaN is in it.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    low: i64,
    high: i64,
    has_nan: bool,
}

impl Numbers {
    fn of<R: Real>(interval: Interval) -> Numbers {
        let low = interval.low.max(R::FIRST_RANK);
        Numbers {
            low,
            high: interval.high.min(R::RANK_OF_INFINITY),
            has_nan: interval.high >= R::RANK_OF_NAN,
        }
    }

    fn is_empty(self) -> bool {
        self.low > self.high
    }

    fn contains(self, rank: i64) -> bool {
        self.low <= rank && rank <= self.high
    }

    fn contains_zero(self) -> bool {
        self.low <= 0 && self.high >= -1
    }

    fn contains_infinity<R: Real>(self) -> bool {
        self.contains(R::RANK_OF_INFINITY) || self.contains(R::FIRST_RANK)
    }

    fn interval<R: Real>(self) -> Interval {
        if self.is_empty() {
            return if self.has_nan { Interval::constant(R::RANK_OF_NAN) } else { Interval::EMPTY };
        }
        Interval::new(self.low, if self.has_nan { R::RANK_OF_NAN } else { self.high })
    }
}

fn arithmetic<R: Real>(operation: Operation, left: Interval, right: Interval) -> Interval {
    let (a, b) = (Numbers::of::<R>(left), Numbers::of::<R>(right));
    let mut has_nan = a.has_nan || (!operation.is_unary() && b.has_nan);
    if a.is_empty() || (!operation.is_unary() && b.is_empty()) {
        return Numbers { low: 1, high: 0, has_nan }.interval::<R>();
    }
    let (low, high) = match operation {
        Operation::Add(_) => {
            has_nan |= a.contains(R::RANK_OF_INFINITY) && b.contains(R::FIRST_RANK)
                || a.contains(R::FIRST_RANK) && b.contains(R::RANK_OF_INFINITY);
            hull::<R>(operation, &[(a.low, b.low), (a.high, b.high)])
        }
        Operation::Subtract(_) => {
            has_nan |= a.contains(R::RANK_OF_INFINITY) && b.contains(R::RANK_OF_INFINITY)
                || a.contains(R::FIRST_RANK) && b.contains(R::FIRST_RANK);
            hull::<R>(operation, &[(a.low, b.high), (a.high, b.low)])
        }
        Operation::Multiply(_) => {
            has_nan |= a.contains_zero() && b.contains_infinity::<R>()
                || a.contains_infinity::<R>() && b.contains_zero();
            hull::<R>(
                operation,
                &[(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)],
            )
        }
        Operation::Divide(_) => {
            has_nan |= a.contains_zero() && b.contains_zero()
                || a.contains_infinity::<R>() && b.contains_infinity::<R>();
            quotients::<R>(operation, a, b)
        }
        Operation::Remainder(_) => {
            has_nan |= a.contains_infinity::<R>() || b.contains_zero();
            remainders::<R>(a, b)
        }
        Operation::SquareRoot(_) => {
            has_nan |= a.low < -1;
            let rank = |rank: i64| real::apply(operation, rank, 0);
            if a.high < -1 { (1, 0) } else { (rank(a.low.max(-1)), rank(a.high)) }
        }
        _ => (!a.high, !a.low),
    };
    Numbers { low, high, has_nan }.interval::<R>()
}

/// The ranks between the results for some operands. Next to operands whose result is NaN there are ones
/// with very small and very large results, of either sign.
fn hull<R: Real>(operation: Operation, operands: &[(i64, i64)]) -> (i64, i64) {
    let (mut low, mut high) = (R::RANK_OF_NAN, i64::MIN);
    for &(left, right) in operands {
        let rank = real::apply(operation, left, right);
        if rank == R::RANK_OF_NAN {
            return (R::FIRST_RANK, R::RANK_OF_INFINITY);
        }
        low = low.min(rank);
        high = high.max(rank);
    }
    (low, high)
}

/// The quotients, for the negative and the positive divisors apart: zero, which has a sign, is at an end of
/// each part.
fn quotients<R: Real>(operation: Operation, a: Numbers, b: Numbers) -> (i64, i64) {
    let (mut low, mut high) = (R::RANK_OF_NAN, i64::MIN);
    for (first, last) in [(b.low, b.high.min(-1)), (b.low.max(0), b.high)] {
        if first <= last {
            let ends = [(a.low, first), (a.low, last), (a.high, first), (a.high, last)];
            let (lower, higher) = hull::<R>(operation, &ends);
            low = low.min(lower);
            high = high.max(higher);
        }
    }
    (low, high)
}

/// A remainder has the sign of the dividend, and is no larger than that and smaller than the divisor.
fn remainders<R: Real>(a: Numbers, b: Numbers) -> (i64, i64) {
    let magnitude = |rank: i64| rank.max(!rank);
    let limit = magnitude(b.low).max(magnitude(b.high)).min(R::RANK_OF_INFINITY - 1);
    let low = if a.low < 0 { a.low.max(!limit) } else { 0 };
    let high = if a.high >= 0 { a.high.min(limit) } else { -1 };
    (low, high)
}

fn compare<R: Real>(nan: i8, left: Interval, right: Interval) -> Interval {
    let (a, b) = (Numbers::of::<R>(left), Numbers::of::<R>(right));
    let mut all = Interval::EMPTY;
    if a.has_nan || b.has_nan {
        all = Interval::constant(nan.into());
    }
    if a.is_empty() || b.is_empty() {
        return all;
    }
    let (a, b) = (Interval::new(a.low, a.high), Interval::new(b.low, b.high));
    let [a, b] = [a, b].map(|of| Interval::new(unsigned_zero(of.low), unsigned_zero(of.high)));
    all.hull(super::forward::three_way(a, b))
}

/// The rank of a number, where the two zeros are the same.
fn unsigned_zero(rank: i64) -> i64 {
    if rank == -1 { 0 } else { rank }
}

fn uncompare<R: Real>(
    nan: i8,
    result: Interval,
    left: Interval,
    right: Interval,
) -> (Interval, Interval) {
    let may_be_nan = result.contains(nan.into());
    // Without NaN for an outcome, both are numbers; they compare in one of these ways.
    let Some(comparison) = Outcomes::of_signs(|sign| result.contains(sign)).comparison() else {
        return (Interval::ALL, Interval::ALL);
    };
    let (a, b) = (Numbers::of::<R>(left), Numbers::of::<R>(right));
    if may_be_nan && (a.has_nan || b.has_nan) {
        return one_is_a_number::<R>(comparison, a, b);
    }
    let numbers = Interval::new(R::FIRST_RANK, R::RANK_OF_INFINITY);
    if a.is_empty() || b.is_empty() {
        return (numbers, numbers);
    }
    let (by_left, by_right) = (bound(comparison, b), bound(comparison.mirrored(), a));
    (by_left.intersect(numbers), by_right.intersect(numbers))
}

/// What one of two can be that compare so unless the other is NaN. The rank of NaN is above all numbers, so
/// that only lower bounds can be told.
fn one_is_a_number<R: Real>(
    comparison: Comparison,
    a: Numbers,
    b: Numbers,
) -> (Interval, Interval) {
    let from = |is_other_nan: bool, bound: Interval| {
        if is_other_nan { Interval::ALL } else { Interval::at_least(bound.low) }
    };
    let by_left = if b.is_empty() { Interval::ALL } else { from(b.has_nan, bound(comparison, b)) };
    let by_right =
        if a.is_empty() { Interval::ALL } else { from(a.has_nan, bound(comparison.mirrored(), a)) };
    (by_left, by_right)
}

/// The numbers that compare so with one of others. The two zeros are equal.
fn bound(comparison: Comparison, others: Numbers) -> Interval {
    let first_equal = |rank: i64| if rank == 0 { -1 } else { rank };
    let (first, last) = (first_equal(others.low), unsigned_zero(others.high));
    match comparison {
        Comparison::Equal => Interval::new(first, last),
        Comparison::NotEqual => Interval::ALL,
        Comparison::Less => Interval::at_most(first_equal(others.high) - 1),
        Comparison::LessOrEqual => Interval::at_most(last),
        Comparison::Greater => Interval::at_least(unsigned_zero(others.low) + 1),
        Comparison::GreaterOrEqual => Interval::at_least(first),
    }
}

/// The ranks around the numbers that round to one of an interval.
fn unrounded<R: Real>(result: Interval) -> Option<(R, R)> {
    if result.high >= R::RANK_OF_NAN || result.is_empty() {
        return None;
    }
    let low = (result.low - 1).max(R::FIRST_RANK);
    let high = (result.high + 1).min(R::RANK_OF_INFINITY);
    Some((R::of_rank(low), R::of_rank(high)))
}

/// The ranks from one number to another that were computed, and rounded, themselves. NaN says nothing.
fn around<R: Real>(low: R, high: R) -> Interval {
    let (low, high) = (low.rank(), high.rank());
    let low = if low == R::RANK_OF_NAN { i64::MIN } else { low.saturating_sub(1) };
    Interval::new(low.max(R::FIRST_RANK), (high + 1).min(R::RANK_OF_INFINITY))
}

fn inverse<R: Real>(
    operation: Operation,
    result: Interval,
    left: Interval,
    right: Interval,
) -> (Interval, Interval) {
    let all = (Interval::ALL, Interval::ALL);
    if let Operation::Negate(_) = operation {
        return (forward(operation, result, Interval::constant(0)), Interval::ALL);
    }
    let Some((low, high)) = unrounded::<R>(result) else { return all };
    let (a, b) = (Numbers::of::<R>(left), Numbers::of::<R>(right));
    // The result is a number: the operands are.
    let finite = |numbers: Numbers| {
        let is_finite = !numbers.is_empty() && !numbers.contains_infinity::<R>();
        is_finite.then(|| (R::of_rank(numbers.low), R::of_rank(numbers.high)))
    };
    let numbers = Interval::new(R::FIRST_RANK, R::RANK_OF_INFINITY);
    let with = |operation: Operation, left: R, right: R| {
        R::apply(operation, left, right).unwrap_or(R::of_rank(R::RANK_OF_NAN))
    };
    let (add, subtract) = match operation {
        Operation::Add(kind) | Operation::Subtract(kind) => {
            (Operation::Add(kind), Operation::Subtract(kind))
        }
        Operation::Multiply(kind) => {
            let by = Operation::Divide(kind);
            return (
                numbers.intersect(unscaled::<R>(by, low, high, b)),
                numbers.intersect(unscaled::<R>(by, low, high, a)),
            );
        }
        Operation::Divide(kind) => {
            let by = Operation::Multiply(kind);
            return (numbers.intersect(unscaled::<R>(by, low, high, b)), numbers);
        }
        Operation::SquareRoot(kind) => {
            let square = |number: R| with(Operation::Multiply(kind), number, number);
            let least = if low.rank() <= 0 { R::of_rank(-1) } else { square(low) };
            let most = if high.rank() <= 0 { R::of_rank(0) } else { square(high) };
            let roots = around(least, most);
            return (Interval::new(roots.low.max(-1), roots.high), Interval::ALL);
        }
        _ => return all,
    };
    let (mut by_left, mut by_right) = (numbers, numbers);
    let is_sum = operation == add;
    if let Some((least, most)) = finite(b) {
        let (below, above) = if is_sum {
            (with(subtract, low, most), with(subtract, high, least))
        } else {
            (with(add, low, least), with(add, high, most))
        };
        by_left = around(below, above);
    }
    if let Some((least, most)) = finite(a) {
        by_right = if is_sum {
            around(with(subtract, low, most), with(subtract, high, least))
        } else {
            around(with(subtract, least, high), with(subtract, most, low))
        };
    }
    (by_left, by_right)
}

/// What was multiplied or divided by a number of one sign, neither zero nor infinite, given what is around
/// the result: the operation is the opposite one.
fn unscaled<R: Real>(by: Operation, low: R, high: R, scale: Numbers) -> Interval {
    if scale.is_empty() || scale.contains_zero() || scale.contains_infinity::<R>() {
        return Interval::ALL;
    }
    if scale.low < 0 && scale.high >= 0 {
        return Interval::ALL;
    }
    let ends = [low, high].map(R::rank);
    let (mut least, mut most) = (R::RANK_OF_NAN, i64::MIN);
    for end in ends {
        for scale in [scale.low, scale.high] {
            let rank = real::apply(by, end, scale);
            least = least.min(rank);
            most = most.max(rank);
        }
    }
    if most == R::RANK_OF_NAN {
        return Interval::ALL;
    }
    around(R::of_rank(least), R::of_rank(most))
}

fn root<R: Real>(square: Interval, known: Interval) -> Interval {
    let Some((low, high)) = unrounded::<R>(square) else { return Interval::ALL };
    if high.rank() < 0 {
        return Interval::EMPTY;
    }
    let root = |square: R| R::of_f64(square.to_f64().sqrt()).rank();
    let most = (root(high) + 1).min(R::RANK_OF_INFINITY);
    let least = if low.rank() > 0 { (root(low) - 1).max(0) } else { 0 };
    if known.low >= 0 {
        Interval::new(least, most)
    } else if known.high < 0 {
        Interval::new(!most, !least)
    } else {
        Interval::new(!most, most)
    }
}

fn convert(conversion: Conversion, operand: Interval) -> Interval {
    let rank = |rank: i64| real::apply(Operation::Convert(conversion), rank, 0);
    match conversion {
        Conversion::FloatToInt | Conversion::FloatToLong => truncated::<f32>(operand, rank),
        Conversion::DoubleToInt | Conversion::DoubleToLong => truncated::<f64>(operand, rank),
        // These keep the order, and NaN.
        _ => Interval::new(rank(operand.low), rank(operand.high)),
    }
}

fn truncated<R: Real>(operand: Interval, convert: impl Fn(i64) -> i64) -> Interval {
    let numbers = Numbers::of::<R>(operand);
    let mut all = if numbers.has_nan { Interval::constant(0) } else { Interval::EMPTY };
    if !numbers.is_empty() {
        all = all.hull(Interval::new(convert(numbers.low), convert(numbers.high)));
    }
    all
}

fn unconvert(conversion: Conversion, result: Interval) -> Interval {
    match conversion {
        Conversion::IntToFloat | Conversion::LongToFloat => integers::<f32>(result),
        Conversion::IntToDouble | Conversion::LongToDouble => integers::<f64>(result),
        Conversion::FloatToInt => untruncated::<f32>(result, Interval::INT),
        Conversion::FloatToLong => untruncated::<f32>(result, Interval::ALL),
        Conversion::DoubleToInt => untruncated::<f64>(result, Interval::INT),
        Conversion::DoubleToLong => untruncated::<f64>(result, Interval::ALL),
        Conversion::DoubleToFloat => {
            let has_nan = result.high >= f32::RANK_OF_NAN;
            let low = f64::from(f32::of_rank((result.low - 1).max(f32::FIRST_RANK)));
            let high = f32::of_rank((result.high + 1).min(f32::RANK_OF_INFINITY));
            Interval::new(
                low.rank(),
                if has_nan { f64::RANK_OF_NAN } else { f64::from(high).rank() },
            )
        }
        Conversion::FloatToDouble => {
            let rounded = convert(Conversion::DoubleToFloat, result);
            Interval::new(rounded.low, rounded.high)
        }
        _ => Interval::ALL,
    }
}

/// The integers that round to numbers of an interval.
fn integers<R: Real>(result: Interval) -> Interval {
    let numbers = Numbers::of::<R>(result);
    if numbers.is_empty() {
        return Interval::EMPTY;
    }
    // The neighbours are around them, and `as` saturates.
    let low = R::of_rank((numbers.low - 1).max(R::FIRST_RANK)).to_f64() as i64;
    let high = R::of_rank((numbers.high + 1).min(R::RANK_OF_INFINITY)).to_f64() as i64;
    Interval::new(low.saturating_sub(1), high.saturating_add(1))
}

/// The numbers that become integers of an interval when what is behind the point is cut off, and what is
/// too large becomes the last integer of all that there are.
fn untruncated<R: Real>(result: Interval, all: Interval) -> Interval {
    let result = result.intersect(all);
    if result.is_empty() {
        return Interval::EMPTY;
    }
    // What is cut off is nearer to zero. Neither conversion here is off by more than a rank.
    let rank = |integer: i64| R::of_f64(integer as f64).rank();
    let low = match result.low {
        low if low == all.low => R::FIRST_RANK,
        low @ 1.. => rank(low) - 1,
        low => rank(low - 1) - 1,
    };
    let high = match result.high {
        _ if result.contains(0) => R::RANK_OF_NAN,
        high if high == all.high => R::RANK_OF_INFINITY,
        high @ ..0 => rank(high) + 1,
        high => rank(high + 1) + 1,
    };
    Interval::new(low, high)
}

#[cfg(test)]
mod tests;
