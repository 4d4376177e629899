//! The termination criterion of derivations in an abstraction.
//!
//! What criteria count, and when, is in [`petrel_clp::termination`]. What is a choice here may be decided
//! in the program, so that two counts are kept: at least and at most that of the program's derivation.

use std::cell::OnceCell;

use petrel_clp::Termination;
use petrel_clp::termination::{Bound, Counter, Counters, Counting, Event};
use smallvec::SmallVec;

use crate::program::AbstractProgram;

/// The counters of a call.
pub(crate) type Tallies = SmallVec<[Tally; 4]>;

/// A counter of the program's derivation, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Tally {
    /// With the choices that the program certainly makes.
    least: Counter,
    /// With those that it may make.
    most: Counter,
}

impl Tally {
    /// A choice is made while it counts, which the program makes certainly or perhaps.
    pub(crate) fn note_choice(&mut self, is_certain: bool) {
        self.least.has_choice |= is_certain;
        self.most.has_choice = true;
    }

    fn map(self, change: impl Fn(Counter) -> Counter) -> Tally {
        Tally { least: change(self.least), most: change(self.most) }
    }
}

/// Where a derivation is with regard to the criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Within,
    /// Beyond it, unless iterations are decided in the program that are choices here.
    Perhaps,
    Beyond,
}

/// The criterion, and the counters of procedures.
pub(crate) struct Criterion<'a> {
    program: &'a AbstractProgram<'a>,
    counting: Counting,
    bound: Bound,
    /// The counters of each procedure, once they are asked for.
    counters: Vec<OnceCell<Counters>>,
}

impl<'a> Criterion<'a> {
    pub(crate) fn new(program: &'a AbstractProgram<'a>, termination: Termination) -> Criterion<'a> {
        let counters = program.procedures.iter().map(|_| OnceCell::new()).collect();
        let (counting, bound) = (termination.counting(), termination.bound());
        Criterion { program, counting, bound, counters }
    }

    fn counters(&self, procedure: u32) -> &Counters {
        self.counters[procedure as usize].get_or_init(|| {
            let known = &self.program.procedures[procedure as usize];
            Counters::new(known.loops.clone(), known.procedure.predicates.len(), self.counting)
        })
    }

    /// The counters of a call that begins, given those of the innermost other call of the procedure.
    pub(crate) fn begin(&self, procedure: u32, around: Option<&Tallies>) -> (Tallies, Reach) {
        let count = self.counters(procedure).count();
        let mut tallies: Tallies = match around {
            None => SmallVec::from_elem(Tally::default(), count),
            Some(around) => around
                .iter()
                .enumerate()
                .map(|(number, of)| of.map(|counter| self.counting.inherited(number, counter)))
                .collect(),
        };
        let nested = tallies.first().map_or(Reach::Within, |&tally| self.reach(tally));
        let reach = match nested {
            Reach::Within => self.arrive(procedure, &mut tallies, 0),
            beyond => beyond,
        };
        (tallies, reach)
    }

    /// Counts that a call goes on from one predicate to another.
    pub(crate) fn pass(
        &self,
        procedure: u32,
        tallies: &mut Tallies,
        from: usize,
        to: usize,
    ) -> Reach {
        for (number, event) in self.counters(procedure).passing(from, to) {
            match self.count(&mut tallies[number], event) {
                Reach::Within => {}
                beyond => return beyond,
            }
        }
        self.arrive(procedure, tallies, to)
    }

    fn arrive(&self, procedure: u32, tallies: &mut Tallies, predicate: usize) -> Reach {
        match self.counters(procedure).occurrence_of(predicate) {
            Some(number) => self.count(&mut tallies[number], Event::Occur),
            None => Reach::Within,
        }
    }

    fn count(&self, tally: &mut Tally, event: Event) -> Reach {
        *tally = tally.map(|counter| counter.after(event));
        self.reach(*tally)
    }

    fn reach(&self, tally: Tally) -> Reach {
        if self.bound.cuts(tally.least) {
            Reach::Beyond
        } else if self.bound.cuts(tally.most) {
            Reach::Perhaps
        } else {
            Reach::Within
        }
    }
}
