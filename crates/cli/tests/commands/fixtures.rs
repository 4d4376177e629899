//! The fixtures: what their comments say is what the JVM does and what the exported Prolog program
//! does. `petrel_filetests::fixture` describes the comments.
//!
//! All failures are reported together, by file and line. `FIXTURE=arrays` looks only at fixtures
//! with that in their path.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use petrel_checks::Part;
use petrel_classpath::{ClassSource, Jdk};
use petrel_filetests::fixture::{self, Complaint, Fixture, Outcome, Paths, Run};
use petrel_filetests::jvm::{self, Jdks};
use petrel_filetests::petrel::Petrel;
use petrel_filetests::swipl;
use petrel_filetests::world::root;
use petrel_session::Session;

/// Prints past the capture of test output: what is left out is always seen.
fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn fixtures() -> (Vec<Fixture>, Vec<Complaint>) {
    let not_built = fixture::not_built();
    let (fixtures, complaints) = fixture::read_all(&not_built);
    if let Ok(part) = std::env::var("FIXTURE") {
        note(&format!("only the {} fixtures with {part:?} in their path", fixtures.len()));
    }
    not_built.iter().for_each(|line| note(line));
    assert!(!fixtures.is_empty() || !complaints.is_empty(), "there are no fixtures");
    (fixtures, complaints)
}

#[track_caller]
fn report(complaints: Vec<Complaint>) {
    let lines: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{} failures\n{}", lines.len(), lines.join("\n"));
}

/// The JDK of a fixture; that there is one follows from its having been compiled.
fn jdk_of<'a>(jdks: &'a Jdks, fixture: &Fixture) -> Result<&'a Jdk, Complaint> {
    let message = || format!("it is built, but there is no JDK {} to run it", fixture.release);
    jdks.for_release(fixture.release).ok_or_else(|| fixture.complaint(0, message()))
}

/// What is wrong with an answer, if anything is.
fn compare(run: &Run, whose: &str, answer: &str) -> Option<String> {
    let actual = match Outcome::read(answer, run.result.as_ref()) {
        Ok(actual) => actual,
        Err(problem) => return Some(format!("{whose}: {answer} ({problem})")),
    };
    match &run.expected {
        Some(expected) if expected.allows(&actual) => None,
        Some(_) => Some(format!("{whose}: {answer}")),
        None => {
            Some(format!("no result is given, BLESS=1 would write what the JVM says: {answer}"))
        }
    }
}

#[test]
fn every_method_translates_verifies_and_parses_back() {
    let (fixtures, mut complaints) = fixtures();
    let jdks = Jdks::find();
    let mut topics: Vec<(&str, u16)> = Vec::new();
    for fixture in &fixtures {
        match topics.iter_mut().find(|(topic, _)| *topic == fixture.topic) {
            Some((_, release)) => *release = fixture.release.max(*release),
            None => topics.push((&fixture.topic, fixture.release)),
        }
    }
    for (topic, release) in topics {
        let jdk = jdks.for_release(release).expect("what was compiled has a JDK");
        for (place, message) in translate_topic(topic, jdk) {
            let file = Path::new("build/fixtures").join(topic).join(place);
            complaints.push(Complaint { file, line: 0, message });
        }
    }
    report(complaints);
}

/// What is wrong with the methods of a topic, by class.
fn translate_topic(topic: &str, jdk: &Jdk) -> Vec<(String, String)> {
    let folder = root().join("build/fixtures").join(topic);
    let session = Session::open(folder.as_os_str(), Some(jdk.home())).expect("the folder is there");
    let mut problems = Vec::new();
    for name in session.class_path().class_names().expect("the folder can be read") {
        let file = format!("{name}.class");
        match session.program().class(&name) {
            Ok(class) => {
                let translated = class.methods().filter_map(|method| {
                    let problem = translate_method(&session, &method)?;
                    Some((file.clone(), format!("{}: {problem}", method.name())))
                });
                problems.extend(translated);
            }
            Err(error) => problems.push((file, error.to_string())),
        }
    }
    problems
}

fn translate_method(session: &Session, method: &petrel_program::ResolvedMethod) -> Option<String> {
    let translated = petrel_translate::translate(session.program(), method.class(), method.index());
    let procedure = match translated {
        Ok(procedure) => procedure?,
        Err(error) => return Some(error.to_string()),
    };
    if let Some(problem) = petrel_clp::verify::verify(&procedure).first() {
        return Some(format!("invalid rules: {problem}"));
    }
    let text = petrel_clp::print::procedure(&procedure);
    match petrel_clp::parse::procedures(&text) {
        Ok(parsed) if parsed == [procedure] => None,
        Ok(_) => Some(format!("the text parses to something else:\n{text}")),
        Err(error) => Some(format!("the text does not parse: {error}\n{text}")),
    }
}

#[test]
fn the_jvm_does_what_fixtures_say() {
    let (fixtures, mut complaints) = fixtures();
    let jdks = Jdks::find();
    let bless = std::env::var_os("BLESS").is_some();
    for jdk in jdks.iter() {
        let is_here = |fixture: &&Fixture| {
            let found = jdks.for_release(fixture.release);
            found.is_some_and(|found| std::ptr::eq(found, jdk))
        };
        let here: Vec<&Fixture> = fixtures.iter().filter(is_here).collect();
        let runs =
            || here.iter().flat_map(|fixture| fixture.runs.iter().map(|run| (*fixture, run)));
        let calls: Vec<_> = runs().map(|(fixture, run)| jvm::call_of(fixture, run)).collect();
        if calls.is_empty() {
            continue;
        }
        let answers = jvm::run(jdk, &calls);
        let mut blessed: Vec<(&Path, Vec<(usize, String)>)> = Vec::new();
        for ((fixture, run), answer) in runs().zip(&answers) {
            let Some(message) = compare(run, "the JVM says", answer) else { continue };
            if !bless {
                complaints.push(fixture.complaint(run.line, message));
                continue;
            }
            match blessed.last_mut() {
                Some((file, lines)) if *file == fixture.file => {
                    lines.push((run.line, answer.clone()));
                }
                _ => blessed.push((&fixture.file, vec![(run.line, answer.clone())])),
            }
        }
        for (file, lines) in blessed {
            fixture::bless(file, &lines).expect("a fixture can be written");
        }
    }
    complaints.extend(fixtures.iter().filter_map(|fixture| jdk_of(&jdks, fixture).err()));
    report(complaints);
}

#[test]
fn prolog_does_what_fixtures_say() {
    const PART: Part = Part::one_of(12, 4);
    let (fixtures, mut complaints) = fixtures();
    let fixtures = PART.of(fixtures, "fixtures");
    let jdks = Jdks::find();
    complaints.extend(fixture::check_all(&fixtures, |fixture| run_in_prolog(&jdks, fixture)));
    report(complaints);
}

/// Runs all that a fixture says in one process.
fn run_in_prolog(jdks: &Jdks, fixture: &Fixture) -> Vec<Complaint> {
    let runs: Vec<&Run> = fixture.runs.iter().filter(|run| !run.jvm_only).collect();
    if runs.is_empty() && fixture.cases.is_empty() {
        return Vec::new();
    }
    let petrel = Petrel::new(env!("CARGO_BIN_EXE_petrel"));
    let folder = fixture.class_folder();
    let program = match jdk_of(jdks, fixture) {
        Ok(jdk) => petrel.prolog(jdk, folder.as_os_str(), &fixture.class),
        Err(complaint) => return vec![complaint],
    };
    let mut goals: Vec<String> = runs.iter().map(|run| swipl::run_goal(fixture, run)).collect();
    goals.extend(fixture.cases.iter().flat_map(|cases| swipl::cases_goals(fixture, cases)));
    let answers = match program.and_then(|program| swipl::answer(&program, &goals)) {
        Ok(answers) => answers,
        Err(message) => return vec![fixture.complaint(0, message)],
    };
    let (run_answers, mut case_answers) = answers.split_at(runs.len());
    let mut complaints = Vec::new();
    for (run, answer) in runs.iter().zip(run_answers) {
        let problem = compare(run, "Prolog says", answer);
        complaints.extend(problem.map(|problem| fixture.complaint(run.line, problem)));
    }
    for cases in &fixture.cases {
        let (found, rest) = case_answers.split_at(cases.expected.len());
        case_answers = rest;
        let expected: Vec<String> = cases.expected.iter().map(usize::to_string).collect();
        if found != expected {
            let message = format!("Prolog says {}", found.join(", "));
            complaints.push(fixture.complaint(cases.line, message));
        }
    }
    complaints
}

/// Methods whose answers in Prolog are others: what they use is left out there.
const NOT_IN_PROLOG: [&str; 5] = [
    "HeapCopies#copied",      // System.arraycopy
    "HeapCopies#copiedWhole", // System.arraycopy
    "HeapCopies#moved",       // System.arraycopy
    "HeapCopies#overlapping", // System.arraycopy
    "HeapNewArrays#board",    // each length of an array of arrays is an answer
];

/// The exported program has one answer for each path, whatever its inputs alias, are long or are of.
#[test]
fn prolog_has_an_answer_for_each_path_on_unknown_heaps() {
    let (fixtures, _) = fixtures();
    let jdks = Jdks::find();
    let heap: Vec<Fixture> = fixtures.into_iter().filter(|one| one.topic == "heap").collect();
    let n_compared = AtomicUsize::new(0);
    report(fixture::check_all(&heap, |fixture| paths_in_prolog(&jdks, fixture, &n_compared)));
    let n_compared = n_compared.into_inner();
    assert!(n_compared > 150 || std::env::var_os("FIXTURE").is_some(), "{n_compared} compared");
}

fn paths_in_prolog(jdks: &Jdks, fixture: &Fixture, n_compared: &AtomicUsize) -> Vec<Complaint> {
    let goals = fixture.paths.iter().filter_map(|paths| {
        let name = format!("{}#{}", fixture.class, paths.method);
        let is_left_out = NOT_IN_PROLOG.contains(&&*name);
        Some((paths, swipl::paths_goal(fixture, paths)?)).filter(|_| !is_left_out)
    });
    let (paths, goals): (Vec<_>, Vec<String>) = goals.unzip();
    if goals.is_empty() {
        return Vec::new();
    }
    let petrel = Petrel::new(env!("CARGO_BIN_EXE_petrel"));
    let folder = fixture.class_folder();
    let program = match jdk_of(jdks, fixture) {
        Ok(jdk) => petrel.prolog(jdk, folder.as_os_str(), &fixture.class),
        Err(complaint) => return vec![complaint],
    };
    let answers = match program.and_then(|program| swipl::answer(&program, &goals)) {
        Ok(answers) => answers,
        Err(message) => return vec![fixture.complaint(0, message)],
    };
    let compared: Vec<_> =
        paths.iter().zip(answers).filter(|(_, answer)| answer != "cut").collect();
    n_compared.fetch_add(compared.len(), Ordering::Relaxed);
    let wrong = |(paths, answer): &(&&Paths, String)| *answer != paths.expected.to_string();
    compared
        .into_iter()
        .filter(wrong)
        .map(|(paths, answer)| fixture.complaint(paths.line, format!("Prolog says {answer}")))
        .collect()
}
