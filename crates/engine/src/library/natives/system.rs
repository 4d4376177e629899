//! `System`.

use smallvec::smallvec;

use super::boot::{MACHINE_PROPERTIES, PROPERTIES};
use super::{
    Answer, Entry, Then, give, give_reference, nothing, reference, throw, throw_null_pointer, yes,
};
use crate::machine::{LeftOut, Machine, Platform, Reference, Stop, Value};

const SYSTEM: &str = "java/lang/System";
const GET: &str = "(Ljava/lang/String;)Ljava/lang/String;";

pub(super) const TABLE: &[Entry] = &[
    (SYSTEM, "currentTimeMillis", "()J", clock),
    (SYSTEM, "nanoTime", "()J", clock),
    ("jdk/internal/misc/VM", "getNanoTimeAdjustment", "(J)J", clock),
    ("sun/misc/VM", "getNanoTimeAdjustment", "(J)J", clock),
    (SYSTEM, "getenv", GET, environment),
    // Where each way to get a bundle for a class begins, in Java 8 and since.
    (
        "java/util/ResourceBundle",
        "getDefaultControl",
        "(Ljava/lang/String;)Ljava/util/ResourceBundle$Control;",
        bundle,
    ),
    (
        "java/util/ResourceBundle",
        "getDefaultControl",
        "(Ljava/lang/Class;Ljava/lang/String;)Ljava/util/ResourceBundle$Control;",
        bundle,
    ),
    // Addresses can be made and taken apart without a network.
    ("java/net/InetAddress", "init", "()V", nothing),
    ("java/net/Inet4Address", "init", "()V", nothing),
    ("java/net/Inet6Address", "init", "()V", nothing),
    ("java/net/InetAddress", "isIPv4Available", "()Z", yes),
    ("java/net/InetAddress", "isIPv6Supported", "()Z", yes),
    ("java/net/InetAddressImplFactory", "isIPv6Supported", "()Z", yes),
    (SYSTEM, "getenv", "()Ljava/util/Map;", environment),
    (SYSTEM, "getSecurityManager", "()Ljava/lang/SecurityManager;", nothing),
    (SYSTEM, "allowSecurityManager", "()Z", nothing),
    (SYSTEM, "lineSeparator", "()Ljava/lang/String;", line_separator),
    (SYSTEM, "getProperty", GET, property),
    (
        SYSTEM,
        "getProperty",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        property_or,
    ),
    (SYSTEM, "getProperties", "()Ljava/util/Properties;", properties),
    (SYSTEM, "setOut0", "(Ljava/io/PrintStream;)V", |m, a| set_stream(m, a, "out")),
    (SYSTEM, "setErr0", "(Ljava/io/PrintStream;)V", |m, a| set_stream(m, a, "err")),
    (SYSTEM, "setIn0", "(Ljava/io/InputStream;)V", |m, a| set_stream(m, a, "in")),
    (SYSTEM, "loadLibrary", "(Ljava/lang/String;)V", nothing),
    ("jdk/internal/loader/BootLoader", "loadLibrary", "(Ljava/lang/String;)V", nothing),
];

/// Classes that ask the clock only for a seed.
const SEEDED: &[&str] = &[
    "java/util/Random",
    "java/util/SplittableRandom",
    "java/util/concurrent/ThreadLocalRandom",
    "jdk/internal/util/random/RandomSupport",
];

/// There is none. A seed is another matter: whatever it is, the JVM does not fix it.
fn clock(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    let caller = machine.calls_under_way().next().and_then(|address| machine.code.origin(address));
    let caller = caller.map(|(method, _)| &machine.methods.get(method).resolved);
    // An initialiser keeps it for later, and what depends on it then is marked.
    if caller.is_some_and(|caller| {
        SEEDED.contains(&caller.class().name()) || caller.name() == "<clinit>"
    }) {
        return give(Value::long(0x5eed).marked(true));
    }
    Err(Stop::unsupported(Platform::Clock))
}

/// Bundles are files, or classes that are found by name.
fn bundle(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Err(Stop::unsupported(Platform::ResourceBundles))
}

fn environment(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Err(Stop::unsupported(Platform::Environment))
}

fn set_stream(machine: &mut Machine<'_>, arguments: &[Value], field: &str) -> Result<Answer, Stop> {
    let number = machine.static_named(SYSTEM, field)?;
    machine.set_static(number, Value::reference(reference(arguments, 0)));
    give(Value::NULL)
}

fn line_separator(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    give_reference(machine.intern(&[u16::from(b'\n')]))
}

/// The properties of the program, if it has asked for all of them.
fn known_properties(machine: &mut Machine<'_>) -> Result<Reference, Stop> {
    let number = machine.static_named(SYSTEM, "props")?;
    Ok(machine.static_at(number).as_reference())
}

fn property(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    property_or(machine, &[arguments.first().copied().unwrap_or_default(), Value::NULL])
}

fn property_or(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let Some(key) = machine.text_of(reference(arguments, 0)) else {
        return throw_null_pointer();
    };
    if key.is_empty() {
        return throw("java/lang/IllegalArgumentException", "key can't be empty");
    }
    let all = known_properties(machine)?;
    if !all.is_null() {
        let get = machine.declared(
            "java/util/Properties",
            "getProperty",
            "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        )?;
        let passed = smallvec![Value::reference(all), arguments[0], arguments[1]];
        let then = if is_of_machine(&key) { Then::Unstable } else { Then::Result };
        // The program may have set it, or whoever starts the JVM.
        machine.note_left_out(LeftOut::Machine);
        return Ok(Answer::Call(get, passed, then));
    }
    if let Some(version) = version_property(machine, &key)? {
        return give(version);
    }
    let value_in = |table: &[(&str, &'static str)]| {
        table.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    };
    let (value, unstable) = match (value_in(PROPERTIES), value_in(MACHINE_PROPERTIES)) {
        (Some(value), _) => (value, false),
        (None, Some(value)) => (value, true),
        // Whoever starts the JVM may have set it.
        (None, None) => return give(arguments[1].marked(true)),
    };
    let string = machine.new_text(value)?;
    machine.set_unstable_string(string, unstable);
    give_reference(string)
}

/// Whether a property is that of a machine or a JVM, there or not.
fn is_of_machine(key: &str) -> bool {
    const PREFIXES: [&str; 5] = ["java.", "jdk.", "os.", "sun.", "user."];
    let is_in = |table: &[(&str, &str)]| table.iter().any(|(known, _)| *known == key);
    !is_in(PROPERTIES)
        && (is_in(MACHINE_PROPERTIES) || PREFIXES.iter().any(|prefix| key.starts_with(prefix)))
}

/// The version of the class library, which has it as a constant.
fn version_property(machine: &mut Machine<'_>, key: &str) -> Result<Option<Value>, Stop> {
    if !matches!(key, "java.version" | "java.runtime.version" | "java.specification.version") {
        return Ok(None);
    }
    let java_8 = machine.library.modelled.is_java_8(machine.program);
    let class = if java_8 { "sun/misc/Version" } else { "java/lang/VersionProps" };
    let number = machine.static_named(class, "java_version")?;
    let version = machine.static_at(number).as_reference();
    let mut text = machine.text_of(version).unwrap_or_default();
    if key == "java.specification.version" {
        text = if java_8 { "1.8".to_owned() } else { text.split('.').take(1).collect() };
    }
    let string = machine.new_text(&text)?;
    machine.set_unstable_string(string, true);
    Ok(Some(Value::reference(string)))
}

fn properties(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    let all = known_properties(machine)?;
    if all.is_null() {
        let make = machine.boot_method("properties")?;
        return Ok(Answer::Call(make, smallvec![], Then::Again));
    }
    give_reference(all)
}
