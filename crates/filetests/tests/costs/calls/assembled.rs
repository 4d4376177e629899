//! Code that no compiler of today writes: subroutines, jumps to jumps, instructions for variables with
//! large numbers and without effect, handlers that throw at once.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{flags, op};
use petrel_filetests::symbolic::is_callable;
use petrel_filetests::{derive, world};
use petrel_program::ResolvedMethod;
use petrel_translate::cache::Procedures;

use super::counts::Counts;
use super::meters::Meters;
use super::{check, compare_cases};

/// Java 1.4, the last release whose compiler wrote subroutines.
const VERSION: u16 = 48;
/// `int name(int)`.
const DESCRIPTOR: &str = "(I)I";
const CLASS: &str = "AssembledCosts";
const N_LOCALS: u16 = 302;
/// A variable whose instructions have the prefix `wide`.
const FAR: u16 = 300;
/// Writes the code of a method.
type Write = fn(&mut CodeWriter<'_>);

const METHODS: [(&str, Write); 7] = [
    ("subroutine", subroutine),
    ("nested", nested),
    ("far", far),
    ("without_effect", without_effect),
    ("chain", chain),
    ("rethrown", rethrown),
    ("rethrown_often", rethrown_often),
];

#[test]
fn assembled_code_costs_what_the_jvm_spends() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("assembled-costs");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    let mut class = ClassWriter::new(flags::PUBLIC, CLASS, "java/lang/Object", &[]);
    for (name, write) in METHODS {
        class.method(flags::PUBLIC | flags::STATIC, name, DESCRIPTOR, N_LOCALS, write);
    }
    let mut bytes = class.finish().expect("the class is small");
    bytes[6..8].copy_from_slice(&VERSION.to_be_bytes());
    fs::write(folder.join(format!("{CLASS}.class")), bytes).expect("it can be written to");
    let jdk = world::jdk();
    let session = derive::open(&jdk, &folder);
    let procedures = Procedures::new(session.program());
    let class = session.program().class(CLASS).expect("it was written");
    let methods: Vec<ResolvedMethod> = class.methods().filter(is_callable).collect();
    assert_eq!(methods.len(), METHODS.len());
    let counts = Mutex::new(Counts::default());
    let mut meters = Meters::start(&jdk);
    compare_cases(&jdk, &mut meters, &folder, &procedures, &methods, &counts);
    check(counts, 2 * METHODS.len(), 0);
    fs::remove_dir_all(&folder).expect("the folder can be removed");
}

/// `try { x = 10 / x; } finally { x = x > 0 ? x + 3 : x; }`, in which both ways out call the subroutine.
fn subroutine(code: &mut CodeWriter<'_>) {
    let (start, end, all, finally, back) =
        (code.label(), code.label(), code.label(), code.label(), code.label());
    code.place(start).int(10).local(op::ILOAD, 0).op(op::IDIV).local(op::ISTORE, 0).place(end);
    code.jump(op::JSR, finally).local(op::ILOAD, 0).op(op::IRETURN);
    code.place(all).local(op::ASTORE, 1).jump(op::JSR, finally);
    code.local(op::ALOAD, 1).op(op::ATHROW);
    code.place(finally).local(op::ASTORE, 2).local(op::ILOAD, 0).jump(op::IFLE, back);
    code.local(op::ILOAD, 0).int(3).op(op::IADD).local(op::ISTORE, 0);
    code.place(back).local(op::RET, 2);
    code.handler(start, end, all, None);
}

/// A subroutine that calls another one twice.
fn nested(code: &mut CodeWriter<'_>) {
    let (outer, inner, small) = (code.label(), code.label(), code.label());
    code.jump(op::JSR, outer).jump(op::JSR, outer).local(op::ILOAD, 0).op(op::IRETURN);
    code.place(outer).local(op::ASTORE, 1).jump(op::JSR, inner).jump(op::JSR, inner);
    code.local(op::RET, 1);
    code.place(inner).local(op::ASTORE, 2).local(op::ILOAD, 0).int(5).jump(op::IF_ICMPLT, small);
    code.local(op::ILOAD, 0).int(2).op(op::ISUB).local(op::ISTORE, 0);
    code.place(small).local(op::RET, 2);
}

/// Variables with large numbers.
fn far(code: &mut CodeWriter<'_>) {
    let (negative, subroutine) = (code.label(), code.label());
    code.local(op::ILOAD, 0).local(op::ISTORE, FAR).local(op::ILOAD, FAR).jump(op::IFLT, negative);
    code.jump(op::JSR, subroutine).local(op::ILOAD, FAR).op(op::IRETURN);
    code.place(negative).local(op::ILOAD, FAR).op(op::INEG).op(op::IRETURN);
    code.place(subroutine).local(op::ASTORE, FAR + 1).local(op::RET, FAR + 1);
}

/// Instructions that only move values, or nothing.
fn without_effect(code: &mut CodeWriter<'_>) {
    let zero = code.label();
    code.op(op::NOP).local(op::ILOAD, 0).op(op::DUP).op(op::NOP).op(op::POP);
    code.int(1).op(op::SWAP).op(op::DUP_X1).op(op::DUP2).op(op::POP2).op(op::DUP);
    code.jump(op::IFEQ, zero).op(op::DUP2_X1).op(op::POP2).op(op::POP).op(op::NOP).op(op::IRETURN);
    code.place(zero).op(op::POP).op(op::POP).op(op::IRETURN);
}

/// Jumps that lead to jumps, also backwards.
fn chain(code: &mut CodeWriter<'_>) {
    let (first, second, third, end) = (code.label(), code.label(), code.label(), code.label());
    code.local(op::ILOAD, 0).jump(op::IFNE, third).jump(op::GOTO, first);
    code.place(second).jump(op::GOTO, end);
    code.place(first).jump(op::GOTO, second);
    code.place(third).local(op::ILOAD, 0).jump(op::IFGT, first).jump(op::GOTO, end);
    code.place(end).local(op::ILOAD, 0).op(op::IRETURN);
}

/// A handler that throws at once, in calls of the method by itself: the same instruction is executed for
/// one call after the other.
fn rethrown(code: &mut CodeWriter<'_>) {
    let (start, end, again, last) = (code.label(), code.label(), code.label(), code.label());
    code.local(op::ILOAD, 0).jump(op::IFLE, last).place(start).local(op::ILOAD, 0).int(1);
    code.op(op::ISUB).invoke(op::INVOKESTATIC, CLASS, "rethrown", DESCRIPTOR, false).place(end);
    code.op(op::IRETURN).place(again).op(op::ATHROW);
    code.place(last).int(1).local(op::ILOAD, 0).op(op::IDIV).op(op::IRETURN);
    code.handler(start, end, again, None);
}

fn rethrown_often(code: &mut CodeWriter<'_>) {
    let zero = code.label();
    code.local(op::ILOAD, 0).jump(op::IFEQ, zero).local(op::ILOAD, 0).op(op::IRETURN).place(zero);
    code.int(5).invoke(op::INVOKESTATIC, CLASS, "rethrown", DESCRIPTOR, false).op(op::IRETURN);
}
