//! The terms against the functions that they stand for, on numbers at which these are special.

use petrel_solver::{Unknown, bits_of_rank, evaluate};

use super::*;

const DOUBLES: [f64; 26] = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    0.49999999999999994,
    1.0,
    1.5,
    2.5,
    -1.5,
    -2.5,
    3.999999999999999,
    -7.25,
    1e10,
    2147483647.5,
    4503599627370495.5,
    4503599627370496.0,
    -4503599627370497.0,
    9007199254740993.0,
    9.3e18,
    -1e300,
    5e-324,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// The value of a function for each pair of arguments of a kind, by their bits.
fn check(
    format: &'static Format,
    argument_kind: Kind,
    result: Kind,
    function: Function,
    arguments: &[(u64, u64)],
    expected: impl Fn(u64, u64) -> u64,
) {
    let mut store = Store::new();
    let unknown = |store: &mut Store| {
        let (low, high) = match argument_kind {
            Kind::Int => (i32::MIN.into(), i32::MAX.into()),
            _ => (i64::MIN, i64::MAX),
        };
        store.unknown(Unknown {
            name: petrel_expression::Expression::name("x"),
            kind: argument_kind,
            low,
            high,
            own: 0,
        })
    };
    let (left, right) = (unknown(&mut store), unknown(&mut store));
    let term = function(&mut Reals { store: &mut store, format }, left, right);
    let term = term.term().expect("it depends on the arguments");
    for &(a, b) in arguments {
        let assignment = [a, b].map(|bits| match argument_kind {
            Kind::Int => i64::from(bits as i32),
            Kind::Long => bits as i64,
            kind => rank_of_bits(kind, bits),
        });
        let value = evaluate(store.terms(), &assignment, store.terms().len())[term.index()];
        let bits = match result {
            Kind::Int => u64::from(value as u32),
            Kind::Long => value as u64,
            kind => bits_of_rank(kind, value),
        };
        assert_eq!(bits, expected(a, b), "{:?} {:?}", f64::from_bits(a), f64::from_bits(b));
    }
}

fn pairs_of_doubles() -> Vec<(u64, u64)> {
    let all = DOUBLES.iter();
    all.flat_map(|a| DOUBLES.iter().map(|b| (a.to_bits(), b.to_bits()))).collect()
}

fn pairs_of_floats() -> Vec<(u64, u64)> {
    let single = |bits: u64| u64::from((f64::from_bits(bits) as f32).to_bits());
    pairs_of_doubles().into_iter().map(|(a, b)| (single(a), single(b))).collect()
}

fn check_doubles(function: Function, expected: impl Fn(f64, f64) -> f64) {
    check(&DOUBLE, Kind::Double, Kind::Double, function, &pairs_of_doubles(), |a, b| {
        let expected = expected(f64::from_bits(a), f64::from_bits(b));
        if expected.is_nan() { f64::NAN.to_bits() } else { expected.to_bits() }
    });
}

/// Java's: NaN if one is, and -0.0 is below 0.0.
fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a.total_cmp(&b).is_lt() {
        b
    } else {
        a
    }
}

#[test]
fn functions_of_doubles() {
    check_doubles(|reals, a, b| reals.square_root(a, b), |a, _| a.sqrt());
    check_doubles(|reals, a, b| reals.absolute(a, b), |a, _| a.abs());
    check_doubles(|reals, a, b| reals.floor(a, b), |a, _| a.floor());
    check_doubles(|reals, a, b| reals.ceiling(a, b), |a, _| a.ceil());
    check_doubles(|reals, a, b| reals.nearest(a, b), |a, _| a.round_ties_even());
    check_doubles(|reals, a, b| reals.largest(a, b), largest);
    check_doubles(|reals, a, b| reals.smallest(a, b), |a, b| -largest(-a, -b));
}

#[test]
fn rounding_goes_to_the_larger_of_two_integers() {
    let rounded = |number: f64| {
        // The sum is exact where there is anything to round.
        let is_short = number.abs() < 4503599627370496.0 && number != 0.49999999999999994;
        if is_short { (number + 0.5).floor() as i64 } else { number as i64 }
    };
    check(
        &DOUBLE,
        Kind::Double,
        Kind::Long,
        |reals, a, b| reals.rounded(a, b),
        &pairs_of_doubles(),
        |a, _| rounded(f64::from_bits(a)) as u64,
    );
    check(
        &SINGLE,
        Kind::Float,
        Kind::Int,
        |reals, a, b| reals.rounded(a, b),
        &pairs_of_floats(),
        |a, _| {
            let number = f64::from(f32::from_bits(a as u32));
            let whole = if number.abs() < 1e15 { (number + 0.5).floor() } else { number };
            u64::from(whole as i32 as u32)
        },
    );
}

#[test]
fn bits_and_comparisons() {
    let canonical = |bits: u64| {
        if f64::from_bits(bits).is_nan() { f64::NAN.to_bits() } else { bits }
    };
    let doubles = pairs_of_doubles();
    check(
        &DOUBLE,
        Kind::Double,
        Kind::Long,
        |reals, a, b| reals.bits(a, b),
        &doubles,
        |a, _| canonical(a),
    );
    let mut bits = doubles.clone();
    bits.extend([(u64::MAX, 0), (0xfff8 << 48, 0), (0x7ff0_0000_0000_0001, 0)]);
    check(
        &DOUBLE,
        Kind::Long,
        Kind::Double,
        |reals, a, b| reals.of_bits(a, b),
        &bits,
        |a, _| canonical(a),
    );
    let order = |a: u64, b: u64| {
        let [a, b] = [a, b].map(|bits| f64::from_bits(canonical(bits)));
        u64::from(a.total_cmp(&b) as i32 as u32)
    };
    check(&DOUBLE, Kind::Double, Kind::Int, |reals, a, b| reals.compare(a, b), &doubles, order);
    let floats = pairs_of_floats();
    let single = |bits: u64| {
        if f32::from_bits(bits as u32).is_nan() { u64::from(f32::NAN.to_bits()) } else { bits }
    };
    check(
        &SINGLE,
        Kind::Float,
        Kind::Int,
        |reals, a, b| reals.bits(a, b),
        &floats,
        |a, _| single(a),
    );
    check(
        &SINGLE,
        Kind::Int,
        Kind::Float,
        |reals, a, b| reals.of_bits(a, b),
        &floats,
        |a, _| single(a),
    );
}
