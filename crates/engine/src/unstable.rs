//! What the JVM does not fix, and what depends on it.
//!
//! Identity hash codes, the iteration order of `Set.of`, the last bits of `Math.sin`: a value of
//! that kind is *unstable*. Whatever is computed from it is unstable, too, and a decision on it makes
//! the rest of the derivation depend on it: the first such decision is remembered.
//!
//! Some methods use an unstable value without letting it show: looking up a key in a hash table
//! gives the same whatever the hash codes of the keys are. While one of these runs, decisions do not
//! count.

use crate::stop::Place;

/// What is known about the derivation under way.
#[derive(Debug, Default)]
pub(crate) struct Instability {
    first_decision: Option<Place>,
    /// Number of frames from which on decisions do not count.
    pub(crate) hidden_below: Option<usize>,
}

impl Instability {
    pub(crate) fn start(&mut self) {
        *self = Instability::default();
    }

    pub(crate) fn first_decision(&self) -> Option<&Place> {
        self.first_decision.as_ref()
    }

    /// Whether the next decision counts.
    pub(crate) fn is_open(&self) -> bool {
        self.hidden_below.is_none() && self.first_decision.is_none()
    }

    pub(crate) fn decided(&mut self, place: Option<Place>) {
        self.first_decision = place;
    }
}
