//! Several workers on one tree.
//!
//! The tree is a list of parts in the order in which one worker would come to them. Whoever has nothing
//! to do asks; a worker that has more than one path left gives the last part of it away, which then
//! stands right behind its own in the list. Cases leave in the order of the list: those of the first part
//! at once, others wait for their turn. When the time is over, what still waits is left out, as if nobody had looked at it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use petrel_budget::Alarm;
use petrel_clp::ToldTrace;
use petrel_engine::{Limit, Prefix, ended_by};

use super::worker::{Goal, Progress, Worker};
use super::{GenerateError, Tell};
use crate::case::{Case, CaseCost, Outcome, RuleApplied, Summary, Unfinished};

/// So many cases of a part may wait for their turn before its worker waits, too.
const MOST_WAITING: usize = 25_000;

/// The cases of the part whose turn it is may have so many steps together before its worker waits: more is told of longer
/// ones.
const MOST_STEPS_WAITING: u64 = 200_000;

/// A case takes as long to tell as so many steps, at least.
const STEPS_OF_CASE: u64 = 64;

/// A worker passes so many cases on at once: each time costs a lock, and wakes who emits them.
const AT_ONCE: usize = 64;

/// Parts of the tree that are given are dealt out in so many portions for each worker.
const PORTIONS: usize = 4;

/// A case that a worker has found.
pub(super) struct Found<T> {
    /// What is told of it.
    pub(super) told: T,
    pub(super) outcome: Outcome,
    pub(super) rules: Vec<RuleApplied>,
    /// Its trace and how many inputs it has, if other cases may be of the same path.
    pub(super) path: Option<(ToldTrace, usize)>,
    /// What its parts cost, for each model that is split up.
    pub(super) costs: Vec<CaseCost>,
    steps: u64,
}

impl<T> Found<T> {
    fn new(case: Case, may_be_told: bool, tell: &mut Tell<T>) -> Found<T> {
        let (outcome, rules) = (case.outcome.clone(), case.rules.clone());
        let path = may_be_told.then(|| (case.trace.clone(), case.solutions.len()));
        let split_up = case.costs.iter().filter(|cost| cost.parts.is_some());
        let (costs, steps) = (split_up.cloned().collect(), case.steps);
        Found { told: tell(case), outcome, rules, path, costs, steps }
    }
}

/// A part of the tree.
struct Part<T> {
    /// Where it starts, until somebody takes it: one place, or several that follow each other.
    prefixes: Option<Vec<Prefix>>,
    /// The same, if it is left out in the end.
    start: Vec<Prefix>,
    /// The part that it was split off.
    split_off: Option<usize>,
    cases: VecDeque<Found<T>>,
    /// What is known when it has been looked at.
    summary: Option<Summary>,
    /// Why it is none of the tree: known when its turn comes, as its cases are.
    error: Option<GenerateError>,
}

impl<T> Part<T> {
    fn n_steps_waiting(&self) -> u64 {
        self.cases.iter().map(|case| case.steps.max(STEPS_OF_CASE)).sum()
    }
}

struct State<T> {
    parts: Vec<Part<T>>,
    /// The numbers of parts that are not finished, in the order of the tree.
    order: Vec<usize>,
    /// Workers that have nothing to do.
    idle: usize,
    summary: Summary,
    error: Option<GenerateError>,
    is_stopped: bool,
}

impl<T> Default for State<T> {
    fn default() -> Self {
        State {
            parts: Vec::new(),
            order: Vec::new(),
            idle: 0,
            summary: Summary::default(),
            error: None,
            is_stopped: false,
        }
    }
}

struct Shared<T> {
    state: Mutex<State<T>>,
    /// Something changed.
    change: Condvar,
    jobs: usize,
    /// Whether a worker has to look at the state now: others have nothing to do, or all have to stop.
    is_wanted: AtomicBool,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<T>>) -> MutexGuard<'s, State<T>> {
        self.change.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    fn is_finished(&self, jobs: usize) -> bool {
        self.is_stopped || (self.idle == jobs && !self.has_waiting_part())
    }

    fn has_waiting_part(&self) -> bool {
        self.order.iter().any(|&part| self.parts[part].prefixes.is_some())
    }

    fn take_part(&mut self) -> Option<(usize, Vec<Prefix>)> {
        let part = *self.order.iter().find(|&&part| self.parts[part].prefixes.is_some())?;
        self.parts[part].prefixes.take().map(|prefixes| (part, prefixes))
    }

    /// Adds a part behind another one, of which it may have been split off.
    fn add_part(&mut self, prefixes: Vec<Prefix>, after: Option<usize>, is_split: bool) {
        let number = self.parts.len();
        self.parts.push(Part {
            start: prefixes.clone(),
            prefixes: Some(prefixes),
            split_off: after.filter(|_| is_split),
            cases: VecDeque::new(),
            summary: None,
            error: None,
        });
        let position = after.and_then(|part| self.order.iter().position(|&other| other == part));
        self.order.insert(position.map_or(0, |position| position + 1), number);
    }

    /// What is known of everything that was looked at and told.
    fn into_summary(mut self, late: Option<Limit>, keeps_unfinished: bool) -> Summary {
        let Some(limit) = late.filter(|_| !self.order.is_empty()) else {
            // What was looked at counts, wanted or not.
            for part in self.order {
                self.parts[part].summary.iter().for_each(|summary| self.summary.add(summary));
            }
            return self.summary;
        };
        self.summary.note_left_over(limit);
        // Parts that were split off one that is left out are in it.
        let starts = self.order.iter().filter(|&&part| {
            self.parts[part].split_off.is_none_or(|whole| !self.order.contains(&whole))
        });
        let prefixes = starts.flat_map(|&part| self.parts[part].start.iter().cloned());
        let left_out = prefixes.map(|prefix| Unfinished { prefix, trace: None });
        if keeps_unfinished {
            self.summary.unfinished.extend(left_out);
        }
        self.summary
    }
}

/// Generates with as many workers as there are jobs. What waits for its turn when the alarm is raised is left out.
pub(super) fn together<T: Send>(
    goal: &Goal<'_, '_>,
    alarm: &Alarm,
    tellers: &(dyn Fn() -> Tell<T> + Sync),
    emit: &mut dyn FnMut(Found<T>) -> bool,
) -> Result<Summary, GenerateError> {
    let (jobs, keeps_unfinished) = (goal.options.jobs, goal.options.keep_unfinished);
    let shared = Shared {
        state: Mutex::new(State::default()),
        change: Condvar::new(),
        jobs,
        is_wanted: AtomicBool::new(false),
    };
    let parts = &goal.options.parts;
    // What is common to neighbours is derived once, so each worker gets neighbours; in more than one portion, because
    // portions take different times.
    let portion = parts.len().div_ceil(jobs * PORTIONS).max(1);
    for (number, portion) in parts.chunks(portion).enumerate() {
        shared.lock().add_part(portion.to_vec(), number.checked_sub(1), false);
    }
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| work(goal, &shared, tellers()));
        }
        emit_in_order(&shared, alarm, keeps_unfinished, emit);
    });
    let mut state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.error.take() {
        Some(error) => Err(error),
        None => Ok(state.into_summary(alarm.cause().map(ended_by), keeps_unfinished)),
    }
}

/// Passes cases on in the order of the tree until all work is done, or the alarm is raised: then in whole parts, if what is
/// left is kept.
fn emit_in_order<T>(
    shared: &Shared<T>,
    alarm: &Alarm,
    in_whole_parts: bool,
    emit: &mut dyn FnMut(Found<T>) -> bool,
) {
    let mut is_begun = false;
    let mut state = shared.lock();
    loop {
        state.is_stopped |= alarm.is_raised() && !(in_whole_parts && is_begun);
        if let Some(&first) = state.order.first().filter(|_| !state.is_stopped) {
            let cases = std::mem::take(&mut state.parts[first].cases);
            if !cases.is_empty() {
                drop(state);
                is_begun = true;
                let is_wanted = |case| (in_whole_parts || !alarm.is_raised()) && emit(case);
                let goes_on = cases.into_iter().all(is_wanted);
                state = shared.lock();
                if !goes_on {
                    state.is_stopped = true;
                    shared.is_wanted.store(true, Ordering::Relaxed);
                }
                shared.change.notify_all();
                continue;
            }
            if let Some(summary) = state.parts[first].summary.take() {
                is_begun = false;
                state.order.remove(0);
                state.summary.add(&summary);
                if let Some(error) = state.parts[first].error.take() {
                    state.error = Some(error);
                    state.is_stopped = true;
                    shared.is_wanted.store(true, Ordering::Relaxed);
                }
                shared.change.notify_all();
                continue;
            }
        }
        if state.order.is_empty() || state.is_stopped {
            state.is_stopped = true;
            shared.change.notify_all();
            return;
        }
        state = shared.wait(state);
    }
}

fn work<T>(goal: &Goal<'_, '_>, shared: &Shared<T>, mut tell: Tell<T>) {
    let goal = Goal { ..*goal };
    let mut worker = match Worker::new(&goal) {
        Ok(worker) => worker,
        Err(error) => {
            let mut state = shared.lock();
            state.error = Some(error);
            state.is_stopped = true;
            shared.change.notify_all();
            return;
        }
    };
    loop {
        let mut state = shared.lock();
        state.idle += 1;
        let (part, prefixes) = loop {
            if let Some(found) = state.take_part() {
                state.idle -= 1;
                break found;
            }
            if state.is_finished(shared.jobs) {
                shared.change.notify_all();
                return;
            }
            shared.is_wanted.store(true, Ordering::Relaxed);
            state = shared.wait(state);
        };
        drop(state);
        let mut summary = Summary::default();
        let mut cases = Vec::with_capacity(AT_ONCE);
        let explored = worker.explore(prefixes, &mut summary, &mut |worker, case| {
            cases.extend(case.map(|case| Found::new(case, worker.has_invariants(), &mut tell)));
            let is_wanted = shared.is_wanted.load(Ordering::Relaxed);
            if cases.len() < AT_ONCE && !is_wanted {
                return Progress::GoOn;
            }
            pass_on(shared, part, worker, &mut cases)
        });
        let mut state = shared.lock();
        state.parts[part].cases.extend(cases);
        state.parts[part].summary = Some(summary);
        state.parts[part].error = explored.err();
        shared.change.notify_all();
    }
}

/// Puts cases into their part, and gives work away if somebody wants some.
fn pass_on<T>(
    shared: &Shared<T>,
    part: usize,
    worker: &mut Worker<'_>,
    cases: &mut Vec<Found<T>>,
) -> Progress {
    let mut state = shared.lock();
    state.parts[part].cases.extend(cases.drain(..));
    if state.order.first() == Some(&part) {
        shared.change.notify_all();
    }
    let is_wanted = state.is_stopped || (state.idle > 0 && !state.has_waiting_part());
    shared.is_wanted.store(is_wanted, Ordering::Relaxed);
    if state.idle > 0
        && !state.has_waiting_part()
        && let Some(prefix) = worker.split()
    {
        state.add_part(vec![prefix], Some(part), true);
        shared.change.notify_all();
    }
    while !state.is_stopped
        && match state.order.first() == Some(&part) {
            true => state.parts[part].n_steps_waiting() > MOST_STEPS_WAITING,
            false => state.parts[part].cases.len() > MOST_WAITING,
        }
    {
        state = shared.wait(state);
    }
    if state.is_stopped { Progress::Stop } else { Progress::GoOn }
}
