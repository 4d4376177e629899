//! Workers that follow traces side by side.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use petrel_clp::Trace;

use super::GenerateError;
use super::rank::Best;
use super::worker::{Goal, Worker};
use crate::case::{Case, Summary};

/// A trace that is to be followed.
pub(super) struct Task {
    pub(super) trace: Arc<Trace>,
    /// The costs of the most expensive cases so far, if others are of no interest.
    pub(super) best: Option<Best>,
}

/// What came of it.
pub(super) struct Followed {
    /// The instances of the trace.
    pub(super) cases: Vec<Case>,
    /// How many of its rules the program followed.
    pub(super) rules: usize,
    pub(super) summary: Summary,
}

/// Follows traces, all of a list at once, and answers in the order of the list.
pub(super) type Follow<'a> = dyn FnMut(Vec<Task>) -> Result<Vec<Followed>, GenerateError> + 'a;

/// Does something with workers that follow traces, as many as there are jobs.
pub(super) fn with_crew<T>(
    goal: &Goal<'_, '_>,
    work: impl FnOnce(&mut Follow<'_>) -> Result<T, GenerateError>,
) -> Result<T, GenerateError> {
    let jobs = goal.options.jobs;
    if jobs <= 1 {
        let goal = Goal { ..*goal };
        let mut worker = Worker::new(&goal)?;
        return work(&mut |tasks| {
            Ok(tasks.into_iter().map(|task| follow(&goal, &mut worker, task)).collect())
        });
    }
    let (tasks, waiting) = mpsc::channel();
    let (done, results) = mpsc::channel();
    let waiting = Mutex::new(waiting);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (waiting, done) = (&waiting, done.clone());
            scope.spawn(move || follow_all(goal, waiting, &done));
        }
        drop(done);
        // The workers end when nobody has tasks for them any more.
        let tasks = tasks;
        work(&mut |list| {
            let count = list.len();
            for task in list.into_iter().enumerate() {
                // If no worker is left, there are no results, either.
                let _ = tasks.send(task);
            }
            let mut answers: Vec<Option<Followed>> = (0..count).map(|_| None).collect();
            for (number, followed) in results.iter().take(count) {
                answers[number] = Some(followed?);
            }
            Ok(answers.into_iter().flatten().collect())
        })
    })
}

type Numbered<T> = (usize, T);

fn follow_all(
    goal: &Goal<'_, '_>,
    waiting: &Mutex<Receiver<Numbered<Task>>>,
    done: &Sender<Numbered<Result<Followed, GenerateError>>>,
) {
    let goal = Goal { ..*goal };
    let mut worker = Worker::new(&goal);
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok((number, task)) = next() {
        let followed = match &mut worker {
            Ok(worker) => Ok(follow(&goal, worker, task)),
            Err(error) => Err(error.clone()),
        };
        if done.send((number, followed)).is_err() {
            return;
        }
    }
}

fn follow(goal: &Goal<'_, '_>, worker: &mut Worker<'_>, task: Task) -> Followed {
    let (mut cases, mut summary) = (Vec::new(), Summary::default());
    worker.know_best(task.best);
    let rules = worker.follow(task.trace, goal.purse, &mut summary, &mut |case| {
        cases.push(case);
        !goal.options.first
    });
    Followed { cases, rules, summary }
}
