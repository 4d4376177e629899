//! The functions of fdlibm, which `StrictMath` is defined by, to the last bit.
//!
//! Other libraries of the same descent were improved since, and round differently here and there:
//! each operation below is one of the original, in its order.
//!
//! Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun
//! Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is
//! freely granted, provided that this notice is preserved.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "the constants are written as in the original"
)]

mod exponential;
mod logarithm;
mod power;
mod reduction;
mod trigonometric;

pub(super) use exponential::{cosh, exp, expm1, sinh, tanh};
pub(super) use logarithm::{log, log1p, log10};
pub(super) use power::{cbrt, hypot, pow};
pub(super) use trigonometric::{acos, asin, atan, atan2, cos, sin, tan};

const TWO_54: f64 = 1.80143985094819840000e+16;
/// The upper half of infinity's bits.
const INFINITE: i32 = 0x7ff0_0000;

/// The upper half of the bits.
fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

/// The lower half of the bits.
fn low(x: f64) -> u32 {
    x.to_bits() as u32
}

/// The number with another upper half.
fn with_high(x: f64, high: i32) -> f64 {
    f64::from_bits((x.to_bits() & 0xffff_ffff) | (u64::from(high as u32) << 32))
}

/// The number with zeros in its lower half.
fn without_low(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

/// The number with another exponent: `by` is added to it.
fn with_exponent(x: f64, by: i32) -> f64 {
    with_high(x, high(x).wrapping_add(by << 20))
}

/// A value times a power of two, rounded once.
fn scaled(value: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    let (mut value, mut exponent) = (value, exponent);
    while exponent > 1023 {
        value *= power(1023);
        exponent -= 1023;
    }
    // All bits stay above the subnormal numbers until the last step.
    while exponent < -1022 {
        value *= power(53 - 1022);
        exponent += 1022 - 53;
    }
    value * power(exponent)
}

#[cfg(test)]
mod tests {
    use super::scaled;

    #[test]
    fn scaling_is_exact_up_to_the_ends_of_the_range() {
        assert_eq!(scaled(1.5, 3), 12.0);
        assert_eq!(scaled(1.0, -1074), f64::from_bits(1));
        assert_eq!(scaled(f64::from_bits(1), 1074), 1.0);
        assert_eq!(scaled(1.0, 1024), f64::INFINITY);
        assert_eq!(scaled(1.75, -1074), f64::from_bits(2));
        assert_eq!(scaled(f64::MAX, -2100), 0.0);
    }
}
