use super::*;

#[test]
fn ranks_are_in_the_order_of_the_numbers() {
    let ascending = [
        f64::NEG_INFINITY,
        f64::MIN,
        -1.5,
        -f64::from_bits(1),
        -0.0,
        0.0,
        f64::from_bits(1),
        f64::MIN_POSITIVE,
        1.0,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    assert!(ascending.map(Real::rank).is_sorted_by(|a, b| a < b));
    assert!(ascending.map(|number| (number as f32).rank()).is_sorted());
    assert_eq!(
        [(-0.0f64).rank(), 0f64.rank(), f64::INFINITY.rank() + 1],
        [-1, 0, f64::RANK_OF_NAN]
    );
    for number in ascending {
        assert_eq!(f64::of_rank(number.rank()).to_bits(), number.to_bits());
        assert_eq!(
            f64::from(f32::of_rank((number as f32).rank())).to_bits(),
            f64::from(number as f32).to_bits()
        );
    }
}

#[test]
fn bits_and_ranks_are_one_to_one_but_for_nan() {
    for bits in [0, 1, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000]
    {
        assert_eq!(bits_of_rank(Kind::Float, rank_of_bits(Kind::Float, bits)), bits);
    }
    for nan in [0xffc0_0000, 0x7f80_0001, 0xff80_1234] {
        assert_eq!(bits_of_rank(Kind::Float, rank_of_bits(Kind::Float, nan)), 0x7fc0_0000);
    }
    assert_eq!(bits_of_rank(Kind::Double, rank_of_bits(Kind::Double, u64::MAX)), 0x7ff8 << 48);
}

#[test]
fn operations_are_java_s() {
    use ArithmeticKind::{Double, Float};
    let double = |operation, a: f64, b: f64| f64::of_rank(apply(operation, a.rank(), b.rank()));
    assert_eq!(double(Operation::Add(Double), 0.1, 0.2), 0.1 + 0.2);
    assert_eq!(double(Operation::Remainder(Double), -5.5, 2.0), -1.5);
    assert!(double(Operation::Divide(Double), 0.0, 0.0).is_nan());
    assert!(double(Operation::SquareRoot(Double), -1.0, 0.0).is_nan());
    let float = |operation, a: f32, b: f32| f32::of_rank(apply(operation, a.rank(), b.rank()));
    assert_eq!(float(Operation::Multiply(Float), 1e30, 1e30), f32::INFINITY);
    let compare = |nan, a: f64, b: f64| apply(Operation::Compare(Double, nan), a.rank(), b.rank());
    assert_eq!([compare(1, 1.0, 2.0), compare(1, -0.0, 0.0), compare(-1, 3.0, 2.0)], [-1, 0, 1]);
    assert_eq!([compare(1, f64::NAN, 2.0), compare(-1, f64::NAN, f64::NAN)], [1, -1]);
    let convert = |conversion, operand| apply(Operation::Convert(conversion), operand, 0);
    assert_eq!(convert(Conversion::DoubleToInt, 1e30f64.rank()), i64::from(i32::MAX));
    assert_eq!(convert(Conversion::DoubleToLong, f64::NAN.rank()), 0);
    assert_eq!(convert(Conversion::FloatToInt, (-7.9f32).rank()), -7);
    assert_eq!(convert(Conversion::LongToFloat, i64::MAX), 9.223372e18f32.rank());
    assert_eq!(convert(Conversion::FloatToDouble, f32::NAN.rank()), f64::RANK_OF_NAN);
}
