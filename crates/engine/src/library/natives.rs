//! Methods that are modelled instead of executed: the native ones of the class library that code
//! without threads, files and network reaches, and a few whose bytecode would need a booted JVM.
//!
//! One function for each method, in tables by class. A function gets the arguments, the receiver
//! first, and answers with a value, an exception, or a call that goes on in bytecode.

mod access;
mod arrays;
mod boot;
mod checksums;
mod class;
mod machine_answers;
mod math;
pub(crate) mod null_pointers;
mod object;
mod reflection;
mod runtime;
mod services;
mod stability;
mod stack_traces;
mod system;
mod text;
mod unsafe_memory;
mod var_handles;

use std::sync::{Arc, OnceLock};

use petrel_program::{Program, ResolvedMethod};
use rustc_hash::FxHashMap;

use crate::machine::{
    Arguments, Feature, Machine, MethodNumber, Platform, Reference, Stop, TypeId, Value,
};

pub(crate) use class::loader_of_module;
pub(crate) use machine_answers::{
    LEAST_HASH, MOST_HASH, MachineAnswer, Range, Settings, machine_answer,
};
pub(crate) use stability::{Stability, is_of_machine, stability};
pub(crate) use system::is_always_set;
pub(crate) use unsafe_memory::{PLACE, UNSAFE};

/// What a modelled method does.
pub(crate) enum Answer {
    /// Returns; anything for `void`.
    Return(Value),
    /// Throws a new exception of this class with this message.
    Throw(&'static str, Option<String>),
    /// Calls this method.
    Call(MethodNumber, Arguments, Then),
    /// Calls the method that is selected for the first argument.
    CallVirtual(MethodNumber, Arguments, Then),
    /// Initialises a class.
    Initialise(TypeId, Then),
}

/// What follows a call that a modelled method makes.
pub(crate) enum Then {
    /// Its result is the result.
    Result,
    /// This is the result.
    Give(Value),
    /// Its result is the result, and is kept in a field of an object.
    Keep(Reference, u16),
    /// Its result is the result, and the JVM does not fix it.
    Unstable,
    /// The modelled method is called again.
    Again,
}

pub(crate) type Native = fn(&mut Machine<'_>, &[Value]) -> Result<Answer, Stop>;

/// Class, name and descriptor of a method, and its model.
type Entry = (&'static str, &'static str, &'static str, Native);

/// State that belongs to modelled methods.
#[derive(Debug, Default)]
pub(super) struct Modelled {
    pub(super) output: Vec<u8>,
    pub(super) errors: Vec<u8>,
    /// Identity hash codes that were asked for.
    pub(super) identity_hashes: FxHashMap<Reference, i32>,
    /// The method and instruction of a `NullPointerException` that the JVM itself threw.
    pub(super) null_pointers: FxHashMap<Reference, (MethodNumber, u16)>,
    /// The one thread.
    pub(super) thread: Reference,
    pub(super) var_handles: FxHashMap<Reference, var_handles::VarHandle>,
    /// Memory outside of the heap, as arrays of bytes.
    pub(super) memory: Vec<Reference>,
    /// The service providers that were made, by class.
    pub(super) providers: FxHashMap<TypeId, Reference>,
    /// The method handles of accessors of fields.
    pub(super) field_handles: FxHashMap<Reference, reflection::invocation::FieldHandle>,
    /// The calls that were under way when an exception was made, the innermost first.
    pub(super) stack_traces: FxHashMap<Reference, Box<[stack_traces::Call]>>,
    java_8: Option<bool>,
}

impl Modelled {
    /// Objects that modelled methods hold.
    #[allow(clippy::iter_over_hash_type, reason = "marking does not depend on the order")]
    pub(super) fn for_each_root(&self, mut visit: impl FnMut(Reference)) {
        visit(self.thread);
        for &provider in self.providers.values() {
            visit(provider);
        }
        self.memory.iter().for_each(|&memory| visit(memory));
    }

    /// Forgets what is known about an object.
    pub(super) fn forget_object(&mut self, object: Reference) {
        self.identity_hashes.remove(&object);
        self.null_pointers.remove(&object);
        self.var_handles.remove(&object);
        self.field_handles.remove(&object);
        self.stack_traces.remove(&object);
    }

    /// Forgets what is known about objects that are gone: others will take their places.
    pub(super) fn forget(&mut self, is_gone: impl Fn(Reference) -> bool) {
        self.identity_hashes.retain(|&object, _| !is_gone(object));
        self.null_pointers.retain(|&object, _| !is_gone(object));
        self.var_handles.retain(|&object, _| !is_gone(object));
        self.field_handles.retain(|&object, _| !is_gone(object));
        self.stack_traces.retain(|&object, _| !is_gone(object));
    }

    /// Whether the class library is that of Java 8, which has no modules.
    pub(super) fn is_java_8(&mut self, program: &Program) -> bool {
        *self.java_8.get_or_insert_with(|| program.class("java/lang/Module").is_err())
    }
}

const TABLES: &[&[Entry]] = &[
    access::TABLE,
    arrays::TABLE,
    boot::TABLE,
    checksums::TABLE,
    class::TABLE,
    math::TABLE,
    null_pointers::TABLE,
    object::TABLE,
    reflection::TABLE,
    reflection::invocation::TABLE,
    runtime::TABLE,
    services::TABLE,
    stack_traces::TABLE,
    system::TABLE,
    text::TABLE,
    unsafe_memory::ACCESS_TABLE,
    unsafe_memory::TABLE,
    var_handles::TABLE,
];

/// `Unsafe` of Java 8 and of later releases: the methods are the same.
pub(crate) const UNSAFE_8: &str = "sun/misc/Unsafe";

/// Whether a class is `Unsafe`.
pub(crate) fn is_unsafe(class: &str) -> bool {
    matches!(class, UNSAFE_8 | UNSAFE)
}

type Index = FxHashMap<(&'static str, &'static str, &'static str), Native>;

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let entries = TABLES.iter().copied().flatten();
        entries
            .map(|&(class, name, descriptor, native)| ((class, name, descriptor), native))
            .collect()
    })
}

/// The model of a method.
pub(crate) fn find(method: &ResolvedMethod) -> Option<Native> {
    let class = Arc::clone(method.class().shared_name());
    let class = if &*class == UNSAFE_8 { unsafe_memory::UNSAFE } else { &*class };
    let found = index().get(&(class, method.name(), method.descriptor())).copied();
    // Release by release, more of these are bytecode, which is exact.
    let found = found.filter(|_| class != math::STRICT || method.is_native());
    // However a thread is made, it could only be started.
    if class == "java/lang/Thread" && method.is_constructor() {
        return Some(runtime::threads);
    }
    // What a lookup finds are method handles, which only the JVM can make; its modes are set for nobody.
    if class == var_handles::LOOKUP && found.is_none() && !var_handles::is_of_lookup(method.name())
    {
        return Some(var_handles::unsupported);
    }
    // Native methods that only tell the JVM about a class.
    let registers = matches!(method.name(), "registerNatives" | "initIDs" | "initNative");
    found.or_else(|| (method.is_native() && registers).then_some(nothing as Native))
}

/// What a native method without a model stands for.
pub(crate) fn missing(method: &ResolvedMethod) -> Feature {
    const TOPICS: &[(&str, Platform)] = &[
        ("java/io/", Platform::Files),
        ("sun/nio/fs/", Platform::Files),
        ("java/util/jar/", Platform::Files),
        ("java/net/", Platform::Network),
        ("sun/nio/ch/", Platform::Network),
        ("java/lang/Process", Platform::Processes),
        ("java/lang/Thread", Platform::Threads),
        ("java/lang/ClassLoader", Platform::ClassLoaders),
        ("jdk/internal/loader/", Platform::ClassLoaders),
        ("java/lang/invoke/", Platform::MethodHandles),
        ("java/util/TimeZone", Platform::TimeZone),
    ];
    let class = method.class().name();
    let topic = TOPICS.iter().find(|(prefix, _)| class.starts_with(prefix));
    Feature::Native { method: method.to_string(), topic: topic.map(|(_, topic)| *topic) }
}

/// What happens after a class's own initialiser.
pub(crate) fn after_initialisation(class: &str) -> Option<Native> {
    match class {
        "java/util/ImmutableCollections" => Some(stability::mark_salt),
        _ => None,
    }
}

/// All modelled methods as `class.name(descriptor)`, sorted.
pub fn listing() -> Vec<String> {
    let entries = TABLES.iter().copied().flatten();
    let mut lines: Vec<String> =
        entries.map(|(class, name, descriptor, _)| format!("{class}.{name}{descriptor}")).collect();
    lines.sort_unstable();
    lines
}

fn nothing(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Ok(Answer::Return(Value::NULL))
}

fn yes(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Ok(Answer::Return(Value::boolean(true)))
}

fn give(value: Value) -> Result<Answer, Stop> {
    Ok(Answer::Return(value))
}

fn give_reference(reference: Reference) -> Result<Answer, Stop> {
    give(Value::reference(reference))
}

fn throw(class: &'static str, message: impl Into<String>) -> Result<Answer, Stop> {
    Ok(Answer::Throw(class, Some(message.into())))
}

fn throw_null_pointer() -> Result<Answer, Stop> {
    Ok(Answer::Throw("java/lang/NullPointerException", None))
}

/// An argument; the tables and the descriptors say how many there are.
fn argument(arguments: &[Value], position: usize) -> Value {
    arguments.get(position).copied().unwrap_or_default()
}

fn reference(arguments: &[Value], position: usize) -> Reference {
    argument(arguments, position).as_reference()
}
