use petrel_clp::Kind;

use super::*;
use crate::query::is_model;
use crate::store::Store;
use crate::testing::{Random, int};
use crate::{Constraint, TableId};

#[test]
fn carried_values_agree_with_evaluation() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut store = Store::new();
        let leaves: Vec<Expr> = (0..3).map(|_| store.unknown(int("x", -6, 6))).collect();
        let models: Vec<Model> =
            (0..3).map(|_| (0..3).map(|_| random.below(13) as i64 - 6).collect()).collect();
        let mut carried = Carried::default();
        for _ in 0..6 {
            let constraint = random.constraint(&mut store, &leaves);
            let model = &models[random.below(3)];
            let expected = is_model(store.terms(), std::slice::from_ref(&constraint), model);
            assert_eq!(carried.holds(store.terms(), model, &constraint), expected, "seed {seed}");
        }
    }
}

#[test]
fn only_what_is_taken_is_computed() {
    let mut terms = Terms::default();
    let x = terms.unknown(int("x", 0, 9));
    let one = terms.unknown(int("one", 0, 9));
    let two = terms.unknown(int("two", 0, 9));
    let table: TableId = terms.add_table([Expr::Term(one), Expr::Term(two)].into());
    let element = terms.intern(Node::Select(Kind::Int, table, x), Kind::Int);
    let chosen =
        terms.intern(Node::Choose(Kind::Int, x, Expr::Term(element), Expr::Constant(7)), Kind::Int);
    let is = |value| {
        Constraint::int(Expr::Term(chosen), petrel_clp::Comparison::Equal, Expr::Constant(value))
    };
    let mut carried = Carried::default();
    assert!(carried.holds(&terms, &[0, 5, 6].into(), &is(7)));
    assert!(!carried.is_known(Expr::Term(element)));
    assert!(carried.holds(&terms, &[1, 5, 6].into(), &is(6)));
    assert!(!carried.is_known(Expr::Term(one)));
    assert!(carried.holds(&terms, &[2, 5, 6].into(), &is(0)));
}

#[test]
fn the_value_closest_to_zero() {
    assert_eq!([(-3, 5), (2, 5), (-5, -2), (4, 4)].map(closest_to_zero), [0, 2, -2, 4]);
}
