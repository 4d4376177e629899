//! The protocol between this process and the JVM. Both sides follow this text; the other one is in
//! `java/FrameReader.java`, `Builder.java`, `BuildingCall.java`, `FrameWriter.java`, `Graph.java` and the meters.
//!
//! All that is sent is a sequence of frames, in both directions. Numbers are big-endian.
//!
//! ```text
//! frame     length: u32 of what follows, and one of the bodies below
//! bool      u8, 0 or 1
//! text      count: u32, and that many UTF-16 units: u16
//! name      index: u32 into the names of this frame so far; a text follows if it is the next one
//! names     count: u32, and that many names
//! bytes     count: u32, and that many bytes
//! value     'N' | 'Z' bool | 'B' u8 | 'S' u16 | 'C' u16 | 'I' u32 | 'J' u64 | 'F' u32 | 'D' u64
//!           | 'L' index: u32 of an object; floating-point numbers are bits
//! values    count: u32, and that many values
//! object    's' text | 'b' value (a box) | 'e' class: name, constant: name
//!           | 'a' descriptor of the component type: name, elements: values
//!           | 'i' class: name, fields
//!           | 'c' class: name, what makes it: building call, count: u32 of further ones, and these
//!           (built by calls, never in an answer)
//!           | 'o' class: name (opaque)
//! fields    count: u32, and that many of (class: name, field: name, value)
//! building call   class: name, method: name, descriptor: name, arguments: values
//! objects   count: u32, and that many objects
//! steps     count: u32, and that many of ('m' (make) | 'f' (fill) | 'c' (make the further calls),
//!           index: u32 of an object): the order in which the objects are built
//! optional  bool, and if that is 1 what is named
//!
//! To the JVM, first the settings and then any number of calls:
//!
//! settings  milliseconds of a call: u32, described objects: u32, described values: u32,
//!           bytes of output: u32, class path: names,
//!           measured are: 'n' (nothing) | 'a' (allocated bytes) | 'x' (execution)
//! call      world: 's' (shared) | 'r' (shared from now on) | 'f' (fresh), class path: optional names, class: name, method: name,
//!           descriptor: name, objects, steps, receiver: optional value, arguments: values,
//!           static fields: fields
//!
//! From the JVM, first a hello and then an answer to each call, in order:
//!
//! hello     'H' version of the protocol: u32
//! returned  'R' output, result: optional value, state, optional measured
//! threw     'E' class: name, message: optional text, output, state, optional measured
//! timed out 'T'
//! not callable 'N' reason: text
//! died      'D' reason: text
//! leaving   'L', which is no answer: the process ends, and answers no further calls. So it does when its
//!           memory stays full, and after a call that sets the system property petrel.replay.leave
//!
//! output    out: bytes, is cut: bool, err: bytes, is cut: bool
//! state     receiver: optional value, arguments: values, is cut: bool, objects
//! measured  ended as before: bool, allocated bytes: optional u64, methods
//! methods   count: u32, and that many of (class: name, method: name, descriptor: name,
//!           instructions: u64, calls: u64)
//! ```

mod decode;
mod encode;
#[cfg(test)]
mod tests;

pub(crate) use decode::{answer, check_hello};
pub(crate) use encode::{call, settings};

/// The version of this text.
const PROTOCOL: u32 = 5;
