//! What no compiler of today writes: `jsr` and `ret`, and instructions that shuffle the operand stack
//! in all their forms. A class of version 48 is assembled, translated, verified, and run on the JVM
//! and in Prolog.

use std::path::PathBuf;

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{ClassFile, flags, op};
use petrel_filetests::petrel::Petrel;
use petrel_filetests::{jvm, swipl, world};
use petrel_program::control_flow::ControlFlow;
use petrel_session::Session;

const CLASS: &str = "Subroutines";

/// A method, and what it answers to each argument.
struct Method {
    name: &'static str,
    write: fn(&mut CodeWriter<'_>),
    answers: &'static [(i32, &'static str)],
}

/// All take an `int`, and return an `int`. Slot 0 is the argument.
const METHODS: [Method; 9] = [
    Method { name: "twice", write: twice, answers: &[(0, "6"), (5, "11")] },
    Method { name: "finally_", write: finally, answers: &[(2, "5100"), (0, "-1100")] },
    Method { name: "nested", write: nested, answers: &[(3, "3342")] },
    Method { name: "leftByReturn", write: left_by_return, answers: &[(1, "77"), (0, "4")] },
    Method { name: "leftByJump", write: left_by_jump, answers: &[(3, "18"), (0, "0")] },
    Method {
        name: "throwing",
        write: throwing,
        answers: &[(0, "throws java.lang.ArithmeticException: / by zero"), (5, "4")],
    },
    Method { name: "caught", write: caught, answers: &[(0, "-8"), (4, "52")] },
    Method { name: "wide", write: wide, answers: &[(1, "12")] },
    Method { name: "shuffles", write: shuffles, answers: &[(7, "987654321")] },
];

/// Two calls of one subroutine, between which a variable changes its type.
fn twice(code: &mut CodeWriter<'_>) {
    let add_three = code.label();
    code.int(1).local(op::ISTORE, 2).jump(op::JSR, add_three);
    code.op(op::ACONST_NULL).local(op::ASTORE, 2).jump(op::JSR, add_three);
    code.local(op::ILOAD, 0).op(op::IRETURN);
    code.place(add_three).local(op::ASTORE, 1);
    add(code, 3);
    code.local(op::RET, 1);
}

/// Adds to the argument.
fn add(code: &mut CodeWriter<'_>, number: i32) {
    code.local(op::ILOAD, 0).int(number).op(op::IADD).local(op::ISTORE, 0);
}

/// Multiplies the argument, and adds.
fn append(code: &mut CodeWriter<'_>, factor: i32, number: i32) {
    code.local(op::ILOAD, 0).int(factor).op(op::IMUL).int(number).op(op::IADD).local(op::ISTORE, 0);
}

/// As compilers once wrote `try { x = 10 / x; } catch (ArithmeticException e) { x = -1 } finally
/// { x *= 1000; x += 100 or -100 }`, with a handler for all that rethrows.
fn finally(code: &mut CodeWriter<'_>) {
    let (start, end, caught, all) = (code.label(), code.label(), code.label(), code.label());
    let (block, positive, done, after) = (code.label(), code.label(), code.label(), code.label());
    code.place(start).int(10).local(op::ILOAD, 0).op(op::IDIV).local(op::ISTORE, 0).place(end);
    code.jump(op::JSR, block).jump(op::GOTO, done);
    code.place(caught).op(op::POP).int(-1).local(op::ISTORE, 0);
    code.jump(op::JSR, block).jump(op::GOTO, done);
    code.place(all).local(op::ASTORE, 1).jump(op::JSR, block).local(op::ALOAD, 1).op(op::ATHROW);
    code.place(block).local(op::ASTORE, 2);
    append(code, 1000, 0);
    code.local(op::ILOAD, 0).jump(op::IFGE, positive);
    add(code, -100);
    code.jump(op::GOTO, after).place(positive);
    add(code, 100);
    code.place(after).local(op::RET, 2);
    code.place(done).local(op::ILOAD, 0).op(op::IRETURN);
    code.handler(start, end, caught, Some("java/lang/ArithmeticException"));
    code.handler(start, all, all, None);
}

/// A subroutine that calls another one twice; both are also called from outside.
fn nested(code: &mut CodeWriter<'_>) {
    let (outer, inner) = (code.label(), code.label());
    code.jump(op::JSR, outer).jump(op::JSR, inner).local(op::ILOAD, 0).op(op::IRETURN);
    code.place(outer).local(op::ASTORE, 1).jump(op::JSR, inner);
    append(code, 10, 3);
    code.jump(op::JSR, inner).local(op::RET, 1);
    code.place(inner).local(op::ASTORE, 2);
    append(code, 10, 1);
    // One less than a multiple of ten, so that the digits show who came by.
    add(code, -1);
    append(code, 1, 1);
    code.local(op::ILOAD, 0).int(9).op(op::IADD).int(10).op(op::IDIV).local(op::ISTORE, 0);
    append(code, 10, 2);
    code.local(op::RET, 2);
}

/// A subroutine that may end the method.
fn left_by_return(code: &mut CodeWriter<'_>) {
    let (subroutine, back) = (code.label(), code.label());
    code.jump(op::JSR, subroutine).int(4).op(op::IRETURN);
    code.place(subroutine).local(op::ASTORE, 1);
    code.local(op::ILOAD, 0).jump(op::IFEQ, back).int(77).op(op::IRETURN);
    code.place(back).local(op::RET, 1);
}

/// A loop around a subroutine, which is left by a jump out of it in every second iteration.
fn left_by_jump(code: &mut CodeWriter<'_>) {
    let (again, subroutine, odd, end) = (code.label(), code.label(), code.label(), code.label());
    code.int(0).local(op::ISTORE, 2);
    code.place(again).local(op::ILOAD, 0).jump(op::IFLE, end).jump(op::JSR, subroutine);
    code.local(op::ILOAD, 2).int(1).op(op::IADD).local(op::ISTORE, 2).jump(op::GOTO, again);
    code.place(subroutine).local(op::ASTORE, 1);
    add(code, -1);
    code.local(op::ILOAD, 2).int(5).op(op::IADD).local(op::ISTORE, 2);
    code.local(op::ILOAD, 0).int(1).op(op::IAND).jump(op::IFNE, odd).local(op::RET, 1);
    code.place(odd).local(op::ILOAD, 2).int(1).op(op::IADD).local(op::ISTORE, 2);
    code.jump(op::GOTO, again);
    code.place(end).local(op::ILOAD, 2).op(op::IRETURN);
}

/// An exception out of a subroutine.
fn throwing(code: &mut CodeWriter<'_>) {
    let subroutine = code.label();
    code.jump(op::JSR, subroutine).local(op::ILOAD, 0).int(2).op(op::IADD).op(op::IRETURN);
    code.place(subroutine).local(op::ASTORE, 1);
    code.int(10).local(op::ILOAD, 0).op(op::IDIV).local(op::ISTORE, 0).local(op::RET, 1);
}

/// A handler that covers two calls of a subroutine and the subroutine itself: it does not know how
/// far things got but by what the variables hold.
fn caught(code: &mut CodeWriter<'_>) {
    let (start, end, handler) = (code.label(), code.label(), code.label());
    let subroutine = code.label();
    code.int(7).local(op::ISTORE, 2).place(start);
    code.jump(op::JSR, subroutine).jump(op::JSR, subroutine);
    code.local(op::ILOAD, 0).op(op::IRETURN);
    code.place(subroutine).local(op::ASTORE, 1);
    code.local(op::ILOAD, 2).int(1).op(op::IADD).local(op::ISTORE, 2);
    code.int(100).local(op::ILOAD, 0).op(op::IDIV).local(op::ISTORE, 0);
    code.local(op::ILOAD, 2).local(op::ILOAD, 0).op(op::IADD).int(8).op(op::ISUB);
    code.local(op::ISTORE, 0).local(op::RET, 1).place(end);
    code.place(handler).op(op::POP).local(op::ILOAD, 2).op(op::INEG).op(op::IRETURN);
    code.handler(start, end, handler, Some("java/lang/ArithmeticException"));
}

/// `jsr_w`, `ret` with a wide index, and `goto_w`.
fn wide(code: &mut CodeWriter<'_>) {
    // Each of the two jumps is five bytes long; the subroutine follows the second one.
    code.op(op::JSR_W).op(0).op(0).op(0).op(10).op(op::GOTO_W).op(0).op(0).op(0).op(17);
    code.local(op::ASTORE, 300);
    code.op(op::IINC).op(0).op(11).op(op::NOP).local(op::RET, 300);
    code.local(op::ILOAD, 0).op(op::IRETURN);
}

/// Pushes the digits 1 to 9 in disorder and brings them in order by shuffling, without storing them.
fn shuffles(code: &mut CodeWriter<'_>) {
    code.int(2).int(1).op(op::SWAP); // 1 2
    digits(code, 2); // 21, of 1 and 2
    // 21 3: below a copy of the upper one.
    code.int(3).op(op::DUP_X1).op(op::POP); // 3 21
    code.op(op::SWAP); // 21 3
    weigh(code, 100); // 321
    code.int(0).int(4).op(op::DUP_X2).op(op::POP2).op(op::SWAP); // 4 321
    code.op(op::SWAP); // 321 4
    weigh(code, 1000); // 4321
    code.int(5).op(op::DUP2).op(op::POP2); // 4321 5
    weigh(code, 10_000); // 54321
    code.int(6).int(0).op(op::DUP2_X1).op(op::POP2).op(op::POP); // 6 0
    code.op(op::POP);
    weigh_constant(code); // 654321 of 54321, which dup2_x1 dropped, and 6
    code.long(0).int(7).op(op::DUP_X2).op(op::POP).op(op::POP2); // .. 7
    weigh(code, 1_000_000); // 7654321
    code.long(8).int(0).int(0).op(op::DUP2_X2).op(op::POP2).op(op::L2I); // .. 0 0 8
    code.op(op::SWAP).op(op::POP).op(op::SWAP).op(op::POP); // .. 8
    weigh(code, 10_000_000); // 87654321
    code.long(9).long(0).op(op::DUP2_X2).op(op::POP2).op(op::L2I); // .. 0L 9
    code.op(op::DUP_X2).op(op::POP).op(op::POP2); // .. 9
    weigh(code, 100_000_000); // 987654321
    code.op(op::IRETURN);
}

/// Of `a b`, makes `a + b * weight`.
fn weigh(code: &mut CodeWriter<'_>, weight: i32) {
    code.int(weight).op(op::IMUL).op(op::IADD);
}

/// Of `a b`, makes `10 * b + a`.
fn digits(code: &mut CodeWriter<'_>, _count: u8) {
    weigh(code, 10);
}

/// Of `6`, makes 654321: `dup2_x1` left 6 and 0 under nothing of use.
fn weigh_constant(code: &mut CodeWriter<'_>) {
    code.int(100_000).op(op::IMUL).int(54_321).op(op::IADD);
}
