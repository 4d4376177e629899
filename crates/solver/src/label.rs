//! Labelling: numbers for the unknowns of a path, such as people would choose.
//!
//! Labels are a function of the constraints and the ranges of the unknowns, never of a model that was
//! found on the way: otherwise the order of the search for paths would show in the tests. Slices of
//! constraints are labelled apart, each by three means in turn: a search by size, backtracking with
//! propagation over human numbers, and the complete procedure, whose answer is polished.

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};

use crate::answer::{Answer, Complete};
use crate::boxes::{Boxes, End};
use crate::constraint::Constraint;
use crate::model::first_value;
use crate::order::Order;
use crate::search::Effort;
use crate::slice::{Slice, Slicer};
use crate::solver::{is_exact, unknown_of};
use crate::statistics::Statistics;
use crate::store::Store;
use crate::tape::Tape;
use crate::term::{Expr, TermId, Terms};

mod combine;

use combine::{Stream, combine};

/// How many preferred values backtracking and polishing try of an unknown.
const PREFERRED: usize = 9;
/// How many numbers of the constraints they try, with their neighbours.
const CONSTANTS: usize = 32;

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
        let slices = slicer.slices(terms, &constraints.iter().collect::<Vec<_>>());
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
            match self.slice(slice, &constraints) {
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
            let values = match unknown.kind {
                Kind::Int | Kind::Long => {
                    Order::new(unknown, (unknown.low, unknown.high)).first(self.count).to_vec()
                }
                _ => vec![first_value(unknown)],
            };
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
                && ranges.all(|(unknown, value)| {
                    !matches!(unknown.kind, Kind::Int | Kind::Long)
                        || (unknown.low..=unknown.high).contains(value)
                })
        });
    }

    /// The first solutions of a slice.
    fn slice(
        &mut self,
        slice: &Slice,
        constraints: &[Constraint],
    ) -> Result<Vec<Vec<i64>>, Failure> {
        let terms = self.store.terms();
        let own = slice.constraints.iter().map(|&number| &constraints[number]);
        self.tape.compile(terms, &slice.unknowns, own.clone());
        let mut orders: Vec<Order> =
            slice.unknowns.iter().map(|&unknown| self.order(unknown)).collect();
        let mut found: Vec<Vec<i64>> = Vec::new();
        let budget = if Boxes::size(&orders) <= self.effort.all {
            u64::MAX
        } else {
            self.effort.label
                / match slice.unknowns.len() {
                    0..=3 => 1,
                    4..=6 => 3,
                    _ => 20,
                }
        };
        let count = self.count;
        let (end, left) = Boxes::new(self.tape, &mut orders, budget).run(|solution| {
            found.push(solution.to_vec());
            found.len() < count
        });
        self.statistics.label_evaluations += budget - left;
        match end {
            End::Exhausted if found.is_empty() => return Err(Failure::Unsatisfiable),
            End::Exhausted | End::Enough => return Ok(found),
            End::Budget => {}
        }
        let mut human = self.tape.constants();
        human.sort_by_key(|constant| constant.unsigned_abs());
        human.truncate(CONSTANTS);
        Backtracking {
            attempts: self.effort.assumptions * (10 + slice.unknowns.len() as u64),
            labeller: self,
            unknowns: &slice.unknowns,
            constants: &human,
            found: &mut found,
        }
        .descend(0);
        let own: Vec<Constraint> = own.cloned().collect();
        while found.len() < count {
            match self.query(&slice.unknowns, &own, &human, &found) {
                Answer::Satisfiable(solution) => found.push(solution),
                Answer::Unsatisfiable if found.is_empty() => return Err(Failure::Unsatisfiable),
                Answer::Unknown if found.is_empty() => return Err(Failure::Unknown),
                Answer::Unsatisfiable | Answer::Unknown => break,
            }
        }
        Ok(found)
    }

    /// The order of the values that the store leaves to an unknown.
    fn order(&self, unknown: TermId) -> Order {
        let interval = self.store.interval(Expr::Term(unknown));
        Order::new(unknown_of(self.store.terms(), unknown).1, interval)
    }

    /// What is tried for an unknown: preferred values, constants of the path with their neighbours,
    /// powers of ten, and the ends of its interval.
    fn candidates(&self, unknown: TermId, constants: &[i64]) -> Vec<i64> {
        let (low, high) = self.store.interval(Expr::Term(unknown));
        let mut order = self.order(unknown);
        let mut candidates = order.first(PREFERRED).to_vec();
        let near = |&value: &i64| [value, value.saturating_add(1), value.saturating_sub(1)];
        let powers = std::iter::successors(Some(10i64), |power| power.checked_mul(10));
        let others = constants.iter().flat_map(near).chain(powers).chain([low, high]);
        for other in others.filter(|other| (low..=high).contains(other)) {
            if !candidates.contains(&other) {
                candidates.push(other);
            }
        }
        candidates
    }

    /// A solution from the complete procedure that is none of those found, polished.
    fn query(
        &mut self,
        unknowns: &[TermId],
        constraints: &[Constraint],
        constants: &[i64],
        found: &[Vec<i64>],
    ) -> Answer {
        let mark = self.store.mark();
        let mut query = constraints.to_vec();
        for solution in found {
            match self.exclude(unknowns, solution) {
                Some(Exclusion::Constraint(constraint)) => query.push(constraint),
                Some(Exclusion::Everything) => {
                    self.store.undo(mark);
                    return Answer::Unsatisfiable;
                }
                None => {}
            }
        }
        self.statistics.label_queries += 1;
        let answer = self.complete.check(self.store.terms(), &query);
        self.store.undo(mark);
        let Answer::Satisfiable(values) = answer else { return answer };
        for (position, &unknown) in unknowns.iter().enumerate() {
            let value = values[unknown_of(self.store.terms(), unknown).0];
            self.tape.assign(position, value);
        }
        let is_right = self.tape.run().is_none()
            && !found.iter().any(|solution| solution == self.tape.assignment());
        debug_assert!(is_right, "the complete procedure answers with a new model");
        if !is_right {
            return Answer::Unknown;
        }
        for (position, &unknown) in unknowns.iter().enumerate() {
            self.polish(position, unknown, constants, found);
        }
        Answer::Satisfiable(self.tape.assignment().to_vec())
    }

    /// Replaces a value by the most preferred one that the constraints allow, or by one of its parts.
    fn polish(&mut self, position: usize, unknown: TermId, constants: &[i64], found: &[Vec<i64>]) {
        let value = self.tape.value(position as u32);
        let (low, high) = self.store.interval(Expr::Term(unknown));
        let halves = (1..63).rev().map(|shift| value / (1i64 << shift));
        let mut candidates = self.candidates(unknown, constants);
        candidates.extend(halves.filter(|half| *half != 0 && (low..=high).contains(half)));
        for candidate in candidates {
            if candidate == value {
                break;
            }
            self.statistics.label_evaluations += 1;
            self.tape.assign(position, candidate);
            if self.tape.run().is_none()
                && !found.iter().any(|solution| solution == self.tape.assignment())
            {
                return;
            }
        }
        self.tape.assign(position, value);
    }

    /// What excludes a solution: that not all unknowns have its values. `None` if the store does.
    fn exclude(&mut self, unknowns: &[TermId], solution: &[i64]) -> Option<Exclusion> {
        if let ([unknown], [value]) = (unknowns, solution) {
            let different = compare(self.store.terms(), *unknown, Comparison::NotEqual, *value);
            return Some(Exclusion::Constraint(different));
        }
        let mut all = Expr::Constant(1);
        for (&unknown, &value) in unknowns.iter().zip(solution) {
            let equal = compare(self.store.terms(), unknown, Comparison::Equal, value);
            let test = self.store.test(&equal);
            all = self.store.apply(Operation::And(ArithmeticKind::Int), all, test);
        }
        match all {
            Expr::Constant(0) => None,
            Expr::Constant(_) => Some(Exclusion::Everything),
            Expr::Term(_) => Some(Exclusion::Constraint(Constraint::int(
                all,
                Comparison::Equal,
                Expr::Constant(0),
            ))),
        }
    }
}

/// What excluding a solution means.
enum Exclusion {
    /// This must hold.
    Constraint(Constraint),
    /// The solution is the only one that the store allows.
    Everything,
}

/// An unknown compared with a number.
fn compare(terms: &Terms, unknown: TermId, comparison: Comparison, value: i64) -> Constraint {
    let (left, right) = (Expr::Term(unknown), Expr::Constant(value));
    match terms.kind(unknown) {
        Kind::Long => Constraint::long(left, comparison, right),
        _ => Constraint::int(left, comparison, right),
    }
}

/// Backtracking: unknowns get values in turn, and propagation narrows what is left for the others.
struct Backtracking<'a, 'b> {
    labeller: &'a mut Labeller<'b>,
    unknowns: &'a [TermId],
    constants: &'a [i64],
    attempts: u64,
    found: &'a mut Vec<Vec<i64>>,
}

impl Backtracking<'_, '_> {
    /// Tries values for the unknown at a position. The result is whether to go on.
    fn descend(&mut self, position: usize) -> bool {
        let Some(&unknown) = self.unknowns.get(position) else {
            let solution = self.labeller.tape.assignment();
            if !self.found.iter().any(|found| found == solution) {
                self.found.push(solution.to_vec());
            }
            return self.found.len() < self.labeller.count;
        };
        for value in self.labeller.candidates(unknown, self.constants) {
            if self.attempts == 0 {
                return false;
            }
            self.labeller.statistics.label_evaluations += 1;
            self.labeller.tape.assign(position, value);
            if self.labeller.tape.run_to(position).is_some() {
                continue;
            }
            self.attempts -= 1;
            let store = &mut *self.labeller.store;
            let mark = store.mark();
            let equal = compare(store.terms(), unknown, Comparison::Equal, value);
            let goes_on = store.assume(equal).is_err() || self.descend(position + 1);
            self.labeller.store.undo(mark);
            if !goes_on {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
