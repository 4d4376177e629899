//! Guided generation ("A Framework for Guided Test Case Generation in Constraint Logic Programming",
//! Def. 5): an abstraction proposes traces towards what is still to be covered, and the first case of each
//! is taken.

use std::sync::Arc;

use petrel_abstraction::{
    AbstractProgram, Candidate, Derivation, Modes, Order, Precision, Search, Settings, slice,
};
use petrel_budget::Purse;
use petrel_engine::LocalPaths;

use super::worker::{Goal, Worker, note_if_over};
use super::{GenerateError, Options};
use crate::case::{Case, Summary, Unreached};
use crate::selection::{self, Covered, Selection, Strategy};

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

/// The longest array that a path may make. Whoever looks for the most expensive path takes arrays of some length; a condition on
/// the cost may hold for longer ones only.
fn longest_array(options: &Options) -> u32 {
    match options.policy.ranking {
        Some(_) => options.max_array,
        None => i32::MAX as u32,
    }
}

/// Generates the cases of a selection criterion.
pub(super) fn select(
    goal: &Goal<'_, '_>,
    program: &AbstractProgram<'_>,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Summary, GenerateError> {
    let is_guided = match goal.options.strategy {
        Strategy::Guided => true,
        Strategy::Plain => false,
        // A trace that is given is followed, and none that an abstraction proposes.
        Strategy::Auto => {
            let reaches = goal.options.selection != Selection::LocalPaths;
            has_choices_in_calls(program) && !(reaches && goal.options.trace.is_some())
        }
    };
    let modes = Modes::of(program, Precision::Enhanced { observes_sizes: false });
    let mut selecting = Selecting {
        worker: Worker::new(goal)?.telling_rules_of(program),
        goal,
        program,
        modes: &modes,
        summary: Summary::default(),
    };
    match (&goal.options.selection, is_guided) {
        (Selection::LocalPaths, true) => {
            let wanted = selecting.abstract_local_paths();
            selecting.local_paths(wanted, emit);
        }
        (Selection::LocalPaths, false) => selecting.local_paths(LocalPaths::default(), emit),
        (_, true) => selecting.points(emit)?,
        (_, false) => selecting.plain_points(emit)?,
    }
    Ok(selecting.summary)
}

/// Whether methods make choices that the target calls. If all are in its own code, its own paths are all
/// there are, and there is nothing that an abstraction could leave out.
fn has_choices_in_calls(program: &AbstractProgram<'_>) -> bool {
    let called = program.procedures.iter().skip(1);
    let mut predicates = called.flat_map(|known| &known.procedure.predicates);
    predicates.any(|predicate| predicate.rules.len() > 1)
}

/// With more paths through the target's own code than these, the abstraction takes longer than it saves.
const MOST_LOCAL_PATHS: usize = 20_000;

/// A point has one of so many parts of the purse, and a trace towards it one of so many of that: what does not come to its
/// end leaves something for the others.
const PARTS_FOR_POINTS: u32 = 4;
const PARTS_FOR_TRACES: u32 = 2;
/// For so much work that is allowed, the abstraction has a procedure.
const WORK_FOR_PROCEDURE: u64 = 1000;

struct Selecting<'a> {
    worker: Worker<'a>,
    goal: &'a Goal<'a, 'a>,
    program: &'a AbstractProgram<'a>,
    modes: &'a Modes,
    summary: Summary,
}

impl Selecting<'_> {
    /// Whether the time is over or the work done, which is told.
    fn is_late(&mut self) -> bool {
        note_if_over(self.goal.purse, &mut self.summary)
    }

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
            ..settings(self.goal.options)
        };
        let derivation = Derivation::new(self.program, self.modes, &costing, settings)
            .paid_from(self.goal.purse);
        let without_exceptions = !self.goal.options.exceptions;
        let mut search =
            Search::new(&derivation, self.goal.method, Order::Tree, without_exceptions);
        let mut wanted = LocalPaths::nothing_but();
        for _ in 0..MOST_LOCAL_PATHS {
            let Some(Candidate { trace, threw, .. }) = search.next_trace() else {
                let is_late = self.goal.purse.is_over();
                self.summary.ends.cut += search.cut;
                return if is_late { LocalPaths::default() } else { wanted };
            };
            wanted.add(&trace, threw.is_none());
        }
        LocalPaths::default()
    }

    /// Derives the instances of a trace. If there are none, no other that begins so is proposed.
    fn try_trace(
        &mut self,
        search: &mut Search<'_>,
        candidate: &Candidate,
        purse: &Purse,
        seen: &mut dyn FnMut(Case) -> bool,
    ) {
        let trace = Arc::new(candidate.trace.clone());
        let mut has_case = false;
        let followed = self.worker.follow(
            trace,
            &purse.share(PARTS_FOR_TRACES),
            &mut self.summary,
            &mut |case| {
                has_case = true;
                seen(case)
            },
        );
        self.summary.traces.0 += 1;
        if !has_case {
            self.summary.traces.1 += 1;
            search.refute(candidate, followed);
        }
    }

    /// Enough cases to execute all points.
    fn points(&mut self, emit: &mut dyn FnMut(Case) -> bool) -> Result<(), GenerateError> {
        let mut covered = Covered::default();
        for target in selection::goals(self.program, &self.goal.options.selection)? {
            if covered.has(&target) {
                continue;
            }
            if self.is_late() {
                break;
            }
            if !self.reach(&target, &mut covered, emit) {
                break;
            }
        }
        Ok(())
    }

    /// Looks for a case that executes a point. `false` if no more are wanted.
    fn reach(
        &mut self,
        target: &selection::Goal,
        covered: &mut Covered,
        emit: &mut dyn FnMut(Case) -> bool,
    ) -> bool {
        let costing = super::costing(self.goal.procedures, self.goal.method, self.goal.options);
        let settings = Settings {
            slice: Some(slice::towards(self.program, &target.rules)),
            ..settings(self.goal.options)
        };
        let purse = self.goal.purse.share(PARTS_FOR_POINTS);
        // The slice is one of all rules.
        purse.spend(self.program.rules().count() as u64);
        let derivation =
            Derivation::new(self.program, self.modes, &costing, settings).paid_from(&purse);
        let order = Order::Shortest(target.rules.clone());
        let mut search = Search::new(&derivation, self.goal.method, order, false);
        let before = self.summary.ends.clone();
        let is_wanted = |case: &Case| Covered::by(case).has(target);
        while let Some(candidate) = search.next_trace() {
            let mut found = None;
            self.try_trace(&mut search, &candidate, &purse, &mut |case| {
                found = Some(case).filter(|case| is_wanted(case));
                found.is_none()
            });
            if let Some(case) = found {
                covered.add(&case);
                return emit(case);
            }
        }
        if self.is_late() {
            return false;
        }
        note_if_over(&purse, &mut self.summary);
        // Proved, if nothing was left out on the way.
        let ends = &self.summary.ends;
        let is_infeasible = search.cut == 0
            && ends.cut == before.cut
            && ends.excluded == before.excluded
            && ends.refused == before.refused
            && ends.is_complete();
        let point = target.name.clone();
        self.summary.unreached.push(Unreached { point, is_infeasible });
        true
    }

    /// All paths until all points are covered; those that cover a new one become cases.
    fn plain_points(&mut self, emit: &mut dyn FnMut(Case) -> bool) -> Result<(), GenerateError> {
        let mut targets = selection::goals(self.program, &self.goal.options.selection)?;
        let mut covered = Covered::default();
        let mut summary = Summary::default();
        self.worker.explore(
            vec![petrel_engine::Prefix::default()],
            &mut summary,
            &mut |_, case| {
                let Some(case) = case else { return super::worker::Progress::GoOn };
                covered.add(&case);
                let before = targets.len();
                targets.retain(|target| !covered.has(target));
                let goes_on = targets.len() == before || emit(case);
                super::worker::Progress::from(goes_on && !targets.is_empty())
            },
        )?;
        let is_proved = summary.ends.cut == 0
            && summary.ends.excluded + summary.ends.refused == 0
            && summary.ends.is_complete();
        summary.unreached = targets
            .into_iter()
            .map(|target| Unreached { point: target.name, is_infeasible: is_proved })
            .collect();
        self.summary = summary;
        Ok(())
    }
}
