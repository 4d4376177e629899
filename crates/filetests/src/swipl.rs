//! SWI-Prolog as oracle: what calls do in an exported program.

use std::io::ErrorKind;
use std::process::{Command, Stdio};

use petrel_testcase::HeapMode;

use crate::fixture::{Bound, Cases, Fixture, Paths, Run};
use crate::scratch::Scratch;
use crate::value::{Value, to_prolog};

/// A `run` line as a goal of `fixture_calls.pl`.
pub fn run_goal(fixture: &Fixture, run: &Run) -> String {
    let term = |value: &Value| to_prolog(&run.heap, *value);
    let arguments: Vec<String> = run.arguments.iter().map(term).collect();
    call_goal(&fixture.class, &run.method, &run.descriptor, &arguments.join(", "))
}

/// A call of a static method as a goal; the arguments are terms.
pub fn call_goal(class: &str, method: &str, descriptor: &str, arguments: &str) -> String {
    let (class, method) = (quoted(&class.replace('.', "/")), quoted(method));
    format!("run({class}, {method}, {}, [{arguments}])", quoted(descriptor))
}

/// A `cases` line as goals, one for each bound.
pub fn cases_goals(fixture: &Fixture, cases: &Cases) -> Vec<String> {
    let options = cases.options.iter().map(|(name, value)| format!("set_{name}({value})"));
    let options: Vec<String> = options.collect();
    let (class, method) = (quoted(&fixture.class.replace('.', "/")), quoted(&cases.method));
    let options = options.join(", ");
    let goal = |bound: &usize| format!("cases({class}, {method}, [{options}], {bound})");
    cases.bounds.iter().map(goal).collect()
}

/// A `paths` line as a goal, if its options are those of the exported program. The answer is `cut` where a loop bound
/// ended derivations.
pub fn paths_goal(fixture: &Fixture, paths: &Paths) -> Option<String> {
    if paths.heap != HeapMode::default() || !paths.assumptions.is_empty() || paths.later {
        return None;
    }
    let (bound, is_bound) = match paths.bound {
        Bound::BlockCount(bound) => (bound, true),
        Bound::Loop(_) => (2, false),
    };
    let mut options = Vec::new();
    if let Some((low, high)) = paths.domain {
        options.push(format!("set_domain(({low}) .. ({high}))"));
    }
    if !paths.exceptions {
        options.push("set_exceptions(exclude)".to_owned());
    }
    let (class, method) = (quoted(&fixture.class.replace('.', "/")), quoted(&paths.method));
    let descriptor = paths.descriptor.as_deref().map_or_else(|| "_".to_owned(), quoted);
    let options = options.join(", ");
    Some(format!("paths({class}, {method}, {descriptor}, [{options}], {bound}, {is_bound})"))
}

fn quoted(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Answers goals in an exported program, in one process. An answer is a literal, `void`, a number,
/// `throws Class: message` or `error: ..`.
///
/// # Errors
///
/// If loading the program gives an error or warning, or not every goal is answered.
///
/// # Panics
///
/// If SWI-Prolog is not installed; the message says how to get it.
pub fn answer(program: &str, goals: &[String]) -> Result<Vec<String>, String> {
    let mut calls = include_str!("fixture_calls.pl").to_owned();
    for (number, goal) in goals.iter().enumerate() {
        calls.push_str(&format!("fixture_call({number}, {goal}).\n"));
    }
    let folder = Scratch::new();
    let (program_file, calls_file) =
        (folder.path().join("program.pl"), folder.path().join("calls.pl"));
    let written =
        std::fs::write(&program_file, program).and_then(|()| std::fs::write(&calls_file, calls));
    written.map_err(|error| format!("{}: {error}", folder.path().display()))?;
    let output = Command::new("swipl")
        .args([
            "-q",
            "--on-error=status",
            "--on-warning=status",
            "-g",
            "fixture_main",
            "-t",
            "halt",
        ])
        .args([&program_file, &calls_file])
        .stdin(Stdio::null())
        .output();
    let output = match output {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("there is no swipl; `make setup` installs SWI-Prolog")
        }
        output => output.map_err(|error| format!("swipl: {error}"))?,
    };
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let answers: Vec<String> = stdout
        .lines()
        .enumerate()
        .map_while(|(number, line)| line.strip_prefix(&format!("{number}\t")).map(str::to_owned))
        .collect();
    if !output.status.success() || !stderr.is_empty() || answers.len() != goals.len() {
        let status = output.status;
        return Err(format!("swipl: {status}, {} answers\n{stderr}", answers.len()));
    }
    Ok(answers)
}
