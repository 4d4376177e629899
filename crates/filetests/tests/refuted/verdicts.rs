//! No random call takes a branch that Petrel calls infeasible.
//!
//! `FIXTURE=heap` looks at the fixtures with that in the names of their folders, `JARS=a.jar:b.jar` at jars of your choice instead
//! of those of `build/jars`, `CLASS=Fraction` at classes with that in their names, `CLASSES=50` at so many of each jar, `SEED=2`
//! draws others, and `SECONDS=60` drives each jar, or folder of fixtures, for so long.
//!
//! Classes that mention files, the network, processes or threads are left out.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use petrel_checks::{Amount, Part, filter, number, seed};
use petrel_filetests::sample::sample;
use petrel_filetests::world::{jar_file, jdk, root};
use petrel_refuter::{Catalogue, Effort, Judging, Refuter, RefuterOptions, TargetClass, refuted};
use petrel_session::Session;

const JARS: [&str; 3] =
    ["commons-lang3-3.17.0.jar", "commons-math3-3.6.1.jar", "joda-time-2.12.7.jar"];
/// Classes whose verdicts were wrong once: they are looked at whatever is drawn.
const ONCE_WRONG: [&str; 2] = [
    "org/apache/commons/lang3/time/FastDateParser",
    "org/apache/commons/lang3/time/FastDatePrinter",
];
/// Of each jar.
const N_CLASSES: Amount = Amount::new(1, 2, 50);
/// Those that most others mention: what is drawn is drawn from them.
const N_MOST_REFERENCED: usize = 200;
/// Of the classes of fixtures.
const CLASSES: Part = Part::one_of(60, 6);
/// How long each jar, or folder of fixtures, is driven, in milliseconds.
const TIME: Amount = Amount::new(300, 500, 30_000);
/// The work for each method is a part of the usual one where only samples are looked at.
const WORK: Amount = Amount::new(20_000, 50_000, 500_000);

#[test]
fn no_call_takes_an_infeasible_branch_of_a_fixture() {
    let root = root().join("build").join("fixtures");
    let wanted = filter("FIXTURE");
    let mut problems = Vec::new();
    let mut places = Vec::new();
    let entries = std::fs::read_dir(&root).expect("`make fixtures` builds them");
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.retain(|folder| folder.is_dir() && name_of(folder).contains(&wanted));
    folders.sort_unstable();
    for folder in &folders {
        let session = open(folder);
        let catalogue = Catalogue::of(session.class_path()).expect("the classes can be read");
        places
            .extend(driveable(&session, &catalogue).into_iter().map(|name| (folder.clone(), name)));
    }
    let chosen = CLASSES.of(places, "classes of fixtures");
    assert!(!chosen.is_empty(), "no class was chosen");
    for folder in &folders {
        let of_folder = chosen.iter().filter(|(place, _)| place == folder);
        let classes: Vec<String> = of_folder.map(|(_, name)| name.clone()).collect();
        if classes.is_empty() {
            continue;
        }
        problems.extend(try_to_refute(folder, &classes));
    }
    assert!(problems.is_empty(), "{} refuted:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn no_call_takes_an_infeasible_branch_of_a_library() {
    let mut problems = Vec::new();
    for jar in jars() {
        let session = open(&jar);
        let catalogue = Catalogue::of(session.class_path()).expect("the classes can be read");
        let driveable = driveable(&session, &catalogue);
        let mut classes = catalogue.most_referenced(N_MOST_REFERENCED);
        classes.retain(|name| driveable.contains(name));
        let count = N_CLASSES.drawn("CLASSES", &format!("classes of {}", name_of(&jar)));
        let mut classes = sample(&classes, count, seed());
        let once_wrong = ONCE_WRONG.iter().map(|&name| name.to_owned());
        classes.extend(once_wrong.filter(|name| driveable.contains(name)));
        classes.sort_unstable();
        classes.dedup();
        assert!(!classes.is_empty(), "no class of {} was chosen", jar.display());
        problems.extend(try_to_refute(&jar, &classes));
    }
    assert!(problems.is_empty(), "{} refuted:\n{}", problems.len(), problems.join("\n"));
}

/// The jars that `JARS` names, or those of the tests.
fn jars() -> Vec<PathBuf> {
    match std::env::var_os("JARS") {
        Some(paths) => std::env::split_paths(&paths).collect(),
        None => JARS.iter().map(|name| jar_file(name)).collect(),
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn open(place: &Path) -> Session {
    Session::open(place.as_os_str(), Some(jdk().home())).unwrap_or_else(|error| panic!("{error}"))
}

/// The classes that have branches, can be loaded, and do nothing to the world outside.
fn driveable(session: &Session, catalogue: &Catalogue) -> Vec<String> {
    let wanted = filter("CLASS");
    let names = catalogue.names().filter(|name| name.replace('/', ".").contains(&wanted));
    let names = names.filter(|name| catalogue.has_branches(name));
    let names = names.filter(|name| !catalogue.touches_outside(name));
    names.filter(|name| session.program().class(name).is_ok()).map(str::to_owned).collect()
}

/// The verdicts on classes that calls refute.
fn try_to_refute(place: &Path, classes: &[String]) -> Vec<String> {
    let session = open(place);
    let mut judging = Judging::usual(session.jdk().feature_version());
    judging.suite.budget = WORK.now() as u64;
    let judgement = judging
        .judge(&session, classes)
        .unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    let wanted = judgement.infeasible();
    let n_infeasible = judgement.counts().infeasible;
    // What nobody calls infeasible cannot be refuted.
    if wanted.is_empty() {
        return Vec::new();
    }
    let catalogue = Catalogue::of(session.class_path()).expect("the classes can be read");
    let targets: Vec<TargetClass> =
        classes.iter().filter_map(|name| catalogue.target(name)).collect();
    let paths = session.class_path().paths().to_vec();
    let time = number("SECONDS").map_or_else(|| TIME.now(), |seconds| seconds * 1_000);
    let time = Duration::from_millis(time as u64);
    let effort = Effort { seed: seed(), calls: u64::MAX, time };
    let mut options = RefuterOptions::new(session.jdk(), paths);
    // What is documented of stubs is no mistake.
    options.keep_premises = true;
    let taken = Refuter::start(options)
        .and_then(|refuter| refuter.drive(&targets, &catalogue.helpers(classes), &wanted, effort))
        .unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    let refuted = refuted(&judgement, &taken);
    let (n_taken, n_probes) = taken.count();
    eprintln!(
        "{}: {} classes, {} calls, {n_taken} of {n_probes} branches taken, {n_infeasible} infeasible, {} refuted",
        name_of(place),
        classes.len(),
        taken.calls,
        refuted.len()
    );
    refuted.iter().map(ToString::to_string).collect()
}
