//! Guidance and oracles never cost much more than what they are to save.
//!
//! For each method of the fixtures: with an oracle no more rules are applied than by resource-aware generation, whatever the
//! policy; with guidance to points, or to local paths, no more than by plain generation where that is little work, and else
//! hardly more work.
//!
//! `FIXTURE=heap` looks only at fixtures with that in their path, `METHOD=insert` only at methods with that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::sync::Mutex;
use std::time::Duration;

use petrel_checks::Part;
use petrel_classpath::Jdk;
use petrel_filetests::derive;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::symbolic::all_cases;
use petrel_filetests::walk::{for_each_fixture, is_chosen};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Limit, Model, Options, Oracle, Selection, Strategy, Summary, Termination};
use petrel_translate::cache::Procedures;

/// Of the methods.
const PART: Part = Part::one_of(60, 20);
const MOST_STEPS: u64 = 2_000;
/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_millis(200);
const MOST_TIME_GUIDED: Duration = Duration::from_secs(2);
/// Where plain generation costs less work, guidance applies no more rules.
const LITTLE_WORK: u64 = 1_000;
/// Else it may cost a tenth more, and this.
const STAKE: u64 = 10_000;

#[derive(Default)]
struct Counts {
    compared: usize,
    wrong: Vec<String>,
}

#[test]
fn guidance_and_oracles_do_not_cost_more_than_they_may() {
    let counts = Mutex::new(Counts::default());
    let picking = PART.picking();
    for_each_fixture(
        |_| (),
        |(), jdk, fixture| {
            let found = check_fixture(jdk, fixture, |method| picking.picks(&method.to_string()));
            let mut counts = counts.lock().expect("no thread panics");
            counts.compared += found.compared;
            counts.wrong.extend(found.wrong);
        },
    );
    picking.tell("methods of fixtures");
    let counts = counts.into_inner().expect("no thread panics");
    eprintln!("{} answers compared", counts.compared);
    assert!(counts.compared > 0, "no fixture was chosen");
    assert!(counts.wrong.is_empty(), "{}", counts.wrong.join("\n"));
}

fn check_fixture(jdk: &Jdk, fixture: &Fixture, picks: impl Fn(&ResolvedMethod) -> bool) -> Counts {
    let procedures = derive::procedures(jdk, &fixture.class_folder());
    let mut counts = Counts::default();
    for method in fixture.callable_methods(procedures.program()) {
        if is_chosen(&method) && picks(&method) {
            check(procedures, &method, &mut counts);
        }
    }
    counts
}

fn check(procedures: &Procedures<'_>, method: &ResolvedMethod, counts: &mut Counts) {
    let run = |options: Options, time: Duration| -> Option<Summary> {
        let options = Options { time: Some(time), ..options };
        let (_, summary) = all_cases(procedures, method, &options).ok()?;
        (!summary.ends.limits.contains_key(&Limit::Time)).then_some(summary)
    };
    let options = Options {
        termination: Termination::Loop(2),
        steps: MOST_STEPS,
        models: vec![instructions()],
        ..Options::default()
    };
    for selection in [Selection::LocalPaths, Selection::Statements, Selection::Branches] {
        let with = |strategy| Options { selection: selection.clone(), strategy, ..options.clone() };
        let Some(plain) = run(with(Strategy::Plain), MOST_TIME) else { continue };
        for strategy in [Strategy::Guided, Strategy::Auto] {
            let Some(guided) = run(with(strategy), MOST_TIME_GUIDED) else { continue };
            counts.compared += 1;
            let is_more = guided.steps > plain.steps;
            let most = plain.work + plain.work / 10 + STAKE;
            if (is_more && plain.work < LITTLE_WORK) || guided.work > most {
                counts.wrong.push(format!(
                    "{method}, {selection}, {strategy:?}: {} steps and {} work instead of {} and {}",
                    guided.steps, guided.work, plain.steps, plain.work
                ));
            }
        }
    }
    for policy in ["instructions >= 40", "worst-case instructions"] {
        let policy = policy.parse().expect("a policy");
        let plain = Options { policy, ..options.clone() };
        let Some(aware) = run(plain.clone(), MOST_TIME) else { continue };
        for oracle in [Oracle::Naive, Oracle::Enhanced] {
            let driven = Options { oracle, ..plain.clone() };
            let Some(driven) = run(driven, MOST_TIME_GUIDED) else { continue };
            counts.compared += 1;
            // A worst case may be looked for in another order.
            let is_ranked = plain.policy.ranking.is_some();
            let most = if is_ranked { aware.steps + aware.steps / 10 + 20 } else { aware.steps };
            if driven.steps > most {
                let (left, right) = (driven.steps, aware.steps);
                let policy = &plain.policy;
                counts.wrong.push(format!(
                    "{method}, {policy}, {oracle:?}: {left} steps instead of {right}"
                ));
            }
        }
    }
}

fn instructions() -> Model {
    let read = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
    Model::parse("instructions", &read).expect("a built-in model")
}
