//! Every small heap takes a path that is a case: nothing that happens is missing. And no path is
//! generated twice.
//!
//! The methods are those of `fixtures/heap`. Each heap of up to three objects, or a sample of these, is
//! derived; its trace is that of a case, or a predicate occurs in it more often than the bound allows.
//!
//! `METHOD=reverse` looks only at methods with that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::{BTreeMap, BTreeSet};

use petrel_filetests::heaps::{
    Bounded, Ending, Input, Observer, Shapes, Target, Way, bounded_cases, targets,
};
use petrel_filetests::symbolic::contradictions;
use petrel_filetests::{derive, world};
use petrel_testcase::{Options, Termination};
use petrel_translate::cache::Procedures;

const MOST_INPUTS: usize = 4_000;
const MOST_CASES: usize = 1_000;
const STEPS: u64 = 300;

#[test]
fn every_heap_takes_the_path_of_a_case() {
    let folder = std::env::var_os("HEAP_CLASSES")
        .map_or_else(|| world::root().join("build/fixtures/heap"), std::path::PathBuf::from);
    let session = derive::open(&world::jdk(), &folder);
    let procedures = Procedures::new(session.program());
    let shapes = Shapes::small(session.program());
    let mut complaints = Vec::new();
    for target in targets(&procedures) {
        check(&procedures, &shapes, &target, &mut complaints);
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn check(
    procedures: &Procedures<'_>,
    shapes: &Shapes<'_>,
    target: &Target,
    complaints: &mut Vec<String>,
) {
    let method = &target.method;
    let started = std::time::Instant::now();
    let generated = match bounded_cases(procedures, method, &Options::default(), 1..=4, MOST_CASES)
    {
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
    let generated_in = started.elapsed();
    let Bounded { bound, cases, summary } = generated;
    let ends = &summary.ends;
    let mut ways: BTreeMap<Way, usize> = BTreeMap::new();
    for (number, case) in cases.iter().enumerate() {
        if let Some(other) = ways.insert(Way::of(case), number)
            && target.is_closed
        {
            complaints.push(format!(
                "{method} bound {bound}: cases {} and {} have one path: {:?}",
                other + 1,
                number + 1,
                Way::of(case)
            ));
            break;
        }
    }
    for case in &cases {
        ways.insert(Way::of(case), 0);
    }
    for what in contradictions(&summary) {
        complaints.push(format!("{method}: {what}"));
    }
    let inputs = shapes.inputs(method, MOST_INPUTS, MOST_INPUTS / 4);
    let termination = Termination::BlockCount(bound);
    let mut observer = match Observer::new(procedures, method, termination, STEPS) {
        Ok(observer) => observer,
        Err(reason) => {
            eprintln!("{method}: {reason}");
            return;
        }
    };
    let (mut taken, mut beyond, mut endless, mut unsupported, mut left) = (0, 0, 0, 0, 0);
    let mut missing: BTreeMap<Way, Input> = BTreeMap::new();
    let mut used = BTreeSet::new();
    for input in &inputs.inputs {
        match observer.derive(input) {
            Ending::Limit => endless += 1,
            Ending::Unsupported(what) => {
                if unsupported == 0 {
                    eprintln!("{method}: {what}");
                }
                unsupported += 1;
            }
            Ending::Taken(way, _) => {
                if ways.contains_key(&way) {
                    taken += 1;
                    used.insert(way);
                } else if way.block_count() > bound as usize {
                    beyond += 1;
                } else if !ends.is_complete() || ends.cut > 0 && !target.is_closed {
                    left += 1;
                    if left == 1 {
                        eprintln!("   left: {input:?} {way:?}");
                    }
                } else {
                    missing.entry(way).or_insert_with(|| input.clone());
                }
            }
        }
    }
    eprintln!(
        "{method} bound {bound}: {} cases ({} taken), cut {}, {} inputs (all: {}), {taken} taken, {left} left, {beyond} beyond, {endless} endless, {unsupported} unsupported, {} missing; closed {} complete {}; {generated_in:?} {:?}",
        cases.len(),
        used.len(),
        ends.cut,
        inputs.inputs.len(),
        inputs.is_all,
        missing.len(),
        target.is_closed,
        ends.is_complete(),
        started.elapsed()
    );
    if !ends.is_complete() {
        eprintln!("   {ends:?}");
    }
    for (way, input) in missing.into_iter().take(1) {
        complaints
            .push(format!("{method} bound {bound}: {input:?} takes no path of a case: {way:?}"));
    }
}
