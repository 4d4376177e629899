//! The fewest cases that satisfy a criterion, where that is cheap to know.
//!
//! A selection ends as soon as everything is executed, one thing after the other, so that an earlier case may turn out to add nothing,
//! and one path may do what two do. So all paths are derived at first, for some work: if that is enough for them, a smallest set is chosen
//! among all of them; else guidance goes on from there, and a small one is chosen among those that were found. What is cheap is counted,
//! never timed, and never more than what all paths cost. Often it is known before the end: the rules of a predicate that a path comes to
//! once need a case each.

mod cover;

use std::collections::{BTreeMap, BTreeSet};

use petrel_abstraction::{AbstractProgram, RuleName};
use petrel_clp::End;

use super::worker::Goal;
use super::{GenerateError, guided};
use crate::case::{Case, Summary};
use crate::selection::{self, Covered, Selection};
use cover::{Cover, Goals};

/// For so much work, all paths are looked at before any is left.
const WORK_FOR_ALL: u64 = 10_000;

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
    let mut found = Candidates::of(goal, program)?;
    let guided::Selected { mut summary, is_all } =
        guided::select_of_all(goal, program, WORK_FOR_ALL, &mut |case| {
            !found.add(case) || !found.is_known_to_be_enough(program)
        })?;
    if found.cases.is_empty() {
        return Ok(summary);
    }
    let Cover { mut chosen, is_smallest } = found.cover(&found.reached);
    summary.is_smallest = Some((is_smallest && is_all) || chosen.len() <= found.least(program));
    chosen.sort_unstable();
    let mut chosen = chosen.into_iter().peekable();
    for (number, (_, case)) in found.cases.into_iter().enumerate() {
        if chosen.next_if_eq(&number).is_some() && !emit(case) {
            break;
        }
    }
    Ok(summary)
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

    /// Whether the cases execute all that is wanted, and no fewer can.
    fn is_known_to_be_enough(&self, program: &AbstractProgram<'_>) -> bool {
        let is_reached = |number: usize| self.reached.has(number);
        (0..self.wanted.len()).all(is_reached)
            && self.cover(&self.reached).chosen.len() <= self.least(program)
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

    /// Adds a case, unless another one executes all that it does. Tells whether it was added.
    fn add(&mut self, case: Case) -> bool {
        let covered = Covered::by(&case);
        let mut goals = Goals::none(self.wanted.len());
        for (number, wanted) in self.wanted.iter().enumerate() {
            if covered.has(wanted) {
                goals.insert(number);
            }
        }
        self.reached.add(&goals);
        let is_wanted = !self.cases.iter().any(|(known, _)| known.includes(&goals));
        if is_wanted {
            self.cases.retain(|(known, _)| !goals.includes(known));
            self.cases.push((goals, case));
        }
        is_wanted
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
