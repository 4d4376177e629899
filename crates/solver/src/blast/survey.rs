//! What is known about the terms of a query before they are encoded.

use petrel_clp::{ArithmeticKind, Operation};
use rustc_hash::{FxHashMap, FxHashSet};

use super::encode::Unsupported;
use crate::constraint::Constraint;
use crate::term::{Expr, Node, TermId, Terms};

/// The largest common multiple of moduli that is worth a division of its own.
const LARGEST_MODULUS: u64 = 1 << 16;

/// The terms that constraints reach.
pub(super) struct Survey {
    /// The terms, operands first.
    pub(super) terms: Vec<TermId>,
    /// Whether unknown numbers are multiplied with or divided by each other.
    pub(super) is_nonlinear: bool,
    /// For terms with remainders by different constants: a common multiple of the constants.
    pub(super) moduli: FxHashMap<TermId, u64>,
}

impl Survey {
    /// Looks at all terms that constraints reach.
    pub(super) fn of(terms: &Terms, constraints: &[Constraint]) -> Result<Survey, Unsupported> {
        let mut survey = Survey {
            terms: reached(terms, constraints)?,
            is_nonlinear: false,
            moduli: FxHashMap::default(),
        };
        for &term in &survey.terms {
            use ArithmeticKind::{Int, Long};
            use Operation::{Divide, Multiply, Remainder};
            match terms.node(term) {
                Node::Apply(
                    Multiply(Int | Long) | Divide(Int | Long) | Remainder(Int | Long),
                    Expr::Term(_),
                    Expr::Term(_),
                ) => survey.is_nonlinear = true,
                Node::Apply(
                    Remainder(Int | Long),
                    Expr::Term(dividend),
                    Expr::Constant(divisor @ (..0 | 1..)),
                ) => {
                    let modulus = survey.moduli.entry(dividend).or_insert(1);
                    *modulus = common_multiple(*modulus, divisor.unsigned_abs());
                }
                _ => {}
            }
        }
        Ok(survey)
    }

    /// The constant to divide a term by before its remainder by another is taken, if that helps.
    pub(super) fn modulus(&self, dividend: TermId, divisor: u64) -> Option<u64> {
        let modulus = *self.moduli.get(&dividend)?;
        (modulus != divisor && modulus <= LARGEST_MODULUS).then_some(modulus)
    }
}

/// The terms that constraints reach, operands first.
fn reached(terms: &Terms, constraints: &[Constraint]) -> Result<Vec<TermId>, Unsupported> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut reached: Vec<TermId> = Vec::new();
    let roots = constraints.iter().flat_map(Constraint::operands).filter_map(Expr::term);
    let mut open: Vec<TermId> = roots.collect();
    if !open.iter().all(|&term| terms.is_exact(term)) {
        return Err(Unsupported);
    }
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        reached.push(term);
        open.extend(terms.operands(term));
        if let Node::Select(_, table, _) = terms.node(term) {
            open.extend(terms.table(table).iter().filter_map(|element| element.term()));
        }
    }
    // Operands have smaller numbers.
    reached.sort_unstable();
    Ok(reached)
}

/// The least common multiple, or a number that is too large to be of use.
fn common_multiple(a: u64, b: u64) -> u64 {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor).saturating_mul(b)
}
