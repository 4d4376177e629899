//! Constants, local variables, stack shuffling and arithmetic: instructions that move and combine
//! operands.

use petrel_classfile::{Instruction, Operand as Immediate, op};
use petrel_clp::{
    ArithmeticKind, Comparison, Conversion, Guard, Kind, Literal, Operand, Operation,
};

use crate::draft::{DraftVariable, NameHint, NarrowTypes};
use crate::error::{Refusal, refuse};
use crate::walk::{Step, Walk, describe};

/// The kinds in the order of the JVM's typed instructions.
pub(crate) const TYPED: [Kind; 5] =
    [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference];

const ARITHMETIC: [ArithmeticKind; 4] =
    [ArithmeticKind::Int, ArithmeticKind::Long, ArithmeticKind::Float, ArithmeticKind::Double];

impl Walk<'_> {
    pub(crate) fn push_constant(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let opcode = instruction.opcode.byte();
        let operand = match (opcode, &instruction.operand) {
            (op::NOP, _) => return Ok(Step::Next),
            (op::ACONST_NULL, _) => Operand::Null,
            (op::ICONST_M1..=op::ICONST_5, _) => {
                Operand::Int(i32::from(opcode) - i32::from(op::ICONST_0))
            }
            (op::LCONST_0 | op::LCONST_1, _) => Operand::Long(i64::from(opcode - op::LCONST_0)),
            (op::FCONST_0..=op::FCONST_2, _) => {
                Operand::Float(f32::from(opcode - op::FCONST_0).to_bits())
            }
            (op::DCONST_0 | op::DCONST_1, _) => {
                Operand::Double(f64::from(opcode - op::DCONST_0).to_bits())
            }
            (_, Immediate::Value(value)) => Operand::Int(i32::from(*value)),
            _ => return refuse("the constant has no operand"),
        };
        self.push(operand);
        Ok(Step::Next)
    }

    pub(crate) fn load_local(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let opcode = instruction.opcode.byte();
        let kind =
            if opcode <= op::ALOAD { opcode - op::ILOAD } else { (opcode - op::ILOAD_0) / 4 };
        let Some((slot, _)) = instruction.local() else {
            return refuse("no local variable");
        };
        let operand = self.local(slot, TYPED[usize::from(kind)])?;
        self.push(operand);
        Ok(Step::Next)
    }

    fn local(&self, slot: u16, kind: Kind) -> Result<Operand, Refusal> {
        match self.state.locals[self.local_index(slot)?] {
            Some(operand) if self.kind(operand) == kind => Ok(operand),
            Some(operand) => refuse(format!(
                "local variable {slot} holds {:?} instead of {kind:?}",
                self.kind(operand)
            )),
            None => refuse(format!("local variable {slot} holds no value")),
        }
    }

    pub(crate) fn store_local(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let opcode = instruction.opcode.byte();
        let kind =
            if opcode <= op::ASTORE { opcode - op::ISTORE } else { (opcode - op::ISTORE_0) / 4 };
        let Some((slot, _)) = instruction.local() else {
            return refuse("no local variable");
        };
        let operand = self.pop(TYPED[usize::from(kind)])?;
        self.set_local(slot, operand)?;
        Ok(Step::Next)
    }

    /// The dense number of a slot that the instruction touches.
    fn local_index(&self, slot: u16) -> Result<usize, Refusal> {
        match self.source.liveness.index(slot) {
            Some(index) => Ok(index),
            None => refuse(format!("local variable {slot} is not known")),
        }
    }

    fn set_local(&mut self, slot: u16, operand: Operand) -> Result<(), Refusal> {
        let index = self.local_index(slot)?;
        let neighbour = |slot: Option<u16>| slot.and_then(|slot| self.source.liveness.index(slot));
        // A value of two slots is lost when its second one is overwritten.
        if let Some(below) = neighbour(slot.checked_sub(1))
            && let Some(before) = self.state.locals[below]
            && is_wide(self.kind(before))
        {
            self.state.locals[below] = None;
        }
        if is_wide(self.kind(operand))
            && let Some(second) = neighbour(slot.checked_add(1))
        {
            self.state.locals[second] = None;
        }
        self.state.locals[index] = Some(operand);
        // The variable's scope starts behind the store.
        if let Operand::Variable(variable) = operand
            && let Some(next) = self.source.flow.next(self.node)
        {
            let pc = self.source.flow.instruction(next).pc;
            let hint = self.rule.variables[variable.0 as usize].hint;
            if !matches!(hint, NameHint::Source(_) | NameHint::This) {
                self.rule.variables[variable.0 as usize].hint = self.slot_hint(slot, pc, hint);
            }
        }
        Ok(())
    }

    pub(crate) fn increment(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let Immediate::Increment(slot, delta) = instruction.operand else {
            return refuse("no local variable");
        };
        let before = self.local(slot, Kind::Int)?;
        let hint = self.slot_hint(slot, instruction.pc, NameHint::Slot(slot));
        let operation = Operation::Add(ArithmeticKind::Int);
        let operands = vec![before, Operand::Int(i32::from(delta))];
        let after = self.bind(DraftVariable::new(Kind::Int, hint), |target| Literal::Compute {
            target,
            operation,
            operands,
        });
        let index = self.local_index(slot)?;
        self.state.locals[index] = Some(after);
        Ok(Step::Next)
    }

    /// `pop` to `swap`. The forms of `dup` that move two slots move one wide value or two others.
    pub(crate) fn shuffle(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        match instruction.opcode.byte() {
            op::POP => drop(self.pop_slots(1)?),
            op::POP2 => drop(self.pop_slots(2)?),
            op::DUP => self.duplicate(1, 0)?,
            op::DUP_X1 => self.duplicate(1, 1)?,
            op::DUP_X2 => self.duplicate(1, 2)?,
            op::DUP2 => self.duplicate(2, 0)?,
            op::DUP2_X1 => self.duplicate(2, 1)?,
            op::DUP2_X2 => self.duplicate(2, 2)?,
            _ => {
                let mut upper = self.pop_slots(1)?;
                let lower = self.pop_slots(1)?;
                upper.extend(lower);
                self.state.stack.extend(upper);
            }
        }
        Ok(Step::Next)
    }

    /// Takes values of so many slots from the stack; the lowest comes first.
    fn pop_slots(&mut self, slots: usize) -> Result<Vec<Operand>, Refusal> {
        let mut values = Vec::new();
        let mut left = slots;
        while left > 0 {
            let value = self.pop_any()?;
            let width = if is_wide(self.kind(value)) { 2 } else { 1 };
            if width > left {
                return refuse("half of a two-slot value would be moved");
            }
            left -= width;
            values.insert(0, value);
        }
        Ok(values)
    }

    fn duplicate(&mut self, slots: usize, below: usize) -> Result<(), Refusal> {
        let values = self.pop_slots(slots)?;
        let under = self.pop_slots(below)?;
        self.state.stack.extend(&values);
        self.state.stack.extend(under);
        self.state.stack.extend(values);
        Ok(())
    }

    pub(crate) fn arithmetic(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        use Operation::*;
        let opcode = instruction.opcode.byte();
        let offset = usize::from(opcode - op::IADD);
        let operation = if opcode < op::ISHL {
            let kind = ARITHMETIC[offset % 4];
            match offset / 4 {
                0 => Add(kind),
                1 => Subtract(kind),
                2 => Multiply(kind),
                3 => Divide(kind),
                4 => Remainder(kind),
                _ => Negate(kind),
            }
        } else {
            let offset = usize::from(opcode - op::ISHL);
            let kind = ARITHMETIC[offset % 2];
            match offset / 2 {
                0 => ShiftLeft(kind),
                1 => ShiftRight(kind),
                2 => ShiftRightUnsigned(kind),
                3 => And(kind),
                4 => Or(kind),
                _ => ExclusiveOr(kind),
            }
        };
        let (kinds, _) = operation.signature();
        let mut operands = Vec::with_capacity(kinds.len());
        for &kind in kinds.iter().rev() {
            operands.insert(0, self.pop(kind)?);
        }
        if let Divide(kind) | Remainder(kind) = operation
            && self.require_non_zero(kind, operation, &mut operands)? == Step::Done
        {
            return Ok(Step::Done);
        }
        self.compute(operation, operands);
        Ok(Step::Next)
    }

    pub(crate) fn compute(&mut self, operation: Operation, operands: Vec<Operand>) {
        let (_, kind) = operation.signature();
        let fits = self.narrow_result(operation, &operands);
        let variable = DraftVariable { fits, ..DraftVariable::new(kind, NameHint::Word("V")) };
        self.push_bound(variable, |target| Literal::Compute { target, operation, operands });
    }

    /// The narrow types that a result fits: what it was converted to, or what both operands of a
    /// bitwise operation fit.
    fn narrow_result(&self, operation: Operation, operands: &[Operand]) -> NarrowTypes {
        match (operation, operands) {
            (Operation::Convert(Conversion::IntToByte), _) => NarrowTypes::of_descriptor("B"),
            (Operation::Convert(Conversion::IntToChar), _) => NarrowTypes::of_descriptor("C"),
            (Operation::Convert(Conversion::IntToShort), _) => NarrowTypes::of_descriptor("S"),
            (
                Operation::And(ArithmeticKind::Int)
                | Operation::Or(ArithmeticKind::Int)
                | Operation::ExclusiveOr(ArithmeticKind::Int),
                &[left, right],
            ) => describe(&self.rule, left).fits.and(describe(&self.rule, right).fits),
            _ => NarrowTypes::NONE,
        }
    }

    /// An integer division throws if the divisor is zero; it ends its block unless the divisor is a
    /// constant other than zero. A constant zero ends the rule.
    fn require_non_zero(
        &mut self,
        kind: ArithmeticKind,
        operation: Operation,
        operands: &mut [Operand],
    ) -> Result<Step, Refusal> {
        let zero = match kind {
            ArithmeticKind::Int => Operand::Int(0),
            ArithmeticKind::Long => Operand::Long(0),
            ArithmeticKind::Float | ArithmeticKind::Double => return Ok(Step::Next),
        };
        if !matches!(operands[1], Operand::Variable(_)) && operands[1] != zero {
            return Ok(Step::Next);
        }
        let exception = "java/lang/ArithmeticException";
        let message = self.text("/ by zero");
        if operands[1] == zero {
            return self.end_with_exception(exception, message);
        }
        let word = if matches!(operation, Operation::Divide(_)) { "div" } else { "rem" };
        self.split(word, operands)?;
        let divisor = operands[1];
        let guard = |comparison| Guard::Compare {
            kind,
            comparison,
            left: divisor,
            right: zero,
            nan: false,
        };
        self.add_exceptional_rule(vec![guard(Comparison::Equal)], exception, message)?;
        self.resume(vec![guard(Comparison::NotEqual)]);
        Ok(Step::Next)
    }

    pub(crate) fn convert(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let (conversion, _) = Conversion::ALL[usize::from(instruction.opcode.byte() - op::I2L)];
        let (from, _) = conversion.kinds();
        let operand = self.pop(from)?;
        self.compute(Operation::Convert(conversion), vec![operand]);
        Ok(Step::Next)
    }

    pub(crate) fn compare(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let (kind, nan) = match instruction.opcode.byte() {
            op::LCMP => (ArithmeticKind::Long, 0),
            op::FCMPL => (ArithmeticKind::Float, -1),
            op::FCMPG => (ArithmeticKind::Float, 1),
            op::DCMPL => (ArithmeticKind::Double, -1),
            _ => (ArithmeticKind::Double, 1),
        };
        let right = self.pop(kind.into())?;
        let left = self.pop(kind.into())?;
        self.compute(Operation::Compare(kind, nan), vec![left, right]);
        Ok(Step::Next)
    }
}

pub(crate) fn is_wide(kind: Kind) -> bool {
    matches!(kind, Kind::Long | Kind::Double)
}
