//! Traces that an abstraction proposes lead to the same cases as all paths do.
//!
//! For each method of the fixtures: resource-driven generation gives the cases that resource-aware
//! generation gives and the policy wants ("Resource-driven CLP-based Test Case Generation", Theorem 1), with
//! both oracles and under both criteria; guided generation has a case for each local path that all paths
//! have, and executes each statement and branch that they execute ("A Framework for Guided Test Case
//! Generation in Constraint Logic Programming", completeness).
//!
//! `FIXTURE=heap` looks only at fixtures with that in their path, `METHOD=insert` only at methods with
//! that in their names. `CLASSES=/a/file.jar` looks at a jar or folder instead of fixtures, or at a sample of
//! `METHODS=500` methods, which `SEED=2` draws.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use petrel_checks::{Part, Picking};
use petrel_classpath::Jdk;
use petrel_filetests::derive;
use petrel_filetests::fixture::Fixture;
use petrel_filetests::symbolic::all_cases;
use petrel_filetests::walk::{chosen_classes, for_each_fixture, for_each_method_of, is_chosen};
use petrel_program::ResolvedMethod;
use petrel_testcase::{
    Case, Limit, Model, Options, Oracle, Policy, Ranking, Selection, Strategy, Summary, Termination,
};
use petrel_translate::cache::Procedures;

const MOST_STEPS: u64 = 2_000;
/// A method that needs more has shown enough.
const MOST_TIME: Duration = Duration::from_millis(50);
const MOST_CASES: usize = 30;
/// Of the methods.
const PART: Part = Part::one_of(60, 30);
/// A naive abstraction may propose very many traces.
const MOST_TIME_GUIDED: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Counts {
    methods: usize,
    compared: usize,
    late: usize,
    wrong: Vec<String>,
}

#[test]
fn proposed_traces_lead_to_all_cases_that_are_wanted() {
    let counts = Mutex::new(Counts::default());
    match chosen_classes() {
        Some(file) => for_each_method_of(
            &file,
            |_| (),
            |(), _, procedures, method| check(procedures, method, Termination::Loop(1), &counts),
        ),
        None => {
            let picking = PART.picking();
            for_each_fixture(
                |_| (),
                |(), jdk, fixture| check_fixture(jdk, fixture, &picking, &counts),
            );
            picking.tell("methods of fixtures");
        }
    }
    let counts = counts.into_inner().expect("no thread panics");
    eprintln!(
        "{} methods: {} answers compared, {} took too long",
        counts.methods, counts.compared, counts.late
    );
    assert!(counts.compared > 0, "no fixture was chosen");
    assert!(counts.wrong.is_empty(), "{}", counts.wrong.join("\n"));
}

fn check_fixture(jdk: &Jdk, fixture: &Fixture, picking: &Picking, counts: &Mutex<Counts>) {
    let procedures = derive::procedures(jdk, &fixture.class_folder());
    // Where the class library does most of the work, the program has few choices.
    let terminations = if fixture.topic == "library" {
        &[Termination::Loop(1)][..]
    } else {
        &[Termination::Loop(1), Termination::BlockCount(2)]
    };
    let mut methods = fixture.callable_methods(procedures.program());
    methods.retain(|method| is_chosen(method) && picking.picks(&method.to_string()));
    for method in &methods {
        for &termination in terminations {
            check(procedures, method, termination, counts);
        }
    }
}

struct Check<'a> {
    procedures: &'a Procedures<'a>,
    method: &'a ResolvedMethod,
    options: Options,
    cases: Vec<Case>,
    found: Counts,
}

fn models() -> Vec<Model> {
    let read = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
    ["instructions", "memory"]
        .iter()
        .map(|name| Model::parse(name, &read).expect("a built-in model"))
        .collect()
}

fn check(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    termination: Termination,
    counts: &Mutex<Counts>,
) {
    let options = Options {
        termination,
        steps: MOST_STEPS,
        models: models(),
        time: Some(MOST_TIME),
        ..Options::default()
    };
    let Ok((cases, summary)) = all_cases(procedures, method, &options) else { return };
    if is_late(&summary) || cases.is_empty() || cases.len() > MOST_CASES {
        return;
    }
    let options = Options { time: Some(MOST_TIME_GUIDED), ..options };
    let found = Counts { methods: 1, ..Counts::default() };
    let mut check = Check { procedures, method, options, cases, found };
    check.policies();
    check.selections();
    let mut counts = counts.lock().expect("no thread panics");
    counts.methods += check.found.methods;
    counts.compared += check.found.compared;
    counts.late += check.found.late;
    counts.wrong.extend(check.found.wrong);
}

fn is_late(summary: &Summary) -> bool {
    summary.ends.limits.contains_key(&Limit::Time)
}

impl Check<'_> {
    fn run(&mut self, options: Options) -> Option<(Vec<Case>, Summary)> {
        let answer = all_cases(self.procedures, self.method, &options).ok()?;
        if is_late(&answer.1) {
            self.found.late += 1;
            return None;
        }
        self.found.compared += 1;
        Some(answer)
    }

    fn wrong(&mut self, what: String) {
        let (method, termination) = (self.method, self.options.termination);
        self.found.wrong.push(format!("{method} ({termination}): {what}"));
    }

    /// A condition on each model, and the worst case.
    fn policies(&mut self) {
        for model in ["instructions", "memory"] {
            let number = self.options.models.iter().position(|known| known.name() == model);
            let number = number.expect("it is among them");
            let mut costs: Vec<i64> =
                self.cases.iter().map(|case| case.costs[number].value).collect();
            costs.sort_unstable();
            let bound = costs[costs.len() / 2];
            let above: Policy = format!("{model} >= {bound}").parse().expect("a policy");
            let ranking = Some(Ranking { count: Some(1), model: model.to_owned() });
            let worst = Policy { conditions: Vec::new(), ranking };
            for policy in [above, worst] {
                let plain = Options { policy: policy.clone(), ..self.options.clone() };
                let Some((expected, _)) = self.run(plain.clone()) else { continue };
                for oracle in [Oracle::Enhanced, Oracle::Naive] {
                    let Some((cases, _)) = self.run(Options { oracle, ..plain.clone() }) else {
                        continue;
                    };
                    self.compare(&policy, oracle, number, &expected, &cases);
                }
            }
        }
    }

    fn compare(
        &mut self,
        policy: &Policy,
        oracle: Oracle,
        model: usize,
        expected: &[Case],
        cases: &[Case],
    ) {
        if policy.ranking.is_some() {
            // Of equally expensive cases one is as good as the other.
            let costs = |cases: &[Case]| -> Vec<i64> {
                cases.iter().map(|case| case.costs[model].value).collect()
            };
            if costs(expected) != costs(cases) {
                let (left, right) = (costs(expected), costs(cases));
                self.wrong(format!("{policy} is {left:?}, with {oracle:?} {right:?}"));
            }
            return;
        }
        let traces = |cases: &[Case]| -> Vec<String> {
            let mut traces: Vec<String> = cases.iter().map(|case| case.trace.to_string()).collect();
            traces.sort_unstable();
            traces
        };
        let (left, right) = (traces(expected), traces(cases));
        if left != right {
            let missing: Vec<&String> = left.iter().filter(|of| !right.contains(of)).collect();
            let surplus: Vec<&String> = right.iter().filter(|of| !left.contains(of)).collect();
            self.wrong(format!(
                "{policy} has {} cases, with {oracle:?} {}: without {missing:?}, but {surplus:?}",
                left.len(),
                right.len()
            ));
        }
    }

    fn selections(&mut self) {
        let guided = Options { strategy: Strategy::Guided, ..self.options.clone() };
        let all: BTreeSet<_> = self.cases.iter().map(local_path).collect();
        let selection = Selection::LocalPaths;
        if let Some((cases, _)) = self.run(Options { selection, ..guided.clone() }) {
            let found: BTreeSet<_> = cases.iter().map(local_path).collect();
            if found != all {
                let missing = all.iter().filter(|of| !found.contains(*of)).count();
                let (left, right) = (all.len(), found.len());
                self.wrong(format!("{left} local paths, guided {right}: {missing} missing"));
            }
        }
        for selection in [Selection::Statements, Selection::Branches] {
            let plain = Options { selection, strategy: Strategy::Plain, ..self.options.clone() };
            let guided = Options { strategy: Strategy::Guided, ..plain.clone() };
            let (Some(plain), Some(guided)) = (self.run(plain), self.run(guided)) else { continue };
            let names = |summary: &Summary| -> Vec<String> {
                summary.unreached.iter().map(|unreached| unreached.point.clone()).collect()
            };
            let (left, right) = (names(&plain.1), names(&guided.1));
            if left != right {
                self.wrong(format!("not executed: {left:?}, guided {right:?}"));
            }
        }
    }
}

/// The rules of the target's own code that a case applies.
fn local_path(case: &Case) -> Vec<(String, u32)> {
    case.trace.term().local_path().into_iter().map(|(name, rule)| (name.to_owned(), rule)).collect()
}
