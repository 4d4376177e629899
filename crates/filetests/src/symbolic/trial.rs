//! Cases of many methods on trial: all that they say is compared with the JVM.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use petrel_program::ResolvedMethod;
use petrel_replay::{Call, Isolation, Replay};
use petrel_testcase::{GenerateError, Options, Summary, generate};
use petrel_translate::cache::Procedures;

use super::{Prediction, Totals, predictions};
use crate::scratch::Scratch;
use crate::stubs::write_stubs;

/// A method may take so much longer than its time before it is told: other threads take theirs, too.
const PATIENCE: Duration = Duration::from_secs(5);

/// How cases are generated and replayed.
pub struct Trial<'a> {
    /// The program.
    pub procedures: &'a Procedures<'a>,
    /// What is generated.
    pub options: Options,
    /// Where the JVM takes classes from.
    pub class_path: Vec<PathBuf>,
    /// A method that has more cases is left then.
    pub most_cases: usize,
}

impl Trial<'_> {
    /// Generates the cases of methods, replays all of them, and counts.
    ///
    /// # Panics
    ///
    /// If the JVM cannot be run.
    pub fn run(&self, replay: &mut Replay, methods: &[ResolvedMethod], totals: &Mutex<Totals>) {
        let lock = || totals.lock().unwrap_or_else(PoisonError::into_inner);
        let mut predicted: Vec<Prediction> = Vec::new();
        for method in methods {
            let started = Instant::now();
            let generated = catch_unwind(AssertUnwindSafe(|| self.generate(method)));
            let taken = started.elapsed();
            let name = method.to_string();
            let mut totals = lock();
            if self.options.time.is_some_and(|most| taken > most + PATIENCE) {
                totals.slow.push(format!("{name}: {} s", taken.as_secs()));
            }
            match generated {
                Ok(Ok((n_cases, of_method, summary))) => {
                    totals.add(&name, n_cases, &summary);
                    predicted.extend(of_method);
                }
                Ok(Err(error)) => totals.add_refused(&error),
                Err(_) => totals.panics.push(name),
            }
        }
        // A case begins with what initialisers leave, whatever was called before.
        let isolation = Isolation::Fresh;
        let stubs = Scratch::new();
        for prediction in &predicted {
            write_stubs(self.procedures.program(), &prediction.call.heap, stubs.path());
        }
        let mut class_path = self.class_path.clone();
        class_path.push(stubs.path().to_owned());
        let calls = predicted.iter().map(|prediction| Call {
            isolation,
            class_path: Some(class_path.clone()),
            ..prediction.call.clone()
        });
        let outcomes = replay.call_all(calls).unwrap_or_else(|error| panic!("{error}"));
        let mut totals = lock();
        for (prediction, outcome) in predicted.iter().zip(&outcomes) {
            totals.tally.add(&prediction.call, prediction.judge(outcome));
        }
    }

    /// The number of cases of a method, what they predict, and the rest.
    fn generate(
        &self,
        method: &ResolvedMethod,
    ) -> Result<(usize, Vec<Prediction>, Summary), GenerateError> {
        let (mut n_cases, mut predicted) = (0, Vec::new());
        let summary = generate(self.procedures, method, &self.options, &mut |case| {
            n_cases += 1;
            predicted.extend(predictions(method, &case));
            n_cases < self.most_cases
        })?;
        Ok((n_cases, predicted, summary))
    }
}

/// Does something with each item, on all cores; each thread has a state of its own, such as JVMs.
pub fn for_each_in_threads<T: Sync, S>(
    items: &[T],
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) + Sync,
) {
    let next = AtomicUsize::new(0);
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                let mut state = start();
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(&mut state, item);
                }
            });
        }
    });
}
