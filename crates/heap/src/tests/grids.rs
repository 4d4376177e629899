//! New arrays of arrays, of unknown lengths: against plain arrays for all values of the indices.

use petrel_clp::Comparison;
use petrel_solver::{Expr, evaluate};
use proptest::prelude::*;

use super::fixture::Path;
use super::world::{OBJECT, REFERENCE_ELEMENTS};
use super::{NULL, repeatable};
use crate::world::Sort;

/// How many rows there are, and how many numbers in each of them.
const SIZE: usize = 3;

/// How many indices are unknown.
const UNKNOWNS: usize = 3;

#[test]
fn rows_are_the_same_object_if_and_only_if_their_indices_are_equal() {
    let mut path = Path::new();
    let [i, j] = ["i", "j"].map(|name| path.number(name, 0, 9));
    let grid = new_grid(&mut path);
    let [at_i, at_j] = [i, j].map(|index| path.get_reference(grid, index, OBJECT));
    let start = path.mark();
    path.ref_eq(at_i, at_j).unwrap();
    let difference = path.same(i, j);
    assert!(path.is(difference, 1));
    path.undo(&start);
    path.ref_neq(at_i, at_j).unwrap();
    let difference = path.same(i, j);
    assert!(path.is(difference, 0));
    let is_null = path.same(at_j, NULL);
    assert!(path.is(is_null, 0));
}

#[test]
fn a_row_that_was_looked_at_is_not_made_again() {
    let mut path = Path::new();
    let i = path.number("i", 0, 9);
    let grid = new_grid(&mut path);
    let row = path.get_reference(grid, i, OBJECT);
    let world = path.world.clone();
    assert_eq!(path.get_reference(grid, i, OBJECT), row);
    path.assume_compared(i, Comparison::Equal, 4).unwrap();
    assert_eq!(path.get_reference(grid, Expr::Constant(4), OBJECT), row);
    assert_eq!(path.world, world);
}

#[test]
fn rows_go_away_with_what_is_undone() {
    let mut path = Path::new();
    let i = path.number("i", 0, 9);
    let grid = new_grid(&mut path);
    let start = path.mark();
    let other = path.get_reference(grid, Expr::Constant(1), OBJECT);
    path.undo(&start);
    let row = path.get_reference(grid, i, OBJECT);
    // The place of the one that is gone is taken, and nothing is said of its index.
    assert_eq!(row, other);
    assert_eq!(path.get_reference(grid, Expr::Constant(7), OBJECT).constant(), None);
}

#[test]
fn rows_and_their_array_are_in_use() {
    let mut path = Path::new();
    let grid = new_grid(&mut path);
    let row = path.get_reference(grid, Expr::Constant(1), OBJECT);
    let mut held = Vec::new();
    path.heap.for_each_value(|value| held.push(value));
    assert_eq!(held, [grid, row]);
}

fn new_grid(path: &mut Path) -> Expr {
    let [n, m] = ["n", "m"].map(|name| path.number(name, 0, 9));
    path.world.new_grid(n, m)
}

/// An index: one of the unknowns, or a constant.
type Index = usize;

/// Something that is done with a grid and a copy of it.
#[derive(Debug, Clone, Copy)]
enum Action {
    /// `grids[g][i][j] = number`
    Set(usize, Index, Index, i64),
    /// `grids[g][i] = grids[h][j]`
    Replace(usize, Index, usize, Index),
    /// Copies a row: `System.arraycopy(grids[g], i, grids[h], 0, 1)`
    Copy(usize, usize, Index),
    /// `grids[g][i][j]`
    Get(usize, Index, Index),
    /// `grids[g][i] == grids[h][j]`
    Same(usize, Index, usize, Index),
}

fn action() -> impl Strategy<Value = Action> {
    let grid = || 0..2_usize;
    let index = || 0..UNKNOWNS + SIZE;
    prop_oneof![
        4 => (grid(), index(), index(), 1..9_i64).prop_map(|(g, i, j, n)| Action::Set(g, i, j, n)),
        2 => (grid(), index(), grid(), index()).prop_map(|(g, i, h, j)| Action::Replace(g, i, h, j)),
        1 => (grid(), grid(), index()).prop_map(|(g, h, i)| Action::Copy(g, h, i)),
        4 => (grid(), index(), index()).prop_map(|(g, i, j)| Action::Get(g, i, j)),
        2 => (grid(), index(), grid(), index()).prop_map(|(g, i, h, j)| Action::Same(g, i, h, j)),
    ]
}

/// What a program reads, as terms.
fn run(actions: &[Action], length_of_rows: Option<i64>) -> (Path, Vec<Expr>) {
    let mut path = Path::new();
    let last = SIZE as i64 - 1;
    let mut indices: Vec<Expr> = ["i", "j", "k"].map(|name| path.number(name, 0, last)).into();
    indices.extend((0..=last).map(Expr::Constant));
    let [n, m] = ["n", "m"].map(|name| path.number(name, last + 1, last + 1 + 9));
    let m = length_of_rows.map_or(m, Expr::Constant);
    let grids = [path.world.new_grid(n, m), path.world.new_grid(n, m)];
    let mut read = Vec::new();
    for &action in actions {
        let row =
            |path: &mut Path, g: usize, i: Index| path.get_reference(grids[g], indices[i], OBJECT);
        match action {
            Action::Set(g, i, j, number) => {
                let row = row(&mut path, g, i);
                path.set_int(row, indices[j], Expr::Constant(number));
            }
            Action::Replace(g, i, h, j) => {
                let row = row(&mut path, h, j);
                path.set_reference(grids[g], indices[i], row);
            }
            Action::Copy(g, h, i) => {
                let (from, to) = ((grids[g], indices[i]), (grids[h], Expr::Constant(0)));
                let (elements, sort) = (REFERENCE_ELEMENTS, Sort::Reference(OBJECT));
                let length = Expr::Constant(1);
                path.get(|heap, context| heap.copy(context, elements, sort, from, to, length));
            }
            Action::Get(g, i, j) => {
                let row = row(&mut path, g, i);
                read.push(path.get_int(row, indices[j]));
            }
            Action::Same(g, i, h, j) => {
                let rows = (row(&mut path, g, i), row(&mut path, h, j));
                read.push(path.same(rows.0, rows.1));
            }
        }
    }
    (path, read)
}

/// What it reads from plain arrays.
fn run_plainly(actions: &[Action], unknowns: [usize; UNKNOWNS]) -> Vec<i64> {
    let at = |index: Index| unknowns.get(index).copied().unwrap_or_else(|| index - UNKNOWNS);
    let mut rows = [[0; SIZE]; 2 * SIZE];
    let mut grids = [[0, 1, 2], [3, 4, 5]];
    let mut read = Vec::new();
    for &action in actions {
        match action {
            Action::Set(g, i, j, number) => rows[grids[g][at(i)]][at(j)] = number,
            Action::Replace(g, i, h, j) => grids[g][at(i)] = grids[h][at(j)],
            Action::Copy(g, h, i) => grids[h][0] = grids[g][at(i)],
            Action::Get(g, i, j) => read.push(rows[grids[g][at(i)]][at(j)]),
            Action::Same(g, i, h, j) => read.push((grids[g][at(i)] == grids[h][at(j)]).into()),
        }
    }
    read
}

proptest! {
    #![proptest_config(repeatable(300))]

    #[test]
    fn what_is_read_is_what_plain_arrays_have(
        actions in proptest::collection::vec(action(), 1..12),
        // Rows of known length have elements of their own.
        length_of_rows in proptest::sample::select(vec![None, Some(SIZE as i64)]),
    ) {
        let (path, read) = run(&actions, length_of_rows);
        let terms = path.solver.store.terms();
        for number in 0..SIZE.pow(UNKNOWNS as u32) {
            let unknowns = [number % SIZE, number / SIZE % SIZE, number / SIZE / SIZE];
            let lengths = [SIZE as i64; 2];
            let model: Vec<i64> =
                unknowns.iter().map(|&index| index as i64).chain(lengths).collect();
            let values = evaluate(terms, &model, terms.len());
            let found: Vec<i64> = read
                .iter()
                .map(|&expr| match expr {
                    Expr::Constant(number) => number,
                    Expr::Term(term) => values[term.index()],
                })
                .collect();
            prop_assert_eq!(found, run_plainly(&actions, unknowns), "{:?}", unknowns);
        }
    }
}
