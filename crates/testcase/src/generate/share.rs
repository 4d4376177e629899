//! Several workers on one tree.
//!
//! The tree is a list of parts in the order in which one worker would come to them. Whoever has nothing
//! to do asks; a worker that has more than one path left gives the last part of it away, which then
//! stands right behind its own in the list. Cases leave in the order of the list: those of the first part
//! at once, others wait for their turn.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use petrel_engine::Prefix;

use super::GenerateError;
use super::worker::{Goal, Progress, Worker};
use crate::case::{Case, Summary};

/// So many cases of a part may wait for their turn before its worker waits, too.
const MOST_WAITING: usize = 25_000;

/// A worker passes so many cases on at once: each time costs a lock, and wakes who emits them.
const AT_ONCE: usize = 64;

/// Parts of the tree that are given are dealt out in so many portions for each worker.
const PORTIONS: usize = 4;

/// A part of the tree.
struct Part {
    /// Where it starts, until somebody takes it: one place, or several that follow each other.
    prefixes: Option<Vec<Prefix>>,
    cases: VecDeque<Case>,
    is_done: bool,
}

#[derive(Default)]
struct State {
    parts: Vec<Part>,
    /// The numbers of parts that are not finished, in the order of the tree.
    order: Vec<usize>,
    /// Workers that have nothing to do.
    idle: usize,
    summary: Summary,
    error: Option<GenerateError>,
    is_stopped: bool,
}

struct Shared {
    state: Mutex<State>,
    /// Something changed.
    change: Condvar,
    jobs: usize,
    /// Whether a worker has to look at the state now: others have nothing to do, or all have to stop.
    is_wanted: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.change.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
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

    fn add_part(&mut self, prefixes: Vec<Prefix>, after: Option<usize>) {
        let number = self.parts.len();
        self.parts.push(Part { prefixes: Some(prefixes), cases: VecDeque::new(), is_done: false });
        let position = after.and_then(|part| self.order.iter().position(|&other| other == part));
        self.order.insert(position.map_or(0, |position| position + 1), number);
    }
}

/// Generates with as many workers as there are jobs.
pub(super) fn together(
    goal: &Goal<'_, '_>,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Summary, GenerateError> {
    let jobs = goal.options.jobs;
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
        shared.lock().add_part(portion.to_vec(), number.checked_sub(1));
    }
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| work(goal, &shared));
        }
        emit_in_order(&shared, emit);
    });
    let state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.error {
        Some(error) => Err(error),
        None => Ok(state.summary),
    }
}

/// Passes cases on in the order of the tree until all work is done.
fn emit_in_order(shared: &Shared, emit: &mut dyn FnMut(Case) -> bool) {
    let mut state = shared.lock();
    loop {
        if let Some(&first) = state.order.first() {
            let cases = std::mem::take(&mut state.parts[first].cases);
            if !cases.is_empty() {
                drop(state);
                let goes_on = cases.into_iter().all(&mut *emit);
                state = shared.lock();
                if !goes_on {
                    state.is_stopped = true;
                    shared.is_wanted.store(true, Ordering::Relaxed);
                }
                shared.change.notify_all();
                continue;
            }
            if state.parts[first].is_done {
                state.order.remove(0);
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

fn work(goal: &Goal<'_, '_>, shared: &Shared) {
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
        worker.explore(prefixes, &mut summary, &mut |worker, case| {
            cases.extend(case);
            let is_wanted = shared.is_wanted.load(Ordering::Relaxed);
            if cases.len() < AT_ONCE && !is_wanted {
                return Progress::GoOn;
            }
            pass_on(shared, part, worker, &mut cases)
        });
        let mut state = shared.lock();
        state.parts[part].cases.extend(cases);
        state.parts[part].is_done = true;
        state.summary.add(&summary);
        shared.change.notify_all();
    }
}

/// Puts cases into their part, and gives work away if somebody wants some.
fn pass_on(
    shared: &Shared,
    part: usize,
    worker: &mut Worker<'_>,
    cases: &mut Vec<Case>,
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
        state.add_part(vec![prefix], Some(part));
        shared.change.notify_all();
    }
    while !state.is_stopped
        && state.parts[part].cases.len() > MOST_WAITING
        && state.order.first() != Some(&part)
    {
        state = shared.wait(state);
    }
    if state.is_stopped { Progress::Stop } else { Progress::GoOn }
}
