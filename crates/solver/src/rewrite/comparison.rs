//! Rules for comparisons.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use crate::evaluate::{self, compares};
use crate::interval::{Interval, Outcomes, conversion_range, difference_is_exact, sum_is_exact};
use crate::real::is_on_reals;
use crate::store::Store;
use crate::term::{Expr, Node, TermId};

/// A comparison of two `Int`s or two `Long`s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compared {
    pub(crate) kind: ArithmeticKind,
    pub(crate) comparison: Comparison,
    pub(crate) left: Expr,
    pub(crate) right: Expr,
}

impl Compared {
    #[inline]
    fn mirror(&mut self) -> Step {
        std::mem::swap(&mut self.left, &mut self.right);
        self.comparison = self.comparison.mirrored();
        Step::Again
    }

    fn set(&mut self, left: Expr, right: Expr) -> Step {
        self.left = left;
        self.right = right;
        Step::Again
    }

    /// Compares with a constant that need not be of the kind.
    fn set_bound(&mut self, left: Expr, bound: i64) -> Step {
        if Interval::of_arithmetic(self.kind).contains(bound) {
            self.set(left, Expr::Constant(bound))
        } else {
            // All numbers of the kind are on the same side.
            Step::Decided(compares(self.comparison, 0, bound))
        }
    }

    #[inline]
    fn is_equality(&self) -> bool {
        matches!(self.comparison, Comparison::Equal | Comparison::NotEqual)
    }
}

/// What a rule makes of a comparison.
enum Step {
    /// It holds always, or never.
    Decided(bool),
    /// It is another one now.
    Again,
    /// No rule applies.
    Stuck,
}

impl Store {
    /// Brings a comparison to its simplest form: a constant to the right, else the older term to the
    /// left. Or says whether it holds, if the rules decide it.
    pub(crate) fn rewrite_comparison(&self, compared: &mut Compared) -> Option<bool> {
        loop {
            for side in [&mut compared.left, &mut compared.right] {
                if let Some(value) = self.domain(*side).fixed() {
                    *side = Expr::Constant(value);
                }
            }
            let step = match (compared.left, compared.right) {
                (Expr::Constant(left), Expr::Constant(right)) => {
                    Step::Decided(compares(compared.comparison, left, right))
                }
                (Expr::Constant(_), Expr::Term(_)) => compared.mirror(),
                (Expr::Term(left), Expr::Constant(constant)) => {
                    self.rewrite_with_constant(compared, left, constant)
                }
                (Expr::Term(left), Expr::Term(right)) if left > right => compared.mirror(),
                (Expr::Term(_), Expr::Term(_)) => self.rewrite_with_term(compared),
            };
            match step {
                Step::Decided(truth) => return Some(truth),
                Step::Again => {}
                Step::Stuck => return None,
            }
        }
    }

    /// Rules for a term compared with a constant.
    fn rewrite_with_constant(&self, compared: &mut Compared, term: TermId, constant: i64) -> Step {
        let comparison = compared.comparison;
        match self.terms().node(term) {
            Node::Apply(operation, first, second) => {
                self.rewrite_operation_with_constant(compared, operation, first, second, constant)
            }
            Node::Test(kind, test, first, second) => {
                let if_true = compares(comparison, 1, constant);
                if if_true == compares(comparison, 0, constant) {
                    return Step::Decided(if_true);
                }
                compared.kind =
                    if kind == Kind::Long { ArithmeticKind::Long } else { ArithmeticKind::Int };
                compared.comparison = if if_true { test } else { test.negated() };
                compared.set(first, second)
            }
            Node::Choose(_, condition, Expr::Constant(then), Expr::Constant(otherwise)) => {
                let if_true = compares(comparison, then, constant);
                if if_true == compares(comparison, otherwise, constant) {
                    return Step::Decided(if_true);
                }
                compared.kind = ArithmeticKind::Int;
                compared.comparison =
                    if if_true { Comparison::NotEqual } else { Comparison::Equal };
                compared.set(Expr::Term(condition), Expr::Constant(0))
            }
            _ => Step::Stuck,
        }
    }

    fn rewrite_operation_with_constant(
        &self,
        compared: &mut Compared,
        operation: Operation,
        first: Expr,
        second: Expr,
        constant: i64,
    ) -> Step {
        let kind = compared.kind;
        let is_equality = compared.is_equality();
        if is_on_reals(operation) {
            return Step::Stuck;
        }
        match (operation, second) {
            (Operation::Compare(of @ (ArithmeticKind::Int | ArithmeticKind::Long), _), _) => {
                let outcomes =
                    Outcomes::of_signs(|sign| compares(compared.comparison, sign, constant));
                let Some(comparison) = outcomes.comparison() else {
                    return Step::Decided(outcomes == Outcomes::ALL);
                };
                compared.kind = of;
                compared.comparison = comparison;
                compared.set(first, second)
            }
            (Operation::Add(_), Expr::Constant(offset)) => {
                if is_equality {
                    let constant = evaluate::apply(Operation::Subtract(kind), constant, offset);
                    return compared.set(first, Expr::Constant(constant));
                }
                match constant.checked_sub(offset) {
                    Some(bound)
                        if sum_is_exact(kind, self.domain(first), Interval::constant(offset)) =>
                    {
                        compared.set_bound(first, bound)
                    }
                    _ => Step::Stuck,
                }
            }
            (Operation::Subtract(_), Expr::Term(_)) => {
                if let Expr::Constant(from) = first
                    && is_equality
                {
                    let constant = evaluate::apply(Operation::Subtract(kind), from, constant);
                    return compared.set(second, Expr::Constant(constant));
                }
                let is_exact =
                    || difference_is_exact(kind, self.domain(first), self.domain(second));
                if constant == 0 && (is_equality || is_exact()) {
                    return compared.set(first, second);
                }
                Step::Stuck
            }
            (Operation::Negate(_), _) => {
                let smallest = Interval::of_arithmetic(kind).low;
                if !is_equality && (constant == smallest || self.domain(first).low == smallest) {
                    return Step::Stuck;
                }
                let negated = evaluate::apply(Operation::Negate(kind), constant, 0);
                compared.comparison = compared.comparison.mirrored();
                compared.set(first, Expr::Constant(negated))
            }
            (Operation::ExclusiveOr(_), Expr::Constant(mask)) if is_equality => {
                compared.set(first, Expr::Constant(constant ^ mask))
            }
            (Operation::Convert(Conversion::IntToLong), _) => {
                compared.kind = ArithmeticKind::Int;
                compared.set_bound(first, constant)
            }
            (Operation::Convert(conversion), _) => {
                // Later constraints may show that nothing is cut off.
                let range = conversion_range(conversion);
                if !range.is_some_and(|range| self.domain(first).is_within(range)) {
                    return Step::Stuck;
                }
                if conversion == Conversion::LongToInt {
                    compared.kind = ArithmeticKind::Long;
                }
                compared.set(first, Expr::Constant(constant))
            }
            _ => Step::Stuck,
        }
    }

    /// Rules for two terms.
    fn rewrite_with_term(&self, compared: &mut Compared) -> Step {
        let Compared { kind, comparison, left, right } = *compared;
        if left == right {
            return Step::Decided(compares(comparison, 0, 0));
        }
        if let (
            Some(Node::Apply(Operation::Convert(Conversion::IntToLong), first, _)),
            Some(Node::Apply(Operation::Convert(Conversion::IntToLong), second, _)),
        ) = (self.node(left), self.node(right))
        {
            compared.kind = ArithmeticKind::Int;
            return compared.set(first, second);
        }
        let (left_base, left_offset) = self.base_and_offset(kind, left);
        let (right_base, right_offset) = self.base_and_offset(kind, right);
        let is_same_base = left_base == right_base;
        let is_same_offset = left_offset == right_offset && left_offset != 0;
        if !is_same_base && !is_same_offset {
            return Step::Stuck;
        }
        let is_exact = |base: Expr, offset: i64| {
            sum_is_exact(kind, self.domain(base), Interval::constant(offset))
        };
        let never_wraps = || is_exact(left_base, left_offset) && is_exact(right_base, right_offset);
        if !compared.is_equality() && !never_wraps() {
            return Step::Stuck;
        }
        if is_same_base {
            Step::Decided(compares(comparison, left_offset, right_offset))
        } else {
            compared.set(left_base, right_base)
        }
    }
}
