//! What the program asks the machine: each answer is an input of its own kind.
//!
//! Any answer within its range is possible, so that both sides of a decision on it are looked at; but nobody can set it, and
//! what depends on it is no test. The class library asks for reasons of its own (a seed, a cache): what it gets there is a known
//! value that is unstable. Some of its methods only ask on behalf of whoever calls them.

use petrel_clp::Kind;
use petrel_program::ResolvedMethod;

use super::boot::{BOOT, PROPERTY_OR};
use crate::machine::{Machine, Reference, Value};

/// A question to the machine: who has to ask it, and what may be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MachineAnswer {
    pub(crate) asked: Asked,
    pub(crate) range: Range,
}

/// When it is the machine that answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// If the program asks, or a method that asks on its behalf.
    ByProgram,
    /// If the receiver is a generator of random numbers that nobody gave a seed, whoever asks.
    OfGenerator,
}

/// What may be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Range {
    /// A number: the bits of the first and the last.
    Numbers { kind: Kind, first: u64, last: u64 },
    /// A whole number below the last argument. The one before it is the least; without that, it is 0.
    Below(Kind),
    /// What the setting with the name that is the argument says: a string, or nothing.
    Setting(Settings),
    /// What the setting with this name says, which is always there.
    Fixed(Settings, &'static str),
    /// The identity hash code of the argument.
    IdentityHash,
}

/// Where settings come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settings {
    Properties,
    Environment,
}

/// HotSpot has 31 bits for identity hash codes (25 in a JVM of 32 bits), and 0 stands for a code that was not made yet.
pub(crate) const LEAST_HASH: i64 = 1;
pub(crate) const MOST_HASH: i64 = i32::MAX as i64;

const fn by_program(range: Range) -> MachineAnswer {
    MachineAnswer { asked: Asked::ByProgram, range }
}

const fn numbers(kind: Kind, first: u64, last: u64) -> MachineAnswer {
    by_program(Range::Numbers { kind, first, last })
}

const fn by_chance(range: Range) -> MachineAnswer {
    MachineAnswer { asked: Asked::OfGenerator, range }
}

const fn any(kind: Kind, first: u64, last: u64) -> MachineAnswer {
    by_chance(Range::Numbers { kind, first, last })
}

const LEAST_LONG: u64 = i64::MIN as u64;
const MOST_LONG: u64 = i64::MAX as u64;
const LEAST_INT: u64 = i32::MIN as i64 as u64;
const MOST_INT: u64 = i32::MAX as u64;
/// The bits of the finite numbers furthest from 0.
const LEAST_DOUBLE: u64 = 0xffef_ffff_ffff_ffff;
const MOST_DOUBLE: u64 = 0x7fef_ffff_ffff_ffff;
/// The largest `double` and the largest `float` below 1.
const BELOW_ONE: u64 = 0x3fef_ffff_ffff_ffff;
const BELOW_ONE_FLOAT: u64 = 0x3f7f_ffff;

const SYSTEM: &str = "java/lang/System";
const RANDOM: &str = "java/util/Random";
const LOCAL_RANDOM: &str = "java/util/concurrent/ThreadLocalRandom";
const GENERATOR: &str = "java/util/random/RandomGenerator";
const GET: &str = "(Ljava/lang/String;)Ljava/lang/String;";
const HASH: MachineAnswer = by_program(Range::IdentityHash);

const TABLE: &[(&str, &str, &str, MachineAnswer)] = &[
    (SYSTEM, "currentTimeMillis", "()J", numbers(Kind::Long, LEAST_LONG, MOST_LONG)),
    (SYSTEM, "nanoTime", "()J", numbers(Kind::Long, LEAST_LONG, MOST_LONG)),
    ("java/lang/Math", "random", "()D", numbers(Kind::Double, 0, BELOW_ONE)),
    ("java/lang/StrictMath", "random", "()D", numbers(Kind::Double, 0, BELOW_ONE)),
    ("java/lang/Runtime", "availableProcessors", "()I", numbers(Kind::Int, 1, MOST_INT)),
    ("java/lang/Runtime", "freeMemory", "()J", numbers(Kind::Long, 0, MOST_LONG)),
    ("java/lang/Runtime", "totalMemory", "()J", numbers(Kind::Long, 0, MOST_LONG)),
    ("java/lang/Runtime", "maxMemory", "()J", numbers(Kind::Long, 0, MOST_LONG)),
    ("java/lang/Thread", "interrupted", "()Z", numbers(Kind::Int, 0, 1)),
    (SYSTEM, "getProperty", GET, by_program(Range::Setting(Settings::Properties))),
    (SYSTEM, "getenv", GET, by_program(Range::Setting(Settings::Environment))),
    (
        SYSTEM,
        "lineSeparator",
        "()Ljava/lang/String;",
        by_program(Range::Fixed(Settings::Properties, "line.separator")),
    ),
    (SYSTEM, "identityHashCode", "(Ljava/lang/Object;)I", HASH),
    ("java/lang/Object", "hashCode", "()I", HASH),
];

/// What generators of random numbers are asked for. Each answer is by itself: that a generator with a short seed does not
/// have all sequences of them is not looked at.
const GENERATED: &[(&str, &str, MachineAnswer)] = &[
    ("nextBoolean", "()Z", any(Kind::Int, 0, 1)),
    ("nextInt", "()I", any(Kind::Int, LEAST_INT, MOST_INT)),
    ("nextInt", "(I)I", by_chance(Range::Below(Kind::Int))),
    ("nextInt", "(II)I", by_chance(Range::Below(Kind::Int))),
    ("nextLong", "()J", any(Kind::Long, LEAST_LONG, MOST_LONG)),
    ("nextLong", "(J)J", by_chance(Range::Below(Kind::Long))),
    ("nextLong", "(JJ)J", by_chance(Range::Below(Kind::Long))),
    ("nextFloat", "()F", any(Kind::Float, 0, BELOW_ONE_FLOAT)),
    ("nextDouble", "()D", any(Kind::Double, 0, BELOW_ONE)),
    ("nextGaussian", "()D", any(Kind::Double, LEAST_DOUBLE, MOST_DOUBLE)),
];

/// Methods of the class library that ask for nobody but their callers.
const ON_BEHALF: &[(&str, &str)] = &[
    (BOOT, PROPERTY_OR),
    ("java/lang/Boolean", "getBoolean"),
    ("java/lang/Integer", "getInteger"),
    ("java/lang/Long", "getLong"),
    ("java/lang/Enum", "hashCode"),
    ("java/util/Objects", "hashCode"),
];

/// What the machine may answer to a call of a method, if it is asked by that.
pub(crate) fn machine_answer(method: &ResolvedMethod) -> Option<MachineAnswer> {
    let (class, name, descriptor) = (method.class().name(), method.name(), method.descriptor());
    if matches!(class, RANDOM | LOCAL_RANDOM | GENERATOR) {
        let row = GENERATED.iter().find(|row| (row.0, row.1) == (name, descriptor));
        return row.map(|row| row.2);
    }
    let row = TABLE.iter().find(|row| (row.0, row.1, row.2) == (class, name, descriptor));
    row.map(|row| row.3)
}

impl Machine<'_> {
    /// Whether a question is one that the machine answers.
    pub(crate) fn is_asked(&mut self, asked: Asked, arguments: &[Value]) -> bool {
        match asked {
            Asked::ByProgram => !self.is_asked_by_library(),
            Asked::OfGenerator => {
                let generator = arguments.first().copied().unwrap_or_default();
                let generator = self.resolved_value(generator);
                !generator.is_symbolic() && self.is_without_seed(generator.as_reference())
            }
        }
    }

    /// Whether the class library calls the method under way for reasons of its own.
    pub(super) fn is_asked_by_library(&self) -> bool {
        let is_on_behalf = |&address: &u32| {
            self.code.origin(address).is_some_and(|(method, _)| {
                let method = &self.methods.get(method).resolved;
                ON_BEHALF.contains(&(method.class().name(), method.name()))
            })
        };
        let asking = self.calls_under_way().find(|address| !is_on_behalf(address));
        asking.is_some_and(|address| self.is_of_library_code(address))
    }

    /// Whether an object is a generator of random numbers whose seed the JVM does not fix. Subclasses may do what they want.
    fn is_without_seed(&mut self, generator: Reference) -> bool {
        if generator.is_null() || !self.heap.is_made(generator) {
            return false;
        }
        let class = self.heap.class(generator);
        match &*self.types.get(class).name {
            LOCAL_RANDOM => true,
            RANDOM => {
                let seed = self.slot_named(RANDOM, "seed");
                let value = self.slot_named("java/util/concurrent/atomic/AtomicLong", "value");
                let (Ok(seed), Ok(value)) = (seed, value) else { return false };
                let seed = self.heap.get_field(generator, seed);
                if seed.is_symbolic() || seed.as_reference().is_null() {
                    return false;
                }
                let seed = seed.as_reference();
                self.heap.is_made(seed) && self.heap.get_field(seed, value).is_unstable()
            }
            _ => false,
        }
    }
}
