//! What the complete decision procedures have in common.

use petrel_clp::Kind;
use rustc_hash::FxHashSet;

use crate::constraint::Constraint;
use crate::evaluate::{evaluate, holds};
use crate::model::first_value;
use crate::term::{Expr, Node, TermId, Terms, Unknown};

/// A constraint involves something opaque, or is too large.
#[derive(Debug)]
pub(crate) struct Unsupported;

/// How many bits an integer, or a rank, of a kind has.
pub(crate) fn width(kind: Kind) -> Result<usize, Unsupported> {
    match kind {
        Kind::Int | Kind::Reference | Kind::Float => Ok(32),
        Kind::Long | Kind::Double => Ok(64),
        Kind::Exit => Err(Unsupported),
    }
}

/// The terms that constraints reach, operands first.
pub(crate) fn reached(
    terms: &Terms,
    constraints: &[Constraint],
) -> Result<Vec<TermId>, Unsupported> {
    let roots = constraints.iter().flat_map(Constraint::operands).filter_map(Expr::term);
    let mut open: Vec<TermId> = roots.collect();
    if !open.iter().all(|&term| terms.is_exact(term)) {
        return Err(Unsupported);
    }
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut reached: Vec<TermId> = Vec::new();
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            reached.push(term);
            open.extend(inputs(terms, term));
        }
    }
    // Operands have smaller numbers.
    reached.sort_unstable();
    Ok(reached)
}

/// The terms that a term depends on directly, with the elements of tables.
pub(crate) fn inputs(terms: &Terms, term: TermId) -> impl Iterator<Item = TermId> {
    let elements = match terms.node(term) {
        Node::Select(_, table, _) => terms.table(table),
        _ => &[],
    };
    terms.operands(term).chain(elements.iter().filter_map(|element| element.term()))
}

/// For every unknown, the value that it has as long as only its range is known.
pub(crate) fn default_model(terms: &Terms) -> Vec<i64> {
    terms.unknowns().iter().map(first_value).collect()
}

/// Whether values of the unknowns lie in their ranges and satisfy the constraints.
pub(crate) fn is_model(terms: &Terms, constraints: &[Constraint], model: &[i64]) -> bool {
    let outermost = constraints.iter().flat_map(Constraint::operands).filter_map(Expr::term).max();
    let values = evaluate(terms, model, outermost.map_or(0, |term| term.index() + 1));
    let value = |expr: Expr| match expr {
        Expr::Constant(constant) => constant,
        Expr::Term(term) => values[term.index()],
    };
    let in_range =
        |(unknown, value): (&Unknown, &i64)| (unknown.low..=unknown.high).contains(value);
    model.len() == terms.unknowns().len()
        && terms.unknowns().iter().zip(model).all(in_range)
        && constraints.iter().all(|constraint| holds(constraint, value))
}
