//! What is left of a question after propagation: a search, and last the complete procedure.

use petrel_clp::{Comparison, Kind};
use smallvec::SmallVec;

use super::{is_exact, unknown_of};
use crate::answer::{Answer, Complete};
use crate::constraint::Constraint;
use crate::evaluate::compares;
use crate::order::Order;
use crate::search::{Effort, Found, Search};
use crate::slice::{Conjunction, Slice};
use crate::split::{Split, bounds_of_real, has_reals};
use crate::statistics::Statistics;
use crate::store::Store;
use crate::tape::Tape;
use crate::term::{Expr, Node, TermId, Terms};

/// Which layer decided after propagation left a question open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Search,
    Query,
    Inexact,
}

impl Statistics {
    /// Counts a decision.
    pub(super) fn count(&mut self, way: Way, answer: &Answer) {
        match way {
            Way::Search => self.by_search += 1,
            Way::Inexact => self.inexact += 1,
            Way::Query => {
                self.queries += 1;
                match answer {
                    Answer::Satisfiable(_) => self.satisfiable += 1,
                    Answer::Unsatisfiable => self.unsatisfiable += 1,
                    Answer::Unknown => self.unknown += 1,
                }
            }
        }
    }
}

/// Settles slices of constraints: by a search each.
pub(super) struct Settling<'a> {
    pub(super) store: &'a Store,
    pub(super) tape: &'a mut Tape,
    pub(super) statistics: &'a mut Statistics,
    pub(super) effort: Effort,
    pub(super) constraints: Conjunction<'a>,
}

/// What a search makes of slices.
pub(super) enum Settled {
    /// They are decided.
    Decided(Answer, Way),
    /// Some are left open.
    Open(Open),
}

/// Slices that a search leaves open, with the values of all unknowns so far.
pub(super) struct Open {
    parts: Vec<Part>,
    values: Vec<i64>,
}

/// A slice that is left open.
struct Part {
    unknowns: Vec<TermId>,
    constraints: Vec<Constraint>,
}

impl Settling<'_> {
    /// Looks for values of the unknowns of the slices; others keep theirs.
    pub(super) fn settle(mut self, slices: &[Slice], mut values: Vec<i64>) -> Settled {
        let terms = self.store.terms();
        if !slices.iter().flat_map(|slice| self.of(slice)).all(|one| is_exact(terms, one)) {
            return Settled::Decided(Answer::Unknown, Way::Inexact);
        }
        let mut parts = Vec::new();
        for slice in slices {
            match self.search(slice, &values) {
                Found::Values => keep(self.store.terms(), self.tape, &mut values),
                Found::Nothing => return Settled::Decided(Answer::Unsatisfiable, Way::Search),
                Found::Open => parts.push(Part {
                    unknowns: slice.unknowns.clone(),
                    constraints: self.of(slice).cloned().collect(),
                }),
            }
        }
        if parts.is_empty() {
            return Settled::Decided(Answer::Satisfiable(values), Way::Search);
        }
        Settled::Open(Open { parts, values })
    }

    fn search(&mut self, slice: &Slice, values: &[i64]) -> Found {
        self.compile(slice, values);
        let terms = self.store.terms();
        let bounds: SmallVec<[(i64, i64); 8]> =
            slice.unknowns.iter().map(|&term| self.store.interval(Expr::Term(term))).collect();
        let own: SmallVec<[Option<i64>; 8]> = slice
            .unknowns
            .iter()
            .map(|&term| {
                let unknown = unknown_of(terms, term).1;
                (unknown.kind == Kind::Reference).then_some(unknown.own)
            })
            .collect();
        let kinds: SmallVec<[Kind; 8]> =
            slice.unknowns.iter().map(|&term| terms.kind(term)).collect();
        let mut search = Search::new(self.tape, &bounds, self.effort);
        search.own = &own;
        search.kinds = &kinds;
        let found = search.run(|| {
            let unknowns = slice.unknowns.iter().zip(&bounds);
            unknowns.map(|(&term, &bounds)| Order::new(unknown_of(terms, term).1, bounds)).collect()
        });
        self.statistics.search_evaluations += search.evaluations;
        found
    }

    /// The constraints of a slice.
    fn of(&self, slice: &Slice) -> impl DoubleEndedIterator<Item = &Constraint> {
        slice.constraints.iter().filter_map(|&number| self.constraints.get(number))
    }

    /// Compiles the constraints of a slice, the newest first: it is the one that the values may not
    /// satisfy. What the bounds of an unknown say is left out.
    fn compile(&mut self, slice: &Slice, values: &[i64]) {
        let store = self.store;
        let terms = store.terms();
        let (constraints, numbers) = (self.constraints, slice.constraints.as_slice());
        let (others, newest) = numbers.split_at(numbers.len().saturating_sub(1));
        let newest_first =
            newest.iter().chain(others).filter_map(|&number| constraints.get(number));
        self.tape.compile(terms, &slice.unknowns, newest_first.filter(|one| !is_bound(store, one)));
        for (position, &term) in slice.unknowns.iter().enumerate() {
            self.tape.assign(position, values[unknown_of(terms, term).0]);
        }
    }
}

/// Takes over the values of a tape.
fn keep(terms: &Terms, tape: &Tape, values: &mut [i64]) {
    for (&term, &value) in tape.unknowns().iter().zip(tape.assignment()) {
        values[unknown_of(terms, term).0] = value;
    }
}

/// Settles what a search leaves open: intervals of unknowns that are no integers are split, and one query
/// decides what is left after that.
pub(super) struct Finishing<'a> {
    /// It is as it was afterwards.
    pub(super) store: &'a mut Store,
    pub(super) tape: &'a mut Tape,
    pub(super) complete: &'a mut dyn Complete,
    pub(super) statistics: &'a mut Statistics,
}

impl Finishing<'_> {
    pub(super) fn finish(mut self, settled: Settled) -> (Answer, Way) {
        let Open { parts, mut values } = match settled {
            Settled::Decided(answer, way) => return (answer, way),
            Settled::Open(open) => open,
        };
        let (mut unknowns, mut query) = (Vec::new(), Vec::new());
        for part in parts {
            match self.split(&part) {
                Found::Values => keep(self.store.terms(), self.tape, &mut values),
                Found::Nothing => return (Answer::Unsatisfiable, Way::Search),
                Found::Open => {
                    let of_reals = |&unknown: &TermId| bounds_of_real(self.store, unknown);
                    query.extend(part.unknowns.iter().flat_map(of_reals));
                    query.extend(part.constraints);
                    unknowns.extend(part.unknowns);
                }
            }
        }
        if query.is_empty() {
            return (Answer::Satisfiable(values), Way::Search);
        }
        let answer = match self.complete.check(self.store.terms(), &query) {
            Answer::Satisfiable(answer) => {
                self.compile(&unknowns, &query, &answer);
                keep(self.store.terms(), self.tape, &mut values);
                let is_right = self.is_within_bounds() && self.tape.run().is_none();
                debug_assert!(is_right, "the complete procedure answers with a model");
                if is_right { Answer::Satisfiable(values) } else { Answer::Unknown }
            }
            other => other,
        };
        (answer, Way::Query)
    }

    fn split(&mut self, part: &Part) -> Found {
        if !has_reals(self.store.terms(), &part.unknowns) {
            return Found::Open;
        }
        self.tape.compile(self.store.terms(), &part.unknowns, part.constraints.iter());
        let mut split = Split::new(self.store, self.tape, &part.unknowns);
        let found = split.run();
        self.statistics.search_evaluations += split.evaluations;
        found
    }

    fn compile(&mut self, unknowns: &[TermId], constraints: &[Constraint], values: &[i64]) {
        let terms = self.store.terms();
        self.tape.compile(terms, unknowns, constraints.iter());
        for (position, &term) in unknowns.iter().enumerate() {
            self.tape.assign(position, values[unknown_of(terms, term).0]);
        }
    }

    /// Whether the values of the tape are within the bounds of their unknowns.
    fn is_within_bounds(&self) -> bool {
        let mut values = self.tape.unknowns().iter().zip(self.tape.assignment());
        values.all(|(&term, value)| {
            let (low, high) = self.store.interval(Expr::Term(term));
            (low..=high).contains(value)
        })
    }
}

/// Whether a constraint compares an unknown with a number, and its bounds say as much.
fn is_bound(store: &Store, constraint: &Constraint) -> bool {
    let Constraint::Compare { comparison, left, right, .. } = *constraint else { return false };
    let term = match (left, right) {
        (Expr::Term(term), Expr::Constant(_)) | (Expr::Constant(_), Expr::Term(term)) => term,
        _ => return false,
    };
    if comparison == Comparison::NotEqual || !matches!(store.terms().node(term), Node::Unknown(_)) {
        return false;
    }
    // What holds at both ends of an interval holds between them, too.
    let (low, high) = store.interval(Expr::Term(term));
    [low, high].into_iter().all(|end| {
        compares(comparison, left.constant().unwrap_or(end), right.constant().unwrap_or(end))
    })
}
