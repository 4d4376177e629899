//! Rules for comparisons.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use crate::evaluate::{self, compares};
use crate::interval::{
    Interval, Outcomes, conversion_range, difference_is_exact, mirrored, sum_is_exact,
};
use crate::store::Store;
use crate::term::{Expr, Node};

/// A comparison of two `Int`s or two `Long`s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compared {
    pub(crate) kind: ArithmeticKind,
    pub(crate) comparison: Comparison,
    pub(crate) left: Expr,
    pub(crate) right: Expr,
}

impl Compared {
    fn mirrored(self) -> Compared {
        let Compared { kind, comparison, left, right } = self;
        Compared { kind, comparison: mirrored(comparison), left: right, right: left }
    }

    fn is_equality(self) -> bool {
        matches!(self.comparison, Comparison::Equal | Comparison::NotEqual)
    }
}

/// What a rule makes of a comparison.
enum Step {
    /// It holds always, or never.
    Decided(bool),
    /// It is another one.
    Other(Compared),
    /// No rule applies.
    Stuck,
}

impl Store {
    /// A comparison in its simplest form: a constant to the right, else the older term to the left.
    /// Or whether it holds, if the rules decide it.
    pub(crate) fn rewrite_comparison(&self, mut compared: Compared) -> Result<Compared, bool> {
        loop {
            compared.left = self.fixed(compared.left);
            compared.right = self.fixed(compared.right);
            let step = match (compared.left, compared.right) {
                (Expr::Constant(left), Expr::Constant(right)) => {
                    Step::Decided(compares(compared.comparison, left, right))
                }
                (Expr::Constant(_), Expr::Term(_)) => Step::Other(compared.mirrored()),
                (Expr::Term(_), Expr::Constant(constant)) => {
                    self.rewrite_with_constant(compared, constant)
                }
                (Expr::Term(left), Expr::Term(right)) if left > right => {
                    Step::Other(compared.mirrored())
                }
                (Expr::Term(_), Expr::Term(_)) => self.rewrite_with_term(compared),
            };
            match step {
                Step::Decided(truth) => return Err(truth),
                Step::Other(other) => compared = other,
                Step::Stuck => return Ok(compared),
            }
        }
    }

    /// Rules for something compared with a constant.
    fn rewrite_with_constant(&self, compared: Compared, constant: i64) -> Step {
        let Compared { kind, comparison, left, .. } = compared;
        let against = |left: Expr, constant: i64| {
            Step::Other(Compared { left, right: Expr::Constant(constant), ..compared })
        };
        match self.node(left) {
            Some(Node::Apply(operation, first, second)) => match (operation, second) {
                (Operation::Compare(of @ (ArithmeticKind::Int | ArithmeticKind::Long), _), _) => {
                    let outcomes = Outcomes::of_signs(|sign| compares(comparison, sign, constant));
                    match outcomes.comparison() {
                        Some(comparison) => Step::Other(Compared {
                            kind: of,
                            comparison,
                            left: first,
                            right: second,
                        }),
                        None => Step::Decided(outcomes == Outcomes::ALL),
                    }
                }
                (Operation::Add(_), Expr::Constant(offset)) => {
                    if compared.is_equality() {
                        let difference = Operation::Subtract(kind);
                        return against(first, evaluate::apply(difference, constant, offset));
                    }
                    match constant.checked_sub(offset) {
                        Some(bound)
                            if sum_is_exact(
                                kind,
                                self.domain(first),
                                Interval::constant(offset),
                            ) =>
                        {
                            self.against_bound(compared, first, bound)
                        }
                        _ => Step::Stuck,
                    }
                }
                (Operation::Subtract(_), Expr::Term(_)) => {
                    if let Expr::Constant(from) = first
                        && compared.is_equality()
                    {
                        let difference = Operation::Subtract(kind);
                        return against(second, evaluate::apply(difference, from, constant));
                    }
                    let is_exact =
                        || difference_is_exact(kind, self.domain(first), self.domain(second));
                    if constant == 0 && (compared.is_equality() || is_exact()) {
                        return Step::Other(Compared { left: first, right: second, ..compared });
                    }
                    Step::Stuck
                }
                (Operation::Negate(_), _) => {
                    let negated = evaluate::apply(Operation::Negate(kind), constant, 0);
                    let smallest = Interval::of_arithmetic(kind).low;
                    if compared.is_equality() {
                        against(first, negated)
                    } else if constant != smallest && self.domain(first).low != smallest {
                        Step::Other(Compared {
                            kind,
                            comparison: mirrored(comparison),
                            left: first,
                            right: Expr::Constant(negated),
                        })
                    } else {
                        Step::Stuck
                    }
                }
                (Operation::ExclusiveOr(_), Expr::Constant(mask)) if compared.is_equality() => {
                    against(first, constant ^ mask)
                }
                (Operation::Convert(Conversion::IntToLong), _) => {
                    let compared = Compared { kind: ArithmeticKind::Int, ..compared };
                    self.against_bound(compared, first, constant)
                }
                (Operation::Convert(conversion), _) => {
                    // Later constraints may show that nothing is cut off.
                    let range = conversion_range(conversion);
                    if !range.is_some_and(|range| self.domain(first).is_within(range)) {
                        return Step::Stuck;
                    }
                    let kind = if conversion == Conversion::LongToInt {
                        ArithmeticKind::Long
                    } else {
                        kind
                    };
                    Step::Other(Compared { kind, left: first, ..compared })
                }
                _ => Step::Stuck,
            },
            Some(Node::Test(of, test, first, second)) => {
                let kind =
                    if of == Kind::Long { ArithmeticKind::Long } else { ArithmeticKind::Int };
                let (if_true, if_false) =
                    (compares(comparison, 1, constant), compares(comparison, 0, constant));
                if if_true == if_false {
                    return Step::Decided(if_true);
                }
                let comparison = if if_true { test } else { test.negated() };
                Step::Other(Compared { kind, comparison, left: first, right: second })
            }
            Some(Node::Choose(_, condition, Expr::Constant(then), Expr::Constant(otherwise))) => {
                let (if_true, if_false) = (
                    compares(comparison, then, constant),
                    compares(comparison, otherwise, constant),
                );
                if if_true == if_false {
                    return Step::Decided(if_true);
                }
                Step::Other(Compared {
                    kind: ArithmeticKind::Int,
                    comparison: if if_true { Comparison::NotEqual } else { Comparison::Equal },
                    left: Expr::Term(condition),
                    right: Expr::Constant(0),
                })
            }
            _ => Step::Stuck,
        }
    }

    /// A comparison with a number that need not be of the kind.
    fn against_bound(&self, compared: Compared, left: Expr, bound: i64) -> Step {
        let all = Interval::of_arithmetic(compared.kind);
        if all.contains(bound) {
            Step::Other(Compared { left, right: Expr::Constant(bound), ..compared })
        } else {
            // Any number of the kind is on the same side.
            Step::Decided(compares(compared.comparison, 0, bound))
        }
    }

    /// Rules for two terms.
    fn rewrite_with_term(&self, compared: Compared) -> Step {
        let Compared { kind, comparison, left, right } = compared;
        if left == right {
            return Step::Decided(compares(comparison, 0, 0));
        }
        if let (
            Some(Node::Apply(Operation::Convert(Conversion::IntToLong), first, _)),
            Some(Node::Apply(Operation::Convert(Conversion::IntToLong), second, _)),
        ) = (self.node(left), self.node(right))
        {
            let kind = ArithmeticKind::Int;
            return Step::Other(Compared { kind, comparison, left: first, right: second });
        }
        let (left_base, left_offset) = self.base_and_offset(kind, left);
        let (right_base, right_offset) = self.base_and_offset(kind, right);
        if left_offset == 0 && right_offset == 0 {
            return Step::Stuck;
        }
        let is_exact = |base: Expr, offset: i64| {
            sum_is_exact(kind, self.domain(base), Interval::constant(offset))
        };
        let is_comparable = || {
            compared.is_equality()
                || (is_exact(left_base, left_offset) && is_exact(right_base, right_offset))
        };
        if left_base == right_base && is_comparable() {
            return Step::Decided(compares(comparison, left_offset, right_offset));
        }
        if left_offset == right_offset && is_comparable() {
            return Step::Other(Compared { left: left_base, right: right_base, ..compared });
        }
        Step::Stuck
    }
}
