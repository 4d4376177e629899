//! The state of a derivation that makes choices: the ways that are open, and decisions that are given.

use std::collections::{BTreeMap, VecDeque};

use petrel_solver::{Constraint, Model};
use smallvec::SmallVec;

use super::Decision;
use super::points::ChoicePoint;
use crate::exploration::explore::{LeftOutAt, Prefix};
use crate::machine::{Address, MethodNumber, Value};

/// A way to go on from a guard.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    /// What has to hold.
    pub(super) condition: Constraint,
    /// Whether it is assumed as it stands. What rewriting makes of it may narrow other terms only.
    pub(super) is_literal: bool,
    /// Where the code goes on.
    pub(super) pc: Address,
    /// Whether the trace shows it: by the rule that is applied then, or by the method that is called.
    pub(super) shown: Shown,
    /// Whether what has to hold says nothing about the program.
    pub(super) is_aside: bool,
}

/// How a trace shows which way was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// By a rule, if it is one of the program.
    ByRule,
    /// By the method of the program that is called.
    ByCallee,
    /// Not by what follows.
    AsChoice,
}

impl Way {
    pub(super) fn new(condition: Constraint, pc: Address) -> Way {
        Way { condition, is_literal: false, pc, shown: Shown::ByRule, is_aside: false }
    }

    pub(in crate::exploration) fn literal(condition: Constraint, pc: Address) -> Way {
        Way { is_literal: true, shown: Shown::AsChoice, ..Way::new(condition, pc) }
    }

    /// The same, where what has to hold says nothing about the program.
    pub(in crate::exploration) fn aside(self) -> Way {
        Way { is_aside: true, ..self }
    }

    /// The same, where a method of the program is called then.
    pub(in crate::exploration) fn to_callee(condition: Constraint, pc: Address) -> Way {
        Way { shown: Shown::ByCallee, ..Way::literal(condition, pc) }
    }
}

/// A way that is open.
#[derive(Debug)]
pub(crate) struct OpenWay {
    pub(crate) number: u32,
    pub(super) way: Way,
    pub(in crate::exploration) model: Option<Model>,
    /// Whether it is one of given decisions, and more of them may follow.
    pub(in crate::exploration) is_given: bool,
}

/// The state of a derivation that makes choices.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(in crate::exploration) points: Vec<ChoicePoint>,
    /// Inputs that take the path so far; `None` if the solver found none and could not exclude it.
    pub(in crate::exploration) model: Option<Model>,
    /// What was decided on the path so far.
    pub(in crate::exploration) decisions: Vec<Decision>,
    /// Decisions that are given: the derivation follows them first.
    pub(in crate::exploration) given: Vec<Decision>,
    /// The model at the end of the given decisions.
    pub(in crate::exploration) given_model: Option<Model>,
    /// How many rule applications were counted on the way there.
    pub(in crate::exploration) given_steps: u64,
    /// Further parts of the tree to go to, in its order.
    pub(in crate::exploration) to_follow: VecDeque<Prefix>,
    /// Sides of guards that are impossible.
    pub(in crate::exploration) infeasible: u64,
    /// Choices that were made.
    pub(crate) choices: u64,
    /// Alternatives that were not tried, with the places where the program would have gone on with them, and how often.
    pub(in crate::exploration) left_out: BTreeMap<LeftOutAt, u64>,
    /// Calls on the path so far that a model answered instead of the library's code.
    pub(in crate::exploration) modelled: u64,
    /// Applications of the program's own rules before the call itself: those of invariants.
    pub(in crate::exploration) steps_before: u64,
    /// The most choices on a path.
    pub(in crate::exploration) most_choices: u32,
    /// Arrays of unknown length are tried up to this length.
    pub(in crate::exploration) max_array: u32,
    /// Whether propagation alone decides what is possible.
    pub(in crate::exploration) by_propagation: bool,
    /// The call that is to be started.
    pub(in crate::exploration) pending: Option<(MethodNumber, Box<[Value]>)>,
    /// Rule applications that were counted, and those up to the end of the given decisions.
    pub(in crate::exploration) counted_steps: u64,
    pub(in crate::exploration) followed_steps: u64,
}

impl Tree {
    /// Whether the path still follows decisions that are given.
    pub(in crate::exploration) fn is_following(&self) -> bool {
        self.decisions.len() < self.given.len()
    }

    /// The ways that other given decisions take where those that are followed take one, in their order.
    pub(super) fn given_beside(&self) -> SmallVec<[Decision; 1]> {
        let depth = self.decisions.len();
        let mut last = self.given.get(depth).copied();
        let mut others = SmallVec::new();
        let same_so_far = |prefix: &&Prefix| prefix.decisions.starts_with(&self.decisions);
        for prefix in self.to_follow.iter().take_while(same_so_far) {
            let next = prefix.decisions.get(depth).copied();
            if next != last {
                others.extend(next);
                last = next;
            }
        }
        others
    }

    /// The part of the tree that is followed.
    pub(in crate::exploration) fn given_part(&self) -> Prefix {
        let model = self.given_model.as_ref().map(|model| model.to_vec());
        Prefix { decisions: self.given.clone(), model, counted_steps: self.given_steps }
    }

    /// Whether the next given decisions begin with those of the path so far.
    pub(super) fn is_on_the_way(&self) -> bool {
        let next = self.to_follow.front();
        next.is_some_and(|next| next.decisions.starts_with(&self.decisions))
    }

    /// Turns to the given decisions that take a way from here.
    pub(super) fn turn_to(&mut self, next: Decision) {
        let depth = self.decisions.len();
        let takes = |prefix: &Prefix| {
            prefix.decisions.get(depth) == Some(&next)
                && prefix.decisions.starts_with(&self.decisions)
        };
        if let Some(found) = self.to_follow.iter().find(|prefix| takes(prefix)) {
            self.given = found.decisions.clone();
            self.given_steps = found.counted_steps;
        }
    }

    /// Follows the next given decisions.
    pub(super) fn follow_next(&mut self, applied: u64) {
        let Some(next) = self.to_follow.pop_front() else { return };
        self.given = next.decisions;
        self.given_model = next.model.map(Into::into);
        self.given_steps = next.counted_steps;
        self.start_to_follow(applied);
    }

    /// Begins with decisions that are given. Nothing counts before their end.
    pub(in crate::exploration) fn start_to_follow(&mut self, applied: u64) {
        self.followed_steps = u64::MAX;
        self.end_of_given(applied);
    }

    /// Where the given decisions end, the path goes on by itself.
    pub(super) fn end_of_given(&mut self, applied: u64) {
        if self.decisions.len() == self.given.len() {
            self.model = self.given_model.take();
            self.followed_steps = applied.max(self.given_steps);
        }
    }
}
