//! Small class files that ask for much: they end soon, and take memory in proportion to their size.

use std::sync::Arc;

use petrel_classfile::{flags, op};
use petrel_filetests::world::{self, Platform};

use crate::limited::{LONG_TIME_LIMIT, limited, peak_memory, say, try_class};
use crate::raw::{NAME, Raw, shorts, words};

/// Each of these has a place where the obvious algorithm takes a square or worse.
macro_rules! end_soon {
    ($($test:ident: $class:expr;)*) => {
        $(
            #[test]
            fn $test() {
                limited(concat!("demanding_classes::", stringify!($test)), || {
                    let platform = Arc::new(Platform::new(world::jdk()));
                    let outcome = try_class(&platform, &$class, LONG_TIME_LIMIT);
                    say(format_args!("{outcome:?}, {}", peak_memory()));
                    assert!(outcome.is_ok(), "{outcome:?}");
                });
            }
        )*
    };
}

end_soon! {
    many_calls_of_a_subroutine_end_soon: many_calls_of_a_subroutine();
    subroutines_in_subroutines_end_soon: nested_subroutines();
    many_local_variables_end_soon: many_locals();
    many_handlers_end_soon: many_handlers();
    a_deep_stack_ends_soon: deep_stack();
    a_switch_with_a_deep_stack_ends_soon: switch_with_deep_stack();
    many_variables_of_one_name_end_soon: many_variables();
    many_names_of_one_variable_end_soon: many_local_names();
    a_long_name_in_many_constants_ends_soon: long_name_in_constants();
    a_long_name_in_many_fields_ends_soon: long_name_in_fields();
    a_long_name_in_many_instructions_ends_soon: long_name_in_code();
    a_long_string_in_many_instructions_ends_soon: long_string_in_code();
    a_long_name_in_many_tables_ends_soon: long_name_in_tables();
    dynamic_constants_in_dynamic_constants_end_soon: nested_dynamic_constants();
    call_sites_with_many_arguments_end_soon: many_site_arguments();
}

fn with_method(descriptor: &str, max_locals: u16, code: &[u8]) -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.method("m", descriptor, max_locals, code);
    raw.bytes()
}

fn many_calls_of_a_subroutine() -> Vec<u8> {
    const CALLS: usize = 10_000;
    let mut code = Vec::new();
    for call in 0..CALLS {
        let distance = (3 * (CALLS - call) + 1) as u16;
        code.push(op::JSR);
        code.extend(distance.to_be_bytes());
    }
    code.extend([op::RETURN, op::ASTORE_0, op::GOTO, 0, 3, op::RET, 0]);
    with_method("()V", 1, &code)
}

fn nested_subroutines() -> Vec<u8> {
    let mut code = vec![op::JSR, 0, 4, op::RETURN];
    for _ in 0..10_000 {
        code.extend([op::ASTORE_0, op::JSR, 0, 5, op::RET, 0]);
    }
    code.extend([op::ASTORE_0, op::RET, 0]);
    with_method("()V", 1, &code)
}

fn many_locals() -> Vec<u8> {
    let mut code = Vec::new();
    for slot in 0..6500_u16 {
        let [high, low] = (slot * 10).to_be_bytes();
        code.extend([op::ICONST_0, op::WIDE, op::ISTORE, high, low]);
    }
    for slot in 0..6500_u16 {
        let [high, low] = (slot * 10).to_be_bytes();
        code.extend([op::WIDE, op::ILOAD, high, low, op::POP]);
    }
    code.push(op::RETURN);
    with_method("()V", u16::MAX, &code)
}

/// Pushes a value that is not constant.
fn push_unknown(raw: &mut Raw) -> [u8; 3] {
    let [high, low] = raw.member(9, "java/lang/Integer", "TYPE", "Ljava/lang/Class;").to_be_bytes();
    [op::GETSTATIC, high, low]
}

/// Calls the method itself.
fn call(raw: &mut Raw) -> [u8; 3] {
    let [high, low] = raw.member(10, NAME, "m", "()V").to_be_bytes();
    [op::INVOKESTATIC, high, low]
}

fn many_handlers() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut code = call(&mut raw).repeat(20_000);
    let end = code.len() as u16;
    code.extend([op::RETURN, op::POP, op::RETURN]);
    let types: Vec<u16> = (0..1000).map(|number| raw.class(&format!("a/E{number}"))).collect();
    let handlers: Vec<[u16; 4]> = (0..60_000_u16)
        .map(|number| [3 * (number % 20_000), end, end + 1, types[usize::from(number) % 1000]])
        .collect();
    raw.method_with("m", "()V", 1, &code, &handlers, &[]);
    raw.bytes()
}

fn deep_stack() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut code = push_unknown(&mut raw).repeat(10_000);
    code.extend(call(&mut raw).repeat(10_000));
    code.push(op::RETURN);
    raw.method("m", "()V", 1, &code);
    raw.bytes()
}

fn switch_with_deep_stack() -> Vec<u8> {
    const CASES: usize = 4000;
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut code = push_unknown(&mut raw).repeat(8000);
    code.push(op::ICONST_0);
    let start = code.len();
    code.push(op::LOOKUPSWITCH);
    code.resize(code.len().next_multiple_of(4), 0);
    let first = (code.len() + 8 + 8 * CASES - start) as i32;
    code.extend(words(&[first, CASES as i32]));
    for case in 0..CASES as i32 {
        code.extend(words(&[case, first + case]));
    }
    code.extend([op::RETURN].repeat(CASES));
    raw.method("m", "()V", 1, &code);
    raw.bytes()
}

fn many_variables() -> Vec<u8> {
    let mut code = [op::ILOAD_0, op::ICONST_1, op::IADD, op::POP].repeat(16_000);
    code.push(op::RETURN);
    with_method("(I)V", 1, &code)
}

fn many_local_names() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let mut code = [op::ILOAD_0, op::IFEQ, 0, 3].repeat(15_000);
    code.extend((0..200).flat_map(|slot| [op::ILOAD, slot, op::POP]));
    code.push(op::RETURN);
    let (name, descriptor) = (raw.utf8("x"), raw.utf8("I"));
    let mut table = shorts(&[u16::MAX]);
    for _ in 0..u16::MAX {
        table.extend(shorts(&[0, 0, name, descriptor, 0]));
    }
    let table = raw.attribute("LocalVariableTable", &table);
    let descriptor = format!("({})V", "I".repeat(200));
    raw.method_with("m", &descriptor, 200, &code, &[], &[table]);
    raw.bytes()
}

fn long_name() -> String {
    "x".repeat(60_000)
}

fn long_name_in_constants() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let name = raw.utf8(&long_name());
    for _ in 0..60_000 {
        raw.constant(7, &name.to_be_bytes());
    }
    raw.bytes()
}

fn long_name_in_fields() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let name = raw.utf8(&long_name());
    let descriptor = raw.utf8(&format!("L{};", long_name()));
    let field = shorts(&[flags::STATIC, name, descriptor, 0]);
    let mut bytes = raw.bytes();
    // Behind the interfaces come the fields; here, there is nothing but their count and two others.
    bytes.truncate(bytes.len() - 6);
    bytes.extend(u16::MAX.to_be_bytes());
    bytes.extend(field.repeat(usize::from(u16::MAX)));
    bytes.extend([0; 4]);
    bytes
}

fn long_name_in_code() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let [high, low] = raw.class(&long_name()).to_be_bytes();
    let mut code =
        [op::ILOAD_0, op::IFEQ, 0, 8, op::NEW, high, low, op::POP, op::RETURN].repeat(7000);
    code.push(op::RETURN);
    raw.method("m", "(I)V", 1, &code);
    raw.bytes()
}

fn long_string_in_code() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let text = raw.utf8(&long_name());
    let [high, low] = raw.constant(8, &text.to_be_bytes()).to_be_bytes();
    let mut code = [op::LDC_W, high, low, op::POP].repeat(16_000);
    code.push(op::RETURN);
    raw.method("m", "()V", 1, &code);
    raw.bytes()
}

/// As the name of local variables and of caught exceptions.
fn long_name_in_tables() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let class = raw.class(&long_name());
    let name = class - 1;
    let mut variables = shorts(&[u16::MAX]);
    variables.extend(shorts(&[0, 1, name, name, 0]).repeat(usize::from(u16::MAX)));
    let variables = raw.attribute("LocalVariableTable", &variables);
    let code = [op::NOP, op::RETURN, op::POP, op::RETURN];
    raw.method_with("m", "()V", 1, &code, &[[0, 2, 2, class]].repeat(60_000), &[variables]);
    raw.bytes()
}

/// A handle of a static method that takes anything.
fn bootstrap_handle(raw: &mut Raw) -> u16 {
    let method = raw.member(10, NAME, "bootstrap", "()Ljava/lang/Object;");
    let [high, low] = method.to_be_bytes();
    raw.constant(15, &[6, high, low])
}

/// A tree of 16 levels in which every constant has 40 others as arguments.
fn nested_dynamic_constants() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    raw.version = 55;
    let handle = bootstrap_handle(&mut raw);
    let (name, descriptor) = (raw.utf8("c"), raw.utf8("Ljava/lang/Object;"));
    let name_and_type = raw.pair(12, name, descriptor);
    let levels: Vec<u16> = (0..16).map(|level| raw.pair(17, level, name_and_type)).collect();
    let mut table = shorts(&[16]);
    for level in 0..16 {
        let arguments = levels.get(level + 1).map(|next| [*next].repeat(40)).unwrap_or_default();
        table.extend(shorts(&[handle, arguments.len() as u16]));
        table.extend(shorts(&arguments));
    }
    let table = raw.attribute("BootstrapMethods", &table);
    raw.attributes.push(table);
    raw.method("m", "()V", 1, &[op::LDC, levels[0] as u8, op::POP, op::RETURN]);
    raw.bytes()
}

fn many_site_arguments() -> Vec<u8> {
    let mut raw = Raw::new(NAME, "java/lang/Object");
    let handle = bootstrap_handle(&mut raw);
    let (name, descriptor) = (raw.utf8("c"), raw.utf8("()V"));
    let name_and_type = raw.pair(12, name, descriptor);
    let text = raw.utf8("an argument");
    let argument = raw.constant(8, &text.to_be_bytes());
    let mut table = shorts(&[1, handle, u16::MAX]);
    table.extend(shorts(&[argument].repeat(usize::from(u16::MAX))));
    let table = raw.attribute("BootstrapMethods", &table);
    raw.attributes.push(table);
    let mut code = Vec::new();
    for _ in 0..10_000 {
        let [high, low] = raw.pair(18, 0, name_and_type).to_be_bytes();
        code.extend([op::INVOKEDYNAMIC, high, low, 0, 0]);
    }
    code.push(op::RETURN);
    raw.method("m", "()V", 1, &code);
    raw.bytes()
}
