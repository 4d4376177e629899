//! References that do not resolve: the error comes when the instruction runs, and not before.

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{flags, op};

use super::Assembled;

const VOID: &str = "()V";

/// A class with all kinds of members.
fn target() -> ClassWriter {
    let mut class = ClassWriter::new(flags::PUBLIC, "Target", "java/lang/Object", &[]);
    class.field(flags::PUBLIC, "instance", "I");
    class.field(flags::PUBLIC | flags::STATIC, "shared", "I");
    class.field(flags::PRIVATE | flags::STATIC, "hidden", "I");
    class.field(flags::PUBLIC | flags::STATIC | flags::FINAL, "fixed", "I");
    let nothing = |code: &mut CodeWriter<'_>| {
        code.op(op::RETURN);
    };
    class.method(flags::PUBLIC | flags::STATIC, "staticMethod", VOID, 0, nothing);
    class.method(flags::PUBLIC, "instanceMethod", VOID, 1, nothing);
    class.method(flags::PRIVATE | flags::STATIC, "hiddenMethod", VOID, 0, nothing);
    class.method(flags::PUBLIC, "<init>", VOID, 1, |code| {
        code.local(op::ALOAD, 0);
        code.invoke(op::INVOKESPECIAL, "java/lang/Object", "<init>", VOID, false).op(op::RETURN);
    });
    class
}

fn abstract_class() -> ClassWriter {
    let access = flags::PUBLIC | flags::ABSTRACT;
    ClassWriter::new(access, "Unfinished", "java/lang/Object", &[])
}

fn interface() -> ClassWriter {
    let access = flags::PUBLIC | flags::ABSTRACT | flags::INTERFACE;
    ClassWriter::new(access, "Contract", "java/lang/Object", &[])
}

/// Makes an instance of the target.
fn make(code: &mut CodeWriter<'_>) {
    code.class(op::NEW, "Target").op(op::DUP);
    code.invoke(op::INVOKESPECIAL, "Target", "<init>", VOID, false);
}

/// A method that runs an instruction if its argument is 1, and returns 5 otherwise or in the end.
fn guarded(
    class: &mut Assembled,
    name: &str,
    answer: &str,
    instruction: impl Fn(&mut CodeWriter<'_>),
) {
    class.method(name, &[(1, answer), (0, "5")], |code| {
        let end = code.label();
        code.local(op::ILOAD, 0).jump(op::IFEQ, end);
        instruction(code);
        code.place(end).int(5).op(op::IRETURN);
    });
}

#[test]
fn what_does_not_resolve_fails_when_it_runs() {
    let mut class = Assembled::new("Linkage");
    class.others =
        vec![("Target", target()), ("Unfinished", abstract_class()), ("Contract", interface())];
    let missing = "throws java.lang.NoClassDefFoundError: Missing";
    guarded(&mut class, "newMissing", missing, |code| {
        code.class(op::NEW, "Missing").op(op::POP);
    });
    guarded(&mut class, "arrayOfMissing", missing, |code| {
        code.int(1).class(op::ANEWARRAY, "Missing").op(op::POP);
    });
    guarded(&mut class, "callMissing", missing, |code| {
        code.invoke(op::INVOKESTATIC, "Missing", "method", VOID, false);
    });
    guarded(&mut class, "fieldOfMissing", missing, |code| {
        code.field(op::GETSTATIC, "Missing", "field", "I").op(op::POP);
    });
    guarded(&mut class, "castToMissing", missing, |code| {
        make(code);
        code.class(op::CHECKCAST, "Missing").op(op::POP);
    });
    guarded(&mut class, "instanceOfMissing", missing, |code| {
        make(code);
        code.class(op::INSTANCEOF, "Missing").op(op::POP);
    });
    // Null needs no class.
    guarded(&mut class, "nullToMissing", "5", |code| {
        code.op(op::ACONST_NULL).class(op::CHECKCAST, "Missing");
        code.class(op::INSTANCEOF, "Missing").op(op::POP);
    });
    guarded(&mut class, "newAbstract", "throws java.lang.InstantiationError: Unfinished", |code| {
        code.class(op::NEW, "Unfinished").op(op::POP);
    });
    guarded(&mut class, "newInterface", "throws java.lang.InstantiationError: Contract", |code| {
        code.class(op::NEW, "Contract").op(op::POP);
    });
    class.check();
}

/// Messages of these differ from one JDK to the next: only their classes are compared.
#[test]
fn members_that_are_not_as_expected_fail_when_they_are_used() {
    let mut class = Assembled::new("Members");
    class.others = vec![("Target", target())];
    class.ignores_messages = true;
    let no_field = "throws java.lang.NoSuchFieldError";
    let no_method = "throws java.lang.NoSuchMethodError";
    let changed = "throws java.lang.IncompatibleClassChangeError";
    let forbidden = "throws java.lang.IllegalAccessError";
    guarded(&mut class, "missingField", no_field, |code| {
        code.field(op::GETSTATIC, "Target", "missing", "I").op(op::POP);
    });
    guarded(&mut class, "fieldOfOtherType", no_field, |code| {
        code.field(op::GETSTATIC, "Target", "shared", "J").op(op::POP2);
    });
    guarded(&mut class, "missingMethod", no_method, |code| {
        code.invoke(op::INVOKESTATIC, "Target", "missing", VOID, false);
    });
    // The reference is resolved before the receiver is looked at.
    guarded(&mut class, "missingMethodOfNull", no_method, |code| {
        code.op(op::ACONST_NULL).class(op::CHECKCAST, "Target");
        code.invoke(op::INVOKEVIRTUAL, "Target", "missing", VOID, false);
    });
    guarded(&mut class, "missingFieldOfNull", no_field, |code| {
        code.op(op::ACONST_NULL).class(op::CHECKCAST, "Target");
        code.field(op::GETFIELD, "Target", "missing", "I").op(op::POP);
    });
    guarded(&mut class, "instanceFieldAsStatic", changed, |code| {
        code.field(op::GETSTATIC, "Target", "instance", "I").op(op::POP);
    });
    guarded(&mut class, "staticFieldOfInstance", changed, |code| {
        make(code);
        code.int(1).field(op::PUTFIELD, "Target", "shared", "I");
    });
    guarded(&mut class, "instanceMethodAsStatic", changed, |code| {
        code.invoke(op::INVOKESTATIC, "Target", "instanceMethod", VOID, false);
    });
    guarded(&mut class, "staticMethodOfInstance", changed, |code| {
        make(code);
        code.invoke(op::INVOKEVIRTUAL, "Target", "staticMethod", VOID, false);
    });
    guarded(&mut class, "methodOfClassAsInterface", changed, |code| {
        make(code);
        code.invoke(op::INVOKEINTERFACE, "Target", "instanceMethod", VOID, true);
    });
    guarded(&mut class, "privateField", forbidden, |code| {
        code.field(op::GETSTATIC, "Target", "hidden", "I").op(op::POP);
    });
    guarded(&mut class, "privateMethod", forbidden, |code| {
        code.invoke(op::INVOKESTATIC, "Target", "hiddenMethod", VOID, false);
    });
    guarded(&mut class, "finalField", forbidden, |code| {
        code.int(1).field(op::PUTSTATIC, "Target", "fixed", "I");
    });
    class.check();
}
