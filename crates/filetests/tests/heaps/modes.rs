//! However unknown heap is handled, a method has the same paths. Lazy initialisation has several cases
//! for one of them, and without aliasing it has not all of them.
//!
//! The methods are those of `fixtures/heap`; the criterion is block-count, which counts the same in all
//! modes. `METHOD=reverse` looks only at methods with that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use petrel_checks::Part;
use petrel_filetests::heaps::{Bounded, Target, Way, Workshop, bounded_cases, check_methods};
use petrel_filetests::symbolic::contradictions;
use petrel_testcase::{HeapMode, Options};

/// A bound with more cases is too large.
const MOST_CASES: usize = 200;
/// With more cases, or when it takes longer, a mode is not compared.
const MOST_CASES_OF_MODE: usize = 2_000;
const MOST_SECONDS: u64 = 5;
const BOUNDS: std::ops::RangeInclusive<u32> = 1..=3;
/// There are methods enough in the fixtures.
const LEAST_METHODS: usize = 300;

/// Of the methods.
const PART: Part = Part::one_of(30, 5);

#[derive(Debug, Default)]
struct Totals {
    methods: usize,
    paths: usize,
    /// Comparisons with another mode.
    compared: usize,
    cases: usize,
    /// What is not compared, and why.
    left: Vec<String>,
}

#[test]
fn all_modes_have_the_same_paths() {
    let totals = Mutex::new(Totals::default());
    let complaints = check_methods(PART, |workshop, target| check(workshop, target, &totals));
    let totals = totals.into_inner().expect("no thread panics");
    eprintln!(
        "{} methods, {} paths, {} comparisons with {} cases",
        totals.methods, totals.paths, totals.compared, totals.cases
    );
    eprintln!("{} are not compared:\n{}", totals.left.len(), totals.left.join("\n"));
    assert!(complaints.is_empty(), "{} failures\n{}", complaints.len(), complaints.join("\n"));
    assert!(totals.methods >= PART.least(LEAST_METHODS), "there are only {}", totals.methods);
}

/// Simulation tries each index, and remainders of unknown numbers take long.
fn options(heap: HeapMode) -> Options {
    let time = Some(Duration::from_secs(MOST_SECONDS));
    Options { heap, max_array: 4, domain: Some((-8, 8)), time, ..Options::default() }
}

fn ways(generated: &Bounded) -> BTreeSet<Way> {
    generated.cases.iter().map(Way::of).collect()
}

fn check(workshop: &Workshop<'_>, target: &Target, totals: &Mutex<Totals>) -> Vec<String> {
    let method = &target.method;
    let left = |why: String| {
        totals.lock().expect("no thread panics").left.push(format!("  {method}: {why}"));
    };
    let cases = |mode, bounds, most| {
        bounded_cases(workshop.procedures, method, &options(mode), bounds, most)
    };
    let expected = match cases(HeapMode::Solver, BOUNDS, MOST_CASES) {
        Ok(Some(generated)) => generated,
        Ok(None) => {
            left(format!("more than {MOST_CASES} cases"));
            return Vec::new();
        }
        Err(error) => {
            left(error.to_string());
            return Vec::new();
        }
    };
    let paths = ways(&expected);
    let mut complaints = Vec::new();
    let (mut n_compared, mut n_cases) = (0, 0);
    for mode in [HeapMode::Simulation, HeapMode::Lazy, HeapMode::LazyNoAlias] {
        let bound = expected.bound;
        let mut complain = |what: String| {
            complaints.push(format!("{method}, block-count {bound}, {mode:?}: {what}"));
        };
        let generated = match cases(mode, bound..=bound, MOST_CASES_OF_MODE) {
            Ok(Some(generated)) => generated,
            Ok(None) => {
                left(format!(
                    "more cases than {MOST_CASES_OF_MODE} or seconds than {MOST_SECONDS} in mode {mode:?}"
                ));
                continue;
            }
            Err(error) => {
                complain(error.to_string());
                continue;
            }
        };
        contradictions(&generated.summary).into_iter().for_each(&mut complain);
        let others = ways(&generated);
        (n_compared, n_cases) = (n_compared + 1, n_cases + generated.cases.len());
        // What one mode gives up, another one may know.
        if expected.summary.ends.is_complete() {
            let only_here = others.difference(&paths);
            only_here.for_each(|way| complain(format!("a path of no other mode: {way:?}")));
        }
        if generated.summary.ends.is_complete() && mode != HeapMode::LazyNoAlias {
            let missing = paths.difference(&others);
            missing.for_each(|way| complain(format!("the path is missing: {way:?}")));
        }
    }
    let mut totals = totals.lock().expect("no thread panics");
    totals.methods += 1;
    totals.paths += paths.len();
    totals.compared += n_compared;
    totals.cases += n_cases;
    complaints
}
