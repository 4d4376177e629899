//! `petrel translate`: the constraint logic program of methods and of what they reach.

use std::io::{self, Write};

use petrel_classpath::ClassSource;
use petrel_clp::{Procedure, print};
use petrel_translate::cache::Procedures;
use petrel_translate::reach::{Reached, reach};

use crate::args::{Common, Translate};
use crate::failure::{Failure, Status};
use crate::target;

pub(crate) fn run(common: &Common, translate: &Translate) -> Result<Status, Failure> {
    let session = super::open(common)?;
    let targets = target::resolve(session.program(), &translate.targets)?;
    let mut project = session.class_path().class_names()?;
    // A target may be a class of the JDK: then that class is the project.
    project.extend(targets.iter().map(|target| target.class().name().to_owned()));
    let procedures = Procedures::new(session.program());
    let reached = reach(&procedures, &project, &targets);
    for failure in &reached.failures {
        eprintln!("error: {failure}");
    }
    let mut out = io::stdout().lock();
    if translate.prolog {
        write!(out, "{}", prolog(&session, &reached))?;
    } else if common.json {
        writeln!(out, "{:#}", json(translate, &reached))?;
    } else {
        write!(out, "{}", text(&reached))?;
    }
    let complete = reached.failures.is_empty();
    Ok(if complete { Status::Complete } else { Status::Incomplete })
}

fn text(reached: &Reached) -> String {
    let procedures: Vec<&Procedure> = reached.procedures.iter().map(|p| &**p).collect();
    let dispatches: Vec<_> = reached.dispatches.iter().collect();
    print::program(&procedures, &dispatches)
}

fn prolog(_session: &petrel_session::Session, _reached: &Reached) -> String {
    String::new()
}

/// For each rule its text-independent facts: which instructions and lines it stands for.
fn json(translate: &Translate, reached: &Reached) -> serde_json::Value {
    let procedures: Vec<serde_json::Value> = reached
        .procedures
        .iter()
        .map(|procedure| {
            let method = &procedure.method;
            let rules: Vec<serde_json::Value> = procedure
                .predicates
                .iter()
                .flat_map(|predicate| {
                    predicate.rules.iter().enumerate().map(|(number, rule)| {
                        let instructions: Vec<String> = rule
                            .instructions
                            .iter()
                            .map(|instruction| format!("{} {}", instruction.pc, instruction.opcode))
                            .collect();
                        serde_json::json!({
                            "predicate": predicate.name,
                            "rule": number + 1,
                            "instructions": instructions,
                            "lines": rule.lines(),
                        })
                    })
                })
                .collect();
            serde_json::json!({
                "method": format!("{}#{}{}", method.class.replace('/', "."), method.name, method.descriptor),
                "rules": rules,
                "text": print::procedure(procedure),
            })
        })
        .collect();
    let failures: Vec<String> = reached.failures.iter().map(ToString::to_string).collect();
    let outside: Vec<String> = reached.outside.iter().map(ToString::to_string).collect();
    serde_json::json!({
        "schema": 1,
        "targets": translate.targets,
        "procedures": procedures,
        "outside": outside,
        "failures": failures,
    })
}
