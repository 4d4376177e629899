//! All together: batches of test classes, compiled and run side by side.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use petrel_replay::ReplayError;

use crate::compile::compile;
use crate::javac::Javac;
use crate::plan::{ALONE, Plan, RUNS, Round, SIDES, Side};
use crate::run::Runner;
use crate::scratch::Scratch;
use crate::{Options, TestSource, ValidateError, Verdict, junit};

/// How many classes, and about how many bytes of their text, are one batch: enough to make up for the
/// start of three JVMs, and not too many to go side by side.
const BATCH_CLASSES: usize = 64;
const BATCH_BYTES: usize = 1 << 19;

/// Compiles test classes and runs each of their tests several times. The answer has a verdict for each test of each
/// source; of a source that was not judged before the alarm of the options, there is none. The function is told how many tests are done, of how many; it is called by several threads.
///
/// # Errors
///
/// If the JDK or the folder for temporary files cannot be used.
pub fn validate(
    options: &Options,
    sources: &[TestSource],
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<Option<Vec<Verdict>>>, ValidateError> {
    let batches = batches(sources);
    if options.alarm.is_raised() {
        return Ok(vec![None; sources.len()]);
    }
    let junit = if batches.is_empty() { Ok(PathBuf::new()) } else { junit::classes(options) };
    if let Err(ReplayError::Stopped) = junit {
        return Ok(vec![None; sources.len()]);
    }
    let n_workers = options.jobs.clamp(1, batches.len().max(1));
    let n_tests = sources.iter().map(|source| source.tests.len()).sum();
    let validation = Validation {
        options,
        class_path: absolute_class_path(options)?,
        junit: junit?,
        // With few batches their two runs go side by side, with many the batches do.
        side_by_side: options.jobs >= 2 * n_workers,
        progress: Progress { report: progress, n_runs: AtomicUsize::new(0), n_tests },
    };
    let next = AtomicUsize::new(0);
    let is_failed = AtomicBool::new(false);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..n_workers {
            scope.spawn(|| {
                while !is_failed.load(Ordering::Relaxed)
                    && let number = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(batch) = batches.get(number)
                {
                    let verdicts = match validation.batch(&sources[batch.clone()]) {
                        Err(ValidateError::Stopped | ValidateError::Jvm(ReplayError::Stopped)) => {
                            Ok(vec![None; batch.len()])
                        }
                        verdicts => verdicts,
                    };
                    is_failed.fetch_or(verdicts.is_err(), Ordering::Relaxed);
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((number, verdicts));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|(number, _)| *number);
    let mut all = Vec::with_capacity(sources.len());
    for (_, verdicts) in found {
        all.append(&mut verdicts?);
    }
    Ok(all)
}

/// Which sources go together. That depends on nothing but them: tests of a batch can see each other's
/// doings.
fn batches(sources: &[TestSource]) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut n_bytes = 0;
    for (index, source) in sources.iter().enumerate() {
        n_bytes += source.text.len();
        match batches.last_mut() {
            Some(batch) if batch.len() < BATCH_CLASSES && n_bytes <= BATCH_BYTES => {
                batch.end = index + 1;
            }
            _ => {
                batches.push(index..index + 1);
                n_bytes = source.text.len();
            }
        }
    }
    batches
}

/// The JVMs have another working directory.
fn absolute_class_path(options: &Options) -> Result<Vec<PathBuf>, ValidateError> {
    let absolute = |path: &PathBuf| {
        std::path::absolute(path).map_err(|error| {
            let (path, reason) = (path.display().to_string(), error.to_string());
            ValidateError::ClassPath { path, reason }
        })
    };
    options.class_path.iter().map(absolute).collect()
}

/// Counts runs, and tells of tests: each is run several times, or not any more.
struct Progress<'a> {
    report: &'a (dyn Fn(usize, usize) + Sync),
    n_runs: AtomicUsize,
    n_tests: usize,
}

impl Progress<'_> {
    fn add(&self, n_runs: usize) {
        let n_runs = self.n_runs.fetch_add(n_runs, Ordering::Relaxed) + n_runs;
        (self.report)(n_runs / RUNS, self.n_tests);
    }
}

/// What is the same for all batches.
struct Validation<'a> {
    options: &'a Options,
    class_path: Vec<PathBuf>,
    /// The folder with JUnit.
    junit: PathBuf,
    side_by_side: bool,
    progress: Progress<'a>,
}

impl Validation<'_> {
    fn batch(&self, sources: &[TestSource]) -> Result<Vec<Option<Vec<Verdict>>>, ValidateError> {
        let scratch = Scratch::new()?;
        // First the classes that are made now: others of the same name may be left from an earlier time.
        let classes = scratch.folder("classes")?;
        let mut class_path = vec![classes.clone()];
        class_path.extend(self.class_path.iter().cloned());
        class_path.push(self.junit.clone());
        let start = |side: Side| Runner::start(self.options, &class_path, &scratch, side.name());
        std::thread::scope(|scope| {
            let early = self.options.run && self.side_by_side;
            // The JVMs start while the compiler works.
            let started = early.then(|| SIDES.map(|side| scope.spawn(move || start(side))));
            let javac = Javac::new(self.options, &class_path, classes, &scratch)?;
            let errors = compile(&javac, &scratch, sources)?;
            let plan = Plan::new(sources, &errors);
            if !self.options.run || plan.tests.is_empty() {
                self.progress.add(RUNS * plan.n_all);
                return Ok(plan.verdicts(errors, None));
            }
            self.progress.add(RUNS * (plan.n_all - plan.tests.len()));
            let mut runners = match started {
                Some(started) => started.map(|started| joined(started).map(Some)),
                None => [Ok(None), Ok(None)],
            };
            let n_runs = AtomicUsize::new(0);
            let most_runs = RUNS * plan.tests.len();
            let after_each = || {
                // To see what one test leaves behind, others are run that do not count.
                if n_runs.fetch_add(1, Ordering::Relaxed) < most_runs {
                    self.progress.add(1);
                }
            };
            let run = |side: Side, rounds, wanted: &[bool], runner: &mut Started| {
                let started = std::mem::replace(runner, Ok(None))?;
                let mut started = started.map_or_else(|| start(side), Ok)?;
                let wanted = wanted.to_vec();
                let found =
                    started.run(self.options, &plan, (side, rounds), wanted, &after_each)?;
                *runner = Ok(Some(started));
                Ok::<_, ValidateError>(found)
            };
            let mut both = |rounds: [&'static [Round]; 2], wanted: &[bool]| {
                let [first, second] = &mut runners;
                let mut run_first = || run(Side::First, rounds[0], wanted, first);
                let mut run_second = || run(Side::Second, rounds[1], wanted, second);
                if !self.side_by_side {
                    return Ok([run_first()?, run_second()?]);
                }
                std::thread::scope(|scope| {
                    let first = scope.spawn(run_first);
                    let second = run_second();
                    Ok::<_, ValidateError>([joined(first)?, second?])
                })
            };
            let alone = both([ALONE; 2], &vec![true; plan.tests.len()])?;
            let wanted = plan.wanted(alone.each_ref());
            let together = both(SIDES.map(Side::rounds), &wanted)?;
            self.progress.add(most_runs.saturating_sub(n_runs.into_inner()));
            Ok(plan.verdicts(errors, Some(&[alone, together].concat())))
        })
    }
}

/// A JVM, if it is started already.
type Started = Result<Option<Runner>, ValidateError>;

/// What a thread has found; its panic goes on here.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(length: usize) -> TestSource {
        let (class, file, text) = ("A".to_owned(), "A.java".into(), "x".repeat(length));
        TestSource { class, file, release: None, text, tests: Vec::new() }
    }

    #[test]
    fn batches_have_limits() {
        assert_eq!(batches(&[]), []);
        let small: Vec<TestSource> = (0..130).map(|_| source(1)).collect();
        assert_eq!(batches(&small), [0..64, 64..128, 128..130]);
        let large =
            [source(BATCH_BYTES - 1), source(1), source(1), source(2 * BATCH_BYTES), source(1)];
        assert_eq!(batches(&large), [0..2, 2..3, 3..4, 4..5]);
    }
}
