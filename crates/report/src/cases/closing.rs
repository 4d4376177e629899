//! What is known when all paths have been looked at.

use std::fmt::Display;

use petrel_solver as solver;
use petrel_testcase as testcase;
use petrel_testcase::{Coverage, Summary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::members::Members;
use crate::text::Text;

/// What comes behind the cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Closing<'a> {
    /// The branches of the target's own code.
    pub branches: Branches,
    /// The branches that no case takes.
    pub uncovered_branches: Vec<Uncovered>,
    /// The instructions of the target's own code.
    pub instructions: Instructions,
    /// Whether no fewer cases satisfy the selection, if it asks for things to be executed; if not, fewer may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest_set: Option<bool>,
    /// The instructions of the target and of all methods that it reaches, if cases are selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program<'a>>,
    /// From when on a cost that depends on the input is the largest.
    pub parametric: Vec<Parametric<'a>>,
    /// For each cost model that is split up, what each part of the program costs in all cases together.
    #[serde(default, skip_serializing_if = "Members::is_empty")]
    pub profiles: Members<'a, Members<'a, i64>>,
    /// The largest cost within each bound.
    pub growth: Vec<Bound<'a>>,
    /// The operations of the target's own code that may overflow, if it was asked which do.
    pub overflow: Vec<JudgedOperation<'a>>,
    /// Points that no case executes.
    pub unreached: Vec<Unreached<'a>>,
    /// How paths ended.
    pub ends: Ends<'a>,
    /// What was done.
    pub stats: Statistics,
}

/// Numbers of branches. All others add up to `total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Branches {
    /// All.
    pub total: u32,
    /// Those that a case takes.
    pub covered: u32,
    /// Those that no input takes.
    pub infeasible: u32,
    /// Those behind a cut of the termination criterion.
    pub beyond_bound: u32,
    /// Those behind something unsupported.
    pub unsupported: u32,
    /// Those whose inputs no program can construct.
    pub not_constructible: u32,
    /// Those of paths that were not selected; not told of classes, whose branches are all wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_selected: Option<u32>,
    /// Those behind a limit.
    pub budget: u32,
    /// Those for which the solver gave up.
    pub unknown: u32,
}

/// A branch that no case takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Uncovered {
    /// Offset of the jump.
    pub pc: u16,
    /// Its source line; 0 if the class file does not say.
    pub line: u16,
    /// Offset of the instruction that the branch leads to.
    pub target_pc: u16,
    /// Why.
    pub why: Why,
}

/// Why no case takes a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// No input takes it.
    Infeasible,
    /// The termination criterion cut the paths that might.
    BeyondBound,
    /// Only a path that ends in an exception may take it, and those were not asked for.
    Excluded,
    /// Not all paths were selected.
    NotSelected,
    /// The paths that might ended at something unsupported.
    Unsupported,
    /// The paths that might reached a limit.
    Budget,
    /// The solver gave up.
    Unknown,
}

/// Numbers of instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instructions {
    /// All.
    pub total: u32,
    /// Those that a case executes.
    pub covered: u32,
}

/// The code of a target and of all methods that it reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Program<'a> {
    /// All instructions.
    pub instructions: Instructions,
    /// The methods, the target first.
    pub methods: Vec<MethodOfProgram<'a>>,
}

/// A method that a target reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MethodOfProgram<'a> {
    /// The method: `pkg/Class.name(descriptor)`.
    pub method: Text<'a>,
    /// Its instructions.
    pub instructions: Instructions,
}

/// A cost that depends on the input, and from when on it is the largest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parametric<'a> {
    /// The cost model.
    pub model: Text<'a>,
    /// The cost: `12 + 4*icap`.
    pub expr: Text<'a>,
    /// The largest cost that depends on no input.
    pub exceeds: Option<i64>,
    /// When it exceeds that: `icap > 9`. Without it, it always does.
    #[serde(rename = "if", default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Text<'a>>,
}

/// The largest cost within a bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bound<'a> {
    /// The bound: `loop-3`.
    pub bound: Text<'a>,
    /// The cost.
    pub value: i64,
}

/// An operation with what is known of its overflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedOperation<'a> {
    /// Offset of the instruction.
    pub pc: u16,
    /// Its source line; 0 if the class file does not say.
    pub line: u16,
    /// `addition`, `subtraction`, `multiplication`, `division` or `negation`.
    pub operation: Text<'a>,
    /// `int` or `long`.
    #[serde(rename = "type")]
    pub type_name: Text<'a>,
    /// What is known.
    pub verdict: OverflowVerdict,
}

/// What is known of the overflow of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OverflowVerdict {
    /// Some input makes it overflow.
    Overflows,
    /// No input does.
    CannotOverflow,
    /// The termination criterion cut paths on which it may.
    BeyondBound,
    /// Only paths that end in an exception may, and those were not asked for.
    Excluded,
    /// Not all paths were selected.
    NotSelected,
    /// Something unsupported ended paths on which it may.
    Unsupported,
    /// A limit ended paths on which it may.
    Budget,
    /// The solver gave up.
    Unknown,
}

/// A point that no case executes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unreached<'a> {
    /// What: `line 12`.
    pub point: Text<'a>,
    /// Why.
    pub why: UnreachedWhy,
}

/// Why no case executes a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum UnreachedWhy {
    /// It is proved that no input executes it.
    #[serde(rename = "infeasible")]
    Infeasible,
    /// None does within the bound.
    #[serde(rename = "not reachable within the bound")]
    BeyondBound,
}

/// How often paths ended in each way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ends<'a> {
    /// Cases that return.
    pub returned: u64,
    /// Cases that throw.
    pub threw: u64,
    /// Paths that end in an exception and were not wanted.
    pub excluded: u64,
    /// Paths that the policy leaves out.
    pub refused: u64,
    /// Derivations that differ from a case in the invariants of their inputs alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_path: Option<u64>,
    /// Sides of guards that no input takes.
    pub infeasible: u64,
    /// Paths that the termination criterion cut.
    pub cut: u64,
    /// Paths that reached a limit, by limit.
    pub limit: Members<'a, u64>,
    /// Paths whose constraints the solver could not decide.
    pub unknown: u64,
    /// Paths that ended at something unsupported.
    pub unsupported: Vec<Stopped<'a>>,
    /// Paths that ended at a bug of Petrel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defects: Vec<Stopped<'a>>,
}

/// Something that ended paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stopped<'a> {
    /// What.
    pub what: Text<'a>,
    /// Where; empty if it is nowhere in particular.
    #[serde(rename = "where")]
    pub place: Text<'a>,
    /// How many paths.
    pub count: u64,
}

/// What was done. The first names are those that scripts know; all counters of the solver follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statistics {
    /// Applications of the program's own rules.
    pub steps: u64,
    /// Microseconds in all.
    pub elapsed_us: u64,
    /// Microseconds in the solver's complete procedure.
    pub solver_us: u64,
    /// Questions to the complete procedure.
    pub solver_queries: u64,
    /// Whether the traces were chosen by an estimate: other cases may be more expensive.
    pub is_estimate: bool,
    /// Traces that an abstraction proposed.
    pub traces_generated: u64,
    /// Those of them that no input takes.
    pub traces_infeasible: u64,
    /// Guards at which the derivation had to choose.
    pub choices: u64,
    /// What the solver did.
    #[serde(flatten)]
    pub solver: solver::Statistics,
}

impl<'a> Closing<'a> {
    pub(super) fn of(summary: &'a Summary, coverage: &'a Coverage) -> Closing<'a> {
        let growth = summary.growth.iter();
        Closing {
            branches: Branches::of(&coverage.branches),
            uncovered_branches: coverage.uncovered.iter().map(Uncovered::of).collect(),
            instructions: coverage.instructions.into(),
            smallest_set: summary.is_smallest,
            program: summary.program.as_ref().map(Program::of),
            parametric: parametric(summary),
            profiles: summary
                .profiles
                .iter()
                .map(|(model, profile)| {
                    let parts = profile.by_cost().into_iter();
                    let parts = parts.map(|(part, cost)| (Text::from(part), cost));
                    (Text::from(&**model), parts.collect())
                })
                .collect(),
            growth: growth
                .map(|(bound, value)| Bound { bound: Text::shown(bound), value: *value })
                .collect(),
            overflow: coverage.operations.iter().map(JudgedOperation::of).collect(),
            unreached: summary.unreached.iter().map(Unreached::of).collect(),
            ends: Ends::of(&summary.ends),
            stats: Statistics::of(summary),
        }
    }
}

impl From<testcase::InstructionCount> for Instructions {
    fn from(count: testcase::InstructionCount) -> Instructions {
        let testcase::InstructionCount { total, covered } = count;
        Instructions { total, covered }
    }
}

impl<'a> Program<'a> {
    fn of(coverage: &'a testcase::ProgramCoverage) -> Program<'a> {
        let methods = coverage.methods.iter().map(|known| MethodOfProgram {
            method: Text::shown(&known.method),
            instructions: known.instructions.into(),
        });
        Program { instructions: coverage.instructions().into(), methods: methods.collect() }
    }
}

impl Branches {
    /// The branches of a method whose paths may be selected.
    fn of(count: &testcase::BranchCount) -> Branches {
        Branches { not_selected: Some(count.not_selected), ..Branches::all(count) }
    }

    /// Branches of which all are wanted.
    pub(crate) fn all(count: &testcase::BranchCount) -> Branches {
        let &testcase::BranchCount {
            total,
            covered,
            infeasible,
            beyond_bound,
            unsupported,
            not_constructible,
            not_selected: _,
            budget,
            unknown,
        } = count;
        Branches {
            total,
            covered,
            infeasible,
            beyond_bound,
            unsupported,
            not_constructible,
            not_selected: None,
            budget,
            unknown,
        }
    }
}

impl Uncovered {
    fn of(branch: &testcase::UncoveredBranch) -> Uncovered {
        let &testcase::UncoveredBranch { pc, line, target_pc, why } = branch;
        Uncovered { pc, line, target_pc, why: why.into() }
    }
}

impl From<testcase::Why> for Why {
    fn from(why: testcase::Why) -> Why {
        match why {
            testcase::Why::Infeasible => Why::Infeasible,
            testcase::Why::BeyondBound => Why::BeyondBound,
            testcase::Why::Excluded => Why::Excluded,
            testcase::Why::NotSelected => Why::NotSelected,
            testcase::Why::Unsupported => Why::Unsupported,
            testcase::Why::Budget => Why::Budget,
            testcase::Why::Unknown => Why::Unknown,
        }
    }
}

fn parametric(summary: &Summary) -> Vec<Parametric<'_>> {
    let mut all = Vec::new();
    for (model, parametric) in &summary.parametric {
        for testcase::Exceeding { expression, condition } in parametric.exceeds() {
            all.push(Parametric {
                model: Text::from(&**model),
                expr: expression.into(),
                exceeds: parametric.largest,
                condition: condition.map(Text::from),
            });
        }
    }
    all
}

impl<'a> JudgedOperation<'a> {
    fn of(judged: &testcase::JudgedOperation) -> JudgedOperation<'a> {
        JudgedOperation {
            pc: judged.arithmetic.pc,
            line: judged.arithmetic.line,
            operation: judged.arithmetic.name().into(),
            type_name: judged.arithmetic.type_name().into(),
            verdict: judged.into(),
        }
    }
}

impl From<&testcase::JudgedOperation> for OverflowVerdict {
    fn from(judged: &testcase::JudgedOperation) -> OverflowVerdict {
        match judged.why_not {
            None => OverflowVerdict::Overflows,
            Some(testcase::Why::Infeasible) => OverflowVerdict::CannotOverflow,
            Some(testcase::Why::BeyondBound) => OverflowVerdict::BeyondBound,
            Some(testcase::Why::Excluded) => OverflowVerdict::Excluded,
            Some(testcase::Why::NotSelected) => OverflowVerdict::NotSelected,
            Some(testcase::Why::Unsupported) => OverflowVerdict::Unsupported,
            Some(testcase::Why::Budget) => OverflowVerdict::Budget,
            Some(testcase::Why::Unknown) => OverflowVerdict::Unknown,
        }
    }
}

impl<'a> Unreached<'a> {
    fn of(unreached: &'a testcase::Unreached) -> Unreached<'a> {
        let why = match unreached.is_infeasible {
            true => UnreachedWhy::Infeasible,
            false => UnreachedWhy::BeyondBound,
        };
        Unreached { point: Text::shown(&unreached.point), why }
    }
}

impl<'a> Ends<'a> {
    pub(crate) fn of(ends: &'a testcase::Ends) -> Ends<'a> {
        let limits = ends.limits_in_order().into_iter();
        let unsupported = ends.unsupported_in_order().into_iter();
        let defects = ends.defects.iter();
        Ends {
            returned: ends.returned,
            threw: ends.threw,
            excluded: ends.excluded,
            refused: ends.refused,
            same_path: Some(ends.same_path).filter(|&count| count > 0),
            infeasible: ends.infeasible,
            cut: ends.cut,
            limit: limits.map(|(limit, count)| (Text::shown(limit), count)).collect(),
            unknown: ends.unknown,
            unsupported: unsupported
                .map(|(of, count)| Stopped::of(&of.what, of.place.as_ref(), count))
                .collect(),
            defects: defects
                .map(|(of, &count)| Stopped::of(&of.what, of.place.as_ref(), count))
                .collect(),
        }
    }
}

impl<'a> Stopped<'a> {
    pub(crate) fn of(
        what: &'a dyn Display,
        place: Option<&'a testcase::Place>,
        count: u64,
    ) -> Stopped<'a> {
        let place = place.map_or_else(Text::default, |place| Text::shown(place));
        Stopped { what: Text::shown(what), place, count }
    }
}

impl Statistics {
    fn of(summary: &Summary) -> Statistics {
        Statistics {
            steps: summary.steps,
            elapsed_us: summary.elapsed_us,
            solver_us: summary.solver_us,
            solver_queries: summary.solver.queries + summary.solver.label_queries,
            is_estimate: summary.is_estimate,
            traces_generated: summary.traces.0,
            traces_infeasible: summary.traces.1,
            choices: summary.choices,
            solver: summary.solver,
        }
    }
}
