//! Search by size: all assignments of preferred values, then of twice as many, and so on.
//!
//! Most paths have a solution among small numbers, also where arithmetic makes complete procedures
//! slow. Evaluating thousands of assignments on a tape is cheaper than one question to such a one.
//!
//! Where the values of some unknowns fit no values of those behind them, other values of unknowns in between that have
//! nothing to do with these do not help: then nothing is tried again, and counted as if it were.

use smallvec::SmallVec;

use crate::order::Order;
use crate::tape::{Tape, Unknowns};

/// After so many levels of the tape it is looked whether the search is still wanted.
const LEVELS_BETWEEN_LOOKS: u64 = 64;

/// How a search by size ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Every assignment was tried.
    Exhausted,
    /// The budget is used up, or the alarm is raised.
    Budget,
    /// Enough was found.
    Enough,
}

/// A search by size over the unknowns of a tape.
pub(crate) struct Boxes<'a> {
    tape: &'a mut Tape,
    orders: &'a mut [Order],
    /// How many levels of the tape may still be run.
    budget: u64,
    /// How many of the preferred values were all tried together, and how many are now.
    inner: usize,
    outer: usize,
    levels: SmallVec<[Level; 8]>,
    /// How often an unknown was given a value.
    n_assigned: u64,
    /// How many solutions were shown.
    n_found: u64,
    /// Whether values of an unknown were left out for which all those before it had values that fit.
    is_cut: bool,
}

/// What is known of an unknown.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// Whether a later one has values that are not tried.
    grows_later: bool,
    /// The unknowns before it that decide what it and those behind it can be.
    needed: Unknowns,
    /// When it got its value.
    assigned: u64,
    /// The last time that nothing fitted from it on: with no value before it that was not in the last box, and with one.
    failed: [Option<Failed>; 2],
}

/// What it took to find out that nothing fits.
#[derive(Debug, Clone, Copy)]
struct Failed {
    /// When the last of the unknowns that decide it got its value.
    since: u64,
    budget: u64,
    steps: u64,
}

/// Fewer unknowns depend on one another.
const FEWEST_FOR_MEMORY: usize = 3;

impl<'a> Boxes<'a> {
    /// A search that tries the values of each unknown in its order, and runs at most `budget` levels
    /// of the tape.
    pub(crate) fn new(tape: &'a mut Tape, orders: &'a mut [Order], budget: u64) -> Boxes<'a> {
        let unknown = Level { needed: Unknowns::MAX, ..Level::default() };
        let mut levels: SmallVec<[Level; 8]> = SmallVec::from_elem(unknown, orders.len());
        let needed = if orders.len() < FEWEST_FOR_MEMORY { None } else { tape.needed() };
        for (level, needed) in levels.iter_mut().zip(needed.into_iter().flatten()) {
            level.needed = needed;
        }
        Boxes {
            tape,
            orders,
            budget,
            inner: 0,
            outer: 3,
            levels,
            n_assigned: 0,
            n_found: 0,
            is_cut: false,
        }
    }

    /// How many assignments there are.
    pub(crate) fn size(orders: &[Order]) -> u64 {
        orders.iter().fold(1, |size, order| size.saturating_mul(order.len()))
    }

    /// Shows the solutions until one is answered by `false`. Each is shown once. The result is how it
    /// ended and what is left of the budget.
    pub(crate) fn run(mut self, mut found: impl FnMut(&[i64]) -> bool) -> (End, u64) {
        if self.orders.is_empty() {
            let holds = self.tape.run().is_none();
            let enough = holds && !found(&[]);
            return (if enough { End::Enough } else { End::Exhausted }, self.budget);
        }
        loop {
            let mut grows = false;
            self.is_cut = false;
            for (order, level) in self.orders.iter().zip(&mut self.levels).rev() {
                level.grows_later = grows;
                level.failed = [None; 2];
                grows |= order.count_within(self.outer) > self.inner;
            }
            if let Some(end) = self.descend(0, false, &mut found) {
                return (end, self.budget);
            }
            // Larger boxes have nothing else to try. This also ends the search if the values of the
            // first unknowns never fit: that costs too little of the budget to end by it.
            if !self.is_cut {
                return (End::Exhausted, self.budget);
            }
            self.inner = self.outer;
            self.outer = self.outer * 2 - 1;
        }
    }

    /// Whether it is time to see if the search is still wanted.
    fn is_time_to_look(&self) -> bool {
        self.budget.is_multiple_of(LEVELS_BETWEEN_LOOKS)
    }

    /// When the last of the unknowns got its value that decide what an unknown and those behind it can be; `None` if it
    /// is not known which ones do.
    fn since(&self, position: usize) -> Option<u64> {
        let mut needed = self.levels[position].needed;
        if needed == Unknowns::MAX {
            return None;
        }
        let mut last = 0;
        while needed != 0 {
            last = last.max(self.levels[needed.trailing_zeros() as usize].assigned);
            needed &= needed - 1;
        }
        Some(last)
    }

    /// Tries the values of the unknown at a position, unless it is known that none fits. `is_new` tells whether one before
    /// has a value that was not in the last box; one at least must have.
    fn descend(
        &mut self,
        position: usize,
        is_new: bool,
        found: &mut impl FnMut(&[i64]) -> bool,
    ) -> Option<End> {
        let since = self.since(position);
        let known = self.levels[position].failed[usize::from(is_new)];
        if let Some(known) = known.filter(|known| Some(known.since) == since)
            && known.budget <= self.budget
        {
            self.budget -= known.budget;
            self.tape.count_steps(known.steps);
            return None;
        }
        let (budget, steps, n_found) = (self.budget, self.tape.n_steps(), self.n_found);
        let end = self.try_values(position, is_new, found);
        if end.is_none() && self.n_found == n_found {
            let (budget, steps) = (budget - self.budget, self.tape.n_steps() - steps);
            let failed = since.map(|since| Failed { since, budget, steps });
            self.levels[position].failed[usize::from(is_new)] = failed;
        }
        end
    }

    fn try_values(
        &mut self,
        position: usize,
        is_new: bool,
        found: &mut impl FnMut(&[i64]) -> bool,
    ) -> Option<End> {
        let count = self.orders[position].count_within(self.outer);
        self.is_cut |= self.orders[position].len() > count as u64;
        let first = if is_new || self.levels[position].grows_later { 0 } else { self.inner };
        for rank in first..count {
            if self.budget == 0 || self.is_time_to_look() && self.tape.alarm.is_raised() {
                return Some(End::Budget);
            }
            self.budget -= 1;
            // Values that are never tried are never made: an order can be longer than memory.
            let value = self.orders[position].first(rank + 1)[rank];
            self.n_assigned += 1;
            self.levels[position].assigned = self.n_assigned;
            self.tape.assign(position, value);
            if self.tape.run_to(position).is_some() {
                continue;
            }
            if position + 1 < self.orders.len() {
                let end = self.descend(position + 1, is_new || rank >= self.inner, found);
                if end.is_some() {
                    return end;
                }
            } else {
                self.n_found += 1;
                if !found(self.tape.assignment()) {
                    return Some(End::Enough);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
