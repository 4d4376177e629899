//! The termination criterion of the derivation under way.
//!
//! What criteria count, and when, is in [`petrel_clp::termination`]. Here counters are in registers: a
//! register holds the count and, instead of a flag, how many choices there were when it was set, so that
//! a choice costs nothing but to be counted.

use petrel_clp::termination::{Bound, Counter, Event};

use crate::machine::calls::{Halt, Step};
use crate::machine::code::Register;
use crate::machine::value::Value;
use crate::machine::{Machine, SPECIAL};

/// The criterion of the derivation under way.
#[derive(Debug)]
pub(crate) struct Criterion {
    bound: Bound,
    /// How many choices the path under way made.
    pub(crate) choices: u32,
}

impl Default for Criterion {
    fn default() -> Self {
        Criterion::new(Bound::NONE)
    }
}

impl Criterion {
    pub(crate) fn new(bound: Bound) -> Criterion {
        Criterion { bound, choices: 0 }
    }
}

impl Machine<'_> {
    /// The counter in a register.
    #[inline]
    pub(super) fn counter(&self, register: Value) -> Counter {
        let has_choice = (register.bits >> 32) as u32 != self.criterion.choices;
        Counter { count: register.bits as u32, has_choice }
    }

    /// A counter without a choice, as it is in a register.
    #[inline]
    pub(super) fn counted(&self, counter: Counter) -> Value {
        Value::known(u64::from(self.criterion.choices) << 32 | u64::from(counter.count))
    }

    /// What comes of a register by an event.
    #[inline]
    pub(super) fn count(&self, register: Value, event: Event) -> (Value, bool) {
        let counter = self.counter(register).after(event);
        (self.counted(counter), self.criterion.bound.cuts(counter))
    }

    pub(super) fn cut(&mut self) -> Step {
        Err(Halt::Cut)
    }

    /// Sets the counters of a call that begins.
    pub(super) fn activate(&mut self, first: Register, count: u16) -> Step {
        let start = self.base + usize::from(first);
        let count = usize::from(count);
        let Some((counting, base)) = self.counting.zip(self.activation_around()) else {
            let new = self.counted(Counter::default());
            self.stack[start..start + count].fill(new);
            return Ok(());
        };
        let around = base + usize::from(first);
        for number in 0..count {
            let counter = counting.inherited(number, self.counter(self.stack[around + number]));
            self.stack[start + number] = self.counted(counter);
            if self.criterion.bound.cuts(counter) {
                return self.cut();
            }
        }
        Ok(())
    }

    /// Where the registers of the innermost other call of the method under way start.
    fn activation_around(&self) -> Option<usize> {
        let (current, below) = self.frames.split_last()?;
        let mut above = current;
        for frame in below.iter().rev() {
            // What is left to do after a call has a frame of its own, which then is that of the call.
            let is_same_call = above.site == SPECIAL && above.method == frame.method;
            if frame.method == current.method && !is_same_call {
                return Some(above.base as usize);
            }
            above = frame;
        }
        None
    }
}
