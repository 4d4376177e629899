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

/// The same search, which tries everything that it counts.
struct Plain<'a> {
    tape: &'a mut Tape,
    orders: &'a mut [Order],
    budget: u64,
    inner: usize,
    outer: usize,
    is_cut: bool,
    found: Vec<Vec<i64>>,
    count: usize,
}

impl Plain<'_> {
    fn run(&mut self) -> End {
        loop {
            self.is_cut = false;
            if let Some(end) = self.descend(0, false) {
                return end;
            }
            if !self.is_cut {
                return End::Exhausted;
            }
            (self.inner, self.outer) = (self.outer, self.outer * 2 - 1);
        }
    }

    fn descend(&mut self, position: usize, is_new: bool) -> Option<End> {
        let count = self.orders[position].count_within(self.outer);
        self.is_cut |= self.orders[position].len() > count as u64;
        let mut later = self.orders[position + 1..].iter();
        let grows_later = later.any(|order| order.count_within(self.outer) > self.inner);
        for rank in if is_new || grows_later { 0 } else { self.inner }..count {
            if self.budget == 0 {
                return Some(End::Budget);
            }
            self.budget -= 1;
            let value = self.orders[position].first(rank + 1)[rank];
            self.tape.assign(position, value);
            if self.tape.run_to(position).is_some() {
                continue;
            }
            if position + 1 < self.orders.len() {
                let end = self.descend(position + 1, is_new || rank >= self.inner);
                if end.is_some() {
                    return end;
                }
            } else {
                self.found.push(self.tape.assignment().to_vec());
                if self.found.len() == self.count {
                    return Some(End::Enough);
                }
            }
        }
        None
    }
}

#[test]
fn what_is_not_tried_again_is_counted() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut store = Store::new();
        let leaves: Vec<Expr> = (0..5)
            .map(|_| {
                let low = random.below(9) as i64 - 6;
                store.unknown(int("x", low, low + random.below(9) as i64))
            })
            .collect();
        // Not all of the unknowns have to do with each other.
        let constraints: Vec<Constraint> = [(0, 2), (1, 3), (0, 4), (2, 5), (3, 5)]
            .map(|(from, to)| random.constraint(&mut store, &leaves[from..to]))
            .into();
        let terms = store.terms();
        let orders = || -> Vec<Order> {
            let unknowns = terms.unknowns().iter();
            unknowns.map(|unknown| Order::new(unknown, (unknown.low, unknown.high))).collect()
        };
        let unknowns: Vec<_> = leaves.iter().filter_map(|leaf| leaf.term()).collect();
        for (budget, count) in [(u64::MAX, usize::MAX), (u64::MAX, 1), (300, usize::MAX), (40, 2)] {
            let mut tape = Tape::default();
            tape.compile(terms, &unknowns, constraints.iter());
            let mut found = Vec::new();
            let mut of_memory = orders();
            let (end, left) = Boxes::new(&mut tape, &mut of_memory, budget).run(|values| {
                found.push(values.to_vec());
                found.len() < count
            });
            let steps = tape.n_steps();
            let mut tape = Tape::default();
            tape.compile(terms, &unknowns, constraints.iter());
            let (tape, orders) = (&mut tape, &mut orders()[..]);
            let (inner, outer, is_cut) = (0, 3, false);
            let mut plain =
                Plain { tape, orders, budget, inner, outer, is_cut, found: Vec::new(), count };
            let expected = plain.run();
            assert_eq!((end, left), (expected, plain.budget), "seed {seed}");
            assert_eq!((found, steps), (plain.found, plain.tape.n_steps()), "seed {seed}");
        }
    }
}
