//! What is known about the terms of a query before they are encoded.

use petrel_clp::{ArithmeticKind, Operation};
use rustc_hash::FxHashMap;

use super::encode::bound;
use crate::constraint::Constraint;
use crate::query::{Unsupported, inputs, reached};
use crate::term::{Expr, Node, TermId, Terms};

/// The terms that constraints reach.
pub(super) struct Survey {
    /// The terms, operands first.
    pub(super) terms: Vec<TermId>,
    /// Whether there are products of unknown numbers, or divisions that are more than shifts.
    pub(super) is_hard: bool,
    /// A common multiple of the constants that a term is divided by to get remainders. `None` if
    /// anything else depends on the term, except that its range has bounds.
    periods: FxHashMap<TermId, Option<i64>>,
}

impl Survey {
    /// Looks at all terms that constraints reach.
    pub(super) fn of(terms: &Terms, constraints: &[Constraint]) -> Result<Survey, Unsupported> {
        let reached = reached(terms, constraints)?;
        let is_hard = reached.iter().any(|&term| is_hard(terms.node(term)));
        let mut survey = Survey { terms: Vec::new(), is_hard, periods: FxHashMap::default() };
        for constraint in constraints.iter().filter(|constraint| bound(constraint).is_none()) {
            for term in constraint.operands().filter_map(Expr::term) {
                survey.periods.insert(term, None);
            }
        }
        for &term in &reached {
            match terms.node(term) {
                Node::Apply(
                    Operation::Remainder(_),
                    Expr::Term(dividend),
                    Expr::Constant(divisor),
                ) => {
                    let period = survey.periods.entry(dividend).or_insert(Some(1));
                    *period = period.and_then(|period| common_multiple(period, divisor));
                }
                _ => {
                    for operand in inputs(terms, term) {
                        survey.periods.insert(operand, None);
                    }
                }
            }
        }
        survey.terms = reached;
        Ok(survey)
    }

    /// If the constraints depend on a number by its remainders and bounds alone: a multiple of all
    /// divisors.
    pub(super) fn period(&self, term: TermId) -> Option<i64> {
        self.periods.get(&term).copied().flatten()
    }
}

/// Whether small numbers, or short ones, make the circuit of an operation far easier.
fn is_hard(node: Node) -> bool {
    use ArithmeticKind::{Double, Float, Int, Long};
    match node {
        Node::Apply(
            Operation::Add(Float | Double)
            | Operation::Subtract(Float | Double)
            | Operation::Multiply(Float | Double)
            | Operation::Divide(Float | Double)
            | Operation::Remainder(Float | Double)
            | Operation::SquareRoot(_),
            ..,
        ) => true,
        Node::MultiplyAdd(..) => true,
        Node::Apply(Operation::Multiply(Int | Long), Expr::Term(_), Expr::Term(_)) => true,
        Node::Apply(Operation::Divide(Int | Long) | Operation::Remainder(Int | Long), _, by) => {
            by.constant().is_none_or(|divisor| !divisor.unsigned_abs().is_power_of_two())
        }
        _ => false,
    }
}

/// The least common multiple, if there is one.
fn common_multiple(a: i64, b: i64) -> Option<i64> {
    let (mut divisor, mut rest) = (a, b.checked_abs()?);
    if rest == 0 {
        return None;
    }
    let multiple = rest;
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor).checked_mul(multiple)
}
