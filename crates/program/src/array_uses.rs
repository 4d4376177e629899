//! What code does with an array that it gets: whether anybody may write to it.
//!
//! An array is followed from where it gets on the operand stack to the instruction that takes it from there, into local variables,
//! and into methods that it is an argument of. Reading elements, the length, and comparing references leave it as it is; whatever
//! else takes it may write to it, or let others do so.

use std::sync::Arc;

use petrel_classfile::{ClassFile, Code, Instruction, Operand, flags, op};

use crate::Class;
use crate::members::{ResolvedField, ResolvedMethod};
use crate::program::Program;

/// Arguments are followed through so many calls.
const MOST_CALLS: u32 = 4;

/// An array comes from here.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'a> {
    /// A field of this class with this name.
    Field(&'a str, &'a str),
    /// A local variable.
    Local(u16),
}

/// What becomes of an array.
enum Taken {
    /// Nobody writes to it.
    Harmless,
    /// It may be written to.
    Written,
    /// It is in a local variable.
    Kept(u16),
    /// A part of it is on top of the stack, with so many dimensions.
    Part(usize),
}

/// Follows arrays through the code of a method.
struct Following<'a> {
    program: &'a Program,
    method: &'a ResolvedMethod,
    code: &'a Code,
    /// Whether it is the code that fills the array when its class is initialised.
    fills: bool,
    /// So many calls are followed.
    calls: u32,
}

impl Program {
    /// Whether the array that a private field of some dimensions holds is written to by its class's initialiser alone, and nobody
    /// else gets hold of it.
    pub(crate) fn is_array_closed(&self, field: &ResolvedField) -> bool {
        let class = field.class();
        let dimensions = dimensions(field);
        if dimensions == 0 || !field.has_flags(flags::PRIVATE) {
            return false;
        }
        let source = Source::Field(class.name(), field.name());
        let is_closed_in = |class: &Arc<Class>, is_own: bool| {
            let with_code = |method: &ResolvedMethod| {
                !method.has_flags(flags::ABSTRACT) && !method.has_flags(flags::NATIVE)
            };
            class.methods().filter(with_code).all(|method| {
                let fills = is_own && method.name() == "<clinit>";
                (!fills || is_made_in(&method, source, dimensions))
                    && !self.may_write(&method, source, dimensions, fills, MOST_CALLS)
            })
        };
        let host = class.file.nest_host().unwrap_or(class.name());
        let Ok(host) = self.class(host) else { return false };
        let mates = host.file.nest_members().map(|mate| self.class(mate));
        let mut nest = [Ok(Arc::clone(&host))].into_iter().chain(mates);
        nest.all(|mate| mate.is_ok_and(|mate| is_closed_in(&mate, mate.name() == class.name())))
    }

    /// Whether code that takes an array with so many dimensions from somewhere may write to it or to a row of it.
    fn may_write(
        &self,
        method: &ResolvedMethod,
        source: Source<'_>,
        dimensions: usize,
        fills: bool,
        calls: u32,
    ) -> bool {
        // What cannot be read may do anything.
        let Ok(code) = method.class().file.code(method.declaration()) else { return true };
        let Some(code) = code else { return true };
        let following = Following { program: self, method, code: &code, fills, calls };
        following.may_write(source, dimensions)
    }
}

impl Following<'_> {
    fn may_write(&self, source: Source<'_>, dimensions: usize) -> bool {
        let mut sources = vec![(source, dimensions)];
        let mut next = 0;
        while let Some(&(source, dimensions)) = sources.get(next) {
            next += 1;
            for (at, instruction) in self.code.instructions.iter().enumerate() {
                if !is_from(self.method, instruction, source) {
                    continue;
                }
                let mut part = Some((at, dimensions));
                while let Some((from, dimensions)) = part.take() {
                    match self.taken(from, dimensions) {
                        (_, Taken::Harmless) => {}
                        (_, Taken::Written) => return true,
                        (at, Taken::Part(dimensions)) => part = Some((at, dimensions)),
                        (_, Taken::Kept(slot)) => {
                            let is_known = sources.iter().any(|&(known, of)| {
                                matches!(known, Source::Local(known) if known == slot)
                                    && of >= dimensions
                            });
                            if !is_known {
                                sources.push((Source::Local(slot), dimensions));
                            }
                        }
                    }
                }
            }
        }
        false
    }

    /// What becomes of the array that an instruction has put on the stack, and by which instruction.
    fn taken(&self, from: usize, dimensions: usize) -> (usize, Taken) {
        let file = &self.method.class().file;
        // Slots on the stack above the array.
        let mut above = 0;
        for (at, instruction) in self.code.instructions.iter().enumerate().skip(from + 1) {
            let byte = instruction.opcode.byte();
            if let Some((touched, copied)) = moved(byte) {
                if above < touched {
                    return (at, Taken::Written);
                }
                above += copied;
                continue;
            }
            let Some((popped, pushed)) = file.stack_effect(instruction) else {
                return (at, Taken::Written);
            };
            if popped > above {
                // Counted from the slot that lies deepest.
                let place = popped - 1 - above;
                return (at, self.taken_by(instruction, place, dimensions));
            }
            above = above - popped + pushed;
            if jumps(instruction) {
                // Where it is taken from the stack depends on the way.
                return (at, Taken::Written);
            }
            if matches!(byte, op::IRETURN..=op::RETURN | op::ATHROW) {
                return (at, Taken::Harmless);
            }
        }
        (from, Taken::Written)
    }

    /// What an instruction does with an array that is its operand at a place.
    fn taken_by(&self, instruction: &Instruction, place: usize, dimensions: usize) -> Taken {
        match instruction.opcode.byte() {
            op::AALOAD if dimensions > 1 => Taken::Part(dimensions - 1),
            op::IALOAD..=op::SALOAD
            | op::ARRAYLENGTH
            | op::IFNULL
            | op::IFNONNULL
            | op::IF_ACMPEQ
            | op::IF_ACMPNE
            | op::INSTANCEOF
            | op::POP
            | op::POP2
            | op::MONITORENTER
            | op::MONITOREXIT => Taken::Harmless,
            // A row that is stored may be somebody else's.
            op::AASTORE if dimensions > 1 => Taken::Written,
            op::IASTORE..=op::SASTORE if self.fills && place == 0 => Taken::Harmless,
            op::ASTORE | op::ASTORE_0..=op::ASTORE_3 => match instruction.local() {
                Some((slot, _)) => Taken::Kept(slot),
                None => Taken::Written,
            },
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                self.taken_by_call(instruction, place, dimensions)
            }
            _ => Taken::Written,
        }
    }

    fn taken_by_call(&self, instruction: &Instruction, place: usize, dimensions: usize) -> Taken {
        let is_static = instruction.opcode.byte() == op::INVOKESTATIC;
        let Some(called) = self.method.class().file.member_named(instruction) else {
            return Taken::Written;
        };
        if place == 0 && !is_static {
            // Arrays have the methods of `Object`; a copy has the same rows.
            let is_copied = called.name == "clone" && dimensions > 1;
            return if is_copied { Taken::Part(dimensions) } else { Taken::Harmless };
        }
        if is_native_copy_from(called.class, called.name, place) {
            return if dimensions > 1 { Taken::Written } else { Taken::Harmless };
        }
        let class = self.program.class(called.class);
        let found =
            class.ok().and_then(|class| class.declared_method(called.name, called.descriptor));
        // Another method may be executed in place of one that is not static.
        let found = found.filter(|found| found.is_static() || found.has_flags(flags::PRIVATE));
        let (Some(found), Some(calls)) = (found, self.calls.checked_sub(1)) else {
            return Taken::Written;
        };
        let Ok(slot) = u16::try_from(place) else { return Taken::Written };
        let source = Source::Local(slot);
        if self.program.may_write(&found, source, dimensions, false, calls) {
            Taken::Written
        } else {
            Taken::Harmless
        }
    }
}

/// The dimensions of the arrays that a field of an array type holds.
pub(crate) fn dimensions(field: &ResolvedField) -> usize {
    field.descriptor().bytes().take_while(|&byte| byte == b'[').count()
}

/// Whether an initialiser makes the array itself that it puts into a field, and nobody else gets hold of it before.
fn is_made_in(initialiser: &ResolvedMethod, field: Source<'_>, dimensions: usize) -> bool {
    let Ok(Some(code)) = initialiser.class().file.code(initialiser.declaration()) else {
        return false;
    };
    let is_put = |instruction: &Instruction| {
        let is_put = instruction.opcode.byte() == op::PUTSTATIC;
        is_put && names(initialiser, instruction, field)
    };
    let n_puts = code.instructions.iter().filter(|instruction| is_put(instruction)).count();
    let file = &initialiser.class().file;
    let makers = code.instructions.iter().enumerate();
    let makers = makers.filter(|(_, of)| dimensions_made(file, of) == dimensions);
    let mut put_at = makers.filter_map(|(at, _)| put_by_maker(file, &code, at, dimensions));
    n_puts == 1 && put_at.any(|at| is_put(&code.instructions[at]))
}

/// The instruction that puts the array away that an instruction makes, if that and filling it with numbers, objects and rows
/// that are made likewise is all that is done with it.
fn put_by_maker(file: &ClassFile, code: &Code, maker: usize, dimensions: usize) -> Option<usize> {
    // The slots above those that the initialiser had before: the dimensions of such arrays, and 0 for anything else.
    let mut stack = vec![dimensions];
    for (at, instruction) in code.instructions.iter().enumerate().skip(maker + 1) {
        let byte = instruction.opcode.byte();
        if let Some((touched, copied)) = moved(byte) {
            // Initialisers of arrays copy the reference on top; nothing else moves them.
            let start = stack.len().checked_sub(touched)?;
            let top = *stack.last()?;
            if byte != op::DUP && stack[start..].iter().any(|&dimensions| dimensions > 0) {
                return None;
            }
            stack.extend(std::iter::repeat_n(if byte == op::DUP { top } else { 0 }, copied));
            continue;
        }
        let (popped, pushed) = file.stack_effect(instruction)?;
        let below = stack.len().checked_sub(popped)?;
        let operands = stack.split_off(below);
        match (byte, operands.as_slice()) {
            (op::PUTSTATIC, &[array]) if array > 0 => return stack.is_empty().then_some(at),
            // A row is made here, too.
            (op::AASTORE, &[array, 0, value]) if array > 0 && value == array - 1 => {}
            (op::AASTORE, &[array, ..]) if array > 0 => return None,
            (op::IASTORE..=op::SASTORE, [_, rest @ ..]) if rest.iter().all(|&of| of == 0) => {}
            (_, operands) if operands.iter().all(|&of| of == 0) => {}
            _ => return None,
        }
        let made = dimensions_made(file, instruction);
        stack.extend(std::iter::repeat_n(made, pushed));
        if stack.is_empty() || jumps(instruction) {
            return None;
        }
    }
    None
}

/// The dimensions of the array that an instruction makes; 0 if it makes none.
fn dimensions_made(file: &ClassFile, instruction: &Instruction) -> usize {
    let of_class = |index| {
        let name = file.constant_pool.class_name(index).unwrap_or_default();
        name.bytes().take_while(|&byte| byte == b'[').count()
    };
    match (instruction.opcode.byte(), &instruction.operand) {
        (op::NEWARRAY, _) => 1,
        (op::ANEWARRAY, &Operand::Constant(index)) => 1 + of_class(index),
        (op::MULTIANEWARRAY, &Operand::MultiArray(index, _)) => of_class(index),
        _ => 0,
    }
}

fn jumps(instruction: &Instruction) -> bool {
    let mut jumps = false;
    instruction.for_each_target(|_| jumps = true);
    jumps
}

/// `System.arraycopy` is native, and reads its first argument.
fn is_native_copy_from(class: &str, name: &str, place: usize) -> bool {
    class == "java/lang/System" && name == "arraycopy" && place == 0
}

fn names(method: &ResolvedMethod, instruction: &Instruction, field: Source<'_>) -> bool {
    let Source::Field(class, name) = field else { return false };
    let member = method.class().file.member_named(instruction);
    member.is_some_and(|member| member.class == class && member.name == name)
}

fn is_from(method: &ResolvedMethod, instruction: &Instruction, source: Source<'_>) -> bool {
    let byte = instruction.opcode.byte();
    match source {
        Source::Field(..) => byte == op::GETSTATIC && names(method, instruction, source),
        Source::Local(slot) => {
            (byte == op::ALOAD || (op::ALOAD_0..=op::ALOAD_3).contains(&byte))
                && instruction.local().is_some_and(|(of, _)| of == slot)
        }
    }
}

/// How many slots an instruction looks at that only moves what is on the stack, and how many it adds.
fn moved(byte: u8) -> Option<(usize, usize)> {
    Some(match byte {
        op::DUP => (1, 1),
        op::DUP_X1 => (2, 1),
        op::DUP_X2 => (3, 1),
        op::DUP2 => (2, 2),
        op::DUP2_X1 => (3, 2),
        op::DUP2_X2 => (4, 2),
        op::SWAP => (2, 0),
        _ => return None,
    })
}
