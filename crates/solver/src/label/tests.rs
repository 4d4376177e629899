use petrel_clp::{Comparison, Kind};

use super::*;
use crate::answer::Answer;
use crate::query::is_model;
use crate::testing::{
    ADD, BruteForce, GivesUp, MULTIPLY, REMAINDER, Random, any_int, int, solutions,
};
use crate::theory::NoTheory;
use crate::{Expr, Solver, Terms, Unknown};

fn found(labelling: Labelling) -> Vec<Vec<i64>> {
    match labelling {
        Labelling::Found(labels) => labels,
        other => panic!("labels are expected, not {other:?}"),
    }
}

fn constant(value: i64) -> Expr {
    Expr::Constant(value)
}

#[test]
fn labels_are_solutions_all_different() {
    let mut queries = 0;
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let mut solver = Solver::new(Box::new(BruteForce));
        if seed % 3 == 0 {
            // Small problems are labelled by trying all; now the other means get work.
            let assumptions = random.below(3) as u64;
            let label = 10 * random.below(5) as u64;
            solver.effort = Effort { all: 0, label, assumptions, ..Effort::default() };
        }
        let leaves = random.problem(&mut solver.store);
        // The last constraint may leave nothing.
        let last = random.constraint(&mut solver.store, &leaves);
        if solver.store.assume(last).is_err() {
            continue;
        }
        let terms = solver.store.terms();
        let all = solutions(terms, solver.store.constraints());
        let one = solver.label(1, &mut NoTheory);
        if all.is_empty() {
            assert_eq!(one, Labelling::Unsatisfiable, "seed {seed}");
            continue;
        }
        let five = found(solver.label(5, &mut NoTheory));
        assert_eq!(five.len(), all.len().min(5), "seed {seed}");
        assert_eq!(found(one), five[..1], "seed {seed}");
        let mut labels = found(solver.label(all.len() + 1, &mut NoTheory));
        assert_eq!(labels[..five.len()], five, "seed {seed}");
        labels.sort();
        assert_eq!(labels, all, "seed {seed}");
        queries += solver.statistics.label_queries;
    }
    assert!(queries > 500, "{queries}");
}

#[test]
fn labels_do_not_depend_on_other_work() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut solver = Solver::new(Box::new(BruteForce));
        let leaves = random.problem(&mut solver.store);
        let before = solver.label(3, &mut NoTheory);
        let mark = solver.mark();
        for _ in 0..3 {
            let guard = random.constraint(&mut solver.store, &leaves);
            let Answer::Satisfiable(model) = solver.satisfiable(&mut NoTheory) else {
                unreachable!()
            };
            let possible = solver.branch(
                Some(&model.into()),
                &[guard.clone(), guard.negated()],
                &mut NoTheory,
            );
            if let Some(constraint) = &possible[0].constraint {
                solver.store.assume(constraint.clone()).unwrap();
            }
            solver.label(2, &mut NoTheory);
        }
        solver.undo(mark);
        assert_eq!(solver.label(3, &mut NoTheory), before, "seed {seed}");
    }
}

#[test]
fn unknowns_without_constraints_have_preferred_values() {
    let mut solver = Solver::new(Box::new(GivesUp));
    for (low, high) in [(-6, 6), (0, 1), (0, 0xFFFF), (5, 9), (-9, -5)] {
        solver.store.unknown(int("x", low, high));
    }
    let labels = found(solver.label(4, &mut NoTheory));
    let expected =
        [[0, 0, 0x61, 5, -5], [1, 0, 0x61, 5, -5], [0, 1, 0x61, 5, -5], [0, 0, 0x62, 5, -5]];
    assert_eq!(labels, expected);
}

#[test]
fn readable_characters_come_first() {
    let mut solver = Solver::new(Box::new(GivesUp));
    let c = solver.store.unknown(int("c", 0, 0xFFFF));
    let not_small = Constraint::int(c, Comparison::Less, constant(0x61));
    solver.store.assume(not_small).unwrap();
    assert_eq!(found(solver.label(2, &mut NoTheory)), [[0x41], [0x42]]);
    let control = Constraint::int(c, Comparison::Less, constant(0x20));
    solver.store.assume(control).unwrap();
    assert_eq!(found(solver.label(1, &mut NoTheory)), [[0]]);
}

/// The path of Euclid's algorithm with some iterations.
fn euclid(solver: &mut Solver, iterations: usize) {
    let mut a = solver.store.unknown(any_int("a"));
    let mut b = solver.store.unknown(any_int("b"));
    for _ in 0..iterations {
        solver.store.assume(Constraint::int(b, Comparison::NotEqual, constant(0))).unwrap();
        let rest = solver.store.apply(REMAINDER, a, b);
        (a, b) = (b, rest);
    }
    solver.store.assume(Constraint::int(b, Comparison::Equal, constant(0))).unwrap();
}

#[test]
fn the_greatest_common_divisor_has_small_labels() {
    for iterations in 0..=8 {
        let mut solver = Solver::new(Box::new(GivesUp));
        euclid(&mut solver, iterations);
        let labels = found(solver.label(3, &mut NoTheory));
        assert_eq!(labels.len(), 3);
        for label in labels {
            assert!(label.iter().all(|value| value.abs() <= 64), "{iterations}: {label:?}");
            assert!(is_model(solver.store.terms(), solver.store.constraints(), &label));
        }
        assert_eq!(solver.statistics.label_queries, 0);
    }
}

#[test]
fn one_small_number_and_what_follows_from_it() {
    let mut solver = Solver::new(Box::new(GivesUp));
    let x = solver.store.unknown(any_int("x"));
    let y = solver.store.unknown(any_int("y"));
    let product = solver.store.apply(MULTIPLY, x, y);
    let sum = solver.store.apply(ADD, product, x);
    for constraint in [
        Constraint::int(sum, Comparison::Equal, constant(1_234_567)),
        Constraint::int(x, Comparison::Greater, constant(100)),
        Constraint::int(y, Comparison::Greater, constant(100)),
    ] {
        solver.store.assume(constraint).unwrap();
    }
    // 1234567 is 127 * 9721.
    assert_eq!(found(solver.label(1, &mut NoTheory)), [[127, 9720]]);
}

#[test]
fn propagation_finds_large_numbers() {
    let mut solver = Solver::new(Box::new(GivesUp));
    let mut sum = constant(0);
    for number in 0..12 {
        let x = solver.store.unknown(int(&format!("x{number}"), 0, 100_000));
        sum = solver.store.apply(ADD, sum, x);
    }
    solver.store.assume(Constraint::int(sum, Comparison::Greater, constant(70_000))).unwrap();
    let labels = found(solver.label(1, &mut NoTheory));
    assert!(is_model(solver.store.terms(), solver.store.constraints(), &labels[0]));
    assert_eq!(solver.statistics.label_queries, 0);
}

/// A complete procedure that knows one solution at a time.
struct Knows(Vec<Vec<i64>>);

impl Complete for Knows {
    fn check(&mut self, terms: &Terms, constraints: &[Constraint]) -> Answer {
        let solution = self.0.iter().find(|values| is_model(terms, constraints, values));
        solution.map_or(Answer::Unsatisfiable, |values| Answer::Satisfiable(values.clone()))
    }
}

#[test]
fn answers_of_the_complete_procedure_are_excluded_one_by_one() {
    let known = vec![vec![46_337, 46_309, 0], vec![46_309, 46_337, 0]];
    let mut solver = Solver::new(Box::new(Knows(known)));
    let x = solver.store.unknown(any_int("x"));
    let y = solver.store.unknown(any_int("y"));
    solver.store.unknown(any_int("free"));
    let product = solver.store.apply(MULTIPLY, x, y);
    let more = Comparison::Greater;
    for constraint in [
        Constraint::int(x, more, constant(1000)),
        Constraint::int(y, more, constant(1000)),
        Constraint::int(x, Comparison::Less, constant(50_000)),
        Constraint::int(y, Comparison::Less, constant(50_000)),
        Constraint::int(product, Comparison::Equal, constant(46_337 * 46_309)),
    ] {
        solver.store.assume(constraint).unwrap();
    }
    let labels = found(solver.label(5, &mut NoTheory));
    assert_eq!(labels.len(), 5);
    for label in &labels {
        assert!(is_model(solver.store.terms(), solver.store.constraints(), label));
    }
    assert_eq!(labels[0], [46_337, 46_309, 0]);
    assert_eq!(labels[1], [46_309, 46_337, 0]);
    assert_eq!(labels[2], [46_337, 46_309, 1]);
    assert_eq!(solver.statistics.label_queries, 3);
}

#[test]
fn answers_of_the_complete_procedure_are_polished() {
    let (p, q) = (46_337, 46_309);
    let mut solver = Solver::new(Box::new(Knows(vec![vec![p, q, 2_147_483_000]])));
    let x = solver.store.unknown(int("x", 1000, 50_000));
    let y = solver.store.unknown(int("y", 1000, 50_000));
    let z = solver.store.unknown(any_int("z"));
    let product = solver.store.apply(MULTIPLY, x, y);
    let equal = Constraint::int(product, Comparison::Equal, constant(p * q));
    solver.store.assume(equal).unwrap();
    let rest = solver.store.apply(REMAINDER, z, x);
    // It connects z to the others, and many numbers do.
    solver.store.assume(Constraint::int(rest, Comparison::NotEqual, y)).unwrap();
    assert_eq!(found(solver.label(1, &mut NoTheory)), [[p, q, 0]]);
}

#[test]
fn longs_have_labels() {
    let mut solver = Solver::new(Box::new(GivesUp));
    let long =
        Unknown { name: "x".into(), kind: Kind::Long, low: i64::MIN, high: i64::MAX, own: 0 };
    let x = solver.store.unknown(long.clone());
    let y = solver.store.unknown(long);
    let trillion = 1_000_000_000_000;
    for constraint in [
        Constraint::long(x, Comparison::Greater, constant(trillion)),
        Constraint::long(y, Comparison::Less, x),
        Constraint::long(y, Comparison::NotEqual, constant(0)),
    ] {
        solver.store.assume(constraint).unwrap();
    }
    assert_eq!(found(solver.label(1, &mut NoTheory)), [[trillion + 1, 1]]);
}

#[test]
fn giving_up_is_not_unsatisfiable() {
    let mut solver = Solver::new(Box::new(GivesUp));
    let x = solver.store.unknown(int("x", 1000, 46_340));
    let y = solver.store.unknown(int("y", 1000, 46_340));
    let product = solver.store.apply(MULTIPLY, x, y);
    let prime = Constraint::int(product, Comparison::Equal, constant(1_000_000_007));
    solver.store.assume(prime).unwrap();
    assert_eq!(solver.label(1, &mut NoTheory), Labelling::Unknown);
}
