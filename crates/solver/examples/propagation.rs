//! How long building terms and assuming constraints takes, in nanoseconds.
//!
//! Every line is a mean of many rounds on one store, which goes back after each: that of the fastest
//! batch, because other programs disturb.

#![allow(clippy::print_stdout, reason = "a program for people")]

use std::hint::black_box;
use std::time::Instant;

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_solver::{Constraint, Expr, Simplified, Store, Unknown};

const INT: ArithmeticKind = ArithmeticKind::Int;
const BATCHES: u32 = 200;
const ROUNDS: u32 = 5_000;

fn main() {
    let mut bench = Bench::new();
    let Bench { x, y, z, .. } = bench;
    let constant = Expr::Constant;
    let (add, remainder, multiply) =
        (Operation::Add(INT), Operation::Remainder(INT), Operation::Multiply(INT));

    bench.time("mark and undo", |_| {});
    bench.time("build x + 1", |store| {
        black_box(store.apply(add, x, constant(1)));
    });
    bench.time("build x % y", |store| {
        black_box(store.apply(remainder, x, y));
    });
    bench.time("build (x + 1) * y", |store| {
        let sum = store.apply(add, x, constant(1));
        black_box(store.apply(multiply, sum, y));
    });
    bench.time("x > 5", |store| assume(store, x, Comparison::Greater, constant(5)));
    bench.time("x != 0", |store| assume(store, x, Comparison::NotEqual, constant(0)));
    bench.time("x != 7", |store| assume(store, x, Comparison::NotEqual, constant(7)));
    bench.time("x < y", |store| assume(store, x, Comparison::Less, y));
    bench.time("x == y", |store| assume(store, x, Comparison::Equal, y));
    bench.time("x + 1 < y (build, assume)", |store| {
        let sum = store.apply(add, x, constant(1));
        assume(store, sum, Comparison::Less, y);
    });
    bench.time("x % y == 0 (build, assume)", |store| {
        let rest = store.apply(remainder, x, y);
        assume(store, rest, Comparison::Equal, constant(0));
    });
    bench.time("x * y > 100 (build, assume)", |store| {
        let product = store.apply(multiply, x, y);
        assume(store, product, Comparison::Greater, constant(100));
    });
    bench.time("y != 0, y % 3 > 0, x % y != 0 (build, assume)", |store| {
        assume(store, y, Comparison::NotEqual, constant(0));
        let rest = store.apply(remainder, y, constant(3));
        assume(store, rest, Comparison::Greater, constant(0));
        let rest = store.apply(remainder, x, y);
        assume(store, rest, Comparison::NotEqual, constant(0));
    });
    let mut sum = x;
    for _ in 0..3 {
        sum = bench.store.apply(add, sum, y);
    }
    let rest = bench.store.apply(remainder, x, y);
    let product = bench.store.apply(multiply, sum, constant(3));
    bench.time("assume x % y > 1 (built)", |store| {
        assume(store, rest, Comparison::Greater, constant(1));
    });
    bench.time("assume 3 * (x + y + y + y) > 1 (built)", |store| {
        assume(store, product, Comparison::Greater, constant(1));
    });
    assume(&mut bench.store, rest, Comparison::Less, z);
    assume(&mut bench.store, product, Comparison::Greater, z);
    bench.time("assume x % y > 1 (connected)", |store| {
        assume(store, rest, Comparison::Greater, constant(1));
    });
    bench.time("assume x < 50 (connected to two constraints)", |store| {
        assume(store, x, Comparison::Less, constant(50));
    });
    bench.time("decide x % y < 100 (simplify)", |store| {
        black_box(store.simplify(Constraint::int(rest, Comparison::Less, constant(100))));
    });
    gcd();
}

struct Bench {
    store: Store,
    x: Expr,
    y: Expr,
    z: Expr,
}

impl Bench {
    fn new() -> Bench {
        let mut store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| {
            store.unknown(Unknown {
                name: name.into(),
                kind: Kind::Int,
                low: -1000,
                high: 1000,
                own: 0,
            })
        });
        Bench { store, x, y, z }
    }

    fn time(&mut self, name: &str, action: impl Fn(&mut Store)) {
        let steps = self.store.steps();
        let fastest = fastest_batch(|| {
            for _ in 0..ROUNDS {
                let mark = self.store.mark();
                action(&mut self.store);
                self.store.undo(mark);
            }
        });
        let nanoseconds = fastest / f64::from(ROUNDS);
        let steps = (self.store.steps() - steps) as f64 / f64::from(BATCHES * ROUNDS);
        println!("{nanoseconds:8.1} ns {steps:5.1} steps  {name}");
    }
}

/// The time of the fastest batch, in nanoseconds.
fn fastest_batch(mut batch: impl FnMut()) -> f64 {
    let times = (0..BATCHES).map(|_| {
        let start = Instant::now();
        batch();
        start.elapsed().as_nanos() as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

fn assume(store: &mut Store, left: Expr, comparison: Comparison, right: Expr) {
    if let Simplified::Open(constraint) = store.simplify(Constraint::int(left, comparison, right)) {
        let _ = black_box(store.assume(constraint));
    }
}

/// The tree of paths of Euclid's algorithm on two unknowns, down to some depth.
fn gcd() {
    fn explore(store: &mut Store, a: Expr, b: Expr, depth: u32, constraints: &mut u64) {
        for comparison in [Comparison::Equal, Comparison::NotEqual] {
            let mark = store.mark();
            let constraint = Constraint::int(b, comparison, Expr::Constant(0));
            let holds = match store.simplify(constraint) {
                Simplified::True => true,
                Simplified::False => false,
                Simplified::Open(constraint) => {
                    *constraints += 1;
                    store.assume(constraint).is_ok()
                }
            };
            if holds && comparison == Comparison::NotEqual && depth > 0 {
                let rest = store.apply(Operation::Remainder(INT), a, b);
                explore(store, b, rest, depth - 1, constraints);
            }
            store.undo(mark);
        }
    }
    let mut store = Store::new();
    let [a, b] = ["a", "b"].map(|name| {
        let (low, high) = (i32::MIN.into(), i32::MAX.into());
        store.unknown(Unknown { name: name.into(), kind: Kind::Int, low, high, own: 0 })
    });
    let mut constraints = 0;
    explore(&mut store, a, b, 40, &mut constraints);
    let each = fastest_batch(|| explore(&mut store, a, b, 40, &mut 0)) / constraints as f64;
    let steps = store.steps() as f64 / f64::from(BATCHES + 1) / constraints as f64;
    println!("{each:8.1} ns {steps:5.1} steps  per constraint of gcd, 40 divisions deep");
}
