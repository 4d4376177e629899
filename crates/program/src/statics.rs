//! What static fields may hold besides what their initialisers put there.

use std::sync::Arc;

use petrel_classfile::{Operand, flags, op};

use crate::members::ResolvedField;
use crate::program::Program;
use crate::{Class, ResolvedMethod};

/// What of a static field may change once its class is initialised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaticChange {
    /// Nothing: it holds the same for ever.
    Nothing,
    /// It refers to the same object for ever, which may change if it is not an array.
    Object,
    /// It refers to the same object for ever, which may change, also if it is an array.
    ObjectOrArray,
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
        let is_open = field.has_flags(flags::PUBLIC) || field.has_flags(flags::PROTECTED);
        if !is_open && !is_array_written(class, field) {
            StaticChange::Object
        } else {
            StaticChange::ObjectOrArray
        }
    }
}

fn names_field(class: &Class, operand: &Operand, name: &str) -> bool {
    let Operand::Constant(index) = *operand else { return false };
    class.file.constant_pool.field(index).is_ok_and(|member| member.name == name)
}

/// Whether the code of a class may write to the array that a static field of it holds: a method that reads the field stores elements,
/// or hands arrays of its type on while some method of the class stores elements.
fn is_array_written(class: &Arc<Class>, field: &ResolvedField) -> bool {
    let (name, descriptor) = (field.name(), field.descriptor());
    let is_store = |opcode: u8| (op::IASTORE..=op::SASTORE).contains(&opcode);
    let pool = &class.file.constant_pool;
    let hands_on = |opcode: u8, operand: &Operand| {
        let Operand::Constant(index) = *operand else { return opcode == op::ARETURN };
        match opcode {
            op::PUTFIELD | op::PUTSTATIC => {
                pool.field(index).is_ok_and(|member| member.descriptor == descriptor)
            }
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => pool.method(index).is_ok_and(|member| {
                let parameters = member.descriptor.split(')').next().unwrap_or_default();
                parameters.contains(descriptor) || parameters.contains("Ljava/lang/Object;")
            }),
            _ => false,
        }
    };
    let mut has_store = false;
    let mut is_handed_on = false;
    for method in class.methods().filter(|method| method.name() != "<clinit>") {
        // What cannot be read may be anything.
        let Ok(code) = class.file.code(method.declaration()) else { return true };
        let Some(code) = code else { continue };
        let all = || code.instructions.iter().map(|of| (of.opcode.byte(), &of.operand));
        let reads = all()
            .any(|(opcode, operand)| opcode == op::GETSTATIC && names_field(class, operand, name));
        let stores = all().any(|(opcode, _)| is_store(opcode));
        if reads && stores {
            return true;
        }
        has_store |= stores;
        is_handed_on |= reads && all().any(|(opcode, operand)| hands_on(opcode, operand));
    }
    has_store && is_handed_on
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
