//! Evaluation: what terms and constraints are under an assignment of the unknowns.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};

use crate::constraint::Constraint;
use crate::real;
use crate::term::{Expr, Node, TermId, Terms};

/// An operation with Java's meaning; integers carry their sign (an `int` is a number from -2^31 to
/// 2^31-1), and other numbers are their ranks ([`crate::rank_of_bits`]). Division of integers by zero,
/// which rules guard against, is as in SMT-LIB: the quotient is -1 for a dividend that is not negative
/// and 1 for others, the remainder is the dividend.
#[inline]
pub fn apply(operation: Operation, left: i64, right: i64) -> i64 {
    use ArithmeticKind::{Int, Long};
    let (a, b) = (left as i32, right as i32);
    match operation {
        Operation::Add(Int) => a.wrapping_add(b).into(),
        Operation::Add(Long) => left.wrapping_add(right),
        Operation::Subtract(Int) => a.wrapping_sub(b).into(),
        Operation::Subtract(Long) => left.wrapping_sub(right),
        Operation::Multiply(Int) => a.wrapping_mul(b).into(),
        Operation::Multiply(Long) => left.wrapping_mul(right),
        Operation::Divide(Int | Long) if right == 0 => {
            if left >= 0 {
                -1
            } else {
                1
            }
        }
        Operation::Divide(Int) => a.wrapping_div(b).into(),
        Operation::Divide(Long) => left.wrapping_div(right),
        Operation::Remainder(Int | Long) if right == 0 => left,
        Operation::Remainder(Int) => a.wrapping_rem(b).into(),
        Operation::Remainder(Long) => left.wrapping_rem(right),
        Operation::Negate(Int) => a.wrapping_neg().into(),
        Operation::Negate(Long) => left.wrapping_neg(),
        Operation::ShiftLeft(Int) => a.wrapping_shl(b as u32).into(),
        Operation::ShiftLeft(Long) => left.wrapping_shl(b as u32),
        Operation::ShiftRight(Int) => a.wrapping_shr(b as u32).into(),
        Operation::ShiftRight(Long) => left.wrapping_shr(b as u32),
        Operation::ShiftRightUnsigned(Int) => ((a as u32).wrapping_shr(b as u32) as i32).into(),
        Operation::ShiftRightUnsigned(Long) => (left as u64).wrapping_shr(b as u32) as i64,
        Operation::And(Int | Long) => left & right,
        Operation::Or(Int | Long) => left | right,
        Operation::ExclusiveOr(Int | Long) => left ^ right,
        Operation::Compare(Int | Long, _) => left.cmp(&right) as i64,
        Operation::Convert(conversion) => match conversion {
            Conversion::IntToLong => left,
            Conversion::LongToInt => a.into(),
            Conversion::IntToByte => (a as i8).into(),
            Conversion::IntToChar => (a as u16).into(),
            Conversion::IntToShort => (a as i16).into(),
            _ => real::apply(operation, left, right),
        },
        _ => real::apply(operation, left, right),
    }
}

/// Whether two integers compare so.
#[inline]
pub fn compares(comparison: Comparison, left: i64, right: i64) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => left < right,
        Comparison::GreaterOrEqual => left >= right,
        Comparison::Greater => left > right,
        Comparison::LessOrEqual => left <= right,
    }
}

/// The value of a node when the values of its operands are known.
#[inline]
pub(crate) fn node_value(
    terms: &Terms,
    node: Node,
    unknowns: &[i64],
    value: impl Fn(Expr) -> i64,
) -> i64 {
    match node {
        Node::Unknown(unknown) => unknowns.get(unknown.index()).copied().unwrap_or_default(),
        Node::Apply(operation, left, right) => apply(operation, value(left), value(right)),
        Node::Test(_, comparison, left, right) => {
            compares(comparison, value(left), value(right)).into()
        }
        Node::Choose(_, condition, then, otherwise) => {
            value(if value(Expr::Term(condition)) == 0 { otherwise } else { then })
        }
        Node::MultiplyAdd(kind, operands) => real::multiply_add(kind, operands.map(value)),
        Node::Select(_, table, index) => {
            let index = usize::try_from(value(Expr::Term(index))).ok();
            index.and_then(|index| terms.table(table).get(index)).map_or(0, |&expr| value(expr))
        }
        Node::Opaque(..) => 0,
    }
}

/// The values of all terms up to one, for an assignment of the unknowns. Terms are numbered from the
/// inside out, so that one pass does it.
pub fn evaluate(terms: &Terms, unknowns: &[i64], up_to: usize) -> Vec<i64> {
    let mut values: Vec<i64> = Vec::with_capacity(up_to);
    for number in 0..up_to {
        let node = terms.node(TermId(number as u32));
        let value = node_value(terms, node, unknowns, |expr| match expr {
            Expr::Constant(constant) => constant,
            Expr::Term(term) => values[term.index()],
        });
        values.push(value);
    }
    values
}

/// Whether a constraint holds for the values of terms.
pub fn holds(constraint: &Constraint, value: impl Fn(Expr) -> i64) -> bool {
    match constraint {
        Constraint::Compare { comparison, left, right, .. } => {
            compares(*comparison, value(*left), value(*right))
        }
        Constraint::Among(membership) => {
            let value = value(membership.value) as i32;
            membership.constants.binary_search(&value).is_ok() == membership.is_member
        }
    }
}
