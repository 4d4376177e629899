//! What `cases --traces` answers: the traces that an abstraction generates.

use std::io;

use petrel_testcase as testcase;
use petrel_testcase::{Asked, ListedSummary, TraceVerdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::SCHEMA;
use crate::cases::{Criterion, Ends};
use crate::layout::pretty;
use crate::text::Text;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "petrel cases --traces --json")]
pub struct TracesAnswer<'a> {
    /// The version of the format.
    pub schema: u32,
    /// The method: `pkg.Class#method(descriptor)`.
    pub target: Text<'a>,
    /// Which paths the traces are those of.
    pub criterion: Criterion<'a>,
    /// What the abstraction keeps: `naive` or `enhanced`.
    pub abstraction: Text<'a>,
    /// The traces, in the order in which they are generated.
    pub traces: Vec<ListedTrace<'a>>,
    /// Traces with a case.
    pub feasible: u64,
    /// Traces that no input takes.
    pub unfeasible: u64,
    /// Traces without a case for which that is not proved.
    pub open: u64,
    /// Derivations of the abstraction that the termination criterion cut.
    pub cut: u64,
    /// How the paths of all traces ended; that they return or throw is not counted.
    pub ends: Ends<'a>,
    /// Applications of the program's own rules.
    pub steps: u64,
}

/// A trace that an abstraction generates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListedTrace<'a> {
    /// Its number, from 1 on.
    pub id: u64,
    /// The trace.
    pub trace: Text<'a>,
    /// The point, instruction or branch that it leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub towards: Option<Text<'a>>,
    /// What became of it.
    pub verdict: ListedVerdict,
    /// How its paths ended, if it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<Ends<'a>>,
}

/// What becomes of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListedVerdict {
    /// It has a case.
    Feasible,
    /// No input takes it.
    Unfeasible,
    /// No case was found, and there may be one.
    Open,
}

impl<'a> TracesAnswer<'a> {
    /// The answer for the traces of a method.
    pub fn new(
        asked: &'a Asked,
        abstraction: &'a str,
        traces: &'a [testcase::ListedTrace],
        summary: &'a ListedSummary,
    ) -> TracesAnswer<'a> {
        let &ListedSummary { feasible, unfeasible, open, cut, ref ends, steps } = summary;
        let listed = |(id, listed): (u64, &'a testcase::ListedTrace)| {
            let (verdict, ends) = match &listed.verdict {
                TraceVerdict::Feasible => (ListedVerdict::Feasible, None),
                TraceVerdict::Unfeasible => (ListedVerdict::Unfeasible, None),
                TraceVerdict::Open(ends) => (ListedVerdict::Open, Some(Ends::of(ends))),
            };
            let towards = listed.goal.as_ref().map(|goal| Text::shown(goal));
            ListedTrace { id, trace: Text::shown(&listed.trace), towards, verdict, ends }
        };
        TracesAnswer {
            schema: SCHEMA,
            target: Text::from(&*asked.target),
            criterion: Criterion::of(asked),
            abstraction: Text::from(abstraction),
            traces: (1..).zip(traces).map(listed).collect(),
            feasible,
            unfeasible,
            open,
            cut,
            ends: Ends::of(ends),
            steps,
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
