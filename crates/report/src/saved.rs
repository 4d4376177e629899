//! The file of a residual generator: what is left of a generation, and what it belongs to.
//!
//! A derivation can be gone on with only where nothing has changed: the classes, the JDK, Petrel itself, and the file.
//! Whatever a reader can see is checked when the file is read: its shape, the order of its derivations in the tree, and
//! that numbers add up. What nobody can see, such as a number that might be another one, has checksums: one for each
//! derivation, over all derivations up to it, so that what is wrong has a place; and one for the whole. Whether the
//! program has such derivations is found out when they are followed.

mod account;
mod call;
mod check;
mod decisions;

use std::collections::BTreeMap;
use std::io;

use petrel_clp::Trace;
use petrel_testcase as testcase;
use petrel_testcase::{Prefix, Residual, Termination, Unfinished, Unfollowed};
use petrel_value::Value;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

pub use account::{
    CutWhy, SavedCut, SavedEnds, SavedLeftRule, SavedParametric, SavedStatistics, SavedStop,
};
pub use call::{SavedCall, SavedField, SavedObject, SavedValue};
pub use decisions::Decisions;

use crate::layout::pretty;

/// The version of the format.
const FORMAT: u32 = 4;

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "petrel cases --save")]
pub struct Saved {
    /// The version of Petrel that wrote it.
    pub petrel: String,
    /// The version of the format.
    pub format: u32,
    /// Over everything else.
    pub checksum: String,
    /// The release of the JDK.
    pub jdk: String,
    /// How `cases` was called.
    pub arguments: Vec<String>,
    /// How far the finished part of the tree goes.
    #[serde(with = "Bound")]
    #[schemars(with = "Bound")]
    pub termination: Termination,
    /// The classes of the class path, with a checksum of each.
    pub classes: BTreeMap<String, String>,
    /// The finished cases, in the order of their numbers.
    pub cases: Vec<FinishedCase>,
    /// The derivations to go on with, in the order of the tree.
    pub unfinished: Vec<SavedDerivation>,
    /// How the paths of the finished part ended.
    pub ends: SavedEnds,
    /// Where paths of the finished part were left.
    pub cuts: Vec<SavedCut>,
    /// The target's own rules that paths applied before they were left.
    pub left_rules: Vec<SavedLeftRule>,
    /// The target's own rules that cases applied: numbers of predicate and rule.
    pub rules: Vec<(u32, u32)>,
    /// The paths that have cases, by the texts of their traces, and how many inputs of each are told, if inputs have to be valid.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub told_paths: BTreeMap<Box<str>, usize>,
    /// For each cost model, how costs that depend on the input compare with others.
    pub parametric: BTreeMap<String, SavedParametric>,
    /// For each cost model that is split up, what each part of the program costs in all cases together.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub profiles: BTreeMap<String, BTreeMap<String, i64>>,
    /// What was done.
    pub stats: SavedStatistics,
}

/// How a termination criterion is written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Termination", rename_all = "kebab-case")]
enum Bound {
    BlockCount(u32),
    Loop(u32),
}

/// A finished derivation, as far as further generations need it: its place in the list is its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishedCase {
    /// The arguments, if all of them and the result are numbers, and there is no receiver.
    pub arguments: Option<Vec<i64>>,
    /// The call with its objects, if it is not all numbers and can be stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<SavedCall>,
    /// What they give.
    pub outcome: FinishedOutcome,
}

/// How a finished derivation ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum FinishedOutcome {
    /// It returns.
    Return {
        /// The value, if it is a number.
        value: Option<i64>,
    },
    /// It throws.
    Throw {
        /// The class of the exception.
        exception: String,
    },
}

/// A derivation to go on with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedDerivation {
    /// Its trace so far; nothing for a part of the tree that was not begun.
    #[serde(serialize_with = "shown", deserialize_with = "parsed")]
    #[schemars(with = "Option<String>")]
    pub trace: Option<Trace>,
    /// What was decided on the way.
    pub decisions: Decisions,
    /// Inputs that take it, if they are known.
    pub model: Option<Vec<i64>>,
    /// Rule applications that were counted on the way.
    pub steps: u64,
    /// The goal that it leaves, unless it goes through code of the JDK: for people, and for other tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<Vec<String>>,
    /// The constraints that are connected with the variables of the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraints: Option<Vec<String>>,
    /// Over everything else, and the derivations before it.
    pub checksum: String,
}

/// Why a file cannot be gone on with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SavedError {
    /// It is no such file.
    #[error("it is not what `--save` writes: {0}")]
    Foreign(String),
    /// It was written by another version of Petrel.
    #[error("it was written by version {0}, and this is {1}: run `cases --save` again")]
    Version(String, &'static str),
    /// It was written in another format.
    #[error("it was written by another version: run `cases --save` again")]
    Format,
    /// Something in it is not as it was written.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

/// What a file belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The release of the JDK.
    pub jdk: String,
    /// How `cases` was called.
    pub arguments: Vec<String>,
    /// The classes of the class path, with a checksum of each.
    pub classes: BTreeMap<String, String>,
}

impl Saved {
    /// What is left of a generation up to a bound that found these cases.
    pub fn new(
        origin: Origin,
        termination: Termination,
        cases: Vec<FinishedCase>,
        residual: &Residual,
    ) -> Saved {
        let Origin { jdk, arguments, classes } = origin;
        let summary = &residual.finished;
        Saved {
            petrel: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            checksum: String::new(),
            jdk,
            arguments,
            termination,
            classes,
            cases,
            unfinished: residual.unfinished.iter().map(SavedDerivation::of).collect(),
            ends: SavedEnds::of(&summary.ends),
            cuts: summary.cuts.iter().filter_map(SavedCut::of).collect(),
            left_rules: summary.left_rules.iter().filter_map(SavedLeftRule::of).collect(),
            rules: summary.rules.iter().map(|applied| (applied.predicate, applied.rule)).collect(),
            told_paths: summary.told_paths.clone(),
            parametric: summary
                .parametric
                .iter()
                .map(|(model, parametric)| (model.clone(), SavedParametric::of(parametric)))
                .collect(),
            profiles: summary
                .profiles
                .iter()
                .map(|(model, profile)| {
                    let parts = profile.parts().map(|(part, cost)| (part.to_owned(), cost));
                    (model.clone(), parts.collect())
                })
                .collect(),
            stats: SavedStatistics::of(summary),
        }
    }

    /// Writes the file, with its checksums.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&mut self, out: impl io::Write) -> io::Result<()> {
        self.seal()?;
        pretty(self, out)
    }

    /// Reads a file, and checks everything that can be checked without the program.
    ///
    /// # Errors
    ///
    /// If it is no such file, or something in it is not as it was written: tells what.
    pub fn read(text: &str) -> Result<Saved, SavedError> {
        #[derive(Deserialize)]
        struct Version {
            petrel: String,
            format: u32,
        }
        let Version { petrel, format } =
            serde_json::from_str(text).map_err(|error| SavedError::Foreign(error.to_string()))?;
        let own = env!("CARGO_PKG_VERSION");
        if format != FORMAT {
            return Err(SavedError::Format);
        }
        if petrel != own {
            return Err(SavedError::Version(petrel, own));
        }
        let saved: Saved =
            serde_json::from_str(text).map_err(|error| SavedError::Damaged(error.to_string()))?;
        saved.check().map_err(SavedError::Damaged)?;
        Ok(saved)
    }

    /// What is left of the generation.
    pub fn residual(&self) -> Residual {
        Residual {
            finished: self.summary(),
            unfinished: self.unfinished.iter().map(SavedDerivation::unfinished).collect(),
        }
    }

    /// The traces of the derivations so far.
    pub fn traces(&self) -> Vec<Trace> {
        let derivations = self.unfinished.iter();
        derivations.map(|one| one.trace.clone().unwrap_or_else(Trace::free)).collect()
    }

    /// What is said of decisions that the program does not have: which derivation they belong to.
    pub fn not_followed(&self, part: &Prefix, why: &Unfollowed) -> SavedError {
        let belongs = |derivation: &SavedDerivation| derivation.decisions.0 == part.decisions;
        let number = self.unfinished.iter().position(belongs);
        let number =
            number.map_or_else(String::new, |number| format!("derivation {}: ", number + 1));
        SavedError::Damaged(format!("{number}{why}"))
    }
}

impl SavedDerivation {
    fn of(unfinished: &Unfinished) -> SavedDerivation {
        let Unfinished { prefix, trace } = unfinished;
        SavedDerivation {
            trace: trace.clone(),
            decisions: Decisions(prefix.decisions.clone()),
            model: prefix.model.clone(),
            steps: prefix.counted_steps,
            goal: None,
            constraints: None,
            checksum: String::new(),
        }
    }

    fn unfinished(&self) -> Unfinished {
        let prefix = Prefix {
            decisions: self.decisions.0.clone(),
            model: self.model.clone(),
            counted_steps: self.steps,
        };
        Unfinished { prefix, trace: self.trace.clone() }
    }
}

fn shown<S: Serializer>(trace: &Option<Trace>, serializer: S) -> Result<S::Ok, S::Error> {
    match trace {
        Some(trace) => serializer.collect_str(trace),
        None => serializer.serialize_none(),
    }
}

fn parsed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Trace>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    let parse = |text: String| {
        let read = text.parse();
        read.map_err(|error| D::Error::custom(format!("{text:?} is no trace: {error}")))
    };
    text.map(parse).transpose()
}

impl FinishedCase {
    /// What is kept of a case.
    pub fn of(case: &testcase::Case) -> FinishedCase {
        let first = case.solutions.first();
        let value = first.and_then(|first| first.output.value);
        // What is no number has no place in a fact.
        let has_value = value.is_some_and(|value| value != Value::Null);
        let value = value.and_then(number);
        let numbers = first.filter(|one| one.receiver.is_none() && has_value == value.is_some());
        let arguments: Option<Vec<i64>> =
            numbers.and_then(|first| first.arguments.iter().map(|value| number(*value)).collect());
        FinishedCase {
            call: first.filter(|_| arguments.is_none()).and_then(SavedCall::of),
            arguments,
            outcome: match &case.outcome {
                testcase::Outcome::Return => FinishedOutcome::Return { value },
                testcase::Outcome::Throw(class) => {
                    FinishedOutcome::Throw { exception: class.clone() }
                }
            },
        }
    }
}

/// An integral value as a number.
fn number(value: Value) -> Option<i64> {
    match value {
        Value::Boolean(value) => Some(value.into()),
        Value::Byte(value) => Some(value.into()),
        Value::Short(value) => Some(value.into()),
        Value::Char(unit) => Some(unit.into()),
        Value::Int(value) => Some(value.into()),
        Value::Long(value) => Some(value),
        Value::Null | Value::Float(_) | Value::Double(_) | Value::Reference(_) => None,
    }
}
