//! Floating point: bits, and the functions of `StrictMath` that are native.
//!
//! `StrictMath` is fdlibm by definition; the functions here descend from the same source.

use super::{Answer, Entry, argument, give};
use crate::machine::{Machine, Stop};
use crate::value::Value;

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
    ("java/lang/Float", "floatToRawIntBits", "(F)I", same_bits),
    ("java/lang/Float", "intBitsToFloat", "(I)F", same_bits),
    ("java/lang/Double", "doubleToRawLongBits", "(D)J", same_bits),
    ("java/lang/Double", "longBitsToDouble", "(J)D", same_bits),
    ("java/lang/Math", "sqrt", "(D)D", square_root),
    (STRICT, "sqrt", "(D)D", square_root),
    unary!("sin", libm::sin),
    unary!("cos", libm::cos),
    unary!("tan", libm::tan),
    unary!("asin", libm::asin),
    unary!("acos", libm::acos),
    unary!("atan", libm::atan),
    unary!("exp", libm::exp),
    unary!("log", libm::log),
    unary!("log10", libm::log10),
    unary!("cbrt", libm::cbrt),
    unary!("sinh", libm::sinh),
    unary!("cosh", libm::cosh),
    unary!("tanh", libm::tanh),
    unary!("expm1", libm::expm1),
    unary!("log1p", libm::log1p),
    binary!("atan2", libm::atan2),
    binary!("pow", power),
    binary!("hypot", libm::hypot),
    binary!("IEEEremainder", libm::remainder),
];

/// Java has the rules of fdlibm where those of C99 give 1.
fn power(base: f64, exponent: f64) -> f64 {
    let is_undefined = exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite();
    if is_undefined { f64::NAN } else { libm::pow(base, exponent) }
}

/// Floats are held by their bits.
fn same_bits(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(Value::known(argument(arguments, 0).bits))
}

fn square_root(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(Value::double(argument(arguments, 0).as_double().sqrt()))
}
