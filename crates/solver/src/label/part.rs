//! Labels for one slice of constraints.
//!
//! The means are used in turn: a search by size, backtracking with propagation over human numbers,
//! repairs around small numbers, and the complete procedure. What does not come from the search by
//! size is polished.

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};

use super::{Failure, Labeller};
use crate::answer::Answer;
use crate::boxes::{Boxes, End};
use crate::constraint::Constraint;
use crate::order::Order;
use crate::real;
use crate::search::{Effort, Found, Search};
use crate::slice::Slice;
use crate::solver::unknown_of;
use crate::split::{Split, bounds_of_real, compared, has_reals};
use crate::tape::Tape;
use crate::term::{Expr, TermId};

/// How many preferred values of an unknown backtracking and polishing try.
const PREFERRED: usize = 9;
/// How many numbers of the constraints they try, with their neighbours.
const CONSTANTS: usize = 32;
/// Around how many preferred values of an unknown the others are repaired.
const ANCHORS: usize = 129;
/// How many assignments that may take.
const REPAIRS: u32 = 4_000;

/// A slice that is being labelled.
pub(super) struct Part<'a, 'b> {
    labeller: &'a mut Labeller<'b>,
    unknowns: &'a [TermId],
    constraints: Vec<Constraint>,
    /// Numbers of the constraints, the small ones first.
    constants: Vec<i64>,
    /// What was found, all different.
    found: Vec<Vec<i64>>,
    /// How many values backtracking may still assume.
    assumptions: u64,
}

impl<'a, 'b> Part<'a, 'b> {
    /// The slice of some constraints.
    pub(super) fn new(
        labeller: &'a mut Labeller<'b>,
        slice: &'a Slice,
        constraints: &[Constraint],
    ) -> Part<'a, 'b> {
        let numbers = slice.constraints.iter();
        let constraints: Vec<Constraint> =
            numbers.map(|&number| constraints[number].clone()).collect();
        let terms = labeller.store.terms();
        labeller.tape.compile(terms, &slice.unknowns, constraints.iter());
        let assumptions = labeller.effort.assumptions * (10 + slice.unknowns.len() as u64);
        Part {
            labeller,
            unknowns: &slice.unknowns,
            constraints,
            constants: Vec::new(),
            found: Vec::new(),
            assumptions,
        }
    }

    /// The first solutions, at least one.
    pub(super) fn solve(mut self) -> Result<Vec<Vec<i64>>, Failure> {
        match self.by_size() {
            End::Exhausted if self.found.is_empty() => return Err(Failure::Unsatisfiable),
            End::Exhausted | End::Enough => return Ok(self.found),
            End::Budget => {}
        }
        self.constants = self.labeller.tape.constants();
        self.constants.sort_by_key(|constant| constant.unsigned_abs());
        self.constants.truncate(CONSTANTS);
        let mut rough = Vec::new();
        self.backtrack(0, &mut rough);
        for solution in rough {
            self.add(&solution);
        }
        if self.found.is_empty() {
            self.anchor();
        }
        if self.found.is_empty()
            && has_reals(self.labeller.store.terms(), self.unknowns)
            && let Found::Nothing = self.by_splitting()
        {
            return Err(Failure::Unsatisfiable);
        }
        while self.found.len() < self.labeller.count {
            match self.query() {
                Answer::Satisfiable(solution) => self.add(&solution),
                Answer::Unsatisfiable if self.found.is_empty() => {
                    return Err(Failure::Unsatisfiable);
                }
                Answer::Unknown if self.found.is_empty() => return Err(Failure::Unknown),
                Answer::Unsatisfiable | Answer::Unknown => break,
            }
        }
        Ok(self.found)
    }

    fn by_size(&mut self) -> End {
        let mut orders: Vec<Order> =
            self.unknowns.iter().map(|&unknown| self.order(unknown)).collect();
        let Labeller { tape, effort, count, statistics, .. } = &mut *self.labeller;
        let budget = if Boxes::size(&orders) <= tape.affordable(effort.all) {
            u64::MAX
        } else {
            // Propagation does little for products and remainders.
            let patience = if tape.is_hard() { 4 } else { 1 };
            let width = match self.unknowns.len() {
                0..=3 => 1,
                4..=6 => 3,
                _ => 20,
            };
            tape.affordable(effort.label * patience / width)
        };
        let (end, left) = Boxes::new(tape, &mut orders, budget).run(|solution| {
            self.found.push(solution.to_vec());
            self.found.len() < *count
        });
        statistics.label_evaluations += budget - left;
        end
    }

    /// The order of the values that the store leaves to an unknown.
    fn order(&self, unknown: TermId) -> Order {
        let interval = self.interval(unknown);
        Order::new(unknown_of(self.labeller.store.terms(), unknown).1, interval)
    }

    fn interval(&self, unknown: TermId) -> (i64, i64) {
        self.labeller.store.interval(Expr::Term(unknown))
    }

    /// What is tried for an unknown: preferred values, constants of the path with their neighbours,
    /// powers of ten, and the ends of its interval.
    fn candidates(&self, unknown: TermId) -> Vec<i64> {
        let (low, high) = self.interval(unknown);
        let kind = self.labeller.store.terms().kind(unknown);
        if real::ranks(kind).is_some() {
            return self.real_candidates(kind, (low, high));
        }
        let mut candidates = self.order(unknown).first(PREFERRED).to_vec();
        let near = |&value: &i64| [value, value.saturating_add(1), value.saturating_sub(1)];
        let powers = std::iter::successors(Some(10i64), |power| power.checked_mul(10));
        let others = self.constants.iter().flat_map(near).chain(powers).chain([low, high]);
        for other in others.filter(|other| (low..=high).contains(other)) {
            if !candidates.contains(&other) {
                candidates.push(other);
            }
        }
        candidates
    }

    /// The same for an unknown that is no integer.
    fn real_candidates(&self, kind: Kind, (low, high): (i64, i64)) -> Vec<i64> {
        let mut candidates = real::readable(kind, (low, high));
        let others = self.constants.iter().flat_map(|&constant| real::suggested(kind, constant));
        for other in others.filter(|other| (low..=high).contains(other)) {
            if !candidates.contains(&other) {
                candidates.push(other);
            }
        }
        candidates
    }

    /// Tries values for the unknown at a position, and lets propagation narrow what is left for the
    /// others. The result is whether to go on.
    fn backtrack(&mut self, position: usize, rough: &mut Vec<Vec<i64>>) -> bool {
        let Some(&unknown) = self.unknowns.get(position) else {
            let solution = self.labeller.tape.assignment().to_vec();
            if !self.found.contains(&solution) {
                rough.push(solution);
            }
            return self.found.len() + rough.len() < self.labeller.count;
        };
        for value in self.candidates(unknown) {
            if self.assumptions == 0 || self.labeller.tape.alarm.is_raised() {
                return false;
            }
            self.labeller.statistics.label_evaluations += 1;
            self.labeller.tape.assign(position, value);
            if self.labeller.tape.run_to(position).is_some() {
                continue;
            }
            self.assumptions -= 1;
            let mark = self.labeller.store.mark();
            let equal = compared(self.labeller.store.terms(), unknown, Comparison::Equal, value);
            let is_possible = self.labeller.store.assume(equal).is_ok();
            let goes_on = !is_possible || self.backtrack(position + 1, rough);
            self.labeller.store.undo(mark);
            if !goes_on {
                return false;
            }
        }
        true
    }

    /// Gives one unknown a small number and repairs the others. Products that wrap have solutions all
    /// over the place: of those found, the one with the smallest numbers is taken.
    fn anchor(&mut self) {
        let mut orders: Vec<Order> =
            self.unknowns.iter().map(|&unknown| self.order(unknown)).collect();
        let bounds: Vec<(i64, i64)> =
            self.unknowns.iter().map(|&unknown| self.interval(unknown)).collect();
        let Labeller { tape, effort, statistics, .. } = &mut *self.labeller;
        let effort = Effort { guesses: REPAIRS.min(effort.guesses * 16), ..*effort };
        let mut search = Search::new(tape, &bounds, effort);
        let first: Vec<i64> =
            orders.iter_mut().filter_map(|order| order.first(1).first().copied()).collect();
        let anchors = (0..ANCHORS).flat_map(|rank| (0..first.len()).map(move |at| (rank, at)));
        let size = |values: &[i64]| values.iter().map(|value| value.unsigned_abs()).max();
        let mut best: Option<Vec<i64>> = None;
        for (rank, position) in anchors {
            let Some(&value) = orders[position].first(rank + 1).get(rank) else { continue };
            if search.is_stopped() {
                break;
            }
            if search.around(position, value, &first)
                && best.as_deref().is_none_or(|best| size(search.assignment()) < size(best))
            {
                best = Some(search.assignment().to_vec());
            }
        }
        statistics.label_evaluations += search.evaluations;
        if let Some(solution) = best {
            self.add(&solution);
        }
    }

    /// A solution for unknowns that are no integers: the first values are adapted, and if that fails the
    /// intervals are split.
    fn by_splitting(&mut self) -> Found {
        let mut orders: Vec<Order> =
            self.unknowns.iter().map(|&unknown| self.order(unknown)).collect();
        let bounds: Vec<(i64, i64)> =
            self.unknowns.iter().map(|&unknown| self.interval(unknown)).collect();
        let Labeller { store, tape, effort, statistics, .. } = &mut *self.labeller;
        let kinds: Vec<Kind> =
            self.unknowns.iter().map(|&unknown| store.terms().kind(unknown)).collect();
        let first: Vec<i64> =
            orders.iter_mut().filter_map(|order| order.first(1).first().copied()).collect();
        let mut adapts = |tape: &mut Tape| {
            let mut search = Search::new(tape, &bounds, *effort);
            search.kinds = &kinds;
            let is_adapted = search.adapts(&first);
            statistics.label_evaluations += search.evaluations;
            is_adapted
        };
        // The last constraint often says most: one that is repaired before it may be in its way.
        let is_adapted = adapts(tape) || {
            tape.compile(store.terms(), self.unknowns, self.constraints.iter().rev());
            adapts(tape)
        };
        let found = if is_adapted {
            Found::Values
        } else {
            let mut split = Split::new(store, tape, self.unknowns);
            let found = split.run();
            statistics.label_evaluations += split.evaluations;
            found
        };
        if found == Found::Values {
            let solution = self.labeller.tape.assignment().to_vec();
            self.add(&solution);
        }
        found
    }

    /// A solution from the complete procedure that is none of those found.
    fn query(&mut self) -> Answer {
        let mark = self.labeller.store.mark();
        let mut query = self.constraints.clone();
        let store = &*self.labeller.store;
        query.extend(self.unknowns.iter().flat_map(|&unknown| bounds_of_real(store, unknown)));
        let mut is_everything = false;
        for number in 0..self.found.len() {
            match self.exclude(number) {
                Exclusion::Constraint(constraint) => query.push(constraint),
                Exclusion::Everything => is_everything = true,
                Exclusion::Nothing => {}
            }
        }
        let answer = if is_everything {
            Answer::Unsatisfiable
        } else {
            self.labeller.statistics.label_queries += 1;
            self.labeller.complete.check(self.labeller.store.terms(), &query)
        };
        self.labeller.store.undo(mark);
        let Answer::Satisfiable(values) = answer else { return answer };
        let terms = self.labeller.store.terms();
        let solution: Vec<i64> =
            self.unknowns.iter().map(|&unknown| values[unknown_of(terms, unknown).0]).collect();
        let is_right = self.is_solution(&solution) && !self.found.contains(&solution);
        debug_assert!(is_right, "the complete procedure answers with a new model");
        if is_right { Answer::Satisfiable(solution) } else { Answer::Unknown }
    }

    /// That not all unknowns have the values of a solution that was found.
    fn exclude(&mut self, number: usize) -> Exclusion {
        let solution = &self.found[number];
        let store = &mut *self.labeller.store;
        if let ([unknown], [value]) = (self.unknowns, solution.as_slice()) {
            let different = compared(store.terms(), *unknown, Comparison::NotEqual, *value);
            return Exclusion::Constraint(different);
        }
        let mut all = Expr::Constant(1);
        for (&unknown, &value) in self.unknowns.iter().zip(solution) {
            let equal = compared(store.terms(), unknown, Comparison::Equal, value);
            let test = store.test(&equal);
            all = store.apply(Operation::And(ArithmeticKind::Int), all, test);
        }
        match all {
            Expr::Constant(0) => Exclusion::Nothing,
            Expr::Constant(_) => Exclusion::Everything,
            Expr::Term(_) => {
                let zero = Expr::Constant(0);
                Exclusion::Constraint(Constraint::int(all, Comparison::Equal, zero))
            }
        }
    }

    fn is_solution(&mut self, solution: &[i64]) -> bool {
        for (position, &value) in solution.iter().enumerate() {
            self.labeller.tape.assign(position, value);
        }
        self.labeller.tape.run().is_none()
    }

    /// Adds a solution, polished: each value in turn is replaced by the most preferred one that the
    /// constraints allow, or by a part of it.
    fn add(&mut self, solution: &[i64]) {
        if !self.is_solution(solution) || self.found.iter().any(|found| found == solution) {
            return;
        }
        for (position, &unknown) in self.unknowns.iter().enumerate() {
            self.polish(position, unknown);
        }
        self.found.push(self.labeller.tape.assignment().to_vec());
    }

    fn polish(&mut self, position: usize, unknown: TermId) {
        let value = self.labeller.tape.value(position as u32);
        let (low, high) = self.interval(unknown);
        let kind = self.labeller.store.terms().kind(unknown);
        if real::ranks(kind).is_some() {
            let mut candidates = self.candidates(unknown);
            let rounded = real::rounded(kind, value).into_iter();
            candidates.extend(rounded.filter(|value| (low..=high).contains(value)));
            return self.replace(position, candidates);
        }
        let halves = (1..63).rev().map(|shift| value / (1i64 << shift));
        let mut candidates = self.candidates(unknown);
        // Beyond the preferred values, a smaller number is better, wherever it comes from.
        let others = candidates.split_off(PREFERRED.min(candidates.len()));
        let size = value.unsigned_abs();
        candidates.extend(others.into_iter().filter(|other| other.unsigned_abs() < size));
        candidates.extend(halves.filter(|half| *half != 0 && (low..=high).contains(half)));
        self.replace(position, candidates);
    }

    /// Takes the first of some values, of those before the present one, with which the others still fit.
    fn replace(&mut self, position: usize, candidates: Vec<i64>) {
        let tape = &mut *self.labeller.tape;
        let value = tape.value(position as u32);
        for candidate in candidates {
            if candidate == value {
                break;
            }
            self.labeller.statistics.label_evaluations += 1;
            tape.assign(position, candidate);
            if tape.run().is_none() && !self.found.iter().any(|found| found == tape.assignment()) {
                return;
            }
        }
        tape.assign(position, value);
    }
}

/// What excludes a solution.
enum Exclusion {
    /// A constraint.
    Constraint(Constraint),
    /// Nothing is needed: the store excludes it.
    Nothing,
    /// It is the only solution that the store allows.
    Everything,
}
