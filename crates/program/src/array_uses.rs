//! What code does with an array that it gets: whether anybody may write to it.
//!
//! An array is followed from where it gets on the operand stack to the instruction that takes it from there, into local variables,
//! and into methods that it is an argument of. Reading elements, the length, and comparing references leave it as it is; whatever
//! else takes it may write to it, or let others do so.

use petrel_classfile::{Code, Instruction, flags, op};

use crate::members::ResolvedMethod;
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

/// Where the array is, seen from an instruction.
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

impl Program {
    /// Whether code that takes an array with so many dimensions from somewhere may write to it or to a row of it.
    pub(crate) fn may_write_array(
        &self,
        method: &ResolvedMethod,
        source: Source<'_>,
        dimensions: usize,
    ) -> bool {
        self.is_written_within(method, source, dimensions, MOST_CALLS)
    }

    fn is_written_within(
        &self,
        method: &ResolvedMethod,
        source: Source<'_>,
        dimensions: usize,
        calls: u32,
    ) -> bool {
        // What cannot be read may do anything.
        let Ok(code) = method.class().file.code(method.declaration()) else { return true };
        let Some(code) = code else { return true };
        let mut sources = vec![(source, dimensions)];
        let mut next = 0;
        while let Some(&(source, dimensions)) = sources.get(next) {
            next += 1;
            for (at, instruction) in code.instructions.iter().enumerate() {
                if !is_from(method, instruction, source) {
                    continue;
                }
                let mut part = Some((at, dimensions));
                while let Some((from, dimensions)) = part.take() {
                    match self.taken(method, &code, from, dimensions, calls) {
                        (_, Taken::Harmless) => {}
                        (_, Taken::Written) => return true,
                        (at, Taken::Part(dimensions)) => part = Some((at, dimensions)),
                        (_, Taken::Kept(slot)) => {
                            let is_known = sources.iter().any(|(known, _)| {
                                matches!(*known, Source::Local(known) if known == slot)
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
    fn taken(
        &self,
        method: &ResolvedMethod,
        code: &Code,
        from: usize,
        dimensions: usize,
        calls: u32,
    ) -> (usize, Taken) {
        let file = &method.class().file;
        // Slots on the stack above the array.
        let mut above = 0;
        for (at, instruction) in code.instructions.iter().enumerate().skip(from + 1) {
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
                return (at, self.taken_by(method, instruction, place, dimensions, calls));
            }
            above = above - popped + pushed;
            let mut jumps = false;
            instruction.for_each_target(|_| jumps = true);
            if jumps {
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
    fn taken_by(
        &self,
        method: &ResolvedMethod,
        instruction: &Instruction,
        place: usize,
        dimensions: usize,
        calls: u32,
    ) -> Taken {
        let byte = instruction.opcode.byte();
        match byte {
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
            op::ASTORE | op::ASTORE_0..=op::ASTORE_3 => match instruction.local() {
                Some((slot, _)) => Taken::Kept(slot),
                None => Taken::Written,
            },
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                self.taken_by_call(method, instruction, place, dimensions, calls)
            }
            _ => Taken::Written,
        }
    }

    fn taken_by_call(
        &self,
        method: &ResolvedMethod,
        instruction: &Instruction,
        place: usize,
        dimensions: usize,
        calls: u32,
    ) -> Taken {
        let is_static = instruction.opcode.byte() == op::INVOKESTATIC;
        let Some(called) = method.class().file.member_named(instruction) else {
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
        let class = self.class(called.class);
        let found =
            class.ok().and_then(|class| class.declared_method(called.name, called.descriptor));
        // Another method may be executed in place of one that is not static.
        let found = found.filter(|found| found.is_static() || found.has_flags(flags::PRIVATE));
        let (Some(found), Some(calls)) = (found, calls.checked_sub(1)) else {
            return Taken::Written;
        };
        let Ok(slot) = u16::try_from(place) else { return Taken::Written };
        if self.is_written_within(&found, Source::Local(slot), dimensions, calls) {
            Taken::Written
        } else {
            Taken::Harmless
        }
    }
}

/// `System.arraycopy` is native, and reads its first argument.
fn is_native_copy_from(class: &str, name: &str, place: usize) -> bool {
    class == "java/lang/System" && name == "arraycopy" && place == 0
}

fn is_from(method: &ResolvedMethod, instruction: &Instruction, source: Source<'_>) -> bool {
    let byte = instruction.opcode.byte();
    match source {
        Source::Field(class, name) => {
            matches!(byte, op::GETSTATIC | op::GETFIELD)
                && method
                    .class()
                    .file
                    .member_named(instruction)
                    .is_some_and(|member| member.class == class && member.name == name)
        }
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
