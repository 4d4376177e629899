//! Truth values as terms: 0 and 1, made as small as they can be.

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_solver::{Constraint, Expr, Store};

pub(crate) const FALSE: Expr = Expr::Constant(0);
pub(crate) const TRUE: Expr = Expr::Constant(1);

/// Whether both hold.
pub fn both(store: &mut Store, left: Expr, right: Expr) -> Expr {
    match (left, right) {
        (FALSE, _) | (_, FALSE) => FALSE,
        (TRUE, other) | (other, TRUE) => other,
        _ => store.apply(Operation::And(ArithmeticKind::Int), left, right),
    }
}

/// Whether one of two holds.
pub fn either(store: &mut Store, left: Expr, right: Expr) -> Expr {
    match (left, right) {
        (TRUE, _) | (_, TRUE) => TRUE,
        (FALSE, other) | (other, FALSE) => other,
        _ => store.apply(Operation::Or(ArithmeticKind::Int), left, right),
    }
}

/// Whether something does not hold.
pub fn not(store: &mut Store, truth: Expr) -> Expr {
    store.test(&Constraint::int(truth, Comparison::Equal, FALSE))
}

/// The constraint that something holds.
pub fn truth(truth: Expr) -> Constraint {
    Constraint::int(truth, Comparison::NotEqual, FALSE)
}

/// One truth value or another. The condition is any number: 0 is false.
pub(crate) fn choose(store: &mut Store, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let condition = store.test(&truth(condition));
    match (then, otherwise) {
        _ if then == otherwise => then,
        (TRUE, _) => either(store, condition, otherwise),
        (_, FALSE) => both(store, condition, then),
        (FALSE, _) => {
            let opposite = not(store, condition);
            both(store, opposite, otherwise)
        }
        (_, TRUE) => {
            let opposite = not(store, condition);
            either(store, opposite, then)
        }
        _ => store.choose(Kind::Int, condition, then, otherwise),
    }
}
