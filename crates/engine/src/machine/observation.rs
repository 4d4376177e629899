//! What of a derivation is looked at: how many rules were applied, and whether they are part of the call.

use super::calls::Step;
use super::stop::Limit;
use super::{Machine, Stop};

/// What of a derivation is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Observation {
    /// Rule applications on the path under way, and those of the program's own rules. How many the class
    /// library takes depends on what it has initialised before.
    pub(super) applied: u64,
    pub(super) own_applied: u64,
    /// The number of rule applications from which on each is looked at.
    pub(super) from: u64,
    /// The most rule applications on a path.
    most: u64,
    /// Whether the call itself has begun: what is checked of its inputs before is no part of it.
    pub(crate) has_begun: bool,
    /// Whether an input object is being built: what its class does for that is no part of the call.
    pub(crate) is_hidden: bool,
}

impl Default for Observation {
    fn default() -> Self {
        Observation {
            applied: 0,
            own_applied: 0,
            from: u64::MAX,
            most: u64::MAX,
            has_begun: false,
            is_hidden: false,
        }
    }
}

impl Observation {
    /// Applications of the program's own rules.
    pub(crate) fn own_applied(&self) -> u64 {
        self.own_applied
    }

    /// All rule applications.
    pub(crate) fn applied(&self) -> u64 {
        self.applied
    }

    /// The most rule applications on a path.
    pub(crate) fn limit(&mut self, most: u64) {
        self.most = most;
    }

    /// Looks at each rule application from now on, and counts anew. The call has not begun.
    pub(crate) fn start(&mut self) {
        *self = Observation { from: 0, most: self.most, ..Observation::default() };
    }

    /// Looks at nothing more.
    pub(crate) fn end(&mut self) {
        self.from = u64::MAX;
    }

    /// An input object was built, which is no part of the call.
    pub(super) fn end_building(&mut self, before: &Observation) {
        self.own_applied = before.own_applied;
        self.is_hidden = before.is_hidden;
    }

    /// Whether anything is looked at.
    pub(crate) fn is_on(&self) -> bool {
        self.from != u64::MAX
    }

    /// Whether what happens now is part of the call: not what is done for its inputs, and no initialiser.
    pub(crate) fn is_of_call(&self) -> bool {
        self.has_begun && !self.is_hidden && self.is_on()
    }
}

impl Machine<'_> {
    /// A rule is applied whose application is looked at.
    pub(super) fn observe_rule(&mut self, rule: u32, of_library: bool) -> Step {
        let Observation { applied, most, .. } = self.observation;
        if applied > most {
            return Err(Stop::limit(Limit::Steps(most)).into());
        }
        self.see_rule(rule, of_library)
    }
}
