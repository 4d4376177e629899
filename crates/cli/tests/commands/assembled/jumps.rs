//! Jumps that no statement of the language makes. In all methods slot 0 is the argument.

use petrel_classfile::op;
use petrel_classfile::writer::CodeWriter;

use super::Assembled;

const ARITHMETIC: Option<&str> = Some("java/lang/ArithmeticException");

#[test]
fn control_may_flow_as_it_likes() {
    let mut class = Assembled::new("Jumps");
    class.method("twoEntries", &[(5, "70"), (-5, "61"), (100, "110")], two_entries);
    class.method("crossing", &[(0, "41"), (1, "42")], crossing);
    class.method("toTheStart", &[(1, "10"), (10, "10"), (-3, "10")], to_the_start);
    class.method("handlerIsLoop", &[(0, "31"), (1, "31"), (4, "40")], handler_is_loop);
    class.method("handlerInRange", &[(0, "-7"), (2, "5")], handler_in_range);
    class.method("firstHandler", &[(0, "1"), (1, "10")], first_handler);
    class.method("valuesBelow", &[(0, "8"), (1, "9")], values_below);
    class.method("backwards", &[(3, "123"), (0, "120")], backwards);
    class.method("unreachable", &[(3, "3")], unreachable);
    class.check();
}

fn add(code: &mut CodeWriter<'_>, number: i32) {
    code.local(op::ILOAD, 0).int(number).op(op::IADD).local(op::ISTORE, 0);
}

/// A loop that is entered at its start and in its middle: no node of it dominates the other.
fn two_entries(code: &mut CodeWriter<'_>) {
    let (start, middle) = (code.label(), code.label());
    code.local(op::ILOAD, 0).jump(op::IFGT, middle);
    code.place(start);
    add(code, 1);
    code.place(middle);
    add(code, 10);
    code.local(op::ILOAD, 0).int(60).jump(op::IF_ICMPLT, start);
    code.local(op::ILOAD, 0).op(op::IRETURN);
}

/// Two blocks that each may come first, once.
fn crossing(code: &mut CodeWriter<'_>) {
    let (left, right, end) = (code.label(), code.label(), code.label());
    code.int(0).local(op::ISTORE, 1);
    code.local(op::ILOAD, 0).jump(op::IFNE, right);
    code.place(left).op(op::IINC).op(1).op(1);
    add(code, 20);
    code.local(op::ILOAD, 1).int(2).jump(op::IF_ICMPGE, end);
    code.place(right).op(op::IINC).op(1).op(1);
    add(code, 21);
    code.local(op::ILOAD, 1).int(2).jump(op::IF_ICMPLT, left);
    code.place(end).local(op::ILOAD, 0).op(op::IRETURN);
}

/// The first instruction of the method is the head of a loop.
fn to_the_start(code: &mut CodeWriter<'_>) {
    let (start, end) = (code.label(), code.label());
    code.place(start).local(op::ILOAD, 0).int(10).jump(op::IF_ICMPGE, end);
    add(code, 1);
    code.jump(op::GOTO, start);
    code.place(end).local(op::ILOAD, 0).op(op::IRETURN);
}

/// A loop through an exception handler.
fn handler_is_loop(code: &mut CodeWriter<'_>) {
    let (start, end, handler) = (code.label(), code.label(), code.label());
    code.place(start);
    // 10 / (x * (x - 1) * (x - 2)) fails for 0, 1 and 2.
    code.int(10).local(op::ILOAD, 0);
    code.local(op::ILOAD, 0).int(1).op(op::ISUB).op(op::IMUL);
    code.local(op::ILOAD, 0).int(2).op(op::ISUB).op(op::IMUL);
    code.op(op::IDIV).local(op::ILOAD, 0).int(10).op(op::IMUL).op(op::IADD).op(op::IRETURN);
    code.place(end).place(handler).op(op::POP);
    add(code, 1);
    code.jump(op::GOTO, start);
    code.handler(start, end, handler, ARITHMETIC);
}

/// A handler that covers itself: its own exception leads to its start.
fn handler_in_range(code: &mut CodeWriter<'_>) {
    let (start, end, handler, once) = (code.label(), code.label(), code.label(), code.label());
    code.int(0).local(op::ISTORE, 1);
    code.place(start).int(10).local(op::ILOAD, 0).op(op::IDIV).op(op::IRETURN);
    code.place(handler).op(op::POP);
    code.local(op::ILOAD, 1).jump(op::IFEQ, once).int(-7).op(op::IRETURN);
    code.place(once).op(op::IINC).op(1).op(1).int(1).local(op::ILOAD, 0).op(op::IDIV);
    code.op(op::IRETURN).place(end);
    code.handler(start, end, handler, ARITHMETIC);
}

/// Of several handlers for a range, the first in the table that fits.
fn first_handler(code: &mut CodeWriter<'_>) {
    let (start, end) = (code.label(), code.label());
    let handlers = [code.label(), code.label(), code.label()];
    code.place(start).int(10).local(op::ILOAD, 0).op(op::IDIV).op(op::IRETURN).place(end);
    for (number, &handler) in handlers.iter().enumerate() {
        code.place(handler).op(op::POP).int(number as i32).op(op::IRETURN);
    }
    code.handler(start, end, handlers[0], Some("java/lang/NullPointerException"));
    code.handler(start, end, handlers[1], Some("java/lang/RuntimeException"));
    code.handler(start, end, handlers[2], ARITHMETIC);
}

/// Values stay on the operand stack over branches and joins.
fn values_below(code: &mut CodeWriter<'_>) {
    let (one, join) = (code.label(), code.label());
    code.int(3).int(5).local(op::ILOAD, 0).jump(op::IFNE, one);
    code.int(0).jump(op::GOTO, join);
    code.place(one).int(1);
    code.place(join).op(op::IADD).op(op::IADD).op(op::IRETURN);
}

/// The code runs from its end to its start.
fn backwards(code: &mut CodeWriter<'_>) {
    let (first, second, third) = (code.label(), code.label(), code.label());
    code.jump(op::GOTO, first);
    code.place(third).local(op::ILOAD, 0).op(op::IRETURN);
    code.place(second);
    add(code, 20);
    code.jump(op::GOTO, third);
    code.place(first);
    add(code, 100);
    code.jump(op::GOTO, second);
}

/// Code that nothing leads to, some of which would not verify.
fn unreachable(code: &mut CodeWriter<'_>) {
    let (end, dead) = (code.label(), code.label());
    code.jump(op::GOTO, end);
    code.place(dead).op(op::NOP).jump(op::GOTO, dead).op(op::IADD).op(op::ATHROW);
    code.place(end).local(op::ILOAD, 0).op(op::IRETURN);
}
