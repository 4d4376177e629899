//! The fewest cases that satisfy a criterion, where that is cheap to know.
//!
//! A selection ends as soon as everything is executed, one thing after the other, so that an earlier case may turn out to add nothing,
//! and one path may do what two do. If all paths can be derived with as much work again as the selection took, a smallest set is chosen
//! among all of them; else among those that were found. What is cheap is counted, never timed.

mod cover;

use petrel_abstraction::AbstractProgram;
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
    let wanted = found.reached.clone();
    if found.cases.is_empty() {
        return Ok(summary);
    }
    let spent = goal.purse.spent().saturating_sub(before);
    let is_one = found.cases.len() == 1;
    let all = match is_one || goal.purse.is_over() {
        true => None,
        false => all_paths(goal, program, spent.max(LEAST_WORK), &mut summary)?,
    };
    let has_all = all.is_some();
    let candidates = all.filter(|all| all.reached.includes(&wanted)).unwrap_or(found);
    let sets: Vec<&Goals> = candidates.cases.iter().map(|(goals, _)| goals).collect();
    let Cover { mut chosen, is_smallest } = cover::smallest(&sets, &wanted);
    summary.is_smallest = Some(is_smallest && (is_one || has_all));
    chosen.sort_unstable();
    let mut chosen = chosen.into_iter().peekable();
    for (number, (_, case)) in candidates.cases.into_iter().enumerate() {
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
