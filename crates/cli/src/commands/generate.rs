//! `petrel generate`: JUnit tests of classes, judged by a JVM, with an account of what they cover.

mod files;
mod judge;
mod targets;
mod watch;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Instant;

use petrel_junit::JUnit;
use petrel_session::Session;
use petrel_suite::{
    Account, ClassAccount, ClassPlan, ClassTarget, Suite, SuiteOptions, Visibility, account_text,
    json_of,
};
use petrel_testcase::{Options, Termination};
use petrel_translate::cache::Procedures;

use super::cases;
use crate::args::generate::{Budget, Generate, JUnitVersion, VisibilityName};
use crate::args::{Common, Goal};
use crate::failure::{Failure, Status};
use targets::Resolved;
use watch::Watching;

/// Classes whose tests are compiled and run together.
const BATCH_CLASSES: usize = 24;
/// A batch ends when it has so many methods.
const BATCH_METHODS: usize = 400;
/// Paths with more rules are given up.
const MOST_STEPS: u64 = 30_000;
/// Queries that take longer are given up: there are other paths to be looked at.
const CONFLICTS: u64 = 1_000;
/// Inputs of a test with parameters.
const INPUTS: usize = 3;
/// The exit status of who is interrupted.
const INTERRUPTED: i32 = 130;

pub(crate) fn run(common: &Common, generate: &Generate) -> Result<Status, Failure> {
    if generate.parameterized && generate.junit == JUnitVersion::Four {
        let why = "--parameterized writes tests for JUnit 5: it does not go with --junit 4";
        return Err(Failure(why.to_owned()));
    }
    let started = Instant::now();
    let class_path = targets::class_path(common.class_path(), &generate.targets);
    let session = Session::open(&class_path, common.jdk.as_deref())?;
    let Resolved { classes, unloadable } = targets::resolve(&session, generate)?;
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    let handler = ctrlc::set_handler(move || {
        if on_interrupt.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        eprintln!(
            "stopping: classes that are ready are still judged; interrupt again to end at once"
        );
    });
    if let Err(error) = handler {
        eprintln!("warning: an interrupt will not be handled: {error}");
    }
    let run = Run { common, generate, session: &session, stop: &stop };
    let mut account = run.generate(&classes, started)?;
    let unloadable = unloadable.into_iter().map(|(class, why)| ClassAccount {
        class: class.replace('/', "."),
        not_written: Some(why),
        ..ClassAccount::default()
    });
    account.classes.extend(unloadable);
    account.elapsed_us = started.elapsed().as_micros() as u64;
    let mut out = io::stdout().lock();
    if common.json {
        writeln!(out, "{:#}", json_of(&account))?;
    } else {
        let bound = termination(generate).to_string();
        write!(out, "{}", account_text(&account, &bound))?;
    }
    let is_interrupted = account.is_stopped && stop.load(Ordering::Relaxed);
    Ok(if is_interrupted { Status::Incomplete } else { status(generate, &account) })
}

/// What coverage has to do with the exit status.
fn status(generate: &Generate, account: &Account) -> Status {
    let counts = account.counts();
    let feasible = counts.total - counts.infeasible;
    let percent = 100.0 * f64::from(counts.covered) / f64::from(feasible.max(1));
    match generate.fail_under {
        Some(least) if feasible > 0 && percent < least => Status::Incomplete,
        _ => Status::Complete,
    }
}

fn termination(generate: &Generate) -> Termination {
    cases::termination(generate.block_count, generate.loops)
}

fn suite_options(common_jdk: u16, generate: &Generate) -> Result<SuiteOptions, Failure> {
    let defaults = Options::default();
    let (budget, time) = match generate.budget {
        Budget::Work(work) => (work, None),
        Budget::Time(time) => (u64::MAX / 64, Some(time)),
    };
    let worst_case = generate.worst_case.as_deref().map(cases::model);
    Ok(SuiteOptions {
        cases: Options {
            termination: termination(generate),
            steps: defaults.steps.min(budget).min(MOST_STEPS),
            max_string: generate.max_string.unwrap_or(defaults.max_string),
            max_elements: generate.max_elements.unwrap_or(defaults.max_elements),
            max_receivers: generate.max_receivers.get(),
            conflicts: CONFLICTS.min(defaults.conflicts),
            feature_version: common_jdk,
            // Build tools run tests with assertions.
            assertions: true,
            // The explorations of a method share its time.
            time: time.map(|time| time / 2),
            ..defaults
        },
        selection: generate.select.clone(),
        junit: match generate.junit {
            JUnitVersion::Four => JUnit::Four,
            JUnitVersion::Five => JUnit::Five,
        },
        suffix: generate.suffix.clone(),
        budget,
        solutions: match (generate.parameterized, generate.solutions) {
            (false, _) => 1,
            (true, wanted) => wanted.map_or(INPUTS, NonZeroUsize::get),
        },
        boundary: generate.boundary,
        overflow: generate.goals.contains(&Goal::Overflow),
        worst_case: worst_case.transpose()?,
    })
}

fn visibility(generate: &Generate) -> Visibility {
    match generate.visibility {
        VisibilityName::Public => Visibility::Public,
        VisibilityName::Package => Visibility::Package,
        VisibilityName::All => Visibility::All,
    }
}

/// What all classes have in common.
struct Run<'a> {
    common: &'a Common,
    generate: &'a Generate,
    session: &'a Session,
    stop: &'a Arc<AtomicBool>,
}

impl Run<'_> {
    fn generate(&self, targets: &[ClassTarget], started: Instant) -> Result<Account, Failure> {
        let procedures = Procedures::new(self.session.program());
        let project = targets::project_classes(self.session)?;
        let options = suite_options(self.session.jdk().feature_version(), self.generate)?;
        let jobs = self.common.jobs.or_else(|| available_parallelism().ok());
        let jobs = jobs.map_or(1, NonZeroUsize::get);
        let suite = Suite {
            procedures: &procedures,
            project: &project,
            options: &options,
            jobs,
            stop: self.stop,
        };
        let watching = Watching::start(targets);
        let mut account = Account::default();
        let is_late = || self.generate.total_time.is_some_and(|time| started.elapsed() >= time);
        for batch in batches(targets) {
            if self.stop.load(Ordering::Relaxed) || is_late() {
                account.is_stopped = true;
                break;
            }
            let plans = suite.plan(batch, &watching);
            account.is_stopped |= plans.len() < batch.len();
            self.finish(&suite, &plans, jobs, &watching, &mut account)?;
        }
        Ok(account)
    }

    /// Judges the tests of some classes, and writes what is kept.
    fn finish(
        &self,
        suite: &Suite<'_>,
        plans: &[ClassPlan],
        jobs: usize,
        watching: &Watching,
        account: &mut Account,
    ) -> Result<(), Failure> {
        watching.judging(plans.iter().map(|plan| plan.written().tests.len()).sum());
        let verdicts = judge::judge(self.session, self.generate, plans, jobs, watching)?;
        let is_validated = !self.generate.no_run;
        for (plan, judged) in plans.iter().zip(&verdicts) {
            let (written, mut class) =
                plan.finish(suite.procedures, suite.project, suite.options, judged, is_validated);
            let placed = files::place(&self.generate.output, &written);
            if let Err(why) = placed {
                class.file = None;
                class.not_written = Some(why);
            }
            account.classes.push(class);
        }
        Ok(())
    }
}

/// Classes that are finished together.
fn batches(targets: &[ClassTarget]) -> Vec<&[ClassTarget]> {
    let mut batches = Vec::new();
    let mut rest = targets;
    while !rest.is_empty() {
        let mut n_methods = 0;
        let many = rest.iter().position(|target| {
            n_methods += target.methods.len();
            n_methods > BATCH_METHODS
        });
        let end = many.unwrap_or(rest.len()).clamp(1, BATCH_CLASSES.min(rest.len()));
        let (batch, others) = rest.split_at(end);
        batches.push(batch);
        rest = others;
    }
    batches
}
