//! The schemas of the answers.

use schemars::{JsonSchema, Schema, schema_for};

use crate::cases::CasesAnswer;
use crate::generate::GenerateAnswer;
use crate::list::ListAnswer;
use crate::run::RunAnswer;
use crate::saved::Saved;
use crate::traces::TracesAnswer;
use crate::translate::TranslateAnswer;
use crate::versus::VersusAnswer;

/// The schema of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedSchema {
    /// The answer: `cases`. The schema is in `docs/schema/cases.schema.json`.
    pub name: &'static str,
    /// The schema.
    pub schema: Schema,
}

impl PublishedSchema {
    fn of<T: JsonSchema>(name: &'static str) -> PublishedSchema {
        PublishedSchema { name, schema: schema_for!(T) }
    }

    /// Its file in `docs/schema`.
    pub fn file_name(&self) -> String {
        format!("{}.schema.json", self.name)
    }

    /// As a file has it.
    pub fn text(&self) -> String {
        format!("{:#}\n", self.schema.as_value())
    }
}

/// The schemas of all answers.
pub fn schemas() -> Vec<PublishedSchema> {
    vec![
        PublishedSchema::of::<CasesAnswer<'static>>("cases"),
        PublishedSchema::of::<GenerateAnswer<'static>>("generate"),
        PublishedSchema::of::<ListAnswer<'static>>("list"),
        PublishedSchema::of::<RunAnswer<'static>>("run"),
        PublishedSchema::of::<Saved>("saved"),
        PublishedSchema::of::<TracesAnswer<'static>>("traces"),
        PublishedSchema::of::<TranslateAnswer<'static>>("translate"),
        PublishedSchema::of::<VersusAnswer<'static>>("versus"),
    ]
}
