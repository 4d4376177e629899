//! A complete procedure under observation.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use petrel_budget::Purse;
use petrel_solver::{Answer, Complete, Constraint, Terms};

/// Measures the time that a complete procedure takes.
pub(super) struct Timed {
    pub(super) complete: Box<dyn Complete>,
    pub(super) micros: Rc<Cell<u64>>,
}

impl Complete for Timed {
    fn check(&mut self, terms: &Terms, constraints: &[Constraint]) -> Answer {
        let started = Instant::now();
        let answer = self.complete.check(terms, constraints);
        self.micros.set(self.micros.get() + started.elapsed().as_micros() as u64);
        answer
    }

    fn pay_from(&mut self, purse: &Purse) {
        self.complete.pay_from(purse);
    }
}
