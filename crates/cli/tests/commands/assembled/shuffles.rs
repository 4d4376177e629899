//! `dup` and its kin, on values of one and of two words (JVMS 6.5).

use petrel_classfile::op;
use petrel_classfile::writer::CodeWriter;

use super::Assembled;

/// An instruction, the stack before and the stack after it, the top last; a digit is an `int`, and
/// behind an `L` a `long`.
const SHUFFLES: [(&str, u8, &str, &str); 18] = [
    ("nop", op::NOP, "12", "12"),
    ("pop", op::POP, "12", "1"),
    ("pop2", op::POP2, "123", "1"),
    ("pop2_form2", op::POP2, "1L2", "1"),
    ("swap", op::SWAP, "123", "132"),
    ("dup", op::DUP, "12", "122"),
    ("dup_x1", op::DUP_X1, "12", "212"),
    ("dup_x2", op::DUP_X2, "123", "3123"),
    ("dup_x2_form2", op::DUP_X2, "L12", "2L12"),
    ("dup2", op::DUP2, "12", "1212"),
    ("dup2_form2", op::DUP2, "1L2", "1L2L2"),
    ("dup2_x1", op::DUP2_X1, "123", "23123"),
    ("dup2_x1_form2", op::DUP2_X1, "1L2", "L21L2"),
    ("dup2_x2", op::DUP2_X2, "1234", "341234"),
    ("dup2_x2_form2", op::DUP2_X2, "12L3", "L312L3"),
    ("dup2_x2_form3", op::DUP2_X2, "L123", "23L123"),
    ("dup2_x2_form4", op::DUP2_X2, "L1L2", "L2L1L2"),
    ("dup2_of_more", op::DUP2, "L123", "L12323"),
];

#[test]
fn the_operand_stack_is_shuffled_in_all_forms() {
    let mut class = Assembled::new("Shuffles");
    for (name, opcode, before, after) in SHUFFLES {
        let digits: String = after.chars().filter(char::is_ascii_digit).collect();
        class.method(name, &[(0, &digits)], |code| {
            push(code, before);
            code.op(opcode);
            collect(code, after);
        });
    }
    class.check();
}

fn push(code: &mut CodeWriter<'_>, values: &str) {
    let mut is_long = false;
    for c in values.chars() {
        match c.to_digit(10) {
            Some(digit) if is_long => code.long(i64::from(digit)),
            Some(digit) => code.int(digit as i32),
            None => code,
        };
        is_long = c == 'L';
    }
}

/// Returns the values as the digits of a number, the top as the last one.
fn collect(code: &mut CodeWriter<'_>, values: &str) {
    let mut weight = 1;
    code.int(0).local(op::ISTORE, 1);
    let values: Vec<char> = values.chars().collect();
    for (position, c) in values.iter().enumerate().rev() {
        if *c == 'L' {
            continue;
        }
        if position > 0 && values[position - 1] == 'L' {
            code.op(op::L2I);
        }
        code.int(weight).op(op::IMUL).local(op::ILOAD, 1).op(op::IADD).local(op::ISTORE, 1);
        weight *= 10;
    }
    code.local(op::ILOAD, 1).op(op::IRETURN);
}
