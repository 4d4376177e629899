//! The traces that an abstraction generates, one by one, and what becomes of each ("A Framework for Guided Test Case
//! Generation in Constraint Logic Programming", Fig. 3 and 4).
//!
//! All traces are told, those included that begin like one that no input takes: guided generation does not ask for them, and
//! here they need not be followed either.

use std::sync::Arc;

use petrel_abstraction::slice::{self, Slice};
use petrel_abstraction::{
    AbstractProgram, Candidate, Derivation, Modes, Order, Precision, Search, Settings,
};
use petrel_clp::Trace;
use petrel_program::ResolvedMethod;
use petrel_translate::cache::Procedures;

use super::guided::{abstract_program, settings};
use super::worker::{self, Worker, note_if_over};
use super::{GenerateError, Options};
use crate::case::{Ends, Summary};
use crate::selection::{self, Selection};

/// A trace that an abstraction generates.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedTrace {
    /// The trace; a call that a slice leaves out is a variable.
    pub trace: Trace,
    /// What it leads to, if the selection is one of points: `line 12`.
    pub goal: Option<String>,
    /// What became of it.
    pub verdict: TraceVerdict,
}

/// What becomes of a trace.
#[derive(Debug, Clone, PartialEq)]
pub enum TraceVerdict {
    /// It has a case.
    Feasible,
    /// No input takes it: that is proved.
    Unfeasible,
    /// No case was found, and there may be one: how its paths ended.
    Open(Box<Ends>),
}

/// What is known when all traces are told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListedSummary {
    /// Traces with a case.
    pub feasible: u64,
    /// Traces that no input takes.
    pub unfeasible: u64,
    /// Traces without a case for which that is not proved.
    pub open: u64,
    /// Derivations of the abstraction that the termination criterion cut.
    pub cut: u64,
    /// How the paths of all traces ended.
    pub ends: Ends,
    /// Applications of the program's own rules.
    pub steps: u64,
}

/// Tells the traces of an abstraction of a method in the order in which it generates them: those of all paths and of local paths in
/// the order of the tree, and for each point, statement or branch those that lead to it, the shortest first. `emit` says whether to
/// go on.
///
/// # Errors
///
/// If the method or the options are not such that there could be any cases.
pub fn list_traces(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    precision: Precision,
    emit: &mut dyn FnMut(ListedTrace) -> bool,
) -> Result<ListedSummary, GenerateError> {
    let inputs = super::inputs(procedures, method, options)?;
    drop(options.complete(&options.purse)?);
    let goal = worker::Goal {
        procedures,
        method,
        inputs: &inputs,
        options,
        operations: &super::Operations::new(),
        purse: &options.purse,
    };
    let program = abstract_program(&goal)?;
    let modes = Modes::of(&program, precision);
    let mut lister = Lister {
        worker: Worker::new(&goal)?,
        goal: &goal,
        program: &program,
        modes: &modes,
        summary: ListedSummary::default(),
    };
    match &options.selection {
        Selection::AllPaths => {
            lister.list(None, Order::Tree, None, emit);
        }
        Selection::LocalPaths => {
            lister.list(Some(slice::local_paths(&program)), Order::Tree, None, emit);
        }
        selection => {
            for goal in selection::goals(&program, selection)? {
                let slice = slice::towards(&program, &goal.rules);
                let order = Order::Shortest(goal.rules);
                if !lister.list(Some(slice), order, Some(&goal.name), emit) {
                    break;
                }
            }
        }
    }
    Ok(lister.summary)
}

struct Lister<'a> {
    worker: Worker<'a>,
    goal: &'a worker::Goal<'a, 'a>,
    program: &'a AbstractProgram<'a>,
    modes: &'a Modes,
    summary: ListedSummary,
}

impl Lister<'_> {
    /// Tells the traces of a slice. `false` if no more are wanted, or if there is no time or work left for them.
    fn list(
        &mut self,
        slice: Option<Slice>,
        order: Order,
        goal: Option<&str>,
        emit: &mut dyn FnMut(ListedTrace) -> bool,
    ) -> bool {
        let options = self.goal.options;
        let costing = super::costing(self.goal.procedures, self.goal.method, options);
        let settings = Settings { slice, ..settings(options) };
        let derivation = Derivation::new(self.program, self.modes, &costing, settings)
            .paid_from(self.goal.purse);
        let mut search = Search::new(&derivation, self.goal.method, order, !options.exceptions)
            .listing_refuted();
        let mut goes_on = true;
        while goes_on && let Some(candidate) = search.next_trace() {
            let verdict = self.judge(&mut search, &candidate);
            let counter = match verdict {
                TraceVerdict::Feasible => &mut self.summary.feasible,
                TraceVerdict::Unfeasible => &mut self.summary.unfeasible,
                TraceVerdict::Open(_) => &mut self.summary.open,
            };
            *counter += 1;
            let trace = search.shown(&candidate);
            goes_on = emit(ListedTrace { trace, goal: goal.map(ToOwned::to_owned), verdict });
        }
        self.summary.cut += search.cut;
        let mut late = Summary::default();
        let is_late = note_if_over(self.goal.purse, &mut late);
        self.summary.ends.add(&late.ends);
        goes_on && !is_late
    }

    /// Looks for the first case of a trace.
    fn judge(&mut self, search: &mut Search<'_>, candidate: &Candidate) -> TraceVerdict {
        if search.is_refuted(candidate) {
            return TraceVerdict::Unfeasible;
        }
        let mut summary = Summary::default();
        let mut has_case = false;
        let trace = Arc::new(candidate.trace.clone());
        let followed = self.worker.follow(trace, self.goal.purse, &mut summary, &mut |_| {
            has_case = true;
            false
        });
        self.summary.steps += summary.steps;
        self.summary.ends.add(&summary.ends);
        let ends = summary.ends;
        if has_case {
            return TraceVerdict::Feasible;
        }
        if ends.cut + ends.excluded + ends.refused == 0 && ends.is_complete() {
            search.refute(candidate, followed);
            return TraceVerdict::Unfeasible;
        }
        TraceVerdict::Open(Box::new(ends))
    }
}
