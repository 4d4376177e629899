//! Splitting: intervals of unknowns that are no integers are cut into halves until propagation excludes
//! them, or so few values are left that all can be tried.
//!
//! That decides many equations of one or two such unknowns, which are hard for a complete procedure: a
//! product of two has thousands of gates.

use petrel_clp::{Comparison, Kind};

use crate::boxes::Boxes;
use crate::constraint::Constraint;
use crate::order::Order;
use crate::real;
use crate::search::Found;
use crate::solver::unknown_of;
use crate::store::Store;
use crate::tape::Tape;
use crate::term::{Expr, TermId, Terms};

/// How many halves are looked at.
const MOST_PARTS: u32 = 400;

/// What one of them counts for, in evaluations: propagation visits many terms.
const EFFORT_OF_PART: u64 = 64;

/// Up to how many assignments, all are tried.
const ALL: u64 = 1 << 9;

/// Whether one of some unknowns is no integer.
pub(crate) fn has_reals(terms: &Terms, unknowns: &[TermId]) -> bool {
    unknowns.iter().any(|&unknown| real::ranks(terms.kind(unknown)).is_some())
}

/// An unknown compared with an integer or a rank.
pub(crate) fn compared(
    terms: &Terms,
    unknown: TermId,
    comparison: Comparison,
    value: i64,
) -> Constraint {
    let (left, right) = (Expr::Term(unknown), Expr::Constant(value));
    match terms.kind(unknown) {
        Kind::Long | Kind::Double => Constraint::long(left, comparison, right),
        _ => Constraint::int(left, comparison, right),
    }
}

/// The bounds of an unknown that is no integer, as constraints.
pub(crate) fn bounds_of_real(store: &Store, unknown: TermId) -> Vec<Constraint> {
    let terms = store.terms();
    let Some(all) = real::ranks(terms.kind(unknown)) else { return Vec::new() };
    let (low, high) = store.interval(Expr::Term(unknown));
    let from = compared(terms, unknown, Comparison::GreaterOrEqual, low);
    let to = compared(terms, unknown, Comparison::LessOrEqual, high);
    let is_said = [(low > all.0, from), (high < all.1, to)];
    is_said.into_iter().filter(|(is_said, _)| *is_said).map(|(_, bound)| bound).collect()
}

/// A search over the unknowns of a tape that holds constraints of a store.
pub(crate) struct Split<'a> {
    store: &'a mut Store,
    tape: &'a mut Tape,
    unknowns: &'a [TermId],
    parts: u32,
    /// How many evaluations it took, or what else took as long.
    pub(crate) evaluations: u64,
}

impl<'a> Split<'a> {
    /// A search over the unknowns that a tape was compiled for.
    pub(crate) fn new(
        store: &'a mut Store,
        tape: &'a mut Tape,
        unknowns: &'a [TermId],
    ) -> Split<'a> {
        Split { store, tape, unknowns, parts: MOST_PARTS, evaluations: 0 }
    }

    /// Looks for values that satisfy the constraints. The store is as it was afterwards.
    pub(crate) fn run(&mut self) -> Found {
        let bounds: Vec<(i64, i64)> =
            self.unknowns.iter().map(|&unknown| self.store.interval(Expr::Term(unknown))).collect();
        let size = bounds.iter().fold(1u64, |size, &(low, high)| {
            size.saturating_mul(high.abs_diff(low).saturating_add(1))
        });
        if size <= ALL {
            return self.try_all(&bounds, u64::MAX);
        }
        // A few readable values of each part show most solutions long before it is small.
        match self.try_all(&bounds, self.unknowns.len() as u64 + 2) {
            Found::Open => {}
            found => return found,
        }
        let Some((unknown, (low, high))) = self.widest(&bounds) else { return Found::Open };
        let mut open = false;
        for (comparison, value) in halves(self.store.terms().kind(unknown), low, high) {
            if self.parts == 0 || self.tape.alarm.is_raised() {
                return Found::Open;
            }
            self.parts -= 1;
            self.evaluations += EFFORT_OF_PART;
            let mark = self.store.mark();
            let half = compared(self.store.terms(), unknown, comparison, value);
            let found = match self.store.assume(half) {
                Ok(()) => self.run(),
                Err(_) => Found::Nothing,
            };
            self.store.undo(mark);
            match found {
                Found::Values => return found,
                Found::Open => open = true,
                Found::Nothing => {}
            }
        }
        if open { Found::Open } else { Found::Nothing }
    }

    /// Tries values within bounds, as many as the budget allows.
    fn try_all(&mut self, bounds: &[(i64, i64)], budget: u64) -> Found {
        let terms = self.store.terms();
        let orders = self.unknowns.iter().zip(bounds);
        let mut orders: Vec<Order> = orders
            .map(|(&unknown, &bounds)| Order::new(unknown_of(terms, unknown).1, bounds))
            .collect();
        let (end, left) = Boxes::new(self.tape, &mut orders, budget).run(|_| false);
        self.evaluations += budget - left;
        end.into()
    }

    /// The unknown, no integer, that has the most values left.
    fn widest(&self, bounds: &[(i64, i64)]) -> Option<(TermId, (i64, i64))> {
        let terms = self.store.terms();
        let unknowns = self.unknowns.iter().copied().zip(bounds.iter().copied());
        let is_wide = |&(unknown, (low, high)): &(TermId, (i64, i64))| {
            real::ranks(terms.kind(unknown)).is_some() && low < high
        };
        unknowns.filter(is_wide).max_by_key(|&(_, (low, high))| high.abs_diff(low))
    }
}

/// Two halves of an interval of ranks, as comparisons: NaN and the rest, or the two signs, if it has both.
fn halves(kind: Kind, low: i64, high: i64) -> [(Comparison, i64); 2] {
    let nan = real::ranks(kind).map_or(i64::MAX, |(_, nan)| nan);
    let first_of_second = if high == nan {
        nan
    } else if low < 0 && high >= 0 {
        0
    } else {
        low + (high - low) / 2 + 1
    };
    [(Comparison::Less, first_of_second), (Comparison::GreaterOrEqual, first_of_second)]
}

#[cfg(test)]
mod tests;
