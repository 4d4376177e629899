//! Progress of `generate` on stderr: a bar on a terminal, a line now and then elsewhere, where short runs show nothing.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use petrel_program::ResolvedMethod;
use petrel_suite::{ClassTarget, Watch};

use crate::output::say;

/// Where nothing can be redrawn, each message stays.
const REPEAT: Duration = Duration::from_secs(5);

/// Shows how far it is, until it is dropped.
pub(super) struct Watching {
    bar: Option<ProgressBar>,
    n_methods: usize,
    done: AtomicUsize,
    cases: AtomicUsize,
    started: Instant,
    /// When the last line was written.
    last: Mutex<Instant>,
}

impl Watching {
    pub(super) fn start(targets: &[ClassTarget]) -> Watching {
        let n_methods = targets.iter().map(|target| target.methods.len()).sum();
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(
                Some(n_methods as u64),
                ProgressDrawTarget::stderr_with_hz(10),
            );
            let style = ProgressStyle::with_template(
                "{bar:30} {pos}/{len} methods, {eta} left  {wide_msg}",
            );
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Watching {
            bar,
            n_methods,
            done: AtomicUsize::new(0),
            cases: AtomicUsize::new(0),
            started: Instant::now(),
            last: Mutex::new(Instant::now()),
        }
    }

    /// So many tests are going to be compiled and run.
    pub(super) fn judging(&self, tests: usize) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("compiling {tests} tests"));
        }
    }

    /// So many of them have been run.
    pub(super) fn judged(&self, done: usize, all: usize) {
        match &self.bar {
            Some(bar) => bar.set_message(format!("running tests: {done}/{all}")),
            None => self.say(|| format!("running tests: {done} of {all}")),
        }
    }

    fn say(&self, text: impl FnOnce() -> String) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= REPEAT {
            *last = Instant::now();
            say!("{} after {} s", text(), self.started.elapsed().as_secs());
        }
    }
}

impl Watch for Watching {
    fn started(&self, method: &ResolvedMethod) {
        if let Some(bar) = &self.bar {
            bar.set_message(method.class().name().replace('/', "."));
        }
    }

    fn finished(&self, method: &ResolvedMethod, cases: usize) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let cases = self.cases.fetch_add(cases, Ordering::Relaxed) + cases;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None => self.say(|| {
                let class = method.class().name().replace('/', ".");
                format!("{done} of {} methods, {cases} cases, at {class}", self.n_methods)
            }),
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
