//! The ledger.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::alarm::Alarm;
use crate::watchdog::Watchdog;

/// Work that may be done, and the time it may take. Copies are the same purse.
#[derive(Clone, Default)]
pub struct Purse(Arc<Ledger>);

struct Ledger {
    /// What this is a share of.
    whole: Option<Purse>,
    most: u64,
    spent: AtomicU64,
    alarm: Alarm,
    time: Option<Time>,
}

/// The time that a purse has in all, and when it is over.
#[derive(Clone)]
struct Time {
    all: Duration,
    end: Instant,
    watchdog: Watchdog,
}

impl Time {
    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }
}

impl Default for Ledger {
    fn default() -> Ledger {
        let (spent, alarm) = (AtomicU64::new(0), Alarm::default());
        Ledger { whole: None, most: u64::MAX, spent, alarm, time: None }
    }
}

impl Purse {
    /// A purse that is never empty, whose alarm somebody may raise.
    pub fn unlimited() -> Purse {
        Purse::default()
    }

    /// A share with at most so much work.
    pub fn with_work(&self, most: u64) -> Purse {
        let (alarm, time) = (self.0.alarm.part(), self.0.time.clone());
        self.with(most, alarm, time)
    }

    /// A share that has so much time from now on, and not longer than the whole.
    pub fn within(&self, time: Duration) -> Purse {
        let alarm = self.0.alarm.part();
        let time = self.timed(time, &alarm);
        self.with(self.0.most, alarm, time)
    }

    /// One of so many parts of the whole, work and time: less, if less is left.
    pub fn share(&self, parts: u32) -> Purse {
        let parts = parts.max(1);
        let most = match self.0.most {
            u64::MAX => u64::MAX,
            most => most / u64::from(parts),
        };
        let alarm = self.0.alarm.part();
        let time = self.0.time.as_ref().and_then(|time| self.timed(time.all / parts, &alarm));
        self.with(most, alarm, time)
    }

    /// A share for the next of several stages: it may go on until so many of so many parts of the whole are spent, work
    /// and time. What the stages before have left is for this one.
    pub fn up_to(&self, parts: u32, of: u32) -> Purse {
        let (parts, of) = (parts.min(of), of.max(1));
        let most = match self.0.most {
            u64::MAX => u64::MAX,
            most => {
                let most = u128::from(most) * u128::from(parts) / u128::from(of);
                u64::try_from(most).unwrap_or(u64::MAX).saturating_sub(self.spent())
            }
        };
        let alarm = self.0.alarm.part();
        let time = self.0.time.as_ref().and_then(|time| {
            let gone = time.all.saturating_sub(time.left());
            self.timed((time.all * parts / of).saturating_sub(gone), &alarm)
        });
        self.with(most, alarm, time)
    }

    fn with(&self, most: u64, alarm: Alarm, time: Option<Time>) -> Purse {
        let (whole, spent) = (Some(self.clone()), AtomicU64::new(0));
        Purse(Arc::new(Ledger { whole, most, spent, alarm, time }))
    }

    /// The time of a share, whose alarm is raised at its end.
    fn timed(&self, all: Duration, alarm: &Alarm) -> Option<Time> {
        let known = self.0.time.as_ref();
        // Who has more time than there will ever be needs no alarm.
        let Some(end) = Instant::now().checked_add(all) else { return known.cloned() };
        if let Some(whole) = known.filter(|whole| whole.end <= end) {
            return Some(whole.clone());
        }
        let watchdog = known.map_or_else(Watchdog::start, |known| known.watchdog.clone());
        watchdog.raise_at(end, alarm);
        Some(Time { all, end, watchdog })
    }

    /// Work was done.
    pub fn spend(&self, work: u64) {
        let mut purse = Some(self);
        while let Some(Purse(ledger)) = purse {
            ledger.spent.fetch_add(work, Ordering::Relaxed);
            purse = ledger.whole.as_ref();
        }
    }

    /// All work that was done.
    pub fn spent(&self) -> u64 {
        self.0.spent.load(Ordering::Relaxed)
    }

    /// The most work that it was made for.
    pub fn most(&self) -> u64 {
        self.0.most
    }

    /// Work that may still be done: no more than is left of what it is a share of.
    pub fn left(&self) -> u64 {
        let left = self.0.most.saturating_sub(self.spent());
        self.0.whole.as_ref().map_or(left, |whole| left.min(whole.left()))
    }

    /// Whether no more work may be done.
    pub fn is_empty(&self) -> bool {
        self.left() == 0
    }

    /// Whether nothing may go on: it is empty, or its alarm is raised.
    pub fn is_over(&self) -> bool {
        self.0.alarm.is_raised() || self.is_empty()
    }

    /// What ends everything that is paid from it.
    pub fn alarm(&self) -> &Alarm {
        &self.0.alarm
    }

    /// The time that is left, if there is a limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.0.time.as_ref().map(Time::left)
    }
}

impl fmt::Debug for Purse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Purse")
            .field("most", &self.0.most)
            .field("spent", &self.spent())
            .field("alarm", &self.0.alarm)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cause;

    #[test]
    fn shares_are_withdrawn_from_the_whole() {
        let whole = Purse::unlimited().with_work(100);
        let half = whole.share(2);
        assert_eq!((half.most(), half.left()), (50, 50));
        half.spend(20);
        assert_eq!((half.left(), whole.left(), whole.spent()), (30, 80, 20));
        // What the first leaves is there for the others, who together never get more than there is.
        let rest = whole.with_work(1000);
        assert_eq!(rest.left(), 80);
        rest.spend(70);
        assert_eq!((half.left(), rest.left(), whole.left()), (10, 10, 10));
        half.spend(15);
        assert!(half.is_empty() && rest.is_empty() && whole.is_empty());
        assert_eq!(whole.spent(), 105);
    }

    #[test]
    fn stages_get_what_those_before_have_left() {
        let whole = Purse::unlimited().with_work(100);
        let first = whole.up_to(3, 10);
        assert_eq!(first.left(), 30);
        first.spend(10);
        let second = whole.up_to(5, 10);
        assert_eq!(second.left(), 40);
        second.spend(45);
        assert!(whole.up_to(5, 10).is_empty());
        assert_eq!(whole.up_to(1, 1).left(), 45);
        let timed = Purse::unlimited().within(Duration::from_secs(1000));
        let left = timed.up_to(1, 4).time_left().unwrap();
        assert!(left <= Duration::from_secs(250) && left > Duration::from_secs(200));
    }

    #[test]
    fn nothing_is_too_much_for_a_purse_without_a_limit() {
        let purse = Purse::unlimited();
        assert_eq!(purse.share(8).most(), u64::MAX);
        purse.share(8).spend(1 << 40);
        assert_eq!(purse.spent(), 1 << 40);
        assert!(!purse.is_over());
        assert_eq!(purse.time_left(), None);
    }

    #[test]
    fn time_ends_a_share_and_its_shares() {
        let whole = Purse::unlimited();
        let short = whole.within(Duration::from_millis(5));
        let inner = short.share(1).with_work(7);
        while !inner.is_over() {
            std::thread::yield_now();
        }
        assert_eq!(inner.alarm().cause(), Some(Cause::Time));
        assert_eq!(short.time_left(), Some(Duration::ZERO));
        assert!(!whole.is_over());
    }

    #[test]
    fn a_share_has_no_more_time_than_the_whole() {
        let whole = Purse::unlimited().within(Duration::from_secs(1000));
        let left = |purse: &Purse| purse.time_left().unwrap();
        assert!(left(&whole.within(Duration::from_secs(5000))) <= Duration::from_secs(1000));
        assert!(left(&whole.share(10)) <= Duration::from_secs(100));
        assert!(left(&whole.within(Duration::MAX)) > Duration::from_secs(900));
    }
}
