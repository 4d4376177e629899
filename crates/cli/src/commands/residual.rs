//! Residual generators in files: what is left of a generation, and what it belongs to.
//!
//! A derivation can be gone on with only where nothing has changed: the classes, the JDK, and Petrel itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use petrel_classpath::ClassSource;
use petrel_clp::Trace;
use petrel_program::ResolvedMethod;
use petrel_prolog::{FinishedCase, Generator};
use petrel_session::Session;
use petrel_testcase::{Residual, Termination};
use petrel_translate::cache::Procedures;
use petrel_translate::method_ref;
use petrel_translate::reach::reach;
use serde_json::{Value as Json, json};

use super::translate::with_export;
use crate::failure::Failure;
use crate::replace::replace;

/// The version of the format.
const FORMAT: u64 = 1;

/// What is in a file.
pub(super) struct Saved {
    /// How `cases` was called.
    pub(super) arguments: Vec<String>,
    /// How far the finished part of the tree goes.
    pub(super) termination: Termination,
    pub(super) residual: Residual,
    jdk: String,
    classes: BTreeMap<String, String>,
}

impl Saved {
    pub(super) fn new(
        session: &Session,
        arguments: Vec<String>,
        termination: Termination,
        residual: Residual,
    ) -> Result<Saved, Failure> {
        let (jdk, classes) = (session.jdk().release(), session.checksums()?);
        Ok(Saved { arguments, termination, residual, jdk, classes })
    }

    /// Writes it, whole or not at all.
    pub(super) fn write(
        &self,
        path: &Path,
        session: &Session,
        procedures: &Procedures<'_>,
        method: &ResolvedMethod,
    ) -> Result<(), Failure> {
        let mut json = json!({
            "petrel": env!("CARGO_PKG_VERSION"),
            "format": FORMAT,
            "jdk": self.jdk,
            "arguments": self.arguments,
            "termination": termination(self.termination),
            "classes": self.classes,
        });
        if let (Some(members), Json::Object(residual)) =
            (json.as_object_mut(), self.residual.to_json())
        {
            members.extend(residual);
        }
        self.add_goals(&mut json, session, procedures, method)?;
        let text = format!("{json:#}\n");
        replace(path, text.as_bytes())
            .map_err(|error| Failure(format!("cannot write {}: {error}", path.display())))
    }

    /// Adds what the derivations leave: for people, and for other tools.
    fn add_goals(
        &self,
        json: &mut Json,
        session: &Session,
        procedures: &Procedures<'_>,
        method: &ResolvedMethod,
    ) -> Result<(), Failure> {
        let traces = self.traces()?;
        with_generator(session, procedures, method, |generator| {
            let members = json["unfinished"].as_array_mut().into_iter().flatten();
            for (member, trace) in members.zip(&traces) {
                // A trace through code of the JDK has no rules in the program.
                if let Ok(resultant) = generator.resultant(trace) {
                    member["goal"] = json!(resultant.goal());
                    member["constraints"] = json!(resultant.store());
                }
            }
        })
    }

    /// The residual program.
    pub(super) fn prolog(
        &self,
        session: &Session,
        procedures: &Procedures<'_>,
        method: &ResolvedMethod,
    ) -> Result<String, Failure> {
        let (traces, finished) = (self.traces()?, self.residual.cases.iter().map(finished));
        let finished: Vec<FinishedCase> = finished.collect();
        with_generator(session, procedures, method, |generator| {
            generator.program(&finished, &traces)
        })?
        .map_err(|reason| Failure(format!("there is no such program: {reason}")))
    }

    fn traces(&self) -> Result<Vec<Trace>, Failure> {
        let unfinished = self.residual.unfinished.iter();
        let traces = unfinished.map(|unfinished| match &*unfinished.trace {
            "" => Ok(Trace::free()),
            text => text.parse().map_err(|_| Failure(format!("this is no trace: {text}"))),
        });
        traces.collect()
    }

    pub(super) fn read(path: &Path) -> Result<Saved, Failure> {
        let shown = path.display();
        let refused = |reason: String| Failure(format!("{shown}: {reason}"));
        let text = fs::read_to_string(path)
            .map_err(|error| Failure(format!("cannot read {shown}: {error}")))?;
        let json: Json = serde_json::from_str(&text)
            .map_err(|error| refused(format!("it is not what `--save` writes: {error}")))?;
        let own = env!("CARGO_PKG_VERSION");
        match (json["petrel"].as_str(), json["format"].as_u64()) {
            (Some(version), Some(FORMAT)) if version == own => {}
            (Some(version), Some(FORMAT)) => {
                return Err(refused(format!(
                    "it was written by version {version}, and this is {own}: run `cases --save` again"
                )));
            }
            (Some(_), Some(_)) => {
                return Err(refused(
                    "it was written by another version: run `cases --save` again".to_owned(),
                ));
            }
            _ => return Err(refused("it is not what `--save` writes".to_owned())),
        }
        let damaged = |what: &str| refused(format!("it is damaged: {what}"));
        let texts = |json: &Json| -> Option<Vec<String>> {
            json.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect()
        };
        let classes = json["classes"].as_object().and_then(|classes| {
            let text = |(name, checksum): (&String, &Json)| {
                Some((name.clone(), checksum.as_str()?.to_owned()))
            };
            classes.iter().map(text).collect::<Option<BTreeMap<_, _>>>()
        });
        Ok(Saved {
            arguments: texts(&json["arguments"]).ok_or_else(|| damaged("the arguments"))?,
            termination: read_termination(&json["termination"])
                .ok_or_else(|| damaged("the bound"))?,
            residual: Residual::from_json(&json).map_err(|what| damaged(&what))?,
            jdk: json["jdk"].as_str().ok_or_else(|| damaged("the JDK"))?.to_owned(),
            classes: classes.ok_or_else(|| damaged("the classes"))?,
        })
    }

    /// Whether classes and JDK are still the same; if not, says what is not.
    pub(super) fn check(&self, session: &Session) -> Result<(), Failure> {
        let jdk = session.jdk().release();
        if jdk != self.jdk {
            return Err(Failure(format!(
                "the file is for JDK {}, and this is JDK {jdk}: choose it with --jdk, or run `cases --save` again",
                self.jdk
            )));
        }
        let classes = session.checksums()?;
        let changed = self.classes.iter().find_map(|(name, checksum)| match classes.get(name) {
            None => Some((name, "is not in the class path any more")),
            Some(now) if now != checksum => Some((name, "has changed")),
            Some(_) => None,
        });
        let new = || classes.keys().find(|name| !self.classes.contains_key(*name));
        let changed = changed.or_else(|| Some((new()?, "is new in the class path")));
        match changed {
            None => Ok(()),
            Some((name, how)) => Err(Failure(format!(
                "{} {how} since the file was written: run `cases --save` again",
                name.replace('/', ".")
            ))),
        }
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
    let reached = reach(procedures, &project, targets);
    let method = method_ref(method);
    Ok(with_export(session, targets, &reached, |export| work(&Generator::new(export, &method))))
}

/// A case of the report for scripts.
fn finished(case: &Json) -> FinishedCase {
    let number = |json: &Json| match json {
        Json::Bool(is_true) => Some(i64::from(*is_true)),
        Json::String(text) => text.parse().ok(),
        other => other.as_i64(),
    };
    let input = &case["input"];
    let arguments = input["args"].as_array().map(|args| args.iter().map(number).collect());
    let arguments = arguments.flatten().filter(|_| input.get("this").is_none());
    let value = &case["output"]["value"];
    let outcome = match case["outcome"]["exception"].as_str() {
        Some(class) => Err(class.to_owned()),
        None => Ok(number(value)),
    };
    // What is no number has no place in a fact.
    let is_number = value.is_null() || number(value).is_some();
    FinishedCase { arguments: arguments.filter(|_| is_number), outcome }
}

fn termination(termination: Termination) -> Json {
    match termination {
        Termination::Loop(bound) => json!({ "loop": bound }),
        Termination::BlockCount(bound) => json!({ "block-count": bound }),
    }
}

fn read_termination(json: &Json) -> Option<Termination> {
    let bound = |name: &str| json[name].as_u64().and_then(|bound| u32::try_from(bound).ok());
    let loops = bound("loop").map(Termination::Loop);
    loops.or_else(|| bound("block-count").map(Termination::BlockCount))
}
