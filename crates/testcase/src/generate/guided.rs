//! Guided generation ("A Framework for Guided Test Case Generation in Constraint Logic Programming",
//! Def. 5): which paths are derived is decided by what is still to be covered.

mod towards;
mod tracing;

use std::cell::RefCell;
use std::rc::Rc;

use petrel_abstraction::{
    AbstractProgram, Candidate, Derivation, Modes, Order, Precision, Search, Settings, slice,
};
use petrel_engine::{LocalPaths, Prefix};

use self::towards::{Missing, Towards};
use self::tracing::Tracing;
use super::worker::{Goal, Progress, Worker};
use super::{GenerateError, Options, longest_array};
use crate::case::{Case, Summary, Unreached};
use crate::selection::{self, Selection, Strategy};

/// The program that a goal is about.
pub(super) fn abstract_program<'p>(
    goal: &Goal<'_, 'p>,
) -> Result<AbstractProgram<'p>, GenerateError> {
    let program = goal.procedures.program();
    let project =
        program.project_classes().map_err(|e| GenerateError::Translation(e.to_owned()))?;
    let project: Vec<String> = project.iter().map(ToString::to_string).collect();
    let most = (goal.purse.most() / WORK_FOR_PROCEDURE) as usize;
    AbstractProgram::nearest(goal.procedures, &project, goal.method, most)
        .ok_or(GenerateError::NoCode)
}

pub(super) fn settings(options: &Options) -> Settings {
    Settings {
        termination: options.termination,
        domain: options.domain,
        max_array: longest_array(options),
        slice: None,
        follows_calls: true,
        estimates: None,
    }
}

/// Generates the cases of a selection criterion.
pub(super) fn select(
    goal: &Goal<'_, '_>,
    program: &AbstractProgram<'_>,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Summary, GenerateError> {
    Ok(select_of_all(goal, program, 0, emit)?.summary)
}

/// What a selection found.
pub(super) struct Selected {
    pub(super) summary: Summary,
    /// Whether all paths were derived, and all cases told.
    pub(super) is_all: bool,
}

/// Generates the cases of a selection criterion. For so much work at first, no path is left, and all cases are told: points
/// that are executed already are executed in other ways, too.
pub(super) fn select_of_all(
    goal: &Goal<'_, '_>,
    program: &AbstractProgram<'_>,
    work_for_all: u64,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Selected, GenerateError> {
    let is_guided = match goal.options.strategy {
        Strategy::Guided => true,
        Strategy::Plain => false,
        // Guidance to points is never slower.
        Strategy::Auto => {
            goal.options.selection != Selection::LocalPaths || has_choices_in_calls(program)
        }
    };
    let modes = Modes::of(program, Precision::Enhanced { observes_sizes: false });
    let mut selecting = Selecting {
        worker: Worker::new(goal)?.telling_rules_of(program),
        goal,
        program,
        modes: &modes,
        summary: Summary::default(),
        all_until: goal.purse.spent().saturating_add(work_for_all),
        is_all: false,
    };
    match (&goal.options.selection, is_guided) {
        (Selection::LocalPaths, true) => {
            let wanted = selecting.abstract_local_paths();
            selecting.local_paths(wanted, emit);
        }
        (Selection::LocalPaths, false) => selecting.local_paths(LocalPaths::default(), emit),
        (_, is_guided) => selecting.points(is_guided, emit)?,
    }
    Ok(Selected { summary: selecting.summary, is_all: selecting.is_all })
}

/// Whether methods make choices that the target calls. If all are in its own code, its own paths are all
/// there are, and there is nothing that an abstraction could leave out.
fn has_choices_in_calls(program: &AbstractProgram<'_>) -> bool {
    let called = program.procedures.iter().skip(1);
    let mut predicates = called.flat_map(|known| &known.procedure.predicates);
    predicates.any(|predicate| predicate.rules.len() > 1)
}

/// If the paths through the target's own code cost more, the abstraction may take longer than it saves.
const MOST_FOR_LOCAL_PATHS: u64 = 8_000;

/// For so much work that is allowed, the abstraction has a procedure.
const WORK_FOR_PROCEDURE: u64 = 1000;

struct Selecting<'a> {
    worker: Worker<'a>,
    goal: &'a Goal<'a, 'a>,
    program: &'a AbstractProgram<'a>,
    modes: &'a Modes,
    summary: Summary,
    /// All paths are looked at until so much has been spent.
    all_until: u64,
    /// Whether that was enough for them.
    is_all: bool,
}

impl<'a> Selecting<'a> {
    /// One case for each path through the target's own code.
    fn local_paths(&mut self, wanted: LocalPaths, emit: &mut dyn FnMut(Case) -> bool) {
        let (count, left) = self.worker.explore_locally(wanted, &mut self.summary, emit);
        let (traces, unfeasible) = &mut self.summary.traces;
        *traces += count as u64;
        *unfeasible += left as u64;
    }

    /// The paths through the target's own code that the abstraction has; with too many of them, all that
    /// there are.
    fn abstract_local_paths(&mut self) -> LocalPaths {
        let costing = super::costing(self.goal.procedures, self.goal.method, self.goal.options);
        let settings = Settings {
            slice: Some(slice::local_paths(self.program)),
            // A call of the target by itself is none of the way through its code.
            follows_calls: false,
            ..settings(self.goal.options)
        };
        let purse = self.goal.purse.with_work(MOST_FOR_LOCAL_PATHS);
        let derivation =
            Derivation::new(self.program, self.modes, &costing, settings).paid_from(&purse);
        let without_exceptions = !self.goal.options.exceptions;
        let mut search =
            Search::new(&derivation, self.goal.method, Order::Tree, without_exceptions);
        let mut wanted = LocalPaths::nothing_but();
        while let Some(Candidate { trace, threw, .. }) = search.next_trace() {
            wanted.add(&trace, threw.is_none());
        }
        if purse.is_over() {
            return LocalPaths::default();
        }
        self.summary.ends.cut += search.cut;
        wanted
    }

    /// All paths until all points are covered; those that cover a new one become cases. With guidance, ways from which no
    /// point that is missing can be reached are left, and the nearest point is gone to first.
    fn points(
        &mut self,
        is_guided: bool,
        emit: &mut dyn FnMut(Case) -> bool,
    ) -> Result<(), GenerateError> {
        let (goal, program) = (self.goal, self.program);
        let targets = selection::goals(program, &goal.options.selection)?;
        if targets.is_empty() {
            return Ok(());
        }
        let missing = Rc::new(RefCell::new(Missing::new(targets)));
        let mut tracing = None;
        if is_guided {
            let towards = Towards::new(program, Rc::clone(&missing), goal.purse, self.all_until);
            self.worker.look_ahead(Some(Box::new(towards)));
            // A trace that is given is followed, and none that an abstraction proposes.
            tracing = goal.options.trace.is_none().then(|| Tracing::new(goal, program, self.modes));
        }
        let mut is_stopped = false;
        let all_until = self.all_until;
        let looks_at_all = || goal.purse.spent() < all_until;
        let mut summary = Summary::default();
        self.worker.explore(vec![Prefix::default()], &mut summary, &mut |_, case| {
            let mut goes_on = true;
            let mut take = |case: Case| {
                let is_new = missing.borrow_mut().is_new(&case);
                goes_on &= !(is_new || looks_at_all()) || emit(case);
                goes_on
            };
            if case.is_none_or(&mut take)
                && !looks_at_all()
                && let Some(tracing) = &mut tracing
            {
                let found = tracing.turn(&missing.borrow());
                found.into_iter().all(take);
            }
            is_stopped = !goes_on;
            Progress::from(goes_on && (looks_at_all() || !missing.borrow().targets().is_empty()))
        })?;
        self.is_all = !is_stopped && looks_at_all() && summary.ends.is_followed();
        self.worker.look_ahead(None);
        // What was not looked for is not missing.
        if !is_stopped {
            let is_only_cut =
                summary.ends.excluded + summary.ends.refused == 0 && summary.ends.is_complete();
            let is_proved = is_only_cut && summary.ends.cut == 0;
            if let Some(tracing) = tracing.as_mut().filter(|_| is_only_cut && !is_proved) {
                let found = tracing.conclude(&missing.borrow());
                let is_new = |case: &Case| missing.borrow_mut().is_new(case);
                found.into_iter().filter(is_new).all(&mut *emit);
            }
            let is_infeasible = |target: &selection::Goal| {
                is_proved || tracing.as_ref().is_some_and(|tracing| tracing.is_infeasible(target))
            };
            let unreached = |target: &selection::Goal| Unreached {
                point: target.name.clone(),
                is_infeasible: is_infeasible(target),
            };
            summary.unreached = missing.borrow().targets().iter().map(unreached).collect();
        }
        self.summary.add(&summary);
        if let Some(tracing) = tracing {
            self.summary.add(&tracing.summary);
        }
        Ok(())
    }
}
