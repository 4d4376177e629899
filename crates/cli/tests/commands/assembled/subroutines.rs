//! Subroutines. In all methods slot 0 is the argument.

use petrel_classfile::writer::{ClassWriter, CodeWriter};
use petrel_classfile::{ClassFile, flags, op};
use petrel_program::control_flow::ControlFlow;

use super::{Assembled, DESCRIPTOR, N_LOCALS};

#[test]
fn subroutines_are_inlined() {
    let by_zero = "throws java.lang.ArithmeticException: / by zero";
    let mut class = Assembled::new("Subroutines");
    class.method("twice", &[(0, "6"), (5, "11")], twice);
    class.method("block", &[(2, "5100"), (-2, "-5100"), (0, "-1100")], block);
    class.method("nested", &[(1, "1232232")], nested);
    class.method("leftByReturn", &[(1, "77"), (0, "4")], left_by_return);
    class.method("leftByJump", &[(4, "22"), (1, "6"), (0, "0")], left_by_jump);
    class.method("throwing", &[(0, by_zero), (5, "4")], throwing);
    class.method("caught", &[(0, "-8"), (4, "4"), (200, "-9")], caught);
    class.method("wide", &[(1, "12")], wide);
    class.check();
}

#[test]
fn each_call_of_a_subroutine_returns_to_its_place() {
    let mut class = ClassWriter::new(flags::PUBLIC, "A", "java/lang/Object", &[]);
    class.method(flags::STATIC, "nested", DESCRIPTOR, N_LOCALS, nested);
    let class = ClassFile::parse(class.finish().unwrap()).unwrap();
    let code = class.code(&class.methods[0]).unwrap().unwrap();
    let flow = ControlFlow::of(&code).unwrap();
    let mut returns = Vec::new();
    for node in 0..flow.len() as u32 {
        let instruction = flow.instruction(node);
        if instruction.opcode.byte() == op::RET {
            let targets = flow.targets(node).iter().map(|&target| flow.instruction(target).pc);
            returns.push((instruction.pc, targets.collect::<Vec<_>>()));
        }
    }
    returns.sort();
    // The inner one is there twice for each call of the outer one.
    let (outer, inner) = (returns[0].0, returns[2].0);
    let expected = [(outer, 3), (outer, 6), (inner, 14), (inner, 14), (inner, 27), (inner, 27)];
    assert_eq!(returns, expected.map(|(from, to)| (from, vec![to])));
}

/// Two calls of one subroutine, between which a variable changes its type.
fn twice(code: &mut CodeWriter<'_>) {
    let subroutine = code.label();
    code.int(1).local(op::ISTORE, 2).jump(op::JSR, subroutine);
    code.op(op::ACONST_NULL).local(op::ASTORE, 2).jump(op::JSR, subroutine);
    code.local(op::ILOAD, 0).op(op::IRETURN);
    code.place(subroutine).local(op::ASTORE, 1);
    change(code, 0, 1, 3);
    code.local(op::RET, 1);
}

/// Multiplies a variable, and adds.
fn change(code: &mut CodeWriter<'_>, slot: u16, factor: i32, number: i32) {
    code.local(op::ILOAD, slot).int(factor).op(op::IMUL).int(number).op(op::IADD);
    code.local(op::ISTORE, slot);
}

/// As compilers once wrote `try { x = 10 / x; } catch (ArithmeticException e) { x = -1; } finally
/// { x *= 1000; x += x < 0 ? -100 : 100; }`, with a handler for all else that rethrows.
fn block(code: &mut CodeWriter<'_>) {
    let (start, end, caught, all) = (code.label(), code.label(), code.label(), code.label());
    let (finally, positive, back, done) = (code.label(), code.label(), code.label(), code.label());
    code.place(start).int(10).local(op::ILOAD, 0).op(op::IDIV).local(op::ISTORE, 0).place(end);
    code.jump(op::JSR, finally).jump(op::GOTO, done);
    code.place(caught).op(op::POP).int(-1).local(op::ISTORE, 0);
    code.jump(op::JSR, finally).jump(op::GOTO, done);
    code.place(all).local(op::ASTORE, 1).jump(op::JSR, finally);
    code.local(op::ALOAD, 1).op(op::ATHROW);
    code.place(finally).local(op::ASTORE, 2);
    change(code, 0, 1000, 0);
    code.local(op::ILOAD, 0).jump(op::IFGE, positive);
    change(code, 0, 1, -100);
    code.jump(op::GOTO, back).place(positive);
    change(code, 0, 1, 100);
    code.place(back).local(op::RET, 2);
    code.place(done).local(op::ILOAD, 0).op(op::IRETURN);
    code.handler(start, end, caught, Some("java/lang/ArithmeticException"));
    code.handler(start, all, all, None);
}

/// A subroutine that calls another one twice. (That one must not be called from outside, too.)
fn nested(code: &mut CodeWriter<'_>) {
    let (outer, inner) = (code.label(), code.label());
    code.jump(op::JSR, outer).jump(op::JSR, outer).local(op::ILOAD, 0).op(op::IRETURN);
    code.place(outer).local(op::ASTORE, 1).jump(op::JSR, inner);
    change(code, 0, 10, 3);
    code.jump(op::JSR, inner).local(op::RET, 1);
    code.place(inner).local(op::ASTORE, 2);
    change(code, 0, 10, 2);
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

/// A loop around a subroutine, which is left by a jump in every second iteration.
fn left_by_jump(code: &mut CodeWriter<'_>) {
    let (again, subroutine, out, end) = (code.label(), code.label(), code.label(), code.label());
    code.int(0).local(op::ISTORE, 2);
    code.place(again).local(op::ILOAD, 0).jump(op::IFLE, end).jump(op::JSR, subroutine);
    change(code, 2, 1, 1);
    code.jump(op::GOTO, again);
    code.place(subroutine).local(op::ASTORE, 1);
    change(code, 0, 1, -1);
    change(code, 2, 1, 5);
    code.local(op::ILOAD, 0).int(1).op(op::IAND).jump(op::IFNE, out).local(op::RET, 1);
    code.place(out).jump(op::GOTO, again);
    code.place(end).local(op::ILOAD, 2).op(op::IRETURN);
}

/// An exception out of a subroutine.
fn throwing(code: &mut CodeWriter<'_>) {
    let subroutine = code.label();
    code.jump(op::JSR, subroutine);
    change(code, 0, 1, 2);
    code.local(op::ILOAD, 0).op(op::IRETURN);
    code.place(subroutine).local(op::ASTORE, 1);
    code.int(10).local(op::ILOAD, 0).op(op::IDIV).local(op::ISTORE, 0).local(op::RET, 1);
}

/// A handler that covers two calls of a subroutine and the subroutine itself. Only the variable that
/// counts tells which call failed.
fn caught(code: &mut CodeWriter<'_>) {
    let (start, end, handler) = (code.label(), code.label(), code.label());
    let subroutine = code.label();
    code.int(7).local(op::ISTORE, 2).place(start);
    code.jump(op::JSR, subroutine).jump(op::JSR, subroutine);
    code.local(op::ILOAD, 0).op(op::IRETURN);
    code.place(subroutine).local(op::ASTORE, 1);
    change(code, 2, 1, 1);
    code.int(100).local(op::ILOAD, 0).op(op::IDIV).local(op::ISTORE, 0).local(op::RET, 1);
    code.place(end);
    code.place(handler).op(op::POP).local(op::ILOAD, 2).op(op::INEG).op(op::IRETURN);
    code.handler(start, end, handler, Some("java/lang/ArithmeticException"));
}

/// `jsr_w`, `goto_w`, and `ret` and `astore` with a wide index.
fn wide(code: &mut CodeWriter<'_>) {
    // Both jumps are five bytes long. The subroutine follows them and has twelve bytes.
    code.op(op::JSR_W).op(0).op(0).op(0).op(10);
    code.op(op::GOTO_W).op(0).op(0).op(0).op(5 + 12);
    code.local(op::ASTORE, 300);
    code.op(op::IINC).op(0).op(11).op(op::NOP).local(op::RET, 300);
    code.local(op::ILOAD, 0).op(op::IRETURN);
}
