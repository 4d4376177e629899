//! Termination criteria: how far a derivation may unfold.
//!
//! block-count(K) ("Test Data Generation of Bytecode by CLP Partial Evaluation", Def. 4): a predicate
//! occurs at most K times in an ancestor sequence, itself included. loop-k: per entry of a loop at most k
//! iterations in which the derivation made a choice, and at most k recursive calls of that kind;
//! iterations that are decided are free.
//!
//! The code counts in registers (`compile::observe`); here is what happens to the counts.

use std::fmt;

use crate::calls::{Halt, Step};
use crate::code::Register;
use crate::compile::Observation;
use crate::machine::{Machine, SPECIAL};
use crate::value::Value;

/// A termination criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// block-count(K).
    BlockCount(u32),
    /// loop-k.
    Loop(u32),
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::BlockCount(bound) => write!(f, "block-count-{bound}"),
            Termination::Loop(bound) => write!(f, "loop-{bound}"),
        }
    }
}

impl Termination {
    pub(crate) fn observation(self) -> Observation {
        match self {
            Termination::BlockCount(_) => Observation::Occurrences,
            Termination::Loop(_) => Observation::Choices,
        }
    }
}

/// The criterion of the derivation under way.
#[derive(Debug)]
pub(crate) struct Criterion {
    pub(crate) bound: u32,
    /// How many choices the path under way made.
    pub(crate) choices: u32,
}

impl Default for Criterion {
    fn default() -> Self {
        Criterion { bound: u32::MAX, choices: 0 }
    }
}

impl Machine<'_> {
    /// A counter of choices: a count, and how many choices there were when it was set.
    #[inline]
    pub(crate) fn counted(&self, count: u32) -> Value {
        Value::known(u64::from(self.criterion.choices) << 32 | u64::from(count))
    }

    /// The count of a counter, one more if there was a choice since it was set.
    #[inline]
    pub(crate) fn count_choices(&self, counter: Value) -> u32 {
        let count = counter.bits as u32;
        if (counter.bits >> 32) as u32 == self.criterion.choices { count } else { count + 1 }
    }

    pub(crate) fn cut(&mut self) -> Step {
        Err(Halt::Cut)
    }

    /// Sets the counters of a call that begins.
    pub(crate) fn activate(&mut self, first: Register, count: u16) -> Step {
        let start = self.base + usize::from(first);
        self.stack[start..start + usize::from(count)].fill(Value::NULL);
        let around = self.activation_around();
        match self.observation {
            Observation::Occurrences => {
                if let Some(base) = around {
                    let from = base + usize::from(first);
                    self.stack.copy_within(from..from + usize::from(count), start);
                }
            }
            Observation::Choices => {
                let recursion = match around {
                    Some(base) => self.count_choices(self.stack[base + usize::from(first)]),
                    None => 0,
                };
                self.stack[start] = self.counted(recursion);
                if recursion > self.criterion.bound {
                    return self.cut();
                }
            }
            Observation::Off => {}
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
