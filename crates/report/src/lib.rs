//! The answers of Petrel as data for scripts: their types, how they are written as JSON, and their schemas.
//!
//! Each answer has a type here, which is made from what other crates found, written as it is, and read back. Nothing is
//! copied on the way out: texts are borrowed, or shown where they are written ([`Text`]). The schemas in `docs/schema`
//! are derived from the same types ([`schemas`]).
//!
//! The file of a residual generator ([`Saved`]) is here, too: it is checked when it is read.
//!
//! This crate reads and writes no files: it writes into what it is given.

mod case;
mod cases;
mod generate;
mod layout;
mod list;
mod members;
mod run;
mod saved;
mod schema;
#[cfg(test)]
mod tests;
mod text;
mod traces;
mod translate;
mod value;
mod versus;

pub use case::{
    Case, Cost, Input, NumberedCase, Outcome, Output, Overflow, OverflowingOperation, Solution,
    Symbolic, SymbolicObject,
};
pub use cases::{
    Abandoned, Bound, Branches, CasesAnswer, Closing, Criterion, End, Ends, Instructions,
    JsonReport, JudgedOperation, MethodOfProgram, Opening, OverflowVerdict, Parametric, Program,
    Statistics, Stopped, Uncovered, Unreached, UnreachedWhy, Why, json_teller,
};
pub use generate::{
    Branch, Class, Dropped, Finding, GenerateAnswer, Method, Operation, Test, Total, Verdict,
};
pub use list::{ListAnswer, ListedMethod};
pub use members::Members;
pub use run::{RunAnswer, RunOutcome, Stop};
pub use saved::{
    CutWhy, Decisions, FinishedCase, FinishedOutcome, Origin, Saved, SavedCall, SavedCut,
    SavedDerivation, SavedEnds, SavedError, SavedField, SavedLeftRule, SavedObject,
    SavedParametric, SavedStatistics, SavedStop, SavedValue,
};
pub use schema::{PublishedSchema, schemas};
pub use text::Text;
pub use traces::{ListedTrace, ListedVerdict, TracesAnswer};
pub use translate::{TranslateAnswer, TranslatedMethod, TranslatedRule};
pub use value::{Call, Heap, Object, Reference, Utf16, Value};
pub use versus::{VersusAnswer, VersusBound, VersusLasting, VersusWorst};

/// The version of the format of answers. Members may be added to a version, not renamed.
const SCHEMA: u32 = 1;
