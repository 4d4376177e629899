//! What static fields may hold besides what their initialisers put there.

use std::sync::Arc;

use petrel_classfile::{Operand, flags, op};

use crate::array_uses::Source;
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
        if is_private && !self.is_array_written(class, field) {
            StaticChange::Object
        } else {
            StaticChange::ObjectOrArray
        }
    }

    /// Whether an array that an instance field holds is the same as long as its object is there: its object is of a class that has
    /// no identity to programs and keeps to itself what it has, or it is a constant of an enum, which its own code alone makes, and
    /// nothing writes to the array.
    pub fn keeps_array(&self, field: &ResolvedField) -> bool {
        let class = field.class();
        if is_value_based(class) {
            return true;
        }
        let is_enum = class.file.has_flags(flags::ENUM);
        let is_own = field.is_final() && field.has_flags(flags::PRIVATE);
        is_enum && is_own && !self.is_array_written(class, field)
    }

    /// Whether code may write to the array that a private field holds, once initialisers have done so.
    fn is_array_written(&self, class: &Arc<Class>, field: &ResolvedField) -> bool {
        let dimensions = field.descriptor().bytes().take_while(|&byte| byte == b'[').count();
        if dimensions == 0 {
            // What it is seen as tells nothing of what it is.
            return true;
        }
        let source = Source::Field(class.name(), field.name());
        let is_written_in = |class: &Arc<Class>, is_own: bool| {
            let initialises = |method: &ResolvedMethod| {
                let is_constructor = method.is_constructor() && !field.is_static();
                is_own && (is_constructor || method.name() == "<clinit>")
            };
            let mut methods = class.methods().filter(|method| !initialises(method));
            methods.any(|method| {
                !method.has_flags(flags::ABSTRACT)
                    && !method.has_flags(flags::NATIVE)
                    && self.may_write_array(&method, source, dimensions)
            })
        };
        let host = class.file.nest_host().unwrap_or(class.name());
        let Ok(host) = self.class(host) else { return true };
        let mates = host.file.nest_members().map(|mate| self.class(mate));
        let mut nest = [Ok(Arc::clone(&host))].into_iter().chain(mates);
        nest.any(|mate| match mate {
            Ok(mate) => is_written_in(&mate, mate.name() == class.name()),
            Err(_) => true,
        })
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
