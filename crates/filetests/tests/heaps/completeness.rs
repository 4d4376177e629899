//! Every small heap takes a path that is a case: nothing that happens is missing, and no path that
//! happens was given up as one that no input takes. And no path is generated twice.
//!
//! The methods are those of `fixtures/heap`. Inputs are all heaps of up to three objects, or a sample of
//! these, some larger heaps, and heaps that differ a little from those of cases. The concrete derivation
//! of an input takes a trace, which is that of a case, or a predicate occurs in it more often than the
//! bound allows.
//!
//! `METHOD=reverse` looks only at methods with that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use petrel_checks::Part;
use petrel_filetests::heaps::{
    Bounded, Ending, Input, Observer, Target, Way, Workshop, bounded_cases, check_methods,
};
use petrel_filetests::symbolic::contradictions;
use petrel_testcase::{Options, Termination};

/// Of more heaps of up to three objects there is a sample.
const MOST_HEAPS: usize = 2_000;
/// So many larger heaps, and so many that differ a little from those of cases.
const MORE_HEAPS: usize = 500;
/// A bound with more cases is too large, or one that takes longer.
const MOST_CASES: usize = 300;
const MOST_TIME: Duration = Duration::from_secs(5);
/// The bounds that are tried: lists of three objects have one occurrence more.
const BOUNDS: std::ops::RangeInclusive<u32> = 1..=4;
/// Rule applications after which an input is taken for one that has no end.
const MOST_STEPS: u64 = 300;
/// There are methods enough in the fixtures.
const LEAST_METHODS: usize = 300;

/// Methods with several cases for one path, as there are choices that no trace shows.
const SEVERAL_FOR_ONE: [&str; 3] = [
    // The class of the array is a choice.
    "HeapCopies.clonedNodes",
    // The number of rows is a choice.
    "HeapNewArrays.board",
    // The predicates of two implementations have the same names.
    "HeapObjectArrays.names",
];

/// Of the methods.
const PART: Part = Part::one_of(30, 5);

#[derive(Debug, Default)]
struct Totals {
    methods: usize,
    /// Methods all of whose heaps of up to three objects were tried.
    exhausted: usize,
    /// Methods that are not checked, and why.
    left: Vec<String>,
    cases: usize,
    heaps: usize,
    /// Heaps that take the path of a case.
    taken: usize,
    /// Heaps whose path is beyond the bound, or has no end.
    beyond: usize,
    /// Heaps whose path may be one of those that ended at something unsupported or at a limit.
    unknown: usize,
}

impl Totals {
    fn add(&mut self, of_method: &Totals) {
        self.methods += of_method.methods;
        self.exhausted += of_method.exhausted;
        self.cases += of_method.cases;
        self.heaps += of_method.heaps;
        self.taken += of_method.taken;
        self.beyond += of_method.beyond;
        self.unknown += of_method.unknown;
    }
}

#[test]
fn every_heap_takes_the_path_of_a_case() {
    let totals = Mutex::new(Totals::default());
    let complaints = check_methods(PART, |workshop, target| check(workshop, target, &totals));
    let totals = totals.into_inner().expect("no thread panics");
    eprintln!(
        "{} methods ({} with all heaps), {} cases, {} heaps: {} take the path of a case, {} one \
         beyond the bound, {} one that may be unsupported",
        totals.methods,
        totals.exhausted,
        totals.cases,
        totals.heaps,
        totals.taken,
        totals.beyond,
        totals.unknown
    );
    eprintln!("{} methods left:\n{}", totals.left.len(), totals.left.join("\n"));
    assert!(complaints.is_empty(), "{} failures\n{}", complaints.len(), complaints.join("\n"));
    assert!(totals.methods >= PART.least(LEAST_METHODS), "there are only {}", totals.methods);
}

fn check(workshop: &Workshop<'_>, target: &Target, totals: &Mutex<Totals>) -> Vec<String> {
    let method = &target.method;
    let left = |why: String| {
        totals.lock().expect("no thread panics").left.push(format!("  {method}: {why}"));
        Vec::new()
    };
    let options = Options { time: Some(MOST_TIME), ..Options::default() };
    let cases = bounded_cases(workshop.procedures, method, &options, BOUNDS, MOST_CASES);
    let generated = match cases {
        Ok(Some(generated)) => generated,
        Ok(None) => return left(format!("more than {MOST_CASES} cases")),
        Err(error) => return left(error.to_string()),
    };
    let termination = Termination::BlockCount(generated.bound);
    let observer = Observer::new(workshop.procedures, method, termination, MOST_STEPS);
    let observer = match observer {
        Ok(observer) => observer,
        Err(reason) => return left(reason.to_string()),
    };
    let mut complaints = contradictions(&generated.summary);
    complaints.extend(paths_twice(target, &generated));
    complaints.extend(missing_paths(workshop, target, &generated, observer, totals));
    let at = |what: String| format!("{method}, block-count {}: {what}", generated.bound);
    complaints.into_iter().map(at).collect()
}

/// Paths that several cases have.
fn paths_twice(target: &Target, generated: &Bounded) -> Vec<String> {
    let name = format!("{}.{}", target.method.class().name(), target.method.name());
    if !target.is_closed || SEVERAL_FOR_ONE.contains(&&*name) {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    let mut known: BTreeMap<Way, usize> = BTreeMap::new();
    for (case, number) in generated.cases.iter().zip(1..) {
        if let Some(other) = known.insert(Way::of(case), number) {
            let trace = &case.trace;
            complaints.push(format!("cases {other} and {number} have one path: {trace}"));
        }
    }
    complaints
}

/// Paths that heaps take, and no case does.
fn missing_paths(
    workshop: &Workshop<'_>,
    target: &Target,
    generated: &Bounded,
    mut observer: Observer<'_>,
    totals: &Mutex<Totals>,
) -> Vec<String> {
    let method = &target.method;
    let shapes = &workshop.shapes;
    let solutions = generated.cases.iter().flat_map(|case| &case.solutions);
    let of_cases: Vec<Input> = solutions.map(Input::from).collect();
    let heaps = shapes.inputs(method, MOST_HEAPS, MORE_HEAPS);
    let neighbours = shapes.neighbours(method, &of_cases, MORE_HEAPS.max(4 * of_cases.len()));
    let ways: BTreeSet<Way> = generated.cases.iter().map(Way::of).collect();
    let is_complete = generated.is_complete(target);
    let mut complaints = Vec::new();
    let exhausted = usize::from(heaps.is_all);
    let mut counts = Totals { methods: 1, exhausted, cases: ways.len(), ..Totals::default() };
    for input in heaps.inputs.iter().chain(&neighbours) {
        counts.heaps += 1;
        match observer.derive(input) {
            Ending::Taken(way, _) if ways.contains(&way) => counts.taken += 1,
            Ending::Taken(way, _) if way.block_count() > generated.bound as usize => {
                counts.beyond += 1;
            }
            Ending::Taken(way, _) if is_complete => {
                complaints.push(format!("{input:?} takes no path of a case: {way:?}"));
                break;
            }
            Ending::Limit => counts.beyond += 1,
            Ending::Taken(..) | Ending::Unsupported(_) => counts.unknown += 1,
        }
    }
    totals.lock().expect("no thread panics").add(&counts);
    complaints
}
