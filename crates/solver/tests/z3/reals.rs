//! All layers of the solver together, the bit-blaster alone and Z3 give the same answers to random queries
//! over `float` and `double`.
//!
//! A model is evaluated exactly, which needs nobody else's word: of satisfiable queries Z3 is asked a part only.
//! That there is none is asked every time. Z3 is slow with such queries, most of all with `double`, so that most are
//! on `float`, and it gives up early.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::thread;

use crate::random::Random;
use petrel_budget::Purse;
use petrel_checks::{Amount, judges_shares, seed};
use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};
use petrel_solver::{
    Answer, BitBlaster, Complete, Constraint, Expr, NoTheory, Node, Simplified, SmtProcess, Solver,
    Terms, Unknown, evaluate, holds, rank_of_bits, smt_lib,
};

/// `QUERIES=5000` asks so many, and `SEED=2` others.
const N_QUERIES: Amount = Amount::new(40, 120, 800);

/// Each has its own seed and its own Z3.
const SHARDS: u64 = 2;

/// Counts of work, so that the answers are the same everywhere.
const CONFLICTS: u64 = 1_000;
const CONFLICTS_OF_SOLVER: u64 = 1_000;
const Z3: &str = "z3 -in rlimit=100000";

/// After so many questions Z3 starts anew: it keeps the memory of all of them.
const QUESTIONS: u64 = 50;

/// Every so many queries that have a model, Z3 is asked.
const ASK_EVERY: u64 = 25;

/// Every so many queries, the bit-blaster is asked alone.
const BLAST_EVERY: u64 = 5;

#[test]
fn random_queries_over_reals_get_one_answer() {
    let all = N_QUERIES.drawn("QUERIES", "queries over reals") as u64 / SHARDS * SHARDS;
    let first = (seed() - 1) * SHARDS;
    let shards: Vec<Tally> = thread::scope(|scope| {
        let start = |seed| scope.spawn(move || run(seed, all / SHARDS));
        let shards: Vec<_> = (first..first + SHARDS).map(start).collect();
        shards.into_iter().map(|shard| shard.join().expect("a shard failed")).collect()
    });
    let sum = |count: fn(&Tally) -> u64| shards.iter().map(count).sum::<u64>();
    // Queries of one kind only would not tell much.
    let satisfiable = sum(|tally| tally.satisfiable);
    let unsatisfiable = sum(|tally| tally.unsatisfiable);
    let (blaster, solver) = (sum(|tally| tally.open_for_blaster), sum(|tally| tally.open));
    eprintln!(
        "{all} queries: {satisfiable} satisfiable, {unsatisfiable} unsatisfiable, {solver} open, {blaster} open for \
         the bit-blaster; Z3 was asked {} and answered {}, {} of them unsatisfiable",
        sum(|tally| tally.asked),
        sum(|tally| tally.answered),
        sum(|tally| tally.confirmed)
    );
    if judges_shares() {
        assert!(satisfiable > all / 4, "{satisfiable} satisfiable queries of {all}");
        assert!(unsatisfiable > all / 10, "{unsatisfiable} unsatisfiable queries of {all}");
        assert!(solver < all / 10, "{solver} of {all} queries without an answer");
        assert!(
            blaster < all / BLAST_EVERY / 4,
            "{blaster} of {all} queries without an answer of the bit-blaster"
        );
    }
}

#[derive(Default)]
struct Tally {
    satisfiable: u64,
    unsatisfiable: u64,
    open: u64,
    open_for_blaster: u64,
    asked: u64,
    answered: u64,
    confirmed: u64,
}

fn run(seed: u64, n_queries: u64) -> Tally {
    let start = || {
        SmtProcess::start(Z3, &Purse::unlimited()).unwrap_or_else(|error| {
            panic!("{error}: this test needs Z3, which `make setup` installs")
        })
    };
    let mut z3 = start();
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed + 1));
    let mut tally = Tally::default();
    for number in 0..n_queries {
        let query = Query::random(&mut random);
        let (terms, constraints) = query.plain();
        let blasted = match number % BLAST_EVERY {
            0 => BitBlaster::new(CONFLICTS).check(&terms, &constraints),
            _ => Answer::Unknown,
        };
        let ours = query.solve();
        let is_asked = ours == Answer::Unsatisfiable || number % ASK_EVERY == 0;
        let theirs = if is_asked { z3.check(&terms, &constraints) } else { Answer::Unknown };
        tally.asked += u64::from(is_asked);
        if is_asked && tally.asked % QUESTIONS == 0 {
            z3 = start();
        }
        tally.answered += u64::from(theirs != Answer::Unknown);
        tally.confirmed += u64::from(theirs == Answer::Unsatisfiable);
        let answers = [&theirs, &blasted, &ours];
        let context = || {
            let script = smt_lib(&terms, &constraints).unwrap_or_default();
            format!("query {number} of shard {seed}: {answers:?}\n{script}")
        };
        for answer in answers {
            if let Answer::Satisfiable(model) = answer {
                assert!(
                    is_model(&terms, &constraints, model),
                    "{model:?} is no model: {}",
                    context()
                );
                assert!(!answers.contains(&&Answer::Unsatisfiable), "{}", context());
            }
        }
        tally.open += u64::from(ours == Answer::Unknown);
        let is_blasted = number % BLAST_EVERY == 0;
        tally.open_for_blaster += u64::from(is_blasted && blasted == Answer::Unknown);
        match ours {
            Answer::Satisfiable(_) => tally.satisfiable += 1,
            Answer::Unsatisfiable => tally.unsatisfiable += 1,
            Answer::Unknown => {}
        }
    }
    tally
}

fn is_model(terms: &Terms, constraints: &[Constraint], model: &[i64]) -> bool {
    let values = evaluate(terms, model, terms.len());
    let value = |expr: Expr| match expr {
        Expr::Constant(constant) => constant,
        Expr::Term(term) => values[term.index()],
    };
    constraints.iter().all(|constraint| holds(constraint, value))
}

/// An expression before it is a term.
enum Tree {
    Unknown(usize),
    Constant(i64),
    Apply(Operation, Box<[Tree; 2]>),
    MultiplyAdd(Kind, Box<[Tree; 3]>),
}

/// Unknowns by their kinds, and constraints on expressions.
struct Query {
    unknowns: Vec<Kind>,
    comparisons: Vec<(Tree, Comparison, i64)>,
}

impl Query {
    fn random(random: &mut Random) -> Query {
        let rare = if random.one_in(4) { Kind::Double } else { Kind::Float };
        let kind = random.pick(&[Kind::Float, rare]);
        let other = random.pick(&[kind, kind, kind, Kind::Int, rare]);
        let unknowns = vec![kind, other];
        let mut hard = if kind == Kind::Float && random.one_in(4) { 2 } else { 1 };
        let comparisons = (0..1 + random.below(4))
            .map(|_| {
                let nan = random.pick(&[-1, 1]);
                let sides = [0, 1].map(|_| tree(random, &unknowns, kind, 2, &mut hard));
                let of = ArithmeticKind::try_from(kind).expect("a kind of numbers");
                let compared = Tree::Apply(Operation::Compare(of, nan), Box::new(sides));
                (compared, random.pick(&Comparison::ALL), 0)
            })
            .collect();
        Query { unknowns, comparisons }
    }

    /// The terms as they are, and the constraints.
    fn plain(&self) -> (Terms, Vec<Constraint>) {
        fn build(terms: &mut Terms, unknowns: &[Expr], tree: &Tree) -> Expr {
            match tree {
                Tree::Unknown(number) => unknowns[*number],
                Tree::Constant(constant) => Expr::Constant(*constant),
                Tree::Apply(operation, operands) => {
                    let [left, right] = [0, 1].map(|at| build(terms, unknowns, &operands[at]));
                    let node = Node::Apply(*operation, left, right);
                    Expr::Term(terms.intern(node, operation.result_kind()))
                }
                Tree::MultiplyAdd(kind, operands) => {
                    let operands = [0, 1, 2].map(|at| build(terms, unknowns, &operands[at]));
                    Expr::Term(terms.intern(Node::MultiplyAdd(*kind, operands), *kind))
                }
            }
        }
        let mut terms = Terms::default();
        let unknowns: Vec<Expr> = (0..self.unknowns.len())
            .map(|number| Expr::Term(terms.unknown(self.unknown(number))))
            .collect();
        let constraints = self.comparisons.iter().map(|(tree, comparison, constant)| {
            let left = build(&mut terms, &unknowns, tree);
            Constraint::int(left, *comparison, Expr::Constant(*constant))
        });
        let constraints = constraints.collect();
        (terms, constraints)
    }

    /// What the solver says when it assumes one constraint after the other.
    fn solve(&self) -> Answer {
        fn build(solver: &mut Solver, unknowns: &[Expr], tree: &Tree) -> Expr {
            match tree {
                Tree::Unknown(number) => unknowns[*number],
                Tree::Constant(constant) => Expr::Constant(*constant),
                Tree::Apply(operation, operands) => {
                    let [left, right] = [0, 1].map(|at| build(solver, unknowns, &operands[at]));
                    solver.store.apply(*operation, left, right)
                }
                Tree::MultiplyAdd(kind, operands) => {
                    let operands = [0, 1, 2].map(|at| build(solver, unknowns, &operands[at]));
                    solver.store.multiply_add(*kind, operands)
                }
            }
        }
        let mut solver = Solver::new(Box::new(BitBlaster::new(CONFLICTS_OF_SOLVER)));
        let unknowns: Vec<Expr> =
            (0..self.unknowns.len()).map(|at| solver.store.unknown(self.unknown(at))).collect();
        for (tree, comparison, constant) in &self.comparisons {
            let left = build(&mut solver, &unknowns, tree);
            let constraint = Constraint::int(left, *comparison, Expr::Constant(*constant));
            match solver.store.simplify(constraint) {
                Simplified::True => {}
                Simplified::False => return Answer::Unsatisfiable,
                Simplified::Open(open) => {
                    if solver.store.assume(open).is_err() {
                        return Answer::Unsatisfiable;
                    }
                }
            }
        }
        solver.satisfiable(&mut NoTheory)
    }

    fn unknown(&self, number: usize) -> Unknown {
        let (low, high) = (i32::MIN.into(), i32::MAX.into());
        let name = format!("x{number}").into();
        Unknown { name, kind: self.unknowns[number], low, high, own: 0 }
    }
}

fn constant(random: &mut Random, kind: Kind) -> i64 {
    let small = (random.below(41) as f64 - 20.0) / 4.0;
    let special = random.pick(&[0.0, -0.0, 1.0, 2.0, 100.0, 0.1, 1e30, f64::INFINITY, 1e-40]);
    let number = random.pick(&[small, small, small, special]);
    match kind {
        Kind::Int => (number as i32).into(),
        Kind::Float => rank_of_bits(kind, (number as f32).to_bits().into()),
        _ => rank_of_bits(kind, number.to_bits()),
    }
}

/// An expression of a kind.
fn tree(
    random: &mut Random,
    unknowns: &[Kind],
    kind: Kind,
    depth: usize,
    hard: &mut usize,
) -> Tree {
    use Operation::*;
    let of_kind: Vec<usize> = (0..unknowns.len()).filter(|&at| unknowns[at] == kind).collect();
    if depth == 0 || random.one_in(5) {
        return match of_kind.is_empty() || random.one_in(4) {
            true => Tree::Constant(constant(random, kind)),
            false => Tree::Unknown(of_kind[random.below(of_kind.len())]),
        };
    }
    let Ok(of) = ArithmeticKind::try_from(kind) else { return Tree::Constant(0) };
    let conversion = |from: Kind| {
        let all = Conversion::ALL.iter().map(|&(conversion, _)| conversion);
        let mut of_kinds = all.filter(|conversion| conversion.kinds() == (from, kind));
        of_kinds.next().filter(|_| from != kind).map(Convert)
    };
    let is_hard = *hard > 0 && kind != Kind::Int;
    if is_hard && random.one_in(10) {
        *hard -= 1;
        let operands = [(); 3].map(|()| tree(random, unknowns, kind, depth - 1, hard));
        return Tree::MultiplyAdd(kind, Box::new(operands));
    }
    let operation = match random.below(if is_hard { 12 } else { 7 }) {
        0 | 1 => Add(of),
        2 | 3 => Subtract(of),
        4 => Negate(of),
        5 | 6 => {
            let from = random.pick(&[Kind::Int, Kind::Float, Kind::Double]);
            conversion(from).unwrap_or(Add(of))
        }
        7..=9 => Multiply(of),
        10 => Divide(of),
        _ => SquareRoot(of),
    };
    if matches!(operation, Multiply(_) | Divide(_) | SquareRoot(_)) && kind != Kind::Int {
        *hard -= 1;
    }
    let (kinds, _) = operation.signature();
    let left = tree(random, unknowns, kinds[0], depth - 1, hard);
    let right = match kinds.get(1) {
        Some(&kind) => tree(random, unknowns, kind, depth - 1, hard),
        None => Tree::Constant(0),
    };
    Tree::Apply(operation, Box::new([left, right]))
}
