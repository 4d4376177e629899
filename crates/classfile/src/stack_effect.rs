//! What instructions do to the operand stack (JVMS 6.5), and the members that they name.

use crate::class_file::ClassFile;
use crate::code::{Instruction, Operand};
use crate::constant_pool::{LoadableConstant, MemberRef};
use crate::descriptor::{JavaType, MethodDescriptor};
use crate::opcode::op;

impl ClassFile {
    /// The field or method that an instruction names.
    pub fn member_named(&self, instruction: &Instruction) -> Option<MemberRef<'_>> {
        let Operand::Constant(index) = instruction.operand else { return None };
        let pool = &self.constant_pool;
        match instruction.opcode.byte() {
            op::GETSTATIC..=op::PUTFIELD => pool.field(index).ok(),
            _ => pool.method(index).ok(),
        }
    }

    /// How many slots an instruction takes from the stack and puts there. A cast does neither, so that
    /// what is cast is still the same. `None` for
    /// instructions that only move what is on the stack, and for those that name what is not there.
    pub fn stack_effect(&self, instruction: &Instruction) -> Option<(usize, usize)> {
        let byte = instruction.opcode.byte();
        Some(match byte {
            op::NOP | op::CHECKCAST | op::IINC | op::GOTO | op::GOTO_W | op::RET | op::RETURN => {
                (0, 0)
            }
            op::LCONST_0 | op::LCONST_1 | op::DCONST_0 | op::DCONST_1 | op::LDC2_W => (0, 2),
            op::LDC | op::LDC_W => (0, self.constant_width(instruction)),
            op::ACONST_NULL..=op::SIPUSH | op::NEW | op::JSR | op::JSR_W => (0, 1),
            op::ILOAD..=op::ALOAD_3 => (0, instruction.local()?.1 as usize),
            op::LALOAD | op::DALOAD => (2, 2),
            op::IALOAD..=op::SALOAD => (2, 1),
            op::ISTORE..=op::ASTORE_3 => (instruction.local()?.1 as usize, 0),
            op::LASTORE | op::DASTORE => (4, 0),
            op::IASTORE..=op::SASTORE => (3, 0),
            op::POP => (1, 0),
            op::POP2 => (2, 0),
            // Arithmetic comes in groups of int, long, float, double.
            op::IADD..=op::DREM => {
                let width = 1 + usize::from((byte - op::IADD) % 2);
                (2 * width, width)
            }
            op::INEG | op::FNEG => (1, 1),
            op::LNEG | op::DNEG => (2, 2),
            op::ISHL | op::ISHR | op::IUSHR | op::IAND | op::IOR | op::IXOR => (2, 1),
            op::LSHL | op::LSHR | op::LUSHR => (3, 2),
            op::LAND | op::LOR | op::LXOR => (4, 2),
            op::I2L | op::I2D | op::F2L | op::F2D => (1, 2),
            op::L2I | op::L2F | op::D2I | op::D2F => (2, 1),
            op::L2D | op::D2L => (2, 2),
            op::I2F | op::F2I | op::I2B | op::I2C | op::I2S => (1, 1),
            op::LCMP | op::DCMPL | op::DCMPG => (4, 1),
            op::FCMPL | op::FCMPG => (2, 1),
            op::IFEQ..=op::IFLE | op::IFNULL | op::IFNONNULL => (1, 0),
            op::IF_ICMPEQ..=op::IF_ACMPNE => (2, 0),
            op::TABLESWITCH | op::LOOKUPSWITCH => (1, 0),
            op::LRETURN | op::DRETURN => (2, 0),
            op::IRETURN..=op::ARETURN | op::ATHROW | op::MONITORENTER | op::MONITOREXIT => (1, 0),
            op::GETSTATIC..=op::PUTFIELD => {
                let field = self.member_named(instruction)?;
                let width = JavaType::parse(field.descriptor).ok()?.slots();
                match byte {
                    op::GETSTATIC => (0, width),
                    op::PUTSTATIC => (width, 0),
                    op::GETFIELD => (1, width),
                    _ => (1 + width, 0),
                }
            }
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => {
                let Operand::Constant(index) = instruction.operand else { return None };
                let pool = &self.constant_pool;
                let descriptor = match byte {
                    op::INVOKEDYNAMIC => pool.invoke_dynamic(index).ok()?.descriptor,
                    _ => pool.method(index).ok()?.descriptor,
                };
                let parsed = MethodDescriptor::parse(descriptor).ok()?;
                let has_receiver = !matches!(byte, op::INVOKESTATIC | op::INVOKEDYNAMIC);
                let popped = parsed.parameter_slots() + usize::from(has_receiver);
                (popped, parsed.result.map_or(0, |result| result.slots()))
            }
            op::NEWARRAY | op::ANEWARRAY | op::ARRAYLENGTH | op::INSTANCEOF => (1, 1),
            op::MULTIANEWARRAY => match instruction.operand {
                Operand::MultiArray(_, dimensions) => (dimensions.into(), 1),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn constant_width(&self, instruction: &Instruction) -> usize {
        let Operand::Constant(index) = instruction.operand else { return 1 };
        match self.constant_pool.loadable(index) {
            Ok(LoadableConstant::Dynamic(constant)) => {
                JavaType::parse(constant.descriptor).map_or(1, |java_type| java_type.slots())
            }
            _ => 1,
        }
    }
}
