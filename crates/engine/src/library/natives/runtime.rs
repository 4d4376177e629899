//! The JVM as the class library sees it: `Runtime`, `Thread`, `VM`, shared archives.

use petrel_classfile::{flags, op};

use super::{Answer, Entry, Then, argument, give, give_reference, nothing, yes};
use crate::machine::{Feature, Frame, Machine, Platform, Stop, TypeId, Value};

const RUNTIME: &str = "java/lang/Runtime";
const THREAD: &str = "java/lang/Thread";
const VM: &str = "jdk/internal/misc/VM";
const VM_8: &str = "sun/misc/VM";
const CDS: &str = "jdk/internal/misc/CDS";

pub(super) const TABLE: &[Entry] = &[
    (RUNTIME, "availableProcessors", "()I", processors),
    (RUNTIME, "freeMemory", "()J", memory),
    (RUNTIME, "totalMemory", "()J", memory),
    (RUNTIME, "maxMemory", "()J", memory),
    (RUNTIME, "gc", "()V", super::object::collect_garbage),
    (RUNTIME, "runFinalization", "()V", super::object::collect_garbage),
    (RUNTIME, "addShutdownHook", "(Ljava/lang/Thread;)V", threads),
    ("java/lang/ref/Cleaner", "create", "()Ljava/lang/ref/Cleaner;", threads),
    (RUNTIME, "load", "(Ljava/lang/String;)V", files),
    (RUNTIME, "load0", "(Ljava/lang/Class;Ljava/lang/String;)V", files),
    (RUNTIME, "exit", "(I)V", exit),
    (RUNTIME, "halt0", "(I)V", exit),
    (THREAD, "currentThread", "()Ljava/lang/Thread;", current_thread),
    (THREAD, "currentCarrierThread", "()Ljava/lang/Thread;", current_thread),
    (THREAD, "holdsLock", "(Ljava/lang/Object;)Z", holds_lock),
    ("java/lang/Object", "notify", "()V", notify),
    ("java/lang/Object", "notifyAll", "()V", notify),
    (THREAD, "isInterrupted", "()Z", nothing),
    (THREAD, "interrupted", "()Z", nothing),
    (THREAD, "isInterrupted", "(Z)Z", nothing),
    (THREAD, "yield", "()V", nothing),
    (THREAD, "yield0", "()V", nothing),
    (THREAD, "onSpinWait", "()V", nothing),
    (THREAD, "isVirtual", "()Z", nothing),
    (THREAD, "getThreadGroup", "()Ljava/lang/ThreadGroup;", threads),
    (THREAD, "start", "()V", threads),
    (THREAD, "sleep", "(J)V", threads),
    (THREAD, "join", "(J)V", threads),
    (THREAD, "ensureMaterializedForStackWalk", "(Ljava/lang/Object;)V", nothing),
    ("java/lang/Object", "wait", "(J)V", threads),
    ("java/lang/Object", "wait0", "(J)V", threads),
    ("java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8", "()Z", yes),
    (VM, "initialize", "()V", nothing),
    (VM, "initializeFromArchive", "(Ljava/lang/Class;)V", nothing),
    (VM, "getSavedProperty", "(Ljava/lang/String;)Ljava/lang/String;", nothing),
    (VM, "initLevel", "()I", init_level),
    (VM, "isBooted", "()Z", yes),
    (VM, "isModuleSystemInited", "()Z", yes),
    (VM, "latestUserDefinedLoader0", "()Ljava/lang/ClassLoader;", nothing),
    (VM, "maxDirectMemory", "()J", memory),
    (VM_8, "initialize", "()V", nothing),
    (VM_8, "getSavedProperty", "(Ljava/lang/String;)Ljava/lang/String;", nothing),
    (VM_8, "isBooted", "()Z", yes),
    (VM_8, "allowArraySyntax", "()Z", nothing),
    (VM_8, "isSystemDomainLoader", "(Ljava/lang/ClassLoader;)Z", yes),
    (CDS, "isDumpingClassList0", "()Z", nothing),
    (CDS, "isDumpingArchive0", "()Z", nothing),
    (CDS, "isSharingEnabled0", "()Z", nothing),
    (CDS, "getCDSConfigStatus", "()I", nothing),
    (CDS, "getRandomSeedForDumping", "()J", random_seed),
    (CDS, "initializeFromArchive", "(Ljava/lang/Class;)V", nothing),
    ("jdk/internal/misc/PreviewFeatures", "isPreviewEnabled", "()Z", nothing),
    ("jdk/internal/vm/ContinuationSupport", "isSupported0", "()Z", nothing),
    ("java/lang/StringCoding", "err", "(Ljava/lang/String;)V", nothing),
    ("jdk/internal/vm/vector/VectorSupport", "registerNatives", "()I", nothing),
];

/// The class library only tunes itself by the number: nothing that shows depends on it.
fn processors(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    let is_seen = !machine.is_called_by_library();
    give(Value::int(1).marked(is_seen))
}

fn memory(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    give(Value::long(1 << 30).marked(true))
}

fn exit(_: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let status = argument(arguments, 1).as_int();
    Err(Stop::unsupported(Feature::Exit(status)))
}

fn files(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Err(Stop::unsupported(Platform::Files))
}

pub(super) fn threads(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    Err(Stop::unsupported(Platform::Threads))
}

fn init_level(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    give(Value::int(4))
}

/// The salt of immutable collections is made from it if it is not zero, and from the clock else.
fn random_seed(_: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    give(Value::long(0x5eed))
}

/// There is one thread. Its constructor, which wants groups and access control, does not run.
fn current_thread(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    if machine.library.modelled.thread.is_null() {
        let class = machine.types.of_name(THREAD);
        if !machine.is_initialised(class)? {
            return Ok(Answer::Initialise(class, Then::Again));
        }
        let thread = machine.permanently(|machine| machine.new_object(class))?;
        machine.library.modelled.thread = thread;
        let name = machine.intern(&"main".encode_utf16().collect::<Vec<_>>());
        let is_text = machine.field_descriptor(THREAD, "name")? == "Ljava/lang/String;";
        let name = if is_text {
            Value::reference(name)
        } else {
            let units = machine.units(name).unwrap_or_default();
            Value::reference(
                machine.heap.add(TypeId::CHARS, crate::machine::Body::Chars(units.into())),
            )
        };
        for (field, value) in [("name", name), ("priority", Value::int(5)), ("tid", Value::long(1))]
        {
            if machine.has_field(THREAD, field) {
                machine.set_named(thread, THREAD, field, value)?;
            }
        }
    }
    give_reference(machine.library.modelled.thread)
}

/// Whether any method that is under way could hold a lock. Which one it holds is not known: rules do
/// not mention monitors.
fn may_hold_lock(machine: &Machine<'_>) -> bool {
    machine.frames().iter().filter_map(Frame::named_method).any(|method| {
        let method = &machine.methods.get(method).resolved;
        let code = method.class().file.code(method.declaration());
        let enters = |code: petrel_classfile::Code| {
            code.instructions.iter().any(|i| i.opcode.byte() == op::MONITORENTER)
        };
        method.has_flags(flags::SYNCHRONIZED) || code.ok().flatten().is_some_and(enters)
    })
}

fn holds_lock(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    if may_hold_lock(machine) {
        return Err(Stop::unsupported(Platform::Monitors));
    }
    give(Value::boolean(false))
}

/// There is no other thread that waits; whoever may hold a lock is taken to hold the right one.
fn notify(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    if may_hold_lock(machine) {
        return give(Value::NULL);
    }
    super::throw("java/lang/IllegalMonitorStateException", "current thread is not owner")
}
