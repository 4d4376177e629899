//! Operations of the target's own code that may overflow: where they are, and what is known of them.
//!
//! The engine knows an operation as a literal of a rule. Here it is an instruction of the bytecode with a source line:
//! the literals of a rule come in the order of its instructions. A division by an unknown number is a choice, and
//! its literal is the first of the rule in which the divisor is not zero.

use std::collections::{BTreeMap, BTreeSet};

use petrel_classfile::{Code, op};
use petrel_clp::{ArithmeticKind, Kind, Literal, Operation, Predicate, Procedure};
use petrel_engine::{Site, can_overflow};

use crate::case::Solution;

/// An operation that may overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arithmetic {
    /// Offset of the instruction.
    pub pc: u16,
    /// Its source line; 0 if the class file does not say.
    pub line: u16,
    /// What it does.
    pub operation: Operation,
}

impl Arithmetic {
    /// `addition`.
    pub fn name(&self) -> &'static str {
        match self.operation {
            Operation::Add(_) => "addition",
            Operation::Subtract(_) => "subtraction",
            Operation::Multiply(_) => "multiplication",
            Operation::Divide(_) => "division",
            _ => "negation",
        }
    }

    /// `int` or `long`.
    pub fn type_name(&self) -> &'static str {
        if self.operation.result_kind() == Kind::Long { "long" } else { "int" }
    }
}

/// An operation that overflows, with its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overflow {
    /// The operation.
    pub arithmetic: Arithmetic,
    /// Its operands when it overflows first; the second is 0 if there is only one.
    pub operands: (i64, i64),
}

impl Overflow {
    /// `2147483647 + 1 = 2147483648 is no int, Java gives -2147483648`.
    pub fn told(&self) -> String {
        let (left, right) = (i128::from(self.operands.0), i128::from(self.operands.1));
        let second = if right < 0 { format!("({right})") } else { right.to_string() };
        let (text, exact) = match self.arithmetic.operation {
            Operation::Add(_) => (format!("{left} + {second}"), left + right),
            Operation::Subtract(_) => (format!("{left} - {second}"), left - right),
            Operation::Multiply(_) => (format!("{left} * {second}"), left * right),
            Operation::Divide(_) => {
                (format!("{left} / {second}"), left.checked_div(right).unwrap_or_default())
            }
            _ => (format!("-({left})"), -left),
        };
        let of = self.arithmetic.type_name();
        let given = if of == "int" { i64::from(exact as i32) } else { exact as i64 };
        format!("{text} = {exact} is no {of}, Java gives {given}")
    }
}

/// Inputs of a case that make operations overflow.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseOverflow {
    /// All operations that overflow; one of them did not in what was found before.
    pub overflows: Vec<Overflow>,
    /// The input, and what it gives.
    pub solution: Solution,
}

/// What the paths of a target tell of its operations, by the offsets of their instructions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OverflowSummary {
    /// Those that overflow for some input.
    pub found: BTreeSet<u16>,
    /// Those that may overflow on a path that was left before its end.
    pub left: BTreeSet<u16>,
    /// Those that may overflow on a path for which the solver gave up.
    pub undecided: BTreeSet<u16>,
}

impl OverflowSummary {
    pub(crate) fn add(&mut self, other: &OverflowSummary) {
        self.found.extend(&other.found);
        self.left.extend(&other.left);
        self.undecided.extend(&other.undecided);
    }
}

/// The operations of a method that may overflow.
pub(crate) type Operations = BTreeMap<Site, Arithmetic>;

/// All operations of a procedure that may overflow.
pub(crate) fn operations(code: &Code, procedure: &Procedure) -> Operations {
    let mut all = Operations::new();
    for (number, predicate) in (0..).zip(&procedure.predicates) {
        for rule in 0..predicate.rules.len() {
            for (literal, arithmetic) in of_rule(code, predicate, rule) {
                all.insert(Site { predicate: number, rule: rule as u32, literal }, arithmetic);
            }
        }
    }
    all
}

fn of_rule(code: &Code, predicate: &Predicate, number: usize) -> Vec<(u32, Arithmetic)> {
    let rule = &predicate.rules[number];
    let instruction = |pc: u16| {
        let instruction = &code.instructions[code.index_of(pc)?];
        operation(instruction.opcode.byte()).map(|operation| (pc, operation))
    };
    let is_division =
        |&(_, operation): &(u16, Operation)| matches!(operation, Operation::Divide(_));
    let literals: Vec<(u32, Operation)> = (0..)
        .zip(rule.literals())
        .filter_map(|(position, literal)| match literal {
            Literal::Compute { operation, .. } if can_overflow(*operation) => {
                Some((position, *operation))
            }
            _ => None,
        })
        .collect();
    // The choice of a division: its own instruction ends the rule before.
    let first = instruction(predicate.pc).filter(is_division);
    let first = first.filter(|_| rule.instructions.first().is_none_or(|at| at.pc != predicate.pc));
    let own = rule.instructions.iter().filter_map(|at| instruction(at.pc));
    let instructions = first.into_iter().chain(own);
    literals
        .into_iter()
        .zip(instructions)
        .take_while(|((_, of_literal), (_, of_instruction))| of_literal == of_instruction)
        .map(|((literal, operation), (pc, _))| {
            let line = code.line_at(pc).unwrap_or_default();
            (literal, Arithmetic { pc, line, operation })
        })
        .collect()
}

/// What an instruction computes that may overflow.
fn operation(opcode: u8) -> Option<Operation> {
    use ArithmeticKind::{Int, Long};
    Some(match opcode {
        op::IADD | op::IINC => Operation::Add(Int),
        op::LADD => Operation::Add(Long),
        op::ISUB => Operation::Subtract(Int),
        op::LSUB => Operation::Subtract(Long),
        op::IMUL => Operation::Multiply(Int),
        op::LMUL => Operation::Multiply(Long),
        op::IDIV => Operation::Divide(Int),
        op::LDIV => Operation::Divide(Long),
        op::INEG => Operation::Negate(Int),
        op::LNEG => Operation::Negate(Long),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(operation: Operation, operands: (i64, i64)) -> String {
        Overflow { arithmetic: Arithmetic { pc: 0, line: 1, operation }, operands }.told()
    }

    #[test]
    fn the_exact_result_and_that_of_java_are_told() {
        use ArithmeticKind::{Int, Long};
        let least = i64::from(i32::MIN);
        assert_eq!(
            told(Operation::Add(Int), (2_147_483_647, 1)),
            "2147483647 + 1 = 2147483648 is no int, Java gives -2147483648"
        );
        assert_eq!(
            told(Operation::Divide(Int), (least, -1)),
            "-2147483648 / (-1) = 2147483648 is no int, Java gives -2147483648"
        );
        assert_eq!(
            told(Operation::Negate(Int), (least, 0)),
            "-(-2147483648) = 2147483648 is no int, Java gives -2147483648"
        );
        assert_eq!(
            told(Operation::Multiply(Long), (i64::MAX, 2)),
            "9223372036854775807 * 2 = 18446744073709551614 is no long, Java gives -2"
        );
        assert_eq!(
            told(Operation::Subtract(Long), (i64::MIN, 1)),
            "-9223372036854775808 - 1 = -9223372036854775809 is no long, Java gives 9223372036854775807"
        );
    }
}
