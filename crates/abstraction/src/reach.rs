//! What derivations can still come to: whether rules that are wanted can be reached ("A Framework for Guided Test Case
//! Generation in Constraint Logic Programming", Def. 8) from where a derivation is.
//!
//! Guards are left out, and code that traces do not show may call any method of the program: what is out of reach here is
//! out of reach in the program.

use petrel_clp::End;
use rustc_hash::FxHashSet;

use crate::program::{AbstractProgram, Outside, RuleName, Target};

/// From where rules that are wanted can be reached.
pub struct Reach<'a> {
    program: &'a AbstractProgram<'a>,
    /// The number of the first predicate of each procedure among all of them.
    first: Vec<usize>,
    /// The predicates with rules that lead to each.
    users: Vec<Vec<usize>>,
    /// The predicates with rules that lead to code that is not shown.
    users_of_outside: Vec<usize>,
    /// The predicates that lead to what is wanted, in their calls and in those that they make.
    leads: Vec<bool>,
    /// Whether code that is not shown may lead there.
    is_outside_leading: bool,
    wanted: FxHashSet<RuleName>,
}

/// The rule that a call under way applied last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// One of the program.
    Known(RuleName),
    /// One that is not shown.
    Unknown,
}

impl<'a> Reach<'a> {
    /// Nothing is wanted yet.
    pub fn new(program: &'a AbstractProgram<'a>) -> Reach<'a> {
        let mut first = Vec::with_capacity(program.procedures.len());
        let mut count = 0;
        for known in &program.procedures {
            first.push(count);
            count += known.procedure.predicates.len();
        }
        let mut reach = Reach {
            program,
            first,
            users: vec![Vec::new(); count],
            users_of_outside: Vec::new(),
            leads: vec![false; count],
            is_outside_leading: false,
            wanted: FxHashSet::default(),
        };
        for name in program.rules() {
            let user = reach.place(name.procedure, name.predicate);
            let used: Vec<usize> = reach.called(name).chain(reach.next(name)).collect();
            used.into_iter().for_each(|used| reach.users[used].push(user));
            if reach.calls_outside(name) {
                reach.users_of_outside.push(user);
            }
        }
        reach
    }

    /// How many predicates there are to look at when something else is wanted.
    pub fn work(&self) -> u64 {
        self.leads.len() as u64
    }

    /// From now on these rules are wanted.
    pub fn aim(&mut self, wanted: FxHashSet<RuleName>) {
        self.leads.fill(false);
        self.is_outside_leading = false;
        let places = wanted.iter().map(|name| self.place(name.procedure, name.predicate));
        let mut open: Vec<usize> = places.collect();
        self.wanted = wanted;
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut self.leads[place], true) {
                continue;
            }
            open.extend(&self.users[place]);
            if self.first.binary_search(&place).is_ok() && !self.is_outside_leading {
                self.is_outside_leading = true;
                open.extend(&self.users_of_outside);
            }
        }
    }

    /// Whether a rule is wanted.
    pub fn is_wanted(&self, rule: RuleName) -> bool {
        self.wanted.contains(&rule)
    }

    /// Whether what is wanted can be reached from where the calls under way have applied these rules last, the innermost last.
    pub fn is_ahead(&self, calls: impl DoubleEndedIterator<Item = Applied>) -> bool {
        calls.rev().enumerate().any(|(number, applied)| match applied {
            Applied::Unknown => self.is_outside_leading,
            Applied::Known(rule) => {
                // What a rule calls is behind it where that call is under way.
                let is_innermost = number == 0;
                let is_called = || self.called(rule).any(|place| self.leads[place]);
                let is_outside = || self.is_outside_leading && self.calls_outside(rule);
                self.next(rule).any(|place| self.leads[place])
                    || (is_innermost && (is_called() || is_outside()))
            }
        })
    }

    fn place(&self, procedure: u32, predicate: u32) -> usize {
        self.first[procedure as usize] + predicate as usize
    }

    /// The methods that a rule may call.
    fn called(&self, name: RuleName) -> impl Iterator<Item = usize> {
        let cases = match self.program.target(name) {
            Target::Inside { cases, .. } => &cases[..],
            _ => &[],
        };
        cases.iter().map(|case| self.place(case.procedure, 0))
    }

    /// What a rule goes on with.
    fn next(&self, name: RuleName) -> impl Iterator<Item = usize> + use<> {
        let next = match &self.program.rule(name).end {
            End::Continue(next, _) => Some(self.place(name.procedure, next.0)),
            End::Return(_) | End::Throw(_) => None,
        };
        next.into_iter()
    }

    /// Whether a rule may call code that is not shown and that may call methods of the program.
    fn calls_outside(&self, name: RuleName) -> bool {
        match self.program.target(name) {
            Target::Nowhere => false,
            Target::Initialise { .. } => true,
            Target::Outside(Outside { may_change }) => *may_change,
            Target::Inside { otherwise, .. } => otherwise.is_some_and(|of| of.may_change),
        }
    }
}
