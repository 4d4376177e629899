//! What has to hold of an assignment besides the constraints of a store.
//!
//! Some facts are too many to be constraints of every path: that equal references have equal fields is
//! one for every two references. A theory knows them. It looks at assignments that satisfy the
//! constraints, and gives those of its facts that one violates as constraints; with these another is
//! looked for.

use crate::constraint::Constraint;
use crate::model::first_value;
use crate::store::Store;
use crate::term::Terms;

/// Facts about unknowns.
pub trait Theory {
    /// Adds values for unknowns that were made after a model, so that the facts hold for them too.
    fn extend(&self, terms: &Terms, model: &mut Vec<i64>);

    /// Facts that an assignment violates.
    fn lemmas(&mut self, store: &mut Store, values: &[i64]) -> Vec<Constraint>;
}

/// The theory without facts.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    fn extend(&self, terms: &Terms, model: &mut Vec<i64>) {
        model.extend(terms.unknowns()[model.len()..].iter().map(first_value));
    }

    fn lemmas(&mut self, _: &mut Store, _: &[i64]) -> Vec<Constraint> {
        Vec::new()
    }
}
