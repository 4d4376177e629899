//! Which branches and instructions of the target its cases cover, and why they do not cover the
//! others.
//!
//! A branch is an edge of a conditional jump or switch in the target's own bytecode; the cases of a
//! switch that lead to one place are one edge. Exceptions are no branches.
//!
//! The rules decide what is covered: a conditional jump is a choice predicate, and each of its rules
//! starts where an edge leads. For an edge that no case takes, the paths that were left decide why: one of
//! them may have taken the edge before it was left, which its rules say, and if control can get from the place
//! where it was left to the edge, it might have taken it later. Otherwise no input takes the edge: all other paths
//! were followed to their ends.

mod program;
mod recursion;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use petrel_classfile::{Code, Instruction, op};
use petrel_clp::{End, MethodRef, PredicateKind, Procedure, Rule};
use petrel_engine::Limit;
use petrel_program::control_flow::{ControlFlow, NodeId, can_throw, falls_through};
use petrel_program::{Program, ResolvedMethod};
use petrel_translate::TranslateError;
use petrel_translate::cache::Procedures;

use crate::case::{Incomplete, RuleApplied, Summary};
use crate::overflow::{Arithmetic, Operations, OverflowSummary, operations};

pub use program::{MethodCoverage, ProgramCoverage};

/// What the cases of a target cover.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Edges of conditional jumps and switches.
    pub branches: BranchCount,
    /// Instructions.
    pub instructions: InstructionCount,
    /// The edges that no case takes, in the order of the code.
    pub uncovered: Vec<UncoveredBranch>,
    /// The operations that may overflow, in the order of the code, if it was asked which do.
    pub operations: Vec<JudgedOperation>,
}

/// An operation of the target's own code, with what is known of its overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedOperation {
    /// The operation.
    pub arithmetic: Arithmetic,
    /// Why no input is known that makes it overflow, unless one is. If it is infeasible there is none.
    pub why_not: Option<Why>,
}

impl JudgedOperation {
    /// Its verdict in reports for scripts: `overflows`, `cannot_overflow`, or why neither is known.
    pub fn verdict(&self) -> &'static str {
        match self.why_not {
            None => "overflows",
            Some(Why::Infeasible) => "cannot_overflow",
            Some(why) => why.name(),
        }
    }
}

/// Numbers of branches. All others add up to `total`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BranchCount {
    /// All.
    pub total: u32,
    /// Those that a case takes.
    pub covered: u32,
    /// Those that no input takes.
    pub infeasible: u32,
    /// Those behind a cut of the termination criterion, and those that only paths take which were not
    /// asked for ([`Why::Excluded`]).
    pub beyond_bound: u32,
    /// Those behind something unsupported.
    pub unsupported: u32,
    /// Those whose inputs no program can construct.
    pub not_constructible: u32,
    /// Those that may only be on paths which were not selected.
    pub not_selected: u32,
    /// Those behind a limit.
    pub budget: u32,
    /// Those behind a constraint that the solver could not decide.
    pub unknown: u32,
}

/// Numbers of instructions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InstructionCount {
    /// All.
    pub total: u32,
    /// Those that a case executes.
    pub covered: u32,
}

/// A branch that no case takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UncoveredBranch {
    /// Offset of the jump.
    pub pc: u16,
    /// Its source line; 0 if the class file does not say.
    pub line: u16,
    /// Offset of the instruction that the branch leads to.
    pub target_pc: u16,
    /// Why no case takes it.
    pub why: Why,
}

/// Why no case takes a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// No input takes it.
    Infeasible,
    /// The termination criterion cut the paths that might.
    BeyondBound,
    /// Paths that end in an exception were not asked for, and only such a path may take it.
    Excluded,
    /// Not all paths were selected: by a trace, a policy, or because others were enough.
    NotSelected,
    /// The paths that might ended at something unsupported.
    Unsupported,
    /// The paths that might reached a limit.
    Budget,
    /// The solver could not decide whether the paths that might exist.
    Unknown,
}

impl Why {
    /// The name in reports; those of [`BranchCount`], and `excluded`.
    pub fn name(self) -> &'static str {
        match self {
            Why::Infeasible => "infeasible",
            Why::BeyondBound => "beyond_bound",
            Why::Excluded => "excluded",
            Why::NotSelected => "not_selected",
            Why::Unsupported => "unsupported",
            Why::Budget => "budget",
            Why::Unknown => "unknown",
        }
    }
}

impl BranchCount {
    /// Adds the numbers of other code.
    pub fn add(&mut self, other: &BranchCount) {
        let BranchCount {
            total,
            covered,
            infeasible,
            beyond_bound,
            unsupported,
            not_constructible,
            not_selected,
            budget,
            unknown,
        } = *other;
        self.total += total;
        self.covered += covered;
        self.infeasible += infeasible;
        self.beyond_bound += beyond_bound;
        self.unsupported += unsupported;
        self.not_constructible += not_constructible;
        self.not_selected += not_selected;
        self.budget += budget;
        self.unknown += unknown;
    }

    fn count(&mut self, why: Why) {
        let counter = match why {
            Why::Infeasible => &mut self.infeasible,
            Why::BeyondBound | Why::Excluded => &mut self.beyond_bound,
            Why::NotSelected => &mut self.not_selected,
            Why::Unsupported => &mut self.unsupported,
            Why::Budget => &mut self.budget,
            Why::Unknown => &mut self.unknown,
        };
        *counter += 1;
    }
}

/// An edge: offsets of the jump and of the instruction that it leads to.
pub type Edge = (u16, u16);

/// What a case executes of its target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Executed {
    /// Edges of conditional jumps and switches.
    pub edges: BTreeSet<Edge>,
    /// Offsets of instructions.
    pub instructions: BTreeSet<u16>,
}

impl Executed {
    /// Adds what another case executes.
    pub fn add(&mut self, other: &Executed) {
        self.edges.extend(&other.edges);
        self.instructions.extend(&other.instructions);
    }

    /// Whether it has all that another one has.
    pub fn includes(&self, other: &Executed) -> bool {
        self.edges.is_superset(&other.edges) && self.instructions.is_superset(&other.instructions)
    }
}

/// The code of a target, to be asked what rules stand for.
pub struct TargetCode {
    code: Code,
    edges: BTreeSet<Edge>,
    procedure: Arc<Procedure>,
}

impl TargetCode {
    /// The code of a method; `None` if it has none.
    ///
    /// # Errors
    ///
    /// If the method has no translation.
    pub fn of(
        procedures: &Procedures<'_>,
        method: &ResolvedMethod,
    ) -> Result<Option<TargetCode>, TranslateError> {
        let code = method.class().file.code(method.declaration())?;
        Ok(code.zip(procedures.get(method)?).map(|(code, procedure)| {
            let edges = all_edges(&code);
            TargetCode { code, edges, procedure }
        }))
    }

    /// What the rules of a case execute.
    pub fn executed(&self, rules: &[RuleApplied]) -> Executed {
        let applied = Applied::of(&self.procedure, rules.iter());
        let edges = self.edges.iter().copied();
        let edges = edges.filter(|&edge| applied.takes(&self.code, edge)).collect();
        Executed { edges, instructions: applied.instructions }
    }

    /// Whether nothing is left to be executed.
    pub fn is_all(&self, executed: &Executed) -> bool {
        self.are_all_edges(executed) && executed.instructions.len() == self.code.instructions.len()
    }

    /// The edges of conditional jumps and switches.
    pub fn edges(&self) -> &BTreeSet<Edge> {
        &self.edges
    }

    /// The edges that the rules have: the translation leaves out what certainly never runs.
    pub fn translated_edges(&self) -> BTreeSet<Edge> {
        let all = Applied::of_all(&self.procedure);
        self.edges.iter().copied().filter(|&edge| all.takes(&self.code, edge)).collect()
    }

    /// Whether all edges are taken.
    pub fn are_all_edges(&self, executed: &Executed) -> bool {
        executed.edges.len() == self.edges.len()
    }

    /// The operations that may overflow.
    pub(crate) fn operations(&self) -> Operations {
        operations(&self.procedure)
    }

    /// How many instructions may overflow.
    pub fn n_operations(&self) -> usize {
        let pcs = self.operations().into_values().map(|operation| operation.pc);
        pcs.collect::<BTreeSet<u16>>().len()
    }

    /// The source line of an instruction.
    pub fn line(&self, pc: u16) -> Option<u16> {
        self.code.line_at(pc)
    }
}

impl Coverage {
    /// What the cases of a method cover. `project` are the internal names of the classes of the
    /// class path.
    ///
    /// # Errors
    ///
    /// If the method has no translation.
    pub fn of(
        procedures: &Procedures<'_>,
        project: &[String],
        method: &ResolvedMethod,
        summary: &Summary,
    ) -> Result<Coverage, TranslateError> {
        let code = method.class().file.code(method.declaration())?;
        let (Some(code), Some(procedure)) = (code, procedures.get(method)?) else {
            return Ok(Coverage::default());
        };
        let flow = ControlFlow::of(&code)?;
        let calls_itself = || recursion::may_call_itself(procedures, project, method);
        Ok(measure(&flow, &procedure, summary, &calls_itself))
    }
}

fn measure(
    flow: &ControlFlow<'_>,
    procedure: &Procedure,
    summary: &Summary,
    calls_itself: &dyn Fn() -> bool,
) -> Coverage {
    let code = flow.code();
    let edges = all_edges(code);
    let applied = Applied::of(procedure, summary.rules.iter());
    let translated = Applied::of_all(procedure);
    let reasons = Reasons::new(flow, procedure, summary, calls_itself);
    let mut coverage = Coverage {
        branches: BranchCount { total: edges.len() as u32, ..BranchCount::default() },
        instructions: InstructionCount {
            total: code.instructions.len() as u32,
            covered: applied.instructions.len() as u32,
        },
        uncovered: Vec::new(),
        operations: Vec::new(),
    };
    if let Some(known) = &summary.overflow {
        coverage.operations = judge_operations(procedure, known, &reasons);
    }
    // The engine has a model of some methods of the class library, which says nothing of their code.
    let is_modelled = summary.steps == 0 && summary.ends.returned + summary.ends.threw > 0;
    let is_class_missing =
        summary.ends.limits.keys().any(|limit| matches!(limit, Limit::MissingClass(_)));
    for edge in edges {
        if applied.takes(code, edge) {
            coverage.branches.covered += 1;
            continue;
        }
        // The translation leaves out what certainly never runs; but that is not certain without all classes.
        let is_judged = translated.takes(code, edge) || is_class_missing;
        let why = match (is_modelled, is_judged) {
            (true, _) => Why::Unsupported,
            (false, true) => reasons.why(code, edge),
            (false, false) => Why::Infeasible,
        };
        let (pc, target_pc) = edge;
        let line = code.line_at(pc).unwrap_or_default();
        coverage.branches.count(why);
        coverage.uncovered.push(UncoveredBranch { pc, line, target_pc, why });
    }
    coverage
}

/// What is known of the operations that may overflow.
fn judge_operations(
    procedure: &Procedure,
    known: &OverflowSummary,
    reasons: &Reasons,
) -> Vec<JudgedOperation> {
    let all: BTreeSet<Arithmetic> = operations(procedure).into_values().collect();
    let judge = |arithmetic: Arithmetic| {
        let pc = arithmetic.pc;
        let why_not = if known.found.contains(&pc) {
            None
        } else if known.undecided.contains(&pc) {
            Some(Why::Unknown)
        } else {
            Some(reasons.why_at(pc, known.left.contains(&pc)))
        };
        JudgedOperation { arithmetic, why_not }
    };
    all.into_iter().map(judge).collect()
}

/// The bytecode of a method, if it has some.
pub(crate) fn bytecode(classes: &Program, method: &MethodRef) -> Option<Code> {
    let class = classes.class(&method.class).ok()?;
    let is_it = |known: &ResolvedMethod| {
        known.name() == &*method.name && known.descriptor() == &*method.descriptor
    };
    let method = class.methods().find(is_it)?;
    method.class().file.code(method.declaration()).ok()?
}

/// The edges of all conditional jumps and switches.
pub(crate) fn all_edges(code: &Code) -> BTreeSet<Edge> {
    let instructions = code.instructions.iter().enumerate();
    instructions
        .filter(|(_, instruction)| is_branch(instruction.opcode.byte()))
        .flat_map(|(index, instruction)| edges(code, index, instruction))
        .collect()
}

/// Whether an instruction is a conditional jump or a switch.
pub(crate) fn is_branch(opcode: u8) -> bool {
    matches!(
        opcode,
        op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL | op::TABLESWITCH | op::LOOKUPSWITCH
    )
}

/// The edges of a conditional jump or switch; some may be the same.
fn edges(code: &Code, index: usize, instruction: &Instruction) -> Vec<Edge> {
    let pc = instruction.pc;
    let mut edges = Vec::new();
    instruction.for_each_target(|target| edges.push((pc, target)));
    if falls_through(instruction.opcode.byte()) {
        edges.extend(code.instructions.get(index + 1).map(|next| (pc, next.pc)));
    }
    edges
}

/// What some of the rules of a procedure stand for.
struct Applied {
    edges: BTreeSet<Edge>,
    instructions: BTreeSet<u16>,
}

impl Applied {
    /// The rules that cases apply.
    fn of<'a>(procedure: &Procedure, rules: impl Iterator<Item = &'a RuleApplied>) -> Applied {
        let rules = rules.filter_map(|applied| {
            let predicate = applied.predicate as usize;
            Some((
                predicate,
                procedure.predicates.get(predicate)?.rules.get(applied.rule as usize)?,
            ))
        });
        Applied::collect(procedure, rules)
    }

    fn of_all(procedure: &Procedure) -> Applied {
        let predicates = procedure.predicates.iter().enumerate();
        let rules = predicates
            .flat_map(|(number, predicate)| predicate.rules.iter().map(move |rule| (number, rule)));
        Applied::collect(procedure, rules)
    }

    fn collect<'a>(
        procedure: &Procedure,
        rules: impl Iterator<Item = (usize, &'a Rule)>,
    ) -> Applied {
        let mut applied = Applied { edges: BTreeSet::new(), instructions: BTreeSet::new() };
        for (predicate, rule) in rules {
            applied.instructions.extend(rule.instructions.iter().map(|instruction| instruction.pc));
            let predicate = &procedure.predicates[predicate];
            if predicate.kind == PredicateKind::Choice
                && let Some(start) = starts_at(procedure, rule)
            {
                applied.edges.insert((predicate.pc, start));
            }
        }
        applied
    }

    /// Whether the rules take an edge. A switch with one target for everything is no choice: who
    /// executes it takes its only edge.
    fn takes(&self, code: &Code, edge: Edge) -> bool {
        let is_only = || {
            code.index_of(edge.0).is_some_and(|index| {
                let all = edges(code, index, &code.instructions[index]);
                all.iter().all(|other| *other == edge)
            })
        };
        self.edges.contains(&edge) || (self.instructions.contains(&edge.0) && is_only())
    }
}

/// Where a rule of a choice goes on: at its first instruction; without one, where the predicate starts
/// that it leads to.
fn starts_at(procedure: &Procedure, rule: &Rule) -> Option<u16> {
    match (rule.instructions.first(), &rule.end) {
        (Some(instruction), _) => Some(instruction.pc),
        (None, End::Continue(target, _)) => Some(procedure.predicates.get(target.index())?.pc),
        (None, _) => None,
    }
}

/// In this order: the first that applies is given.
const ORDER: [(Incomplete, Why); 7] = [
    (Incomplete::Unsupported, Why::Unsupported),
    (Incomplete::Defect, Why::Unknown),
    (Incomplete::Unknown, Why::Unknown),
    (Incomplete::Limit, Why::Budget),
    (Incomplete::LeftOut, Why::Budget),
    (Incomplete::Time, Why::Budget),
    (Incomplete::Cut, Why::BeyondBound),
];

/// What stands between the cases and the branches that they do not take.
struct Reasons {
    /// What the paths that were left have to do with the code, for each of [`ORDER`].
    around: [Around; ORDER.len()],
    /// Why an edge is not taken that is on none of those paths.
    otherwise: Why,
}

/// The paths that were left for one reason.
struct Around {
    /// What they took before.
    taken: Applied,
    /// Offsets of the instructions where they were left.
    places: BTreeSet<u16>,
    /// Where control gets to from there, those places included.
    behind: BTreeSet<u16>,
}

impl Reasons {
    /// A path that is left in a method that the target calls may go on behind that call. If the target
    /// can be called again, a path may go on everywhere: the second call takes branches of the same
    /// code.
    fn new(
        flow: &ControlFlow<'_>,
        procedure: &Procedure,
        summary: &Summary,
        calls_itself: &dyn Fn() -> bool,
    ) -> Reasons {
        let everywhere = !summary.cuts.is_empty() && calls_itself();
        let graph = Graph::of(flow);
        let around = ORDER.map(|(incomplete, _)| {
            let cuts = summary.cuts.iter().filter(|cut| cut.why == incomplete);
            let places: BTreeSet<u16> =
                cuts.map(|cut| if everywhere { 0 } else { cut.pc }).collect();
            let of_it = |(why, _): &&(Incomplete, RuleApplied)| *why == incomplete;
            let rules = summary.left_rules.iter().filter(of_it).map(|(_, rule)| rule);
            let behind = graph.reachable(&places);
            Around { taken: Applied::of(procedure, rules), places, behind }
        });
        // Of excluded paths it is not known where they went.
        let otherwise = if summary.is_selective {
            Why::NotSelected
        } else if summary.ends.excluded > 0 {
            Why::Excluded
        } else {
            Why::Infeasible
        };
        Reasons { around, otherwise }
    }

    fn why(&self, code: &Code, edge: Edge) -> Why {
        let (jump, target) = edge;
        if self.otherwise == Why::NotSelected {
            return self.otherwise;
        }
        let is_around = |around: &Around| {
            around.behind.contains(&jump)
                || around.places.contains(&target)
                || around.taken.takes(code, edge)
        };
        let position = self.around.iter().position(is_around);
        position.map_or(self.otherwise, |position| ORDER[position].1)
    }

    /// Why something at an instruction was not seen that every path was asked for which executed it. `is_left` if it may
    /// happen on a path that was left behind the instruction.
    fn why_at(&self, pc: u16, is_left: bool) -> Why {
        if self.otherwise == Why::NotSelected {
            return self.otherwise;
        }
        let is_around = |around: &Around| {
            around.behind.contains(&pc) || (is_left && around.taken.instructions.contains(&pc))
        };
        let position = self.around.iter().position(is_around);
        position.map_or(self.otherwise, |position| ORDER[position].1)
    }
}

/// The control flow, exceptions included.
struct Graph {
    /// The offset of each node's instruction.
    offsets: Vec<u16>,
    successors: Vec<Vec<NodeId>>,
}

impl Graph {
    fn of(flow: &ControlFlow<'_>) -> Graph {
        let nodes = 0..flow.len() as NodeId;
        let offsets = nodes.clone().map(|node| flow.instruction(node).pc).collect();
        let successors = nodes.map(|node| successors(flow, node)).collect();
        Graph { offsets, successors }
    }

    /// Offsets of what control gets to from some offsets; those included.
    fn reachable(&self, from: &BTreeSet<u16>) -> BTreeSet<u16> {
        let mut seen = vec![false; self.successors.len()];
        let starts = (0..).zip(&self.offsets).filter(|(_, offset)| from.contains(offset));
        let mut open: Vec<NodeId> = starts.map(|(node, _)| node).collect();
        let mut reached = BTreeSet::new();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                reached.insert(self.offsets[node as usize]);
                open.extend(&self.successors[node as usize]);
            }
        }
        reached
    }
}

fn successors(flow: &ControlFlow<'_>, node: NodeId) -> Vec<NodeId> {
    let mut successors: Vec<NodeId> = flow.next(node).into_iter().collect();
    successors.extend(flow.targets(node));
    if can_throw(flow.instruction(node).opcode.byte()) {
        successors.extend(flow.handlers(node).map(|(_, handler)| handler));
    }
    successors
}
