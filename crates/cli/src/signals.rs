//! Signals: Ctrl-C, SIGTERM and SIGHUP end a command in order, with what it has found.

use std::process::exit;
use std::thread;
use std::time::Duration;

use petrel_budget::{Cause, Purse};

use crate::commands::demo;
use crate::output::say;

/// The exit status of who is ended before it is done.
const INTERRUPTED: i32 = 130;

/// How long a command may take to end in order.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The purse of the command: without limits, but signals end all that is paid from it.
pub(crate) fn purse() -> Purse {
    let purse = Purse::unlimited();
    let alarm = purse.alarm().clone();
    let handler = ctrlc::set_handler(move || {
        if alarm.is_raised() {
            end_at_once();
        }
        say!("interrupted: ending with what there is");
        alarm.raise(Cause::Interrupt);
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            end_at_once();
        });
    });
    if let Err(error) = handler {
        say!("warning: an interrupt will not be handled: {error}");
    }
    purse
}

/// Leaves nothing behind but what is finished.
fn end_at_once() -> ! {
    petrel_validate::remove_scratch();
    demo::remove_scratch();
    exit(INTERRUPTED)
}
