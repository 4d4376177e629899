//! Data structures with unknown heaps: Table 1 of "A CLP Heap Solver for Test Case Generation", with
//! structures of the same kind. N cases, T milliseconds of processor time and U steps, for lazy
//! initialisation without aliasing (1), with aliasing (2), and for the heap solver (3).

use std::time::Duration;

use petrel_classpath::Jdk;
use petrel_testcase::{Assumption, HeapMode, Limit, Options, Termination, generate};
use petrel_translate::cache::Procedures;

use crate::exploration::Opened;
use crate::{Clock, Failure, Findings};

/// Lazy initialisation with aliasing is stopped after this time.
const MOST_TIME: Duration = Duration::from_secs(3);

/// Runs so long are repeated: those of a millisecond say little.
const SHORT: Duration = Duration::from_millis(50);

const METHODS: &[(&str, &str)] = &[
    ("DoublyLinkedList", "add"),
    ("NodeSequence", "removeAt"),
    ("NodeSequence", "replaceAt"),
    ("SortedListPriorityQueue", "insert"),
    ("SortedListPriorityQueue", "removeMin"),
    ("BinarySearchTree", "addAll"),
    ("BinarySearchTree", "find"),
    ("BinarySearchTree", "findAll"),
    ("BinarySearchTree", "insert"),
    ("BinarySearchTree", "remove"),
    ("HeapPriorityQueue", "insert"),
    ("HeapPriorityQueue", "removeMin"),
];

/// What one mode gave.
struct Column {
    cases: u64,
    time: Duration,
    steps: u64,
    is_cut: bool,
}

impl Column {
    fn text(&self) -> String {
        let time = match self.is_cut {
            true => "-".to_owned(),
            false => format!("{:.1}", self.milliseconds()),
        };
        format!("{:>6} {time:>7} {:>6.1}k", self.cases, self.steps as f64 / 1000.0)
    }

    fn milliseconds(&self) -> f64 {
        self.time.as_secs_f64() * 1000.0
    }
}

pub(crate) fn run(jdk: &Jdk, findings: &mut Findings) -> Result<(), Failure> {
    println!();
    println!(
        "{:<34} {:>6} {:>7} {:>7}   {:>6} {:>7} {:>7}   {:>6} {:>7} {:>7}   {:>8} {:>5}",
        "unknown heaps, loop-1",
        "N1",
        "T1",
        "U1",
        "N2",
        "T2",
        "U2",
        "N3",
        "T3",
        "U3",
        "cases/s",
        "T3/T1"
    );
    let opened = Opened::new(jdk, "heap")?;
    let procedures = Procedures::new(opened.session.program());
    for &(class, method) in METHODS {
        let resolved = opened.method(&format!("structures/{class}"), method)?;
        let measure = |heap: HeapMode| -> Result<Column, Failure> {
            let options = Options {
                termination: Termination::Loop(1),
                heap,
                time: Some(MOST_TIME),
                ..Options::default()
            };
            let mut best: Option<Column> = None;
            // The first run translates.
            for _ in 0..4 {
                let clock = Clock::start();
                let summary = generate(&procedures, &resolved, &options, &mut |_| true)?;
                let (_, time) = clock.stop();
                let is_better = best.as_ref().is_none_or(|best| time < best.time);
                let cases = summary.ends.returned + summary.ends.threw;
                let is_cut = summary.ends.limits.contains_key(&Limit::Time);
                if is_better {
                    best = Some(Column { cases, time, steps: summary.steps, is_cut });
                }
                if time > SHORT * 20 {
                    break;
                }
            }
            best.ok_or_else(|| "nothing was measured".into())
        };
        let without = measure(HeapMode::LazyNoAlias)?;
        let lazy = measure(HeapMode::Lazy)?;
        let solver = measure(HeapMode::Solver)?;
        println!(
            "{:<34} {}   {}   {}   {:>8.0} {:>5.2}",
            format!("{class}.{method}"),
            without.text(),
            lazy.text(),
            solver.text(),
            solver.cases as f64 / solver.time.as_secs_f64().max(1e-9),
            solver.milliseconds() / without.milliseconds().max(1e-9),
        );
    }
    figure_1(&opened, &procedures, findings)
}

/// The method of Fig. 1: two cases with the heap solver, five with lazy initialisation.
fn figure_1(
    opened: &Opened,
    procedures: &Procedures<'_>,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let method = opened.method("HeapSolverPaper", "m")?;
    let mut found = Vec::new();
    for heap in [HeapMode::Solver, HeapMode::Lazy] {
        let assumptions: Result<Vec<Assumption>, _> =
            ["non-null(x)", "non-null(y)", "non-null(z)"].iter().map(|text| text.parse()).collect();
        let options =
            Options { heap, exceptions: false, assumptions: assumptions?, ..Options::default() };
        let summary = generate(procedures, &method, &options, &mut |_| true)?;
        found.push(summary.ends.returned);
    }
    println!("{:<34} solver {}, lazy {}", "Fig. 1, cases", found[0], found[1]);
    if found != [2, 5] {
        findings.push(format!("Fig. 1: {found:?} cases instead of 2 and 5"));
    }
    Ok(())
}
