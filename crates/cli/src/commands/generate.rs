//! `petrel generate`: JUnit tests of classes, judged by a JVM, with an account of what they cover.

mod files;
mod judge;
mod targets;
mod watch;

use std::io::Write;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use petrel_budget::Purse;
use petrel_junit::JUnit;
use petrel_report::GenerateAnswer;
use petrel_session::Session;
use petrel_suite::{
    Account, ClassAccount, ClassPlan, ClassTarget, Suite, SuiteOptions, Visibility, account_text,
};
use petrel_testcase::{Options, Point, Selection, Termination};
use petrel_translate::cache::Procedures;
use petrel_wall::Wall;

use super::{cases, outside};
use crate::args::generate::{Budget, Generate, JUnitVersion, VisibilityName};
use crate::args::{Common, Goal};
use crate::failure::{Failure, Status};
use crate::output::Output;
use crate::sandbox;
use targets::Resolved;
use watch::Watching;

/// Classes whose tests are compiled and run together.
const BATCH_CLASSES: usize = 24;
/// A batch ends when it has so many methods.
const BATCH_METHODS: usize = 400;
/// Inputs of a test with parameters.
const INPUTS: usize = 3;
/// At most this much of the time for everything, and one of so many parts of it, is kept for the judgement of the first
/// classes. From then on it is known how long that takes.
const MOST_FOR_JUDGEMENT: Duration = Duration::from_secs(10);
const PARTS_FOR_JUDGEMENT: u32 = 2;
/// Classes of the first batch, if the time is limited, and the part of what is left that a batch may take.
const FIRST_BATCH_CLASSES: usize = 4;
const PARTS_FOR_BATCH: u32 = 8;

pub(crate) fn run(common: &Common, generate: &Generate, purse: &Purse) -> Result<Status, Failure> {
    if generate.parameterized && generate.junit == JUnitVersion::Four {
        let why = "--parameterized writes tests for JUnit 5: it does not go with --junit 4";
        return Err(Failure(why.to_owned()));
    }
    let started = Instant::now();
    let purse = &cases::within(purse, generate.total_time);
    let class_path = targets::class_path(common.class_path(), &generate.targets);
    let session = Session::open(&class_path, common.jdk.as_deref())?;
    let Resolved { classes, unloadable } = targets::resolve(&session, generate)?;
    let is_walled = !generate.no_run && !generate.no_sandbox;
    let wall = is_walled.then(sandbox::wall).transpose()?;
    let run = Run { common, generate, session: &session, wall, purse };
    let mut account = run.generate(&classes)?;
    let has_read_all = unloadable.is_empty();
    let unwritten = account.classes.iter().find_map(|class| class.not_written.clone());
    let has_written = account.classes.iter().any(|class| class.file.is_some());
    let unloadable = unloadable.into_iter().map(|(class, why)| ClassAccount {
        class: class.replace('/', "."),
        not_written: Some(why),
        ..ClassAccount::default()
    });
    account.classes.extend(unloadable);
    account.elapsed_us = started.elapsed().as_micros() as u64;
    let mut out = Output::stdout();
    if common.json {
        GenerateAnswer::of(&account).write(&mut out)?;
    } else {
        let bound = termination(generate).to_string();
        write!(out, "{}", account_text(&account, &bound))?;
    }
    let has_written_all = unwritten.is_none();
    if let Some(why) = unwritten.filter(|_| !has_written) {
        return Err(Failure(format!("nothing was written: {why}")));
    }
    let is_incomplete = account.is_stopped || !has_read_all || !has_written_all;
    Ok(if is_incomplete { Status::Incomplete } else { status(generate, &account) })
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
    if let Selection::Points(points) = &generate.select
        && let Some(point) = points.iter().find(|point| matches!(point, Point::Code(Some(_), _)))
    {
        let why = "tests are written for each method: offsets are those of its own code, without a method's name";
        return Err(Failure(format!("--select points:{point}: {why}")));
    }
    if generate.select == Selection::ProgramStatements {
        let why = "--select program-statements is for `cases`: tests are written for each method";
        return Err(Failure(why.to_owned()));
    }
    let usual = SuiteOptions::usual(common_jdk);
    let defaults = usual.cases;
    let (budget, time) = match generate.budget {
        Budget::Work(work) => (work, None),
        Budget::Time(time) => (u64::MAX, Some(time)),
    };
    let worst_case = generate.worst_case.as_deref().map(cases::model);
    Ok(SuiteOptions {
        cases: Options {
            termination: termination(generate),
            steps: defaults.steps.min(budget),
            max_string: generate.max_string,
            max_elements: generate.max_elements,
            max_receivers: generate.max_receivers.get(),
            ..defaults
        },
        selection: generate.select.clone(),
        junit: match generate.junit {
            JUnitVersion::Four => JUnit::Four,
            JUnitVersion::Five => JUnit::Five,
        },
        suffix: generate.suffix.clone(),
        budget,
        time,
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
    /// What tests run behind.
    wall: Option<Wall>,
    /// What everything is paid from.
    purse: &'a Purse,
}

impl Run<'_> {
    fn generate(&self, targets: &[ClassTarget]) -> Result<Account, Failure> {
        let program = self.session.program();
        let Generate { unknown, assume_by, .. } = self.generate;
        let outside = outside::declared(program, unknown, assume_by)?;
        let procedures = Procedures::with_outside(program, outside);
        let project = targets::project_classes(self.session)?;
        let options = suite_options(self.session.jdk().feature_version(), self.generate)?;
        let jobs = self.common.jobs.or_else(|| available_parallelism().ok());
        let jobs = jobs.map_or(1, NonZeroUsize::get);
        let watching = Watching::start(targets);
        let mut account = Account::default();
        let mut pace = Pace::new(self.generate.total_time);
        let mut rest = targets;
        while !rest.is_empty() {
            let batch;
            (batch, rest) = rest.split_at(batch_size(rest, pace.most_classes));
            let started = Instant::now();
            let purse = pace.for_planning(self.purse);
            let suite = Suite {
                procedures: &procedures,
                project: &project,
                options: &options,
                jobs,
                purse: &purse,
            };
            let plans = suite.plan(batch, &watching);
            account.is_stopped |= purse.alarm().is_raised() || plans.len() < batch.len();
            let planned = started.elapsed();
            self.finish(&suite, &plans, jobs, &watching, &mut account)?;
            pace.adapt(self.purse, started.elapsed(), started.elapsed().saturating_sub(planned));
            if account.is_stopped {
                break;
            }
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
        let verdicts = judge::judge(
            self.session,
            self.generate,
            self.wall.as_ref(),
            plans,
            jobs,
            watching,
            self.purse,
        )?;
        let is_validated = !self.generate.no_run;
        account.is_stopped |= verdicts.iter().any(Option::is_none);
        for (plan, judged) in plans.iter().zip(&verdicts) {
            let Some(judged) = judged else { continue };
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

/// How many classes are finished together next: so many at most, and one at least.
fn batch_size(targets: &[ClassTarget], most: usize) -> usize {
    let mut n_methods = 0;
    let many = targets.iter().position(|target| {
        n_methods += target.methods.len();
        n_methods > BATCH_METHODS
    });
    many.unwrap_or(targets.len()).clamp(1, most.min(targets.len()).max(1))
}

/// How classes are put together if the time is limited: what is planned has to be judged, too, or it is lost.
struct Pace {
    total: Option<Duration>,
    most_classes: usize,
    /// How long a judgement may take.
    judgement: Duration,
}

impl Pace {
    fn new(total: Option<Duration>) -> Pace {
        let most_classes = if total.is_some() { FIRST_BATCH_CLASSES } else { BATCH_CLASSES };
        Pace { total, most_classes, judgement: MOST_FOR_JUDGEMENT }
    }

    /// What the planning of the next classes is paid from.
    fn for_planning(&self, purse: &Purse) -> Purse {
        let (Some(total), Some(left)) = (self.total, purse.time_left()) else {
            return purse.clone();
        };
        let kept = self.judgement.min(total / PARTS_FOR_JUDGEMENT);
        purse.within(left.saturating_sub(kept))
    }

    /// Learns from some classes, how long they took in all and how long their judgement.
    fn adapt(&mut self, purse: &Purse, elapsed: Duration, judgement: Duration) {
        let Some(left) = purse.time_left() else { return };
        let fits = elapsed < left / PARTS_FOR_BATCH;
        let most = if fits { self.most_classes * 2 } else { self.most_classes / 2 };
        self.most_classes = most.clamp(1, BATCH_CLASSES);
        // The next one may be a little harder.
        let first = self.judgement == MOST_FOR_JUDGEMENT;
        let judgement = judgement * 2;
        self.judgement = if first { judgement } else { self.judgement.max(judgement) };
    }
}
