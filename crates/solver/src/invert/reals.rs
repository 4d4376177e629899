//! Inversion of operations on numbers that are no integers. Most of them round, so that the neighbours of
//! what is computed are guesses, too.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use super::Inversion;
use crate::real::{self, beside};
use crate::tape::Slot;

impl Inversion<'_> {
    pub(super) fn apply_to_reals(
        &mut self,
        operation: Operation,
        left: Slot,
        right: Slot,
        target: i64,
        depth: u32,
    ) {
        use Operation::*;
        let (a, b) = (self.tape.value(left), self.tape.value(right));
        match operation {
            Add(kind) => {
                self.make_near(left, real::apply(Subtract(kind), target, b), depth);
                self.make_near(right, real::apply(Subtract(kind), target, a), depth);
            }
            Subtract(kind) => {
                self.make_near(left, real::apply(Add(kind), target, b), depth);
                self.make_near(right, real::apply(Subtract(kind), a, target), depth);
            }
            Negate(_) => self.make(left, real::apply(operation, target, 0), depth),
            Multiply(kind) if left == right => {
                let root = real::apply(SquareRoot(kind), target, 0);
                self.make_near(left, root, depth);
                self.make_near(left, real::apply(Negate(kind), root, 0), depth);
            }
            Multiply(kind) => {
                self.make_near(left, real::apply(Divide(kind), target, b), depth);
                self.make_near(right, real::apply(Divide(kind), target, a), depth);
            }
            Divide(kind) => {
                self.make_near(left, real::apply(Multiply(kind), target, b), depth);
                self.make_near(right, real::apply(Divide(kind), a, target), depth);
            }
            Remainder(kind) => {
                self.make(left, target, depth);
                let multiple = real::apply(Subtract(kind), a, real::apply(operation, a, b));
                self.make(left, real::apply(Add(kind), multiple, target), depth);
                self.make(right, real::apply(Subtract(kind), a, target), depth);
            }
            SquareRoot(kind) => {
                self.make_near(left, real::apply(Multiply(kind), target, target), depth);
            }
            Compare(kind, nan) => self.compare_reals(kind, nan, left, right, target, depth),
            Convert(conversion) => self.convert_to_real(conversion, left, target, depth),
            _ => {}
        }
    }

    pub(super) fn multiply_add(
        &mut self,
        kind: Kind,
        operands: [Slot; 3],
        target: i64,
        depth: u32,
    ) {
        use Operation::{Divide, Negate, Subtract};
        let Ok(of) = ArithmeticKind::try_from(kind) else { return };
        let [left, right, addend] = operands;
        let [a, b, c] = operands.map(|operand| self.tape.value(operand));
        let product = real::apply(Subtract(of), target, c);
        if left == right {
            let root = real::apply(Operation::SquareRoot(of), product, 0);
            self.make_near(left, root, depth);
            self.make_near(left, real::apply(Negate(of), root, 0), depth);
        } else {
            self.make_near(left, real::apply(Divide(of), product, b), depth);
            self.make_near(right, real::apply(Divide(of), product, a), depth);
        }
        let opposite = real::apply(Negate(of), a, 0);
        self.make_near(addend, real::multiply_add(kind, [opposite, b, target]), depth);
    }

    /// Guesses a number that was computed, and what may have been rounded to it.
    fn make_near(&mut self, slot: Slot, target: i64, depth: u32) {
        for near in [target, target.saturating_add(1), target.saturating_sub(1)] {
            self.make(slot, near, depth);
        }
    }

    fn compare_reals(
        &mut self,
        kind: ArithmeticKind,
        nan: i8,
        left: Slot,
        right: Slot,
        target: i64,
        depth: u32,
    ) {
        let comparison = match target {
            ..0 => Comparison::Less,
            0 => Comparison::Equal,
            _ => Comparison::Greater,
        };
        let kind = Kind::from(kind);
        for value in beside(kind, comparison, self.tape.value(right)) {
            self.make(left, value, depth);
        }
        for value in beside(kind, comparison.mirrored(), self.tape.value(left)) {
            self.make(right, value, depth);
        }
        if target == i64::from(nan)
            && let Some((_, nan)) = real::ranks(kind)
        {
            self.make(left, nan, depth);
            self.make(right, nan, depth);
        }
    }

    fn convert_to_real(&mut self, conversion: Conversion, operand: Slot, target: i64, depth: u32) {
        let opposite = match conversion {
            Conversion::IntToFloat => Conversion::FloatToInt,
            Conversion::IntToDouble => Conversion::DoubleToInt,
            Conversion::LongToFloat => Conversion::FloatToLong,
            Conversion::LongToDouble => Conversion::DoubleToLong,
            Conversion::FloatToInt => Conversion::IntToFloat,
            Conversion::FloatToLong => Conversion::LongToFloat,
            Conversion::DoubleToInt => Conversion::IntToDouble,
            Conversion::DoubleToLong => Conversion::LongToDouble,
            Conversion::FloatToDouble => Conversion::DoubleToFloat,
            Conversion::DoubleToFloat => Conversion::FloatToDouble,
            _ => return,
        };
        let guess = real::apply(Operation::Convert(opposite), target, 0);
        self.make_near(operand, guess, depth);
    }
}
