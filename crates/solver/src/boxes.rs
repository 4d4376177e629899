//! Search by size: all assignments of preferred values, then of twice as many, and so on.
//!
//! Most paths have a solution among small numbers, also where arithmetic makes complete procedures
//! slow. Evaluating thousands of assignments on a tape is cheaper than one question to such a one.

use crate::order::Order;
use crate::tape::Tape;

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
    /// For each unknown, whether a later one has values that are not tried.
    grows_later: Vec<bool>,
    /// Whether values of an unknown were left out for which all those before it had values that fit.
    is_cut: bool,
}

impl<'a> Boxes<'a> {
    /// A search that tries the values of each unknown in its order, and runs at most `budget` levels
    /// of the tape.
    pub(crate) fn new(tape: &'a mut Tape, orders: &'a mut [Order], budget: u64) -> Boxes<'a> {
        let grows_later = vec![false; orders.len()];
        Boxes { tape, orders, budget, inner: 0, outer: 3, grows_later, is_cut: false }
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
            for (order, grows_later) in self.orders.iter_mut().zip(&mut self.grows_later).rev() {
                *grows_later = grows;
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

    /// Tries the values of the unknown at a position. `is_new` tells whether one before has a value
    /// that was not in the last box; one at least must have.
    fn descend(
        &mut self,
        position: usize,
        is_new: bool,
        found: &mut impl FnMut(&[i64]) -> bool,
    ) -> Option<End> {
        let count = self.orders[position].count_within(self.outer);
        self.is_cut |= self.orders[position].len() > count as u64;
        let first = if is_new || self.grows_later[position] { 0 } else { self.inner };
        for rank in first..count {
            if self.budget == 0 || self.is_time_to_look() && self.tape.alarm.is_raised() {
                return Some(End::Budget);
            }
            self.budget -= 1;
            // Values that are never tried are never made: an order can be longer than memory.
            let value = self.orders[position].first(rank + 1)[rank];
            self.tape.assign(position, value);
            if self.tape.run_to(position).is_some() {
                continue;
            }
            if position + 1 < self.orders.len() {
                let end = self.descend(position + 1, is_new || rank >= self.inner, found);
                if end.is_some() {
                    return end;
                }
            } else if !found(self.tape.assignment()) {
                return Some(End::Enough);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
