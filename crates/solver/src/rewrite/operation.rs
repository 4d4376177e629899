//! Rules for operations and choices.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use crate::evaluate;
use crate::interval::{Interval, conversion_range, is_below_divisor};
use crate::real::Real;
use crate::store::Store;
use crate::term::{Expr, Node, TermId};

impl Store {
    /// Something simpler than an operation on integers, if a rule gives it. Not both operands are
    /// constants, and a constant is the second one if the order does not matter.
    pub(crate) fn rewrite_operation(
        &mut self,
        operation: Operation,
        left: Expr,
        right: Expr,
    ) -> Option<Expr> {
        match operation {
            Operation::Add(kind) => self.rewrite_sum(kind, left, right),
            Operation::Subtract(kind) => self.rewrite_difference(kind, left, right),
            Operation::Multiply(kind) => match (self.node(left), right) {
                (_, Expr::Constant(0)) => Some(right),
                (_, Expr::Constant(1)) => Some(left),
                (_, Expr::Constant(-1)) => Some(self.negate(kind, left)),
                (Some(Node::Apply(inner, base, Expr::Constant(_))), Expr::Constant(_))
                    if inner == operation =>
                {
                    self.rewrite_chain(operation, left, base, right)
                }
                (Some(Node::Apply(Operation::Negate(_), base, _)), Expr::Constant(_)) => {
                    let factor = fold(Operation::Negate(kind), right, Expr::Constant(0))?;
                    Some(self.apply(operation, base, factor))
                }
                _ => None,
            },
            Operation::Divide(kind) => match right {
                Expr::Constant(1) => Some(left),
                Expr::Constant(-1) => Some(self.negate(kind, left)),
                _ => None,
            },
            Operation::Remainder(_) => match right {
                Expr::Constant(1 | -1) => Some(Expr::Constant(0)),
                // Also for 0, whose remainder by 0 is here itself.
                _ if left == right => Some(Expr::Constant(0)),
                _ => is_below_divisor(self.domain(left), self.domain(right)).then_some(left),
            },
            Operation::Negate(kind) => match self.node(left)? {
                Node::Apply(Operation::Negate(_), base, _) => Some(base),
                Node::Apply(Operation::Subtract(_), from, what) => {
                    Some(self.apply(Operation::Subtract(kind), what, from))
                }
                _ => None,
            },
            Operation::ShiftLeft(kind)
            | Operation::ShiftRight(kind)
            | Operation::ShiftRightUnsigned(kind) => {
                let mask = if kind == ArithmeticKind::Int { 31 } else { 63 };
                match right {
                    Expr::Constant(count) if count & mask == 0 => Some(left),
                    Expr::Constant(count) if count & mask != count => {
                        Some(self.apply(operation, left, Expr::Constant(count & mask)))
                    }
                    _ if left == Expr::Constant(0) => Some(left),
                    _ => None,
                }
            }
            Operation::And(_) | Operation::Or(_) | Operation::ExclusiveOr(_) => {
                self.rewrite_bits(operation, left, right)
            }
            Operation::Compare(..) => (left == right).then_some(Expr::Constant(0)),
            Operation::Convert(conversion) => self.rewrite_conversion(conversion, left),
            Operation::SquareRoot(_) => None,
        }
    }

    /// Something simpler than an operation on numbers that are no integers, if a rule gives it. Of the
    /// laws of arithmetic, few hold for them.
    pub(crate) fn rewrite_reals(
        &mut self,
        operation: Operation,
        left: Expr,
        right: Expr,
    ) -> Option<Expr> {
        match (operation, self.node(left), right) {
            (Operation::Negate(_), Some(Node::Apply(inner, base, _)), _) if inner == operation => {
                Some(base)
            }
            (Operation::Multiply(kind) | Operation::Divide(kind), _, Expr::Constant(factor))
                if factor == one(kind) =>
            {
                Some(left)
            }
            // No `float` is lost on the way.
            (
                Operation::Convert(Conversion::DoubleToFloat),
                Some(Node::Apply(Operation::Convert(Conversion::FloatToDouble), base, _)),
                _,
            ) => Some(base),
            // Every `int` is a `double`.
            (
                Operation::Convert(Conversion::DoubleToInt),
                Some(Node::Apply(Operation::Convert(Conversion::IntToDouble), base, _)),
                _,
            ) => Some(base),
            _ => None,
        }
    }

    fn negate(&mut self, kind: ArithmeticKind, operand: Expr) -> Expr {
        self.apply(Operation::Negate(kind), operand, Expr::Constant(0))
    }

    /// `(base op a) op b` is `base op (a op b)`.
    fn rewrite_chain(
        &mut self,
        operation: Operation,
        left: Expr,
        base: Expr,
        right: Expr,
    ) -> Option<Expr> {
        let Some(Node::Apply(_, _, inner)) = self.node(left) else { return None };
        let constant = fold(operation, inner, right)?;
        Some(self.apply(operation, base, constant))
    }

    fn rewrite_sum(&mut self, kind: ArithmeticKind, left: Expr, right: Expr) -> Option<Expr> {
        let add = Operation::Add(kind);
        let subtract = Operation::Subtract(kind);
        if right == Expr::Constant(0) {
            return Some(left);
        }
        if right.constant().is_some() {
            return match self.node(left)? {
                Node::Apply(inner, base, Expr::Constant(_)) if inner == add => {
                    self.rewrite_chain(add, left, base, right)
                }
                Node::Apply(inner, from @ Expr::Constant(_), what) if inner == subtract => {
                    let from = fold(add, from, right)?;
                    Some(self.apply(subtract, from, what))
                }
                _ => None,
            };
        }
        for (one, other) in [(left, right), (right, left)] {
            match self.node(one) {
                Some(Node::Apply(Operation::Subtract(_), from, what)) if what == other => {
                    return Some(from);
                }
                Some(Node::Apply(Operation::Negate(_), what, _)) => {
                    return Some(self.apply(subtract, other, what));
                }
                _ => {}
            }
        }
        None
    }

    fn rewrite_difference(
        &mut self,
        kind: ArithmeticKind,
        left: Expr,
        right: Expr,
    ) -> Option<Expr> {
        let add = Operation::Add(kind);
        if let Expr::Constant(_) = right {
            let opposite = fold(Operation::Negate(kind), right, Expr::Constant(0))?;
            return Some(self.apply(add, left, opposite));
        }
        if left == Expr::Constant(0) {
            return Some(self.negate(kind, right));
        }
        let (left_base, left_offset) = self.base_and_offset(kind, left);
        let (right_base, right_offset) = self.base_and_offset(kind, right);
        if left_base == right_base {
            let offset = evaluate::apply(Operation::Subtract(kind), left_offset, right_offset);
            return Some(Expr::Constant(offset));
        }
        if let Some(Node::Apply(Operation::Add(_), one, other)) = self.node(left) {
            if one == right {
                return Some(other);
            }
            if other == right {
                return Some(one);
            }
        }
        match self.node(right)? {
            Node::Apply(Operation::Negate(_), what, _) => Some(self.apply(add, left, what)),
            _ => None,
        }
    }

    fn rewrite_bits(&mut self, operation: Operation, left: Expr, right: Expr) -> Option<Expr> {
        if left == right {
            let is_exclusive = matches!(operation, Operation::ExclusiveOr(_));
            return Some(if is_exclusive { Expr::Constant(0) } else { left });
        }
        let Expr::Constant(constant) = right else { return None };
        match (operation, constant) {
            (Operation::And(_), 0) | (Operation::Or(_), -1) => return Some(right),
            (Operation::And(_), -1) | (Operation::Or(_) | Operation::ExclusiveOr(_), 0) => {
                return Some(left);
            }
            _ => {}
        }
        match (operation, self.node(left)?) {
            (_, Node::Apply(inner, base, Expr::Constant(_))) if inner == operation => {
                return self.rewrite_chain(operation, left, base, right);
            }
            (Operation::ExclusiveOr(_), Node::Test(kind, comparison, one, other))
                if constant == 1 =>
            {
                return Some(
                    self.intern(Node::Test(kind, comparison.negated(), one, other), Kind::Int),
                );
            }
            _ => {}
        }
        // The lowest bits of a number that has no others.
        let is_low_mask = constant > 0 && constant & constant.wrapping_add(1) == 0;
        (matches!(operation, Operation::And(_))
            && is_low_mask
            && self.domain(left).is_within(Interval::new(0, constant)))
        .then_some(left)
    }

    fn rewrite_conversion(&mut self, conversion: Conversion, operand: Expr) -> Option<Expr> {
        let range = conversion_range(conversion);
        if range.is_some_and(|range| {
            conversion != Conversion::LongToInt && self.domain(operand).is_within(range)
        }) {
            return Some(operand);
        }
        match (conversion, self.node(operand)?) {
            (
                Conversion::LongToInt,
                Node::Apply(Operation::Convert(Conversion::IntToLong), base, _),
            ) => Some(base),
            (
                Conversion::IntToLong,
                Node::Apply(Operation::Convert(Conversion::LongToInt), base, _),
            ) => self.domain(base).is_within(Interval::INT).then_some(base),
            // What was cut off before is cut off anyway.
            (_, Node::Apply(Operation::Convert(inner), base, _))
                if bits_kept(conversion)? <= bits_kept(inner)? =>
            {
                Some(self.apply(Operation::Convert(conversion), base, Expr::Constant(0)))
            }
            (_, Node::Apply(Operation::And(_), base, Expr::Constant(mask))) => {
                let kept = (1i64 << bits_kept(conversion)?) - 1;
                (mask & kept == kept)
                    .then(|| self.apply(Operation::Convert(conversion), base, Expr::Constant(0)))
            }
            _ => None,
        }
    }

    /// Something simpler than a choice, if a rule gives it, else the choice with a simpler
    /// condition.
    pub(crate) fn rewrite_choice(
        &self,
        kind: Kind,
        condition: Expr,
        then: Expr,
        otherwise: Expr,
    ) -> Result<Expr, (TermId, Expr, Expr)> {
        if then == otherwise {
            return Ok(then);
        }
        let known = self.domain(condition);
        if !known.contains(0) || self.is_not_zero(condition) {
            return Ok(then);
        }
        if known.fixed() == Some(0) {
            return Ok(otherwise);
        }
        let Expr::Term(condition) = condition else { return Ok(otherwise) };
        match self.terms().node(condition) {
            Node::Test(
                Kind::Int,
                Comparison::NotEqual,
                inner @ Expr::Term(_),
                Expr::Constant(0),
            ) => {
                return self.rewrite_choice(kind, inner, then, otherwise);
            }
            Node::Test(Kind::Int, Comparison::Equal, inner @ Expr::Term(_), Expr::Constant(0)) => {
                return self.rewrite_choice(kind, inner, otherwise, then);
            }
            _ => {}
        }
        // A choice inside that was made already.
        let then = match self.node(then) {
            Some(Node::Choose(_, same, chosen, _)) if same == condition => chosen,
            _ => then,
        };
        let otherwise = match self.node(otherwise) {
            Some(Node::Choose(_, same, _, chosen)) if same == condition => chosen,
            _ => otherwise,
        };
        if then == otherwise {
            return Ok(then);
        }
        let is_truth = known.is_within(Interval::new(0, 1)) && kind == Kind::Int;
        if is_truth && (then, otherwise) == (Expr::Constant(1), Expr::Constant(0)) {
            return Ok(Expr::Term(condition));
        }
        Err((condition, then, otherwise))
    }
}

/// The value of an operation on constants.
fn fold(operation: Operation, left: Expr, right: Expr) -> Option<Expr> {
    Some(Expr::Constant(evaluate::apply(operation, left.constant()?, right.constant()?)))
}

/// The rank of 1.
fn one(kind: ArithmeticKind) -> i64 {
    if kind == ArithmeticKind::Float { 1f32.rank() } else { 1f64.rank() }
}

/// How many of the lowest bits a conversion of an `int` keeps.
fn bits_kept(conversion: Conversion) -> Option<u32> {
    match conversion {
        Conversion::IntToByte => Some(8),
        Conversion::IntToChar | Conversion::IntToShort => Some(16),
        _ => None,
    }
}
