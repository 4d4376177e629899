//! Angles.

use super::reduction::quadrant;
use super::{INFINITE, high, low, without_low};

const PI: f64 = std::f64::consts::PI;
const HALF_PI: f64 = 1.57079632679489655800e+00;
const HALF_PI_TAIL: f64 = 6.12323399573676603587e-17;
const QUARTER_PI: f64 = 7.85398163397448278999e-01;
const QUARTER_PI_TAIL: f64 = 3.06161699786838301793e-17;
const PI_TAIL: f64 = 1.2246467991473531772e-16;

pub(in super::super) fn sin(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix <= 0x3fe9_21fb {
        return kernel_sin(x, 0.0, false);
    }
    if ix >= INFINITE {
        return f64::NAN;
    }
    let (n, head, tail) = quadrant(x);
    match n & 3 {
        0 => kernel_sin(head, tail, true),
        1 => kernel_cos(head, tail),
        2 => -kernel_sin(head, tail, true),
        _ => -kernel_cos(head, tail),
    }
}

pub(in super::super) fn cos(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix <= 0x3fe9_21fb {
        return kernel_cos(x, 0.0);
    }
    if ix >= INFINITE {
        return f64::NAN;
    }
    let (n, head, tail) = quadrant(x);
    match n & 3 {
        0 => kernel_cos(head, tail),
        1 => -kernel_sin(head, tail, true),
        2 => -kernel_cos(head, tail),
        _ => kernel_sin(head, tail, true),
    }
}

pub(in super::super) fn tan(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix <= 0x3fe9_21fb {
        return kernel_tan(x, 0.0, 1);
    }
    if ix >= INFINITE {
        return f64::NAN;
    }
    let (n, head, tail) = quadrant(x);
    kernel_tan(head, tail, 1 - ((n & 1) << 1))
}

fn kernel_sin(x: f64, y: f64, has_tail: bool) -> f64 {
    const S1: f64 = -1.66666666666666324348e-01;
    const S2: f64 = 8.33333333332248946124e-03;
    const S3: f64 = -1.98412698298579493134e-04;
    const S4: f64 = 2.75573137070700676789e-06;
    const S5: f64 = -2.50507602534068634195e-08;
    const S6: f64 = 1.58969099521155010221e-10;
    if high(x) & 0x7fff_ffff < 0x3e40_0000 {
        return x;
    }
    let z = x * x;
    let v = z * x;
    let r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
    if has_tail { x - ((z * (0.5 * y - v * r) - y) - v * S1) } else { x + v * (S1 + z * r) }
}

fn kernel_cos(x: f64, y: f64) -> f64 {
    const C1: f64 = 4.16666666666666019037e-02;
    const C2: f64 = -1.38888888888741095749e-03;
    const C3: f64 = 2.48015872894767294178e-05;
    const C4: f64 = -2.75573143513906633035e-07;
    const C5: f64 = 2.08757232129817482790e-09;
    const C6: f64 = -1.13596475577881948265e-11;
    let ix = high(x) & 0x7fff_ffff;
    if ix < 0x3e40_0000 {
        return 1.0;
    }
    let z = x * x;
    let r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
    if ix < 0x3fd3_3333 {
        return 1.0 - (0.5 * z - (z * r - x * y));
    }
    let qx = if ix > 0x3fe9_0000 {
        0.28125
    } else {
        f64::from_bits(u64::from((ix - 0x0020_0000) as u32) << 32)
    };
    let hz = 0.5 * z - qx;
    let a = 1.0 - qx;
    a - (hz - (z * r - x * y))
}

fn kernel_tan(x: f64, y: f64, k: i32) -> f64 {
    const T: [f64; 13] = [
        3.33333333333334091986e-01,
        1.33333333333201242699e-01,
        5.39682539762260521377e-02,
        2.18694882948595424599e-02,
        8.86323982359930005737e-03,
        3.59207910759131235356e-03,
        1.45620945432529025516e-03,
        5.88041240820264096874e-04,
        2.46463134818469906812e-04,
        7.81794442939557092300e-05,
        7.14072491382608190305e-05,
        -1.85586374855275456654e-05,
        2.59073051863633712884e-05,
    ];
    let (mut x, mut y) = (x, y);
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    if ix < 0x3e30_0000 {
        if (ix as u32 | low(x)) == 0 && k == -1 {
            return 1.0 / x.abs();
        }
        return if k == 1 { x } else { negative_reciprocal(x + y, x, y) };
    }
    let is_large = ix >= 0x3fe5_9428;
    if is_large {
        if hx < 0 {
            (x, y) = (-x, -y);
        }
        let z = QUARTER_PI - x;
        let w = QUARTER_PI_TAIL - y;
        (x, y) = (z + w, 0.0);
    }
    let z = x * x;
    let w = z * z;
    let r = T[1] + w * (T[3] + w * (T[5] + w * (T[7] + w * (T[9] + w * T[11]))));
    let v = z * (T[2] + w * (T[4] + w * (T[6] + w * (T[8] + w * (T[10] + w * T[12])))));
    let s = z * x;
    let r = y + z * (s * (r + v) + y);
    let r = r + T[0] * s;
    let w = x + r;
    if is_large {
        let v = f64::from(k);
        let sign = f64::from(1 - ((hx >> 30) & 2));
        return sign * (v - 2.0 * (x - (w * w / (w + v) - r)));
    }
    if k == 1 { w } else { negative_reciprocal(w, x, r) }
}

/// -1 / w with care, where w is the sum of x and r.
fn negative_reciprocal(w: f64, x: f64, r: f64) -> f64 {
    let z = without_low(w);
    let v = r - (z - x);
    let a = -1.0 / w;
    let t = without_low(a);
    let s = 1.0 + t * z;
    t + a * (s + t * v)
}

/// The rational approximation that asin and acos share.
fn arc(t: f64) -> f64 {
    const P: [f64; 6] = [
        1.66666666666666657415e-01,
        -3.25565818622400915405e-01,
        2.01212532134862925881e-01,
        -4.00555345006794114027e-02,
        7.91534994289814532176e-04,
        3.47933107596021167570e-05,
    ];
    const Q: [f64; 4] = [
        -2.40339491173441421878e+00,
        2.02094576023350569471e+00,
        -6.88283971605453293030e-01,
        7.70381505559019352791e-02,
    ];
    let p = t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * (P[4] + t * P[5])))));
    let q = 1.0 + t * (Q[0] + t * (Q[1] + t * (Q[2] + t * Q[3])));
    p / q
}

pub(in super::super) fn asin(x: f64) -> f64 {
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    if ix >= 0x3ff0_0000 {
        let is_one = ((ix - 0x3ff0_0000) as u32 | low(x)) == 0;
        return if is_one { x * HALF_PI + x * HALF_PI_TAIL } else { f64::NAN };
    }
    if ix < 0x3fe0_0000 {
        if ix < 0x3e40_0000 {
            return x;
        }
        return x + x * arc(x * x);
    }
    let t = (1.0 - x.abs()) * 0.5;
    let r = arc(t);
    let s = t.sqrt();
    let answer = if ix >= 0x3fef_3333 {
        HALF_PI - (2.0 * (s + s * r) - HALF_PI_TAIL)
    } else {
        let w = without_low(s);
        let c = (t - w * w) / (s + w);
        let p = 2.0 * s * r - (HALF_PI_TAIL - 2.0 * c);
        let q = QUARTER_PI - 2.0 * w;
        QUARTER_PI - (p - q)
    };
    if hx > 0 { answer } else { -answer }
}

pub(in super::super) fn acos(x: f64) -> f64 {
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    if ix >= 0x3ff0_0000 {
        let is_one = ((ix - 0x3ff0_0000) as u32 | low(x)) == 0;
        return match is_one {
            true if hx > 0 => 0.0,
            true => PI + 2.0 * HALF_PI_TAIL,
            false => f64::NAN,
        };
    }
    if ix < 0x3fe0_0000 {
        if ix <= 0x3c60_0000 {
            return HALF_PI + HALF_PI_TAIL;
        }
        return HALF_PI - (x - (HALF_PI_TAIL - x * arc(x * x)));
    }
    if hx < 0 {
        let z = (1.0 + x) * 0.5;
        let s = z.sqrt();
        let w = arc(z) * s - HALF_PI_TAIL;
        return PI - 2.0 * (s + w);
    }
    let z = (1.0 - x) * 0.5;
    let s = z.sqrt();
    let df = without_low(s);
    let c = (z - df * df) / (s + df);
    let w = arc(z) * s + c;
    2.0 * (df + w)
}

pub(in super::super) fn atan(x: f64) -> f64 {
    const HEADS: [f64; 4] =
        [4.63647609000806093515e-01, QUARTER_PI, 9.82793723247329054082e-01, HALF_PI];
    const TAILS: [f64; 4] =
        [2.26987774529616870924e-17, QUARTER_PI_TAIL, 1.39033110312309984516e-17, HALF_PI_TAIL];
    const A: [f64; 11] = [
        3.33333333333329318027e-01,
        -1.99999999998764832476e-01,
        1.42857142725034663711e-01,
        -1.11111104054623557880e-01,
        9.09088713343650656196e-02,
        -7.69187620504482999495e-02,
        6.66107313738753120669e-02,
        -5.83357013379057348645e-02,
        4.97687799461593236017e-02,
        -3.65315727442169155270e-02,
        1.62858201153657823623e-02,
    ];
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    if ix >= 0x4410_0000 {
        return match x.is_nan() {
            true => x,
            false if hx > 0 => HEADS[3] + TAILS[3],
            false => -HEADS[3] - TAILS[3],
        };
    }
    let magnitude = x.abs();
    let (interval, x) = if ix < 0x3fdc_0000 {
        if ix < 0x3e20_0000 {
            return x;
        }
        (None, x)
    } else if ix < 0x3fe6_0000 {
        (Some(0), (2.0 * magnitude - 1.0) / (2.0 + magnitude))
    } else if ix < 0x3ff3_0000 {
        (Some(1), (magnitude - 1.0) / (magnitude + 1.0))
    } else if ix < 0x4003_8000 {
        (Some(2), (magnitude - 1.5) / (1.0 + 1.5 * magnitude))
    } else {
        (Some(3), -1.0 / magnitude)
    };
    let z = x * x;
    let w = z * z;
    let s1 = z * (A[0] + w * (A[2] + w * (A[4] + w * (A[6] + w * (A[8] + w * A[10])))));
    let s2 = w * (A[1] + w * (A[3] + w * (A[5] + w * (A[7] + w * A[9]))));
    match interval {
        None => x - x * (s1 + s2),
        Some(interval) => {
            let z: f64 = HEADS[interval] - ((x * (s1 + s2) - TAILS[interval]) - x);
            if hx < 0 { -z } else { z }
        }
    }
}

pub(in super::super) fn atan2(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (hx, hy) = (high(x), high(y));
    let (ix, iy) = (hx & 0x7fff_ffff, hy & 0x7fff_ffff);
    if x == 1.0 {
        return atan(y);
    }
    let signed = |value: f64| if hy < 0 { -value } else { value };
    if y == 0.0 {
        return if hx < 0 { signed(PI) } else { y };
    }
    if x == 0.0 {
        return signed(HALF_PI);
    }
    if ix == INFINITE {
        let angle = match (hx < 0, iy == INFINITE) {
            (false, true) => QUARTER_PI,
            (true, true) => 3.0 * QUARTER_PI,
            (false, false) => 0.0,
            (true, false) => PI,
        };
        return signed(angle);
    }
    if iy == INFINITE {
        return signed(HALF_PI);
    }
    let k = (iy - ix) >> 20;
    let z = if k > 60 {
        HALF_PI + 0.5 * PI_TAIL
    } else if hx < 0 && k < -60 {
        0.0
    } else {
        atan((y / x).abs())
    };
    match (hx < 0, hy < 0) {
        (false, false) => z,
        (false, true) => -z,
        (true, false) => PI - (z - PI_TAIL),
        (true, true) => (z - PI_TAIL) - PI,
    }
}
