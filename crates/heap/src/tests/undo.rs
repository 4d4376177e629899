//! Going back: everything is as if what was done since had never happened.

use petrel_solver::{Constraint, Expr, Node, TermId};
use proptest::prelude::*;

use super::initial::heap;
use super::program::program;
use super::repeatable;
use super::session::{Mode, Session};
use super::world::Dictionary;
use crate::log::{Cell, Location};

/// All that can be seen of a path.
#[derive(Debug, PartialEq)]
struct Dump {
    terms: Vec<(Node, Vec<Expr>, (i64, i64))>,
    unknowns: usize,
    constraints: Vec<(Constraint, bool)>,
    cells: Vec<(Location, Cell)>,
    inputs: Vec<String>,
    has_writes: bool,
    held: Vec<Expr>,
    mark: crate::solver::Mark,
    world: Dictionary,
    values: Vec<Expr>,
}

fn dump(session: &Session) -> Dump {
    let path = &session.path;
    let store = &path.solver.store;
    let terms = store.terms();
    let term = |number: u32| {
        let id = TermId(number);
        let node = terms.node(id);
        let elements = match node {
            Node::Select(_, table, _) => terms.table(table).to_vec(),
            _ => Vec::new(),
        };
        (node, elements, store.interval(Expr::Term(id)))
    };
    let mut held = Vec::new();
    path.heap.for_each_value(|value| held.push(value));
    let is_own = |number: usize| path.heap.is_own_constraint(number);
    let constraints = store.constraints().iter().cloned().enumerate();
    Dump {
        terms: (0..terms.len() as u32).map(term).collect(),
        unknowns: terms.unknowns().len(),
        constraints: constraints.map(|(number, it)| (it, is_own(number))).collect(),
        cells: path.heap.cells().map(|(location, cell)| (location, *cell)).collect(),
        inputs: path.heap.inputs().iter().map(|input| format!("{input:?}")).collect(),
        has_writes: path.heap.has_writes(),
        held,
        mark: path.heap.mark(),
        world: path.world.clone(),
        values: session.exprs.clone(),
    }
}

proptest! {
    #![proptest_config(repeatable(400))]

    #[test]
    fn going_back_restores_everything(
        heap in heap(),
        before in program(30),
        undone in program(30),
        after in program(30),
    ) {
        let mut fresh = Session::new(&heap, Mode::Plain);
        let mut used = Session::new(&heap, Mode::Plain);
        for action in &before.0 {
            fresh.run(action);
            used.run(action);
        }
        let saved = used.save();
        let expected = dump(&used);
        for action in &undone.0 {
            used.run(action);
        }
        used.restore(saved);
        prop_assert_eq!(&dump(&used), &expected);
        for action in &after.0 {
            fresh.run(action);
            used.run(action);
        }
        prop_assert_eq!(dump(&used), dump(&fresh));
        used.check_own();
    }

    #[test]
    fn going_back_step_by_step_restores_everything(
        heap in heap(),
        program in program(40),
    ) {
        let mut session = Session::new(&heap, Mode::Plain);
        let mut states = Vec::new();
        for action in &program.0 {
            states.push((dump(&session), session.save()));
            session.run(action);
        }
        for (expected, saved) in states.into_iter().rev() {
            session.restore(saved);
            prop_assert_eq!(dump(&session), expected);
        }
    }
}
