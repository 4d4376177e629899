//! Test cases: the answers of a symbolic derivation, made concrete.
//!
//! "Test Data Generation of Bytecode by CLP Partial Evaluation", section 5: each finished branch of
//! the tree of a method's call is a test case, a set of constraints that its inputs satisfy; labelling
//! makes concrete inputs of it. The expected outcome is derived again, from the concrete inputs.
//!
//! This crate prints nothing and reads no files; what it makes is text and data.

mod case;
mod coverage;
mod generate;
mod observe;
mod overflow;
mod parametric;
mod policy;
mod report;
mod residual;
mod selection;
#[cfg(test)]
mod terms;
mod text;
mod versus;

pub use case::{
    Case, CaseCost, Cut, Ends, Incomplete, Outcome, Output, Profile, RuleApplied, Solution,
    Stopped, Summary, Symbolic, SymbolicObject, Unfinished, Unreached,
};
pub use coverage::{
    BranchCount, Coverage, Edge, Executed, InstructionCount, JudgedOperation, MethodCoverage,
    ProgramCoverage, TargetCode, UncoveredBranch, Why,
};
pub use generate::{
    GenerateError, ListedSummary, ListedTrace, Options, Oracle, ToldPaths, TraceVerdict, generate,
    generate_told, list_traces,
};
pub use observe::{Observation, Observations, Observer, Observing, Subject};
pub use overflow::{Arithmetic, CaseOverflow, Overflow, OverflowSummary};
pub use parametric::{Exceeding, Line, Parametric};
pub use petrel_cost::{Model, ModelError, Part as CostPart, Scope};
pub use petrel_engine::{
    AccessPath, AnswerOrigin, Assumption, Condition, Decision, Defect, Feature, HeapMode,
    InputAnswer, LabelOrder, LeftOut, Limit, LinearCost, MadeBy, Objects, Part, Place, Platform,
    Prefix, SourceLine, Termination, Undecided, Unfollowed,
};
pub use policy::{CostCondition, Policy, Ranking, Sum};
pub use report::{Asked, Report, Teller, objects};
pub use residual::Residual;
pub use selection::{NamedMethod, Point, Selection, Spot, Strategy};
pub use text::{CollapsedReport, TextReport, left_open, versus_text};
pub use versus::{BoundCosts, Lasting, Versus, WorstCase, compare};
