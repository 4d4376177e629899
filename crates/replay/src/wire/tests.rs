use super::*;
use crate::{Measured, MethodName, Outcome, ReplayError};

fn refused(frame: &[u8]) -> String {
    match answer(frame) {
        Err(ReplayError::Malformed { message }) => message,
        other => panic!("{other:?}"),
    }
}

/// `R`, no output, a reference to object 0, no receiver, no arguments, the objects `[1]`, and nothing
/// that is measured.
const RETURNED: &[u8] = &[
    b'R', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // output
    1, b'L', 0, 0, 0, 0, // result
    0, 0, 0, 0, 0, 0, // state
    0, 0, 0, 1, b'a', 0, 0, 0, 0, 0, 0, 0, 1, 0, b'I', 0, 0, 0, 1, b'I', 0, 0, 0, 1, 0,
];

#[test]
fn an_answer_is_read() {
    let Ok(Some(Outcome::Returned { value: Some(value), after })) = answer(RETURNED) else {
        panic!("{:?}", answer(RETURNED));
    };
    assert_eq!(after.heap.literal(value).unwrap(), "{1}");
    assert_eq!(answer(b"L").unwrap(), None);
}

/// `E`, a class, no message, no output, an empty state, and 258 bytes and a method that are measured.
const THREW: &[u8] = &[
    b'E', 0, 0, 0, 0, 0, 0, 0, 1, 0, b'A', 0, // class and message
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // output
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // state
    1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0,
    1, // measured: another ending, bytes, one method
    0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, b'f', 0, 0, 0, 2, 0, 0, 0, 1, 0, b'd', // its names
    0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 3,
];

#[test]
fn what_is_measured_is_read() {
    let Ok(Some(Outcome::Threw { after, .. })) = answer(THREW) else {
        panic!("{:?}", answer(THREW));
    };
    let method = |count| {
        let (class, name, descriptor) = ("A".to_owned(), "f".to_owned(), "d".to_owned());
        vec![(MethodName { class, name, descriptor }, count)]
    };
    let expected = Measured {
        allocated_bytes: Some(258),
        ended_as_before: false,
        instructions: method(9),
        calls: method(3),
        initialised: Vec::new(),
    };
    assert_eq!(after.measured, Some(expected));
    for length in 0..THREW.len() {
        assert_eq!(refused(&THREW[..length]), "it is cut off");
    }
}

#[test]
fn what_is_no_answer_is_refused() {
    assert_eq!(refused(b""), "it is cut off");
    assert_eq!(refused(b"?"), "there is no answer of kind 63");
    assert_eq!(refused(b"LL"), "there are 1 bytes too many");
    for length in 0..RETURNED.len() {
        assert_eq!(refused(&RETURNED[..length]), "it is cut off");
    }
    assert!(check_hello(&[b'H', 0, 0, 0, 99]).is_err());
    // Objects are built by calls for a call, and described by their fields after it.
    let mut built = RETURNED.to_vec();
    let object = built.iter().position(|byte| *byte == b'a').unwrap();
    built[object] = b'c';
    assert_eq!(refused(&built), "there is no object of kind 99");
}

#[test]
fn no_byte_is_taken_on_trust() {
    for place in 0..RETURNED.len() {
        for byte in [0, 1, 2, 0x7f, 0xff, b'L', b'o'] {
            let mut frame = RETURNED.to_vec();
            frame[place] = byte;
            // An answer or an error, but no panic and no dangling reference.
            if let Ok(Some(Outcome::Returned { value: Some(value), after })) = answer(&frame) {
                let _ = after.heap.literal(value);
            }
        }
    }
    let mut dangling = RETURNED.to_vec();
    dangling[16] = 1;
    assert_eq!(refused(&dangling), "there is no object for Reference(ObjectId(1))");
}
