//! The remainder of an angle by a right angle.

use super::{high, scaled, with_high};

const TWO_24: f64 = 1.67772160000000000000e+07;
const TWO_MINUS_24: f64 = 5.96046447753906250000e-08;

/// The bits of 2/pi, 24 at a time.
const TWO_OVER_PI: [i32; 66] = [
    0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163,
    0xabdebb, 0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129,
    0xa73ee8, 0x8235f5, 0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c,
    0x845f8b, 0xbdf928, 0x3b1ff8, 0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf,
    0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d, 0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292,
    0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b, 0x6babf0, 0xcfbc20, 0x9af436, 0x1da9e3,
    0x91615e, 0xe61b08, 0x659985, 0x5f14a0, 0x68408d, 0xffd880, 0x4d7327, 0x310606, 0x1556ca,
    0x73a8c9, 0x60e27b, 0xc08c6b,
];

/// The upper halves of multiples of pi/2.
const MULTIPLES: [i32; 32] = [
    0x3ff921fb, 0x400921fb, 0x4012d97c, 0x401921fb, 0x401f6a7a, 0x4022d97c, 0x4025fdbb, 0x402921fb,
    0x402c463a, 0x402f6a7a, 0x4031475c, 0x4032d97c, 0x40346b9c, 0x4035fdbb, 0x40378fdb, 0x403921fb,
    0x403ab41b, 0x403c463a, 0x403dd85a, 0x403f6a7a, 0x40407e4c, 0x4041475c, 0x4042106c, 0x4042d97c,
    0x4043a28c, 0x40446b9c, 0x404534ac, 0x4045fdbb, 0x4046c6cb, 0x40478fdb, 0x404858eb, 0x404921fb,
];

const INVERSE: f64 = 6.36619772367581382433e-01;
const FIRST: f64 = 1.57079632673412561417e+00;
const FIRST_TAIL: f64 = 6.07710050650619224932e-11;
const SECOND: f64 = 6.07710050630396597660e-11;
const SECOND_TAIL: f64 = 2.02226624879595063154e-21;
const THIRD: f64 = 2.02226624871116645580e-21;
const THIRD_TAIL: f64 = 8.47842766036889956997e-32;

/// The last bits of the number of right angles in a finite angle beyond pi/4, and the rest as a sum.
pub(super) fn quadrant(x: f64) -> (i32, f64, f64) {
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    let (n, head, tail) = match ix {
        ..0x4002_d97c => near(x.abs(), ix),
        0x4002_d97c..=0x4139_21fb => medium(x.abs(), ix),
        _ => large(x.abs(), ix),
    };
    if hx < 0 { (-n, -head, -tail) } else { (n, head, tail) }
}

/// Below 3/4 pi.
fn near(x: f64, ix: i32) -> (i32, f64, f64) {
    let z = x - FIRST;
    let (z, tail) = if ix == 0x3ff9_21fb { (z - SECOND, SECOND_TAIL) } else { (z, FIRST_TAIL) };
    let head = z - tail;
    (1, head, (z - head) - tail)
}

/// Up to 2^19 right angles.
fn medium(x: f64, ix: i32) -> (i32, f64, f64) {
    let n = (x * INVERSE + 0.5) as i32;
    let count = f64::from(n);
    let mut r = x - count * FIRST;
    let mut w = count * FIRST_TAIL;
    let mut head = r - w;
    let is_safe = n < 32 && ix != MULTIPLES[n as usize - 1];
    if !is_safe {
        let lost = |head: f64| (ix >> 20) - ((high(head) >> 20) & 0x7ff);
        if lost(head) > 16 {
            let t = r;
            w = count * SECOND;
            r = t - w;
            w = count * SECOND_TAIL - ((t - r) - w);
            head = r - w;
            if lost(head) > 49 {
                let t = r;
                w = count * THIRD;
                r = t - w;
                w = count * THIRD_TAIL - ((t - r) - w);
                head = r - w;
            }
        }
    }
    (n, head, (r - head) - w)
}

fn large(x: f64, ix: i32) -> (i32, f64, f64) {
    let exponent = (ix >> 20) - 1046;
    let mut z = with_high(x, ix - (exponent << 20));
    let mut parts = [0.0; 3];
    for part in &mut parts[..2] {
        *part = f64::from(z as i32);
        z = (z - *part) * TWO_24;
    }
    parts[2] = z;
    let n_parts = 1 + parts.iter().rposition(|&part| part != 0.0).unwrap_or_default();
    kernel(&parts[..n_parts], exponent)
}

/// The angle is the sum of the parts, each 24 bits below the one before, by a power of two.
fn kernel(x: &[f64], e0: i32) -> (i32, f64, f64) {
    /// So many terms give 53 bits and a tail.
    const TERMS: usize = 4;
    let jx = x.len() - 1;
    let jv = ((e0 - 3) / 24).max(0);
    let mut q0 = e0 - 24 * (jv + 1);
    let digit = |at: i32| if at < 0 { 0.0 } else { f64::from(TWO_OVER_PI[at as usize]) };
    let mut f = [0.0; 20];
    for (i, place) in f.iter_mut().enumerate().take(jx + TERMS + 1) {
        *place = digit(jv - jx as i32 + i as i32);
    }
    let product = |f: &[f64; 20], i: usize| {
        let mut sum = 0.0;
        for (j, part) in x.iter().enumerate() {
            sum += part * f[jx + i - j];
        }
        sum
    };
    let mut q = [0.0; 20];
    for (i, place) in q.iter_mut().enumerate().take(TERMS + 1) {
        *place = product(&f, i);
    }
    let mut iq = [0_i32; 20];
    let mut jz = TERMS;
    let (mut n, mut half, mut z);
    loop {
        // The digits, the lowest first.
        z = q[jz];
        for (i, j) in (1..=jz).rev().enumerate() {
            let carried = f64::from((TWO_MINUS_24 * z) as i32);
            iq[i] = (z - TWO_24 * carried) as i32;
            z = q[j - 1] + carried;
        }
        z = scaled(z, q0);
        z -= 8.0 * (z * 0.125).floor();
        n = z as i32;
        z -= f64::from(n);
        half = 0;
        if q0 > 0 {
            let i = iq[jz - 1] >> (24 - q0);
            n += i;
            iq[jz - 1] -= i << (24 - q0);
            half = iq[jz - 1] >> (23 - q0);
        } else if q0 == 0 {
            half = iq[jz - 1] >> 23;
        } else if z >= 0.5 {
            half = 2;
        }
        if half > 0 {
            n += 1;
            let carry = complement(&mut iq[..jz], q0);
            if half == 2 {
                z = 1.0 - z;
                if carry {
                    z -= scaled(1.0, q0);
                }
            }
        }
        let needs_more = z == 0.0 && iq[TERMS..jz].iter().all(|&digit| digit == 0);
        if !needs_more {
            break;
        }
        let mut k = 1;
        while iq[TERMS - k] == 0 {
            k += 1;
        }
        for i in jz + 1..=jz + k {
            f[jx + i] = digit(jv + i as i32);
            q[i] = product(&f, i);
        }
        jz += k;
    }
    if z == 0.0 {
        jz -= 1;
        q0 -= 24;
        while iq[jz] == 0 {
            jz -= 1;
            q0 -= 24;
        }
    } else {
        z = scaled(z, -q0);
        if z >= TWO_24 {
            let carried = f64::from((TWO_MINUS_24 * z) as i32);
            iq[jz] = (z - TWO_24 * carried) as i32;
            jz += 1;
            q0 += 24;
            iq[jz] = carried as i32;
        } else {
            iq[jz] = z as i32;
        }
    }
    let (head, tail) = product_with_right_angle(&iq[..=jz], q0);
    if half == 0 { (n & 7, head, tail) } else { (n & 7, -head, -tail) }
}

/// One minus the number with these digits; whether any of them is not zero.
fn complement(digits: &mut [i32], q0: i32) -> bool {
    let mut carry = false;
    for digit in digits.iter_mut() {
        if carry {
            *digit = 0xff_ffff - *digit;
        } else if *digit != 0 {
            carry = true;
            *digit = 0x100_0000 - *digit;
        }
    }
    if let Some(last) = digits.last_mut() {
        match q0 {
            1 => *last &= 0x7f_ffff,
            2 => *last &= 0x3f_ffff,
            _ => {}
        }
    }
    carry
}

/// A fraction of a right angle, by its digits, as an angle that is a sum.
fn product_with_right_angle(digits: &[i32], q0: i32) -> (f64, f64) {
    const PARTS: [f64; 8] = [
        1.57079625129699707031e+00,
        7.54978941586159635335e-08,
        5.39030252995776476554e-15,
        3.28200341580791294123e-22,
        1.27065575308067607349e-29,
        1.22933308981111328932e-36,
        2.73370053816464559624e-44,
        2.16741683877804819444e-51,
    ];
    const TERMS: usize = 4;
    let jz = digits.len() - 1;
    let mut q = [0.0; 20];
    let mut unit = scaled(1.0, q0);
    for i in (0..=jz).rev() {
        q[i] = unit * f64::from(digits[i]);
        unit *= TWO_MINUS_24;
    }
    let mut terms = [0.0; 20];
    for i in (0..=jz).rev() {
        let mut sum = 0.0;
        for k in 0..=TERMS.min(jz - i) {
            sum += PARTS[k] * q[i + k];
        }
        terms[jz - i] = sum;
    }
    let mut head = 0.0;
    for term in terms[..=jz].iter().rev() {
        head += term;
    }
    let mut tail = terms[0] - head;
    for term in &terms[1..=jz] {
        tail += term;
    }
    (head, tail)
}
