//! Labelling: numbers for the unknowns of a path, such as people would choose.
//!
//! Labels are a function of the constraints and the ranges of the unknowns, never of a model that was
//! found on the way: otherwise the order of the search for paths would show in the tests. Slices of
//! constraints are labelled apart, and their labels are combined.

use crate::answer::Complete;
use crate::constraint::Constraint;
use crate::order::Order;
use crate::search::Effort;
use crate::slice::{Conjunction, Slice, Slicer};
use crate::solver::{is_exact, unknown_of};
use crate::statistics::Statistics;
use crate::store::Store;
use crate::tape::Tape;
use crate::term::TermId;

mod combine;
mod part;

use combine::{Stream, combine};
use part::Part;

/// What labelling found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labelling {
    /// Assignments, at least one: a value for each unknown, by number. Each was evaluated against all
    /// constraints and ranges.
    Found(Vec<Vec<i64>>),
    /// The complete procedure gave up.
    Unknown,
    /// There is no assignment.
    Unsatisfiable,
}

/// Why a slice has no labels.
enum Failure {
    Unknown,
    Unsatisfiable,
}

/// Labels the constraints of a store.
pub(crate) struct Labeller<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) complete: &'a mut dyn Complete,
    pub(crate) tape: &'a mut Tape,
    pub(crate) statistics: &'a mut Statistics,
    pub(crate) effort: Effort,
    /// At most so many assignments are looked for.
    pub(crate) count: usize,
}

impl Labeller<'_> {
    /// Labels the constraints of the store.
    pub(crate) fn label(mut self, slicer: &mut Slicer) -> Labelling {
        let constraints: Vec<Constraint> = self.store.constraints().to_vec();
        let terms = self.store.terms();
        if !constraints.iter().all(|constraint| is_exact(terms, constraint)) {
            return Labelling::Unknown;
        }
        let slices = slicer.slices(terms, Conjunction { known: &constraints, more: None });
        let mut streams = Vec::new();
        let mut is_unknown = false;
        let mut is_free = vec![true; terms.unknowns().len()];
        for slice in &slices {
            let terms = self.store.terms();
            let unknowns: Vec<usize> =
                slice.unknowns.iter().map(|&term| unknown_of(terms, term).0).collect();
            for &unknown in &unknowns {
                is_free[unknown] = false;
            }
            match Part::new(&mut self, slice, &constraints).solve() {
                Ok(solutions) => streams.push(Stream { unknowns, solutions }),
                Err(Failure::Unsatisfiable) => return Labelling::Unsatisfiable,
                // Another slice may show that there is no solution.
                Err(Failure::Unknown) => is_unknown = true,
            }
        }
        if is_unknown {
            return Labelling::Unknown;
        }
        self.add_free_unknowns(&is_free, &mut streams);
        let width = is_free.len();
        let mut labels = combine(&streams, width, self.count);
        let found = labels.len();
        self.verify(&constraints, &slices, &mut labels);
        debug_assert_eq!(labels.len(), found, "labels satisfy the path");
        if labels.is_empty() { Labelling::Unknown } else { Labelling::Found(labels) }
    }

    /// Unknowns that no constraint mentions.
    fn add_free_unknowns(&self, is_free: &[bool], streams: &mut Vec<Stream>) {
        for (number, unknown) in self.store.terms().unknowns().iter().enumerate() {
            if !is_free[number] {
                continue;
            }
            let mut order = Order::new(unknown, (unknown.low, unknown.high));
            let values = order.first(self.count).to_vec();
            let solutions = values.into_iter().map(|value| vec![value]).collect();
            streams.push(Stream { unknowns: vec![number], solutions });
        }
        streams.sort_by_key(|stream| stream.unknowns.first().copied());
    }

    /// Keeps the labels that satisfy all constraints and ranges.
    fn verify(&mut self, constraints: &[Constraint], slices: &[Slice], labels: &mut Vec<Vec<i64>>) {
        let mentioned: Vec<TermId> =
            slices.iter().flat_map(|slice| slice.unknowns.iter().copied()).collect();
        let terms = self.store.terms();
        self.tape.compile(terms, &mentioned, constraints.iter());
        labels.retain(|label| {
            for (position, &term) in mentioned.iter().enumerate() {
                self.tape.assign(position, label[unknown_of(terms, term).0]);
            }
            let mut ranges = terms.unknowns().iter().zip(label);
            self.tape.run().is_none()
                && ranges.all(|(unknown, value)| (unknown.low..=unknown.high).contains(value))
        });
    }
}

#[cfg(test)]
mod tests;
