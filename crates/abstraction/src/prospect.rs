//! What a derivation of the program may still cost ("Resource-driven CLP-based Test Case Generation", section 4): the
//! abstraction makes the same steps as the program, and bounds what can follow.
//!
//! Where the paper's oracles propose traces, and a conflict is found when one is derived, here a conflict is a way that the
//! derivation does not have: whatever the program decides, the abstraction learns by following it.

use std::cell::RefCell;
use std::rc::Rc;

use petrel_cost::Costs;
use petrel_program::ResolvedMethod;
use smallvec::{SmallVec, smallvec};

use crate::bounds::{Bounds, Most, NOTHING};
use crate::derive::{Derivation, Next, Way};
use crate::prices::UNBOUNDED;
use crate::program::RuleName;
use crate::state::State;

/// A rule that the program applies, with the number of calls under way there. `None` is one that the abstraction does not
/// show.
pub type Followed = (Option<RuleName>, u32);

/// Follows derivations of the program.
pub struct Prospect<'a> {
    derivation: &'a Derivation<'a>,
    /// Where derivations start.
    first: Place,
    without_exceptions: bool,
    /// What states may cost, for each model that was asked for.
    bounds: Vec<Option<Bounds>>,
}

/// Where a derivation is: a copy is the same place.
#[derive(Clone)]
pub struct Place(Rc<Behind>);

/// What is behind a rule.
struct Behind {
    /// The states that the abstraction may be in.
    states: SmallVec<[Following; 1]>,
    /// Whether the abstraction has lost its way: then anything may follow.
    is_lost: bool,
}

/// A state that follows the program.
#[derive(Clone)]
struct Following {
    state: Rc<State>,
    /// For each call under way, how many are under way in the program; `None` before its first rule.
    depths: SmallVec<[Option<u32>; 6]>,
    /// What the last rule costs in calls and arrays, at most.
    beside: Costs,
    /// What follows costs at most, for models that were asked for.
    ahead: RefCell<SmallVec<[(usize, Most); 2]>>,
}

/// What a rule of the program is to a state.
enum Meeting {
    /// One of its own, and whether its call is one that the rule before makes directly.
    Own { is_direct: bool },
    /// One of code that it does not follow.
    Other,
    /// One that it cannot come to.
    Never,
}

impl Following {
    fn new(state: State, depths: SmallVec<[Option<u32>; 6]>, beside: Costs) -> Following {
        Following { state: Rc::new(state), depths, beside, ahead: RefCell::default() }
    }

    fn meet(&self, rule: Option<RuleName>, depth: u32) -> Meeting {
        let (Some(frame), Some((own, below))) =
            (self.state.frames.last(), self.depths.split_last())
        else {
            // It has come to its end.
            return Meeting::Other;
        };
        let around = below.last().copied().flatten().unwrap_or(0);
        let is_here = rule.is_some_and(|rule| {
            (rule.procedure, rule.predicate) == (frame.procedure, frame.predicate)
        });
        let is_entry = rule.is_some_and(|rule| rule.predicate == 0);
        match *own {
            None if is_here && is_entry && depth > around => {
                Meeting::Own { is_direct: depth == around + 1 }
            }
            None if depth > around => Meeting::Other,
            Some(own) if depth == own && is_here && !is_entry => Meeting::Own { is_direct: false },
            Some(own) if depth > own => Meeting::Other,
            _ => Meeting::Never,
        }
    }
}

impl<'a> Prospect<'a> {
    /// Before the first rule of a call of the target.
    pub fn new(
        derivation: &'a Derivation<'a>,
        target: &ResolvedMethod,
        without_exceptions: bool,
    ) -> Prospect<'a> {
        let nothing: Costs = std::iter::repeat_n(0, derivation.prices.models()).collect();
        let first = Following::new(derivation.start(target), smallvec![None], nothing);
        let bounds = (0..derivation.prices.models()).map(|_| None).collect();
        let first = place(smallvec![first], false);
        Prospect { derivation, first, without_exceptions, bounds }
    }

    /// Before the first rule.
    pub fn first(&self) -> Place {
        self.first.clone()
    }

    /// Behind a rule that is applied at a place.
    pub fn after(&self, at: &Place, (rule, depth): Followed) -> Place {
        if at.0.is_lost {
            return at.clone();
        }
        let meetings: SmallVec<[Meeting; 2]> =
            at.0.states.iter().map(|state| state.meet(rule, depth)).collect();
        // A call that the rule before makes itself is not made by code that it calls.
        let is_direct =
            meetings.iter().any(|meeting| matches!(meeting, Meeting::Own { is_direct: true }));
        let (mut states, mut is_lost) = (SmallVec::new(), false);
        let mut is_left = false;
        for (following, meeting) in at.0.states.iter().zip(meetings) {
            match (meeting, rule) {
                (Meeting::Own { .. }, Some(rule)) => {
                    for next in self.derivation.next((*following.state).clone()) {
                        if next.step.rule != rule {
                            continue;
                        }
                        match next.way {
                            Way::End { threw: true } if self.without_exceptions => is_left = true,
                            // How far the program goes from here, it knows itself.
                            Way::Open | Way::Cut => is_lost = true,
                            Way::On | Way::End { .. } => {
                                states.push(self.behind(following, depth, next));
                            }
                        }
                    }
                }
                (Meeting::Other, _) if !is_direct => states.push(following.clone()),
                _ => {}
            }
        }
        // What the program does, the abstraction has foreseen; else it has lost its way.
        is_lost |= states.is_empty() && !is_left;
        place(states, is_lost)
    }

    /// The state behind a rule.
    fn behind(&self, before: &Following, depth: u32, next: Next) -> Following {
        let mut depths = before.depths.clone();
        if let Some(own) = depths.last_mut() {
            *own = Some(depth);
        }
        let frames = next.state.frames.len();
        depths.truncate(frames);
        depths.resize(frames, None);
        let of_rule = self.derivation.prices.of_rule(next.step.rule).most;
        let beside = next.price.most.iter().zip(&of_rule).map(|(all, of_rule)| all - of_rule);
        let beside = beside.collect();
        Following::new(next.state, depths, beside)
    }

    /// What a rule costs by itself under a model.
    pub fn of_rule(&self, (rule, _): Followed, model: usize) -> i64 {
        rule.map_or(0, |rule| self.derivation.prices.of_rule(rule).most[model])
    }

    /// What follows the last rule at a place costs at most under a model, calls and arrays of that rule included; `None` if
    /// nothing that is wanted follows. The second says whether the termination criterion may cut something of it.
    pub fn most(&mut self, at: &Place, model: usize) -> (Option<i64>, bool) {
        if at.0.is_lost {
            return (Some(UNBOUNDED), true);
        }
        let (mut most, mut is_cut) = (None, false);
        for following in &at.0.states {
            let ahead = self.ahead(following, model);
            is_cut |= ahead.is_cut;
            if ahead.cost != NOTHING {
                let cost = following.beside[model].saturating_add(ahead.cost);
                most = most.max(Some(cost));
            }
        }
        (most, is_cut)
    }

    fn ahead(&mut self, following: &Following, model: usize) -> Most {
        let known = following.ahead.borrow().iter().find(|of| of.0 == model).map(|of| of.1);
        if let Some(known) = known {
            return known;
        }
        if following.state.frames.is_empty() {
            return Most { cost: 0, is_cut: false };
        }
        let without_exceptions = self.without_exceptions;
        let bounds = self.bounds[model].get_or_insert_with(|| Bounds::new(without_exceptions));
        let most = bounds.most_ahead(self.derivation, &following.state, model);
        if !self.derivation.is_over() {
            following.ahead.borrow_mut().push((model, most));
        }
        most
    }
}

fn place(states: SmallVec<[Following; 1]>, is_lost: bool) -> Place {
    Place(Rc::new(Behind { states, is_lost }))
}
