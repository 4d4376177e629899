//! Constraints: what the guards of a path say about terms.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison};

use crate::term::Expr;

/// A condition on integers, and on the ranks of other numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// `left comparison right`, both `Int` or both `Long`. The rank of a `float` is compared as an `Int`,
    /// that of a `double` as a `Long`: equal ones are those of the same number, where NaN is one and the
    /// zeros are two. How Java compares numbers is an operation.
    Compare {
        /// `Int` or `Long`.
        kind: ArithmeticKind,
        /// How they compare.
        comparison: Comparison,
        /// The first number.
        left: Expr,
        /// The second number.
        right: Expr,
    },
    /// An `int` is, or is not, one of some constants: the cases of a `switch`.
    Among(Membership),
}

/// An `int` that is, or is not, one of some constants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Membership {
    /// The number.
    pub value: Expr,
    /// The constants in ascending order, each once.
    pub constants: Rc<[i32]>,
    /// Whether it is one of them.
    pub is_member: bool,
}

impl Constraint {
    /// A comparison of two `int`s.
    pub fn int(left: Expr, comparison: Comparison, right: Expr) -> Constraint {
        Constraint::Compare { kind: ArithmeticKind::Int, comparison, left, right }
    }

    /// A comparison of two `long`s.
    pub fn long(left: Expr, comparison: Comparison, right: Expr) -> Constraint {
        Constraint::Compare { kind: ArithmeticKind::Long, comparison, left, right }
    }

    /// What holds exactly if this does not.
    #[must_use]
    pub fn negated(&self) -> Constraint {
        match self {
            Constraint::Compare { kind, comparison, left, right } => Constraint::Compare {
                kind: *kind,
                comparison: comparison.negated(),
                left: *left,
                right: *right,
            },
            Constraint::Among(membership) => Constraint::Among(Membership {
                is_member: !membership.is_member,
                ..membership.clone()
            }),
        }
    }

    /// The terms that it speaks of.
    pub fn operands(&self) -> impl Iterator<Item = Expr> {
        let (first, second) = match self {
            Constraint::Compare { left, right, .. } => (*left, Some(*right)),
            Constraint::Among(membership) => (membership.value, None),
        };
        std::iter::once(first).chain(second)
    }
}
