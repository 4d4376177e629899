//! What a test case is, and what is told of the paths that became none.

use std::collections::BTreeMap;
use std::fmt;

use petrel_abstraction::RuleName;
use petrel_classfile::JavaString;
use petrel_clp::{ToldTrace, Trace};
pub use petrel_engine::SymbolicObject;
use petrel_engine::{
    Condition, Defect, Feature, InputAnswer, LeftOut, Limit, LinearCost, MadeBy, Place, Prefix,
    SourceLine,
};
use petrel_expression::Expression;
use petrel_solver::Statistics;
use petrel_value::{FieldValue, Heap, Value};

use crate::coverage::ProgramCoverage;
use crate::generate::ToldPaths;
use crate::overflow::{CaseOverflow, OverflowSummary};
use crate::parametric::Parametric;

/// How the call of a case ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It returns.
    Return,
    /// It throws an exception of this class (`java.lang.ArithmeticException`).
    Throw(String),
}

/// A case over source names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbolic {
    /// The arguments: names of unknowns.
    pub arguments: Vec<String>,
    /// The objects of the initial heap that the path looks at: named by the access path that leads to
    /// them first (`this`, `x.next`), with the fields and elements that it reads there.
    pub heap_in: Vec<SymbolicObject>,
    /// The result as a term, if there is one; a reference is an object of `heap_out`.
    pub result: Option<Expression>,
    /// Objects after the call that the result, the receiver or an argument reaches: name, class, and
    /// fields or elements as terms.
    pub heap_out: Vec<SymbolicObject>,
}

/// What the call of a concrete input gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// The returned value; `None` for `void` and for exceptions.
    pub value: Option<Value>,
    /// The message of the exception.
    pub message: Option<JavaString>,
    /// Why the message is not known, if making it takes something that is not supported.
    pub message_unknown: Option<String>,
    /// The receiver after the call; `None` for static methods and constructors.
    pub receiver: Option<Value>,
    /// The arguments after the call.
    pub arguments: Vec<Value>,
    /// The objects after the call that value, receiver and arguments refer to.
    pub heap: Heap,
    /// Whether anything of this depends on what the JVM does not fix.
    pub unstable: bool,
    /// Whether value or message do.
    pub unstable_result: bool,
}

/// Concrete inputs that take the path of a case, and what they give.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The receiver; `None` for static methods and constructors.
    pub receiver: Option<Value>,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// Static fields that are set before the call.
    pub statics: Vec<FieldValue>,
    /// What the world outside answers, in the order of the calls.
    pub answers: Vec<InputAnswer>,
    /// The objects that they refer to.
    pub heap: Heap,
    /// The expected output.
    pub output: Output,
}

impl Solution {
    /// Whether the call is the same: its receiver, its arguments, what is answered, and the objects that they refer to.
    pub fn is_same_call(&self, other: &Solution) -> bool {
        (&self.receiver, &self.arguments, &self.answers, &self.heap)
            == (&other.receiver, &other.arguments, &other.answers, &other.heap)
    }
}

/// A rule of the target's own procedure that a case applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleApplied {
    /// Number of the predicate in the procedure.
    pub predicate: u32,
    /// Number of the rule in the predicate, from 0.
    pub rule: u32,
}

/// What a case costs under a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseCost {
    /// The name of the model.
    pub model: String,
    /// What it counts: `bytes`.
    pub unit: Option<String>,
    /// What the first of the concrete inputs costs.
    pub value: i64,
    /// The cost as a function of the input, if it is one: `12 + 4*icap`.
    pub expression: Option<String>,
    /// If it is `constant + factor*x`: that.
    pub linear: Option<(i64, LinearCost)>,
    /// For models that count calls: how often each method was called, in the order of the first calls.
    pub calls: Option<Vec<(String, u64)>>,
    /// For models that are split up: what each part costs of `value`, the most expensive first.
    pub parts: Option<Vec<(String, i64)>>,
}

/// A test case: a path with inputs that take it.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// How it ends.
    pub outcome: Outcome,
    /// The case over source names.
    pub symbolic: Symbolic,
    /// What the path demands of its inputs, in the order of execution.
    pub condition: Vec<Condition>,
    /// What the policy demands of its inputs besides: `icap > 9`.
    pub wanted_if: Vec<String>,
    /// Concrete inputs: at least one.
    pub solutions: Vec<Solution>,
    /// The trace term.
    pub trace: ToldTrace,
    /// Source lines of the class path that are executed, each once, in order.
    pub lines: Vec<SourceLine>,
    /// The target's own rules that are applied, in ascending order.
    pub rules: Vec<RuleApplied>,
    /// The program's own rules that the path applied, those of other methods included; told only if cases are selected by them.
    pub program_rules: Vec<RuleName>,
    /// Applications of the program's own rules from the start of the path to its end.
    pub steps: u64,
    /// What it costs, for each model.
    pub costs: Vec<CaseCost>,
    /// The first place where the outcome depends on what the JVM does not fix.
    pub unstable_decision: Option<String>,
    /// Inputs that make operations overflow which do not in the cases before, if they are wanted.
    pub overflows: Vec<CaseOverflow>,
}

impl Case {
    /// All constraints of the path, each once.
    pub fn constraints(&self) -> Vec<&Expression> {
        self.tests(|_| true)
    }

    /// The constraints that the program's own code makes: not code that builds inputs, and the class library only if
    /// there are no others.
    pub fn own_condition(&self) -> Vec<&Expression> {
        let own = self.tests(|made_by| made_by == MadeBy::Program);
        if own.is_empty() { self.tests(|made_by| made_by != MadeBy::Building) } else { own }
    }

    fn tests(&self, is_wanted: impl Fn(MadeBy) -> bool) -> Vec<&Expression> {
        let mut tests: Vec<&Expression> = Vec::new();
        for condition in self.condition.iter().filter(|condition| is_wanted(condition.made_by)) {
            if !tests.contains(&&condition.test) {
                tests.push(&condition.test);
            }
        }
        tests
    }
}

/// Why a path is no case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Incomplete {
    /// The termination criterion cut it.
    Cut,
    /// A limit was reached.
    Limit,
    /// It is one, but it stands for others, too, that go another way from here on.
    LeftOut,
    /// The time was over, or somebody interrupted it.
    Time,
    /// The constraint solver gave up.
    Unknown,
    /// Something that Petrel does not do.
    Unsupported,
    /// A bug of Petrel.
    Defect,
}

impl From<&Limit> for Incomplete {
    fn from(limit: &Limit) -> Incomplete {
        match limit {
            Limit::Time | Limit::Interrupt => Incomplete::Time,
            _ => Incomplete::Limit,
        }
    }
}

/// Where paths of one kind were left: what follows there was not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cut {
    /// Why.
    pub why: Incomplete,
    /// Offset of the instruction of the target's own code that was under way (a call, if the path was
    /// left in a method that it calls).
    pub pc: u16,
    /// Whether it was left in a method that the target calls.
    pub in_callee: bool,
}

/// Something that ended paths: something unsupported, or a bug of Petrel.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stopped<T> {
    /// What.
    pub what: T,
    /// Where: the innermost place.
    pub place: Option<Place>,
}

/// Displays as `threads, at A.run()V (A.java:3)`.
impl<T: fmt::Display> fmt::Display for Stopped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{}, at {place}", self.what),
            None => write!(f, "{}", self.what),
        }
    }
}

/// How often paths ended in each way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ends {
    /// Cases that return.
    pub returned: u64,
    /// Cases that throw.
    pub threw: u64,
    /// Paths that end in an exception and were not wanted.
    pub excluded: u64,
    /// Paths that the policy leaves out.
    pub refused: u64,
    /// Derivations that differ from a case in the invariants of their inputs alone.
    pub same_path: u64,
    /// Sides of guards that no input takes.
    pub infeasible: u64,
    /// Paths that the termination criterion cut.
    pub cut: u64,
    /// Paths that reached a limit, by limit.
    pub limits: BTreeMap<Limit, u64>,
    /// Paths whose constraints the solver could not decide.
    pub unknown: u64,
    /// Paths that ended at something unsupported.
    pub unsupported: BTreeMap<Stopped<Feature>, u64>,
    /// Paths that ended at a bug of Petrel.
    pub defects: BTreeMap<Stopped<Defect>, u64>,
}

impl Ends {
    /// Adds the numbers of another part of the tree.
    pub fn add(&mut self, other: &Ends) {
        self.returned += other.returned;
        self.threw += other.threw;
        self.excluded += other.excluded;
        self.refused += other.refused;
        self.same_path += other.same_path;
        self.infeasible += other.infeasible;
        self.cut += other.cut;
        self.unknown += other.unknown;
        for (limit, count) in &other.limits {
            *self.limits.entry(limit.clone()).or_default() += count;
        }
        for (stopped, count) in &other.unsupported {
            *self.unsupported.entry(stopped.clone()).or_default() += count;
        }
        for (stopped, count) in &other.defects {
            *self.defects.entry(stopped.clone()).or_default() += count;
        }
    }

    /// The limits in the order of what is told of them.
    pub fn limits_in_order(&self) -> Vec<(&Limit, u64)> {
        let mut all: Vec<_> = self.limits.iter().map(|(limit, &count)| (limit, count)).collect();
        all.sort_by_cached_key(|(limit, _)| limit.to_string());
        all
    }

    /// What was not supported, in the order of what is told of it.
    pub fn unsupported_in_order(&self) -> Vec<(&Stopped<Feature>, u64)> {
        let mut all: Vec<_> = self.unsupported.iter().map(|(what, &count)| (what, count)).collect();
        all.sort_by_cached_key(|(stopped, _)| {
            let place = stopped.place.as_ref().map(ToString::to_string);
            (stopped.what.to_string(), place)
        });
        all
    }

    /// Whether every path was followed to its end, the termination criterion permitting.
    pub fn is_complete(&self) -> bool {
        self.limits.is_empty() && self.is_followed()
    }

    /// Whether every path was followed to its end, the termination criterion permitting, of a program whose static fields hold what
    /// initialisers have put there, of arrays that take what their static types say, and of what was asked for (`--heap
    /// lazy-no-alias` asks for some inputs, `--enable-assertions` for what `assert` says).
    pub fn is_complete_at_first(&self) -> bool {
        let is_usual = |limit: &Limit| {
            let Limit::LeftOut(what) = limit else { return false };
            matches!(
                what,
                LeftOut::StaticState(_)
                    | LeftOut::ElementTypes
                    | LeftOut::Aliases
                    | LeftOut::Assertions
            )
        };
        self.limits.keys().all(is_usual) && self.is_followed()
    }

    /// Whether every path was followed to its end, the termination criterion permitting; alternatives may have been left out.
    pub fn is_followed(&self) -> bool {
        let is_left_out = |limit: &Limit| matches!(limit, Limit::LeftOut(_));
        self.limits.keys().all(is_left_out)
            && self.unknown == 0
            && self.unsupported.is_empty()
            && self.defects.is_empty()
    }
}

/// What parts of a program cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile(BTreeMap<String, i64>);

impl Profile {
    /// Adds what parts cost.
    pub fn add<'a>(&mut self, parts: impl IntoIterator<Item = (&'a str, i64)>) {
        for (part, cost) in parts {
            match self.0.get_mut(part) {
                Some(sum) => *sum = sum.saturating_add(cost),
                None => {
                    self.0.insert(part.to_owned(), cost);
                }
            }
        }
    }

    /// The parts by name.
    pub fn parts(&self) -> impl Iterator<Item = (&str, i64)> {
        self.0.iter().map(|(part, &cost)| (&**part, cost))
    }

    /// The parts, the most expensive first.
    pub fn by_cost(&self) -> Vec<(&str, i64)> {
        let mut parts: Vec<(&str, i64)> = self.parts().collect();
        parts.sort_by_key(|(_, cost)| std::cmp::Reverse(*cost));
        parts
    }

    /// What they cost together.
    pub fn total(&self) -> i64 {
        self.parts().fold(0, |sum, (_, cost)| sum.saturating_add(cost))
    }
}

/// Something that was to be executed, and is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreached {
    /// What: `line 12`.
    pub point: String,
    /// Whether it is proved that no input executes it; else none does within the bound.
    pub is_infeasible: bool,
}

/// A derivation that was ended before its outcome by the termination criterion or by time: it can be gone on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// The part of the tree below its end.
    pub prefix: Prefix,
    /// Its trace so far; nothing for a part of the tree that was not begun.
    pub trace: Option<Trace>,
}

/// What is known when all paths have been looked at.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// How paths ended.
    pub ends: Ends,
    /// Whether paths were left out that may be possible: by a trace, a policy, or because others were
    /// enough.
    pub is_selective: bool,
    /// Traces that an abstraction proposed, and those of them that no input takes.
    pub traces: (u64, u64),
    /// Whether the traces were chosen by an estimate: other cases may be more expensive.
    pub is_estimate: bool,
    /// Points that no case executes.
    pub unreached: Vec<Unreached>,
    /// For each cost model, how costs that depend on the input compare with others.
    pub parametric: BTreeMap<String, Parametric>,
    /// Which operations overflow, if that was asked for.
    pub overflow: Option<OverflowSummary>,
    /// For each cost model that is split up, what each part costs in all cases together.
    pub profiles: BTreeMap<String, Profile>,
    /// The largest cost within each bound (`loop-3`), if that was asked for.
    pub growth: Vec<(String, i64)>,
    /// Where paths were left.
    pub cuts: std::collections::BTreeSet<Cut>,
    /// The target's own rules that paths applied before they were left, and why those were left.
    pub left_rules: std::collections::BTreeSet<(Incomplete, RuleApplied)>,
    /// The target's own rules that cases applied.
    pub rules: std::collections::BTreeSet<RuleApplied>,
    /// The paths that have cases, if inputs have to be valid.
    pub told_paths: ToldPaths,
    /// Whether no fewer cases satisfy the selection, if that was asked for: else they may.
    pub is_smallest: Option<bool>,
    /// What cases cover of the target and of the methods that it reaches, if that was asked for.
    pub program: Option<ProgramCoverage>,
    /// Derivations that can be gone on with, in the order of the tree, if they are kept.
    pub unfinished: Vec<Unfinished>,
    /// Applications of the program's own rules.
    pub steps: u64,
    /// What it cost: steps of the machines, initialisers included, of the solver and of abstractions.
    pub work: u64,
    /// Guards at which the derivation had to choose.
    pub choices: u64,
    /// What the solver did.
    pub solver: Statistics,
    /// Microseconds in all.
    pub elapsed_us: u64,
    /// Microseconds in the solver's complete procedure.
    pub solver_us: u64,
}

impl Summary {
    /// Notes that a limit was reached before everything was looked at: what is left may be anywhere.
    pub fn note_left_over(&mut self, limit: Limit) {
        self.cuts.insert(Cut { why: Incomplete::from(&limit), pc: 0, in_callee: false });
        *self.ends.limits.entry(limit).or_default() += 1;
    }

    /// Adds what is known of another part of the tree.
    pub fn add(&mut self, other: &Summary) {
        self.ends.add(&other.ends);
        self.is_selective |= other.is_selective;
        self.is_estimate |= other.is_estimate;
        self.cuts.extend(&other.cuts);
        self.left_rules.extend(&other.left_rules);
        self.rules.extend(&other.rules);
        for (path, &n_inputs) in &other.told_paths {
            self.told_paths.entry(path.clone()).or_insert(n_inputs);
        }
        self.unfinished.extend(other.unfinished.iter().cloned());
        for (model, parametric) in &other.parametric {
            self.parametric.entry(model.clone()).or_default().add(parametric);
        }
        for (model, profile) in &other.profiles {
            self.profiles.entry(model.clone()).or_default().add(profile.parts());
        }
        self.traces.0 += other.traces.0;
        self.traces.1 += other.traces.1;
        self.unreached.extend(other.unreached.iter().cloned());
        if let Some(other) = &other.overflow {
            self.overflow.get_or_insert_default().add(other);
        }
        self.steps += other.steps;
        self.work += other.work;
        self.choices += other.choices;
        self.solver.add(&other.solver);
        self.solver_us += other.solver_us;
    }
}
