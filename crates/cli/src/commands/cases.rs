//! `petrel cases`: the test cases of a method, each printed as soon as it is found.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::ValueEnum;
use petrel_budget::Purse;
use petrel_classpath::ClassSource;
use petrel_program::{Program, ResolvedMethod};
use petrel_report::{FinishedCase, JsonReport, Saved};
use petrel_session::Session;
use petrel_testcase::{
    Asked, Case, CollapsedReport, Coverage, GenerateError, Model, ModelError, Options, Policy,
    Ranking, Report, Residual, Selection, Summary, Teller, Termination, TextReport, Why,
    generate_told, left_open,
};
use petrel_translate::cache::Procedures;

use super::{outside, proposed, residual, traces};
use crate::args::{Cases, Common, Exceptions, Goal, Heap, Oracle, Strategy};
use crate::failure::{Failure, Status};
use crate::output::{Output, say};
use crate::progress::Progress;
use crate::target;

pub(crate) fn run(common: &Common, cases: &Cases, purse: &Purse) -> Result<Status, Failure> {
    let purse = within(purse, cases.time);
    let session = super::open(common)?;
    let options = options(common, cases, session.jdk().feature_version(), &purse)?;
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned()).collect();
    let run = Run {
        cases,
        session: &session,
        options: &options,
        before: None,
        arguments: &arguments,
        form: Form::of(common),
    };
    print(&run, &|_, _, _| Ok(()))
}

/// A purse with so much time, if there is a limit: it begins with the command.
pub(super) fn within(purse: &Purse, time: Option<Duration>) -> Purse {
    time.map_or_else(|| purse.clone(), |time| purse.within(time))
}

/// What is asked for, and where.
pub(super) struct Run<'r> {
    pub(super) cases: &'r Cases,
    pub(super) session: &'r Session,
    pub(super) options: &'r Options,
    /// What was saved before, if it is gone on with.
    pub(super) before: Option<&'r Saved>,
    /// How `cases` was called first.
    pub(super) arguments: &'r [String],
    pub(super) form: Form,
}

/// What the answer looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Json,
    /// Stacks of calls for flame-graph tools.
    Collapsed,
}

impl Form {
    /// What is usual.
    pub(super) fn of(common: &Common) -> Form {
        if common.json { Form::Json } else { Form::Text }
    }
}

/// What else is to be known of a method.
type Beside<'g> =
    dyn Fn(&Procedures<'_>, &ResolvedMethod, &mut Summary) -> Result<(), Failure> + 'g;

/// Prints the cases of a target.
pub(super) fn print(run: &Run<'_>, beside: &Beside<'_>) -> Result<Status, Failure> {
    let Run { cases, session, options, before, arguments, form } = *run;
    let method = method(session.program(), &cases.target)?;
    let outside = outside::declared(session.program(), &cases.unknown, &cases.assume_by)?;
    let procedures = Procedures::with_outside(session.program(), outside);
    let project = session.class_path().class_names()?;
    traces::check(&procedures, &project, &method, options)
        .map_err(|error| Failure(format!("{}: {}", cases.target, error.0)))?;
    let asked = asked(cases, options, &method);
    if let Some(precision) = cases.traces {
        return proposed::print(
            form == Form::Json,
            &procedures,
            &method,
            options,
            precision,
            &asked,
        );
    }
    let (mut kept, residual) =
        before.map_or_else(Default::default, |saved| (saved.cases.clone(), saved.residual()));
    let for_workers = report(form, options, asked.clone(), 0);
    let mut printer = Printer::new(report(form, options, asked, kept.len() as u64));
    let progress = Progress::start();
    let tellers = || Told::tell_by(for_workers.teller(), options.keep_unfinished);
    let summary = generate_told(&procedures, &method, options, &tellers, &mut |told| {
        progress.count_case();
        kept.extend(told.finished);
        // What is left is right only if everything was looked at.
        progress.beside(|| printer.case(told.text)) || options.keep_unfinished
    });
    drop(progress);
    let failure = |reason: &dyn std::fmt::Display| Failure(format!("{}: {reason}", cases.target));
    let mut summary = match summary {
        Ok(summary) => residual.and(summary),
        Err(error) => {
            printer.abandon(&error.to_string())?;
            return Err(match (error, before) {
                (GenerateError::Unfollowed { part, why }, Some(saved)) => {
                    Failure(saved.not_followed(&part, &why).to_string())
                }
                (error, _) => failure(&error),
            });
        }
    };
    beside(&procedures, &method, &mut summary)?;
    let coverage =
        Coverage::of(&procedures, &project, &method, &summary).map_err(|error| failure(&error))?;
    printer.close(&summary, &coverage)?;
    if let Some(path) = &cases.save {
        let residual = Residual::new(summary.clone());
        let origin = residual::origin(session, arguments.to_vec())?;
        let saved = Saved::new(origin, options.termination, kept, &residual);
        residual::write(saved, path, session, &procedures, &method)?;
    }
    if form != Form::Json {
        left_open(&summary.ends).iter().for_each(|line| say!("{line}"));
    }
    let is_reached = summary.unreached.iter().all(|unreached| unreached.is_infeasible);
    let is_judged = coverage.operations.iter().all(|judged| judged.why_not != Some(Why::Unknown));
    let is_complete = summary.ends.is_complete_at_first() && is_reached && is_judged;
    Ok(if is_complete { Status::Complete } else { Status::Incomplete })
}

/// The one method that a target names, if it has code.
pub(super) fn method(program: &Program, target: &str) -> Result<ResolvedMethod, Failure> {
    let mut found = target::resolve(program, &[target.to_owned()])?;
    // The JVM runs the initialiser of a class, and nobody can call it.
    found.retain(|method| method.name() != "<clinit>");
    let method = match (found.pop(), &*found) {
        (Some(method), []) if target.contains('#') => method,
        (None, _) => {
            return Err(Failure(format!("{target}: there is no method that can be called")));
        }
        (Some(last), others) => {
            let all = others.iter().chain([&last]);
            let names: Vec<String> = all.map(name).collect();
            return Err(Failure(format!(
                "{target}: cases are those of one method; name it, with its descriptor if there are \
                 several: {}",
                names.join(", ")
            )));
        }
    };
    let missing = match (method.is_abstract(), method.is_native()) {
        (true, _) => "abstract",
        (_, true) => "native",
        _ => return Ok(method),
    };
    Err(Failure(format!("{target}: the method is {missing}, there is no bytecode to execute")))
}

/// `pkg.Class#method(descriptor)`.
fn name(method: &ResolvedMethod) -> String {
    let class = method.class().name().replace('/', ".");
    format!("{class}#{}{}", method.name(), method.descriptor())
}

pub(super) fn options(
    common: &Common,
    cases: &Cases,
    feature_version: u16,
    purse: &Purse,
) -> Result<Options, Failure> {
    let defaults = Options::default();
    let overflow = cases.goals.contains(&Goal::Overflow);
    if overflow && (cases.select != Selection::AllPaths || cases.oracle != Oracle::None) {
        let why = "--goals overflow looks at all paths: it goes with neither --select nor --oracle";
        return Err(Failure(why.to_owned()));
    }
    let policy = policy(cases).map_err(Failure)?;
    if cases.oracle != Oracle::None && policy == Policy::default() {
        let why = "--oracle proposes the paths that a policy may want: it goes with --policy or --order-by";
        return Err(Failure(why.to_owned()));
    }
    check_combination(cases, &policy)?;
    let models = models(cases, &policy)?;
    let jobs = common.jobs.or_else(|| available_parallelism().ok());
    let is_partial = cases.select != Selection::AllPaths
        || cases.trace.is_some()
        || cases.first
        || cases.oracle != Oracle::None
        || policy.ranking.is_some()
        || overflow;
    if cases.save.is_some() && is_partial {
        let why = "--save keeps all paths and nothing else: it does not go with --select, --trace, --first, --oracle, \
                   --goals or a ranking";
        return Err(Failure(why.to_owned()));
    }
    Ok(Options {
        termination: termination(cases.block_count, cases.loops),
        depth: cases.depth.or(defaults.depth),
        steps: cases.steps.unwrap_or(defaults.steps),
        purse: purse.clone(),
        max_array: cases.max_array.unwrap_or(defaults.max_array),
        max_string: cases.max_string,
        max_elements: cases.max_elements,
        domain: cases.domain.or(defaults.domain),
        heap: cases.heap.mode(),
        objects: cases.objects,
        assumptions: cases.assumptions.clone(),
        max_receivers: cases.max_receivers.get(),
        symbolic_statics: cases.symbolic_statics,
        selection: cases.select.clone(),
        strategy: cases.strategy.strategy(),
        oracle: cases.oracle.oracle(),
        trace: cases.trace.clone().map(Arc::new),
        first: cases.first,
        assertions: cases.enable_assertions,
        exceptions: cases.exceptions == Exceptions::Include,
        solutions: cases.solutions.get(),
        keep_unfinished: cases.save.is_some(),
        boundary: cases.boundary,
        label: cases.label.order(),
        fewest: true,
        covers_program: true,
        overflow,
        jobs: jobs.map_or(1, NonZeroUsize::get),
        smt: cases.smt.clone(),
        models,
        scope: cases.cost_scope,
        feature_version,
        policy,
        ..defaults
    })
}

/// Refuses options one of which would do nothing beside another.
fn check_combination(cases: &Cases, policy: &Policy) -> Result<(), Failure> {
    let is_guided = cases.oracle != Oracle::None;
    let selects = cases.select != Selection::AllPaths;
    let reaches = selects && cases.select != Selection::LocalPaths;
    let wrong = [
        (
            !selects && cases.strategy != Strategy::Auto,
            "--strategy says how the cases of a selection are found: it goes with --select",
        ),
        (
            selects && is_guided,
            "--oracle proposes the paths that a policy may want, and --select those of a criterion: give one of them",
        ),
        (
            cases.trace.is_some() && is_guided,
            "--oracle proposes traces of its own: it does not go with --trace",
        ),
        (
            cases.trace.is_some() && reaches && cases.strategy == Strategy::Guided,
            "--strategy guided proposes traces of its own: it does not go with --trace",
        ),
        (
            selects && policy.ranking.as_ref().is_some_and(|ranking| ranking.count.is_some()),
            "the most expensive cases are some of all paths: --select does not go with a worst case",
        ),
        (
            cases.first && policy.ranking.is_some(),
            "--first stops at the first case: it does not go with a ranking",
        ),
    ];
    match wrong.iter().find(|(is_wrong, _)| *is_wrong) {
        Some((_, why)) => Err(Failure((*why).to_owned())),
        None => Ok(()),
    }
}

/// The termination criterion that was asked for, or the usual one.
pub(super) fn termination(block_count: Option<u32>, loops: Option<u32>) -> Termination {
    match (block_count, loops) {
        (Some(count), _) => Termination::BlockCount(count),
        (None, Some(count)) => Termination::Loop(count),
        (None, None) => Options::default().termination,
    }
}

/// A cost model by its name, or in a file.
pub(super) fn model(name: &str) -> Result<Model, Failure> {
    read_model(name).map_err(|error| Failure(error.to_string()))
}

fn read_model(name: &str) -> Result<Model, ModelError> {
    Model::parse(name, &|path: &Path| std::fs::read_to_string(path))
}

/// All policies at once.
fn policy(cases: &Cases) -> Result<Policy, String> {
    let ordered = cases.order_by.iter().map(|model| Policy {
        ranking: Some(Ranking { count: None, model: model.clone() }),
        ..Policy::default()
    });
    let all = cases.policies.iter().cloned().chain(ordered);
    all.into_iter().try_fold(Policy::default(), Policy::and)
}

/// The models that are asked for, and those that the policy speaks of.
fn models(cases: &Cases, policy: &Policy) -> Result<Vec<Model>, Failure> {
    let mut models: Vec<Model> = Vec::new();
    for name in &cases.costs {
        models.push(model(name)?);
    }
    let ranked = policy.ranking.iter().map(|ranking| &*ranking.model);
    for (name, is_ranked) in
        policy.names().map(|name| (name, false)).chain(ranked.map(|name| (name, true)))
    {
        if models.iter().any(|model| model.is_named(name)) {
            continue;
        }
        match read_model(name) {
            // It may be a parameter.
            Err(ModelError::Unknown { .. }) if !is_ranked => {}
            found => models.push(found.map_err(|error| Failure(error.to_string()))?),
        }
    }
    Ok(models)
}

/// How a mode is typed.
fn name_of(mode: Heap) -> String {
    mode.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn asked(cases: &Cases, options: &Options, method: &ResolvedMethod) -> Asked {
    Asked {
        target: name(method),
        termination: options.termination.to_string(),
        selection: cases.select.to_string(),
        heap: name_of(cases.heap),
        assumptions: cases.assumptions.iter().map(ToString::to_string).collect(),
    }
}

/// Whether cases may have several inputs.
fn lists_all_inputs(options: &Options) -> bool {
    options.solutions > 1 || options.boundary
}

/// A report on cases, of which so many were found before.
fn report(form: Form, options: &Options, asked: Asked, before: u64) -> Box<dyn Report + Sync> {
    match form {
        Form::Json => Box::new(JsonReport::new(asked, lists_all_inputs(options)).after(before)),
        Form::Text => Box::new(TextReport::new(asked).after(before)),
        Form::Collapsed => Box::new(CollapsedReport),
    }
}

/// What is told of a case.
struct Told {
    /// What is printed behind its number.
    text: io::Result<Box<[u8]>>,
    /// What is saved.
    finished: Option<FinishedCase>,
}

impl Told {
    /// Somebody who tells cases.
    fn tell_by(mut teller: Box<dyn Teller>, is_saved: bool) -> Box<dyn FnMut(Case) -> Told> {
        let mut text = Vec::new();
        Box::new(move |case| {
            text.clear();
            Told {
                text: teller.tell(&case, &mut text).map(|()| text.as_slice().into()),
                finished: is_saved.then(|| FinishedCase::of(&case)),
            }
        })
    }
}

/// Writes a report to stdout as it comes. Nothing is written before the first case or the end: until
/// then the input may turn out to be bad.
struct Printer {
    report: Box<dyn Report + Sync>,
    /// What is written next.
    text: Vec<u8>,
    out: Output,
    is_open: bool,
    /// The first failure to write, after which nothing is written any more.
    problem: Option<io::Error>,
}

impl Printer {
    fn new(report: Box<dyn Report + Sync>) -> Printer {
        Printer {
            report,
            text: Vec::new(),
            out: Output::in_pieces(),
            is_open: false,
            problem: None,
        }
    }

    /// Whether more can be written.
    fn case(&mut self, told: io::Result<Box<[u8]>>) -> bool {
        self.write(|report, text| {
            report.next_case(text);
            text.extend_from_slice(&told?);
            Ok(())
        });
        self.problem.is_none() && !self.out.is_closed()
    }

    fn close(&mut self, summary: &Summary, coverage: &Coverage) -> io::Result<()> {
        self.write(|report, text| report.closing(summary, coverage, text));
        self.finish()
    }

    /// Ends a report that has begun so that it can be read.
    fn abandon(&mut self, reason: &str) -> io::Result<()> {
        if self.is_open {
            self.write(|report, text| report.abandoned(reason, text));
        }
        self.finish()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.problem.take().map_or(Ok(()), Err)
    }

    fn write(&mut self, part: impl FnOnce(&mut dyn Report, &mut Vec<u8>) -> io::Result<()>) {
        if self.problem.is_none() {
            self.problem = self.try_to_write(part).err();
        }
    }

    fn try_to_write(
        &mut self,
        part: impl FnOnce(&mut dyn Report, &mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.text.clear();
        if !self.is_open {
            self.is_open = true;
            self.report.opening(&mut self.text)?;
        }
        part(&mut *self.report, &mut self.text)?;
        // Each case is there as soon as it is found.
        self.out.write_all(&self.text)?;
        self.out.flush()
    }
}
