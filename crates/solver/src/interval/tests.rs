//! Every rule against all values of small intervals, wherever these lie.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};
use proptest::prelude::*;

use super::*;
use crate::evaluate::{apply, compares};

fn operations(kind: ArithmeticKind) -> Vec<Operation> {
    let mut all = vec![
        Operation::Add(kind),
        Operation::Subtract(kind),
        Operation::Multiply(kind),
        Operation::Divide(kind),
        Operation::Remainder(kind),
        Operation::Negate(kind),
        Operation::ShiftLeft(kind),
        Operation::ShiftRight(kind),
        Operation::ShiftRightUnsigned(kind),
        Operation::And(kind),
        Operation::Or(kind),
        Operation::ExclusiveOr(kind),
        Operation::Compare(kind, 0),
    ];
    let conversions: &[Conversion] = match kind {
        ArithmeticKind::Int => &[
            Conversion::IntToLong,
            Conversion::IntToByte,
            Conversion::IntToChar,
            Conversion::IntToShort,
        ],
        _ => &[Conversion::LongToInt],
    };
    all.extend(conversions.iter().map(|&conversion| Operation::Convert(conversion)));
    all
}

fn operation() -> impl Strategy<Value = (ArithmeticKind, Operation)> {
    prop_oneof![Just(ArithmeticKind::Int), Just(ArithmeticKind::Long)].prop_flat_map(|kind| {
        proptest::sample::select(operations(kind)).prop_map(move |operation| (kind, operation))
    })
}

/// Numbers around which arithmetic is interesting.
fn centre() -> impl Strategy<Value = i64> {
    let centres = [
        0,
        7,
        -9,
        31,
        64,
        127,
        -128,
        255,
        32767,
        -32768,
        65535,
        1 << 20,
        i64::from(i32::MAX),
        i64::from(i32::MIN),
        1 << 32,
        -(1 << 33),
        i64::MAX,
        i64::MIN,
        i64::MAX / 3,
    ];
    prop_oneof![3 => Just(0), 5 => proptest::sample::select(centres.to_vec())]
}

/// A small interval of a kind.
fn small(kind: ArithmeticKind) -> impl Strategy<Value = Interval> {
    let all = Interval::of_arithmetic(kind);
    (centre(), -5i64..=5, 0i64..=9).prop_map(move |(centre, shift, width)| {
        let low = centre.saturating_add(shift).clamp(all.low, all.high);
        Interval::new(low, low.saturating_add(width).min(all.high))
    })
}

/// An interval of a kind of any size.
fn any_size(kind: ArithmeticKind) -> impl Strategy<Value = Interval> {
    (small(kind), small(kind), 0..4).prop_map(move |(one, other, choice)| match choice {
        0 => one.hull(other),
        1 => Interval::of_arithmetic(kind),
        _ => one,
    })
}

/// The pairs of values of two intervals, without 0 as a divisor if that is excluded.
fn pairs(left: Interval, right: Interval, is_not_zero: bool) -> impl Iterator<Item = (i64, i64)> {
    (left.low..=left.high)
        .flat_map(move |a| (right.low..=right.high).map(move |b| (a, b)))
        .filter(move |&(_, b)| b != 0 || !is_not_zero)
}

fn case() -> impl Strategy<Value = (Operation, Interval, Interval, Interval)> {
    operation().prop_flat_map(|(kind, operation)| {
        let count = match operation {
            Operation::ShiftLeft(_)
            | Operation::ShiftRight(_)
            | Operation::ShiftRightUnsigned(_) => ArithmeticKind::Int,
            _ => kind,
        };
        (Just(operation), small(kind), small(count), any_size(kind))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40_000))]

    #[test]
    fn results_are_in_the_forward_interval(
        (operation, left, right, _) in case(),
        is_not_zero in any::<bool>(),
    ) {
        let computed = forward(operation, left, right, is_not_zero);
        for (a, b) in pairs(left, right, is_not_zero) {
            let value = apply(operation, a, b);
            prop_assert!(
                computed.contains(value),
                "{operation:?} {a} {b} = {value} is not in {computed:?}"
            );
        }
    }

    #[test]
    fn operands_are_in_the_backward_intervals(
        (operation, left, right, wanted) in case(),
        is_not_zero in any::<bool>(),
    ) {
        let result = forward(operation, left, right, is_not_zero).intersect(wanted);
        if result.is_empty() {
            return Ok(());
        }
        let (by_left, by_right) = backward(operation, result, left, right, is_not_zero);
        let (is_left, is_right) = zero_needs_zero(operation, is_not_zero || !right.contains(0));
        for (a, b) in pairs(left, right, is_not_zero) {
            let value = apply(operation, a, b);
            if result.contains(value) {
                prop_assert!(by_left.contains(a), "{a} of {operation:?} {a} {b}: {by_left:?}");
                prop_assert!(by_right.contains(b), "{b} of {operation:?} {a} {b}: {by_right:?}");
            }
            prop_assert!(value == 0 || ((a != 0 || !is_left) && (b != 0 || !is_right)));
        }
    }

    #[test]
    fn forward_intervals_are_monotone(
        (operation, left, right, _) in case(),
        (wide_left, wide_right) in (any_size(ArithmeticKind::Int), any_size(ArithmeticKind::Int)),
        is_not_zero in any::<bool>(),
    ) {
        let narrow = forward(operation, left, right, is_not_zero);
        let wide = forward(operation, left.hull(wide_left), right.hull(wide_right), false);
        prop_assert!(narrow.is_within(wide), "{narrow:?} is not in {wide:?}");
    }

    #[test]
    fn comparisons_narrow_and_decide_soundly(
        comparison in proptest::sample::select(Comparison::ALL.to_vec()),
        left in small(ArithmeticKind::Long),
        right in small(ArithmeticKind::Long),
    ) {
        let (by_left, by_right) = narrow(comparison, left, right);
        let decided = decide(comparison, left, right);
        for (a, b) in pairs(left, right, false) {
            let truth = compares(comparison, a, b);
            prop_assert!(decided.is_none_or(|decided| decided == truth));
            prop_assert!(!truth || (by_left.contains(a) && by_right.contains(b)));
        }
    }
}

#[test]
fn wrapping_in_one_piece_keeps_the_ends() {
    let add = Operation::Add(ArithmeticKind::Int);
    let top = Interval::new(i64::from(i32::MAX) - 2, i64::from(i32::MAX));
    let three = Interval::constant(3);
    let smallest = i64::from(i32::MIN);
    assert_eq!(forward(add, top, three, false), Interval::new(smallest, smallest + 2));
    assert_eq!(forward(add, top, Interval::constant(1), false), Interval::INT);
    let operand = backward(add, Interval::new(0, 5), Interval::INT, Interval::constant(1), false).0;
    assert_eq!(operand, Interval::new(-1, 4));
}

#[test]
fn a_remainder_is_smaller_than_its_divisor_and_has_the_dividends_sign() {
    let remainder = Operation::Remainder(ArithmeticKind::Int);
    let full = Interval::INT;
    let divisor = Interval::new(-5, 7);
    assert_eq!(forward(remainder, full, divisor, false), full, "the divisor may be 0");
    assert_eq!(forward(remainder, full, divisor, true), Interval::new(-6, 6));
    assert_eq!(forward(remainder, Interval::new(0, 100), divisor, true), Interval::new(0, 6));
    assert_eq!(forward(remainder, Interval::new(0, 3), divisor, true), Interval::new(0, 3));
    let ten = Interval::constant(10);
    assert_eq!(forward(remainder, Interval::new(32, 37), ten, false), Interval::new(2, 7));
    let (dividend, divisor) =
        backward(remainder, Interval::new(4, 6), full, Interval::new(0, 9), true);
    assert_eq!((dividend.low, divisor.low), (4, 5));
    let (dividend, _) =
        backward(remainder, Interval::constant(3), Interval::new(0, 50), ten, false);
    assert_eq!((dividend.low, dividend.high), (3, 43));
}

#[test]
fn factors_follow_from_products_that_do_not_wrap() {
    let multiply = Operation::Multiply(ArithmeticKind::Int);
    let small = Interval::new(-100, 100);
    let product = Interval::new(10, 20);
    let (factor, _) = backward(multiply, product, small, Interval::constant(-3), false);
    assert_eq!((factor.low, factor.high), (-6, -4));
    let (factor, _) = backward(multiply, product, small, Interval::new(2, 3), false);
    assert_eq!((factor.low, factor.high), (4, 10));
    let (factor, _) = backward(multiply, product, Interval::INT, Interval::INT, false);
    assert_eq!(factor, Interval::ALL);
}
