//! Where literals come from: which instructions a literal may stand for, and in which order those of a rule come.
//!
//! Every literal says which instruction it is of ([`crate::Placed`]). [`crate::verify`] checks that with what is said
//! here. The text leaves it out where it is as expected: see [`Origins::expected`].

use petrel_classfile::{Opcode, op};

use crate::literal::{Callee, Guard, Literal, Message};
use crate::rule::{InstructionRef, Predicate, PredicateKind, Procedure, Rule};
use crate::term::{ArithmeticKind, Conversion, Operation};

/// The opcodes of a procedure, by the offsets of their instructions.
pub(crate) struct Opcodes {
    /// Ascending; the code of subroutines is copied, so that an offset may be there twice.
    by_offset: Vec<(u16, Opcode)>,
}

impl Opcodes {
    pub(crate) fn of(procedure: &Procedure) -> Opcodes {
        let instructions = procedure.instructions();
        let mut by_offset: Vec<(u16, Opcode)> =
            instructions.map(|instruction| (instruction.pc, instruction.opcode)).collect();
        by_offset.sort_unstable_by_key(|(pc, _)| *pc);
        Opcodes { by_offset }
    }

    fn at(&self, pc: u16) -> Option<Opcode> {
        let position = self.by_offset.partition_point(|(known, _)| *known < pc);
        self.by_offset.get(position).filter(|(known, _)| *known == pc).map(|(_, opcode)| *opcode)
    }

    /// An offset that is there twice, though no subroutine was inlined: its code is copied for each of its calls.
    pub(crate) fn duplicate(&self) -> Option<u16> {
        let is_call = |(_, opcode): &(u16, Opcode)| matches!(opcode.byte(), op::JSR | op::JSR_W);
        if self.by_offset.iter().any(is_call) {
            return None;
        }
        self.by_offset.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0)
    }
}

/// An instruction that a literal may come from. Text that was written by hand need not say what it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) pc: u16,
    pub(crate) opcode: Option<Opcode>,
}

/// The instructions that the literals of a rule may come from, in the order of the literals: first the one that
/// decides which rule of the predicate applies, and then those of the rule.
pub(crate) struct Origins<'a> {
    decision: Origin,
    instructions: &'a [InstructionRef],
    /// The first that the next literal may come from: 0 is the decision.
    next: usize,
    /// Whether that is where the literal before comes from.
    is_taken: bool,
    /// Whether the rule is for a call that returned.
    returned: bool,
}

impl<'a> Origins<'a> {
    pub(crate) fn of(opcodes: &Opcodes, predicate: &Predicate, rule: &'a Rule) -> Origins<'a> {
        let threw = rule.guards.iter().any(|guard| matches!(guard, Guard::Threw(..)));
        let returned = rule.guards.iter().any(|guard| matches!(guard, Guard::Returned(_)));
        // Nothing is left to do for a call that threw, and a block decides nothing. Only in text that was written by
        // hand do their rules have literals and no instructions.
        let goes_on = predicate.kind == PredicateKind::Choice && !threw;
        let has_decision = goes_on || rule.instructions.is_empty();
        Origins {
            decision: Origin { pc: predicate.pc, opcode: opcodes.at(predicate.pc) },
            instructions: &rule.instructions,
            next: usize::from(!has_decision),
            is_taken: false,
            returned,
        }
    }

    fn get(&self, index: usize) -> Option<Origin> {
        match index.checked_sub(1) {
            None => Some(self.decision),
            Some(index) => {
                let InstructionRef { pc, opcode, .. } = *self.instructions.get(index)?;
                Some(Origin { pc, opcode: Some(opcode) })
            }
        }
    }

    fn first(&self, from: usize, is_wanted: impl Fn(&Origin) -> bool) -> Option<usize> {
        let is_wanted = |index: &usize| self.get(*index).is_some_and(|origin| is_wanted(&origin));
        (from..=self.instructions.len()).find(is_wanted)
    }

    /// The next literal comes from an offset: the instruction there, unless the literal before it comes from one behind.
    pub(crate) fn take(&mut self, pc: u16) -> Option<Origin> {
        self.next = self.first(self.next, |origin| origin.pc == pc)?;
        self.is_taken = true;
        self.get(self.next)
    }

    /// Where the next literal comes from if nothing else is said: from the first instruction behind that of the literal
    /// before which may be its own. Calls and exceptions end their block: they come from its last instruction, or an
    /// exception is what the rule was decided for.
    pub(crate) fn expected(&self, literal: &Literal) -> u16 {
        let may_be = |origin: &Origin| origin.opcode.is_some_and(|of| may_be_of(literal, of));
        let from = self.next + usize::from(self.is_taken);
        let index = match literal {
            Literal::NewThrowable { message: Message::Null { pc }, .. } => {
                self.first(from, |origin| origin.pc == *pc)
            }
            Literal::NewThrowable { .. }
                if from == 0 && !self.returned && may_be(&self.decision) =>
            {
                Some(0)
            }
            Literal::NewThrowable { .. } | Literal::Call(_) => Some(self.instructions.len()),
            _ => self.first(from, may_be),
        };
        let origin = index.and_then(|index| self.get(index)).or_else(|| self.get(self.next));
        origin.unwrap_or(self.decision).pc
    }
}

/// Whether a literal may come from such an instruction.
pub(crate) fn may_be_of(literal: &Literal, opcode: Opcode) -> bool {
    let opcode = opcode.byte();
    let is_constant = || matches!(opcode, op::LDC | op::LDC_W | op::LDC2_W);
    match literal {
        Literal::Compute { operation, .. } => computes(*operation, opcode),
        Literal::NewObject { .. } => opcode == op::NEW,
        Literal::NewArray { .. } => matches!(opcode, op::NEWARRAY | op::ANEWARRAY),
        Literal::NewMultiArray { .. } => opcode == op::MULTIANEWARRAY,
        Literal::ArrayLength { .. } => opcode == op::ARRAYLENGTH,
        Literal::GetField { .. } => opcode == op::GETFIELD,
        Literal::SetField { .. } => opcode == op::PUTFIELD,
        Literal::GetStatic { .. } => opcode == op::GETSTATIC,
        Literal::SetStatic { .. } => opcode == op::PUTSTATIC,
        Literal::GetArray { element, .. } => opcode == op::IALOAD + *element as u8,
        Literal::SetArray { element, .. } => opcode == op::IASTORE + *element as u8,
        Literal::InstanceOf { .. } => opcode == op::INSTANCEOF,
        Literal::LoadString { .. }
        | Literal::LoadClass { .. }
        | Literal::LoadMethodHandle { .. }
        | Literal::LoadMethodType { .. } => matches!(opcode, op::LDC | op::LDC_W),
        Literal::NewThrowable { .. } => is_constant() || throws(opcode),
        Literal::Call(call) => match call.callee {
            // Calls that the translation puts in the place of dynamic ones are static.
            Callee::Static(_) => {
                matches!(opcode, op::INVOKESTATIC | op::INVOKEDYNAMIC) || is_constant()
            }
            Callee::Special(_)
            | Callee::Virtual(_)
            | Callee::Interface(_)
            | Callee::Polymorphic(_) => {
                matches!(opcode, op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE)
            }
            Callee::Dynamic(_) => opcode == op::INVOKEDYNAMIC,
            Callee::DynamicConstant(_) => is_constant(),
            Callee::Initialise(_) => matches!(
                opcode,
                op::GETSTATIC | op::PUTSTATIC | op::INVOKESTATIC | op::INVOKEDYNAMIC | op::NEW
            ),
        },
    }
}

/// Whether an instruction is an operation.
fn computes(operation: Operation, opcode: u8) -> bool {
    use Conversion::{IntToByte, IntToChar, IntToShort};
    let of = |first: u8, kind: ArithmeticKind| opcode == first + kind as u8;
    match operation {
        Operation::Add(kind) => {
            of(op::IADD, kind) || (kind == ArithmeticKind::Int && opcode == op::IINC)
        }
        Operation::Subtract(kind) => of(op::ISUB, kind),
        Operation::Multiply(kind) => of(op::IMUL, kind),
        Operation::Divide(kind) => of(op::IDIV, kind),
        Operation::Remainder(kind) => of(op::IREM, kind),
        Operation::Negate(kind) => of(op::INEG, kind),
        Operation::SquareRoot(_) => opcode == op::INVOKESTATIC,
        Operation::ShiftLeft(kind) => of(op::ISHL, kind),
        Operation::ShiftRight(kind) => of(op::ISHR, kind),
        Operation::ShiftRightUnsigned(kind) => of(op::IUSHR, kind),
        // A method that returns a `boolean`, `byte`, `char` or `short` narrows its result.
        Operation::And(kind) => {
            of(op::IAND, kind) || (kind == ArithmeticKind::Int && opcode == op::IRETURN)
        }
        Operation::Or(kind) => of(op::IOR, kind),
        Operation::ExclusiveOr(kind) => of(op::IXOR, kind),
        Operation::Compare(kind, nan) => match kind {
            ArithmeticKind::Int => false,
            ArithmeticKind::Long => opcode == op::LCMP,
            ArithmeticKind::Float => opcode == if nan < 0 { op::FCMPL } else { op::FCMPG },
            ArithmeticKind::Double => opcode == if nan < 0 { op::DCMPL } else { op::DCMPG },
        },
        Operation::Convert(conversion) => {
            opcode == op::I2L + conversion as u8
                || (matches!(conversion, IntToByte | IntToChar | IntToShort)
                    && opcode == op::IRETURN)
        }
    }
}

/// Whether an instruction other than the load of a constant may throw an exception that the JVM makes.
fn throws(opcode: u8) -> bool {
    matches!(
        opcode,
        op::IDIV | op::LDIV | op::IREM | op::LREM
            | op::IALOAD..=op::SALOAD
            | op::IASTORE..=op::SASTORE
            | op::GETSTATIC..=op::INVOKEDYNAMIC
            | op::NEW..=op::INSTANCEOF
            | op::MONITORENTER
            | op::MONITOREXIT
            | op::MULTIANEWARRAY
    )
}
