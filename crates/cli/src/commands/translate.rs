//! `petrel translate`: the constraint logic program of methods and of what they reach.

use std::io::Write;

use petrel_abstraction::slice::{self, Slice};
use petrel_abstraction::{AbstractProgram, Modes};
use petrel_classpath::ClassSource;
use petrel_clp::{Dispatch, MethodRef, Procedure, print};
use petrel_program::ResolvedMethod;
use petrel_prolog::Export;
use petrel_report::TranslateAnswer;
use petrel_session::Session;
use petrel_testcase::Selection;
use petrel_translate::cache::Procedures;
use petrel_translate::method_ref;
use petrel_translate::reach::{Reached, reach};

use super::class_facts;
use crate::args::{Common, Precision, Translate};
use crate::failure::{Failure, Status};
use crate::output::{Output, say};
use crate::target;

pub(crate) fn run(common: &Common, translate: &Translate) -> Result<Status, Failure> {
    if common.json && (translate.prolog || translate.abstraction.is_some()) {
        let why =
            "--json tells the rules of the program: it goes with neither --prolog nor --abstract";
        return Err(Failure(why.to_owned()));
    }
    let session = super::open(common)?;
    let targets = target::resolve(session.program(), &translate.targets)?;
    let mut project = session.class_path().class_names()?;
    // A target may be a class of the JDK: then that class is the project.
    project.extend(targets.iter().map(|target| target.class().name().to_owned()));
    let procedures = Procedures::new(session.program());
    if let Some(precision) = translate.abstraction {
        let slice = translate.slice.as_ref();
        return print_abstractions(&procedures, &project, &targets, precision, slice);
    }
    let reached = if translate.prolog {
        class_facts::reach_with_enums(&procedures, &project, &targets)
    } else {
        reach(&procedures, &project, &targets)
    };
    for failure in &reached.failures {
        say!("error: {failure}");
    }
    let mut out = Output::stdout();
    if translate.prolog {
        write!(out, "{}", prolog(&session, &project, &targets, &reached))?;
    } else if common.json {
        TranslateAnswer::of(&translate.targets, &reached).write(&mut out)?;
    } else {
        write!(out, "{}", text(&reached))?;
    }
    let complete = reached.failures.is_empty();
    Ok(if complete { Status::Complete } else { Status::Incomplete })
}

/// The abstractions of the targets, one after the other.
fn print_abstractions(
    procedures: &Procedures<'_>,
    project: &[String],
    targets: &[ResolvedMethod],
    precision: Precision,
    selection: Option<&Selection>,
) -> Result<Status, Failure> {
    let precision = match precision {
        Precision::Naive => petrel_abstraction::Precision::Naive,
        Precision::Enhanced => petrel_abstraction::Precision::Enhanced { observes_sizes: true },
    };
    let mut out = Output::stdout();
    let mut status = Status::Complete;
    for target in targets {
        match AbstractProgram::of(procedures, project, target) {
            Some(program) => {
                let modes = Modes::of(&program, precision);
                let rules = match selection {
                    None => None,
                    Some(selection) => Some(slice_of(&program, selection)?),
                };
                let text = match targets {
                    [_] => petrel_abstraction::print(&program, &modes, rules.as_ref()),
                    // Programs of several methods would have rules of the same names.
                    _ => petrel_abstraction::rules(&program, &modes, rules.as_ref()),
                };
                write!(out, "{text}")?;
            }
            None => {
                say!("error: {target}: there is no bytecode to abstract from");
                status = Status::Incomplete;
            }
        }
    }
    Ok(status)
}

/// The rules of a slice (Def. 7 and 8 of "A Framework for Guided Test Case Generation in Constraint Logic
/// Programming").
fn slice_of(program: &AbstractProgram<'_>, selection: &Selection) -> Result<Slice, Failure> {
    let Selection::Points(points) = selection else {
        return match selection {
            Selection::LocalPaths => Ok(slice::local_paths(program)),
            other => Err(Failure(format!("there is no slice for {other}"))),
        };
    };
    let mut goals = Slice::default();
    for point in points {
        goals.extend(point.rules(program).map_err(|error| Failure(error.to_string()))?);
    }
    Ok(slice::towards(program, &goals))
}

fn text(reached: &Reached) -> String {
    let procedures: Vec<&Procedure> = reached.procedures.iter().map(|p| &**p).collect();
    let dispatches: Vec<&Dispatch> = reached.dispatches.iter().collect();
    print::program(&procedures, &dispatches)
}

fn prolog(
    session: &Session,
    project: &[String],
    targets: &[ResolvedMethod],
    reached: &Reached,
) -> String {
    with_export(session, project, targets, reached, petrel_prolog::export)
}

/// Does something with the program of targets as Prolog sees it.
pub(super) fn with_export<R>(
    session: &Session,
    project: &[String],
    targets: &[ResolvedMethod],
    reached: &Reached,
    work: impl FnOnce(&Export<'_>) -> R,
) -> R {
    let procedures: Vec<&Procedure> = reached.procedures.iter().map(|p| &**p).collect();
    let dispatches: Vec<&Dispatch> = reached.dispatches.iter().collect();
    let classes = class_facts::collect(session.program(), project, reached);
    let entries: Vec<MethodRef> = targets.iter().map(method_ref).collect();
    work(&Export {
        procedures: &procedures,
        dispatches: &dispatches,
        classes: &classes,
        entries: &entries.iter().collect::<Vec<_>>(),
    })
}
