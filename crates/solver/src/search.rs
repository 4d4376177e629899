//! A small search: a model that almost fits is adapted.
//!
//! A guard that the carried model does not satisfy mostly needs one or two other values. They are
//! guessed from the constraint that fails, and then from numbers that occur. What is tried is
//! evaluated on a tape; nothing here asks a decision procedure.

mod reals;

use petrel_clp::Kind;

use crate::boxes::{Boxes, End};
use crate::invert::repairs;
use crate::order::Order;
use crate::tape::{Step, Tape};

/// How many values may change in a chain of repairs.
const REPAIRS: usize = 3;
/// How many numbers of the constraints are guessed.
const CONSTANTS: usize = 16;

/// How much is tried before the complete procedure is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// How many assignments a search guesses.
    pub(crate) guesses: u32,
    /// Up to how many assignments, all are tried: that decides.
    pub(crate) all: u64,
    /// How many values a search tries by size where complete procedures are slow.
    pub(crate) hard: u64,
    /// How many values labelling tries by size for up to three unknowns. With more unknowns, size
    /// finds less, and it tries fewer.
    pub(crate) label: u64,
    /// How many values labelling assumes for each unknown, and for ten more.
    pub(crate) assumptions: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { guesses: 300, all: 1 << 16, hard: 20_000, label: 25_000, assumptions: 8 }
    }
}

/// What a search found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// The tape holds values that satisfy its constraints.
    Values,
    /// There are none.
    Nothing,
    /// The budget is used up.
    Open,
}

impl From<End> for Found {
    fn from(end: End) -> Found {
        match end {
            End::Exhausted => Found::Nothing,
            End::Budget => Found::Open,
            End::Enough => Found::Values,
        }
    }
}

/// A search over the unknowns of a tape, which start with their present values.
pub(crate) struct Search<'a> {
    tape: &'a mut Tape,
    bounds: &'a [(i64, i64)],
    effort: Effort,
    /// The objects that references are, by position, if nothing says that they are others.
    pub(crate) own: &'a [Option<i64>],
    /// The kinds of the unknowns, by position; without any, they are integers.
    pub(crate) kinds: &'a [Kind],
    /// Positions that a chain of repairs has given a value.
    fixed: Vec<usize>,
    /// How many evaluations it took.
    pub(crate) evaluations: u64,
}

impl<'a> Search<'a> {
    /// A search within bounds for the unknowns, by position.
    pub(crate) fn new(tape: &'a mut Tape, bounds: &'a [(i64, i64)], effort: Effort) -> Search<'a> {
        let guesses = tape.affordable(effort.guesses.into()) as u32;
        let effort = Effort { guesses, ..effort };
        Search { tape, bounds, effort, own: &[], kinds: &[], fixed: Vec::new(), evaluations: 0 }
    }

    /// Looks for values that satisfy the constraints; `orders` gives the preferred ones.
    pub(crate) fn run(&mut self, orders: impl FnOnce() -> Vec<Order>) -> Found {
        for (position, &(low, high)) in self.bounds.iter().enumerate() {
            if low > high {
                return Found::Nothing;
            }
            let value = self.tape.value(position as u32);
            let nearest = value.max(low).min(high);
            // Numbers of objects that are next to each other mean nothing.
            let own = self.own.get(position).copied().flatten();
            let own = own.filter(|own| nearest != value && (low..=high).contains(own));
            self.tape.assign(position, own.unwrap_or(nearest));
        }
        let Some(failed) = self.evaluate() else { return Found::Values };
        if self.tape.width() == 0 {
            return Found::Nothing;
        }
        if self.adapt(failed) {
            return Found::Values;
        }
        let mut orders = orders();
        let budget = if Boxes::size(&orders) <= self.tape.affordable(self.effort.all) {
            u64::MAX
        } else if self.tape.is_hard() {
            self.tape.affordable(self.effort.hard)
        } else {
            return Found::Open;
        };
        let (end, left) = Boxes::new(self.tape, &mut orders, budget).run(|_| false);
        self.evaluations += budget - left;
        end.into()
    }

    /// Changes values until a constraint that fails, and all others, hold.
    fn adapt(&mut self, failed: Step) -> bool {
        if self.repair(failed) || self.guess() {
            return true;
        }
        if (0..self.tape.width()).all(|position| self.kind(position).is_none()) {
            return false;
        }
        // Guesses leave the values as they were.
        let failed = self.evaluate();
        failed.is_none_or(|failed| self.approach(failed))
    }

    /// Starts with some values, and changes them until all constraints hold.
    pub(crate) fn adapts(&mut self, first: &[i64]) -> bool {
        for (position, &first) in first.iter().enumerate() {
            self.tape.assign(position, first);
        }
        let failed = self.evaluate();
        failed.is_none_or(|failed| self.adapt(failed))
    }

    /// Gives one unknown a value and the others the first ones given; the others are repaired. The
    /// result is whether all constraints hold.
    pub(crate) fn around(&mut self, position: usize, value: i64, first: &[i64]) -> bool {
        for (other, &first) in first.iter().enumerate() {
            self.tape.assign(other, first);
        }
        self.tape.assign(position, value);
        self.fixed.push(position);
        let holds = match self.evaluate() {
            None => true,
            Some(failed) => self.repair(failed),
        };
        self.fixed.pop();
        holds
    }

    /// Whether it is not wanted any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.tape.alarm.is_raised()
    }

    /// The values of the unknowns, by position.
    pub(crate) fn assignment(&self) -> &[i64] {
        self.tape.assignment()
    }

    fn evaluate(&mut self) -> Option<Step> {
        self.evaluations += 1;
        self.tape.run()
    }

    /// Evaluates with another value of one unknown.
    fn attempt(&mut self, position: usize, value: i64) -> Option<Step> {
        self.effort.guesses = self.effort.guesses.saturating_sub(1);
        self.tape.assign(position, value);
        self.evaluate()
    }

    fn is_allowed(&self, position: usize, value: i64) -> bool {
        let (low, high) = self.bounds[position];
        (low..=high).contains(&value) && value != self.tape.value(position as u32)
    }

    /// Repairs a constraint that fails, then the one that fails because of that, and so on.
    fn repair(&mut self, failed: Step) -> bool {
        let mut candidates = Vec::new();
        repairs(self.tape, failed, &mut candidates);
        self.prefer_own(&mut candidates);
        for (position, value) in candidates {
            if self.effort.guesses == 0 {
                return false;
            }
            if self.fixed.contains(&position) || !self.is_allowed(position, value) {
                continue;
            }
            let before = self.tape.value(position as u32);
            let Some(next) = self.attempt(position, value) else { return true };
            if self.fixed.len() + 1 < REPAIRS {
                self.fixed.push(position);
                let is_repaired = self.repair(next);
                self.fixed.pop();
                if is_repaired {
                    return true;
                }
            }
            self.tape.assign(position, before);
        }
        false
    }

    /// A reference that has to be something else is an object of its own first: numbers next to each other
    /// mean nothing.
    fn prefer_own(&self, candidates: &mut Vec<(usize, i64)>) {
        if self.own.is_empty() {
            return;
        }
        let own: Vec<(usize, i64)> = candidates
            .iter()
            .filter_map(|&(position, _)| Some((position, (*self.own.get(position)?)?)))
            .collect();
        candidates.splice(0..0, own);
    }

    /// Guesses one value, then two.
    fn guess(&mut self) -> bool {
        let constants = self.tape.constants();
        let candidates: Vec<Vec<i64>> =
            (0..self.tape.width()).map(|position| self.candidates(position, &constants)).collect();
        for (position, values) in candidates.iter().enumerate() {
            if self.guess_one(position, values) {
                return true;
            }
        }
        for (position, values) in candidates.iter().enumerate() {
            let before = self.tape.value(position as u32);
            for &value in values {
                if self.effort.guesses == 0 {
                    return false;
                }
                for (second, seconds) in candidates.iter().enumerate().skip(position + 1) {
                    self.tape.assign(position, value);
                    if self.guess_one(second, seconds) {
                        return true;
                    }
                }
            }
            self.tape.assign(position, before);
        }
        false
    }

    fn guess_one(&mut self, position: usize, values: &[i64]) -> bool {
        let before = self.tape.value(position as u32);
        for &value in values {
            if self.effort.guesses == 0 {
                break;
            }
            if self.attempt(position, value).is_none() {
                return true;
            }
        }
        self.tape.assign(position, before);
        false
    }

    fn candidates(&self, position: usize, constants: &[i64]) -> Vec<i64> {
        if let Some(kind) = self.kind(position) {
            return self.real_candidates(position, kind, constants);
        }
        let (low, high) = self.bounds[position];
        let now = self.tape.value(position as u32);
        let near = |value: i64| [value, value.saturating_add(1), value.saturating_sub(1)];
        let guesses = [0, 1, -1, low, high]
            .into_iter()
            .chain(near(now))
            .chain(constants.iter().take(CONSTANTS).flat_map(|&constant| near(constant)))
            .chain([now.saturating_neg()]);
        let mut candidates = Vec::new();
        for guess in guesses {
            if self.is_allowed(position, guess) && !candidates.contains(&guess) {
                candidates.push(guess);
            }
        }
        candidates
    }
}

#[cfg(test)]
mod tests;
