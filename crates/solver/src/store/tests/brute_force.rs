//! Random sessions with a store, checked after every action against all assignments.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use proptest::prelude::*;

use super::actions::{Action, action, beginning};
use crate::constraint::{Constraint, Membership};
use crate::evaluate::{self, compares, evaluate, holds};
use crate::store::{Cell, Guard, Mark, Simplified, Store, Use};
use crate::term::{Expr, Node, TermId, Unknown};

/// Everything that going back must restore.
#[derive(Debug, PartialEq)]
struct Dump {
    nodes: Vec<(Node, Kind)>,
    tables: usize,
    cells: Vec<Cell>,
    constraints: Vec<Constraint>,
    trail: usize,
    uses: Vec<Use>,
    guards: Vec<Guard>,
    connected: Vec<TermId>,
}

fn dump(store: &Store) -> Dump {
    assert!(store.queue.is_empty() && store.pending.is_empty());
    assert!(store.is_queued.iter().all(|&is_queued| !is_queued));
    let terms = store.terms();
    let ids = (0..terms.len() as u32).map(TermId);
    Dump {
        nodes: ids.map(|id| (terms.node(id), terms.kind(id))).collect(),
        tables: terms.table_count(),
        cells: store.cells.clone(),
        constraints: store.constraints.clone(),
        trail: store.trail.len(),
        uses: store.uses.clone(),
        guards: store.guards.clone(),
        connected: store.connected.clone(),
    }
}

/// A number in the store, and what it is for each assignment.
#[derive(Clone)]
struct Item {
    expr: Expr,
    values: Rc<[i64]>,
}

struct Saved {
    mark: Mark,
    dump: Dump,
    ints: usize,
    longs: usize,
    possible: Vec<bool>,
}

/// A store, with all assignments, and those that its constraints leave.
struct Session {
    store: Store,
    assignments: Vec<Vec<i64>>,
    possible: Vec<bool>,
    ints: Vec<Item>,
    longs: Vec<Item>,
    saved: Vec<Saved>,
    /// What the store said, in order.
    answers: Vec<String>,
}

impl Session {
    fn new(beginnings: [i64; 3]) -> Session {
        let mut store = Store::new();
        let mut assignments: Vec<Vec<i64>> = vec![Vec::new()];
        let mut unknowns = Vec::new();
        for (number, low) in beginnings.into_iter().enumerate() {
            let kind = if number == 2 { Kind::Long } else { Kind::Int };
            let high = low + 5;
            unknowns.push(store.unknown(Unknown { name: "x".into(), kind, low, high, own: 0 }));
            assignments = assignments
                .into_iter()
                .flat_map(|values| {
                    (low..=high).map(move |value| [values.as_slice(), &[value]].concat())
                })
                .collect();
        }
        let column = |number: usize| assignments.iter().map(|values| values[number]).collect();
        let unknown = |number: usize| Item { expr: unknowns[number], values: column(number) };
        let constant = |value: i64| Item {
            expr: Expr::Constant(value),
            values: vec![value; assignments.len()].into(),
        };
        let extremes = [i32::MIN.into(), i32::MAX.into()];
        let constants = [0, 1, -1, 2, 3, 7, 255, 32].into_iter();
        let mut ints = vec![unknown(0), unknown(1)];
        ints.extend(constants.clone().chain(extremes).map(constant));
        let mut longs = vec![unknown(2)];
        longs.extend(constants.chain(extremes).chain([i64::MIN, i64::MAX]).map(constant));
        let possible = vec![true; assignments.len()];
        Session {
            store,
            possible,
            ints,
            longs,
            saved: Vec::new(),
            answers: Vec::new(),
            assignments,
        }
    }

    fn of(&self, is_long: bool, choice: u8) -> Item {
        let items = if is_long { &self.longs } else { &self.ints };
        // Newer ones more often, so that terms grow.
        let back = (usize::from(choice) * usize::from(choice)) / 256;
        items[(items.len() - 1).saturating_sub(back * items.len() / 256)].clone()
    }

    fn add(&mut self, is_long: bool, expr: Expr, values: Rc<[i64]>) {
        self.answers.push(format!("{expr:?}"));
        self.check_values(expr, &values);
        let item = Item { expr, values };
        if is_long { self.longs.push(item) } else { self.ints.push(item) }
    }

    fn possible(&self) -> impl Iterator<Item = usize> {
        (0..self.assignments.len()).filter(|&number| self.possible[number])
    }

    fn value(&self, expr: Expr, assignment: usize) -> i64 {
        self.values(assignment)(expr)
    }

    fn values(&self, assignment: usize) -> impl Fn(Expr) -> i64 {
        let terms = self.store.terms();
        let values = evaluate(terms, &self.assignments[assignment], terms.len());
        move |expr| match expr {
            Expr::Constant(value) => value,
            Expr::Term(term) => values[term.index()],
        }
    }

    fn check_values(&self, expr: Expr, values: &[i64]) {
        for assignment in self.possible() {
            assert_eq!(self.value(expr, assignment), values[assignment], "{expr:?}");
        }
    }

    fn zip(one: &Item, other: &Item, combine: impl Fn(i64, i64) -> i64) -> Rc<[i64]> {
        one.values.iter().zip(&*other.values).map(|(&a, &b)| combine(a, b)).collect()
    }

    fn run(&mut self, action: &Action) {
        match action {
            &Action::Apply { operation, left, right } => {
                use Operation::*;
                let (left_long, right_long, is_long) = match operation {
                    ShiftLeft(kind) | ShiftRight(kind) | ShiftRightUnsigned(kind) => {
                        (kind == ArithmeticKind::Long, false, kind == ArithmeticKind::Long)
                    }
                    Compare(kind, _) => {
                        (kind == ArithmeticKind::Long, kind == ArithmeticKind::Long, false)
                    }
                    Convert(conversion) => {
                        let (from, to) = conversion.kinds();
                        (from == Kind::Long, false, to == Kind::Long)
                    }
                    other => {
                        let is_long = other.result_kind() == Kind::Long;
                        (is_long, is_long, is_long)
                    }
                };
                let (left, right) = (self.of(left_long, left), self.of(right_long, right));
                let values = Session::zip(&left, &right, |a, b| evaluate::apply(operation, a, b));
                let expr = self.store.apply(operation, left.expr, right.expr);
                self.add(is_long, expr, values);
            }
            &Action::Test { comparison, is_long, left, right } => {
                let (left, right) = (self.of(is_long, left), self.of(is_long, right));
                let values = Session::zip(&left, &right, |a, b| compares(comparison, a, b).into());
                let constraint = compare(comparison, is_long, left.expr, right.expr);
                let expr = self.store.test(&constraint);
                self.add(false, expr, values);
            }
            &Action::Choose { is_long, condition, then, otherwise } => {
                let condition = self.of(false, condition);
                let (then, otherwise) = (self.of(is_long, then), self.of(is_long, otherwise));
                let values = (0..self.assignments.len())
                    .map(|at| if condition.values[at] == 0 { &otherwise } else { &then }.values[at])
                    .collect();
                let kind = if is_long { Kind::Long } else { Kind::Int };
                let expr = self.store.choose(kind, condition.expr, then.expr, otherwise.expr);
                self.add(is_long, expr, values);
            }
            &Action::Select { is_long, elements, index } => {
                let elements = elements.map(|element| self.of(is_long, element));
                let index = self.of(false, index);
                let values = (0..self.assignments.len())
                    .map(|at| {
                        let index = usize::try_from(index.values[at]).ok();
                        index
                            .and_then(|index| elements.get(index))
                            .map_or(0, |item| item.values[at])
                    })
                    .collect();
                let kind = if is_long { Kind::Long } else { Kind::Int };
                let table = elements.iter().map(|item| item.expr).collect();
                let expr = self.store.select(kind, table, index.expr);
                self.add(is_long, expr, values);
            }
            Action::Opaque => {
                self.store.opaque(Kind::Int);
            }
            &Action::Assume { comparison, is_long, left, right } => {
                let (left, right) = (self.of(is_long, left), self.of(is_long, right));
                let truths = Session::zip(&left, &right, |a, b| compares(comparison, a, b).into());
                self.decide(compare(comparison, is_long, left.expr, right.expr), &truths);
            }
            Action::Among { value, constants, is_member } => {
                let value = self.of(false, *value);
                let is_wanted = |value: i64| {
                    let is_one = constants.iter().any(|&constant| i64::from(constant) == value);
                    i64::from(is_one == *is_member)
                };
                let truths: Rc<[i64]> =
                    value.values.iter().map(|&value| is_wanted(value)).collect();
                let constraint = Constraint::Among(Membership {
                    value: value.expr,
                    constants: constants.as_slice().into(),
                    is_member: *is_member,
                });
                let expr = self.store.test(&constraint);
                self.add(false, expr, Rc::clone(&truths));
                self.decide(constraint, &truths);
            }
            Action::Mark => self.save(),
            Action::Undo => self.restore(),
        }
    }

    fn save(&mut self) {
        self.saved.push(Saved {
            mark: self.store.mark(),
            dump: dump(&self.store),
            ints: self.ints.len(),
            longs: self.longs.len(),
            possible: self.possible.clone(),
        });
    }

    fn restore(&mut self) {
        let Some(saved) = self.saved.pop() else { return };
        self.store.undo(saved.mark);
        assert_eq!(dump(&self.store), saved.dump);
        self.ints.truncate(saved.ints);
        self.longs.truncate(saved.longs);
        self.possible = saved.possible;
    }

    /// Simplifies and assumes a constraint, whose truth for each assignment is known.
    fn decide(&mut self, constraint: Constraint, truths: &[i64]) {
        let before = dump(&self.store);
        let simplified = self.store.simplify(constraint);
        assert_eq!(dump(&self.store), before, "simplifying changes nothing");
        self.answers.push(format!("{simplified:?}"));
        let wanted = match simplified {
            Simplified::True => {
                assert!(self.possible().all(|assignment| truths[assignment] != 0));
                return;
            }
            Simplified::False => {
                assert!(self.possible().all(|assignment| truths[assignment] == 0));
                return;
            }
            Simplified::Open(wanted) => wanted,
        };
        for assignment in self.possible() {
            let truth = holds(&wanted, self.values(assignment));
            assert_eq!(truth, truths[assignment] != 0, "{wanted:?}");
        }
        self.save();
        let result = self.store.assume(wanted);
        for (is_possible, &truth) in self.possible.iter_mut().zip(truths) {
            *is_possible &= truth != 0;
        }
        self.answers.push(format!("{result:?}"));
        if result.is_err() {
            assert_eq!(self.possible().count(), 0, "a solution was lost");
            self.restore();
            return;
        }
        self.saved.pop();
        self.check_intervals();
    }

    /// All terms are in their intervals, for every assignment that is left.
    fn check_intervals(&mut self) {
        let terms = self.store.terms();
        for assignment in self.possible() {
            for (number, value) in
                evaluate(terms, &self.assignments[assignment], terms.len()).into_iter().enumerate()
            {
                let term = TermId(number as u32);
                let domain = self.store.domain(Expr::Term(term));
                assert!(
                    matches!(terms.node(term), Node::Opaque(..)) || domain.contains(value),
                    "{value} of {:?} is not in {domain:?}",
                    terms.node(term)
                );
                assert!(value != 0 || !self.store.is_not_zero(Expr::Term(term)));
            }
        }
        let intervals: Vec<_> = (0..terms.len() as u32)
            .map(|number| self.store.interval(Expr::Term(TermId(number))))
            .collect();
        self.answers.push(format!("{intervals:?}"));
    }
}

fn compare(comparison: Comparison, is_long: bool, left: Expr, right: Expr) -> Constraint {
    if is_long {
        Constraint::long(left, comparison, right)
    } else {
        Constraint::int(left, comparison, right)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn nothing_is_lost_and_everything_is_restored(
        beginnings in [beginning(), beginning(), beginning()],
        actions in proptest::collection::vec(action(), 1..50),
    ) {
        let mut session = Session::new(beginnings);
        for action in &actions {
            session.run(action);
        }
        while !session.saved.is_empty() {
            session.restore();
        }
    }

    #[test]
    fn answers_do_not_depend_on_what_was_undone(
        beginnings in [beginning(), beginning(), beginning()],
        garbage in proptest::collection::vec(action(), 1..40),
        actions in proptest::collection::vec(action(), 1..40),
    ) {
        let mut fresh = Session::new(beginnings);
        let mut used = Session::new(beginnings);
        used.save();
        for action in garbage.iter().filter(|action| !matches!(action, Action::Undo)) {
            used.run(action);
        }
        while !used.saved.is_empty() {
            used.restore();
        }
        used.answers.clear();
        for action in &actions {
            fresh.run(action);
            used.run(action);
            prop_assert_eq!(fresh.answers.last(), used.answers.last());
        }
        prop_assert_eq!(fresh.answers, used.answers);
        prop_assert_eq!(dump(&fresh.store), dump(&used.store));
    }
}
