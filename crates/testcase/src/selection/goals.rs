//! What a selection wants to be executed, as rules of a program, and what cases execute of it.

use std::collections::{BTreeMap, BTreeSet};

use petrel_abstraction::slice::{self, Slice};
use petrel_abstraction::{AbstractProgram, RuleName};
use petrel_clp::{End, InstructionRef, PredicateKind};
use rustc_hash::FxHashSet;

use super::Selection;
use super::points::{Point, Spot};
use crate::case::Case;
use crate::coverage::{Edge, all_edges, bytecode, is_branch};
use crate::generate::GenerateError;

/// Something that is to be executed: one of these rules.
#[derive(Debug, Clone)]
pub(crate) struct Goal {
    /// What it is called in messages.
    pub(crate) name: String,
    pub(crate) rules: FxHashSet<RuleName>,
}

/// What is to be executed so that a criterion is satisfied. Paths are no such goals.
///
/// # Errors
///
/// If a point is not in the code that the target reaches.
pub(crate) fn goals(
    program: &AbstractProgram<'_>,
    selection: &Selection,
) -> Result<Vec<Goal>, GenerateError> {
    Ok(match selection {
        Selection::Points(points) => return of_points(program, points),
        Selection::Branches => {
            let branches = branches(program, 0).into_iter();
            let goal = |(edge, rules)| Goal { name: Spot::Branch(edge).in_words(), rules };
            branches.map(goal).collect()
        }
        Selection::ProgramStatements => {
            let procedures = 0..program.procedures.len() as u32;
            procedures.flat_map(|procedure| statements(program, procedure)).collect()
        }
        Selection::Statements | Selection::AllPaths | Selection::LocalPaths => {
            statements(program, 0)
        }
    })
}

fn of_points(program: &AbstractProgram<'_>, points: &[Point]) -> Result<Vec<Goal>, GenerateError> {
    // There may be thousands of them.
    let own = branches(program, 0);
    let goal = |point: &Point| {
        let known = match point {
            Point::Code(None, Spot::Branch(edge)) => own.get(edge).cloned(),
            _ => None,
        };
        let rules = known.map_or_else(|| point.rules(program), Ok)?;
        Ok(Goal { name: point.in_words(), rules })
    };
    points.iter().map(goal).collect()
}

/// Each instruction of a procedure.
fn statements(program: &AbstractProgram<'_>, procedure: u32) -> Vec<Goal> {
    let mut at: BTreeMap<u16, (u16, Slice)> = BTreeMap::new();
    for name in program.rules_of(procedure) {
        for &InstructionRef { pc, line, .. } in &program.rule(name).instructions {
            at.entry(pc).or_insert_with(|| (line, Slice::default())).1.insert(name);
        }
    }
    let method = &program.procedures[procedure as usize].procedure.method;
    let of_method = match procedure {
        0 => String::new(),
        _ => format!("{method}, "),
    };
    let goal = |(offset, (line, rules))| {
        let line = if line == 0 { String::new() } else { format!("line {line}, ") };
        Goal { name: format!("{of_method}{line}{}", Spot::Instruction(offset).in_words()), rules }
    };
    at.into_iter().map(goal).collect()
}

/// The branches of a procedure, with the rules that stand for them.
pub(super) fn branches(program: &AbstractProgram<'_>, procedure: u32) -> BTreeMap<Edge, Slice> {
    let code = &program.procedures[procedure as usize].procedure;
    let branching: BTreeSet<u16> = code
        .rules()
        .flat_map(|rule| &rule.instructions)
        .filter(|instruction| is_branch(instruction.opcode.byte()))
        .map(|instruction| instruction.pc)
        .collect();
    let mut branches: BTreeMap<Edge, Slice> = BTreeMap::new();
    for name in program.rules_of(procedure) {
        let predicate = &code.predicates[name.predicate as usize];
        let rule = program.rule(name);
        let to = match (rule.instructions.first(), &rule.end) {
            (Some(first), _) => Some(first.pc),
            (None, End::Continue(next, _)) => Some(code.predicates[next.index()].pc),
            (None, _) => None,
        };
        if let (PredicateKind::Choice, Some(to)) = (predicate.kind, to)
            && branching.contains(&predicate.pc)
        {
            branches.entry((predicate.pc, to)).or_default().insert(name);
        }
    }
    // A switch with one target for everything is no choice: who executes it takes its only edge.
    let edges = bytecode(program.classes(), &code.method).map(|code| all_edges(&code));
    let edges = edges.unwrap_or_default();
    for &(from, to) in &edges {
        if edges.range((from, 0)..=(from, u16::MAX)).count() == 1 {
            let rules = slice::at_instruction(program, procedure, from);
            if !rules.is_empty() {
                branches.insert((from, to), rules);
            }
        }
    }
    branches
}

/// What cases execute.
#[derive(Debug, Clone, Default)]
pub(crate) struct Covered(FxHashSet<RuleName>);

impl Covered {
    /// What one case executes.
    pub(crate) fn by(case: &Case) -> Covered {
        let mut covered = Covered::default();
        covered.add(case);
        covered
    }

    pub(crate) fn add(&mut self, case: &Case) {
        self.0.extend(&case.program_rules);
    }

    pub(crate) fn has(&self, goal: &Goal) -> bool {
        goal.rules.iter().any(|rule| self.0.contains(rule))
    }
}
