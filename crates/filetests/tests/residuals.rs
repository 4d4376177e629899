//! Going on with a residual generator gives what a generation with the larger bound gives beyond the first: on every
//! method of the fixtures, for two steps of the bound, and when a generation is interrupted.
//!
//! What is left goes through its text, as in a file. `FIXTURE=heap` looks only at the topics with that in their names,
//! `METHOD=reverse` only at methods.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use petrel_filetests::symbolic::{all_cases, for_each_in_threads, is_callable};
use petrel_filetests::{derive, world};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Case, Ends, Options, Residual, Summary, Termination, case_json};
use petrel_translate::cache::Procedures;
use serde_json::Value as Json;

/// A method whose paths take longer is not compared with this bound.
const MOST_TIME: Duration = Duration::from_millis(300);
/// Interrupted generations end about here: some before their first case, some behind their last.
const INTERRUPTED_AFTER: Duration = Duration::from_micros(600);
const BOUNDS: [u32; 3] = [1, 2, 3];
/// Of the methods that do little but call the class library, one of so many is enough: `FIXTURE=library` looks at all.
const PART_OF_LIBRARY: usize = 5;
/// There are methods enough in the fixtures.
const LEAST_METHODS: usize = 1_000;

#[derive(Debug, Default)]
struct Totals {
    methods: usize,
    steps_of_bound: usize,
    further_cases: usize,
    interrupted: usize,
    late: usize,
    complaints: Vec<String>,
}

/// What a generation found, as text.
struct Found {
    cases: Vec<String>,
    summary: Summary,
}

#[test]
fn going_on_gives_what_is_new() {
    let wanted = std::env::var("FIXTURE").unwrap_or_default();
    let root = world::root().join("build").join("fixtures");
    let folders = std::fs::read_dir(root).expect("`make fixtures` builds them");
    let mut folders: Vec<PathBuf> =
        folders.map(|entry| entry.expect("it can be read").path()).collect();
    folders.retain(|folder| folder.is_dir() && folder.to_string_lossy().contains(&wanted));
    folders.sort();
    let totals = Mutex::new(Totals::default());
    for folder in folders {
        let session = derive::open(&world::jdk(), &folder);
        let procedures = Procedures::new(session.program());
        let mut methods = methods(&procedures);
        if wanted.is_empty() && folder.ends_with("library") {
            methods = methods.into_iter().step_by(PART_OF_LIBRARY).collect();
        }
        for_each_in_threads(
            &methods,
            || (),
            |(), method| {
                let of_method = check(&procedures, method);
                totals.lock().expect("no thread panics").add(of_method);
            },
        );
    }
    let totals = totals.into_inner().expect("no thread panics");
    eprintln!(
        "{} methods, {} steps of the bound, {} further cases, {} interrupted, {} too late",
        totals.methods,
        totals.steps_of_bound,
        totals.further_cases,
        totals.interrupted,
        totals.late
    );
    let complaints = &totals.complaints;
    assert!(complaints.is_empty(), "{} failures\n{}", complaints.len(), complaints.join("\n"));
    let is_all = wanted.is_empty() && std::env::var("METHOD").is_err();
    assert!(!is_all || totals.methods >= LEAST_METHODS, "there are only {}", totals.methods);
}

impl Totals {
    fn add(&mut self, other: Totals) {
        self.methods += other.methods;
        self.steps_of_bound += other.steps_of_bound;
        self.further_cases += other.further_cases;
        self.interrupted += other.interrupted;
        self.late += other.late;
        self.complaints.extend(other.complaints);
    }
}

fn methods(procedures: &Procedures<'_>) -> Vec<ResolvedMethod> {
    let program = procedures.program();
    let wanted = std::env::var("METHOD").unwrap_or_default();
    let names = program.project_classes().expect("the class path can be listed");
    let classes = names.iter().filter_map(|name| program.class(name).ok());
    let all = classes.flat_map(|class| class.methods().collect::<Vec<_>>());
    all.filter(|method| is_callable(method) && method.to_string().contains(&wanted)).collect()
}

fn check(procedures: &Procedures<'_>, method: &ResolvedMethod) -> Totals {
    let mut totals = Totals { methods: 1, ..Totals::default() };
    let options = |bound: u32| Options {
        termination: Termination::Loop(bound),
        max_array: 4,
        keep_unfinished: true,
        ..Options::default()
    };
    let mut residual: Option<Residual> = None;
    for bound in BOUNDS {
        let with_time = Options { time: Some(MOST_TIME), ..options(bound) };
        let Some(fresh) = find(procedures, method, &with_time) else { return totals };
        if fresh.summary.ends.limits.contains_key("time") {
            totals.late += 1;
            return totals;
        }
        let before = residual.take().unwrap_or_default();
        let is_first = bound == BOUNDS[0];
        let (whole, further) = go_on(procedures, method, &options(bound), &before, is_first);
        totals.steps_of_bound += usize::from(!is_first);
        totals.further_cases += if is_first { 0 } else { further.len() };
        let complain = |what: &str| format!("{method}, loop-{bound}: {what}");
        if let Some(what) = difference(&fresh, &before, &further, &whole.summary) {
            totals.complaints.push(complain(&what));
            return totals;
        }
        // The same bound, interrupted somewhere, and gone on with.
        let short = Options { time: Some(INTERRUPTED_AFTER), ..options(bound) };
        let nothing = Residual::default();
        let (interrupted, _) = go_on(procedures, method, &short, &nothing, true);
        if interrupted.summary.ends.limits.contains_key("time") {
            totals.interrupted += 1;
            let left = residual_of(&nothing, interrupted);
            // Parts that the bound cut are cut again where they are.
            let (whole, further) = go_on(procedures, method, &options(bound), &left, false);
            if let Some(what) = difference(&fresh, &left, &further, &whole.summary) {
                totals.complaints.push(complain(&format!("interrupted: {what}")));
            }
        }
        residual = Some(residual_of(&before, whole));
    }
    totals
}

/// What is left, after it was text.
fn residual_of(before: &Residual, found: Found) -> Residual {
    let cases = found.cases.into_iter().map(Json::String);
    let cases = before.cases.iter().cloned().chain(cases).collect();
    let text = Residual::new(cases, found.summary).to_json().to_string();
    let json = serde_json::from_str(&text).expect("it is JSON");
    Residual::from_json(&json).expect("it can be read")
}

/// Goes on, with several workers: all cases that are new, and what is known then.
fn go_on(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    before: &Residual,
    is_first: bool,
) -> (Found, Vec<String>) {
    let mut options = Options { jobs: 2, ..options.clone() };
    if !is_first {
        options.parts = before.parts().collect();
    }
    let found = find(procedures, method, &options).expect("there were cases before");
    let further = found.cases.clone();
    (Found { summary: before.and(found.summary), ..found }, further)
}

fn find(procedures: &Procedures<'_>, method: &ResolvedMethod, options: &Options) -> Option<Found> {
    let (cases, summary) = all_cases(procedures, method, options).ok()?;
    let text = |case: &Case| case_json(0, case, false).to_string();
    Some(Found { cases: cases.iter().map(text).collect(), summary })
}

/// What is not as in a generation that begins from the start.
fn difference(
    fresh: &Found,
    before: &Residual,
    further: &[String],
    whole: &Summary,
) -> Option<String> {
    // Different paths may look the same, as aliases do.
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &before.cases {
        *known.entry(case.as_str().unwrap_or_default()).or_default() += 1;
    }
    let mut expected = Vec::new();
    for case in &fresh.cases {
        match known.get_mut(&**case) {
            Some(count) if *count > 0 => *count -= 1,
            _ => expected.push(case),
        }
    }
    if known.values().any(|&count| count > 0) {
        return Some("a case that was found before is none of the larger bound".to_owned());
    }
    if let Some((new, old)) = further.iter().zip(&expected).find(|(new, old)| new != *old) {
        return Some(format!("the case\n  {new}\nis in the place of\n  {old}"));
    }
    if further.len() != expected.len() {
        return Some(format!("{} cases instead of {}", further.len(), expected.len()));
    }
    let account = |summary: &Summary| {
        let Summary { ends, cuts, rules, steps, choices, .. } = summary;
        // What the class library leaves out is met again if a derivation ended in the middle of it.
        let limits: Vec<&String> = ends.limits.keys().collect();
        // A side of a guard that turns out to be impossible when it is its turn is not counted if time is over then.
        let ends = Ends { limits: BTreeMap::new(), infeasible: 0, ..ends.clone() };
        format!("{ends:?}\n{limits:?}\n{cuts:?}\n{rules:?}\n{steps} steps, {choices} choices")
    };
    let (new, old) = (account(whole), account(&fresh.summary));
    (new != old).then(|| format!("the account\n{new}\nis in the place of\n{old}"))
}
