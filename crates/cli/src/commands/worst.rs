//! `petrel worst`: the most expensive inputs of a method, and how the cost grows with the bound.

use std::collections::BTreeMap;

use petrel_budget::Purse;
use petrel_program::ResolvedMethod;
use petrel_testcase::{
    Options, Oracle, Parametric, Policy, Ranking, Selection, Termination, generate,
};
use petrel_translate::cache::Procedures;

use super::cases::{self, Form, Run};
use super::versus;
use crate::args::{Common, Profile, Worst};
use crate::failure::{Failure, Status};

/// How far to go unless something else is said.
const DEFAULT_BOUND: u32 = 4;

/// What is measured unless something else is said.
const DEFAULT_COST: &str = "instructions";

pub(crate) fn run(common: &Common, worst: &Worst, purse: &Purse) -> Result<Status, Failure> {
    let purse = cases::within(purse, worst.cases.time);
    let session = super::open(common)?;
    let mut asked = worst.cases.clone();
    if asked.save.is_some() {
        return Err(Failure("--save keeps all paths: it goes with `cases`".to_owned()));
    }
    if asked.traces.is_some() {
        return Err(Failure("--traces makes no cases: it goes with `cases`".to_owned()));
    }
    if asked.first {
        let why = "--first stops at the first case, which is not the most expensive one: it goes with `cases`";
        return Err(Failure(why.to_owned()));
    }
    if asked.select != Selection::AllPaths {
        let why = "--select is enough for other things than costs: the most expensive case is one of all paths";
        return Err(Failure(why.to_owned()));
    }
    if asked.costs.is_empty() {
        asked.costs.push(DEFAULT_COST.to_owned());
    }
    if asked.block_count.is_none() && asked.loops.is_none() {
        asked.loops = Some(DEFAULT_BOUND);
    }
    let mut options = cases::options(common, &asked, session.jdk().feature_version(), &purse)?;
    // A trace says itself which paths are wanted.
    if asked.oracle == crate::args::Oracle::None && asked.trace.is_none() {
        options.oracle = Oracle::Enhanced;
    }
    if let Some(other) = &worst.other {
        return versus::print(common, &asked, &session, &options, other);
    }
    if let (Some(profile), Some(first)) = (worst.profile, options.models.first_mut()) {
        *first = first.clone().by(profile.part());
    }
    let is_collapsed = worst.profile == Some(Profile::Collapsed) && !common.json;
    let form = if is_collapsed { Form::Collapsed } else { Form::of(common) };
    let model = options.models.first().map_or_else(String::new, |model| model.name().to_owned());
    let others = if is_collapsed { 0 } else { worst.runners_up as usize };
    options.policy = ranked(options.policy, &model, others + 1)?;
    let run = Run {
        cases: &asked,
        session: &session,
        options: &options,
        before: None,
        arguments: &[],
        form,
    };
    if is_collapsed { cases::print(&run, &|_, _, _| Ok(())) } else { print(&run, &model) }
}

fn ranked(policy: Policy, model: &str, count: usize) -> Result<Policy, Failure> {
    let ranking = Ranking { count: Some(count), model: model.to_owned() };
    policy.and(Policy { conditions: Vec::new(), ranking: Some(ranking) }).map_err(Failure)
}

fn print(run: &Run<'_>, model: &str) -> Result<Status, Failure> {
    let options = run.options;
    cases::print(run, &|procedures, method, summary| {
        for termination in bounds(options.termination) {
            let largest = largest(procedures, method, options, termination, model)?;
            summary.growth.push((termination.to_string(), largest));
        }
        if summary.parametric.values().any(|parametric| !parametric.linear.is_empty()) {
            summary.parametric = parametric(procedures, method, options)?;
        }
        Ok(())
    })
}

/// What costs depend on, and when they exceed those that do not: the search for the most expensive paths leaves out the others,
/// with which these have to be compared ("Resource-driven CLP-based Test Case Generation", Ex. 5).
fn parametric(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
) -> Result<BTreeMap<String, Parametric>, Failure> {
    let options = Options { policy: Policy::default(), oracle: Oracle::None, ..options.clone() };
    let summary = generate(procedures, method, &options, &mut |_| true)
        .map_err(|error| Failure(error.to_string()))?;
    // Among paths that were not looked at there may be a more expensive one.
    Ok(if summary.ends.is_followed() { summary.parametric } else { BTreeMap::new() })
}

/// From the smallest bound to the one that was asked for.
pub(super) fn bounds(last: Termination) -> Box<dyn Iterator<Item = Termination>> {
    match last {
        Termination::Loop(last) => Box::new((1..=last).map(Termination::Loop)),
        Termination::BlockCount(last) => Box::new((1..=last).map(Termination::BlockCount)),
    }
}

/// The largest cost within a bound; 0 if there is no case.
fn largest(
    procedures: &Procedures<'_>,
    method: &ResolvedMethod,
    options: &Options,
    termination: Termination,
    model: &str,
) -> Result<i64, Failure> {
    let ranking = Some(Ranking { count: Some(1), model: model.to_owned() });
    let policy = Policy { ranking, ..options.policy.clone() };
    let options = Options { termination, policy, ..options.clone() };
    let mut largest = 0;
    let found = generate(procedures, method, &options, &mut |case| {
        let cost = case.costs.iter().find(|cost| cost.model == model);
        largest = cost.map_or(0, |cost| cost.value);
        true
    });
    found.map_err(|error| Failure(error.to_string()))?;
    Ok(largest)
}
