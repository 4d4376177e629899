//! `petrel cases --traces`: the traces that an abstraction generates, each with what becomes of it.

use std::io::Write;

use petrel_program::ResolvedMethod;
use petrel_report::TracesAnswer;
use petrel_testcase::{
    Asked, Ends, ListedSummary, ListedTrace, Options, TraceVerdict, left_open, list_traces,
};
use petrel_translate::cache::Procedures;

use crate::args::Precision;
use crate::failure::{Failure, Status};
use crate::output::Output;

/// Prints the traces of a method, each as soon as it is judged.
pub(super) fn print(
    is_json: bool,
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    precision: Precision,
    asked: &Asked,
) -> Result<Status, Failure> {
    let (name, precision) = match precision {
        Precision::Naive => ("naive", petrel_abstraction::Precision::Naive),
        Precision::Enhanced => {
            ("enhanced", petrel_abstraction::Precision::Enhanced { observes_sizes: false })
        }
    };
    let mut out = Output::stdout();
    let mut traces = Vec::new();
    let mut printer = Printer { asked, number: 0, goal: None };
    let mut problem = None;
    let summary = list_traces(procedures, method, options, precision, &mut |listed| {
        if is_json {
            traces.push(listed);
            return true;
        }
        let printed =
            printer.opening(name, &mut out).and_then(|()| printer.trace(&listed, &mut out));
        problem = printed.err();
        problem.is_none() && !out.is_closed()
    })
    .map_err(|error| Failure(format!("{}: {error}", asked.target)))?;
    if let Some(problem) = problem {
        return Err(problem.into());
    }
    if is_json {
        TracesAnswer::new(asked, name, &traces, &summary).write(&mut out)?;
    } else {
        printer.opening(name, &mut out)?;
        printer.closing(&summary, &mut out)?;
    }
    Ok(if summary.ends.is_complete_at_first() { Status::Complete } else { Status::Incomplete })
}

struct Printer<'a> {
    asked: &'a Asked,
    /// The number of the trace that was printed last.
    number: u64,
    /// What it leads to.
    goal: Option<String>,
}

impl Printer<'_> {
    /// What is asked for, before the first trace: until then the input may turn out to be bad.
    fn opening(&self, abstraction: &str, out: &mut Output) -> std::io::Result<()> {
        match self.number {
            0 => writeln!(out, "{}, traces of the {abstraction} abstraction", self.asked.heading()),
            _ => Ok(()),
        }
    }

    fn trace(&mut self, listed: &ListedTrace, out: &mut Output) -> std::io::Result<()> {
        self.number += 1;
        if self.goal != listed.goal {
            self.goal.clone_from(&listed.goal);
            let goal = listed.goal.as_deref().unwrap_or_default();
            writeln!(out, "\ntowards {goal}")?;
        } else if self.number == 1 {
            writeln!(out)?;
        }
        let verdict = match &listed.verdict {
            TraceVerdict::Feasible => "feasible".to_owned(),
            TraceVerdict::Unfeasible => "unfeasible".to_owned(),
            TraceVerdict::Open(ends) => format!("open: {}", self.why(ends)),
        };
        writeln!(out, "trace {}: {verdict}\n  {}", self.number, listed.trace)?;
        out.flush()
    }

    /// Why a trace has no case although one may exist.
    fn why(&self, ends: &Ends) -> String {
        let mut reasons = Vec::new();
        if ends.cut > 0 {
            reasons.push(format!("cut by {}", self.asked.termination));
        }
        if ends.excluded > 0 {
            reasons.push("ends in an exception".to_owned());
        }
        if ends.refused > 0 {
            reasons.push("left out by the policy".to_owned());
        }
        reasons.extend(left_open(ends));
        reasons.join("; ")
    }

    fn closing(&self, summary: &ListedSummary, out: &mut Output) -> std::io::Result<()> {
        let &ListedSummary { feasible, unfeasible, open, cut, ref ends, steps } = summary;
        let traces = if self.number == 1 { "trace" } else { "traces" };
        writeln!(
            out,
            "\n{} {traces}: {feasible} feasible, {unfeasible} unfeasible, {open} open",
            self.number
        )?;
        writeln!(out, "  {cut} more cut by {} in the abstraction", self.asked.termination)?;
        for line in left_open(ends) {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "  {steps} steps")
    }
}
