//! The numbers of paths: those that fixtures give, which come from trying all inputs on the JVM, and
//! those of the papers.
//!
//! `FIXTURE=PathLoops` looks only at fixtures with that in their path.

use std::collections::BTreeSet;

use petrel_filetests::derive;
use petrel_filetests::fixture::{self, Complaint, Fixture, Paths};
use petrel_filetests::jvm::Jdks;
use petrel_filetests::symbolic::{all_cases, contradictions, options_of};
use petrel_filetests::world::{jdk, root};
use petrel_testcase::{Case, LeftOut, Limit, Options, Strategy, Summary, Termination};
use petrel_value::Value;

#[test]
fn there_are_as_many_cases_as_paths() {
    let (fixtures, mut complaints) = fixture::read_all(&fixture::not_built());
    let jdks = Jdks::find();
    complaints.extend(fixture::check_all(&fixtures, |fixture| check(&jdks, fixture)));
    let lines: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{} failures\n{}", lines.len(), lines.join("\n"));
    assert!(fixtures.iter().any(|fixture| !fixture.paths.is_empty()), "no fixture was chosen");
}

fn check(jdks: &Jdks, fixture: &Fixture) -> Vec<Complaint> {
    if fixture.paths.is_empty() {
        return Vec::new();
    }
    let Some(jdk) = jdks.for_release(fixture.release) else { return Vec::new() };
    let procedures = derive::procedures(jdk, &fixture.class_folder());
    let mut complaints = Vec::new();
    for paths in &fixture.paths {
        let method = fixture.counted_method(procedures.program(), paths);
        let problem = match all_cases(procedures, &method, &options_of(paths)) {
            Ok((cases, summary)) => problem(paths, &cases, &summary),
            Err(error) => Some(error.to_string()),
        };
        complaints.extend(problem.map(|problem| fixture.complaint(paths.line, problem)));
    }
    complaints
}

fn problem(paths: &Paths, cases: &[Case], summary: &Summary) -> Option<String> {
    let (n_cases, expected) = (cases.len(), paths.expected);
    if !summary.ends.is_complete_at_first() {
        return Some(format!("not all paths were followed: {:?}", summary.ends));
    }
    if !paths.later {
        return (n_cases != expected).then(|| format!("{}: {n_cases} cases", paths.method));
    }
    // The path that one index or length takes is split, but none is missing.
    let traces: BTreeSet<String> = cases.iter().map(|case| case.trace.to_string()).collect();
    if n_cases <= expected {
        return Some(format!("{}: {n_cases} cases: is `later` over?", paths.method));
    }
    (traces.len() < expected).then(|| format!("{}: {} traces", paths.method, traces.len()))
}

#[test]
fn that_nan_may_have_other_bits_is_told() {
    let (cases, summary) = cases("floats", "Specials", "rawExponent", &Options::default());
    assert_eq!(cases.len(), 2);
    assert!(!summary.ends.is_complete(), "an input may be another NaN");
    let left_out = Limit::LeftOut(LeftOut::NanBits);
    assert!(summary.ends.limits.contains_key(&left_out), "{:?}", summary.ends);
    let (_, summary) = self::cases("floats", "Specials", "exponent", &Options::default());
    assert!(summary.ends.is_complete(), "{:?}", summary.ends);
}

#[test]
fn what_depends_on_the_bits_of_a_computed_nan_is_no_bug() {
    let (_, summary) = cases("floats", "Specials", "signOfNaN", &Options::default());
    assert!(contradictions(&summary).is_empty(), "{:?}", summary.ends);
    assert!(!summary.ends.is_complete(), "another machine may have another NaN");
}

/// Listing 3.1 of "Automatic Unit Test Generation".
#[test]
fn assertions_of_the_body_mass_index_are_paths_where_they_are_enabled() {
    for (assertions, expected) in [(false, (3, 0)), (true, (3, 2))] {
        let options = Options { assertions, ..Options::default() };
        let (_, summary) = cases("floats", "BodyMass", "weightCategory", &options);
        let limits: Vec<_> = summary.ends.limits.keys().collect();
        assert_eq!(limits, [&Limit::LeftOut(LeftOut::Assertions)], "other runs differ");
        assert!(summary.ends.is_followed(), "{:?}", summary.ends);
        assert_eq!((summary.ends.returned, summary.ends.threw), expected);
    }
}

/// The number of cases of a method of a fixture.
fn count(topic: &str, class: &str, method: &str, options: &Options) -> usize {
    let (cases, summary) = cases(topic, class, method, options);
    assert!(summary.ends.is_complete(), "{:?}", summary.ends);
    cases.len()
}

fn cases(topic: &str, class: &str, method: &str, options: &Options) -> (Vec<Case>, Summary) {
    let folder = root().join("build").join("fixtures").join(topic);
    let procedures = derive::procedures(&jdk(), &folder);
    let class = procedures.program().class(class).expect("`make fixtures` builds it");
    let method = class.methods().find(|found| found.name() == method).expect("it is there");
    all_cases(procedures, &method, options).expect("it has cases")
}

fn within(termination: Termination, domain: Option<(i64, i64)>) -> Options {
    Options { termination, domain, ..Options::default() }
}

const SMALL: Option<(i64, i64)> = Some((-1000, 1000));

#[test]
fn lcm_of_the_paper_on_partial_evaluation_has_its_paths() {
    for bound in 1..=8 {
        let expected = 3 + 4 * (bound - 1);
        for domain in [SMALL, None] {
            let options = within(Termination::BlockCount(bound as u32), domain);
            let n_cases = count("papers", "Lcm003", "lcm", &options);
            assert_eq!(n_cases, expected, "block-count {bound}, domain {domain:?}");
        }
    }
}

#[test]
fn lcm_of_the_paper_on_trace_abstraction_has_its_paths() {
    // On all ints the product wraps, so that its sign and those of the factors are independent.
    for (domain, each_iteration) in [(SMALL, 6), (None, 8)] {
        for bound in 1..=3 {
            let options = within(Termination::Loop(bound as u32), domain);
            let n_cases = count("papers", "Lcm001", "lcm", &options);
            assert_eq!(n_cases, 3 + each_iteration * bound, "loop {bound}, domain {domain:?}");
        }
    }
}

/// Three of the nine cases have all local paths, and one executes two points: the handler, and the first way
/// through `abs`.
#[test]
fn lcm_of_the_paper_on_trace_abstraction_has_its_selections() {
    let select = |selection: &str, strategy| {
        let selection = selection.parse().expect("a selection");
        let options = Options { fewest: true, ..within(Termination::Loop(1), SMALL) };
        let (cases, summary) =
            cases("papers", "Lcm001", "lcm", &Options { selection, strategy, ..options });
        assert!(summary.unreached.is_empty(), "{:?}", summary.unreached);
        (cases, summary.traces)
    };
    for strategy in [Strategy::Guided, Strategy::Plain, Strategy::Auto] {
        assert_eq!(select("local-paths", strategy).0.len(), 3);
        let (cases, _) = select("points:18,33", strategy);
        assert_eq!(cases.len(), 1);
        assert_eq!(cases[0].solutions[0].arguments, [Value::Int(0), Value::Int(0)]);
    }
    // With the rules for exceptions that a call lets through.
    assert_eq!(select("local-paths", Strategy::Guided).1, (6, 3));
}

#[test]
fn loops_within_loops_are_bounded_by_entry_or_by_occurrence() {
    let product = |termination| count("control", "Loops", "product", &within(termination, None));
    assert_eq!(product(Termination::Loop(2)), 7);
    assert_eq!(product(Termination::BlockCount(3)), 5);
}
