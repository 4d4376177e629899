//! Powers and roots. Since Java 9 these are bytecode; here they are for Java 8.

use super::{high, low, scaled, with_exponent, with_high, without_low};

pub(in super::super) fn cbrt(x: f64) -> f64 {
    const B1: i32 = 715_094_163;
    const B2: i32 = 696_219_795;
    const C: f64 = 5.42857142857142815906e-01;
    const D: f64 = -7.05306122448979611050e-01;
    const E: f64 = 1.41428571428571436819e+00;
    const F: f64 = 1.60714285714285720630e+00;
    const G: f64 = 3.57142857142857150787e-01;
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let magnitude = x.abs();
    let t = if magnitude < f64::MIN_POSITIVE {
        let t = super::TWO_54 * magnitude;
        with_high(t, high(t) / 3 + B2)
    } else {
        with_high(0.0, high(magnitude) / 3 + B1)
    };
    let r = t * t / magnitude;
    let s = C + r * t;
    let t = t * (G + F / (s + E + D / s));
    let t = without_low(t);
    let t = with_high(t, high(t) + 1);
    let s = t * t;
    let r = magnitude / s;
    let w = t + t;
    let r = (r - t) / (w + r);
    let t = t + t * r;
    if x < 0.0 { -t } else { t }
}

pub(in super::super) fn hypot(x: f64, y: f64) -> f64 {
    const TWO_600: f64 = f64::from_bits((1023 + 600) << 52);
    const TWO_MINUS_600: f64 = f64::from_bits((1023 - 600) << 52);
    const TWO_1022: f64 = f64::from_bits((1023 + 1022) << 52);
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (mut a, mut b) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if high(a) - high(b) > 0x3c0_0000 {
        return a + b;
    }
    let mut k = 0;
    if high(a) > 0x5f30_0000 {
        (a, b, k) = (a * TWO_MINUS_600, b * TWO_MINUS_600, 600);
    }
    if high(b) < 0x20b0_0000 {
        if b < f64::MIN_POSITIVE {
            if b == 0.0 {
                return a;
            }
            (a, b, k) = (a * TWO_1022, b * TWO_1022, k - 1022);
        } else {
            (a, b, k) = (a * TWO_600, b * TWO_600, k - 600);
        }
    }
    let w = a - b;
    let w = if w > b {
        let t1 = without_low(a);
        let t2 = a - t1;
        (t1 * t1 - (b * (-b) - t2 * (a + t1))).sqrt()
    } else {
        let y1 = without_low(b);
        let y2 = b - y1;
        let t1 = with_exponent(without_low(a), 1);
        let a = a + a;
        let t2 = a - t1;
        (t1 * y1 - (w * (-w) - (t1 * y2 + t2 * b))).sqrt()
    };
    if k == 0 { w } else { with_high(0.0, 0x3ff0_0000 + (k << 20)) * w }
}

/// What there is to say without computing: for zeros, ones, infinities and NaN.
fn special_power(x: f64, y: f64) -> Option<f64> {
    if y == 0.0 {
        return Some(1.0);
    }
    if x.is_nan() || y.is_nan() {
        return Some(f64::NAN);
    }
    if y == 2.0 {
        return Some(x * x);
    }
    if y == 0.5 && x >= -f64::MAX {
        return Some((x + 0.0).sqrt());
    }
    if y.abs() == 1.0 {
        return Some(if y == 1.0 { x } else { 1.0 / x });
    }
    if y.is_infinite() {
        return Some(match x.abs() {
            1.0 => f64::NAN,
            magnitude if (magnitude > 1.0) == (y > 0.0) => f64::INFINITY,
            _ => 0.0,
        });
    }
    None
}

/// 2 for an even number, 1 for an odd one, 0 for none that is whole.
fn wholeness(y: f64) -> i32 {
    let magnitude = y.abs();
    if magnitude >= 9_007_199_254_740_992.0 {
        2
    } else if magnitude >= 1.0 && magnitude.trunc() == magnitude {
        2 - (magnitude as i64 & 1) as i32
    } else {
        0
    }
}

pub(in super::super) fn pow(x: f64, y: f64) -> f64 {
    const OVERFLOW: f64 = 8.0085662595372944372e-0017;
    if let Some(answer) = special_power(x, y) {
        return answer;
    }
    let is_negative = high(x) < 0;
    let wholeness = if is_negative { wholeness(y) } else { 0 };
    let magnitude = x.abs();
    if magnitude == 0.0 || magnitude == 1.0 || magnitude.is_infinite() {
        let z = if y < 0.0 { 1.0 / magnitude } else { magnitude };
        return match (is_negative, wholeness) {
            (true, 0) if magnitude == 1.0 => f64::NAN,
            (true, 1) => -z,
            _ => z,
        };
    }
    if is_negative && wholeness == 0 {
        return f64::NAN;
    }
    let sign = if is_negative && wholeness == 1 { -1.0 } else { 1.0 };
    let (t1, t2) = if high(y.abs()) > 0x41e0_0000 {
        if high(magnitude) < 0x3fef_ffff {
            return sign * if y < 0.0 { f64::INFINITY } else { 0.0 };
        }
        if high(magnitude) > 0x3ff0_0000 {
            return sign * if y > 0.0 { f64::INFINITY } else { 0.0 };
        }
        logarithm_near_one(magnitude)
    } else {
        logarithm(magnitude)
    };
    let y1 = without_low(y);
    let tail = (y - y1) * t1 + y * t2;
    let head = y1 * t1;
    let z = tail + head;
    let j = high(z);
    if j >= 0x4090_0000 {
        let is_beyond = ((j - 0x4090_0000) as u32 | low(z)) != 0;
        if is_beyond || tail + OVERFLOW > z - head {
            return sign * f64::INFINITY;
        }
    } else if (j & 0x7fff_ffff) >= 0x4090_cc00 {
        let is_beyond = (j.wrapping_sub(0xc090_cc00_u32 as i32) as u32 | low(z)) != 0;
        if is_beyond || tail <= z - head {
            return sign * 0.0;
        }
    }
    sign * two_to_the(z, head, tail)
}

/// The logarithm to the base of two, of a number close to one, as a sum.
fn logarithm_near_one(x: f64) -> (f64, f64) {
    const INVERSE: f64 = 1.44269504088896338700e+00;
    const INVERSE_HEAD: f64 = 1.44269502162933349609e+00;
    const INVERSE_TAIL: f64 = 1.92596299112661746887e-08;
    let t = x - 1.0;
    let w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25));
    let u = INVERSE_HEAD * t;
    let v = t * INVERSE_TAIL - w * INVERSE;
    let t1 = without_low(u + v);
    (t1, v - (t1 - u))
}

/// The logarithm to the base of two as a sum.
fn logarithm(x: f64) -> (f64, f64) {
    const CP: f64 = 9.61796693925975554329e-01;
    const CP_HEAD: f64 = 9.61796700954437255859e-01;
    const CP_TAIL: f64 = -7.02846165095275826516e-09;
    const BP: [f64; 2] = [1.0, 1.5];
    const DP_HEAD: [f64; 2] = [0.0, 5.84962487220764160156e-01];
    const DP_TAIL: [f64; 2] = [0.0, 1.35003920212974897128e-08];
    const L: [f64; 6] = [
        5.99999999999994648725e-01,
        4.28571428578550184252e-01,
        3.33333329818377432918e-01,
        2.72728123808534006489e-01,
        2.30660745775561754067e-01,
        2.06975017800338417784e-01,
    ];
    let (mut x, mut n) = (x, 0);
    if high(x) < 0x0010_0000 {
        x *= 9_007_199_254_740_992.0;
        n -= 53;
    }
    n += (high(x) >> 20) - 0x3ff;
    let j = high(x) & 0x000f_ffff;
    let mut ix = j | 0x3ff0_0000;
    let k = match j {
        ..=0x3_988e => 0,
        0x3_988f..0xb_b67a => 1,
        _ => {
            n += 1;
            ix -= 0x0010_0000;
            0
        }
    };
    let x = with_high(x, ix);
    let u = x - BP[k];
    let v = 1.0 / (x + BP[k]);
    let s = u * v;
    let s_head = without_low(s);
    let t_head = with_high(0.0, ((ix >> 1) | 0x2000_0000) + 0x0008_0000 + ((k as i32) << 18));
    let t_tail = x - (t_head - BP[k]);
    let s_tail = v * ((u - s_head * t_head) - s_head * t_tail);
    let s2 = s * s;
    let series = L[0] + s2 * (L[1] + s2 * (L[2] + s2 * (L[3] + s2 * (L[4] + s2 * L[5]))));
    let r = s2 * s2 * series + s_tail * (s_head + s);
    let s2 = s_head * s_head;
    let t_head = without_low(3.0 + s2 + r);
    let t_tail = r - ((t_head - 3.0) - s2);
    let u = s_head * t_head;
    let v = s_tail * t_head + t_tail * s;
    let p_head = without_low(u + v);
    let p_tail = v - (p_head - u);
    let z_head = CP_HEAD * p_head;
    let z_tail = CP_TAIL * p_head + p_tail * CP + DP_TAIL[k];
    let t = f64::from(n);
    let t1 = without_low(((z_head + z_tail) + DP_HEAD[k]) + t);
    (t1, z_tail - (((t1 - t) - DP_HEAD[k]) - z_head))
}

/// Two to the power of z, which is the sum of head and tail.
fn two_to_the(z: f64, head: f64, tail: f64) -> f64 {
    const P: [f64; 5] = [
        1.66666666666666019037e-01,
        -2.77777777770155933842e-03,
        6.61375632143793436117e-05,
        -1.65339022054652515390e-06,
        4.13813679705723846039e-08,
    ];
    const LN2: f64 = 6.93147180559945286227e-01;
    const LN2_HEAD: f64 = 6.93147182464599609375e-01;
    const LN2_TAIL: f64 = -1.90465429995776804525e-09;
    let mut head = head;
    let j = high(z);
    let i = j & 0x7fff_ffff;
    let mut n = 0;
    if i > 0x3fe0_0000 {
        let k = (i >> 20) - 0x3ff;
        n = j.wrapping_add(0x0010_0000 >> (k + 1));
        let k = ((n & 0x7fff_ffff) >> 20) - 0x3ff;
        let t = with_high(0.0, n & !(0x000f_ffff >> k));
        n = ((n & 0x000f_ffff) | 0x0010_0000) >> (20 - k);
        if j < 0 {
            n = -n;
        }
        head -= t;
    }
    let t = without_low(tail + head);
    let u = t * LN2_HEAD;
    let v = (tail - (t - head)) * LN2 + t * LN2_TAIL;
    let z = u + v;
    let w = v - (z - u);
    let t = z * z;
    let t1 = z - t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * P[4]))));
    let r = (z * t1) / (t1 - 2.0) - (w + z * w);
    let z = 1.0 - (r - z);
    let is_subnormal = high(z).wrapping_add(n << 20) >> 20 <= 0;
    if is_subnormal { scaled(z, n) } else { with_exponent(z, n) }
}
