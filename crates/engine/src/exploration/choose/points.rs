//! Choice points: states that a derivation can go back to.

use petrel_solver::Mark;
use smallvec::SmallVec;

use super::OpenWay;
use crate::library::LibraryMark;
use crate::machine::{Halt, HeapMark, Machine, Observation, Step, TrailMark};

/// A state that can be gone back to. Observers keep marks of their own.
#[derive(Debug, Clone)]
struct State {
    base: usize,
    trail: TrailMark,
    heap: HeapMark,
    store: Mark,
    unknown: petrel_heap::Mark,
    made: crate::exploration::made::Mark,
    library: LibraryMark,
    observation: Observation,
    steps: u64,
    choices: u32,
    decisions: usize,
    modelled: u64,
}

/// A state that can be gone back to, and the ways that are left from there.
#[derive(Debug)]
pub(in crate::exploration) struct ChoicePoint {
    state: State,
    /// The last is taken next.
    pub(in crate::exploration) open: SmallVec<[OpenWay; 1]>,
}

impl ChoicePoint {
    /// How many decisions lead here.
    pub(in crate::exploration) fn decisions(&self) -> usize {
        self.state.decisions
    }
}

impl Machine<'_> {
    /// Keeps the state here, with what is left to try.
    pub(in crate::exploration) fn push_choice_point(&mut self, open: SmallVec<[OpenWay; 1]>) {
        let top = self.base() + self.frame_size();
        let trail = self.mark_trail(top);
        let tree = self.exploration.tree.as_ref();
        let state = State {
            base: self.base(),
            trail,
            heap: self.heap.open_choice(),
            store: self.solver.store.mark(),
            unknown: self.exploration.unknown.solver.mark(),
            made: self.exploration.unknown.made.mark(),
            library: self.library.mark(),
            observation: self.observation,
            steps: self.steps(),
            choices: self.criterion.choices,
            decisions: tree.map_or(0, |tree| tree.decisions.len()),
            modelled: tree.map_or(0, |tree| tree.modelled),
        };
        if let Some(tree) = &mut self.exploration.tree {
            tree.points.push(ChoicePoint { state, open });
        }
        self.observers.open_choice();
    }

    /// Goes back to the last choice that has a way left and takes it, unless that is given and is none; `None` if there
    /// is no way left: then the state is that before the first.
    pub(in crate::exploration) fn go_back(&mut self) -> Option<Step> {
        loop {
            let tree = self.exploration.tree.as_mut()?;
            let point = tree.points.last_mut()?;
            if !self.observers.go_back() {
                point.open.clear();
            }
            let next = point.open.pop();
            tree.decisions.truncate(point.state.decisions);
            tree.modelled = point.state.modelled;
            if point.open.is_empty() {
                let state = tree.points.pop()?.state;
                self.restore(&state);
                self.observers.close_choice();
                self.heap.close_choice(state.heap);
                self.forget_mark(state.trail);
            } else {
                let state = point.state.clone();
                self.restore(&state);
            }
            let Some(next) = next else { continue };
            match self.take(next) {
                Ok(()) => return Some(Ok(())),
                Err(unfollowed @ Halt::Unfollowed(_)) => return Some(Err(unfollowed)),
                Err(Halt::Astray) => {}
                Err(_) => {
                    if let Some(tree) = &mut self.exploration.tree {
                        tree.infeasible += 1;
                    }
                }
            }
        }
    }

    /// Undoes everything since a choice.
    fn restore(&mut self, state: &State) {
        self.undo_trail(state.trail, state.base);
        self.heap.undo(state.heap);
        self.solver.undo(state.store);
        self.exploration.unknown.solver.undo(state.unknown);
        self.exploration.unknown.made.undo(state.made);
        self.library.undo(&state.library);
        self.set_steps(state.steps);
        self.observation = state.observation;
        self.criterion.choices = state.choices;
    }
}
