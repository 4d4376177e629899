//! The `Code` attribute (JVMS 4.7.3): instructions, exception table, lines and local variables.

use crate::class_file::{ClassFile, Method};
use crate::error::{ClassFileError, Within};
use crate::flags;
use crate::opcode::{Opcode, op};
use crate::reader::Reader;

/// A method's decoded code. Every jump, range and table in it points at an instruction.
#[derive(Debug, Clone)]
pub struct Code {
    /// Deepest operand stack, in slots.
    pub max_stack: u16,
    /// Local variable slots.
    pub max_locals: u16,
    /// Length of the code array in bytes.
    pub length: u32,
    /// The instructions in the order of the code array.
    pub instructions: Vec<Instruction>,
    /// The exception table; the first entry that fits wins.
    pub handlers: Vec<ExceptionHandler>,
    /// `LineNumberTable`s, in the file's order.
    pub lines: Vec<LineNumber>,
    /// `LocalVariableTable`s, in the file's order.
    pub local_variables: Vec<LocalVariable>,
    /// `LocalVariableTypeTable`s: as `local_variables`, with a generic signature for a descriptor.
    pub local_variable_types: Vec<LocalVariable>,
    /// `local_variables` by slot and start: they are looked up at every jump.
    variables_by_start: Vec<LocalVariable>,
    /// For each byte of the code, the number of the instruction that starts there.
    index_of_pc: Vec<u16>,
}

const NO_INSTRUCTION: u16 = u16::MAX;

/// One instruction. `wide` is part of the instruction that it widens.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// Offset in the code array.
    pub pc: u16,
    /// What it does.
    pub opcode: Opcode,
    /// Whether it is written with a `wide` prefix.
    pub wide: bool,
    /// Its operands, decoded.
    pub operand: Operand,
}

/// The operands of an instruction. Jump targets are absolute offsets.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// There is none.
    None,
    /// `bipush`, `sipush`.
    Value(i16),
    /// A local variable.
    Local(u16),
    /// `iinc`: local variable and increment.
    Increment(u16, i16),
    /// Index into the constant pool.
    Constant(u16),
    /// `multianewarray`: array class and number of dimensions.
    MultiArray(u16, u8),
    /// `newarray`: element type code.
    ArrayType(u8),
    /// Jump target.
    Target(u16),
    /// `tableswitch`.
    Table(Box<TableSwitch>),
    /// `lookupswitch`.
    Lookup(Box<LookupSwitch>),
}

/// Operands of `tableswitch`.
#[derive(Debug, Clone, PartialEq)]
pub struct TableSwitch {
    /// Target when no case fits.
    pub default: u16,
    /// Value of the first case.
    pub low: i32,
    /// Targets of `low`, `low + 1`, ...
    pub targets: Vec<u16>,
}

/// Operands of `lookupswitch`.
#[derive(Debug, Clone, PartialEq)]
pub struct LookupSwitch {
    /// Target when no case fits.
    pub default: u16,
    /// Cases in ascending order.
    pub cases: Vec<(i32, u16)>,
}

/// An entry of the exception table: handles exceptions in `start..end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceptionHandler {
    /// First covered offset.
    pub start: u16,
    /// End of the covered range, exclusive.
    pub end: u16,
    /// Where the handler starts.
    pub handler: u16,
    /// `Class` constant of the caught type; 0 catches everything.
    pub catch_type: u16,
}

/// An entry of a `LineNumberTable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineNumber {
    /// Offset at which the line's code starts.
    pub start: u16,
    /// Line in the source file.
    pub line: u16,
}

/// An entry of a `LocalVariableTable` or `LocalVariableTypeTable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalVariable {
    /// First offset at which the variable has a value.
    pub start: u16,
    /// Length of the range.
    pub length: u16,
    /// Name index.
    pub name: u16,
    /// Descriptor or signature index.
    pub descriptor: u16,
    /// Local variable slot.
    pub slot: u16,
}

impl Code {
    pub(crate) fn parse(
        class: &ClassFile,
        method: &Method,
        mut reader: Reader<'_>,
    ) -> Result<Code, ClassFileError> {
        let max_stack = reader.u16()?;
        let max_locals = reader.u16()?;
        let length = reader.u32()?;
        if length == 0 || length > 65535 {
            return Err(reader.error(format!("the code length {length} is not in 1 to 65535")));
        }
        let code = reader.sub(length as usize)?;
        let mut code = Code {
            max_stack,
            max_locals,
            length,
            instructions: Vec::with_capacity(length as usize / 2),
            handlers: Vec::new(),
            lines: Vec::new(),
            local_variables: Vec::new(),
            local_variable_types: Vec::new(),
            variables_by_start: Vec::new(),
            index_of_pc: vec![NO_INSTRUCTION; length as usize],
        }
        .decode(code)?;
        code.check_locals(class, method)?;
        code.parse_handlers(class, &mut reader)?;
        class.attributes(&mut reader, |name, contents| match name {
            "LineNumberTable" => code.parse_lines(contents),
            "LocalVariableTable" => {
                Self::parse_variables(class, contents, &mut code.local_variables)
            }
            "LocalVariableTypeTable" => {
                Self::parse_variables(class, contents, &mut code.local_variable_types)
            }
            _ => Ok(()),
        })?;
        code.variables_by_start = code.local_variables.clone();
        code.variables_by_start.sort_by_key(|variable| (variable.slot, variable.start));
        Ok(code)
    }

    fn decode(mut self, mut reader: Reader<'_>) -> Result<Code, ClassFileError> {
        while !reader.is_empty() {
            let pc = reader.position() as u16;
            if let Some(entry) = self.index_of_pc.get_mut(usize::from(pc)) {
                *entry = self.instructions.len() as u16;
            }
            let instruction =
                decode_instruction(&mut reader, pc).within(|| format!("instruction {pc}"))?;
            self.instructions.push(instruction);
        }
        for instruction in &self.instructions {
            let mut bad = None;
            instruction.for_each_target(|target| {
                if self.index_of(target).is_none() {
                    bad = Some(target);
                }
            });
            if let Some(target) = bad {
                return Err(ClassFileError::new(format!(
                    "the jump to {target} leads to no instruction"
                ))
                .within(format!("instruction {}", instruction.pc)));
            }
        }
        Ok(self)
    }

    /// Local variables stay below `max_locals`, so that tables by slot can be indexed.
    fn check_locals(&self, class: &ClassFile, method: &Method) -> Result<(), ClassFileError> {
        let descriptor = crate::MethodDescriptor::parse(class.method_descriptor(method))?;
        let receiver = usize::from(!method.has_flags(flags::STATIC));
        if descriptor.parameter_slots() + receiver > usize::from(self.max_locals) {
            return Err(ClassFileError::new(format!(
                "the parameters do not fit into {} local variables",
                self.max_locals
            )));
        }
        for instruction in &self.instructions {
            if let Some((slot, width)) = instruction.local()
                && u32::from(slot) + width > u32::from(self.max_locals)
            {
                return Err(ClassFileError::new(format!(
                    "local variable {slot} lies beyond the {} that the method has",
                    self.max_locals
                ))
                .within(format!("instruction {}", instruction.pc)));
            }
        }
        Ok(())
    }

    fn parse_handlers(
        &mut self,
        class: &ClassFile,
        reader: &mut Reader<'_>,
    ) -> Result<(), ClassFileError> {
        let count = usize::from(reader.u16()?);
        self.handlers = reader
            .table(count, 8, |reader| {
                let handler = ExceptionHandler {
                    start: reader.u16()?,
                    end: reader.u16()?,
                    handler: reader.u16()?,
                    catch_type: reader.u16()?,
                };
                let end_is_good =
                    u32::from(handler.end) == self.length || self.index_of(handler.end).is_some();
                let good = handler.start < handler.end
                    && end_is_good
                    && self.index_of(handler.start).is_some()
                    && self.index_of(handler.handler).is_some();
                if !good {
                    return Err(reader.error(format!(
                        "the range {} to {} with handler {} is not one of instructions",
                        handler.start, handler.end, handler.handler
                    )));
                }
                if handler.catch_type != 0 {
                    class.constant_pool.class_name(handler.catch_type)?;
                }
                Ok(handler)
            })
            .within(|| "exception table".to_owned())?;
        Ok(())
    }

    fn parse_lines(&mut self, mut contents: Reader<'_>) -> Result<(), ClassFileError> {
        let count = usize::from(contents.u16()?);
        let lines = contents.table(count, 4, |reader| {
            Ok(LineNumber { start: reader.u16()?, line: reader.u16()? })
        })?;
        // A wrong entry costs a line number, never correctness.
        let good = lines.into_iter().filter(|line| self.index_of(line.start).is_some());
        let good: Vec<LineNumber> = good.collect();
        self.lines.extend(good);
        Ok(())
    }

    /// A wrong range costs names, never correctness, so that only the names are checked.
    fn parse_variables(
        class: &ClassFile,
        mut contents: Reader<'_>,
        into: &mut Vec<LocalVariable>,
    ) -> Result<(), ClassFileError> {
        let count = usize::from(contents.u16()?);
        into.extend(contents.table(count, 10, |reader| {
            let variable = LocalVariable {
                start: reader.u16()?,
                length: reader.u16()?,
                name: reader.u16()?,
                descriptor: reader.u16()?,
                slot: reader.u16()?,
            };
            class.constant_pool.utf8(variable.name)?;
            class.constant_pool.utf8(variable.descriptor)?;
            Ok(variable)
        })?);
        Ok(())
    }

    /// Number of the instruction that starts at an offset.
    pub fn index_of(&self, pc: u16) -> Option<usize> {
        let index = *self.index_of_pc.get(usize::from(pc))?;
        (index != NO_INSTRUCTION).then_some(usize::from(index))
    }

    /// The source line of an offset: of the closest entry at or before it; of the last such in the
    /// table if several start there.
    pub fn line_at(&self, pc: u16) -> Option<u16> {
        let mut best: Option<LineNumber> = None;
        for &line in &self.lines {
            if line.start <= pc && best.is_none_or(|best| best.start <= line.start) {
                best = Some(line);
            }
        }
        best.map(|line| line.line)
    }

    /// The source variable that a slot holds at an offset. Ranges of one slot do not overlap in what
    /// compilers write; where they do, the one that starts last counts, if it is one of the nearest.
    pub fn variable_at(&self, slot: u16, pc: u16) -> Option<&LocalVariable> {
        const NEAREST: usize = 8;
        let sorted = &self.variables_by_start;
        let end = sorted.partition_point(|variable| (variable.slot, variable.start) <= (slot, pc));
        let before = sorted.get(..end)?;
        before.iter().rev().take(NEAREST).find(|variable| {
            let end = u32::from(variable.start) + u32::from(variable.length);
            variable.slot == slot && u32::from(pc) < end
        })
    }
}

impl Instruction {
    /// Calls `visit` with each explicit jump target, the default of a switch first.
    pub fn for_each_target(&self, mut visit: impl FnMut(u16)) {
        match &self.operand {
            Operand::Target(target) => visit(*target),
            Operand::Table(table) => {
                visit(table.default);
                table.targets.iter().copied().for_each(visit);
            }
            Operand::Lookup(lookup) => {
                visit(lookup.default);
                lookup.cases.iter().map(|case| case.1).for_each(visit);
            }
            _ => {}
        }
    }

    /// The local variable that is read or written and its width in slots, implied ones included.
    pub fn local(&self) -> Option<(u16, u32)> {
        let byte = self.opcode.byte();
        // Loads and stores come in groups of five kinds (int, long, float, double, reference);
        // the short forms are four slots a kind.
        let (kind, slot) = match (byte, &self.operand) {
            (op::ILOAD..=op::ALOAD, &Operand::Local(slot)) => (byte - op::ILOAD, slot),
            (op::ISTORE..=op::ASTORE, &Operand::Local(slot)) => (byte - op::ISTORE, slot),
            (op::ILOAD_0..=op::ALOAD_3, _) => {
                ((byte - op::ILOAD_0) / 4, u16::from((byte - op::ILOAD_0) % 4))
            }
            (op::ISTORE_0..=op::ASTORE_3, _) => {
                ((byte - op::ISTORE_0) / 4, u16::from((byte - op::ISTORE_0) % 4))
            }
            (op::RET, &Operand::Local(slot)) => (0, slot),
            (op::IINC, &Operand::Increment(slot, _)) => (0, slot),
            _ => return None,
        };
        let is_wide_kind = kind == 1 || kind == 3;
        Some((slot, if is_wide_kind { 2 } else { 1 }))
    }
}

fn decode_instruction(reader: &mut Reader<'_>, pc: u16) -> Result<Instruction, ClassFileError> {
    let mut byte = reader.u8()?;
    let wide = byte == op::WIDE;
    if wide {
        byte = reader.u8()?;
        let can_be_wide = matches!(
            byte,
            op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET | op::IINC
        );
        if !can_be_wide {
            return Err(reader.error(format!("opcode {byte} cannot be wide")));
        }
    }
    let opcode =
        Opcode::from_byte(byte).ok_or_else(|| reader.error(format!("{byte} is not an opcode")))?;
    let operand = match byte {
        op::BIPUSH => Operand::Value(i16::from(reader.i8()?)),
        op::SIPUSH => Operand::Value(reader.i16()?),
        op::LDC => Operand::Constant(u16::from(reader.u8()?)),
        op::LDC_W | op::LDC2_W => Operand::Constant(reader.u16()?),
        op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET => {
            Operand::Local(if wide { reader.u16()? } else { u16::from(reader.u8()?) })
        }
        op::IINC if wide => Operand::Increment(reader.u16()?, reader.i16()?),
        op::IINC => Operand::Increment(u16::from(reader.u8()?), i16::from(reader.i8()?)),
        op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => {
            let distance = i32::from(reader.i16()?);
            Operand::Target(target(reader, pc, distance)?)
        }
        op::GOTO_W | op::JSR_W => {
            let distance = reader.i32()?;
            Operand::Target(target(reader, pc, distance)?)
        }
        op::TABLESWITCH => Operand::Table(Box::new(decode_table_switch(reader, pc)?)),
        op::LOOKUPSWITCH => Operand::Lookup(Box::new(decode_lookup_switch(reader, pc)?)),
        op::GETSTATIC..=op::INVOKESTATIC
        | op::NEW
        | op::ANEWARRAY
        | op::CHECKCAST
        | op::INSTANCEOF => Operand::Constant(reader.u16()?),
        op::INVOKEINTERFACE | op::INVOKEDYNAMIC => {
            let constant = reader.u16()?;
            // Argument count and a zero byte, or two zero bytes: both follow from the constant.
            reader.u16()?;
            Operand::Constant(constant)
        }
        op::NEWARRAY => Operand::ArrayType(reader.u8()?),
        op::MULTIANEWARRAY => Operand::MultiArray(reader.u16()?, reader.u8()?),
        _ => Operand::None,
    };
    Ok(Instruction { pc, opcode, wide, operand })
}

fn target(reader: &Reader<'_>, pc: u16, distance: i32) -> Result<u16, ClassFileError> {
    i32::from(pc)
        .checked_add(distance)
        .and_then(|target| u16::try_from(target).ok())
        .ok_or_else(|| reader.error(format!("the jump by {distance} leads out of the code")))
}

fn skip_padding(reader: &mut Reader<'_>) -> Result<(), ClassFileError> {
    while !reader.position().is_multiple_of(4) {
        reader.u8()?;
    }
    Ok(())
}

fn decode_table_switch(reader: &mut Reader<'_>, pc: u16) -> Result<TableSwitch, ClassFileError> {
    skip_padding(reader)?;
    let distance = reader.i32()?;
    let default = target(reader, pc, distance)?;
    let low = reader.i32()?;
    let high = reader.i32()?;
    if high < low {
        return Err(reader.error(format!("the switch range {low} to {high} is empty")));
    }
    let count = usize::try_from(i64::from(high) - i64::from(low) + 1).unwrap_or(usize::MAX);
    let targets = reader.table(count, 4, |reader| {
        let distance = reader.i32()?;
        target(reader, pc, distance)
    })?;
    Ok(TableSwitch { default, low, targets })
}

fn decode_lookup_switch(reader: &mut Reader<'_>, pc: u16) -> Result<LookupSwitch, ClassFileError> {
    skip_padding(reader)?;
    let distance = reader.i32()?;
    let default = target(reader, pc, distance)?;
    let count = reader.i32()?;
    let count = usize::try_from(count)
        .map_err(|_| reader.error(format!("a switch cannot have {count} cases")))?;
    let cases = reader.table(count, 8, |reader| {
        let value = reader.i32()?;
        let distance = reader.i32()?;
        Ok((value, target(reader, pc, distance)?))
    })?;
    if !cases.is_sorted_by(|left, right| left.0 < right.0) {
        return Err(reader.error("the cases of a switch should be in ascending order"));
    }
    Ok(LookupSwitch { default, cases })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::ClassWriter;

    /// Code with these local variables: start, length and slot. Names are numbers.
    fn with_variables(variables: &[(u16, u16, u16)]) -> Code {
        let mut class = ClassWriter::new(flags::PUBLIC, "a/A", "java/lang/Object", &[]);
        class.method(flags::STATIC, "m", "()V", 9, |code| {
            code.op(op::RETURN);
        });
        let class = ClassFile::parse(class.finish().unwrap()).unwrap();
        let mut code = class.code(&class.methods[0]).unwrap().unwrap();
        let variables = variables.iter().zip(0..);
        let mut variables: Vec<_> = variables
            .map(|(&(start, length, slot), name)| LocalVariable {
                start,
                length,
                name,
                descriptor: 0,
                slot,
            })
            .collect();
        variables.sort_by_key(|variable| (variable.slot, variable.start));
        code.variables_by_start = variables;
        code
    }

    #[test]
    fn a_slot_holds_the_variable_whose_range_is_at_the_offset() {
        let code = with_variables(&[(10, 5, 1), (0, 10, 1), (3, 4, 0), (15, 0xffff, 1)]);
        let name = |slot, pc| code.variable_at(slot, pc).map(|variable| variable.name);
        assert_eq!([0, 9, 10, 14].map(|pc| name(1, pc)), [Some(1), Some(1), Some(0), Some(0)]);
        assert_eq!([2, 3, 6, 7].map(|pc| name(0, pc)), [None, Some(2), Some(2), None]);
        assert_eq!(name(1, u16::MAX), Some(3));
        assert_eq!(name(2, 5), None);
    }

    #[test]
    fn of_overlapping_ranges_the_last_to_start_counts() {
        let code = with_variables(&[(0, 20, 0), (5, 5, 0)]);
        let name = |pc| code.variable_at(0, pc).map(|variable| variable.name);
        assert_eq!([4, 5, 9, 10].map(name), [Some(0), Some(1), Some(1), Some(0)]);
    }
}
