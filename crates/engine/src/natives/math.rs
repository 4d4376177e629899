//! Floating point: bits, and the functions of `StrictMath` that are native.
//!
//! `StrictMath` is fdlibm by definition.

mod fdlibm;

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
    binary!("IEEEremainder", libm::remainder),
];

/// Floats are held by their bits.
fn same_bits(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(Value::known(argument(arguments, 0).bits))
}

fn square_root(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give(Value::double(argument(arguments, 0).as_double().sqrt()))
}
