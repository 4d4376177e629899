use petrel_clp::Comparison;

use super::*;
use crate::Constraint;
use crate::store::Store;
use crate::term::{Expr, TermId};
use crate::testing::{ADD, MULTIPLY, Random, any_int, int, solutions};

fn search(store: &Store, leaves: &[Expr], constraints: &[Constraint], tape: &mut Tape) -> Found {
    let unknowns: Vec<TermId> = leaves.iter().filter_map(|leaf| leaf.term()).collect();
    let terms = store.terms();
    let ranges = terms.unknowns().iter().map(|unknown| (unknown.low, unknown.high));
    let bounds: Vec<(i64, i64)> = ranges.collect();
    tape.compile(terms, &unknowns, constraints.iter());
    Search::new(tape, &bounds, Effort::default()).run(|| {
        let unknowns = terms.unknowns().iter().zip(&bounds);
        unknowns.map(|(unknown, &bounds)| Order::new(unknown, bounds)).collect()
    })
}

#[test]
fn small_problems_are_decided() {
    let mut tape = Tape::default();
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut store = Store::new();
        let leaves: Vec<Expr> = (0..3).map(|_| store.unknown(int("x", -6, 6))).collect();
        let constraints: Vec<Constraint> =
            (0..3).map(|_| random.constraint(&mut store, &leaves)).collect();
        let all = solutions(store.terms(), &constraints);
        match search(&store, &leaves, &constraints, &mut tape) {
            Found::Values => {
                let values = tape.assignment().to_vec();
                assert!(all.contains(&values), "seed {seed}: {values:?}");
            }
            Found::Nothing => assert!(all.is_empty(), "seed {seed}"),
            Found::Open => panic!("seed {seed} is small"),
        }
    }
}

#[test]
fn repairs_may_need_repairs() {
    let mut store = Store::new();
    let leaves: Vec<Expr> = ["x", "y", "z"].map(|name| store.unknown(any_int(name))).into();
    let sum = store.apply(ADD, leaves[0], leaves[1]);
    let constraints = [
        Constraint::int(leaves[2], Comparison::Equal, Expr::Constant(300_000)),
        Constraint::int(sum, Comparison::Equal, leaves[2]),
        Constraint::int(leaves[0], Comparison::Greater, Expr::Constant(7_000)),
    ];
    let mut tape = Tape::default();
    assert_eq!(search(&store, &leaves, &constraints, &mut tape), Found::Values);
}

#[test]
fn small_factors_are_found_and_large_ones_left_open() {
    let mut store = Store::new();
    let leaves: Vec<Expr> = ["x", "y"].map(|name| store.unknown(any_int(name))).into();
    let product = store.apply(MULTIPLY, leaves[0], leaves[1]);
    let factors = |product_is| {
        [
            Constraint::int(product, Comparison::Equal, Expr::Constant(product_is)),
            Constraint::int(leaves[0], Comparison::Greater, Expr::Constant(1)),
            Constraint::int(leaves[0], Comparison::Less, leaves[1]),
            Constraint::int(leaves[1], Comparison::Less, Expr::Constant(46_341)),
        ]
    };
    let mut tape = Tape::default();
    assert_eq!(search(&store, &leaves, &factors(17 * 23), &mut tape), Found::Values);
    assert_eq!(tape.assignment(), [17, 23]);
    assert_eq!(search(&store, &leaves, &factors(2_147_483_629), &mut tape), Found::Open);
}
