//! Which methods of the class library give what the JVM does not fix, and which hide it.

use petrel_program::ResolvedMethod;

use super::Answer;
use crate::machine::{Machine, Stop, Value};

/// How a method relates to unstable values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stability {
    /// Its result depends on its arguments as its code says.
    Stable,
    /// Its result may differ from one JVM to the other in the last bits.
    Unstable,
    /// Its result does not depend on the unstable values that it uses.
    Hidden,
    /// Nothing that it does depends on the unstable values that it uses.
    Traceless,
    /// Its result depends on what else happens in the JVM, before the call or beside it: the garbage collector, other code of the
    /// thread, settings that anybody may change. As a rule it is what it is in a new JVM.
    Circumstantial,
    /// The same, whoever calls it: collections that the garbage collector takes from.
    Fading,
}

/// HotSpot replaces these by code of its own, which may round differently.
const ROUNDED: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log10", "cbrt", "atan2", "pow",
    "sinh", "cosh", "tanh", "hypot", "expm1", "log1p",
];

/// Members come in an order that differs from one JVM to the other.
const UNORDERED: &[&str] =
    &["getMethods", "getDeclaredMethods", "getConstructors", "getDeclaredConstructors"];

/// Static fields of the class library that hold what the machine's settings say. Tests assume that these are the usual ones.
const SETTINGS: &[(&str, &[&str])] = &[
    ("java/util/Locale", &["defaultLocale", "defaultDisplayLocale", "defaultFormatLocale"]),
    ("java/util/TimeZone", &["defaultTimeZone"]),
    ("java/nio/charset/Charset", &["defaultCharset"]),
];

/// What tells programs of what else happens in their JVM.
const CIRCUMSTANCES: &[(&str, &[&str])] = &[
    ("java/lang/ref/Reference", &["get", "refersTo"]),
    ("java/lang/ref/SoftReference", &["get"]),
    ("java/lang/ref/ReferenceQueue", &["poll", "remove"]),
    ("java/lang/ThreadLocal", &["get"]),
    (
        "java/lang/Thread",
        &[
            "currentThread",
            "holdsLock",
            "activeCount",
            "getAllStackTraces",
            "getDefaultUncaughtExceptionHandler",
        ],
    ),
    ("java/lang/System", &["getProperties", "getSecurityManager", "console"]),
];

/// What tells programs of elements that the garbage collector takes away, also through views of the class library.
const FADING: &[(&str, &[&str])] = &[(
    "java/util/WeakHashMap",
    &["size", "isEmpty", "keySet", "values", "entrySet", "forEach", "containsValue"],
)];

/// Whether a static field of the class library holds what the machine's settings say.
pub(crate) fn is_of_machine(class: &str, field: &str) -> bool {
    SETTINGS.iter().any(|(listed, fields)| *listed == class && fields.contains(&field))
}

/// Operations on hash tables whose outcome is the same for all hash codes and salts, and texts that are made with the default
/// locale and are the same in all.
const LOOKUPS: &[(&str, &[&str])] = &[
    (
        "java/util/HashMap",
        &[
            "getNode",
            "putVal",
            "removeNode",
            "resize",
            "putMapEntries",
            "merge",
            "compute",
            "computeIfAbsent",
            "computeIfPresent",
        ],
    ),
    ("java/util/ImmutableCollections$MapN", &["get", "containsKey", "<init>"]),
    ("java/util/ImmutableCollections$SetN", &["contains", "<init>"]),
    ("java/util/IdentityHashMap", &["get", "put", "remove", "containsKey", "resize"]),
    ("java/util/concurrent/ConcurrentHashMap", &["get", "putVal", "replaceNode", "transfer"]),
    ("java/lang/ThreadLocal$ThreadLocalMap", &["getEntry", "set", "remove"]),
    ("jdk/internal/util/Preconditions", &["outOfBoundsMessage"]),
    ("java/util/WeakHashMap", &["get", "put", "remove", "containsKey"]),
    // There is one generator for all threads; what they have is a seed.
    ("java/util/concurrent/ThreadLocalRandom", &["current"]),
];

/// Logarithms that only decide how the result is computed.
const ESTIMATES: &[(&str, &[&str])] = &[("java/math/BigInteger", &["<clinit>", "toString", "pow"])];

pub(crate) fn stability(method: &ResolvedMethod) -> Stability {
    let (class, name) = (method.class().name(), method.name());
    if class == "java/lang/Math" && ROUNDED.contains(&name) {
        return Stability::Unstable;
    }
    if class == "java/lang/Class" && UNORDERED.contains(&name) {
        return Stability::Unstable;
    }
    let is_in = |table: &[(&str, &[&str])]| {
        table.iter().any(|(listed, names)| *listed == class && names.contains(&name))
    };
    if is_in(CIRCUMSTANCES) {
        Stability::Circumstantial
    } else if is_in(FADING) {
        Stability::Fading
    } else if is_in(LOOKUPS) {
        Stability::Hidden
    } else if is_in(ESTIMATES) {
        Stability::Traceless
    } else {
        Stability::Stable
    }
}

/// The order of `Set.of` and `Map.of` depends on a salt that each JVM chooses anew.
pub(super) fn mark_salt(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    for field in ["SALT", "SALT32L", "REVERSE"] {
        if machine.has_field("java/util/ImmutableCollections", field) {
            let number = machine.static_named("java/util/ImmutableCollections", field)?;
            let value = machine.static_at(number);
            machine.set_static(number, value.marked(true));
        }
    }
    super::give(Value::NULL)
}
