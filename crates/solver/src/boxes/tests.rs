use petrel_clp::Comparison;

use super::*;
use crate::store::Store;
use crate::testing::{ADD, Random, int, solutions};
use crate::{Constraint, Expr};

#[test]
fn every_solution_is_shown_once() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut store = Store::new();
        let leaves: Vec<Expr> = (0..3)
            .map(|_| {
                let low = random.below(9) as i64 - 6;
                store.unknown(int("x", low, low + random.below(12) as i64))
            })
            .collect();
        let constraints = [random.constraint(&mut store, &leaves)];
        let terms = store.terms();
        let mut orders: Vec<Order> = terms
            .unknowns()
            .iter()
            .map(|unknown| Order::new(unknown, (unknown.low, unknown.high)))
            .collect();
        let mut tape = Tape::default();
        let unknowns: Vec<_> = leaves.iter().filter_map(|leaf| leaf.term()).collect();
        tape.compile(terms, &unknowns, constraints.iter());
        let mut shown = Vec::new();
        let boxes = Boxes::new(&mut tape, &mut orders, u64::MAX);
        let (end, _) = boxes.run(|values| {
            shown.push(values.to_vec());
            true
        });
        assert_eq!(end, End::Exhausted);
        shown.sort();
        assert_eq!(shown, solutions(terms, &constraints), "seed {seed}");
    }
}

#[test]
fn small_boxes_come_first_and_budgets_end_the_search() {
    let mut store = Store::new();
    let x = store.unknown(int("x", -1000, 1000));
    let y = store.unknown(int("y", -1000, 1000));
    let sum = store.apply(ADD, x, y);
    let constraints = [Constraint::int(sum, Comparison::Equal, Expr::Constant(4))];
    let unknowns: Vec<_> = [x, y].into_iter().filter_map(Expr::term).collect();
    let orders = || vec![Order::new(&int("x", -1000, 1000), (-1000, 1000)); 2];
    let mut tape = Tape::default();
    tape.compile(store.terms(), &unknowns, constraints.iter());
    let mut first = Vec::new();
    let (end, _) = Boxes::new(&mut tape, &mut orders(), 1000).run(|values| {
        first = values.to_vec();
        false
    });
    assert_eq!((end, first), (End::Enough, vec![2, 2]));
    let (end, left) = Boxes::new(&mut tape, &mut orders(), 20).run(|_| false);
    assert_eq!((end, left), (End::Budget, 0));
}
