//! Termination criteria: how far derivations unfold, as plain data and functions.
//!
//! A criterion looks at the ancestors of a derivation: the rules that were applied so far in the call
//! under way, and those of its callers up to their calls.
//!
//! *block-count(K)* ("Test Data Generation of Bytecode by CLP Partial Evaluation", Def. 4): a predicate
//! occurs at most K times in an ancestor sequence, itself included.
//!
//! *loop-k*: per entry of a loop at most k iterations in which the derivation made a choice, and at most k
//! recursive calls of that kind. Iterations and calls that are decided are free.
//!
//! Each call has [`Counters`] of its own, which come and go with it. Every counter counts one thing:
//! occurrences of a predicate, iterations of a loop, or nested calls of the procedure. What happens to a
//! counter is an [`Event`]; what counts beyond the [`Bound`] is cut. Whoever derives decides how to store a
//! [`Counter`] and how to know whether there was a choice: a choice is one of every iteration and every
//! call that is under way when it is made.

use std::fmt;

use crate::loops::LoopForest;

#[cfg(test)]
mod tests;

/// A termination criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// block-count(K).
    BlockCount(u32),
    /// loop-k.
    Loop(u32),
}

impl Termination {
    /// What it counts.
    pub fn counting(self) -> Counting {
        match self {
            Termination::BlockCount(_) => Counting::Occurrences,
            Termination::Loop(_) => Counting::Choices,
        }
    }

    /// How far it lets counters go.
    pub fn bound(self) -> Bound {
        match self {
            Termination::BlockCount(most) | Termination::Loop(most) => Bound(most),
        }
    }
}

/// Displays as `loop-2` or `block-count-2`.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::BlockCount(bound) => write!(f, "block-count-{bound}"),
            Termination::Loop(bound) => write!(f, "loop-{bound}"),
        }
    }
}

/// What a criterion counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Occurrences of predicates among the ancestors.
    Occurrences,
    /// Iterations of loops in which a choice was made, and such recursive calls.
    Choices,
}

/// The most that a counter may count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound(u32);

impl Bound {
    /// Nothing is cut.
    pub const NONE: Bound = Bound(u32::MAX);

    /// The most that a counter may count.
    pub fn most(self) -> u32 {
        self.0
    }

    /// Whether a derivation with such a counter is cut.
    #[inline]
    pub fn cuts(self, counter: Counter) -> bool {
        counter.count > self.0
    }
}

/// The state of one counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Counter {
    /// What was counted so far.
    pub count: u32,
    /// Whether a choice was made since the iteration, or the call, began.
    pub has_choice: bool,
}

impl Counter {
    /// The counter after an event.
    #[inline]
    #[must_use]
    pub fn after(self, event: Event) -> Counter {
        match event {
            Event::Enter => Counter::default(),
            Event::Iterate => {
                let count = self.count.saturating_add(u32::from(self.has_choice));
                Counter { count, has_choice: false }
            }
            Event::Occur => Counter { count: self.count.saturating_add(1), ..self },
        }
    }
}

/// What happens to a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A loop is entered: it counts from the beginning.
    Enter,
    /// An iteration is over, or a call inside of one of the same procedure begins: it counts if there was
    /// a choice.
    Iterate,
    /// A predicate occurs once more.
    Occur,
}

/// The counters of the calls of a procedure: which there are, and what happens to them where.
#[derive(Debug, Clone)]
pub struct Counters {
    counting: Counting,
    loops: LoopForest,
    /// For each predicate, the counter of its occurrences.
    occurrences: Vec<Option<usize>>,
    count: usize,
}

impl Counters {
    /// The counters of a procedure with these loops and so many predicates.
    pub fn new(loops: LoopForest, n_predicates: usize, counting: Counting) -> Counters {
        let mut counters = Counters { counting, loops, occurrences: Vec::new(), count: 1 };
        match counting {
            // One for the calls and one for each loop.
            Counting::Choices => counters.count += counters.loops.loops.len(),
            Counting::Occurrences => counters.number_occurrences(n_predicates),
        }
        counters
    }

    /// It is enough to count the entry and the headers of loops: between two occurrences of another
    /// predicate in a call lies one of the header of its loop, and each call has one of its entry. Only in
    /// a loop with several ways in does every predicate count.
    fn number_occurrences(&mut self, n_predicates: usize) {
        self.occurrences.resize(n_predicates, None);
        if let Some(entry) = self.occurrences.first_mut() {
            *entry = Some(0);
        }
        for predicate in 1..n_predicates {
            let is_header = self.loops.headed_by(predicate).is_some();
            let is_reducible =
                self.loops.around(predicate).all(|number| self.loops.loops[number].reducible);
            if is_header || !is_reducible {
                self.occurrences[predicate] = Some(self.count);
                self.count += 1;
            }
        }
    }

    /// How many counters a call has. The first is that of the procedure's entry.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The counter of the occurrences of a predicate.
    pub fn occurrence_of(&self, predicate: usize) -> Option<usize> {
        self.occurrences.get(predicate).copied().flatten()
    }

    /// The counters of the loops that a call is in from the beginning. They are entered with it.
    pub fn entered_by_call(&self) -> impl Iterator<Item = usize> {
        let is_wanted = self.counting == Counting::Choices;
        self.loops.around(0).filter(move |_| is_wanted).map(of_loop)
    }

    /// What happens to counters of loops when a call goes on from one predicate to another; the inner loops
    /// come first.
    pub fn passing(&self, from: usize, to: usize) -> impl Iterator<Item = (usize, Event)> {
        let is_wanted = self.counting == Counting::Choices;
        self.loops.around(to).filter(move |_| is_wanted).filter_map(move |number| {
            if !self.loops.contains(number, from) {
                Some((of_loop(number), Event::Enter))
            } else if self.loops.loops[number].header == to {
                Some((of_loop(number), Event::Iterate))
            } else {
                None
            }
        })
    }
}

impl Counting {
    /// A counter of a call that begins inside of another one of the same procedure, given that of the
    /// other. Counters of calls that are not nested so begin with nothing.
    #[inline]
    pub fn inherited(self, number: usize, around: Counter) -> Counter {
        match self {
            Counting::Occurrences => around,
            Counting::Choices if number == 0 => around.after(Event::Iterate),
            Counting::Choices => Counter::default(),
        }
    }
}

/// The counter of the iterations of a loop.
fn of_loop(number: usize) -> usize {
    1 + number
}
