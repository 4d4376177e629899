//! Operations of the target's own code that may overflow: where they are, and what is known of them.
//!
//! The engine knows an operation as a literal of a rule. Here it is an instruction of the bytecode with a source line.

use std::collections::{BTreeMap, BTreeSet};

use petrel_clp::{Kind, Literal, Operation, Procedure};
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
pub(crate) fn operations(procedure: &Procedure) -> Operations {
    let lines: BTreeMap<u16, u16> =
        procedure.instructions().map(|instruction| (instruction.pc, instruction.line)).collect();
    let mut all = Operations::new();
    for (predicate, known) in (0..).zip(&procedure.predicates) {
        for (rule, known) in (0..).zip(&known.rules) {
            for (literal, placed) in (0..).zip(&known.body) {
                let Literal::Compute { operation, .. } = placed.literal else { continue };
                if can_overflow(operation) {
                    let pc = placed.pc;
                    let line = lines.get(&pc).copied().unwrap_or_default();
                    let arithmetic = Arithmetic { pc, line, operation };
                    all.insert(Site { predicate, rule, literal }, arithmetic);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use petrel_clp::ArithmeticKind;

    use super::*;

    fn told(operation: Operation, operands: (i64, i64)) -> String {
        Overflow { arithmetic: Arithmetic { pc: 0, line: 1, operation }, operands }.told()
    }

    #[test]
    fn operations_are_where_their_literals_say() {
        let text = r#"
            :- procedure('T', divide, '(II)I', static).
            :- predicate(divide, entry, 0).
            %@ 3: 0 iload_0, 1 iload_1, 2 iadd, 3 iload_1, 4 idiv
            divide([A,B],[R],H,H1,E,divide(1,[],[T])) :- C #= A+B, by([A,B,C],[R],H,H1,E,T).
            :- predicate(by, choice, 4).
            %@ 4: 5 lconst_1, 6 ladd, 7 l2i, 8 ireturn
            by([A,B,C],[Q],H,H,ok,by(1,[],[])) :- B #\= 0, Q #= C/B.
            %@ 5: 9 astore_2; 6: 10 iload_0, 11 ineg, 12 ireturn
            by([A,B,C],[N],H,H1,ok,by(2,[],[])) :-
                B #= 0, throwable(H,'java/lang/ArithmeticException',text("/ by zero"),X,H1), N #= -A.
        "#;
        let procedures = petrel_clp::parse::procedures(text).expect("it is a program");
        let found: Vec<(u16, u16, &str)> = operations(&procedures[0])
            .values()
            .map(|operation| (operation.pc, operation.line, operation.name()))
            .collect();
        // The division is decided in the rule before, and its handler has an operation of its own.
        assert_eq!(found, [(2, 3, "addition"), (4, 3, "division"), (11, 6, "negation")]);
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
