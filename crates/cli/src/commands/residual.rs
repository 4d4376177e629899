//! Residual generators in files: what is left of a generation, and what it belongs to.
//!
//! A derivation can be gone on with only where nothing has changed: the classes, the JDK, and Petrel itself.

mod facts;

use std::fs;
use std::path::Path;

use petrel_classpath::ClassSource;
use petrel_program::ResolvedMethod;
use petrel_prolog::{self as prolog, Generator};
use petrel_report::{Origin, Saved};
use petrel_session::Session;
use petrel_translate::cache::Procedures;
use petrel_translate::method_ref;

use super::class_facts;
use super::translate::with_export;
use crate::args::Cases;
use crate::failure::Failure;
use crate::replace::replace;

/// What a generation belongs to.
pub(super) fn origin(session: &Session, arguments: Vec<String>) -> Result<Origin, Failure> {
    Ok(Origin { jdk: session.jdk().release(), arguments, classes: session.checksums()? })
}

/// Writes it, whole or not at all.
pub(super) fn write(
    mut saved: Saved,
    path: &Path,
    session: &Session,
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
) -> Result<(), Failure> {
    let cannot = |error: &dyn std::fmt::Display| {
        Failure(format!("cannot write {}: {error}", path.display()))
    };
    add_goals(&mut saved, session, procedures, method)?;
    let mut text = Vec::new();
    saved.write(&mut text).map_err(|error| cannot(&error))?;
    // A link stays one, and what is no file is not made one.
    let file = match fs::metadata(path) {
        Ok(there) if !there.is_file() => return Err(cannot(&"it is no regular file")),
        Ok(_) => fs::canonicalize(path).map_err(|error| cannot(&error))?,
        Err(_) => path.to_owned(),
    };
    replace(&file, &text).map_err(|error| cannot(&error))
}

/// Adds what the derivations leave: for people, and for other tools.
fn add_goals(
    saved: &mut Saved,
    session: &Session,
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
) -> Result<(), Failure> {
    let traces = saved.traces();
    with_generator(session, procedures, method, |generator| {
        for (derivation, trace) in saved.unfinished.iter_mut().zip(&traces) {
            // A trace through code of the JDK has no rules in the program.
            if let Ok(resultant) = generator.resultant(trace) {
                derivation.goal = Some(resultant.goal());
                derivation.constraints = Some(resultant.store());
            }
        }
    })
}

/// The residual program, with the settings that `cases` was called with.
pub(super) fn prolog(
    saved: &Saved,
    asked: &Cases,
    session: &Session,
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
) -> Result<String, Failure> {
    let traces = saved.traces();
    let finished: Vec<prolog::FinishedCase> = saved.cases.iter().map(facts::finished).collect();
    let settings = facts::settings(asked, method);
    with_generator(session, procedures, method, |generator| {
        generator.program(&settings, &finished, &traces)
    })?
    .map_err(|reason| Failure(format!("there is no such program: {reason}")))
}

/// Reads a file.
pub(super) fn read(path: &Path) -> Result<Saved, Failure> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| Failure(format!("cannot read {shown}: {error}")))?;
    Saved::read(&text).map_err(|error| Failure(format!("{shown}: {error}")))
}

/// Whether classes and JDK are still the same; if not, says what is not.
pub(super) fn check(saved: &Saved, session: &Session) -> Result<(), Failure> {
    let jdk = session.jdk().release();
    if jdk != saved.jdk {
        return Err(Failure(format!(
            "the file is for JDK {}, and this is JDK {jdk}: choose it with --jdk, or run `cases --save` again",
            saved.jdk
        )));
    }
    let classes = session.checksums()?;
    let changed = saved.classes.iter().find_map(|(name, checksum)| match classes.get(name) {
        None => Some((name, "is not in the class path any more")),
        Some(now) if now != checksum => Some((name, "has changed")),
        Some(_) => None,
    });
    let new = || classes.keys().find(|name| !saved.classes.contains_key(*name));
    let changed = changed.or_else(|| Some((new()?, "is new in the class path")));
    match changed {
        None => Ok(()),
        Some((name, how)) => Err(Failure(format!(
            "{} {how} since the file was written: run `cases --save` again",
            name.replace('/', ".")
        ))),
    }
}

/// Does something with the generator for a method.
fn with_generator<R>(
    session: &Session,
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    work: impl FnOnce(&Generator<'_>) -> R,
) -> Result<R, Failure> {
    let targets = std::slice::from_ref(method);
    let mut project = session.class_path().class_names()?;
    project.push(method.class().name().to_owned());
    let reached = class_facts::reach_with_enums(procedures, &project, targets);
    let method = method_ref(method);
    Ok(with_export(session, &project, targets, &reached, |export| {
        work(&Generator::new(export, &method))
    }))
}
