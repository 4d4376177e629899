//! What was compared, and what differs.

use std::collections::BTreeMap;

use petrel_replay::Measured;

/// Counts of a run.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Methods whose cases were generated.
    pub(crate) methods: usize,
    /// Methods without cases.
    pub(crate) methods_without: usize,
    /// Calls: one for each case.
    pub(crate) calls: usize,
    /// Those that depend on what the JVM does not fix.
    pub(crate) unstable: usize,
    /// Those that the engine does not come to the end of, by reason.
    stopped: BTreeMap<String, usize>,
    /// Those that end in another way on the JVM, by what is known of that.
    ended_otherwise: BTreeMap<String, usize>,
    /// Those whose instructions and calls were compared, with these in all.
    pub(crate) executions: usize,
    instructions: u64,
    method_calls: u64,
    /// Those whose bytes were compared, with these in all.
    allocations: usize,
    bytes: u64,
    /// Those of them that allocate anything.
    pub(crate) allocating: usize,
    /// Those in which others than instructions of the class path may allocate, by who that is.
    other_allocations: BTreeMap<String, usize>,
    /// What differs.
    pub(crate) wrong: Vec<String>,
}

/// So many reasons of one kind are shown.
const MOST_SHOWN: usize = 12;

impl Counts {
    pub(crate) fn add_execution(&mut self, measured: &Measured) {
        self.executions += 1;
        self.instructions += measured.n_instructions();
        self.method_calls += measured.n_calls();
    }

    pub(crate) fn add_allocation(&mut self, bytes: u64) {
        self.allocations += 1;
        self.allocating += usize::from(bytes > 0);
        self.bytes += bytes;
    }

    pub(crate) fn add_stopped(&mut self, why: &str) {
        *self.stopped.entry(why.to_owned()).or_default() += 1;
    }

    pub(crate) fn add_ended_otherwise(&mut self, what: &str) {
        *self.ended_otherwise.entry(what.to_owned()).or_default() += 1;
    }

    pub(crate) fn add_other_allocation(&mut self, whose: &str) {
        *self.other_allocations.entry(whose.to_owned()).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: Counts) {
        self.methods += other.methods;
        self.methods_without += other.methods_without;
        self.calls += other.calls;
        self.unstable += other.unstable;
        self.executions += other.executions;
        self.instructions += other.instructions;
        self.method_calls += other.method_calls;
        self.allocations += other.allocations;
        self.bytes += other.bytes;
        self.allocating += other.allocating;
        let maps = [
            (&mut self.stopped, other.stopped),
            (&mut self.ended_otherwise, other.ended_otherwise),
            (&mut self.other_allocations, other.other_allocations),
        ];
        for (map, others) in maps {
            for (what, count) in others {
                *map.entry(what).or_default() += count;
            }
        }
        self.wrong.extend(other.wrong);
    }

    /// All of it as text, most frequent reasons first.
    pub(crate) fn report(&self) -> String {
        let total = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>();
        let mut lines = vec![format!(
            "{} methods ({} without cases), {} calls ({} not derived, {} unstable, {} that end \
             otherwise); compared {} with {} instructions and {} calls, and {} with {} bytes \
             ({} allocate anything); in {} others may allocate; {} wrong",
            self.methods,
            self.methods_without,
            self.calls,
            total(&self.stopped),
            self.unstable,
            total(&self.ended_otherwise),
            self.executions,
            self.instructions,
            self.method_calls,
            self.allocations,
            self.bytes,
            self.allocating,
            total(&self.other_allocations),
            self.wrong.len(),
        )];
        for (what, counts) in [
            ("not derived", &self.stopped),
            ("ends otherwise", &self.ended_otherwise),
            ("may allocate in", &self.other_allocations),
        ] {
            let mut counts: Vec<_> = counts.iter().collect();
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let shown = counts.iter().take(MOST_SHOWN);
            lines.extend(shown.map(|(text, count)| format!("  {what} {count}: {text}")));
        }
        lines.extend(self.wrong.iter().map(|wrong| format!("  wrong: {wrong}")));
        lines.join("\n")
    }
}
