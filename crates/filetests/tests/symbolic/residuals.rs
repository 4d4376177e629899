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

use petrel_checks::{Part, filter};
use petrel_filetests::symbolic::{all_cases, for_each_in_threads, is_callable};
use petrel_filetests::{derive, documents, world};
use petrel_program::ResolvedMethod;
use petrel_report::{FinishedCase, Origin, Saved};
use petrel_testcase::{Case, Ends, Limit, Options, Residual, Summary, Termination};
use petrel_translate::cache::Procedures;

/// A method whose paths take longer is not compared with this bound.
const MOST_TIME: Duration = Duration::from_millis(300);
/// Interrupted generations end about here: some before their first case, some behind their last.
const INTERRUPTED_AFTER: Duration = Duration::from_micros(600);
const BOUNDS: [u32; 3] = [1, 2, 3];
/// Of the methods that do little but call the class library, one of so many is enough: `FIXTURE=library` looks at all.
const PART_OF_LIBRARY: usize = 5;
/// There are methods enough in the fixtures.
const LEAST_METHODS: usize = 1_000;
/// Of the methods.
const PART: Part = Part::one_of(60, 30);

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
    finished: Vec<FinishedCase>,
    summary: Summary,
}

/// What is left of a generation, and the cases that it found.
#[derive(Default)]
struct Left {
    cases: Vec<String>,
    finished: Vec<FinishedCase>,
    residual: Residual,
}

#[test]
fn going_on_gives_what_is_new() {
    let wanted = filter("FIXTURE");
    let root = world::root().join("build").join("fixtures");
    let folders = std::fs::read_dir(root).expect("`make fixtures` builds them");
    let mut folders: Vec<PathBuf> =
        folders.map(|entry| entry.expect("it can be read").path()).collect();
    folders.retain(|folder| folder.is_dir() && folder.to_string_lossy().contains(&wanted));
    folders.sort();
    let totals = Mutex::new(Totals::default());
    let picking = PART.picking();
    for folder in folders {
        let procedures = derive::procedures(&world::jdk(), &folder);
        let mut methods = methods(procedures);
        if wanted.is_empty() && folder.ends_with("library") {
            methods = methods.into_iter().step_by(PART_OF_LIBRARY).collect();
        }
        methods.retain(|method| picking.picks(&method.to_string()));
        for_each_in_threads(
            &methods,
            || (),
            |(), method| {
                let of_method = check(procedures, method);
                totals.lock().expect("no thread panics").add(of_method);
            },
        );
    }
    picking.tell("methods of fixtures");
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
    assert!(totals.methods >= PART.least(LEAST_METHODS), "there are only {}", totals.methods);
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
    let wanted = filter("METHOD");
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
    let mut residual: Option<Left> = None;
    for bound in BOUNDS {
        let with_time = Options { time: Some(MOST_TIME), ..options(bound) };
        let Some(fresh) = find(procedures, method, &with_time) else { return totals };
        if fresh.summary.ends.limits.contains_key(&Limit::Time) {
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
        let nothing = Left::default();
        let (interrupted, _) = go_on(procedures, method, &short, &nothing, true);
        if interrupted.summary.ends.limits.contains_key(&Limit::Time) {
            totals.interrupted += 1;
            let left = left_by(&nothing, interrupted, &options(bound));
            // Parts that the bound cut are cut again where they are.
            let (whole, further) = go_on(procedures, method, &options(bound), &left, false);
            if let Some(what) = difference(&fresh, &left, &further, &whole.summary) {
                totals.complaints.push(complain(&format!("interrupted: {what}")));
            }
        }
        residual = Some(left_by(&before, whole, &options(bound)));
    }
    totals
}

/// What is left, after it was a file.
fn left_by(before: &Left, found: Found, options: &Options) -> Left {
    let cases = [&before.cases[..], &found.cases[..]].concat();
    let finished = [&before.finished[..], &found.finished[..]].concat();
    let origin = Origin { jdk: String::new(), arguments: Vec::new(), classes: BTreeMap::default() };
    let residual = Residual::new(found.summary);
    let mut saved = Saved::new(origin, options.termination, finished, &residual);
    let mut file = Vec::new();
    saved.write(&mut file).expect("it can be written");
    let file = String::from_utf8(file).expect("it is text");
    documents::check("saved", &file);
    let saved = Saved::read(&file).expect("it can be read");
    Left { cases, finished: saved.cases.clone(), residual: saved.residual() }
}

/// Goes on, with several workers: all cases that are new, and what is known then.
fn go_on(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    before: &Left,
    is_first: bool,
) -> (Found, Vec<String>) {
    let mut options = Options { jobs: 2, ..options.clone() };
    if !is_first {
        options.parts = before.residual.parts().collect();
    }
    let found = find(procedures, method, &options).expect("there were cases before");
    let further = found.cases.clone();
    (Found { summary: before.residual.and(found.summary), ..found }, further)
}

fn find(procedures: &Procedures<'_>, method: &ResolvedMethod, options: &Options) -> Option<Found> {
    let (cases, summary) = all_cases(procedures, method, options).ok()?;
    let text = |case: &Case| {
        let mut text = Vec::new();
        petrel_report::json_teller(false).tell(case, &mut text).expect("it can be written");
        String::from_utf8(text).expect("it is text")
    };
    let finished = cases.iter().map(FinishedCase::of).collect();
    Some(Found { cases: cases.iter().map(text).collect(), finished, summary })
}

/// What is not as in a generation that begins from the start.
fn difference(fresh: &Found, before: &Left, further: &[String], whole: &Summary) -> Option<String> {
    // Different paths may look the same, as aliases do.
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &before.cases {
        *known.entry(case).or_default() += 1;
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
        let limits: Vec<&Limit> = ends.limits.keys().collect();
        // A side of a guard that turns out to be impossible when it is its turn is not counted if time is over then.
        let ends = Ends { limits: BTreeMap::new(), infeasible: 0, ..ends.clone() };
        format!("{ends:?}\n{limits:?}\n{cuts:?}\n{rules:?}\n{steps} steps, {choices} choices")
    };
    let (new, old) = (account(whole), account(&fresh.summary));
    (new != old).then(|| format!("the account\n{new}\nis in the place of\n{old}"))
}
