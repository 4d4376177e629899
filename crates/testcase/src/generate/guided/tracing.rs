//! Guidance by traces ("A Framework for Guided Test Case Generation in Constraint Logic Programming", Def. 5): an
//! abstraction proposes traces to a point, and the first case of one is taken.
//!
//! This is for trees that are too large to be derived: a trace leads to its point wherever that is. It takes turns with a
//! derivation of the tree, and costs little beside that.

use std::collections::BTreeSet;
use std::sync::Arc;

use petrel_abstraction::{AbstractProgram, Derivation, Modes, Order, Search, Settings, slice};
use petrel_budget::Purse;

use super::towards::Missing;
use crate::case::{Case, Summary};
use crate::generate::worker::{Goal, Worker};
use crate::selection::{self, Covered};

/// Traces may cost one of so many parts of what was derived of the tree.
const PARTS_OF_TREE: u64 = 10;
/// They may cost so much more, but no more than half of what was derived.
const MOST_STAKE: u64 = 6_000;
/// If there is a limit to what both may cost, the tree is one that will not be derived to its end, and most is for traces.
const TIMES_OF_LIMITED: u64 = 4;
/// Less is not worth a turn.
const LEAST_WORK: u64 = 1_000;

/// At least so much is spent to prove that what a small tree has left open is infeasible.
const WORK_TO_CONCLUDE: u64 = 300;

/// Takes turns with a derivation of the tree.
pub(super) struct Tracing<'a> {
    goal: &'a Goal<'a, 'a>,
    program: &'a AbstractProgram<'a>,
    modes: &'a Modes,
    /// Another worker than that of the tree, once there was a turn.
    worker: Option<Worker<'a>>,
    /// What was spent before, and in turns.
    before: u64,
    spent: u64,
    turns: usize,
    /// The names of targets that no trace leads to, which is a proof.
    infeasible: BTreeSet<String>,
    /// What turns took; what they left out, the derivation of the tree looks at.
    pub(super) summary: Summary,
}

impl<'a> Tracing<'a> {
    pub(super) fn new(
        goal: &'a Goal<'a, 'a>,
        program: &'a AbstractProgram<'a>,
        modes: &'a Modes,
    ) -> Tracing<'a> {
        let (before, summary) = (goal.purse.spent(), Summary::default());
        Tracing {
            goal,
            program,
            modes,
            worker: None,
            before,
            spent: 0,
            turns: 0,
            infeasible: BTreeSet::new(),
            summary,
        }
    }

    /// Looks for a case that executes one of the targets that are missing, if that is worth it by now.
    pub(super) fn turn(&mut self, missing: &Missing) -> Option<Case> {
        let purse = self.goal.purse;
        let of_tree = purse.spent().saturating_sub(self.before).saturating_sub(self.spent);
        let allowed = match purse.most() {
            u64::MAX => (of_tree / 2).min(of_tree / PARTS_OF_TREE + MOST_STAKE),
            _ => of_tree.saturating_mul(TIMES_OF_LIMITED),
        };
        let work = allowed.saturating_sub(self.spent);
        // Later turns get more, so that a target whose turn comes again is worth another look.
        if work < LEAST_WORK.max(self.spent / 4) || missing.targets().is_empty() {
            return None;
        }
        let target = &missing.targets()[self.turns % missing.targets().len()];
        self.turns += 1;
        let share = purse.with_work(work);
        let found = self.reach(target, &share);
        self.spent += share.spent();
        found
    }

    /// Looks once more for what the derivation of the tree has left open because the criterion cut it: that all traces to a target
    /// are unfeasible is a proof, wherever that was.
    pub(super) fn conclude(&mut self, missing: &Missing) -> Vec<Case> {
        let purse = self.goal.purse;
        let of_tree = purse.spent().saturating_sub(self.before).saturating_sub(self.spent);
        let share = purse.with_work((of_tree / PARTS_OF_TREE).max(WORK_TO_CONCLUDE));
        let targets = missing.targets().iter();
        let found = targets.filter_map(|target| self.reach(target, &share)).collect();
        self.spent += share.spent();
        found
    }

    /// Whether it is proved that no input executes a target.
    pub(super) fn is_infeasible(&self, target: &selection::Goal) -> bool {
        self.infeasible.contains(&target.name)
    }

    /// Looks for a case that executes a target.
    fn reach(&mut self, target: &selection::Goal, purse: &Purse) -> Option<Case> {
        let goal = self.goal;
        if self.worker.is_none() {
            self.worker = Some(Worker::new(goal).ok()?.telling_rules_of(self.program));
        }
        let worker = self.worker.as_mut()?;
        let costing = super::super::costing(goal.procedures, goal.method, goal.options);
        let settings = Settings {
            slice: Some(slice::towards(self.program, &target.rules)),
            ..super::settings(goal.options)
        };
        // The slice is one of all rules.
        purse.spend(self.program.rules().count() as u64);
        let derivation =
            Derivation::new(self.program, self.modes, &costing, settings).paid_from(purse);
        let order = Order::Shortest(target.rules.clone());
        let mut search = Search::new(&derivation, goal.method, order, false);
        let mut summary = Summary::default();
        let mut found = None;
        while found.is_none()
            && let Some(candidate) = search.next_trace()
        {
            let mut has_case = false;
            let trace = Arc::new(candidate.trace.clone());
            let followed = worker.follow(trace, purse, &mut summary, &mut |case| {
                has_case = true;
                let is_it = Covered::by(&case).has(target);
                found = Some(case).filter(|_| is_it);
                !is_it
            });
            summary.traces.0 += 1;
            if !has_case {
                summary.traces.1 += 1;
                // No other that begins so is proposed.
                search.refute(&candidate, followed);
            }
        }
        let ends = &summary.ends;
        let is_followed = ends.cut == 0 && ends.excluded + ends.refused == 0 && ends.is_complete();
        if found.is_none() && search.cut == 0 && is_followed && !purse.is_over() {
            self.infeasible.insert(target.name.clone());
        }
        self.summary.steps += summary.steps;
        self.summary.choices += summary.choices;
        self.summary.solver.add(&summary.solver);
        self.summary.solver_us += summary.solver_us;
        self.summary.traces.0 += summary.traces.0;
        self.summary.traces.1 += summary.traces.1;
        found
    }
}
