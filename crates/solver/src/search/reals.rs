//! The search for numbers that are no integers: readable guesses, and the approach by halves to where a
//! comparison turns.

use petrel_clp::{Kind, Operation};

use super::{CONSTANTS, Search};
use crate::real;
use crate::tape::{Definition, Slot, Step};

/// How many readable numbers are guessed for an unknown.
const READABLE: usize = 24;

/// How many evaluations an approach may take.
const APPROACHES: u32 = 1200;

/// How many readable numbers an approach starts from.
const PROBES: usize = 40;

impl Search<'_> {
    pub(super) fn kind(&self, position: usize) -> Option<Kind> {
        self.kinds.get(position).copied().filter(|&kind| real::ranks(kind).is_some())
    }

    /// What is guessed for an unknown that is no integer.
    pub(super) fn real_candidates(
        &self,
        position: usize,
        kind: Kind,
        constants: &[i64],
    ) -> Vec<i64> {
        let now = self.tape.value(position as u32);
        let readable = real::readable(kind, self.bounds[position]);
        let of_constants = constants.iter().flat_map(|&constant| real::suggested(kind, constant));
        let guesses = of_constants
            .take(3 * CONSTANTS)
            .chain(readable.into_iter().take(READABLE))
            .chain([now.saturating_add(1), now.saturating_sub(1), !now]);
        let mut candidates = Vec::new();
        for guess in guesses {
            if self.is_allowed(position, guess) && !candidates.contains(&guess) {
                candidates.push(guess);
            }
        }
        candidates
    }

    /// Moves one unknown at a time to where the two sides of a comparison that fails meet: between two
    /// values for which they lie one way and the other, in ranks.
    pub(super) fn approach(&mut self, failed: Step) -> bool {
        let Some(sides) = self.sides(failed) else { return false };
        let mut left = APPROACHES;
        for position in 0..self.tape.width() {
            let Some(kind) = self.kind(position) else { continue };
            let before = self.tape.value(position as u32);
            let mut probes = real::readable(kind, self.bounds[position]);
            probes.truncate(PROBES);
            let (low, high) = self.bounds[position];
            probes.extend([low, high, before]);
            probes.sort_unstable();
            probes.dedup();
            let mut last: Option<(i64, i128)> = None;
            for probe in probes {
                let Ok(gap) = self.gap(position, probe, failed, sides, &mut left) else {
                    return true;
                };
                if let (Some(one), Some(other)) = (last, gap)
                    && (one.1 < 0) != (other < 0)
                    && self.halve(position, one, (probe, other), failed, sides, &mut left)
                {
                    return true;
                }
                last = gap.map(|gap| (probe, gap));
            }
            self.tape.assign(position, before);
        }
        false
    }

    /// The slots whose values a comparison compares.
    fn sides(&self, failed: Step) -> Option<(Slot, Slot)> {
        let Step::Require { left, right, .. } = failed else { return None };
        Some(match self.tape.definition(left) {
            Definition::Computed(Step::Apply {
                operation: Operation::Compare(..),
                left,
                right,
                ..
            }) => (left, right),
            _ => (left, right),
        })
    }

    /// How far apart the sides of a comparison are for a value of an unknown; `None` if something else fails
    /// then. An error says that everything holds.
    fn gap(
        &mut self,
        position: usize,
        value: i64,
        failed: Step,
        sides: (Slot, Slot),
        left: &mut u32,
    ) -> Result<Option<i128>, ()> {
        if *left == 0 {
            return Ok(None);
        }
        *left -= 1;
        self.tape.assign(position, value);
        match self.evaluate() {
            None => Err(()),
            Some(step) if step == failed => {
                let (one, other) = (self.tape.value(sides.0), self.tape.value(sides.1));
                Ok(Some(i128::from(one) - i128::from(other)))
            }
            Some(_) => Ok(None),
        }
    }

    /// Halves the way between two values of an unknown for which the sides lie one way and the other.
    fn halve(
        &mut self,
        position: usize,
        mut one: (i64, i128),
        mut other: (i64, i128),
        failed: Step,
        sides: (Slot, Slot),
        left: &mut u32,
    ) -> bool {
        while one.0.abs_diff(other.0) > 1 {
            let middle = one.0 + (other.0 - one.0) / 2;
            match self.gap(position, middle, failed, sides, left) {
                Err(()) => return true,
                Ok(None) => return false,
                Ok(Some(gap)) if (gap < 0) == (one.1 < 0) => one = (middle, gap),
                Ok(Some(gap)) => other = (middle, gap),
            }
        }
        false
    }
}
