//! What the program asks the machine: each answer is an input of its own kind.
//!
//! Any answer within its range is possible, so that both sides of a decision on it are looked at; but nobody can set it, and
//! what depends on it is no test. The class library asks for reasons of its own (a seed, a cache): what it gets there is a known
//! value that is unstable.

use petrel_clp::Kind;
use petrel_program::ResolvedMethod;

/// The range of an answer: the bits of the first and the last value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MachineAnswer {
    pub(crate) kind: Kind,
    pub(crate) first: u64,
    pub(crate) last: u64,
}

const fn numbers(kind: Kind, first: u64, last: u64) -> MachineAnswer {
    MachineAnswer { kind, first, last }
}

const LEAST_LONG: u64 = i64::MIN as u64;
const MOST_LONG: u64 = i64::MAX as u64;
/// The largest number below 1.
const BELOW_ONE: u64 = 0x3fef_ffff_ffff_ffff;

const TABLE: &[(&str, &str, &str, MachineAnswer)] = &[
    ("java/lang/System", "currentTimeMillis", "()J", numbers(Kind::Long, LEAST_LONG, MOST_LONG)),
    ("java/lang/System", "nanoTime", "()J", numbers(Kind::Long, LEAST_LONG, MOST_LONG)),
    ("java/lang/Math", "random", "()D", numbers(Kind::Double, 0, BELOW_ONE)),
    ("java/lang/StrictMath", "random", "()D", numbers(Kind::Double, 0, BELOW_ONE)),
    ("java/lang/Runtime", "availableProcessors", "()I", numbers(Kind::Int, 1, i32::MAX as u64)),
    ("java/lang/Runtime", "freeMemory", "()J", numbers(Kind::Long, 0, MOST_LONG)),
    ("java/lang/Runtime", "totalMemory", "()J", numbers(Kind::Long, 0, MOST_LONG)),
    ("java/lang/Runtime", "maxMemory", "()J", numbers(Kind::Long, 0, MOST_LONG)),
    ("java/lang/Thread", "interrupted", "()Z", numbers(Kind::Int, 0, 1)),
];

/// What the machine may answer to a call of a method, if it is asked by that.
pub(crate) fn machine_answer(method: &ResolvedMethod) -> Option<MachineAnswer> {
    let (class, name, descriptor) = (method.class().name(), method.name(), method.descriptor());
    let row = TABLE.iter().find(|row| (row.0, row.1, row.2) == (class, name, descriptor));
    row.map(|row| row.3)
}
