use petrel_clp::{ArithmeticKind, Operation};

use super::*;
use crate::real::Real;
use crate::store::Simplified;
use crate::term::Unknown;

const MULTIPLY: Operation = Operation::Multiply(ArithmeticKind::Double);

fn double(store: &mut Store, name: &str) -> Expr {
    store.unknown(Unknown { name: name.into(), kind: Kind::Double, low: 0, high: 0, own: 0 })
}

fn number(number: f64) -> Expr {
    Expr::Constant(number.rank())
}

/// Splits after a number was assumed to be equal to another.
fn split_equal(store: &mut Store, unknowns: &[Expr], left: Expr, right: f64) -> (Found, Vec<f64>) {
    let compare = Operation::Compare(ArithmeticKind::Double, -1);
    let compared = store.apply(compare, left, number(right));
    let equal = Constraint::int(compared, Comparison::Equal, Expr::Constant(0));
    let Simplified::Open(equal) = store.simplify(equal) else {
        return (Found::Nothing, Vec::new());
    };
    let mark = store.mark();
    if store.assume(equal.clone()).is_err() {
        return (Found::Nothing, Vec::new());
    }
    let unknowns: Vec<TermId> = unknowns.iter().filter_map(|unknown| unknown.term()).collect();
    let mut tape = Tape::default();
    tape.compile(store.terms(), &unknowns, [equal].iter());
    let before = store.mark();
    let found = Split::new(store, &mut tape, &unknowns).run();
    assert_eq!(store.mark(), before, "the store is as it was");
    store.undo(mark);
    (found, tape.assignment().iter().map(|&rank| f64::of_rank(rank)).collect())
}

#[test]
fn two_is_no_square() {
    let mut store = Store::new();
    let x = double(&mut store, "x");
    let square = store.apply(MULTIPLY, x, x);
    assert_eq!(split_equal(&mut store, &[x], square, 2.0).0, Found::Nothing);
    let (found, values) = split_equal(&mut store, &[x], square, 2.25);
    assert_eq!((found, values[0].abs()), (Found::Values, 1.5));
    assert_eq!(split_equal(&mut store, &[x], square, -1.0).0, Found::Nothing);
}

#[test]
fn equations_of_higher_degree_are_solved() {
    let mut store = Store::new();
    let x = double(&mut store, "x");
    let square = store.apply(MULTIPLY, x, x);
    let cube = store.apply(MULTIPLY, square, x);
    let (found, values) = split_equal(&mut store, &[x], cube, 1e-3 * 1e-3 * 1e-3 * 27.0);
    assert!(found == Found::Nothing || (values[0] - 3e-3).abs() < 1e-15, "{found:?} {values:?}");
    // (x - 1) * (x - 2.5)
    let subtract = Operation::Subtract(ArithmeticKind::Double);
    let first = store.apply(subtract, x, number(1.0));
    let second = store.apply(subtract, x, number(2.5));
    let product = store.apply(MULTIPLY, first, second);
    let (found, values) = split_equal(&mut store, &[x], product, 0.0);
    assert_eq!(found, Found::Values);
    assert!(values[0] == 1.0 || values[0] == 2.5, "{values:?}");
}

#[test]
fn halves_are_disjoint_and_make_the_whole() {
    let all = real::ranks(Kind::Double).unwrap();
    for (low, high) in [all, (-5, 5), (-1, 0), (3, 4), (all.1 - 1, all.1), (-9, -8)] {
        let [(_, first), (_, second)] = halves(Kind::Double, low, high);
        assert_eq!(first, second);
        assert!(low < first && first <= high, "neither is empty");
    }
}
