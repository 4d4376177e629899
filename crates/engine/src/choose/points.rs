//! Choice points: states that a derivation can go back to.

use petrel_solver::Mark;
use smallvec::SmallVec;

use super::OpenWay;
use crate::calls::{Halt, Step};
use crate::guide::{Guide, Position};
use crate::heap::HeapMark;
use crate::local::LocalPaths;
use crate::machine::Machine;
use crate::meter::MeterMark;
use crate::trail::TrailMark;
use crate::unstable::Instability;

/// A state that can be gone back to.
#[derive(Debug, Clone, Copy)]
struct State {
    base: usize,
    trail: TrailMark,
    heap: HeapMark,
    store: Mark,
    unknown: petrel_heap::Mark,
    made: crate::made::Mark,
    output: (usize, usize),
    memory: usize,
    steps: u64,
    applied: u64,
    own_applied: u64,
    choices: u32,
    decisions: usize,
    observe_at: u64,
    logged: usize,
    performed: usize,
    has_begun: bool,
    is_hidden: bool,
    modelled: u64,
}

/// A state that can be gone back to, and the ways that are left from there.
#[derive(Debug)]
pub(crate) struct ChoicePoint {
    state: State,
    instability: Instability,
    position: Position,
    local: u32,
    meter: Option<MeterMark>,
    /// The last is taken next.
    pub(crate) open: SmallVec<[OpenWay; 1]>,
}

impl ChoicePoint {
    /// How many decisions lead here.
    pub(crate) fn decisions(&self) -> usize {
        self.state.decisions
    }
}

impl Machine<'_> {
    /// Keeps the state here, with what is left to try.
    pub(crate) fn push_choice_point(&mut self, open: SmallVec<[OpenWay; 1]>) {
        let top = self.base + self.frame_size();
        let trail = self.mark_trail(top);
        let state = State {
            base: self.base,
            trail,
            heap: self.heap.open_choice(),
            store: self.solver.store.mark(),
            unknown: self.unknown.solver.mark(),
            made: self.unknown.made.mark(),
            output: (self.modelled.output.len(), self.modelled.errors.len()),
            memory: self.modelled.memory.len(),
            steps: self.steps,
            applied: self.applied,
            own_applied: self.own_applied,
            choices: self.criterion.choices,
            decisions: self.exploring.as_ref().map_or(0, |exploring| exploring.decisions.len()),
            observe_at: self.observe_at,
            logged: self.log.len(),
            performed: self.overflows.as_ref().map_or(0, |watch| watch.len()),
            has_begun: self.log.has_begun,
            is_hidden: self.log.is_hidden,
            modelled: self.exploring.as_ref().map_or(0, |exploring| exploring.modelled),
        };
        let position = self.guide.as_ref().and_then(Guide::position);
        let local = self.local.as_ref().map_or(0, LocalPaths::position);
        let meter = self.mark_meter();
        if let Some(exploring) = &mut self.exploring {
            let instability = self.instability.clone();
            exploring.points.push(ChoicePoint { state, instability, position, local, meter, open });
        }
    }

    /// The registers of the frame on top.
    fn frame_size(&self) -> usize {
        let method = self.frames.last().map(|frame| frame.method);
        let known = method.filter(|&method| method != u32::MAX);
        match known.map(|method| self.methods.get(method).entry) {
            Some(crate::link::Entry::Code { frame, .. }) => usize::from(frame),
            _ => 0,
        }
    }

    /// Goes back to the last choice that has a way left and takes it, unless that is given and is none; `None` if there
    /// is no way left: then the state is that before the first.
    pub(crate) fn go_back(&mut self) -> Option<Step> {
        loop {
            let exploring = self.exploring.as_mut()?;
            let point = exploring.points.last_mut()?;
            if let Some(local) = &mut self.local {
                local.go_back(point.local);
                if !local.is_worthwhile(point.local) {
                    point.open.clear();
                }
            }
            let (state, next) = (point.state, point.open.pop());
            let is_last = point.open.is_empty();
            self.instability.clone_from(&point.instability);
            if let Some(guide) = &mut self.guide {
                guide.go_back(point.position.clone());
            }
            if let (Some(meter), Some(mark)) = (&mut self.meter, &point.meter) {
                meter.go_back(mark);
            }
            exploring.decisions.truncate(state.decisions);
            if is_last {
                exploring.points.pop();
            }
            self.restore(&state);
            if is_last {
                self.heap.close_choice(state.heap);
                self.forget_mark(state.trail);
            }
            let Some(next) = next else { continue };
            match self.take(next) {
                Ok(()) => return Some(Ok(())),
                Err(unfollowed @ Halt::Unfollowed(_)) => return Some(Err(unfollowed)),
                Err(Halt::Astray) => {}
                Err(_) => {
                    if let Some(exploring) = &mut self.exploring {
                        exploring.infeasible += 1;
                    }
                }
            }
        }
    }

    /// Undoes everything since a choice.
    fn restore(&mut self, state: &State) {
        self.base = state.base;
        self.undo_trail(state.trail, state.base);
        self.heap.undo(state.heap);
        self.solver.undo(state.store);
        self.unknown.solver.undo(state.unknown);
        self.unknown.made.undo(state.made);
        self.modelled.output.truncate(state.output.0);
        self.modelled.errors.truncate(state.output.1);
        self.modelled.memory.truncate(state.memory);
        self.set_steps(state.steps);
        self.applied = state.applied;
        self.own_applied = state.own_applied;
        self.criterion.choices = state.choices;
        self.observe_at = state.observe_at;
        self.log.truncate(state.logged);
        if let Some(watch) = &mut self.overflows {
            watch.truncate(state.performed);
        }
        self.log.has_begun = state.has_begun;
        self.log.is_hidden = state.is_hidden;
        if let Some(exploring) = &mut self.exploring {
            exploring.modelled = state.modelled;
        }
    }
}
