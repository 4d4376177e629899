//! What static fields may hold besides what their initialisers put there.

use std::sync::Arc;

use petrel_classfile::{Operand, flags, op};

use crate::array_uses::dimensions;
use crate::members::ResolvedField;
use crate::program::Program;
use crate::{Class, ResolvedMethod};

/// What of a static field may change once its class is initialised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaticChange {
    /// Nothing: it holds the same for ever.
    Nothing,
    /// It refers to the same object for ever, which may change if it is not an array: its initialiser alone writes to arrays of so
    /// many dimensions.
    Object(usize),
    /// Whatever it holds.
    Everything,
}

impl Program {
    /// What of a static field may change once its class is initialised. Code that is not on the class path may do whatever the
    /// access flags let it do.
    pub fn change_of_static(&self, field: &ResolvedField) -> StaticChange {
        let class = field.class();
        let is_reference = field.descriptor().starts_with(['L', '[']);
        let is_private = field.has_flags(flags::PRIVATE);
        // What members of the class do is written in other class files.
        let is_closed = is_private && class.file.inner_classes.is_empty();
        if !field.is_final() {
            let name = field.name();
            let writes = |opcode, operand: &Operand| {
                opcode == op::PUTSTATIC && names_field(class, operand, name)
            };
            if !is_closed || any_instruction(class, writes) {
                return StaticChange::Everything;
            }
        }
        if !is_reference || field.descriptor() == "Ljava/lang/String;" {
            return StaticChange::Nothing;
        }
        if field.has_flags(flags::SYNTHETIC) {
            // What the compiler keeps there it fills once.
            return StaticChange::Nothing;
        }
        StaticChange::Object(if self.is_array_closed(field) { dimensions(field) } else { 0 })
    }

    /// Whether the array that an instance field holds is for ever as it is: nothing changes in objects without identity.
    pub fn keeps_array(&self, field: &ResolvedField) -> bool {
        is_value_based(field.class())
    }
}

/// Whether objects of a class of the class library are what they hold, as its documentation says, and never change.
fn is_value_based(class: &Class) -> bool {
    class.file.has_annotation("Ljdk/internal/ValueBased;")
}

fn names_field(class: &Class, operand: &Operand, name: &str) -> bool {
    let Operand::Constant(index) = *operand else { return false };
    class.file.constant_pool.field(index).is_ok_and(|member| member.name == name)
}

/// Whether the code of a class, its initialiser apart, has an instruction.
fn any_instruction(class: &Arc<Class>, is_it: impl Fn(u8, &Operand) -> bool) -> bool {
    let mut methods = class.methods().filter(|method| method.name() != "<clinit>");
    methods.any(|method: ResolvedMethod| {
        let code = class.file.code(method.declaration());
        // What cannot be read may be anything.
        let Ok(code) = code else { return true };
        code.is_some_and(|code| {
            let mut instructions = code.instructions.iter();
            instructions.any(|instruction| is_it(instruction.opcode.byte(), &instruction.operand))
        })
    })
}

/// How far an initialiser keeps nothing from one static field that it writes to the next, as an offset of its code: so far it uses no
/// local variables, writes each value to one field, and does not jump from one field to another. `None` if that holds to its end.
pub fn writes_one_field_at_a_time(initialiser: &ResolvedMethod) -> Option<u16> {
    let file = &initialiser.class().file;
    let Ok(Some(code)) = file.code(initialiser.declaration()) else { return Some(0) };
    let instructions = &code.instructions;
    let is_write = |at: usize| instructions[at].opcode.byte() == op::PUTSTATIC;
    let crosses_none = |from: usize, target: u16| {
        code.index_of(target).is_some_and(|to| !(from.min(to)..from.max(to)).any(is_write))
    };
    let keeps_something = |at: usize| match &instructions[at].operand {
        Operand::Local(_) | Operand::Increment(..) | Operand::Table(_) | Operand::Lookup(_) => true,
        &Operand::Target(target) => !crosses_none(at, target),
        _ => {
            let opcode = instructions[at].opcode.byte();
            let is_copy = matches!(opcode, op::DUP | op::DUP2);
            (op::ILOAD_0..=op::ALOAD_3).contains(&opcode)
                || (op::ISTORE_0..=op::ASTORE_3).contains(&opcode)
                || is_copy && at + 1 < instructions.len() && is_write(at + 1)
        }
    };
    // Whatever jumps backwards beyond that has been there before.
    let first = (0..instructions.len()).find(|&at| keeps_something(at));
    let handlers = code.handlers.iter().map(|handler| handler.start);
    handlers.chain(first.map(|at| instructions[at].pc)).min()
}
