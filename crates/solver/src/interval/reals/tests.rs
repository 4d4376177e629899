//! Every rule against the hardware, on operands around which arithmetic is interesting.

use petrel_clp::Kind;
use proptest::prelude::*;

use super::*;
use crate::evaluate::apply;
use crate::real::multiply_add;

const KINDS: [ArithmeticKind; 2] = [ArithmeticKind::Float, ArithmeticKind::Double];

const CONVERSIONS: [Conversion; 10] = [
    Conversion::IntToFloat,
    Conversion::IntToDouble,
    Conversion::LongToFloat,
    Conversion::LongToDouble,
    Conversion::FloatToInt,
    Conversion::FloatToLong,
    Conversion::FloatToDouble,
    Conversion::DoubleToInt,
    Conversion::DoubleToLong,
    Conversion::DoubleToFloat,
];

fn operation() -> impl Strategy<Value = Operation> {
    let mut all = Vec::new();
    for kind in KINDS {
        all.extend([
            Operation::Add(kind),
            Operation::Subtract(kind),
            Operation::Multiply(kind),
            Operation::Divide(kind),
            Operation::Remainder(kind),
            Operation::Negate(kind),
            Operation::SquareRoot(kind),
            Operation::Compare(kind, -1),
            Operation::Compare(kind, 1),
        ]);
    }
    all.extend(CONVERSIONS.map(Operation::Convert));
    proptest::sample::select(all)
}

/// A value of a kind, often near one that is special.
pub(crate) fn value(kind: Kind) -> impl Strategy<Value = i64> {
    let specials: Vec<i64> = match kind {
        Kind::Int => vec![0, i32::MAX.into(), i32::MIN.into(), 1 << 24, -(1 << 24)],
        Kind::Float => [0.0, 1.0, -1.0, f32::MIN_POSITIVE, f32::MAX, 2147483648.0, 16777216.0]
            .map(Real::rank)
            .to_vec(),
        Kind::Double => [0.0, 1.0, -1.0, f64::MIN_POSITIVE, f64::MAX, 2147483648.0, 9.2e18, 4.5e15]
            .map(Real::rank)
            .to_vec(),
        _ => vec![0, i64::MAX, i64::MIN, 1 << 53, -(1 << 53), 1 << 24],
    };
    let all = Interval::of(kind);
    let special = proptest::sample::select(specials);
    let near = (special, -3i64..=3).prop_map(|(special, off)| special.saturating_add(off));
    let end = proptest::sample::select(vec![all.low, all.low + 1, all.high, all.high - 1]);
    let small = (-2000i64..2000).prop_map(move |number| match kind {
        Kind::Float => (number as f32 / 8.0).rank(),
        Kind::Double => (number as f64 / 8.0).rank(),
        _ => number,
    });
    prop_oneof![near, end, small, all.low..=all.high]
        .prop_map(move |value| value.clamp(all.low, all.high))
}

/// An operation with two values for each operand.
fn operands() -> impl Strategy<Value = (Operation, [i64; 4], [i64; 4])> {
    operation().prop_flat_map(|operation| {
        let (kinds, _) = operation.signature();
        let kind = |at: usize| kinds.get(at).copied().unwrap_or(Kind::Int);
        let values = |at: usize| {
            let kind = kind(at);
            [(); 4].map(|()| value(kind))
        };
        (Just(operation), values(0), values(1))
    })
}

fn around(values: &[i64]) -> Interval {
    values.iter().fold(Interval::EMPTY, |all, &value| all.hull(Interval::constant(value)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40_000, ..ProptestConfig::default() })]

    #[test]
    fn no_result_is_lost((operation, left, right) in operands()) {
        let values = forward(operation, around(&left), around(&right));
        for a in left {
            for b in right {
                let result = apply(operation, a, b);
                prop_assert!(values.contains(result), "{result} is not in {values:?}");
            }
        }
    }

    #[test]
    fn no_operand_is_lost((operation, left, right) in operands(), others in [any::<bool>(); 4]) {
        // The result is one of those of the operands, or of some of them.
        let mut results = vec![apply(operation, left[0], right[0])];
        for (at, is_there) in others.into_iter().enumerate() {
            if is_there {
                results.push(apply(operation, left[at], right[3 - at]));
            }
        }
        let result = around(&results);
        let (lefts, rights) = (around(&left), around(&right));
        let (by_left, by_right) = backward(operation, result, lefts, rights);
        for a in left {
            for b in right {
                if result.contains(apply(operation, a, b)) {
                    prop_assert!(by_left.contains(a), "{a} is not in {by_left:?}");
                    prop_assert!(operation.is_unary() || by_right.contains(b), "{b}: {by_right:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_lost_by_a_product_and_a_sum(
        (kind, operands) in proptest::sample::select(vec![Kind::Float, Kind::Double])
            .prop_flat_map(|kind| (Just(kind), [(); 3].map(|()| [(); 3].map(|()| value(kind))))),
        others in [any::<bool>(); 3],
    ) {
        let apply = |at: [usize; 3]| {
            multiply_add(kind, [0, 1, 2].map(|operand| operands[operand][at[operand]]))
        };
        let mut results = vec![apply([0; 3])];
        results.extend((0..3).filter(|&at| others[at]).map(|at| apply([at, 2 - at, at])));
        let result = around(&results);
        let known = [0, 1, 2].map(|operand| around(&operands[operand]));
        let values = fused::multiply_add(kind, known);
        let by = operands_of_multiply_add(kind, result, known);
        for at in (0..27).map(|number| [number / 9, number / 3 % 3, number % 3]) {
            let computed = apply(at);
            prop_assert!(values.contains(computed), "{computed} is not in {values:?}");
            for operand in 0..3 {
                let value = operands[operand][at[operand]];
                prop_assert!(
                    !result.contains(computed) || by[operand].contains(value),
                    "operand {operand}: {value} is not in {:?}", by[operand]
                );
            }
        }
    }

    #[test]
    fn no_root_is_lost(
        (kind, values) in proptest::sample::select(KINDS.to_vec())
            .prop_flat_map(|kind| (Just(kind), [(); 4].map(|()| value(kind.into()))))
    ) {
        let multiply = Operation::Multiply(kind);
        let squares = around(&[0, 1].map(|at| apply(multiply, values[at], values[at])));
        let known = around(&values);
        let root = root_of_square(multiply, squares, known);
        for value in values {
            let squared = apply(multiply, value, value);
            prop_assert!(square(multiply).contains(squared));
            prop_assert!(!squares.contains(squared) || root.contains(value), "{value}: {root:?}");
        }
    }
}

fn double(low: f64, high: f64) -> Interval {
    Interval::new(low.rank(), high.rank())
}

#[test]
fn results_are_between_those_of_the_ends() {
    use ArithmeticKind::Double;
    let (a, b) = (double(-1.0, 2.0), double(3.0, 4.0));
    assert_eq!(forward(Operation::Add(Double), a, b), double(2.0, 6.0));
    assert_eq!(forward(Operation::Subtract(Double), a, b), double(-5.0, -1.0));
    assert_eq!(forward(Operation::Multiply(Double), a, b), double(-4.0, 8.0));
    assert_eq!(forward(Operation::Divide(Double), b, a), double(f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!(forward(Operation::Negate(Double), a, b), double(-2.0, 1.0));
    assert_eq!(forward(Operation::SquareRoot(Double), double(4.0, 9.0), b), double(2.0, 3.0));
    let to_int = Operation::Convert(Conversion::DoubleToInt);
    assert_eq!(forward(to_int, double(-1.5, 1e300), b), Interval::new(-1, i32::MAX.into()));
}

#[test]
fn zeros_are_equal_and_nan_is_not() {
    let compare = |nan, a, b| forward(Operation::Compare(ArithmeticKind::Double, nan), a, b);
    assert_eq!(compare(1, double(-0.0, -0.0), double(0.0, 0.0)), Interval::constant(0));
    assert_eq!(compare(1, double(-3.0, -0.0), double(0.0, 9.0)), Interval::new(-1, 0));
    let nan = double(f64::NAN, f64::NAN);
    assert_eq!(compare(1, nan, double(0.0, 9.0)), Interval::constant(1));
    assert_eq!(compare(-1, double(5.0, f64::NAN), double(0.0, 4.0)), Interval::new(-1, 1));
}

#[test]
fn comparisons_narrow_both_sides() {
    let all = Interval::of(Kind::Double);
    let five = double(5.0, 5.0);
    let narrowed = |nan, result: Interval| {
        backward(Operation::Compare(ArithmeticKind::Double, nan), result, all, five).0
    };
    // `x > 5` is false for NaN, and its opposite is true.
    assert_eq!(narrowed(-1, Interval::constant(1)), double(5f64.next_up(), f64::INFINITY));
    assert_eq!(narrowed(-1, Interval::new(-1, 0)).intersect(all), all);
    // `x < 5` is, too.
    assert_eq!(narrowed(1, Interval::constant(-1)), double(f64::NEG_INFINITY, 5f64.next_down()));
    assert_eq!(narrowed(1, Interval::new(0, 1)), Interval::at_least(5f64.rank()));
    assert_eq!(narrowed(1, Interval::constant(0)), five);
}

#[test]
fn sums_and_products_narrow_their_operands() {
    use ArithmeticKind::Double;
    let all = double(f64::NEG_INFINITY, f64::INFINITY);
    let near = |interval: Interval, number: f64| {
        let width = interval.high.abs_diff(interval.low);
        interval.contains(number.rank()) && width <= 8
    };
    let ten = double(10.0, 10.0);
    let (by_left, _) = backward(Operation::Add(Double), ten, all, double(4.0, 4.0));
    assert!(near(by_left, 6.0), "{by_left:?}");
    let (_, by_right) = backward(Operation::Subtract(Double), ten, double(4.0, 4.0), all);
    assert!(near(by_right, -6.0), "{by_right:?}");
    let (by_left, _) = backward(Operation::Multiply(Double), ten, all, double(4.0, 4.0));
    assert!(near(by_left, 2.5), "{by_left:?}");
    let (by_left, _) = backward(Operation::Divide(Double), ten, all, double(4.0, 4.0));
    assert!(near(by_left, 40.0), "{by_left:?}");
    let root = root_of_square(Operation::Multiply(Double), double(2.0, 2.0), double(0.0, 9.0));
    assert!(near(root, 2f64.sqrt()), "{root:?}");
}
