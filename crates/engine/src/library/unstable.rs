//! What the JVM does not fix, and what depends on it.
//!
//! Identity hash codes, the iteration order of `Set.of`, the last bits of `Math.sin`: a value of
//! that kind is *unstable*. Whatever is computed from it is unstable, too, and a decision on it makes
//! the rest of the derivation depend on it: the first such decision is remembered.
//!
//! Some methods use an unstable value without letting it show: looking up a key in a hash table
//! gives the same whatever the hash codes of the keys are. While one of these runs, decisions of the
//! class library do not count; those of the program do, which may be called to compare keys. They still decide which
//! rules are applied. Where the value leaves no trace in any object, either (an estimate that only decides
//! how a result is computed), it does not count as unstable at all.

use std::rc::Rc;

use crate::machine::Place;

/// What is known about the derivation under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Instability {
    first_decision: Option<Rc<Place>>,
    /// Whether a method runs that hides decisions.
    pub(crate) is_hidden: bool,
    /// Whether that method leaves no trace of unstable values.
    pub(crate) leaves_no_trace: bool,
    /// Whether a decision was made that did not count.
    pub(crate) has_hidden_decision: bool,
}

impl Instability {
    pub(crate) fn start(&mut self) {
        *self = Instability::default();
    }

    pub(crate) fn first_decision(&self) -> Option<&Place> {
        self.first_decision.as_deref()
    }

    /// Whether no decision was noted yet.
    pub(crate) fn is_open(&self) -> bool {
        self.first_decision.is_none()
    }

    /// The method that hides decisions has ended.
    pub(crate) fn reveal(&mut self) {
        self.is_hidden = false;
        self.leaves_no_trace = false;
    }

    pub(crate) fn decided(&mut self, place: Option<Place>) {
        self.first_decision = place.map(Rc::new);
    }
}
