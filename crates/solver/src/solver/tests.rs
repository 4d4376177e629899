use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};

use super::*;
use crate::query::is_model;
use crate::real::Real;
use crate::testing::{
    ADD, BruteForce, GivesUp, MULTIPLY, REMAINDER, Random, any_int, int, solutions,
};
use crate::theory::NoTheory;
use crate::{BitBlaster, Membership};

/// The alternatives of a random guard: a condition and its negation, or the cases of a switch.
fn guard(random: &mut Random, store: &mut Store, leaves: &[Expr]) -> Vec<Constraint> {
    if random.below(4) > 0 {
        let condition = random.constraint(store, leaves);
        return vec![condition.clone(), condition.negated()];
    }
    let value = random.expression(store, leaves, 2);
    let among = |constants: &[i32], is_member| {
        Constraint::Among(Membership { value, constants: Rc::from(constants), is_member })
    };
    vec![among(&[-1, 3], true), among(&[0], true), among(&[2, 5], true), {
        among(&[-1, 0, 2, 3, 5], false)
    }]
}

fn adds_up(statistics: &Statistics) -> bool {
    let Statistics { by_rewriting, by_propagation, by_model, by_search, .. } = *statistics;
    statistics.decisions
        == by_rewriting
            + by_propagation
            + by_model
            + by_search
            + statistics.queries
            + statistics.inexact
        && statistics.queries
            == statistics.satisfiable + statistics.unsatisfiable + statistics.unknown
}

/// Checks the alternatives of a guard against all solutions of the store.
fn check(solver: &Solver, guard: &[Constraint], possible: &[Alternative], context: &str) {
    let terms = solver.store.terms();
    let mut together = solver.store.constraints().to_vec();
    let mut expected = Vec::new();
    for (index, alternative) in guard.iter().enumerate() {
        together.push(alternative.clone());
        if !solutions(terms, &together).is_empty() {
            expected.push(index);
        }
        if let Some(found) = possible.iter().find(|found| found.index == index) {
            let model = found.model.as_ref().expect("brute force always answers");
            assert!(is_model(terms, &together, model), "{context}: {model:?} for {index}");
            assert_eq!(found.constraint.is_none(), possible.len() == 1, "{context}");
        }
        together.pop();
    }
    let indices: Vec<usize> = possible.iter().map(|alternative| alternative.index).collect();
    assert_eq!(indices, expected, "{context}");
}

#[test]
fn branches_are_those_that_have_solutions() {
    let mut total = Statistics::default();
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let mut solver = Solver::new(Box::new(BruteForce));
        if seed % 3 == 0 {
            // Small problems are decided by trying; now the complete procedure is asked.
            solver.effort.guesses = random.below(6) as u32;
            (solver.effort.all, solver.effort.hard) = (0, 0);
        }
        let leaves = random.problem(&mut solver.store);
        let Answer::Satisfiable(values) = solver.satisfiable(&mut NoTheory) else {
            panic!("seed {seed} has a solution");
        };
        assert!(is_model(solver.store.terms(), solver.store.constraints(), &values));
        let mut model: Model = values.into();
        // A path: branch, assume one of the alternatives, and branch again.
        for depth in 0..4 {
            let guard = guard(&mut random, &mut solver.store, &leaves);
            let context = format!("seed {seed}, depth {depth}");
            let possible = solver.branch(Some(&model), &guard, &mut NoTheory);
            check(&solver, &guard, &possible, &context);
            let without_model = solver.branch(None, &guard, &mut NoTheory);
            if without_model.len() > 1 {
                check(&solver, &guard, &without_model, &context);
            }
            let same: Vec<usize> = without_model.iter().map(|found| found.index).collect();
            assert_eq!(same, possible.iter().map(|found| found.index).collect::<Vec<_>>());
            let next = &possible[random.below(possible.len())];
            if let Some(constraint) = &next.constraint {
                solver.store.assume(constraint.clone()).expect("the alternative is possible");
            }
            model = Model::clone(next.model.as_ref().unwrap());
        }
        assert!(adds_up(&solver.statistics), "seed {seed}: {:?}", solver.statistics);
        total.add(&solver.statistics);
    }
    assert!(adds_up(&total));
    let Statistics { by_rewriting, by_propagation, by_model, by_search, .. } = total;
    let ways = [by_rewriting, by_propagation, by_model, by_search];
    assert!(ways.iter().all(|&count| count > 50), "{total:?}");
    assert!(total.satisfiable > 50 && total.unsatisfiable > 50, "{total:?}");
}

#[test]
fn values_of_terms_that_are_gone_are_forgotten() {
    let mut solver = Solver::new(Box::new(BruteForce));
    let x = solver.store.unknown(int("x", -6, 6));
    let model: Model = [3].into();
    for summand in [1, 2, 3] {
        let mark = solver.mark();
        let sum = solver.store.apply(ADD, x, Expr::Constant(summand));
        let square = solver.store.apply(MULTIPLY, sum, sum);
        let limit = Expr::Constant((3 + summand) * (3 + summand));
        let equal = Constraint::int(square, Comparison::Equal, limit);
        let possible =
            solver.branch(Some(&model), &[equal.clone(), equal.negated()], &mut NoTheory);
        assert_eq!(possible.len(), 2);
        // The carried model itself takes the first alternative, and another one the second.
        assert!(possible[0].model.as_ref().is_some_and(|found| Rc::ptr_eq(found, &model)));
        assert!(possible[1].model.as_ref().is_some_and(|found| **found != *model));
        solver.undo(mark);
    }
    assert_eq!(solver.statistics.by_model, 3);
}

#[test]
fn a_guard_that_follows_is_decided() {
    let mut solver = Solver::new(Box::new(BruteForce));
    let x = solver.store.unknown(int("x", 0, 6));
    let square = solver.store.apply(MULTIPLY, x, x);
    let four = Constraint::int(square, Comparison::Equal, Expr::Constant(4));
    solver.store.assume(four).unwrap();
    let two = Constraint::int(x, Comparison::Equal, Expr::Constant(2));
    let model: Model = [2].into();
    let possible = solver.branch(Some(&model), &[two.negated(), two], &mut NoTheory);
    assert_eq!(possible.len(), 1);
    assert_eq!((possible[0].index, &possible[0].constraint), (1, &None));
    assert_eq!(possible[0].model, Some(model));
}

#[test]
fn what_is_not_connected_keeps_its_values() {
    let mut solver = Solver::new(Box::new(BruteForce));
    let x = solver.store.unknown(int("x", -6, 6));
    let y = solver.store.unknown(int("y", -6, 6));
    let z = solver.store.unknown(int("z", -6, 6));
    let below = Constraint::int(y, Comparison::Less, z);
    solver.store.assume(below).unwrap();
    let model: Model = [0, 4, 5].into();
    let large = Constraint::int(x, Comparison::Greater, Expr::Constant(2));
    let possible = solver.branch(Some(&model), &[large.clone(), large.negated()], &mut NoTheory);
    assert_eq!(possible[0].model.as_deref(), Some([3, 4, 5].as_slice()));
    assert_eq!(possible[1].model, Some(model));
}

#[test]
fn what_is_given_up_has_no_model_and_is_not_excluded() {
    let mut solver = Solver::new(Box::new(GivesUp));
    let x = solver.store.unknown(any_int("x"));
    let y = solver.store.unknown(any_int("y"));
    let product = solver.store.apply(MULTIPLY, x, y);
    let prime = Constraint::int(product, Comparison::Equal, Expr::Constant(1_000_000_007));
    let above = Constraint::int(x, Comparison::Greater, Expr::Constant(1));
    let limit = Constraint::int(x, Comparison::Less, Expr::Constant(46_341));
    let limit_of_y = Constraint::int(y, Comparison::Less, Expr::Constant(46_341));
    let positive = Constraint::int(y, Comparison::Greater, Expr::Constant(1));
    for constraint in [above, limit, limit_of_y, positive] {
        solver.store.assume(constraint).unwrap();
    }
    let Answer::Satisfiable(model) = solver.satisfiable(&mut NoTheory) else {
        panic!("small numbers do")
    };
    let possible =
        solver.branch(Some(&model.into()), &[prime.clone(), prime.negated()], &mut NoTheory);
    assert_eq!(possible.len(), 2);
    assert_eq!((&possible[0].model, possible[0].constraint.is_some()), (&None, true));
    assert!(possible[1].model.is_some());
    assert_eq!((solver.statistics.queries, solver.statistics.unknown), (1, 1));
}

#[test]
fn nothing_is_said_about_what_is_opaque() {
    let mut solver = Solver::new(Box::new(GivesUp));
    let opaque = solver.store.opaque(Kind::Int);
    let zero = Constraint::int(opaque, Comparison::Equal, Expr::Constant(0));
    let model = solver.first_model();
    let possible = solver.branch(Some(&model), &[zero.clone(), zero.negated()], &mut NoTheory);
    assert_eq!(possible.len(), 2);
    assert!(possible.iter().all(|alternative| alternative.model.is_none()));
    assert_eq!(solver.statistics.inexact, 2);
    solver.store.assume(zero).unwrap();
    assert_eq!(solver.satisfiable(&mut NoTheory), Answer::Unknown);
    assert_eq!(solver.label(1, &mut NoTheory), Labelling::Unknown);
}

/// The answers for a number that is equal to a term over an unknown `double` and not.
fn branch_on(
    term: impl Fn(&mut Solver, Expr) -> Expr,
    comparison: Comparison,
    number: f64,
) -> (Vec<Option<f64>>, Solver) {
    let mut solver = Solver::new(Box::new(BitBlaster::default()));
    let unknown = Unknown { name: "d".into(), kind: Kind::Double, low: 0, high: 0, own: 0 };
    let d = solver.store.unknown(unknown);
    let term = term(&mut solver, d);
    let compare = Operation::Compare(ArithmeticKind::Double, -1);
    let compared = solver.store.apply(compare, term, Expr::Constant(number.rank()));
    let holds = Constraint::int(compared, comparison, Expr::Constant(0));
    let model = solver.first_model();
    let possible = solver.branch(Some(&model), &[holds.clone(), holds.negated()], &mut NoTheory);
    let mut values = vec![None; 2];
    for alternative in possible {
        let model = alternative.model.expect("it is decided");
        values[alternative.index] = Some(f64::of_rank(model[0]));
    }
    (values, solver)
}

#[test]
fn equations_over_numbers_that_are_no_integers_are_decided() {
    let square = |solver: &mut Solver, d: Expr| {
        solver.store.apply(Operation::Multiply(ArithmeticKind::Double), d, d)
    };
    let (values, solver) = branch_on(square, Comparison::Equal, 2.0);
    assert_eq!(values, [None, Some(0.0)], "no number squares to 2");
    assert_eq!(solver.statistics.queries, 0);
    let (values, _) = branch_on(square, Comparison::Equal, 2.25);
    assert_eq!(values[0].map(f64::abs), Some(1.5));
    let root = |solver: &mut Solver, d: Expr| {
        let root = Operation::SquareRoot(ArithmeticKind::Double);
        solver.store.apply(root, d, Expr::Constant(0))
    };
    let (values, _) = branch_on(root, Comparison::Equal, 1.5);
    assert_eq!(values[0], Some(2.25));
    let (values, _) = branch_on(root, Comparison::Less, 0.0);
    // The opposite of `root < 0` is true for NaN, which is what negative numbers have.
    assert!(values[0].is_some_and(|number| number < 0.0 || number.is_nan()), "{values:?}");
    let same = |_: &mut Solver, d: Expr| d;
    let (values, solver) = branch_on(same, Comparison::Greater, 18.5);
    assert!(values[0].is_some_and(|number| number > 18.5), "{values:?}");
    assert_eq!(solver.statistics.queries, 0);
}

#[test]
fn labels_of_numbers_that_are_no_integers_are_readable() {
    let mut solver = Solver::new(Box::new(BitBlaster::default()));
    let unknown = Unknown { name: "d".into(), kind: Kind::Double, low: 0, high: 0, own: 0 };
    let d = solver.store.unknown(unknown);
    let number = |number: f64| Expr::Constant(number.rank());
    let twice = solver.store.apply(Operation::Add(ArithmeticKind::Double), d, d);
    for (nan, comparison, with) in [(-1, Comparison::Greater, 37.0), (1, Comparison::Less, 37.5)] {
        let compare = Operation::Compare(ArithmeticKind::Double, nan);
        let compared = solver.store.apply(compare, twice, number(with));
        solver.store.assume(Constraint::int(compared, comparison, Expr::Constant(0))).unwrap();
    }
    let Labelling::Found(labels) = solver.label(1, &mut NoTheory) else { panic!("no label") };
    assert_eq!(f64::of_rank(labels[0][0]), 18.7);
}

#[test]
fn small_searches_spare_questions() {
    let mut solver = Solver::new(Box::new(GivesUp));
    let x = solver.store.unknown(any_int("x"));
    let y = solver.store.unknown(any_int("y"));
    let constant = Expr::Constant;
    let sum = solver.store.apply(ADD, x, y);
    let triple = solver.store.apply(MULTIPLY, y, constant(3));
    let rest = solver.store.apply(REMAINDER, x, constant(1000));
    let guards = [
        Constraint::int(x, Comparison::Equal, constant(123_456)),
        Constraint::int(sum, Comparison::Equal, constant(-77)),
        Constraint::int(triple, Comparison::Greater, sum),
        Constraint::int(rest, Comparison::Equal, constant(999)),
    ];
    for guard in guards {
        let model = solver.first_model();
        let possible =
            solver.branch(Some(&model), &[guard.clone(), guard.negated()], &mut NoTheory);
        assert_eq!(possible.len(), 2, "{guard:?}");
        assert!(possible.iter().all(|alternative| alternative.model.is_some()), "{guard:?}");
    }
    assert_eq!(solver.statistics.queries, 0);
}

#[test]
fn models_grow_with_the_unknowns() {
    let mut solver = Solver::new(Box::new(BruteForce));
    solver.store.unknown(int("x", 0, 3));
    let model = solver.first_model();
    let y = solver.store.unknown(int("y", 5, 9));
    let low = Constraint::int(y, Comparison::Less, Expr::Constant(7));
    let possible = solver.branch(Some(&model), &[low.clone(), low.negated()], &mut NoTheory);
    assert_eq!(possible[0].model.as_deref(), Some([0, 5].as_slice()));
    assert_eq!(possible[1].model.as_deref(), Some([0, 7].as_slice()));
}
