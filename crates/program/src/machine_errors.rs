//! Errors that the JVM itself throws: what code does about them.

use std::ops::Range;

use petrel_classfile::{Code, op};

use crate::ResolvedMethod;

/// What the JVM throws when memory or stack is over, or when a class could not be initialised before, and what is above it.
const OF_MACHINE: [&str; 7] = [
    "java/lang/Error",
    "java/lang/VirtualMachineError",
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    "java/lang/InternalError",
    "java/lang/LinkageError",
    "java/lang/NoClassDefFoundError",
];

/// The handlers of a method that ask for errors of the JVM by name, or for anything that arrays of any length may throw: some lengths
/// are more than a JVM makes, whatever its memory.
pub fn handlers_of_machine_errors(method: &ResolvedMethod) -> Vec<u16> {
    let file = &method.class().file;
    let Ok(Some(code)) = file.code(method.declaration()) else { return Vec::new() };
    let catches = code.handlers.iter().filter(|handler| {
        let name = file.constant_pool.class_name(handler.catch_type).ok();
        let is_any =
            handler.catch_type == 0 || name.is_some_and(|name| name == "java/lang/Throwable");
        name.is_some_and(|name| OF_MACHINE.contains(&name))
            || is_any && makes_arrays(&code, handler.start..handler.end)
    });
    catches.map(|handler| handler.handler).collect()
}

/// Whether code makes arrays of lengths that it does not say itself.
fn makes_arrays(code: &Code, range: Range<u16>) -> bool {
    code.instructions.windows(2).any(|pair| {
        let [length, new] = pair else { return false };
        let is_constant = (op::ICONST_M1..=op::LDC_W).contains(&length.opcode.byte());
        let is_new = matches!(new.opcode.byte(), op::NEWARRAY | op::ANEWARRAY | op::MULTIANEWARRAY);
        range.contains(&new.pc) && is_new && !is_constant
    })
}
