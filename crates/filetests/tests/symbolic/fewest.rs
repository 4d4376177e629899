//! The fewest cases of a criterion: what is called a smallest set is one. Of methods with few paths, all subsets of all cases are
//! tried; what cases execute is read from the bytecode, not from what the selection says.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use petrel_checks::Part;
use petrel_filetests::derive;
use petrel_filetests::symbolic::all_cases;
use petrel_filetests::walk::{for_each_fixture, is_chosen};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Executed, Options, Selection, Strategy, TargetCode, Termination};
use petrel_translate::cache::Procedures;

const MOST_TIME: Duration = Duration::from_millis(50);
/// All subsets of so many kinds of cases are tried.
const MOST_KINDS: usize = 12;
/// Of the methods.
const PART: Part = Part::one_of(40, 20);

#[derive(Default)]
struct Counts {
    sets: usize,
    smallest: usize,
    wrong: Vec<String>,
}

#[test]
fn what_is_called_smallest_is() {
    let counts = Mutex::new(Counts::default());
    let picking = PART.picking();
    for_each_fixture(
        |_| (),
        |(), jdk, fixture| {
            let procedures = derive::procedures(jdk, &fixture.class_folder());
            let mut methods = fixture.callable_methods(procedures.program());
            methods.retain(|method| is_chosen(method) && picking.picks(&method.to_string()));
            methods.iter().for_each(|method| check(procedures, method, &counts));
        },
    );
    picking.tell("methods of fixtures");
    let Counts { sets, smallest, wrong } = counts.into_inner().expect("no thread panics");
    eprintln!("{sets} sets of cases, {smallest} of them called smallest");
    assert!(smallest > 0, "no fixture was chosen");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(procedures: &Procedures<'_>, method: &ResolvedMethod, counts: &Mutex<Counts>) {
    let options = Options {
        termination: Termination::Loop(1),
        steps: 2_000,
        time: Some(MOST_TIME),
        ..Options::default()
    };
    let Ok((all, summary)) = all_cases(procedures, method, &options) else { return };
    let Ok(Some(code)) = TargetCode::of(procedures, method) else { return };
    if !summary.ends.is_followed() || all.is_empty() {
        return;
    }
    for selection in [Selection::Statements, Selection::Branches] {
        let items = |executed: &Executed| -> BTreeSet<(u16, u16)> {
            match selection {
                Selection::Branches => executed.edges.clone(),
                _ => executed.instructions.iter().map(|&pc| (pc, pc)).collect(),
            }
        };
        let kinds: BTreeSet<BTreeSet<(u16, u16)>> =
            all.iter().map(|case| items(&code.executed(&case.rules))).collect();
        let kinds: Vec<_> = kinds.into_iter().collect();
        let everything: BTreeSet<(u16, u16)> = kinds.iter().flatten().copied().collect();
        if kinds.len() > MOST_KINDS || everything.is_empty() {
            continue;
        }
        let covers = |subset: &u32, wanted: &BTreeSet<(u16, u16)>| {
            let chosen = kinds.iter().enumerate().filter(|(number, _)| subset >> number & 1 == 1);
            let covered: BTreeSet<(u16, u16)> =
                chosen.flat_map(|(_, kind)| kind).copied().collect();
            covered.is_superset(wanted)
        };
        for strategy in [Strategy::Plain, Strategy::Guided] {
            let selection = selection.clone();
            let fewest_wanted = Options { selection, strategy, fewest: true, ..options.clone() };
            let Ok((chosen, told)) = all_cases(procedures, method, &fewest_wanted) else {
                continue;
            };
            let covered: BTreeSet<(u16, u16)> =
                chosen.iter().flat_map(|case| items(&code.executed(&case.rules))).collect();
            let is_smallest = told.is_smallest == Some(true);
            let mut counts = counts.lock().expect("no thread panics");
            counts.sets += 1;
            counts.smallest += usize::from(is_smallest);
            let named = || format!("{method}, {}, {strategy:?}", fewest_wanted.selection);
            if told.ends.is_followed() && covered != everything {
                counts.wrong.push(format!("{}: not everything is covered", named()));
            }
            // If there was not enough time for everything, the set is a smallest one for what it covers.
            let subsets = (0..1_u32 << kinds.len()).filter(|subset| covers(subset, &covered));
            let fewest = subsets.map(u32::count_ones).min();
            if is_smallest && Some(chosen.len() as u32) != fewest {
                let what = format!("{}: {} cases, {fewest:?} do", named(), chosen.len());
                counts.wrong.push(what);
            }
        }
    }
}
