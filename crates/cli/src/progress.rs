//! Progress on stderr while cases are searched: a line that is redrawn on a terminal, a line now and
//! then elsewhere. Short runs show nothing.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::output::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Runs that are shorter show nothing on a terminal.
const PATIENCE: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(100);
/// Where nothing can be redrawn, each message stays. Shorter runs show nothing there.
const REPEAT: Duration = Duration::from_secs(5);

/// Progress that is shown until this is dropped.
pub(crate) struct Progress {
    shared: Arc<Shared>,
    /// Dropped to wake up the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    cases: AtomicU64,
    started: Instant,
    on_terminal: bool,
    /// What is drawn on the terminal; `None` before it is time for that.
    bar: Mutex<Option<ProgressBar>>,
}

impl Progress {
    pub(crate) fn start() -> Progress {
        let shared = Arc::new(Shared {
            cases: AtomicU64::new(0),
            started: Instant::now(),
            on_terminal: io::stderr().is_terminal(),
            bar: Mutex::new(None),
        });
        let (end, ended) = mpsc::channel();
        let thread = thread::Builder::new().name("progress".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || {
                let mut wait = if shared.on_terminal { PATIENCE } else { REPEAT };
                while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    wait = shared.show();
                }
            }
        });
        // Without a thread there is no progress to be seen, and nothing else is missing.
        Progress { shared, end: Some(end), thread: thread.ok() }
    }

    /// One case more.
    pub(crate) fn count_case(&self) {
        self.shared.cases.fetch_add(1, Ordering::Relaxed);
    }

    /// Writes to stdout, which may be the same terminal.
    pub(crate) fn beside<R>(&self, write: impl FnOnce() -> R) -> R {
        match &*self.shared.bar() {
            Some(bar) if io::stdout().is_terminal() => bar.suspend(write),
            _ => write(),
        }
    }
}

impl Shared {
    fn bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows how far it is, and returns the time until it should be shown again.
    fn show(&self) -> Duration {
        let cases = self.cases.load(Ordering::Relaxed);
        let elapsed = self.started.elapsed();
        if self.on_terminal {
            let mut bar = self.bar();
            let bar = bar.get_or_insert_with(|| new_bar(elapsed));
            bar.set_message(format!("cases: {cases}"));
            bar.tick();
            REDRAW
        } else {
            say!("cases: {cases} after {} s", elapsed.as_secs());
            REPEAT
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // The thread does nothing that panics.
            let _ = thread.join();
        }
        if let Some(bar) = &*self.shared.bar() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(elapsed: Duration) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        .with_elapsed(elapsed)
        .with_style(style)
}
