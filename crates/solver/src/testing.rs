//! What the tests of searching, labelling and deciding share: small random problems, and a complete
//! procedure that tries everything.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use crate::query::is_model;
use crate::store::{Simplified, Store};
use crate::{Answer, Complete, Constraint, Expr, Membership, Terms, Unknown};

/// An unknown `int` with a range.
pub(crate) fn int(name: &str, low: i64, high: i64) -> Unknown {
    Unknown { name: name.into(), kind: Kind::Int, low, high, own: 0 }
}

/// An unknown `int` that can be anything.
pub(crate) fn any_int(name: &str) -> Unknown {
    int(name, i32::MIN.into(), i32::MAX.into())
}

/// Shorthands for operations on `int`s.
pub(crate) const ADD: Operation = Operation::Add(ArithmeticKind::Int);
pub(crate) const MULTIPLY: Operation = Operation::Multiply(ArithmeticKind::Int);
pub(crate) const REMAINDER: Operation = Operation::Remainder(ArithmeticKind::Int);

/// All values of the unknowns that satisfy constraints, in ascending order.
pub(crate) fn solutions(terms: &Terms, constraints: &[Constraint]) -> Vec<Vec<i64>> {
    let unknowns = terms.unknowns();
    let mut values: Vec<i64> = unknowns.iter().map(|unknown| unknown.low).collect();
    let mut solutions = Vec::new();
    loop {
        if is_model(terms, constraints, &values) {
            solutions.push(values.clone());
        }
        let Some(place) = (0..values.len()).rev().find(|&at| values[at] < unknowns[at].high) else {
            return solutions;
        };
        values[place] += 1;
        for later in place + 1..values.len() {
            values[later] = unknowns[later].low;
        }
    }
}

/// A complete procedure that tries every assignment, the largest numbers first.
pub(crate) struct BruteForce;

impl Complete for BruteForce {
    fn check(&mut self, terms: &Terms, constraints: &[Constraint]) -> Answer {
        match solutions(terms, constraints).pop() {
            Some(solution) => Answer::Satisfiable(solution),
            None => Answer::Unsatisfiable,
        }
    }
}

/// A complete procedure that always gives up.
pub(crate) struct GivesUp;

impl Complete for GivesUp {
    fn check(&mut self, _: &Terms, _: &[Constraint]) -> Answer {
        Answer::Unknown
    }
}

/// A source of numbers that look random.
pub(crate) struct Random(u64);

impl Random {
    /// A source for each seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below another one.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// An `int` over terms.
    pub(crate) fn expression(&mut self, store: &mut Store, leaves: &[Expr], depth: u32) -> Expr {
        if depth == 0 || self.below(4) == 0 {
            return if self.below(3) == 0 {
                Expr::Constant(self.below(9) as i64 - 4)
            } else {
                self.one_of(leaves)
            };
        }
        let left = self.expression(store, leaves, depth - 1);
        let right = self.expression(store, leaves, depth - 1);
        let kind = ArithmeticKind::Int;
        match self.below(19) {
            0 => store.apply(Operation::Negate(kind), left, Expr::Constant(0)),
            1 => {
                let conversion = self.one_of(&[
                    Conversion::IntToByte,
                    Conversion::IntToChar,
                    Conversion::IntToShort,
                ]);
                store.apply(Operation::Convert(conversion), left, Expr::Constant(0))
            }
            2 => {
                let widen = Operation::Convert(Conversion::IntToLong);
                let left = store.apply(widen, left, Expr::Constant(0));
                let right = store.apply(widen, right, Expr::Constant(0));
                store.apply(Operation::Compare(ArithmeticKind::Long, 0), left, right)
            }
            3 => {
                let test = self.comparison(left, right);
                store.test(&test)
            }
            4 => {
                let test = self.comparison(left, right);
                let condition = store.test(&test);
                store.choose(Kind::Int, condition, left, self.one_of(leaves))
            }
            5 => {
                let table = [right, Expr::Constant(4), self.one_of(leaves), left];
                let index = self.one_of(leaves);
                store.select(Kind::Int, Rc::from(table), index)
            }
            number => {
                let operation = [
                    Operation::Add(kind),
                    Operation::Add(kind),
                    Operation::Subtract(kind),
                    Operation::Multiply(kind),
                    Operation::Divide(kind),
                    Operation::Remainder(kind),
                    Operation::ShiftLeft(kind),
                    Operation::ShiftRight(kind),
                    Operation::ShiftRightUnsigned(kind),
                    Operation::And(kind),
                    Operation::Or(kind),
                    Operation::ExclusiveOr(kind),
                    Operation::Remainder(kind),
                ][number - 6];
                store.apply(operation, left, right)
            }
        }
    }

    fn comparison(&mut self, left: Expr, right: Expr) -> Constraint {
        Constraint::int(left, self.one_of(&Comparison::ALL), right)
    }

    /// A constraint over terms.
    pub(crate) fn constraint(&mut self, store: &mut Store, leaves: &[Expr]) -> Constraint {
        let left = self.expression(store, leaves, 3);
        if self.below(6) == 0 {
            let mut constants: Vec<i32> = (0..4).map(|_| self.below(13) as i32 - 6).collect();
            constants.sort_unstable();
            constants.dedup();
            let is_member = self.below(2) == 0;
            return Constraint::Among(Membership {
                value: left,
                constants: Rc::from(constants),
                is_member,
            });
        }
        let right = self.expression(store, leaves, 2);
        self.comparison(left, right)
    }

    /// A store over one to three unknowns with some constraints on them that have a solution.
    pub(crate) fn problem(&mut self, store: &mut Store) -> Vec<Expr> {
        let leaves: Vec<Expr> = (0..1 + self.below(3))
            .map(|number| {
                let low = self.below(7) as i64 - 6;
                let high = low + self.below(9) as i64;
                store.unknown(int(&format!("x{number}"), low, high))
            })
            .collect();
        for _ in 0..self.below(4) {
            let constraint = self.constraint(store, &leaves);
            let Simplified::Open(constraint) = store.simplify(constraint) else { continue };
            let mark = store.mark();
            let possible = store.assume(constraint).is_ok()
                && !solutions(store.terms(), store.constraints()).is_empty();
            if !possible {
                store.undo(mark);
            }
        }
        leaves
    }
}
