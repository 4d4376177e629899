//! The modes of the heap agree.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeSet;

use petrel_engine::HeapMode;
use petrel_filetests::heaps::{Bounded, Target, Way, bounded_cases, targets};
use petrel_filetests::symbolic::contradictions;
use petrel_filetests::{derive, world};
use petrel_testcase::Options;
use petrel_translate::cache::Procedures;

const MOST_CASES: usize = 200;
const MOST_LAZY: usize = 3_000;

#[test]
fn modes_agree() {
    let folder = std::env::var_os("HEAP_CLASSES")
        .map_or_else(|| world::root().join("build/fixtures/heap"), std::path::PathBuf::from);
    let session = derive::open(&world::jdk(), &folder);
    let procedures = Procedures::new(session.program());
    let mut complaints = Vec::new();
    for target in targets(&procedures) {
        check(&procedures, &target, &mut complaints);
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn check(procedures: &Procedures<'_>, target: &Target, complaints: &mut Vec<String>) {
    let method = &target.method;
    let started = std::time::Instant::now();
    let generated = match bounded_cases(procedures, method, &options(), 1..=3, MOST_CASES) {
        Ok(Some(generated)) => generated,
        Ok(None) => {
            eprintln!("{method}: no bound");
            return;
        }
        Err(error) => {
            eprintln!("{method}: {error}");
            return;
        }
    };
    let ways = |bounded: &Bounded| bounded.cases.iter().map(Way::of).collect::<BTreeSet<Way>>();
    let bound = generated.bound;
    let expected = ways(&generated);
    eprintln!(
        "{method} bound {bound} solver: {} cases {:?} in {:?}",
        generated.cases.len(),
        generated.summary.ends,
        started.elapsed()
    );
    for mode in [HeapMode::Simulation, HeapMode::LazyNoAlias, HeapMode::Lazy] {
        let started = std::time::Instant::now();
        let options = Options { heap: mode, ..options() };
        let other = match bounded_cases(procedures, method, &options, bound..=bound, MOST_LAZY) {
            Ok(Some(generated)) => generated,
            Ok(None) => {
                eprintln!("   {mode:?}: too many {:?}", started.elapsed());
                continue;
            }
            Err(error) => {
                complaints.push(format!("{method} {mode:?}: {error}"));
                continue;
            }
        };
        for what in contradictions(&other.summary) {
            complaints.push(format!("{method} bound {bound} {mode:?}: {what}"));
        }
        let found = ways(&other);
        let complete = other.summary.ends.is_complete();
        eprintln!(
            "   {mode:?}: {} cases, {} paths, complete {} {:?} in {:?}",
            other.cases.len(),
            found.len(),
            complete,
            other.summary.ends,
            started.elapsed()
        );
        if generated.summary.ends.is_complete() || complete {
            for way in found.difference(&expected).take(1) {
                complaints.push(format!("{method} bound {bound} {mode:?}: path not in solver mode (complete {complete}): {way:?}"));
            }
            if mode != HeapMode::LazyNoAlias {
                for way in expected.difference(&found).take(1) {
                    complaints.push(format!("{method} bound {bound} {mode:?}: missing path of solver mode (complete {complete}): {way:?}"));
                }
            }
        }
    }
}

fn options() -> Options {
    Options { max_array: 4, domain: Some((-8, 8)), time: Some(std::time::Duration::from_secs(5)), ..Options::default() }
}
