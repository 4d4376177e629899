//! Access control, reflection as far as the class library itself needs it, and shared secrets.

use std::sync::Arc;

use smallvec::smallvec;

use super::{Answer, Entry, Then, argument, give, give_reference, nothing, reference, yes};
use crate::machine::{Machine, Stop, Value};

const CONTROLLER: &str = "java/security/AccessController";
const ACTION: &str = "(Ljava/security/PrivilegedAction;)Ljava/lang/Object;";
const EXCEPTION_ACTION: &str = "(Ljava/security/PrivilegedExceptionAction;)Ljava/lang/Object;";
const CONTEXT: &str = "()Ljava/security/AccessControlContext;";

pub(super) const TABLE: &[Entry] = &[
    (CONTROLLER, "doPrivileged", ACTION, run_action),
    (CONTROLLER, "doPrivileged", EXCEPTION_ACTION, run_exception_action),
    (
        CONTROLLER,
        "doPrivileged",
        "(Ljava/security/PrivilegedAction;Ljava/security/AccessControlContext;)Ljava/lang/Object;",
        run_action,
    ),
    (
        CONTROLLER,
        "doPrivileged",
        "(Ljava/security/PrivilegedExceptionAction;Ljava/security/AccessControlContext;)\
         Ljava/lang/Object;",
        run_exception_action,
    ),
    (
        CONTROLLER,
        "doPrivileged",
        "(Ljava/security/PrivilegedAction;Ljava/security/AccessControlContext;\
         [Ljava/security/Permission;)Ljava/lang/Object;",
        run_action,
    ),
    (CONTROLLER, "doPrivilegedWithCombiner", ACTION, run_action),
    (CONTROLLER, "getContext", CONTEXT, nothing),
    (CONTROLLER, "getStackAccessControlContext", CONTEXT, nothing),
    (CONTROLLER, "getInheritedAccessControlContext", CONTEXT, nothing),
    (CONTROLLER, "ensureMaterializedForStackWalk", "(Ljava/lang/Object;)V", nothing),
    (
        "jdk/internal/access/SharedSecrets",
        "getJavaLangAccess",
        "()Ljdk/internal/access/JavaLangAccess;",
        java_lang_access,
    ),
    (
        "jdk/internal/misc/SharedSecrets",
        "getJavaLangAccess",
        "()Ljdk/internal/misc/JavaLangAccess;",
        java_lang_access_11,
    ),
    (
        "sun/misc/SharedSecrets",
        "getJavaLangAccess",
        "()Lsun/misc/JavaLangAccess;",
        java_lang_access_8,
    ),
    ("jdk/internal/reflect/Reflection", "getCallerClass", "()Ljava/lang/Class;", caller_class),
    ("sun/reflect/Reflection", "getCallerClass", "()Ljava/lang/Class;", caller_class),
    (
        "jdk/internal/reflect/Reflection",
        "getClassAccessFlags",
        "(Ljava/lang/Class;)I",
        access_flags,
    ),
    ("sun/reflect/Reflection", "getClassAccessFlags", "(Ljava/lang/Class;)I", access_flags),
    ("sun/reflect/misc/ReflectUtil", "isPackageAccessible", "(Ljava/lang/Class;)Z", yes),
];

fn run_action(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    call_run(machine, "java/security/PrivilegedAction", arguments)
}

fn run_exception_action(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    call_run(machine, "java/security/PrivilegedExceptionAction", arguments)
}

fn call_run(
    machine: &mut Machine<'_>,
    interface: &str,
    arguments: &[Value],
) -> Result<Answer, Stop> {
    let run = machine.declared(interface, "run", "()Ljava/lang/Object;")?;
    Ok(Answer::CallVirtual(run, smallvec![argument(arguments, 0)], Then::Result))
}

fn java_lang_access(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    access_of(machine, "jdk/internal/access/SharedSecrets")
}

fn java_lang_access_11(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    access_of(machine, "jdk/internal/misc/SharedSecrets")
}

fn java_lang_access_8(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    access_of(machine, "sun/misc/SharedSecrets")
}

/// `System` puts the object there when the JVM boots.
fn access_of(machine: &mut Machine<'_>, secrets: &str) -> Result<Answer, Stop> {
    let field = machine.static_named(secrets, "javaLangAccess")?;
    let access = machine.static_at(field);
    if !access.as_reference().is_null() {
        return give(access);
    }
    let set = machine.declared("java/lang/System", "setJavaLangAccess", "()V")?;
    Ok(Answer::Call(set, smallvec![], Then::Again))
}

/// The class of the method that called the caller.
fn caller_class(machine: &mut Machine<'_>, _: &[Value]) -> Result<Answer, Stop> {
    let Some(name) = caller_name(machine) else { return give(Value::NULL) };
    let class = machine.types.of_name(&name);
    give_reference(machine.mirror(class)?)
}

fn caller_name(machine: &Machine<'_>) -> Option<Arc<str>> {
    let origins = machine.calls_under_way().filter_map(|address| machine.code.origin(address));
    let mut classes = origins.map(|(method, _)| machine.methods.get(method).resolved.class());
    // Not the caller itself, nor what stands between a reflective call and its target.
    let caller = classes.by_ref().skip(1).find(|class| {
        let is_reflection =
            matches!(class.name(), "java/lang/reflect/Method" | "java/lang/reflect/Constructor");
        !is_reflection && !class.is_synthesised()
    });
    caller.map(|class| Arc::clone(class.shared_name()))
}

fn access_flags(machine: &mut Machine<'_>, arguments: &[Value]) -> Result<Answer, Stop> {
    let class = machine.mirrored(reference(arguments, 0));
    let flags = match class {
        Some(class) => machine.class_modifiers(class)?,
        None => 0,
    };
    give(Value::int(flags))
}
