use super::*;
use crate::query::is_model;
use crate::store::Store;
use crate::testing::{ADD, MULTIPLY, Random, int};

/// The unknowns of a store as terms.
fn unknowns(leaves: &[Expr]) -> Vec<TermId> {
    leaves.iter().filter_map(|leaf| leaf.term()).collect()
}

#[test]
fn tapes_agree_with_evaluation() {
    let mut tape = Tape::default();
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut store = Store::new();
        let leaves: Vec<Expr> = (0..3).map(|_| store.unknown(int("x", -6, 6))).collect();
        let constraints: Vec<Constraint> =
            (0..3).map(|_| random.constraint(&mut store, &leaves)).collect();
        tape.compile(store.terms(), &unknowns(&leaves), constraints.iter());
        let mut values = vec![0; 3];
        for _ in 0..200 {
            // One value changes at a time, so that levels are computed again or not.
            let position = random.below(3);
            values[position] = random.below(13) as i64 - 6;
            tape.assign(position, values[position]);
            let expected = is_model(store.terms(), &constraints, &values);
            assert_eq!(tape.run().is_none(), expected, "seed {seed}: {values:?}");
            assert_eq!(tape.assignment(), values);
        }
    }
}

#[test]
fn constraints_over_the_first_unknowns_are_tested_first() {
    let mut store = Store::new();
    let x = store.unknown(int("x", -6, 6));
    let y = store.unknown(int("y", -6, 6));
    let sum = store.apply(ADD, x, y);
    let of_both = Constraint::int(sum, Comparison::Less, Expr::Constant(3));
    let square = store.apply(MULTIPLY, x, x);
    let of_first = Constraint::int(square, Comparison::Equal, Expr::Constant(4));
    let mut tape = Tape::default();
    tape.compile(store.terms(), &unknowns(&[x, y]), [&of_both, &of_first].into_iter());
    tape.assign(0, 1);
    assert!(tape.run_to(0).is_some());
    tape.assign(0, 2);
    assert!(tape.run_to(0).is_none());
    tape.assign(1, 1);
    assert!(tape.run_to(1).is_some());
    tape.assign(1, 0);
    assert!(tape.run_to(1).is_none());
    assert_eq!(tape.constants(), [3, 4]);
}
