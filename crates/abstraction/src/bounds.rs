//! What derivations in an abstraction cost at most from where they are, by dynamic programming.

use rustc_hash::FxHashMap;

use crate::derive::{Derivation, Next, Way};
use crate::prices::UNBOUNDED;
use crate::state::State;

/// There is no end from here.
pub(crate) const NOTHING: i64 = i64::MIN;

/// What derivations cost at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Most {
    /// [`NOTHING`] if none comes to an end.
    pub(crate) cost: i64,
    /// Whether the termination criterion cuts some of them: those may cost anything.
    pub(crate) is_cut: bool,
}

impl Most {
    /// Before anything is known.
    const NOTHING: Most = Most { cost: NOTHING, is_cut: false };
    /// If nothing can be known.
    pub(crate) const UNBOUNDED: Most = Most { cost: UNBOUNDED, is_cut: true };
}

/// What derivations cost at most from a state on, by dynamic programming: equal states go on in equal
/// ways, whatever was before.
#[derive(Default)]
pub(crate) struct Bounds {
    known: FxHashMap<State, Most>,
    /// Traces that end in an exception are not wanted.
    without_exceptions: bool,
}

/// Beyond so many states nothing is promised.
const MOST_STATES: usize = 100_000;

/// So many states with one way only are passed at once; a loop without choices has no end.
pub(crate) const LONGEST_CHAIN: usize = 1_000;

/// A state whose successors are looked at.
struct Visit {
    state: State,
    /// What it costs to come to a choice.
    before: i64,
    next: Vec<Next>,
    best: Most,
}

impl Bounds {
    pub(crate) fn new(without_exceptions: bool) -> Bounds {
        Bounds { without_exceptions, ..Bounds::default() }
    }

    pub(crate) fn are_without_exceptions(&self) -> bool {
        self.without_exceptions
    }

    /// The most that derivations cost from a state on. If the purse is over before that is known, it may be anything.
    pub(crate) fn most_ahead(
        &mut self,
        derivation: &Derivation<'_>,
        state: &State,
        model: usize,
    ) -> Most {
        let first = state.canonical();
        if let Some(&known) = self.known.get(&first) {
            return known;
        }
        let mut visits = vec![self.visit(derivation, first, model)];
        loop {
            let depth = visits.len();
            if derivation.is_over() {
                // What was begun is not known.
                visits.iter().for_each(|visit| {
                    self.known.remove(&visit.state);
                });
                return Most::UNBOUNDED;
            }
            let Some(visit) = visits.last_mut() else { return Most::UNBOUNDED };
            let Some(next) = visit.next.pop() else {
                let Some(done) = visits.pop() else { return Most::UNBOUNDED };
                self.known.insert(done.state, done.best);
                match visits.last_mut() {
                    None => return done.best,
                    Some(visit) => {
                        // The rule that led there is still known.
                        let Some(step) = visit.next.pop() else { return Most::UNBOUNDED };
                        visit.consider(step.price.most[model], done.best);
                        continue;
                    }
                }
            };
            let cost = next.price.most[model];
            match next.way {
                Way::End { threw: true } if self.without_exceptions => {}
                Way::End { .. } => visit.consider(cost, Most { cost: 0, is_cut: false }),
                Way::Open => {
                    let unknown = derivation.prices.of_unknown();
                    visit.consider(cost, Most { cost: unknown, is_cut: true });
                }
                Way::Cut => visit.best.is_cut = true,
                Way::On => {
                    let state = next.state.canonical();
                    match self.known.get(&state) {
                        Some(&known) => visit.consider(cost, known),
                        None if self.known.len() + depth > MOST_STATES => {
                            visit.consider(cost, Most::UNBOUNDED);
                        }
                        None => {
                            // A state that comes again on its own way never ends: until it is known
                            // it promises nothing.
                            self.known.insert(state.clone(), Most::NOTHING);
                            visit.next.push(Next { state: State::default(), ..next });
                            let visited = self.visit(derivation, state, model);
                            visits.push(visited);
                        }
                    }
                }
            }
        }
    }

    /// A state, and what follows it where there is more than one way.
    fn visit(&self, derivation: &Derivation<'_>, state: State, model: usize) -> Visit {
        let mut next = derivation.next(state.clone());
        let mut before = 0_i64;
        // States with one way only are not kept: looking them up takes longer than going on.
        for _ in 0..LONGEST_CHAIN {
            let [Next { way: Way::On, price, .. }] = &next[..] else { break };
            before = before.saturating_add(price.most[model]);
            next = derivation.next(next.swap_remove(0).state);
        }
        Visit { state, next, before, best: Most::NOTHING }
    }
}

impl Visit {
    fn consider(&mut self, cost: i64, to_go: Most) {
        if to_go.cost != NOTHING {
            let cost = self.before.saturating_add(cost).saturating_add(to_go.cost);
            self.best.cost = self.best.cost.max(cost.min(UNBOUNDED));
        }
        self.best.is_cut |= to_go.is_cut;
    }
}
