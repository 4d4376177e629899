//! What `run` answers: how a call ended.

use std::io;

use petrel_engine::{Place, Reason};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::SCHEMA;
use crate::layout::pretty;
use crate::text::Text;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "petrel run --json")]
pub struct RunAnswer<'a> {
    /// The version of the format.
    pub schema: u32,
    /// How the call ended.
    pub outcome: RunOutcome<'a>,
    /// Whether that depends on what the JVM does not fix.
    pub unstable: bool,
    /// The first place where it does.
    pub unstable_decision: Option<Text<'a>>,
    /// What the program printed.
    pub stdout: Text<'a>,
    /// What it printed to the stream for errors.
    pub stderr: Text<'a>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum RunOutcome<'a> {
    /// It returned.
    Return {
        /// The value as `String.valueOf` shows it; `null` for `void`.
        value: Option<Text<'a>>,
    },
    /// It threw.
    Throw {
        /// The class of the exception.
        exception: Text<'a>,
        /// Its message.
        message: Option<Text<'a>>,
    },
    /// A limit was reached.
    Limit(Stop<'a>),
    /// Something that Petrel does not do.
    Unsupported(Stop<'a>),
    /// A decision that depends on what is not known.
    Undecided(Stop<'a>),
    /// A class or method that is broken or missing.
    Broken(Stop<'a>),
    /// A bug of Petrel.
    Defect(Stop<'a>),
}

/// Why a call came to no end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stop<'a> {
    /// Why.
    pub what: Text<'a>,
    /// Where: the innermost place first.
    #[serde(rename = "where")]
    pub places: Vec<Text<'a>>,
}

impl<'a> RunOutcome<'a> {
    /// A call that came to no end.
    pub fn stopped(reason: &'a Reason, places: &'a [Place]) -> RunOutcome<'a> {
        let what = Text::shown(reason);
        let stop = Stop { what, places: places.iter().map(|place| Text::shown(place)).collect() };
        match reason {
            Reason::Limit(_) => RunOutcome::Limit(stop),
            Reason::Unsupported(_) => RunOutcome::Unsupported(stop),
            Reason::Undecided(_) => RunOutcome::Undecided(stop),
            Reason::Broken(_) => RunOutcome::Broken(stop),
            Reason::Defect(_) => RunOutcome::Defect(stop),
        }
    }
}

impl<'a> RunAnswer<'a> {
    /// The answer for an outcome, and what the program printed.
    pub fn new(
        outcome: RunOutcome<'a>,
        unstable: bool,
        decision: Option<&'a Place>,
        (stdout, stderr): (&[u8], &[u8]),
    ) -> RunAnswer<'a> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned().into();
        RunAnswer {
            schema: SCHEMA,
            outcome,
            unstable,
            unstable_decision: decision.map(|place| Text::shown(place)),
            stdout: text(stdout),
            stderr: text(stderr),
        }
    }

    /// Writes the document.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        pretty(self, out)
    }
}
