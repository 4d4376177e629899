//! Class files that are broken by hand, each in one place: they are refused with an error that names it.

use std::sync::Arc;

use expect_test::{Expect, expect};
use petrel_classfile::op;
use petrel_filetests::world::{self, Platform};
use petrel_program::Program;

use crate::raw::{NAME, Raw, words};

/// A program of these classes and the JDK's.
fn program(classes: &[(&str, Vec<u8>)]) -> Program {
    let platform = Arc::new(Platform::new(world::jdk()));
    let classes = classes.iter().map(|(name, bytes)| ((*name).to_owned(), (**bytes).into()));
    world::program_with(&platform, classes)
}

/// Why the class cannot be loaded, or else why its first method that cannot be translated cannot.
fn refusal(program: &Program, name: &str) -> String {
    let class = match program.class(name) {
        Ok(class) => class,
        Err(error) => return error.to_string(),
    };
    let methods = 0..class.file.methods.len();
    let mut errors =
        methods.filter_map(|method| petrel_translate::translate(program, &class, method).err());
    errors.next().map_or_else(|| "accepted".to_owned(), |error| error.to_string())
}

fn check(bytes: Vec<u8>, expected: Expect) {
    expected.assert_eq(&refusal(&program(&[(NAME, bytes)]), NAME));
}

fn check_code(code: &[u8], expected: Expect) {
    check(Raw::with_code(code), expected);
}

#[test]
fn what_is_written_by_hand_is_a_class_as_long_as_nothing_is_wrong_with_it() {
    check_code(&[op::RETURN], expect!["accepted"]);
}

#[test]
fn a_truncated_file_is_refused_where_it_ends() {
    let whole = Raw::with_code(&[op::RETURN]);
    check(
        whole[..2].to_vec(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 0): 4 more bytes are needed but only 2 are left"
        ],
    );
    check(
        whole[..25].to_vec(),
        expect![
            "a/Hostile.class: class a/Hostile, constant pool, constant 3 (byte 25): 1 more bytes are needed but only 0 are left"
        ],
    );
    check(
        whole[..whole.len() - 1].to_vec(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 103): 2 more bytes are needed but only 1 are left"
        ],
    );
    for end in 0..whole.len() {
        let message = refusal(&program(&[(NAME, whole[..end].to_vec())]), NAME);
        assert!(message.contains(NAME) && message.contains("(byte "), "{end}: {message}");
    }
}

#[test]
fn what_follows_the_class_is_refused() {
    let mut bytes = Raw::with_code(&[op::RETURN]);
    bytes.push(0);
    check(bytes, expect!["a/Hostile.class: class a/Hostile (byte 105): 1 bytes follow the class"]);
}

#[test]
fn a_file_of_another_kind_is_refused() {
    check(
        b"PK\x03\x04 this is a zip file".to_vec(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 0): the file does not start with 0xCAFEBABE"
        ],
    );
}

#[test]
fn versions_that_are_too_new_or_too_old_are_refused() {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.version = 70;
    check(
        raw.bytes(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 6): class file version 70 is not supported (45 to 69 are: Java 1.1 to 25)"
        ],
    );
    raw.version = 44;
    check(
        raw.bytes(),
        expect![
            "a/Hostile.class: class a/Hostile (byte 6): class file version 44 is not supported (45 to 69 are: Java 1.1 to 25)"
        ],
    );
}

#[test]
fn constants_out_of_range_are_refused() {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.super_class = 999;
    check(
        raw.bytes(),
        expect![
            "a/Hostile.class: class a/Hostile, super_class: constant 999 lies beyond the pool of 5 entries"
        ],
    );
    check_code(
        &[op::NEW, 3, 231, op::POP, op::RETURN],
        expect![
            "class a/Hostile, method m()V, instruction 0: constant 999 lies beyond the pool of 8 entries"
        ],
    );
    // A constant of the wrong kind, and the unusable one.
    check_code(
        &[op::NEW, 0, 1, op::POP, op::RETURN],
        expect![
            "class a/Hostile, method m()V, instruction 0: constant 1 should be a Class but is Utf8"
        ],
    );
    check_code(
        &[op::LDC, 0, op::POP, op::RETURN],
        expect![
            "class a/Hostile, method m()V, instruction 0: constant 0 should be a loadable constant but is unusable"
        ],
    );
}

#[test]
fn wrong_descriptors_are_refused() {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.method("m", "(V)V", 1, &[op::RETURN]);
    check(
        raw.bytes(),
        expect![[
            r#"a/Hostile.class: class a/Hostile, method m(V)V: "(V)V" is not a method descriptor"#
        ]],
    );
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let method = raw.member(10, NAME, "m", "(Lnot a type").to_be_bytes();
    raw.method("m", "()V", 1, &[&[op::INVOKESTATIC][..], &method, &[op::RETURN]].concat());
    check(
        raw.bytes(),
        expect![[
            r#"class a/Hostile, method m()V, instruction 0: "(Lnot a type" is not a method descriptor"#
        ]],
    );
}

#[test]
fn lengths_beyond_the_end_are_refused() {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut attribute = raw.attribute("SourceFile", &[0, 1]);
    attribute[2..6].copy_from_slice(&u32::MAX.to_be_bytes());
    raw.attributes.push(attribute);
    check(
        raw.bytes(),
        expect![
            "a/Hostile.class: class a/Hostile, attribute SourceFile (byte 80): 4294967295 more bytes are needed but only 2 are left"
        ],
    );
    // The length of a method's code.
    let mut bytes = Raw::with_code(&[op::NOP, op::NOP, op::RETURN]);
    let code = bytes.windows(3).position(|code| code == [op::NOP, op::NOP, op::RETURN]);
    let code = code.expect("the code is there");
    bytes[code - 4..code].copy_from_slice(&u32::MAX.to_be_bytes());
    check(
        bytes,
        expect![
            "class a/Hostile, method m()V (byte 98): the code length 4294967295 is not in 1 to 65535"
        ],
    );
}

#[test]
fn a_switch_that_is_larger_than_the_code_is_refused() {
    let start = [op::ICONST_0, op::TABLESWITCH, 0, 0];
    let table = words(&[0, i32::MIN, i32::MAX, 0]);
    check_code(
        &[&start[..], &table].concat(),
        expect![
            "class a/Hostile, method m()V, instruction 1 (byte 114): a table of 4294967296 entries does not fit into the 4 bytes that are left"
        ],
    );
    let start = [op::ICONST_0, op::LOOKUPSWITCH, 0, 0];
    let pairs = words(&[0, i32::MAX, 0, 0]);
    check_code(
        &[&start[..], &pairs].concat(),
        expect![
            "class a/Hostile, method m()V, instruction 1 (byte 110): a table of 2147483647 entries does not fit into the 8 bytes that are left"
        ],
    );
}

#[test]
fn a_jump_to_no_instruction_is_refused() {
    // Into the operand of `sipush`, and out of the code.
    check_code(
        &[op::GOTO, 0, 4, op::SIPUSH, 0, 0, op::POP, op::RETURN],
        expect![
            "class a/Hostile, method m()V, instruction 0: the jump to 4 leads to no instruction"
        ],
    );
    check_code(
        &[op::GOTO, 0x7f, 0xff],
        expect![
            "class a/Hostile, method m()V, instruction 0: the jump to 32767 leads to no instruction"
        ],
    );
    check_code(
        &[op::NOP, op::GOTO, 0xff, 0],
        expect![
            "class a/Hostile, method m()V, instruction 1 (byte 102): the jump by -256 leads out of the code"
        ],
    );
}

#[test]
fn handlers_outside_of_the_code_are_refused() {
    for handler in [[0, 9, 0, 0], [0, 1, 9, 0], [1, 0, 0, 0], [0, 1, 0, 1]] {
        let mut raw = Raw::new(NAME, "java/lang/Object");
        raw.method_with("m", "()V", 1, &[op::NOP, op::RETURN], &[handler], &[]);
        let message = refusal(&program(&[(NAME, raw.bytes())]), NAME);
        let place = "class a/Hostile, method m()V, exception table";
        assert!(message.starts_with(place), "{handler:?}: {message}");
    }
}

#[test]
fn code_that_falls_off_its_end_is_refused() {
    check_code(
        &[op::NOP, op::NOP],
        expect!["method a/Hostile.m()V, instruction 1: control falls off the end of the code"],
    );
    check_code(
        &[op::ICONST_0, op::IFEQ, 0xff, 0xff],
        expect!["method a/Hostile.m()V, instruction 1: control falls off the end of the code"],
    );
}

#[test]
fn code_that_no_verifier_would_accept_is_refused() {
    // An empty stack, a wrong kind, a variable without a value, stacks that do not meet, and a
    // `char` for an array of `short`.
    check_code(
        &[op::POP, op::RETURN],
        expect!["method a/Hostile.m()V, instruction 0: the operand stack is empty"],
    );
    check_code(
        &[op::LCONST_0, op::INEG, op::RETURN],
        expect![
            "method a/Hostile.m()V, instruction 1: Long is on the operand stack instead of Int"
        ],
    );
    check_code(
        &[op::ILOAD_1, op::RETURN],
        expect!["method a/Hostile.m()V, instruction 0: local variable 1 holds no value"],
    );
    check_code(
        &[op::ICONST_0, op::GOTO, 0xff, 0xff],
        expect![
            "method a/Hostile.m()V, instruction 1: the operand stacks that meet at a jump target do not fit"
        ],
    );
    let array = [op::ICONST_1, op::NEWARRAY, 9];
    let store = [op::ICONST_0, op::ICONST_0, op::CASTORE, op::RETURN];
    check_code(
        &[&array[..], &store].concat(),
        expect!["method a/Hostile.m()V, instruction 5: [S has other elements"],
    );
}

#[test]
fn a_cyclic_hierarchy_is_refused() {
    let program = program(&[
        ("a/A", Raw::new("a/A", "a/B").bytes()),
        ("a/B", Raw::new("a/B", "a/A").bytes()),
        ("a/Own", Raw::new("a/Own", "a/Own").bytes()),
        ("a/Below", Raw::new("a/Below", "a/A").bytes()),
    ]);
    expect!["class a/A is its own superclass or superinterface"]
        .assert_eq(&refusal(&program, "a/A"));
    expect!["class a/B is its own superclass or superinterface"]
        .assert_eq(&refusal(&program, "a/B"));
    expect!["class a/Own is its own superclass or superinterface"]
        .assert_eq(&refusal(&program, "a/Own"));
    expect!["class a/A is its own superclass or superinterface"]
        .assert_eq(&refusal(&program, "a/Below"));
}

#[test]
fn a_file_with_another_class_than_its_name_says_is_refused() {
    check(
        Raw::new("a/Other", "java/lang/Object").bytes(),
        expect!["a/Hostile.class should hold class a/Hostile but holds a/Other"],
    );
}

/// No subroutine of valid code calls itself, so that the first call counts as left by a jump.
#[test]
fn a_subroutine_that_calls_itself_is_a_loop() {
    let code = [op::JSR, 0, 3, op::ASTORE_0, op::JSR, 0xff, 0xff, op::RET, 0];
    check_code(&code, expect!["accepted"]);
}

#[test]
fn a_return_from_no_subroutine_is_refused() {
    check_code(
        &[op::RET, 0],
        expect!["class a/Hostile, method m()V, instruction 0: ret 0 belongs to no subroutine call"],
    );
}
