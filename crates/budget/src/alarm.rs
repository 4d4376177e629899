//! The flag that ends work.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Why work has to end before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The time is over.
    Time,
    /// Somebody wants it to end: a signal.
    Interrupt,
}

/// A flag that is raised at most once, from any thread. Copies are the same flag.
#[derive(Clone, Default)]
pub struct Alarm(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// 0 as long as it is not raised.
    cause: AtomicU8,
    waiting: Mutex<Waiting>,
    /// What raises it together with the alarm that it is a part of, as long as both are there.
    _of_whole: Option<Listener>,
}

type Action = Box<dyn FnOnce(Cause) + Send>;

/// What is done when the alarm is raised.
#[derive(Default)]
struct Waiting {
    actions: BTreeMap<u64, Action>,
    next: u64,
}

impl Shared {
    fn cause(&self) -> Option<Cause> {
        match self.cause.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Cause::Time),
            _ => Some(Cause::Interrupt),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn raise(&self, cause: Cause) {
        let mut waiting = self.waiting();
        if self.cause().is_some() {
            return;
        }
        let number = match cause {
            Cause::Time => 1,
            Cause::Interrupt => 2,
        };
        self.cause.store(number, Ordering::Relaxed);
        let actions = std::mem::take(&mut waiting.actions);
        drop(waiting);
        actions.into_values().for_each(|action| action(cause));
    }

    fn on_raise(self: &Arc<Self>, action: Action) -> Listener {
        let mut waiting = self.waiting();
        let number = waiting.next;
        waiting.next += 1;
        match self.cause() {
            Some(cause) => {
                drop(waiting);
                action(cause);
            }
            None => {
                waiting.actions.insert(number, action);
            }
        }
        Listener { of: Arc::downgrade(self), number }
    }
}

impl Alarm {
    /// Whether it is raised. This is cheap enough for loops.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.cause.load(Ordering::Relaxed) != 0
    }

    /// Why it is raised, if it is.
    pub fn cause(&self) -> Option<Cause> {
        self.0.cause()
    }

    /// Raises it, and all its parts. The first cause stays.
    pub fn raise(&self, cause: Cause) {
        self.0.raise(cause);
    }

    /// An alarm that can be raised by itself, and is raised together with this one.
    pub fn part(&self) -> Alarm {
        Alarm(Arc::new_cyclic(|part: &Weak<Shared>| {
            let part = part.clone();
            let raise = move |cause| {
                if let Some(part) = part.upgrade() {
                    part.raise(cause);
                }
            };
            // While the part is being made nobody can raise it, so that it looks itself below.
            Shared { _of_whole: Some(self.0.on_raise(Box::new(raise))), ..Shared::default() }
        }))
        .raised_like(self)
    }

    /// The same alarm, raised if another one is.
    fn raised_like(self, whole: &Alarm) -> Alarm {
        if let Some(cause) = whole.cause() {
            self.raise(cause);
        }
        self
    }

    /// Does something when the alarm is raised, in the thread that raises it; at once if it is raised already. It is
    /// not done any more once the listener is dropped.
    pub fn on_raise(&self, action: impl FnOnce(Cause) + Send + 'static) -> Listener {
        self.0.on_raise(Box::new(action))
    }

    pub(crate) fn downgrade(&self) -> WeakAlarm {
        WeakAlarm(Arc::downgrade(&self.0))
    }
}

impl fmt::Debug for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Alarm").field(&self.cause()).finish()
    }
}

/// An alarm that may be gone.
pub(crate) struct WeakAlarm(Weak<Shared>);

impl WeakAlarm {
    pub(crate) fn raise(&self, cause: Cause) {
        if let Some(shared) = self.0.upgrade() {
            shared.raise(cause);
        }
    }
}

/// Stands for something that waits for an alarm.
pub struct Listener {
    of: Weak<Shared>,
    number: u64,
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listener").field(&self.number).finish()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Some(shared) = self.of.upgrade() {
            // Dropped without the lock: it may own an alarm itself.
            let action = shared.waiting().actions.remove(&self.number);
            drop(action);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn parts_are_raised_with_the_whole_and_not_the_other_way_round() {
        let whole = Alarm::default();
        let (one, other) = (whole.part(), whole.part());
        let inner = one.part();
        one.raise(Cause::Time);
        assert_eq!((whole.cause(), other.cause()), (None, None));
        assert_eq!((one.cause(), inner.cause()), (Some(Cause::Time), Some(Cause::Time)));
        whole.raise(Cause::Interrupt);
        assert_eq!(other.cause(), Some(Cause::Interrupt));
        assert_eq!(one.cause(), Some(Cause::Time), "the first cause stays");
        assert_eq!(whole.part().cause(), Some(Cause::Interrupt), "it is too late");
    }

    #[test]
    fn listeners_hear_of_it_once_unless_they_are_gone() {
        let heard = Arc::new(AtomicUsize::new(0));
        let alarm = Alarm::default();
        let listen = || {
            let heard = Arc::clone(&heard);
            alarm.on_raise(move |_| {
                heard.fetch_add(1, Ordering::Relaxed);
            })
        };
        let _kept = listen();
        drop(listen());
        alarm.raise(Cause::Time);
        alarm.raise(Cause::Interrupt);
        assert_eq!(heard.load(Ordering::Relaxed), 1);
        let _late = listen();
        assert_eq!(heard.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn parts_that_are_gone_leave_nothing_behind() {
        let whole = Alarm::default();
        (0..10).for_each(|_| drop(whole.part()));
        assert!(whole.0.waiting().actions.is_empty());
    }
}
