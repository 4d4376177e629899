//! The solver: all layers together, the cheap ones first.

use petrel_budget::Purse;
use smallvec::SmallVec;

use crate::answer::{Answer, Complete};
use crate::constraint::Constraint;
use crate::label::{Labeller, Labelling};
use crate::model::{Carried, Model, first_value};
use crate::search::Effort;
use crate::slice::{Conjunction, Slice, Slicer};
use crate::statistics::Statistics;
use crate::store::{Conflict, Mark, Simplified, Store};
use crate::tape::Tape;
use crate::term::{Expr, Node, TermId, Terms, Unknown};
use crate::theory::Theory;

mod settle;

use settle::{Finishing, Settled, Settling};

/// One of several exclusive constraints that is possible together with the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// Its number among those given.
    pub index: usize,
    /// An assignment that satisfies the store and this alternative; `None` if it is not known whether
    /// there is one.
    pub model: Option<Model>,
    /// What to assume; `None` if it follows from the store.
    pub constraint: Option<Constraint>,
}

/// The alternatives that are possible, in their order.
pub type Alternatives = SmallVec<[Alternative; 2]>;

/// How often an assignment is changed because of a theory.
const MOST_LEMMAS: usize = 64;

/// What rewriting makes of alternatives.
enum Rewritten {
    /// The only one that is possible.
    Decided(usize),
    /// Those that may be possible: none, if the store cannot be satisfied, or several.
    Open(SmallVec<[(usize, Constraint); 2]>),
}

/// Decides constraints of a path.
pub struct Solver {
    /// The terms and constraints of the path. Go back with [`Solver::undo`], not in the store itself:
    /// values of terms that are gone must be forgotten.
    pub store: Store,
    /// How often which layer decided.
    pub statistics: Statistics,
    complete: Box<dyn Complete>,
    carried: Carried,
    slicer: Slicer,
    /// A buffer.
    slice: Slice,
    tape: Tape,
    pub(crate) effort: Effort,
    purse: Purse,
    /// Decisions, and steps of propagation, that are paid for.
    paid_decisions: u64,
    paid_steps: u64,
}

/// What a decision counts for, besides what it takes to find it.
const WORK_OF_DECISION: u64 = 8;

/// So many steps of propagation are a unit of work.
const STEPS_OF_WORK: u64 = 2;

impl Solver {
    /// A solver with an empty store that asks a complete procedure last.
    pub fn new(complete: Box<dyn Complete>) -> Solver {
        Solver {
            store: Store::new(),
            statistics: Statistics::default(),
            complete,
            carried: Carried::default(),
            slicer: Slicer::default(),
            slice: Slice::default(),
            tape: Tape::default(),
            effort: Effort::default(),
            purse: Purse::unlimited(),
            paid_decisions: 0,
            paid_steps: 0,
        }
    }

    /// When a purse is over, questions are left open from now on. The complete procedure pays by itself; for
    /// everything else, see [`Solver::take_work`].
    pub fn pay_from(&mut self, purse: &Purse) {
        self.purse = purse.clone();
        self.complete.pay_from(purse);
        self.tape.alarm = purse.alarm().clone();
        self.tape.allow(purse.left());
    }

    /// What was done since the last time, in units that are the same on every machine: what others assumed is
    /// included, what the complete procedure did is not. Whoever asks pays for it.
    pub fn take_work(&mut self) -> u64 {
        let decisions = self.statistics.decisions.saturating_sub(self.paid_decisions);
        self.paid_decisions = self.statistics.decisions;
        let steps = self.store.steps() - self.paid_steps;
        self.paid_steps = self.store.steps() - steps % STEPS_OF_WORK;
        decisions * WORK_OF_DECISION + steps / STEPS_OF_WORK + self.tape.take_work()
    }

    /// Starts to count anew.
    pub fn reset_statistics(&mut self) {
        self.statistics = Statistics::default();
        self.paid_decisions = 0;
    }

    /// The model of the state in which only the ranges of the unknowns are known: each has the value
    /// of its range that is closest to 0.
    pub fn first_model(&self) -> Model {
        self.store.terms().unknowns().iter().map(first_value).collect()
    }

    /// The present state of the store, to go back to.
    pub fn mark(&self) -> Mark {
        self.store.mark()
    }

    /// Goes back to an earlier state of the store.
    pub fn undo(&mut self, mark: Mark) {
        self.store.undo(mark);
        self.carried.truncate(self.store.terms().len());
    }

    /// Which of several exclusive constraints, one of which always holds, are possible together with
    /// the store, in their order. `model` satisfies the store (`None` if no model is known). Exactly
    /// one alternative: the guard is decided. None: the store cannot be satisfied, which only happens
    /// where no model is known.
    pub fn branch(
        &mut self,
        model: Option<&Model>,
        alternatives: &[Constraint],
        theory: &mut dyn Theory,
    ) -> Alternatives {
        self.tape.allow(self.purse.left());
        let open = match self.rewrite(alternatives) {
            Rewritten::Open(open) => open,
            Rewritten::Decided(index) => return decided(index, model),
        };
        let padded = model.map(|model| self.padded(model, theory));
        let model = padded.as_ref();
        let taken = model.and_then(|model| {
            open.iter().position(|(_, constraint)| {
                self.is_exact(constraint)
                    && self.carried.holds(self.store.terms(), model, constraint)
            })
        });
        let mut possible = Alternatives::new();
        for (position, (index, constraint)) in open.into_iter().enumerate() {
            let model = if taken == Some(position) {
                self.statistics.by_model += 1;
                model.cloned()
            } else {
                match self.decide(model, &constraint, theory) {
                    Answer::Satisfiable(values) => Some(values.into()),
                    Answer::Unsatisfiable => continue,
                    Answer::Unknown => None,
                }
            };
            possible.push(Alternative { index, model, constraint: Some(constraint) });
        }
        imply_single(&mut possible);
        possible
    }

    /// Whether a model that came from elsewhere satisfies a constraint, as far as that can be said.
    pub fn agrees(&mut self, model: &Model, constraint: &Constraint, theory: &dyn Theory) -> bool {
        if !self.is_exact(constraint) {
            return true;
        }
        let model = self.padded(model, theory);
        self.carried.holds(self.store.terms(), &model, constraint)
    }

    /// Whether a model that came from elsewhere may be one of the store: it has values for no more unknowns than there
    /// are, within their ranges, and they satisfy the constraints.
    pub fn is_model(&mut self, model: &Model, theory: &dyn Theory) -> bool {
        let unknowns = self.store.terms().unknowns();
        let mut in_range = model.iter().zip(unknowns);
        if model.len() > unknowns.len()
            || !in_range.all(|(value, unknown)| (unknown.low..=unknown.high).contains(value))
        {
            return false;
        }
        let model = self.padded(model, theory);
        let (terms, constraints) = (self.store.terms(), self.store.constraints());
        constraints.iter().all(|constraint| {
            !is_exact(terms, constraint) || self.carried.holds(terms, &model, constraint)
        })
    }

    /// A model of the store, or why there is none: for states whose model is not known.
    pub fn satisfiable(&mut self, theory: &mut dyn Theory) -> Answer {
        self.statistics.decisions += 1;
        let mark = self.mark();
        let (answer, way) = self.settle_all(self.first_model().to_vec());
        let (answer, way) = self.respect(answer, way, theory);
        self.undo(mark);
        self.statistics.count(way, &answer);
        answer
    }

    /// Settles all constraints of the store, starting with these values.
    fn settle_all(&mut self, values: Vec<i64>) -> (Answer, settle::Way) {
        let constraints = Conjunction { known: self.store.constraints(), more: None };
        let slices = self.slicer.slices(self.store.terms(), constraints);
        let settled = Settling {
            store: &self.store,
            tape: &mut self.tape,
            statistics: &mut self.statistics,
            effort: self.effort,
            constraints,
        }
        .settle(&slices, values);
        self.finish(settled)
    }

    fn finish(&mut self, settled: Settled) -> (Answer, settle::Way) {
        Finishing {
            store: &mut self.store,
            tape: &mut self.tape,
            complete: &mut *self.complete,
            statistics: &mut self.statistics,
        }
        .finish(settled)
    }

    /// Changes an answer until a theory has nothing against it. What it says is added to the store.
    fn respect(
        &mut self,
        mut answer: Answer,
        mut way: settle::Way,
        theory: &mut dyn Theory,
    ) -> (Answer, settle::Way) {
        for _ in 0..MOST_LEMMAS {
            let Answer::Satisfiable(values) = answer else { return (answer, way) };
            let lemmas = theory.lemmas(&mut self.store, &values);
            if lemmas.is_empty() {
                return (Answer::Satisfiable(values), way);
            }
            self.statistics.lemmas += lemmas.len() as u64;
            if self.assume_lemmas(lemmas).is_err() {
                return (Answer::Unsatisfiable, way);
            }
            if self.purse.alarm().is_raised() {
                return (Answer::Unknown, way);
            }
            (answer, way) = self.settle_all(values);
        }
        (Answer::Unknown, way)
    }

    fn assume_lemmas(&mut self, lemmas: Vec<Constraint>) -> Result<(), Conflict> {
        for lemma in lemmas {
            match self.store.simplify(lemma) {
                Simplified::True => {}
                Simplified::False => return Err(Conflict),
                Simplified::Open(open) => self.store.assume(open)?,
            }
        }
        Ok(())
    }

    /// The first assignments of the path, different ones, at most `count` (one at
    /// least): small numbers and readable
    /// characters first. They are a function of the constraints and the ranges alone. There are fewer
    /// if no more exist, or if the complete procedure finds no more.
    pub fn label(&mut self, count: usize, theory: &mut dyn Theory) -> Labelling {
        self.tape.allow(self.purse.left());
        let mark = self.mark();
        let labelling = self.label_respecting(count, theory);
        self.undo(mark);
        labelling
    }

    fn label_respecting(&mut self, count: usize, theory: &mut dyn Theory) -> Labelling {
        for _ in 0..MOST_LEMMAS {
            let labelling = Labeller {
                store: &mut self.store,
                complete: &mut *self.complete,
                tape: &mut self.tape,
                statistics: &mut self.statistics,
                effort: self.effort,
                count: count.max(1),
            }
            .label(&mut self.slicer);
            let Labelling::Found(labels) = labelling else { return labelling };
            let mut lemmas = Vec::new();
            for label in &labels {
                lemmas.extend(theory.lemmas(&mut self.store, label));
            }
            if lemmas.is_empty() {
                return Labelling::Found(labels);
            }
            self.statistics.lemmas += lemmas.len() as u64;
            if self.assume_lemmas(lemmas).is_err() {
                return Labelling::Unsatisfiable;
            }
            if self.purse.alarm().is_raised() {
                break;
            }
        }
        Labelling::Unknown
    }

    fn rewrite(&mut self, alternatives: &[Constraint]) -> Rewritten {
        let mut open = SmallVec::new();
        for (index, alternative) in alternatives.iter().enumerate() {
            self.statistics.decisions += 1;
            match self.store.simplify(alternative.clone()) {
                Simplified::True => {
                    self.statistics.by_rewriting += 1 + open.len() as u64;
                    return Rewritten::Decided(index);
                }
                Simplified::False => self.statistics.by_rewriting += 1,
                Simplified::Open(constraint) => open.push((index, constraint)),
            }
        }
        if let [(index, _)] = open.as_slice() {
            self.statistics.by_rewriting += 1;
            return Rewritten::Decided(*index);
        }
        Rewritten::Open(open)
    }

    /// Whether the store can be satisfied together with a constraint that its model, if one is known,
    /// does not satisfy.
    fn decide(
        &mut self,
        model: Option<&Model>,
        constraint: &Constraint,
        theory: &mut dyn Theory,
    ) -> Answer {
        let known = self.store.constraints().len();
        let mark = self.mark();
        let answer = if self.store.assume(constraint.clone()).is_err() {
            self.statistics.by_propagation += 1;
            Answer::Unsatisfiable
        } else {
            let terms = self.store.terms();
            let path = &self.store.constraints()[..known];
            let constraints = Conjunction { known: path, more: Some(constraint) };
            let all;
            let (slices, values) = match model {
                // The model satisfies everything that is not connected to the constraint.
                Some(model) => {
                    self.slicer.slice_of(terms, constraints, known, &mut self.slice);
                    (std::slice::from_ref(&self.slice), model.to_vec())
                }
                None => {
                    all = self.slicer.slices(terms, constraints);
                    (all.as_slice(), terms.unknowns().iter().map(first_value).collect())
                }
            };
            let settled = Settling {
                store: &self.store,
                tape: &mut self.tape,
                statistics: &mut self.statistics,
                effort: self.effort,
                constraints,
            }
            .settle(slices, values);
            let (answer, way) = self.finish(settled);
            let (answer, way) = self.respect(answer, way, theory);
            self.statistics.count(way, &answer);
            answer
        };
        self.undo(mark);
        answer
    }

    fn is_exact(&self, constraint: &Constraint) -> bool {
        is_exact(self.store.terms(), constraint)
    }

    /// A model with values for unknowns that were made after it.
    fn padded(&self, model: &Model, theory: &dyn Theory) -> Model {
        let terms = self.store.terms();
        if model.len() >= terms.unknowns().len() {
            return Model::clone(model);
        }
        let mut values = model.to_vec();
        theory.extend(terms, &mut values);
        values.into()
    }
}

/// The only alternative that is possible follows from the store.
fn decided(index: usize, model: Option<&Model>) -> Alternatives {
    SmallVec::from_iter([Alternative { index, model: model.cloned(), constraint: None }])
}

/// One alternative that is left over follows from the store: one of them always holds.
fn imply_single(possible: &mut Alternatives) {
    if let [single] = possible.as_mut_slice() {
        single.constraint = None;
    }
}

/// Whether a constraint is about nothing opaque.
pub(crate) fn is_exact(terms: &Terms, constraint: &Constraint) -> bool {
    constraint.operands().filter_map(Expr::term).all(|term| terms.is_exact(term))
}

/// The unknown that a term is, with its number.
pub(crate) fn unknown_of(terms: &Terms, term: TermId) -> (usize, &Unknown) {
    match terms.node(term) {
        Node::Unknown(unknown) => (unknown.index(), &terms.unknowns()[unknown.index()]),
        node => unreachable!("slices list unknowns only, not {node:?}"),
    }
}

#[cfg(test)]
mod tests;
