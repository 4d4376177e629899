//! Inversion: from a constraint that does not hold back to values of unknowns that could repair it.
//!
//! One operand of each operation is changed while the other keeps its value. The results are guesses
//! (operations wrap, round and forget bits): whoever uses them evaluates them.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};

mod reals;

use crate::real::is_on_reals;
use crate::tape::{Definition, Slot, Step, Tape};

/// How many operations are looked at, because terms can share operands.
const VISITS: u32 = 200;
/// How deep inversion goes, because it recurs.
const DEPTH: u32 = 64;
/// How many elements of a table are looked at.
const ELEMENTS: usize = 128;

/// The values, with positions of unknowns, that could make a constraint hold which does not.
pub(crate) fn repairs(tape: &Tape, constraint: Step, repairs: &mut Vec<(usize, i64)>) {
    repairs.clear();
    let mut inversion = Inversion { tape, repairs, visits: VISITS };
    match constraint {
        Step::Require { comparison, left, right } => inversion.compare(comparison, left, right, 0),
        Step::RequireAmong { value, set, is_member } => {
            let constants = tape.set(set);
            if is_member {
                for &constant in constants.iter().take(ELEMENTS) {
                    inversion.make(value, constant.into(), 0);
                }
            } else {
                // The closest numbers on both sides that are not among the constants.
                let among = |number: i64| {
                    i32::try_from(number)
                        .is_ok_and(|number| constants.binary_search(&number).is_ok())
                };
                let now = tape.value(value);
                for direction in [1, -1] {
                    let mut free = now;
                    while among(free) {
                        free += direction;
                    }
                    inversion.make(value, free, 0);
                }
            }
        }
        Step::Apply { .. }
        | Step::Test { .. }
        | Step::Choose { .. }
        | Step::MultiplyAdd { .. }
        | Step::Select { .. } => {}
    }
}

struct Inversion<'a> {
    tape: &'a Tape,
    repairs: &'a mut Vec<(usize, i64)>,
    visits: u32,
}

impl Inversion<'_> {
    fn compare(&mut self, comparison: Comparison, left: Slot, right: Slot, depth: u32) {
        let (a, b) = (self.tape.value(left), self.tape.value(right));
        let (lefts, rights) = match comparison {
            Comparison::Equal | Comparison::LessOrEqual | Comparison::GreaterOrEqual => {
                ([Some(b), None], [Some(a), None])
            }
            Comparison::NotEqual => {
                ([b.checked_add(1), b.checked_sub(1)], [a.checked_add(1), a.checked_sub(1)])
            }
            Comparison::Less => ([b.checked_sub(1), None], [a.checked_add(1), None]),
            Comparison::Greater => ([b.checked_add(1), None], [a.checked_sub(1), None]),
        };
        for target in lefts.into_iter().flatten() {
            self.make(left, target, depth);
        }
        for target in rights.into_iter().flatten() {
            self.make(right, target, depth);
        }
    }

    /// Guesses what gives a slot a value.
    fn make(&mut self, slot: Slot, target: i64, depth: u32) {
        if self.visits == 0 || depth > DEPTH {
            return;
        }
        self.visits -= 1;
        let depth = depth + 1;
        match self.tape.definition(slot) {
            Definition::Constant => {}
            Definition::Unknown(position) => {
                if !self.repairs.contains(&(position, target)) {
                    self.repairs.push((position, target));
                }
            }
            Definition::Computed(Step::Apply { operation, left, right, .. }) => {
                self.apply(operation, left, right, target, depth);
            }
            Definition::Computed(Step::Test { comparison, left, right, .. }) => {
                let comparison = if target == 0 { comparison.negated() } else { comparison };
                self.compare(comparison, left, right, depth);
            }
            Definition::Computed(Step::Choose { condition, then, otherwise, .. }) => {
                let is_true = self.tape.value(condition) != 0;
                let (taken, other) = if is_true { (then, otherwise) } else { (otherwise, then) };
                self.make(taken, target, depth);
                if self.tape.value(other) == target || self.is_computed(other) {
                    self.make(condition, (!is_true).into(), depth);
                }
            }
            Definition::Computed(Step::MultiplyAdd { kind, operands, .. }) => {
                self.multiply_add(kind, operands, target, depth);
            }
            Definition::Computed(Step::Select { elements, count, index, .. }) => {
                let now = self.tape.value(index);
                let elements = self.tape.elements(elements, count);
                for (number, &element) in elements.iter().enumerate().take(ELEMENTS) {
                    if number as i64 == now {
                        self.make(element, target, depth);
                    } else if self.tape.value(element) == target || self.is_computed(element) {
                        self.make(index, number as i64, depth);
                    }
                }
            }
            Definition::Computed(Step::Require { .. } | Step::RequireAmong { .. }) => {}
        }
    }

    fn is_computed(&self, slot: Slot) -> bool {
        !matches!(self.tape.definition(slot), Definition::Constant)
    }

    fn apply(&mut self, operation: Operation, left: Slot, right: Slot, target: i64, depth: u32) {
        if is_on_reals(operation) {
            return self.apply_to_reals(operation, left, right, target, depth);
        }
        let (a, b) = (self.tape.value(left), self.tape.value(right));
        let wrap = |kind: ArithmeticKind, value: i64| match kind {
            ArithmeticKind::Int => i64::from(value as i32),
            _ => value,
        };
        match operation {
            Operation::Add(kind) => {
                self.make(left, wrap(kind, target.wrapping_sub(b)), depth);
                self.make(right, wrap(kind, target.wrapping_sub(a)), depth);
            }
            Operation::Subtract(kind) => {
                self.make(left, wrap(kind, target.wrapping_add(b)), depth);
                self.make(right, wrap(kind, a.wrapping_sub(target)), depth);
            }
            Operation::Negate(kind) => self.make(left, wrap(kind, target.wrapping_neg()), depth),
            Operation::Multiply(kind) if left == right => {
                let root = target.max(0).isqrt();
                self.make(left, wrap(kind, root), depth);
                self.make(left, wrap(kind, root + 1), depth);
            }
            Operation::Multiply(kind) => {
                self.factor(left, target, b, kind, depth);
                self.factor(right, target, a, kind, depth);
            }
            Operation::Divide(kind) => {
                let product = target.wrapping_mul(b);
                let rest = b.saturating_abs().saturating_sub(1);
                self.make(left, wrap(kind, product), depth);
                self.make(left, wrap(kind, product.wrapping_add(rest)), depth);
                self.make(left, wrap(kind, product.wrapping_sub(rest)), depth);
                if target != 0 {
                    self.make(right, wrap(kind, a.wrapping_div(target)), depth);
                } else {
                    self.make(right, wrap(kind, a.wrapping_add(1)), depth);
                }
            }
            Operation::Remainder(kind) => {
                self.make(left, target, depth);
                if b != 0 {
                    let multiple = a.wrapping_sub(a.wrapping_rem(b));
                    self.make(left, wrap(kind, multiple.wrapping_add(target)), depth);
                }
                self.make(right, wrap(kind, a.wrapping_sub(target)), depth);
            }
            Operation::And(_) => {
                self.make(left, (a & !b) | (target & b), depth);
                self.make(right, (b & !a) | (target & a), depth);
                self.make(left, target, depth);
                self.make(right, target, depth);
            }
            Operation::Or(_) => {
                self.make(left, (a & b) | (target & !b), depth);
                self.make(right, (a & b) | (target & !a), depth);
                self.make(left, target, depth);
                self.make(right, target, depth);
            }
            Operation::ExclusiveOr(_) => {
                self.make(left, target ^ b, depth);
                self.make(right, target ^ a, depth);
            }
            Operation::ShiftLeft(ArithmeticKind::Int) => {
                self.make(left, (target as i32).wrapping_shr(b as u32).into(), depth);
            }
            Operation::ShiftLeft(_) => self.make(left, target.wrapping_shr(b as u32), depth),
            Operation::ShiftRight(ArithmeticKind::Int)
            | Operation::ShiftRightUnsigned(ArithmeticKind::Int) => {
                self.make(left, (target as i32).wrapping_shl(b as u32).into(), depth);
            }
            Operation::ShiftRight(_) | Operation::ShiftRightUnsigned(_) => {
                self.make(left, target.wrapping_shl(b as u32), depth);
            }
            Operation::Compare(..) => {
                let comparison = match target {
                    ..0 => Comparison::Less,
                    0 => Comparison::Equal,
                    _ => Comparison::Greater,
                };
                self.compare(comparison, left, right, depth);
            }
            Operation::Convert(
                Conversion::IntToLong
                | Conversion::LongToInt
                | Conversion::IntToByte
                | Conversion::IntToChar
                | Conversion::IntToShort,
            ) => self.make(left, target, depth),
            Operation::Convert(_) | Operation::SquareRoot(_) => {}
        }
    }

    /// Guesses a factor whose product with another is about the target.
    fn factor(&mut self, slot: Slot, target: i64, other: i64, kind: ArithmeticKind, depth: u32) {
        if other == 0 {
            return;
        }
        let quotient = target.wrapping_div_euclid(other);
        self.make(slot, quotient, depth);
        if quotient.wrapping_mul(other) == target {
            return;
        }
        self.make(slot, quotient.wrapping_add(1), depth);
        if other % 2 != 0 {
            // Odd numbers have an inverse where products wrap: each round doubles its right bits.
            let mut inverse = other;
            for _ in 0..6 {
                inverse = inverse.wrapping_mul(2i64.wrapping_sub(other.wrapping_mul(inverse)));
            }
            let product = target.wrapping_mul(inverse);
            let is_int = kind == ArithmeticKind::Int;
            self.make(slot, if is_int { (product as i32).into() } else { product }, depth);
        }
    }
}

#[cfg(test)]
mod tests;
