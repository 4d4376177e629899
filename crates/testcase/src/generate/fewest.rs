//! The fewest cases that satisfy a criterion, where that is cheap to know.
//!
//! A selection ends as soon as everything is executed, one thing after the other, so that an earlier case may turn out to add nothing,
//! and one path may do what two do. If all paths can be derived with as much work again as the selection took, a smallest set is chosen
//! among all of them; else among those that were found. What is cheap is counted, never timed. Often it is known before: the rules of
//! a predicate that a path comes to once need a case each.

mod cover;

use std::collections::{BTreeMap, BTreeSet};

use petrel_abstraction::{AbstractProgram, RuleName};
use petrel_clp::End;
use petrel_engine::Prefix;

use super::worker::{Goal, Progress, Worker};
use super::{GenerateError, guided};
use crate::case::{Case, Summary};
use crate::selection::{self, Covered, Selection};
use cover::{Cover, Goals};

/// With so much work all paths are looked at in any case.
const LEAST_WORK: u64 = 10_000;

/// Whether a criterion asks for things to be executed, any case that does it being as good as another.
pub(super) fn is_cover(selection: &Selection) -> bool {
    match selection {
        Selection::AllPaths | Selection::LocalPaths => false,
        Selection::Statements
        | Selection::ProgramStatements
        | Selection::Branches
        | Selection::Points(_) => true,
    }
}

/// Selects cases, as few as it can tell cheaply.
pub(super) fn select(
    goal: &Goal<'_, '_>,
    program: &AbstractProgram<'_>,
    emit: &mut dyn FnMut(Case) -> bool,
) -> Result<Summary, GenerateError> {
    let before = goal.purse.spent();
    let mut found = Candidates::of(goal, program)?;
    let mut summary = guided::select(goal, program, &mut |case| {
        found.add(case);
        true
    })?;
    if found.cases.is_empty() {
        return Ok(summary);
    }
    let wanted = found.reached.clone();
    let least = found.least(program);
    let mut cover = found.cover(&wanted);
    let mut is_smallest = cover.chosen.len() <= least;
    if !is_smallest && !goal.purse.is_over() {
        let spent = goal.purse.spent().saturating_sub(before);
        let all = all_paths(goal, program, spent.max(LEAST_WORK), &mut summary)?;
        if let Some(all) = all.filter(|all| all.reached.includes(&wanted)) {
            found = all;
            cover = found.cover(&wanted);
            is_smallest = cover.is_smallest || cover.chosen.len() <= least;
        }
    }
    summary.is_smallest = Some(is_smallest);
    cover.chosen.sort_unstable();
    let mut chosen = cover.chosen.into_iter().peekable();
    for (number, (_, case)) in found.cases.into_iter().enumerate() {
        if chosen.next_if_eq(&number).is_some() && !emit(case) {
            break;
        }
    }
    Ok(summary)
}

/// The cases of all paths, if so much work is enough for them.
fn all_paths(
    goal: &Goal<'_, '_>,
    program: &AbstractProgram<'_>,
    most: u64,
    summary: &mut Summary,
) -> Result<Option<Candidates>, GenerateError> {
    let purse = goal.purse.with_work(most);
    let goal = Goal { purse: &purse, ..*goal };
    let mut candidates = Candidates::of(&goal, program)?;
    let mut worker = Worker::new(&goal)?.telling_rules_of(program);
    let mut all = Summary::default();
    worker.explore(vec![Prefix::default()], &mut all, &mut |_, case| {
        case.into_iter().for_each(|case| candidates.add(case));
        Progress::GoOn
    })?;
    summary.steps += all.steps;
    summary.choices += all.choices;
    summary.solver.add(&all.solver);
    summary.solver_us += all.solver_us;
    Ok(all.ends.is_followed().then_some(candidates))
}

/// Cases, each with what it executes; none that executes nothing but what another one does, too.
struct Candidates {
    wanted: Vec<selection::Goal>,
    /// What any of them executes.
    reached: Goals,
    cases: Vec<(Goals, Case)>,
}

impl Candidates {
    fn of(goal: &Goal<'_, '_>, program: &AbstractProgram<'_>) -> Result<Candidates, GenerateError> {
        let wanted = selection::goals(program, &goal.options.selection)?;
        Ok(Candidates { reached: Goals::none(wanted.len()), wanted, cases: Vec::new() })
    }

    /// The fewest of the cases that execute all that is wanted.
    fn cover(&self, wanted: &Goals) -> Cover {
        let sets: Vec<&Goals> = self.cases.iter().map(|(goals, _)| goals).collect();
        cover::smallest(&sets, wanted)
    }

    /// So many cases are needed at least for what was executed: one; and one for each of several things that only different rules of
    /// one group do, if a path applies only one rule of the group. The rules of a predicate that paths come to once are one, and the
    /// rules at whose ends the target returns or throws.
    fn least(&self, program: &AbstractProgram<'_>) -> usize {
        let mut groups: BTreeMap<Option<u32>, Apart<'_>> = BTreeMap::new();
        let reached =
            self.wanted.iter().enumerate().filter(|(number, _)| self.reached.has(*number));
        for (_, wanted) in reached.filter(|(_, wanted)| !wanted.rules.is_empty()) {
            let of_target = |rule: &RuleName| rule.procedure == 0;
            let is_end = |rule: &RuleName| !matches!(program.rule(*rule).end, End::Continue(..));
            if !wanted.rules.iter().all(of_target) {
                continue;
            }
            let predicates: BTreeSet<u32> =
                wanted.rules.iter().map(|rule| rule.predicate).collect();
            if let (Some(&only), 1) = (predicates.first(), predicates.len()) {
                groups.entry(Some(only)).or_default().add(wanted);
            }
            if wanted.rules.iter().all(is_end) {
                groups.entry(None).or_default().add(wanted);
            }
        }
        let applies_one = |group: &Option<u32>| match group {
            Some(predicate) => program.comes_once_to(*predicate),
            None => program.is_called_once(),
        };
        let groups = groups.into_iter().filter(|(group, _)| applies_one(group));
        groups.map(|(_, apart)| apart.count).max().unwrap_or(0).max(1)
    }

    fn add(&mut self, case: Case) {
        let covered = Covered::by(&case);
        let mut goals = Goals::none(self.wanted.len());
        for (number, wanted) in self.wanted.iter().enumerate() {
            if covered.has(wanted) {
                goals.insert(number);
            }
        }
        self.reached.add(&goals);
        if !self.cases.iter().any(|(known, _)| known.includes(&goals)) {
            self.cases.retain(|(known, _)| !goals.includes(known));
            self.cases.push((goals, case));
        }
    }
}

/// Things to be executed that have no rule in common.
#[derive(Default)]
struct Apart<'a> {
    rules: BTreeSet<&'a RuleName>,
    count: usize,
}

impl<'a> Apart<'a> {
    fn add(&mut self, goal: &'a selection::Goal) {
        if goal.rules.iter().all(|rule| !self.rules.contains(rule)) {
            self.rules.extend(&goal.rules);
            self.count += 1;
        }
    }
}
