//! Boundaries: inputs of a path on the edges of its conditions, and next to them ("JTestCraft", section 7.4).
//!
//! A path on which `x > 10` holds has 11 on its edge and 12 next to it. What lies on the other side belongs to other
//! paths, which have edges of their own.

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_solver::{Constraint, Expr, Labelling, Node, Simplified, bits_of_rank, rank_of_bits};

use crate::machine::Machine;

/// So many constants of a `switch` are edges.
const MOST_CONSTANTS: usize = 8;

/// A place on an edge, or next to it: one number is another one, and an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boundary {
    kind: ArithmeticKind,
    left: Expr,
    right: Expr,
    offset: i64,
}

impl Boundary {
    /// Whether there is a real next to the constant that one is compared with: there is none beyond infinity.
    fn is_real(&self) -> bool {
        let place = self.right.constant().and_then(|rank| rank.checked_add(self.offset));
        let kind = self.kind.into();
        place.is_some_and(|rank| rank_of_bits(kind, bits_of_rank(kind, rank)) == rank)
    }
}

impl Machine<'_> {
    /// The edges of the conditions that the program's own code makes on the path, in the order of execution.
    pub fn boundaries(&self) -> Vec<Boundary> {
        let constraints = self.solver.store.constraints().iter().enumerate();
        let own = constraints.filter(|(number, _)| self.exploration.is_of_program(*number));
        own.flat_map(|(_, constraint)| self.boundaries_of(constraint)).collect()
    }

    fn boundaries_of(&self, constraint: &Constraint) -> Vec<Boundary> {
        let terms = self.solver.store.terms();
        if let Some((real, comparison)) = self.real_comparison(constraint) {
            let places = offsets(comparison).iter().map(|&offset| Boundary { offset, ..real });
            return places.filter(Boundary::is_real).collect();
        }
        // References are numbers, too.
        let is_integer = |expr: Expr| {
            let kind = expr.term().map(|term| terms.kind(term));
            kind.is_none_or(|kind| matches!(kind, Kind::Int | Kind::Long))
        };
        if !constraint.operands().all(is_integer) {
            return Vec::new();
        }
        match constraint {
            &Constraint::Compare { kind, comparison, left, right } => {
                let at = |offset| Boundary { kind, left, right, offset };
                offsets(comparison).iter().map(|&offset| at(offset)).collect()
            }
            Constraint::Among(membership) => {
                let (kind, left) = (ArithmeticKind::Int, membership.value);
                let at = |constant: i32, offset| Boundary {
                    kind,
                    left,
                    right: Expr::Constant(constant.into()),
                    offset,
                };
                let constants = &membership.constants;
                if membership.is_member {
                    return constants.iter().take(MOST_CONSTANTS).map(|&of| at(of, 0)).collect();
                }
                let outermost = constants.first().into_iter().chain(constants.last());
                outermost.flat_map(|&of| [at(of, -1), at(of, 1)]).collect()
            }
        }
    }

    /// The comparison of a real with a constant, if a constraint is one. What is next to a real has the next rank.
    fn real_comparison(&self, constraint: &Constraint) -> Option<(Boundary, Comparison)> {
        let &Constraint::Compare { comparison, left, right: Expr::Constant(0), .. } = constraint
        else {
            return None;
        };
        let compared = self.solver.store.terms().node(left.term()?);
        let Node::Apply(Operation::Compare(kind, _), left, right) = compared else { return None };
        let is_real = matches!(kind, ArithmeticKind::Float | ArithmeticKind::Double);
        let (left, right, comparison) = match (left, right) {
            (Expr::Term(_), Expr::Constant(_)) => (left, right, comparison),
            (Expr::Constant(_), Expr::Term(_)) => (right, left, comparison.mirrored()),
            _ => return None,
        };
        is_real.then_some((Boundary { kind, left, right, offset: 0 }, comparison))
    }

    /// Inputs that take the path and are at this place.
    pub fn label_boundary(&mut self, boundary: &Boundary) -> Labelling {
        let &Boundary { kind, left, right, offset } = boundary;
        let mark = self.solver.mark();
        let store = &mut self.solver.store;
        let is_there = match (kind, right) {
            (ArithmeticKind::Float | ArithmeticKind::Double, Expr::Constant(rank)) => {
                let place = Expr::Constant(rank.saturating_add(offset));
                let compared = store.apply(Operation::Compare(kind, -1), left, place);
                Constraint::int(compared, Comparison::Equal, Expr::Constant(0))
            }
            _ => {
                let right = store.apply(Operation::Add(kind), right, Expr::Constant(offset));
                Constraint::Compare { kind, comparison: Comparison::Equal, left, right }
            }
        };
        let is_there = store.simplify(is_there);
        let labelling = match is_there {
            Simplified::True => self.label(1),
            Simplified::Open(open) if self.solver.store.assume(open.clone()).is_ok() => {
                self.label(1)
            }
            Simplified::Open(_) | Simplified::False => Labelling::Unsatisfiable,
        };
        self.solver.undo(mark);
        labelling
    }
}

/// How far from the second number the first one is on the edge of a comparison, and next to it.
fn offsets(comparison: Comparison) -> &'static [i64] {
    match comparison {
        Comparison::Equal => &[],
        Comparison::NotEqual => &[-1, 1],
        Comparison::Less => &[-1, -2],
        Comparison::LessOrEqual => &[0, -1],
        Comparison::Greater => &[1, 2],
        Comparison::GreaterOrEqual => &[0, 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_satisfy_the_comparison_and_the_first_is_its_edge() {
        let holds = |comparison: Comparison, offset: i64| match comparison {
            Comparison::Equal => offset == 0,
            Comparison::NotEqual => offset != 0,
            Comparison::Less => offset < 0,
            Comparison::LessOrEqual => offset <= 0,
            Comparison::Greater => offset > 0,
            Comparison::GreaterOrEqual => offset >= 0,
        };
        let all = [
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessOrEqual,
            Comparison::Greater,
            Comparison::GreaterOrEqual,
        ];
        for comparison in all {
            let offsets = offsets(comparison);
            assert!(offsets.iter().all(|&offset| holds(comparison, offset)), "{comparison:?}");
            let first = offsets[0];
            let is_edge = [-1, 1].iter().any(|step| !holds(comparison, first + step));
            assert!(is_edge, "{comparison:?}");
        }
    }
}
