//! No pattern of references that are the same object is missing, and none is there twice, where strings, boxes, dates, lists,
//! arrays behind `Object`, constants of enums and objects of static fields are among them.
//!
//! The methods are those of `fixtures/aliases`, which tell such patterns apart and nothing else. Inputs are all heaps of up to three
//! objects (and any constants and objects of static fields), or a sample of these, and some larger ones. Limits are no excuse here: the
//! concrete derivation of each input takes the path of a case.
//!
//! `METHOD=names` looks only at methods with that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeMap;
use std::sync::Mutex;

use petrel_filetests::heaps::{Ending, Observer, Shapes, Way};
use petrel_filetests::symbolic::{all_cases, contradictions, for_each_in_threads};
use petrel_filetests::walk::is_chosen;
use petrel_filetests::{derive, world};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Options, Termination};
use petrel_translate::cache::Procedures;

/// Of more heaps of up to three objects there is a sample.
const MOST_HEAPS: usize = 20_000;
/// So many larger heaps.
const MORE_HEAPS: usize = 2_000;
/// The methods have no loops.
const BOUND: Termination = Termination::Loop(1);
const MOST_STEPS: u64 = 10_000;

#[derive(Debug, Default)]
struct Totals {
    methods: usize,
    /// Methods all of whose heaps of up to three objects were tried.
    exhausted: usize,
    cases: usize,
    heaps: usize,
    complaints: Vec<String>,
}

#[test]
fn every_pattern_of_aliases_is_a_case() {
    let folder = world::root().join("build").join("fixtures").join("aliases");
    let procedures = derive::procedures(&world::jdk(), &folder);
    let class = procedures.program().class("LibraryAliases");
    let class = class.unwrap_or_else(|error| panic!("{error}; `make fixtures` builds it"));
    let methods: Vec<ResolvedMethod> = class
        .methods()
        .filter(|method| method.is_static() && method.name() != "<clinit>" && is_chosen(method))
        .collect();
    let shapes = Shapes::with_library(procedures.program());
    let totals = Mutex::new(Totals::default());
    for_each_in_threads(
        &methods,
        || (),
        |(), method| {
            let of_method = check(procedures, &shapes, method);
            let mut totals = totals.lock().expect("no thread panics");
            totals.methods += 1;
            totals.exhausted += of_method.exhausted;
            totals.cases += of_method.cases;
            totals.heaps += of_method.heaps;
            totals.complaints.extend(of_method.complaints);
        },
    );
    let totals = totals.into_inner().expect("no thread panics");
    let Totals { methods, exhausted, cases, heaps, complaints } = totals;
    eprintln!("{methods} methods ({exhausted} with all heaps), {cases} cases, {heaps} heaps");
    assert!(complaints.is_empty(), "{} failures\n{}", complaints.len(), complaints.join("\n"));
    assert!(methods > 0, "no method was chosen");
}

fn check(procedures: &Procedures<'_>, shapes: &Shapes<'_>, method: &ResolvedMethod) -> Totals {
    let mut totals = Totals::default();
    let mut complain = |what: String| totals.complaints.push(format!("{method}: {what}"));
    let options = Options { termination: BOUND, ..Options::default() };
    let (cases, summary) = match all_cases(procedures, method, &options) {
        Ok(found) => found,
        Err(error) => {
            complain(error.to_string());
            return totals;
        }
    };
    contradictions(&summary).into_iter().for_each(&mut complain);
    let mut ways: BTreeMap<Way, usize> = BTreeMap::new();
    for (case, number) in cases.iter().zip(1..) {
        if let Some(other) = ways.insert(Way::of(case), number) {
            complain(format!("cases {other} and {number} have one path: {}", case.trace));
        }
    }
    let mut observer = match Observer::new(procedures, method, BOUND, MOST_STEPS) {
        Ok(observer) => observer,
        Err(reason) => {
            complain(reason.to_string());
            return totals;
        }
    };
    let inputs = shapes.inputs(method, MOST_HEAPS, MORE_HEAPS);
    let mut missing = BTreeMap::new();
    for input in &inputs.inputs {
        match observer.derive(input) {
            Ending::Taken(way, _) if ways.contains_key(&way) => {}
            Ending::Taken(way, _) => {
                missing.entry(way).or_insert(input);
            }
            ending => complain(format!("{input:?}: {ending:?}")),
        }
    }
    for (way, input) in missing {
        complain(format!("no case takes the path of {input:?}: {way:?}"));
    }
    totals.exhausted = usize::from(inputs.is_all);
    totals.heaps = inputs.inputs.len();
    totals.cases = cases.len();
    totals
}
