//! Exponential and hyperbolic functions.

use super::{INFINITE, high, low, with_exponent, with_high};

const LN2_HEAD: f64 = 6.93147180369123816490e-01;
const LN2_TAIL: f64 = 1.90821492927058770002e-10;
const INVERSE_LN2: f64 = 1.44269504088896338700e+00;
const OVERFLOW: f64 = 7.09782712893383973096e+02;
const UNDERFLOW: f64 = -7.45133219101941108420e+02;
const TWO_MINUS_1000: f64 = 9.33263618503218878990e-302;

pub(in super::super) fn exp(x: f64) -> f64 {
    const P: [f64; 5] = [
        1.66666666666666019037e-01,
        -2.77777777770155933842e-03,
        6.61375632143793436117e-05,
        -1.65339022054652515390e-06,
        4.13813679705723846039e-08,
    ];
    if x.is_nan() {
        return x;
    }
    if x > OVERFLOW {
        return f64::INFINITY;
    }
    if x < UNDERFLOW {
        return 0.0;
    }
    let hx = high(x) & 0x7fff_ffff;
    let (x, hi, lo, k) = if hx > 0x3fd6_2e42 {
        let (hi, lo, k) = reduced(x, hx);
        (hi - lo, hi, lo, k)
    } else if hx < 0x3e30_0000 {
        return 1.0 + x;
    } else {
        (x, 0.0, 0.0, 0)
    };
    let t = x * x;
    let c = x - t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * P[4]))));
    if k == 0 {
        return 1.0 - ((x * c) / (c - 2.0) - x);
    }
    let y = 1.0 - ((lo - (x * c) / (2.0 - c)) - hi);
    if k >= -1021 { with_exponent(y, k) } else { with_exponent(y, k + 1000) * TWO_MINUS_1000 }
}

/// A number beyond half of ln 2, without the nearest multiple of ln 2, as a difference.
fn reduced(x: f64, hx: i32) -> (f64, f64, i32) {
    let is_negative = high(x) < 0;
    match (hx < 0x3ff0_a2b2, is_negative) {
        (true, false) => (x - LN2_HEAD, LN2_TAIL, 1),
        (true, true) => (x + LN2_HEAD, -LN2_TAIL, -1),
        _ => {
            let k = (INVERSE_LN2 * x + if is_negative { -0.5 } else { 0.5 }) as i32;
            let t = f64::from(k);
            (x - t * LN2_HEAD, t * LN2_TAIL, k)
        }
    }
}

pub(in super::super) fn expm1(x: f64) -> f64 {
    const Q: [f64; 5] = [
        -3.33333333333331316428e-02,
        1.58730158725481460165e-03,
        -7.93650757867487942473e-05,
        4.00821782732936239552e-06,
        -2.01099218183624371326e-07,
    ];
    if x.is_nan() {
        return x;
    }
    let hx = high(x) & 0x7fff_ffff;
    if hx >= 0x4043_687a {
        if x > OVERFLOW {
            return f64::INFINITY;
        }
        if x < 0.0 {
            return -1.0;
        }
    }
    let (x, c, k) = if hx > 0x3fd6_2e42 {
        let (hi, lo, k) = reduced(x, hx);
        let x = hi - lo;
        (x, (hi - x) - lo, k)
    } else if hx < 0x3c90_0000 {
        return x;
    } else {
        (x, 0.0, 0)
    };
    let hfx = 0.5 * x;
    let hxs = x * hfx;
    let r1 = 1.0 + hxs * (Q[0] + hxs * (Q[1] + hxs * (Q[2] + hxs * (Q[3] + hxs * Q[4]))));
    let t = 3.0 - r1 * hfx;
    let e = hxs * ((r1 - t) / (6.0 - x * t));
    if k == 0 {
        return x - (x * e - hxs);
    }
    let e = (x * (e - c) - c) - hxs;
    match k {
        -1 => 0.5 * (x - e) - 0.5,
        1 if x < -0.25 => -2.0 * (e - (x + 0.5)),
        1 => 1.0 + 2.0 * (x - e),
        ..=-2 | 57.. => with_exponent(1.0 - (e - x), k) - 1.0,
        ..20 => {
            let t = with_high(1.0, 0x3ff0_0000 - (0x20_0000 >> k));
            with_exponent(t - (e - x), k)
        }
        _ => {
            let t = with_high(1.0, (0x3ff - k) << 20);
            with_exponent((x - (e + t)) + 1.0, k)
        }
    }
}

/// Whether half of the exponential function does not overflow, though the function does.
fn is_just_below_overflow(x: f64, ix: i32) -> bool {
    ix < 0x4086_33ce || ix == 0x4086_33ce && low(x) <= 0x8fb9_f87d
}

pub(in super::super) fn sinh(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix >= INFINITE {
        return x;
    }
    let h = if high(x) < 0 { -0.5 } else { 0.5 };
    if ix < 0x4036_0000 {
        if ix < 0x3e30_0000 {
            return x;
        }
        let t = expm1(x.abs());
        return if ix < 0x3ff0_0000 {
            h * (2.0 * t - t * t / (t + 1.0))
        } else {
            h * (t + t / (t + 1.0))
        };
    }
    if ix < 0x4086_2e42 {
        return h * exp(x.abs());
    }
    if is_just_below_overflow(x, ix) {
        let w = exp(0.5 * x.abs());
        return h * w * w;
    }
    x * 1.0e307
}

pub(in super::super) fn cosh(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix >= INFINITE {
        return x * x;
    }
    if ix < 0x3fd6_2e43 {
        let t = expm1(x.abs());
        let w = 1.0 + t;
        return if ix < 0x3c80_0000 { w } else { 1.0 + (t * t) / (w + w) };
    }
    if ix < 0x4036_0000 {
        let t = exp(x.abs());
        return 0.5 * t + 0.5 / t;
    }
    if ix < 0x4086_2e42 {
        return 0.5 * exp(x.abs());
    }
    if is_just_below_overflow(x, ix) {
        let w = exp(0.5 * x.abs());
        return 0.5 * w * w;
    }
    f64::INFINITY
}

pub(in super::super) fn tanh(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    let is_negative = high(x) < 0;
    if ix >= INFINITE {
        return if is_negative { 1.0 / x - 1.0 } else { 1.0 / x + 1.0 };
    }
    let z = if ix >= 0x4036_0000 {
        1.0
    } else if ix < 0x3c80_0000 {
        return x * (1.0 + x);
    } else if ix >= 0x3ff0_0000 {
        1.0 - 2.0 / (expm1(2.0 * x.abs()) + 2.0)
    } else {
        let t = expm1(-2.0 * x.abs());
        -t / (t + 2.0)
    };
    if is_negative { -z } else { z }
}
