//! Sizes of tests.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the lines about samples start with. Those of samples that are drawn by the seed end with it.
pub const SAMPLE: &str = "sample: ";

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// A little of everything.
    Check,
    /// What continuous integration tries.
    Test,
    /// Everything.
    Full,
    /// So many of hundred of what is drawn when everything is tried.
    Percent(usize),
}

impl Size {
    /// The size that a text names.
    fn parse(text: &str) -> Option<Size> {
        match text {
            "check" => Some(Size::Check),
            "test" => Some(Size::Test),
            "full" => Some(Size::Full),
            _ => text.strip_suffix('%')?.parse().ok().map(Size::Percent),
        }
    }
}

/// The size that `PETREL_TEST_SIZE` in the environment asks for.
///
/// # Panics
///
/// If it is none.
pub fn size() -> Size {
    static SIZE: OnceLock<Size> = OnceLock::new();
    *SIZE.get_or_init(|| match std::env::var("PETREL_TEST_SIZE") {
        Err(_) => Size::Test,
        Ok(text) => Size::parse(&text).unwrap_or_else(|| {
            panic!("PETREL_TEST_SIZE={text} is none of check, test, full and a number with %")
        }),
    })
}

/// The seed that `SEED` in the environment sets.
pub fn seed() -> u64 {
    number("SEED").unwrap_or(1) as u64
}

/// A number in the environment.
///
/// # Panics
///
/// If there is something else.
pub fn number(variable: &str) -> Option<usize> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")))
}

/// What a variable in the environment asks for, such as a part of the names of methods; empty if all are wanted.
pub fn filter(variable: &str) -> String {
    std::env::var(variable).unwrap_or_default()
}

/// Whether the environment asks for some fixtures, methods or classes, so that there may be few.
pub fn is_filtered() -> bool {
    let variables = ["FIXTURE", "METHOD", "METHODS", "CLASS", "CLASSES", "HEAP_CLASSES", "JAR"];
    variables.iter().any(|variable| std::env::var_os(variable).is_some())
}

/// Whether it says something that so many of hundred items are of a kind: there are enough of them, and they are the same
/// each time.
pub fn judges_shares() -> bool {
    matches!(size(), Size::Test | Size::Full) && seed() == 1 && !is_filtered()
}

/// Tells how much of a whole a test looks at.
#[expect(clippy::print_stderr, reason = "tests say what they do not try")]
pub fn sample(count: usize, of: usize, what: &str) {
    eprintln!("{SAMPLE}{count} of {of} {what}");
}

/// How many are drawn of what has no end, for each size.
#[derive(Debug, Clone, Copy)]
pub struct Amount {
    /// For a little of everything.
    pub check: usize,
    /// For continuous integration.
    pub test: usize,
    /// For everything.
    pub full: usize,
}

impl Amount {
    /// The number for the size that is asked for.
    pub const fn new(check: usize, test: usize, full: usize) -> Amount {
        Amount { check, test, full }
    }

    /// As many as the size that is asked for has.
    pub fn now(self) -> usize {
        self.of(size())
    }

    fn of(self, size: Size) -> usize {
        match size {
            Size::Check => self.check,
            Size::Test => self.test,
            Size::Full => self.full,
            Size::Percent(percent) => (self.full * percent / 100).max(1),
        }
    }

    /// As many as the size has, or as a variable in the environment says; tells it.
    #[expect(clippy::print_stderr, reason = "tests say what they do not try")]
    pub fn drawn(self, variable: &str, what: &str) -> usize {
        let count = number(variable).unwrap_or_else(|| self.now());
        eprintln!("{SAMPLE}{count} of {} {what}, SEED={}", self.full, seed());
        count
    }
}

/// One of how many items is looked at, for each size.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// For a little of everything.
    pub check: usize,
    /// For continuous integration.
    pub test: usize,
}

impl Part {
    /// One of so many for the two smaller sizes; the largest has them all.
    pub const fn one_of(check: usize, test: usize) -> Part {
        Part { check, test }
    }

    /// One of how many it is now.
    pub fn now(self) -> usize {
        match size() {
            // What is asked for by name is looked at.
            _ if is_filtered() => 1,
            Size::Check => self.check,
            Size::Test | Size::Percent(_) => self.test,
            Size::Full => 1,
        }
    }

    /// How many there are at least, if there are so many in the whole: none if the environment asks for some alone.
    pub fn least(self, of_all: usize) -> usize {
        match (is_filtered(), self.now()) {
            (true, _) => 0,
            (false, 1) => of_all,
            // Parts are not all of the same size.
            (false, every) => of_all / every * 2 / 3,
        }
    }

    /// Picks items one by one.
    pub fn picking(self) -> Picking {
        Picking { every: self.now(), n_seen: AtomicUsize::new(0), n_picked: AtomicUsize::new(0) }
    }

    /// Items that are spread evenly over all of them, in their order; tells how many.
    pub fn of<T>(self, items: Vec<T>, what: &str) -> Vec<T> {
        let (all, every) = (items.len(), self.now());
        let chosen: Vec<T> = spread(items, every, seed());
        if every > 1 {
            sample(chosen.len(), all, what);
        }
        chosen
    }
}

/// Picks a part of what comes in no fixed order, such as methods that several threads find: by their names.
#[derive(Debug)]
pub struct Picking {
    every: usize,
    n_seen: AtomicUsize,
    n_picked: AtomicUsize,
}

impl Picking {
    /// Whether an item of this name is looked at.
    pub fn picks(&self, name: &str) -> bool {
        let is_picked = is_picked(name, self.every, seed());
        self.n_seen.fetch_add(1, Ordering::Relaxed);
        self.n_picked.fetch_add(usize::from(is_picked), Ordering::Relaxed);
        is_picked
    }

    /// Tells how many were looked at.
    pub fn tell(&self, what: &str) {
        if self.every > 1 {
            let [picked, seen] = [&self.n_picked, &self.n_seen].map(|n| n.load(Ordering::Relaxed));
            sample(picked, seen, what);
        }
    }
}

/// Whether a name is among one of so many; each is for one seed.
fn is_picked(name: &str, every: usize, seed: u64) -> bool {
    // FNV-1a, with its upper bits mixed into the lower ones.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ (hash >> 32)).wrapping_add(seed.wrapping_sub(1)) % every.max(1) as u64 == 0
}

/// Every so many items; the first seed begins with the first item, others later.
fn spread<T>(items: Vec<T>, every: usize, seed: u64) -> Vec<T> {
    let every = every.max(1);
    let first = (seed.wrapping_sub(1) % every as u64) as usize;
    items.into_iter().skip(first).step_by(every).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_names() {
        assert_eq!(Size::parse("check"), Some(Size::Check));
        assert_eq!(Size::parse("full"), Some(Size::Full));
        assert_eq!(Size::parse("25%"), Some(Size::Percent(25)));
        assert_eq!(Size::parse("much"), None);
        assert_eq!(Size::parse("%"), None);
    }

    #[test]
    fn amounts_follow_the_size() {
        let amount = Amount::new(1, 20, 300);
        let of = |size| amount.of(size);
        let sizes = [Size::Check, Size::Test, Size::Full, Size::Percent(50), Size::Percent(0)];
        assert_eq!(sizes.map(of), [1, 20, 300, 150, 1]);
    }

    #[test]
    fn seeds_shift_a_part_until_everything_was_in_one() {
        let items: Vec<usize> = (0..10).collect();
        assert_eq!(spread(items.clone(), 4, 1), [0, 4, 8]);
        assert_eq!(spread(items.clone(), 4, 2), [1, 5, 9]);
        assert_eq!(spread(items.clone(), 4, 5), [0, 4, 8]);
        assert_eq!(spread(items.clone(), 1, 7), items);
    }

    #[test]
    fn names_are_picked_evenly_and_each_by_one_seed() {
        let names: Vec<String> = (0..1_000).map(|number| format!("Class.method{number}")).collect();
        let picked = |seed| names.iter().filter(|name| is_picked(name, 5, seed)).count();
        let counts: Vec<usize> = (1..=5).map(picked).collect();
        assert_eq!(counts.iter().sum::<usize>(), names.len());
        assert!(counts.iter().all(|count| (150..250).contains(count)), "{counts:?}");
        assert_eq!(picked(1), picked(6));
        assert!(is_picked("any", 1, 3));
    }
}
