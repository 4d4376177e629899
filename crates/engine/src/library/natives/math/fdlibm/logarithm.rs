//! Logarithms.

use super::{INFINITE, TWO_54, high, with_high};

const LN2_HEAD: f64 = 6.93147180369123816490e-01;
const LN2_TAIL: f64 = 1.90821492927058770002e-10;
const LG: [f64; 7] = [
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
];

/// What is not a positive finite number has its logarithm at once; another one is scaled up if it is
/// subnormal, and comes with the exponent to add.
fn normal(x: f64) -> Result<(f64, i32), f64> {
    let hx = high(x);
    if x == 0.0 {
        return Err(f64::NEG_INFINITY);
    }
    if hx < 0 {
        return Err(f64::NAN);
    }
    if hx >= INFINITE {
        return Err(x);
    }
    if hx < 0x0010_0000 { Ok((x * TWO_54, -54)) } else { Ok((x, 0)) }
}

pub(in super::super) fn log(x: f64) -> f64 {
    let (x, k) = match normal(x) {
        Ok(normal) => normal,
        Err(answer) => return answer,
    };
    let hx = high(x);
    let k = k + (hx >> 20) - 1023;
    let hx = hx & 0x000f_ffff;
    let i = (hx + 0x9_5f64) & 0x10_0000;
    let x = with_high(x, hx | (i ^ 0x3ff0_0000));
    let k = k + (i >> 20);
    let dk = f64::from(k);
    let f = x - 1.0;
    if (0x000f_ffff & (2 + hx)) < 3 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { dk * LN2_HEAD + dk * LN2_TAIL };
        }
        let r = f * f * (0.5 - 0.33333333333333333 * f);
        return if k == 0 { f - r } else { dk * LN2_HEAD - ((r - dk * LN2_TAIL) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (LG[1] + w * (LG[3] + w * LG[5]));
    let t2 = z * (LG[0] + w * (LG[2] + w * (LG[4] + w * LG[6])));
    let r = t2 + t1;
    if (hx - 0x6_147a) | (0x6_b851 - hx) > 0 {
        let hfsq = 0.5 * f * f;
        return if k == 0 {
            f - (hfsq - s * (hfsq + r))
        } else {
            dk * LN2_HEAD - ((hfsq - (s * (hfsq + r) + dk * LN2_TAIL)) - f)
        };
    }
    if k == 0 { f - s * (f - r) } else { dk * LN2_HEAD - ((s * (f - r) - dk * LN2_TAIL) - f) }
}

pub(in super::super) fn log10(x: f64) -> f64 {
    const INVERSE_LN10: f64 = 4.34294481903251816668e-01;
    const HEAD: f64 = 3.01029995663611771306e-01;
    const TAIL: f64 = 3.69423907715893078616e-13;
    let (x, k) = match normal(x) {
        Ok(normal) => normal,
        Err(answer) => return answer,
    };
    let hx = high(x);
    let k = k + (hx >> 20) - 1023;
    let i = i32::from(k < 0);
    let y = f64::from(k + i);
    let x = with_high(x, (hx & 0x000f_ffff) | ((0x3ff - i) << 20));
    let z = y * TAIL + INVERSE_LN10 * log(x);
    z + y * HEAD
}

pub(in super::super) fn log1p(x: f64) -> f64 {
    let hx = high(x);
    let ax = hx & 0x7fff_ffff;
    let (mut k, mut f, mut c, mut hu) = (1, 0.0, 0.0, 1);
    if hx < 0x3fda_827a {
        if ax >= 0x3ff0_0000 {
            return if x == -1.0 { f64::NEG_INFINITY } else { f64::NAN };
        }
        if ax < 0x3e20_0000 {
            return if ax < 0x3c90_0000 { x } else { x - x * x * 0.5 };
        }
        if hx > 0 || hx <= 0xbfd2_bec3_u32 as i32 {
            (k, f) = (0, x);
        }
    }
    if hx >= INFINITE {
        return x;
    }
    if k != 0 {
        let mut u = if hx < 0x4340_0000 { 1.0 + x } else { x };
        hu = high(u);
        k = (hu >> 20) - 1023;
        if hx < 0x4340_0000 {
            c = if k > 0 { 1.0 - (u - x) } else { x - (u - 1.0) };
            c /= u;
        }
        hu &= 0x000f_ffff;
        if hu < 0x6_a09e {
            u = with_high(u, hu | 0x3ff0_0000);
        } else {
            k += 1;
            u = with_high(u, hu | 0x3fe0_0000);
            hu = (0x0010_0000 - hu) >> 2;
        }
        f = u - 1.0;
    }
    let dk = f64::from(k);
    let hfsq = 0.5 * f * f;
    if hu == 0 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { dk * LN2_HEAD + (c + dk * LN2_TAIL) };
        }
        let r = hfsq * (1.0 - 0.66666666666666666 * f);
        return if k == 0 { f - r } else { dk * LN2_HEAD - ((r - (dk * LN2_TAIL + c)) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let series = LG[3] + z * (LG[4] + z * (LG[5] + z * LG[6]));
    let r = z * (LG[0] + z * (LG[1] + z * (LG[2] + z * series)));
    if k == 0 {
        f - (hfsq - s * (hfsq + r))
    } else {
        dk * LN2_HEAD - ((hfsq - (s * (hfsq + r) + (dk * LN2_TAIL + c))) - f)
    }
}
