//! What is known of the finished part of a tree.

use std::collections::BTreeMap;

use petrel_solver::Statistics;
use petrel_testcase::{
    Cut, Defect, Ends, Feature, Incomplete, Limit, Parametric, Place, Profile, RuleApplied,
    Stopped, Summary,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Saved;

/// How often paths ended in each way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedEnds {
    /// Cases that return.
    pub returned: u64,
    /// Cases that throw.
    pub threw: u64,
    /// Paths that end in an exception and were not wanted.
    pub excluded: u64,
    /// Paths that the policy leaves out.
    pub refused: u64,
    /// Derivations that differ from a case in the invariants of their inputs alone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub same_path: u64,
    /// Sides of guards that no input takes.
    pub infeasible: u64,
    /// Paths whose constraints the solver could not decide.
    pub unknown: u64,
    /// Limits that were reached, and by how many paths.
    pub limits: Vec<(Limit, u64)>,
    /// What was not supported.
    pub unsupported: Vec<SavedStop<Feature>>,
    /// Bugs of Petrel.
    pub defects: Vec<SavedStop<Defect>>,
}

/// Something that ended paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedStop<T> {
    /// What.
    pub what: T,
    /// Where.
    #[serde(rename = "where")]
    pub place: Option<Place>,
    /// How many paths.
    pub count: u64,
}

/// Where paths were left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedCut {
    /// Why. What the termination criterion or time left can be gone on with, and is not here.
    pub why: CutWhy,
    /// Offset of the instruction of the target's own code that was under way.
    pub pc: u16,
    /// Whether that is a call, and the path was left in it.
    pub in_callee: bool,
}

/// A rule of the target's own that paths applied before they were left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedLeftRule {
    /// Why they were left.
    pub why: CutWhy,
    /// The number of the predicate.
    pub predicate: u32,
    /// The number of the rule.
    pub rule: u32,
}

/// Why paths were left for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CutWhy {
    /// A limit was reached.
    Limit,
    /// Alternatives were left out.
    LeftOut,
    /// The constraint solver gave up.
    Unknown,
    /// Something that Petrel does not do.
    Unsupported,
    /// A bug of Petrel.
    Defect,
}

/// How costs that depend on the input compare with those that do not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedParametric {
    /// The largest cost that depends on no input.
    pub largest: Option<i64>,
    /// Costs `constant + factor*x`: these, the text of `x`, and the smallest and the largest value that it has.
    pub linear: Vec<(i64, i64, String, i64, i64)>,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedStatistics {
    /// Applications of the program's own rules.
    pub steps: u64,
    /// Guards at which the derivation had to choose.
    pub choices: u64,
    /// Microseconds in the solver's complete procedure.
    pub solver_us: u64,
    /// What the solver did.
    pub solver: Statistics,
}

/// Whether nothing of a kind happened, which is not written.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Saved {
    /// What is known of the finished part.
    pub(super) fn summary(&self) -> Summary {
        let SavedStatistics { steps, choices, solver_us, solver } = self.stats;
        Summary {
            ends: self.ends.ends(),
            cuts: self.cuts.iter().map(|cut| cut.cut()).collect(),
            left_rules: self.left_rules.iter().map(|left| left.left_rule()).collect(),
            rules: self
                .rules
                .iter()
                .map(|&(predicate, rule)| RuleApplied { predicate, rule })
                .collect(),
            parametric: self
                .parametric
                .iter()
                .map(|(model, parametric)| (model.clone(), parametric.parametric()))
                .collect(),
            told_paths: self.told_paths.clone(),
            profiles: self
                .profiles
                .iter()
                .map(|(model, parts)| {
                    let mut profile = Profile::default();
                    profile.add(parts.iter().map(|(part, &cost)| (&**part, cost)));
                    (model.clone(), profile)
                })
                .collect(),
            steps,
            choices,
            solver_us,
            solver,
            ..Summary::default()
        }
    }
}

impl SavedEnds {
    pub(super) fn of(ends: &Ends) -> SavedEnds {
        SavedEnds {
            returned: ends.returned,
            threw: ends.threw,
            excluded: ends.excluded,
            refused: ends.refused,
            same_path: ends.same_path,
            infeasible: ends.infeasible,
            unknown: ends.unknown,
            limits: ends.limits.iter().map(|(limit, count)| (limit.clone(), *count)).collect(),
            unsupported: SavedStop::all(&ends.unsupported),
            defects: SavedStop::all(&ends.defects),
        }
    }

    fn ends(&self) -> Ends {
        Ends {
            returned: self.returned,
            threw: self.threw,
            excluded: self.excluded,
            refused: self.refused,
            same_path: self.same_path,
            infeasible: self.infeasible,
            // These are what is gone on with.
            cut: 0,
            limits: self.limits.iter().cloned().collect(),
            unknown: self.unknown,
            unsupported: SavedStop::stops(&self.unsupported),
            defects: SavedStop::stops(&self.defects),
        }
    }
}

impl<T: Clone + Ord> SavedStop<T> {
    fn all(stops: &BTreeMap<Stopped<T>, u64>) -> Vec<SavedStop<T>> {
        let stop = |(Stopped { what, place }, &count): (&Stopped<T>, &u64)| SavedStop {
            what: what.clone(),
            place: place.clone(),
            count,
        };
        stops.iter().map(stop).collect()
    }

    fn stops(all: &[SavedStop<T>]) -> BTreeMap<Stopped<T>, u64> {
        let stop = |SavedStop { what, place, count }: &SavedStop<T>| {
            (Stopped { what: what.clone(), place: place.clone() }, *count)
        };
        all.iter().map(stop).collect()
    }
}

impl SavedCut {
    pub(super) fn of(cut: &Cut) -> Option<SavedCut> {
        let why = CutWhy::of(cut.why)?;
        Some(SavedCut { why, pc: cut.pc, in_callee: cut.in_callee })
    }

    pub(super) fn cut(self) -> Cut {
        Cut { why: self.why.incomplete(), pc: self.pc, in_callee: self.in_callee }
    }
}

impl SavedLeftRule {
    pub(super) fn of(&(why, applied): &(Incomplete, RuleApplied)) -> Option<SavedLeftRule> {
        let RuleApplied { predicate, rule } = applied;
        Some(SavedLeftRule { why: CutWhy::of(why)?, predicate, rule })
    }

    fn left_rule(self) -> (Incomplete, RuleApplied) {
        let SavedLeftRule { why, predicate, rule } = self;
        (why.incomplete(), RuleApplied { predicate, rule })
    }
}

impl CutWhy {
    /// Nothing for what can be gone on with.
    fn of(why: Incomplete) -> Option<CutWhy> {
        Some(match why {
            Incomplete::Cut | Incomplete::Time => return None,
            Incomplete::Limit => CutWhy::Limit,
            Incomplete::LeftOut => CutWhy::LeftOut,
            Incomplete::Unknown => CutWhy::Unknown,
            Incomplete::Unsupported => CutWhy::Unsupported,
            Incomplete::Defect => CutWhy::Defect,
        })
    }

    fn incomplete(self) -> Incomplete {
        match self {
            CutWhy::Limit => Incomplete::Limit,
            CutWhy::LeftOut => Incomplete::LeftOut,
            CutWhy::Unknown => Incomplete::Unknown,
            CutWhy::Unsupported => Incomplete::Unsupported,
            CutWhy::Defect => Incomplete::Defect,
        }
    }
}

impl SavedParametric {
    pub(super) fn of(parametric: &Parametric) -> SavedParametric {
        let lines = parametric.linear.iter();
        let lines = lines.map(|((constant, factor, of), (low, high))| {
            (*constant, *factor, of.clone(), *low, *high)
        });
        SavedParametric { largest: parametric.largest, linear: lines.collect() }
    }

    fn parametric(&self) -> Parametric {
        let lines = self.linear.iter();
        let lines = lines.map(|(constant, factor, of, low, high)| {
            ((*constant, *factor, of.clone()), (*low, *high))
        });
        Parametric { largest: self.largest, linear: lines.collect() }
    }
}

impl SavedStatistics {
    pub(super) fn of(summary: &Summary) -> SavedStatistics {
        let &Summary { steps, choices, solver_us, solver, .. } = summary;
        SavedStatistics { steps, choices, solver_us, solver }
    }
}
