//! Simplifying constraints: by rules, by intervals, and by the constraints on the same terms.

use std::rc::Rc;

use petrel_clp::Comparison;

use super::{NONE, Simplified, Store};
use crate::constraint::{Constraint, Membership};
use crate::interval::{Outcomes, decide};
use crate::rewrite::Compared;
use crate::term::Expr;

/// How many of the last constraints on a term are compared with a new one.
const GUARDS_COMPARED: usize = 32;

impl Store {
    /// Rewrites a constraint, and decides it if its form, the intervals or another constraint on the
    /// same terms decide it. The store stays as it is.
    pub fn simplify(&mut self, constraint: Constraint) -> Simplified {
        match constraint {
            Constraint::Compare { kind, comparison, left, right } => {
                self.simplify_comparison(Compared { kind, comparison, left, right })
            }
            Constraint::Among(membership) => self.simplify_membership(membership),
        }
    }

    fn simplify_comparison(&self, mut compared: Compared) -> Simplified {
        if let Some(truth) = self.rewrite_comparison(&mut compared) {
            return decided(truth);
        }
        let Compared { kind, comparison, left, right } = compared;
        if let Some(truth) = decide(comparison, self.domain(left), self.domain(right)) {
            return decided(truth);
        }
        if let Expr::Constant(constant) = right
            && self.is_chosen(left)
        {
            if !self.may_compare(left, comparison, constant) {
                return Simplified::False;
            }
            if !self.may_compare(left, comparison.negated(), constant) {
                return Simplified::True;
            }
        }
        let wanted = Outcomes::of(comparison);
        let known = self.known_outcomes(left, right);
        let open = wanted.intersect(known);
        if open == Outcomes::NONE {
            return Simplified::False;
        }
        if open == known {
            return Simplified::True;
        }
        let comparison = open.comparison().unwrap_or(comparison);
        Simplified::Open(Constraint::Compare { kind, comparison, left, right })
    }

    /// How two things can compare, by the constraints on both.
    fn known_outcomes(&self, left: Expr, right: Expr) -> Outcomes {
        let mut known = Outcomes::ALL;
        let Expr::Term(term) = left else { return known };
        if right == Expr::Constant(0) && self.is_not_zero(left) {
            known = Outcomes::of(Comparison::NotEqual);
        }
        let mut at = self.cells[term.index()].guards;
        for _ in 0..GUARDS_COMPARED {
            if at == NONE {
                break;
            }
            let guard = self.guards[at as usize];
            at = guard.next;
            let Constraint::Compare { comparison, left: first, right: second, .. } =
                self.constraints[guard.constraint as usize]
            else {
                continue;
            };
            if (first, second) == (left, right) {
                known = known.intersect(Outcomes::of(comparison));
            } else if (second, first) == (left, right) {
                known = known.intersect(Outcomes::of(comparison.mirrored()));
            }
        }
        known
    }

    fn simplify_membership(&self, membership: Membership) -> Simplified {
        let value = self.fixed(membership.value);
        let known = self.domain(value);
        let is_member = membership.is_member;
        let constants = &membership.constants;
        let first = constants.partition_point(|&constant| i64::from(constant) < known.low);
        let past = constants.partition_point(|&constant| i64::from(constant) <= known.high);
        let is_not_zero = known.contains(0) && self.is_not_zero(value);
        let mut inside = constants[first..past.max(first)]
            .iter()
            .filter(|&&constant| !(constant == 0 && is_not_zero));
        let Some(&one) = inside.next() else { return decided(!is_member) };
        let count = 1 + inside.count() as i64;
        if count == known.high - known.low + 1 - i64::from(is_not_zero) {
            return decided(is_member);
        }
        if count == 1 {
            let comparison = if is_member { Comparison::Equal } else { Comparison::NotEqual };
            return self.simplify_comparison(Compared {
                kind: petrel_clp::ArithmeticKind::Int,
                comparison,
                left: value,
                right: Expr::Constant(one.into()),
            });
        }
        let constants = Rc::clone(constants);
        Simplified::Open(Constraint::Among(Membership { value, constants, is_member }))
    }
}

fn decided(truth: bool) -> Simplified {
    if truth { Simplified::True } else { Simplified::False }
}
