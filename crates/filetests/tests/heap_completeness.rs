//! Every small heap takes a path that is a case.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeMap;

use petrel_filetests::heaps::{Ending, Observer, Shapes, Way, targets};
use petrel_filetests::symbolic::contradictions;
use petrel_filetests::{derive, world};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Case, Options, Summary, Termination, generate};
use petrel_translate::cache::Procedures;

const MOST_INPUTS: usize = 20_000;
const MOST_CASES: usize = 3_000;
const STEPS: u64 = 2_000;

#[test]
fn every_heap_takes_the_path_of_a_case() {
    let folder = std::env::var_os("HEAP_CLASSES")
        .map_or_else(|| world::root().join("build/fixtures/heap"), std::path::PathBuf::from);
    let session = derive::open(&world::jdk(), &folder);
    let procedures = Procedures::new(session.program());
    let shapes = Shapes::small(session.program());
    let wanted = std::env::var("METHOD").unwrap_or_default();
    let mut complaints = Vec::new();
    for method in targets(session.program()) {
        if method.to_string().contains(&wanted) {
            check(&procedures, &shapes, &method, &mut complaints);
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn cases(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
) -> Option<(Vec<Case>, Summary)> {
    let mut cases = Vec::new();
    let summary = generate(procedures, method, options, &mut |case| {
        cases.push(case);
        cases.len() < MOST_CASES
    });
    match summary {
        Ok(summary) => (cases.len() < MOST_CASES).then_some((cases, summary)),
        Err(error) => {
            eprintln!("{method}: {error}");
            None
        }
    }
}

fn check(
    procedures: &Procedures<'_>,
    shapes: &Shapes<'_>,
    method: &ResolvedMethod,
    complaints: &mut Vec<String>,
) {
    let mut bound = 4;
    let started = std::time::Instant::now();
    let (cases, summary) = loop {
        let options = Options { termination: Termination::BlockCount(bound), ..Options::default() };
        if let Some(found) = cases(procedures, method, &options) {
            break found;
        }
        bound -= 1;
        if bound == 0 {
            eprintln!("{method}: no bound");
            return;
        }
    };
    let generated = started.elapsed();
    let ends = &summary.ends;
    let mut ways: BTreeMap<Way, usize> = BTreeMap::new();
    for (number, case) in cases.iter().enumerate() {
        if let Some(other) = ways.insert(Way::of(case), number) {
            complaints.push(format!(
                "{method}: cases {} and {} have one path: {}",
                other + 1,
                number + 1,
                case.trace
            ));
        }
    }
    for what in contradictions(&summary) {
        complaints.push(format!("{method}: {what}"));
    }
    let inputs = shapes.inputs(method, MOST_INPUTS);
    let termination = Termination::BlockCount(bound);
    let mut observer = match Observer::new(procedures, method, termination, STEPS) {
        Ok(observer) => observer,
        Err(reason) => {
            eprintln!("{method}: {reason}");
            return;
        }
    };
    let (mut taken, mut beyond, mut endless, mut unsupported) = (0, 0, 0, 0);
    let mut missing: BTreeMap<Way, String> = BTreeMap::new();
    let mut used = std::collections::BTreeSet::new();
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
                } else {
                    missing.entry(way).or_insert_with(|| format!("{input:?}"));
                }
            }
        }
    }
    eprintln!(
        "{method} bound {bound}: {} cases ({} taken), cut {}, {} inputs (all: {}), {taken} taken, {beyond} beyond, {endless} endless, {unsupported} unsupported, {} missing; complete {}; {generated:?} {:?}",
        cases.len(),
        used.len(),
        ends.cut,
        inputs.inputs.len(),
        inputs.is_all,
        missing.len(),
        ends.is_complete(),
        started.elapsed()
    );
    if !ends.is_complete() {
        eprintln!("   {ends:?}");
    }
    for (way, input) in missing.into_iter().take(3) {
        complaints
            .push(format!("{method} bound {bound}: {input} takes no path of a case: {way:?}"));
    }
}
