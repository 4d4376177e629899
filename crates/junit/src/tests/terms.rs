//! Expressions, shortly.

use petrel_clp::Comparison;
use petrel_expression::{Expression, Node};
use petrel_testcase::{Condition, MadeBy};

pub(crate) fn name(name: &str) -> Expression {
    Expression::name(name)
}

pub(crate) fn int(value: i64) -> Expression {
    Expression::int(value)
}

pub(crate) fn text(text: &str) -> Expression {
    Expression::new(Node::Text(text.encode_utf16().collect()))
}

pub(crate) fn char_at(text: Expression, place: Expression) -> Expression {
    text.call("charAt", vec![place])
}

pub(crate) fn compare(left: Expression, comparison: Comparison, right: Expression) -> Expression {
    Expression::new(Node::Compare(comparison, left, right))
}

/// A condition that the program's own code makes.
pub(crate) fn own(test: &Expression) -> Condition {
    Condition { test: test.clone(), made_by: MadeBy::Program }
}
