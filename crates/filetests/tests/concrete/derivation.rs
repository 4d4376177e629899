//! What fixtures say is what derivations by the engine give, with each JDK that can run them.
//!
//! `FIXTURE=arrays` looks only at fixtures with that in their path.

use petrel_filetests::derive;
use petrel_filetests::fixture::{self, Complaint, Fixture, Outcome, Run};
use petrel_filetests::jvm::Jdks;

/// What is wrong with an answer. The text of a `ClassCastException` is not compared: it names class
/// loaders.
fn problem(run: &Run, answer: &str) -> Option<String> {
    let expected = run.expected.as_ref()?;
    let actual = match Outcome::read(answer, run.result.as_ref()) {
        Ok(actual) => actual,
        Err(_) => return Some(answer.to_owned()),
    };
    let is_same = match (expected, &actual) {
        (Outcome::Thrown { class, .. }, Outcome::Thrown { class: actual, .. })
            if class == "java.lang.ClassCastException" =>
        {
            class == actual
        }
        _ => expected.allows(&actual),
    };
    (!is_same).then(|| format!("derived: {answer}"))
}

#[test]
fn derivations_give_what_fixtures_say() {
    let (fixtures, mut complaints) = fixture::read_all(&fixture::not_built());
    let jdks = Jdks::find();
    complaints.extend(fixture::check_all(&fixtures, |fixture| derive_fixture(&jdks, fixture)));
    let lines: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{} failures\n{}", lines.len(), lines.join("\n"));
}

fn derive_fixture(jdks: &Jdks, fixture: &Fixture) -> Vec<Complaint> {
    let Some(jdk) = jdks.for_release(fixture.release) else { return Vec::new() };
    let procedures = derive::procedures(jdk, &fixture.class_folder());
    let complain = |run: &Run| {
        let answer = derive::run(procedures, fixture, run);
        problem(run, &answer).map(|problem| fixture.complaint(run.line, problem))
    };
    let mut complaints: Vec<Complaint> =
        fixture.runs.iter().filter(|run| !run.jvm_alone).filter_map(complain).collect();
    for line in &fixture.derivations {
        let shown = derive::describe(procedures, fixture, line);
        if shown != line.expected {
            complaints.push(fixture.complaint(line.line, shown));
        }
    }
    complaints
}
