//! Floating point: bits, and the functions of `StrictMath` that are native.
//!
//! `StrictMath` is fdlibm by definition.

mod fdlibm;

use super::{Answer, Entry, argument, give};
use crate::machine::{Machine, Stop, Value};

pub(super) const STRICT: &str = "java/lang/StrictMath";

macro_rules! unary {
    ($name:literal, $function:path) => {
        (STRICT, $name, "(D)D", |_: &mut Machine<'_>, arguments: &[Value]| {
            give(Value::double($function(argument(arguments, 0).as_double())))
        })
    };
}

macro_rules! binary {
    ($name:literal, $function:path) => {
        (STRICT, $name, "(DD)D", |_: &mut Machine<'_>, arguments: &[Value]| {
            let (left, right) = (argument(arguments, 0), argument(arguments, 1));
            give(Value::double($function(left.as_double(), right.as_double())))
        })
    };
}

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Float", "floatToRawIntBits", "(F)I", bits_of_float),
    ("java/lang/Float", "intBitsToFloat", "(I)F", same_bits),
    ("java/lang/Double", "doubleToRawLongBits", "(D)J", bits_of_double),
    ("java/lang/Double", "longBitsToDouble", "(J)D", same_bits),
    ("java/lang/Math", "sqrt", "(D)D", square_root),
    (STRICT, "sqrt", "(D)D", square_root),
    ("java/lang/Math", "fma", "(DDD)D", multiply_add_doubles),
    ("java/lang/Math", "fma", "(FFF)F", multiply_add_floats),
    unary!("sin", fdlibm::sin),
    unary!("cos", fdlibm::cos),
    unary!("tan", fdlibm::tan),
    unary!("asin", fdlibm::asin),
    unary!("acos", fdlibm::acos),
    unary!("atan", fdlibm::atan),
    unary!("exp", fdlibm::exp),
    unary!("log", fdlibm::log),
    unary!("log10", fdlibm::log10),
    unary!("cbrt", fdlibm::cbrt),
    unary!("sinh", fdlibm::sinh),
    unary!("cosh", fdlibm::cosh),
    unary!("tanh", fdlibm::tanh),
    unary!("expm1", fdlibm::expm1),
    unary!("log1p", fdlibm::log1p),
    binary!("atan2", fdlibm::atan2),
    binary!("pow", fdlibm::pow),
    binary!("hypot", fdlibm::hypot),
    binary!("IEEEremainder", remainder),
];

/// Floats are held by their bits.
fn same_bits(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(Value::known(argument(arguments, 0).bits))
}

/// Bits of a NaN that arithmetic gave are those of this machine: others may be the JVM's, and terms have none.
fn bits_of_float(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let number = argument(arguments, 0).as_float();
    let is_other_nan = number.is_nan() && number.to_bits() != f32::NAN.to_bits();
    machine.library.instability.has_hidden_decision |= is_other_nan;
    same_bits(machine, arguments)
}

fn bits_of_double(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let number = argument(arguments, 0).as_double();
    let is_other_nan = number.is_nan() && number.to_bits() != f64::NAN.to_bits();
    machine.library.instability.has_hidden_decision |= is_other_nan;
    same_bits(machine, arguments)
}

fn square_root(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(Value::double(argument(arguments, 0).as_double().sqrt()))
}

/// The class library computes these with `BigDecimal`, unless the machine has an instruction.
fn multiply_add_doubles(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let [left, right, addend] = [0, 1, 2].map(|at| argument(arguments, at).as_double());
    give(Value::double(left.mul_add(right, addend)))
}

fn multiply_add_floats(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let [left, right, addend] = [0, 1, 2].map(|at| argument(arguments, at).as_float());
    give(Value::float(left.mul_add(right, addend)))
}

/// What is left of `x` after the multiple of `p` that is nearest to it, an even one if two are: exact.
fn remainder(x: f64, p: f64) -> f64 {
    if p == 0.0 || p.is_nan() || !x.is_finite() {
        return f64::NAN;
    }
    if p.is_infinite() {
        return x;
    }
    let p = p.abs();
    // `%` is exact. After it, at most two multiples are left to take away.
    let twice = p + p;
    let mut rest = if twice.is_finite() { x.abs() % twice } else { x.abs() };
    // Where `p / 2` would lose a bit, both sides are doubled; where that would overflow, it is not.
    let exceeds_half = |rest: f64, or_equal: bool| {
        let (left, right) =
            if p < 2.0 * f64::MIN_POSITIVE { (rest + rest, p) } else { (rest, 0.5 * p) };
        left > right || or_equal && left == right
    };
    if exceeds_half(rest, false) {
        rest -= p;
        if exceeds_half(rest, true) {
            rest -= p;
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

#[cfg(test)]
mod tests {
    use super::remainder;

    #[test]
    fn the_remainder_goes_to_the_nearest_multiple() {
        let cases = [
            (5.0, 3.0, -1.0),
            (4.0, 3.0, 1.0),
            (-5.0, 3.0, 1.0),
            // A tie goes to the even multiple.
            (1.5, 1.0, -0.5),
            (0.5, 1.0, 0.5),
            (2.5, 1.0, 0.5),
            (7.0, f64::INFINITY, 7.0),
        ];
        for (x, p, expected) in cases {
            assert_eq!(remainder(x, p), expected, "{x} {p}");
        }
        assert!(remainder(1.0, 0.0).is_nan() && remainder(f64::INFINITY, 1.0).is_nan());
        assert!(remainder(-3.0, 3.0).is_sign_negative());
    }
}
