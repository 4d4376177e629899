//! Strings.

use super::{Answer, Entry, give_reference, nothing, reference};
use crate::machine::{Machine, Stop, Value};

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/String", "intern", "()Ljava/lang/String;", intern),
    // Whether it is big-endian.
    ("java/lang/StringUTF16", "isBigEndian", "()Z", nothing),
];

fn intern(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    give_reference(machine.intern_object(reference(arguments, 0)))
}
