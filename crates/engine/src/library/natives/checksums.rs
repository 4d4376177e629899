//! `CRC32` and `Adler32` of `java.util.zip`.

use super::{Answer, Entry, argument, give, reference};
use crate::machine::{Machine, Reason, Stop, Undecided, Value};

const CRC32: &str = "java/util/zip/CRC32";
const ADLER32: &str = "java/util/zip/Adler32";
const UPDATE_BYTES: &str = "(I[BII)I";

pub(super) const TABLE: &[Entry] = &[
    (CRC32, "update", "(II)I", |_, arguments| update_byte(arguments, crc32)),
    (CRC32, "updateBytes0", UPDATE_BYTES, |m, arguments| update_bytes(m, arguments, crc32)),
    // Until Java 8.
    (CRC32, "updateBytes", UPDATE_BYTES, |m, arguments| update_bytes(m, arguments, crc32)),
    (ADLER32, "update", "(II)I", |_, arguments| update_byte(arguments, adler32)),
    (ADLER32, "updateBytes", UPDATE_BYTES, |m, arguments| update_bytes(m, arguments, adler32)),
];

/// Of the reversed polynomial of IEEE 802.3.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// The remainder of each byte.
const REMAINDERS: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            let divided = remainder & 1 != 0;
            remainder >>= 1;
            if divided {
                remainder ^= POLYNOMIAL;
            }
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
};

fn crc32(sum: u32, bytes: &[i8]) -> u32 {
    !bytes
        .iter()
        .fold(!sum, |sum, &byte| REMAINDERS[usize::from(sum as u8 ^ byte as u8)] ^ (sum >> 8))
}

fn adler32(sum: u32, bytes: &[i8]) -> u32 {
    /// The largest prime below 2^16.
    const BASE: u32 = 65521;
    let (low, high) = bytes.iter().fold((sum & 0xffff, sum >> 16), |(low, high), &byte| {
        let low = (low + u32::from(byte as u8)) % BASE;
        (low, (high + low) % BASE)
    });
    high << 16 | low
}

fn update_byte(arguments: &[Value], add: fn(u32, &[i8]) -> u32) -> Result<Answer, Stop> {
    let sum = argument(arguments, 0).as_int() as u32;
    give(Value::int(add(sum, &[argument(arguments, 1).as_int() as i8]) as i32))
}

/// The caller has checked the range.
fn update_bytes(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    add: fn(u32, &[i8]) -> u32,
) -> Result<Answer, Stop> {
    let array = reference(arguments, 1);
    let Some(bytes) = machine.heap.bytes(array) else {
        return Err(Stop(Reason::Undecided(Undecided::Checksum)));
    };
    let [start, length] = [2, 3].map(|at| argument(arguments, at).as_int().max(0) as usize);
    let bytes = bytes.get(start..start.saturating_add(length)).unwrap_or_default();
    let sum = add(argument(arguments, 0).as_int() as u32, bytes);
    let unstable = machine.heap.object(array).unstable;
    give(Value::int(sum as i32).marked(unstable))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<i8> {
        text.bytes().map(|byte| byte as i8).collect()
    }

    #[test]
    fn checksums_are_those_of_zlib() {
        assert_eq!(crc32(0, &bytes("123456789")), 0xcbf4_3926);
        assert_eq!(adler32(1, &bytes("Wikipedia")), 0x11e6_0398);
    }

    #[test]
    fn a_sum_goes_on_where_it_was() {
        assert_eq!(crc32(crc32(0, &bytes("1234")), &bytes("56789")), 0xcbf4_3926);
        assert_eq!(adler32(adler32(1, &bytes("Wiki")), &bytes("pedia")), 0x11e6_0398);
    }
}
