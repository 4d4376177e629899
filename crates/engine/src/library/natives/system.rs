//! `System`.

use smallvec::smallvec;

use super::boot::{MACHINE_PROPERTIES, PROPERTIES, PROPERTY_OR};
use super::{Answer, Entry, Then, argument, give, give_reference, nothing, reference, throw, yes};
use crate::machine::{LeftOut, Machine, Platform, Reference, Stop, Value};

const SYSTEM: &str = "java/lang/System";
pub(super) const GET: &str = "(Ljava/lang/String;)Ljava/lang/String;";
pub(super) const GET_OR: &str = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;";

pub(super) const TABLE: &[Entry] = &[
    (SYSTEM, "currentTimeMillis", "()J", clock),
    (SYSTEM, "nanoTime", "()J", clock),
    ("jdk/internal/misc/VM", "getNanoTimeAdjustment", "(J)J", clock),
    ("sun/misc/VM", "getNanoTimeAdjustment", "(J)J", clock),
    (SYSTEM, "getenv", GET, variable),
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
    (SYSTEM, "getProperty", GET_OR, property_or),
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
    let asking = machine.calls_under_way().next().and_then(|address| machine.code.origin(address));
    let is_seed = asking.is_some_and(|(method, _)| {
        SEEDED.contains(&machine.methods.get(method).resolved.class().name())
    });
    if is_seed || machine.is_initialising() {
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

/// A variable that is not set, as far as initialisers are concerned.
fn variable(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    if machine.is_initialising() {
        return give(Value::NULL.marked(true));
    }
    Err(Stop::unsupported(Platform::Environment))
}

fn set_stream(machine: &mut Machine<'_>, arguments: &[Value], field: &str) -> Result<Answer, Stop> {
    let number = machine.static_named(SYSTEM, field)?;
    machine.set_static(number, Value::reference(reference(arguments, 0)));
    give(Value::NULL)
}

/// The class library ends lines as all tests have to assume.
fn line_separator(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    let separator = machine.intern(&[u16::from(b'\n')]);
    give(Value::reference(separator).marked(!machine.is_asked_by_library()))
}

impl Machine<'_> {
    /// Whether an initialiser is under way: it keeps what it asks the machine for later, and what depends on it then is marked.
    fn is_initialising(&self) -> bool {
        let calls = self.calls_under_way().filter_map(|address| self.code.origin(address));
        calls.into_iter().any(|(method, _)| self.methods.get(method).resolved.name() == "<clinit>")
    }

    /// Whether the program has asked for all properties, or has set one: then they are in a table of its own.
    pub(crate) fn has_property_table(&mut self) -> Result<bool, Stop> {
        Ok(!known_properties(self)?.is_null())
    }
}

/// Whether every JVM has a property, unless somebody removes it.
pub(crate) fn is_always_set(key: &str) -> bool {
    let mut all = PROPERTIES.iter().chain(MACHINE_PROPERTIES).map(|(known, _)| *known);
    VERSIONS.contains(&key) || all.any(|known| known == key)
}

/// The properties of the program, if it has asked for all of them.
fn known_properties(machine: &mut Machine<'_>) -> Result<Reference, Stop> {
    let number = machine.static_named(SYSTEM, "props")?;
    Ok(machine.static_at(number).as_reference())
}

fn property(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    property_of(machine, argument(arguments, 0), None)
}

fn property_or(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    property_of(machine, argument(arguments, 0), Some(argument(arguments, 1)))
}

fn property_of(
    machine: &mut Machine<'_>,
    named: Value,
    otherwise: Option<Value>,
) -> Result<Answer, Stop> {
    let Some(key) = machine.text_of(named.as_reference()) else {
        return throw("java/lang/NullPointerException", "key can't be null");
    };
    if key.is_empty() {
        return throw("java/lang/IllegalArgumentException", "key can't be empty");
    }
    let all = known_properties(machine)?;
    if !all.is_null() {
        let get = machine.declared("java/util/Properties", "getProperty", GET_OR)?;
        let passed = smallvec![Value::reference(all), named, otherwise.unwrap_or_default()];
        // The program may have set it, or whoever starts the JVM.
        machine.note_left_out(LeftOut::Machine);
        return Ok(Answer::CallVirtual(get, passed, Then::Unstable));
    }
    if let Some(otherwise) = otherwise.filter(|_| !machine.is_asked_by_library()) {
        let ask = machine.boot_method(PROPERTY_OR, GET_OR)?;
        return Ok(Answer::Call(ask, smallvec![named, otherwise], Then::Result));
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
        (None, None) => return give(otherwise.unwrap_or_default().marked(true)),
    };
    let string = machine.new_text(value)?;
    machine.set_unstable_string(string, unstable);
    give_reference(string)
}

/// Properties that say which release the class library is of.
const VERSIONS: [&str; 3] = ["java.version", "java.runtime.version", "java.specification.version"];

/// The version of the class library, which has it as a constant.
fn version_property(machine: &mut Machine<'_>, key: &str) -> Result<Option<Value>, Stop> {
    if !VERSIONS.contains(&key) {
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

/// Whatever the program reads from the table may be what another machine does not have.
fn properties(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    let all = known_properties(machine)?;
    if all.is_null() {
        let make = machine.boot_method("properties", "()V")?;
        return Ok(Answer::Call(make, smallvec![], Then::Again));
    }
    give(Value::reference(all).marked(true))
}
