//! Guidance towards program points in one derivation: ways from which none of the points that are missing can be reached
//! are left.
//!
//! So no part of the tree is derived twice, and none that a derivation of all paths would not derive.

use std::cell::RefCell;
use std::rc::Rc;

use petrel_abstraction::{AbstractProgram, Applied, Reach, RuleName};
use petrel_budget::Purse;
use petrel_engine::{AppliedRule, Forecast};

use crate::case::Case;
use crate::generate::names::RuleNames;
use crate::selection::{self, Covered};

/// Targets that no case has executed so far.
#[derive(Default)]
pub(super) struct Missing {
    targets: Vec<selection::Goal>,
    /// Changes with them.
    version: u64,
}

impl Missing {
    pub(super) fn new(targets: Vec<selection::Goal>) -> Missing {
        Missing { targets, version: 1 }
    }

    /// Takes those away that a case executes, and tells whether there are any.
    pub(super) fn is_new(&mut self, case: &Case) -> bool {
        let covered = Covered::by(case);
        let before = self.targets.len();
        self.targets.retain(|target| !covered.has(target));
        self.version += u64::from(self.targets.len() != before);
        self.targets.len() != before
    }

    pub(super) fn targets(&self) -> &[selection::Goal] {
        &self.targets
    }
}

/// A call that is under way, and the rule that it applied last.
#[derive(Debug, Clone, Copy)]
struct Call {
    depth: u32,
    applied: Applied,
}

/// Where a derivation is.
#[derive(Debug, Clone, Default)]
struct Position {
    calls: Vec<Call>,
    /// Rules that it has applied and that were wanted then: its path has to come to an end.
    passed: Vec<RuleName>,
}

/// Guides towards points.
pub(super) struct Towards<'a> {
    missing: Rc<RefCell<Missing>>,
    /// The version of them that is looked for.
    version: u64,
    reach: Reach<'a>,
    names: RuleNames,
    position: Position,
    marks: Vec<Position>,
    purse: Purse,
    /// No way is left before so much has been spent.
    from: u64,
}

impl<'a> Towards<'a> {
    pub(super) fn new(
        program: &'a AbstractProgram<'a>,
        missing: Rc<RefCell<Missing>>,
        purse: &Purse,
        from: u64,
    ) -> Towards<'a> {
        Towards {
            missing,
            version: 0,
            reach: Reach::new(program),
            names: RuleNames::new(program),
            position: Position::default(),
            marks: Vec::new(),
            purse: purse.clone(),
            from,
        }
    }

    /// Looks at what is missing by now.
    fn aim(&mut self) {
        let missing = self.missing.borrow();
        if self.version != missing.version {
            self.version = missing.version;
            self.reach
                .aim(missing.targets.iter().flat_map(|target| &target.rules).copied().collect());
            self.purse.spend(self.reach.work());
        }
    }

    fn applied(&mut self, rule: &AppliedRule<'_>) -> Applied {
        self.names.of(rule).map_or(Applied::Unknown, Applied::Known)
    }
}

impl Forecast for Towards<'_> {
    fn start(&mut self) {
        self.position = Position::default();
    }

    fn apply(&mut self, rule: &AppliedRule<'_>) {
        self.aim();
        let applied = self.applied(rule);
        let calls = &mut self.position.calls;
        while calls.last().is_some_and(|call| call.depth >= rule.depth) {
            calls.pop();
        }
        calls.push(Call { depth: rule.depth, applied });
        if let Applied::Known(name) = applied
            && self.reach.is_wanted(name)
        {
            self.position.passed.push(name);
        }
    }

    fn promise(&mut self, next: Option<&[AppliedRule<'_>]>, _: &[i64]) -> Option<i64> {
        if self.purse.spent() < self.from {
            return Some(0);
        }
        self.aim();
        let calls = self.position.calls.iter();
        let is_ahead = match next {
            None => self.reach.is_ahead(calls.map(|call| call.applied)),
            Some(rules) => rules.iter().any(|rule| {
                let applied = self.names.of(rule).map_or(Applied::Unknown, Applied::Known);
                let around = self.position.calls.iter().map(|call| (call.depth, call.applied));
                let around: Vec<Applied> = around
                    .take_while(|(depth, _)| *depth < rule.depth)
                    .map(|(_, applied)| applied)
                    .collect();
                matches!(applied, Applied::Known(name) if self.reach.is_wanted(name))
                    || self.reach.is_ahead(around.into_iter().chain([applied]))
            }),
        };
        // What was passed is executed once the path is at its end.
        let is_wanted = |&rule: &RuleName| self.reach.is_wanted(rule);
        (is_ahead || self.position.passed.iter().any(is_wanted)).then_some(0)
    }

    fn open_choice(&mut self) {
        self.marks.push(self.position.clone());
    }

    fn go_back(&mut self) {
        if let Some(mark) = self.marks.last() {
            self.position.clone_from(mark);
        }
    }

    fn close_choice(&mut self) {
        self.marks.pop();
    }
}
