//! The bit-blaster and Z3 give the same answers to random queries.

use std::rc::Rc;
use std::thread;

use crate::random::Random;
use petrel_budget::Purse;
use petrel_checks::{Amount, judges_shares, seed};
use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};
use petrel_solver::{
    Answer, BitBlaster, Complete, Constraint, Expr, Membership, Node, SmtProcess, TermId, Terms,
    Unknown, evaluate, holds, smt_lib,
};

/// `QUERIES=500` asks so many, and `SEED=2` others.
const N_QUERIES: Amount = Amount::new(1_000, 3_000, 20_000);

/// Each has its own seed and its own Z3.
const SHARDS: u64 = 4;

/// Counts of work, so that the answers are the same everywhere.
const CONFLICTS: u64 = 20_000;
const Z3: &str = "z3 -in rlimit=3000000";

#[test]
fn random_queries_agree_with_z3() {
    let n_queries = N_QUERIES.drawn("QUERIES", "queries over integers") as u64 / SHARDS * SHARDS;
    let first = (seed() - 1) * SHARDS;
    let shards: Vec<Tally> = thread::scope(|scope| {
        let shards = first..first + SHARDS;
        let start = |seed| scope.spawn(move || run(seed, n_queries / SHARDS));
        let shards: Vec<_> = shards.map(start).collect();
        shards.into_iter().map(|shard| shard.join().expect("a shard failed")).collect()
    });
    let sum = |count: fn(&Tally) -> u64| shards.iter().map(count).sum::<u64>();
    let satisfiable = sum(|tally| tally.satisfiable);
    let unsatisfiable = sum(|tally| tally.unsatisfiable);
    let unknown = sum(|tally| tally.unknown);
    assert_eq!(satisfiable + unsatisfiable + unknown, n_queries);
    if judges_shares() {
        assert!(unknown < n_queries / 100, "{unknown} of {n_queries} queries without an answer");
        // Queries of one kind only would not tell much.
        assert!(satisfiable > n_queries / 4, "{satisfiable} satisfiable queries");
        assert!(unsatisfiable > n_queries / 10, "{unsatisfiable} unsatisfiable queries");
    }
}

#[derive(Default)]
struct Tally {
    satisfiable: u64,
    unsatisfiable: u64,
    unknown: u64,
}

fn run(seed: u64, n_queries: u64) -> Tally {
    let mut z3 = SmtProcess::start(Z3, &Purse::unlimited())
        .unwrap_or_else(|error| panic!("{error}: this test needs Z3, which `make setup` installs"));
    let mut blaster = BitBlaster::new(CONFLICTS);
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed + 1));
    let mut tally = Tally::default();
    for number in 0..n_queries {
        let (terms, constraints) = Generator::query(&mut random);
        let ours = blaster.check(&terms, &constraints);
        let theirs = z3.check(&terms, &constraints);
        let context = || {
            let script = smt_lib(&terms, &constraints).unwrap_or_default();
            format!("query {number} of shard {seed}: {ours:?}, Z3 {theirs:?}\n{script}")
        };
        for answer in [&ours, &theirs] {
            if let Answer::Satisfiable(model) = answer {
                assert!(is_model(&terms, &constraints, model), "no model: {}", context());
            }
        }
        match (&ours, &theirs) {
            (Answer::Unknown, _) | (_, Answer::Unknown) => tally.unknown += 1,
            (Answer::Satisfiable(_), Answer::Satisfiable(_)) => tally.satisfiable += 1,
            (Answer::Unsatisfiable, Answer::Unsatisfiable) => tally.unsatisfiable += 1,
            _ => panic!("{}", context()),
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
    terms
        .unknowns()
        .iter()
        .zip(model)
        .all(|(unknown, &value)| (unknown.low..=unknown.high).contains(&value))
        && constraints.iter().all(|constraint| holds(constraint, value))
}

fn bits(kind: ArithmeticKind) -> u32 {
    if kind == ArithmeticKind::Int { 32 } else { 64 }
}

/// Makes one random query.
struct Generator<'a> {
    random: &'a mut Random,
    terms: Terms,
    made: Vec<TermId>,
    /// How many more products and quotients there may be, which are hard for both sides.
    hard: usize,
}

impl Generator<'_> {
    fn query(random: &mut Random) -> (Terms, Vec<Constraint>) {
        let hard = random.pick(&[0, 0, 0, 0, 0, 1, 1, 2]);
        let mut generator = Generator { random, terms: Terms::default(), made: Vec::new(), hard };
        for _ in 0..1 + generator.random.below(3) {
            generator.unknown();
        }
        for _ in 0..1 + generator.random.below(10) {
            generator.term();
        }
        let count = 1 + generator.random.below(3);
        let constraints = (0..count).map(|_| generator.constraint()).collect();
        (generator.terms, constraints)
    }

    fn kind(&mut self) -> ArithmeticKind {
        self.random.pick(&[ArithmeticKind::Int, ArithmeticKind::Int, ArithmeticKind::Long])
    }

    fn constant(&mut self, kind: ArithmeticKind) -> i64 {
        let width = bits(kind);
        let (low, high) = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
        let power = 1i64 << self.random.below(width as usize - 1);
        let small = self.random.below(41) as i64 - 20;
        let any = self.random.next() as i64 >> (64 - width);
        self.random.pick(&[0, 1, -1, low, high, power, -power, power - 1, small, small, any])
    }

    fn unknown(&mut self) {
        let kind = self.kind();
        let (a, b) = (self.constant(kind), self.constant(kind));
        let width = bits(kind);
        let (low, high) = match self.random.below(4) {
            0 => (i64::MIN >> (64 - width), i64::MAX >> (64 - width)),
            1 => (-128, 127),
            2 => (0, 65535),
            _ => (a.min(b), a.max(b)),
        };
        let name = format!("x{}", self.made.len()).into();
        let unknown = Unknown { name, kind: kind.into(), low, high, own: 0 };
        self.made.push(self.terms.unknown(unknown));
    }

    /// A term of a kind, or a constant.
    fn operand(&mut self, kind: ArithmeticKind) -> Expr {
        match self.existing(kind) {
            Some(term) if !self.random.one_in(4) => Expr::Term(term),
            _ => Expr::Constant(self.constant(kind)),
        }
    }

    /// A term of a kind, one of the last ones more likely than others.
    fn existing(&mut self, kind: ArithmeticKind) -> Option<TermId> {
        let of_kind = |term: &&TermId| self.terms.kind(**term) == kind.into();
        let terms: Vec<TermId> = self.made.iter().filter(of_kind).copied().collect();
        if terms.is_empty() {
            return None;
        }
        let first = self.random.below(terms.len());
        Some(terms[first.max(self.random.below(terms.len()))])
    }

    fn comparison(&mut self) -> Comparison {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        self.random.pick(&[Equal, NotEqual, Less, GreaterOrEqual, Greater, LessOrEqual])
    }

    fn term(&mut self) {
        let kind = self.kind();
        let (node, kind) = match self.random.below(10) {
            0 => {
                let (comparison, left) = (self.comparison(), self.operand(kind));
                (Node::Test(kind.into(), comparison, left, self.operand(kind)), Kind::Int)
            }
            1 => {
                let Some(condition) = self.existing(ArithmeticKind::Int) else { return };
                let then = self.operand(kind);
                (Node::Choose(kind.into(), condition, then, self.operand(kind)), kind.into())
            }
            2 => {
                let Some(index) = self.existing(ArithmeticKind::Int) else { return };
                let elements: Rc<[Expr]> =
                    (0..self.random.below(9)).map(|_| self.operand(kind)).collect();
                let table = self.terms.add_table(elements);
                (Node::Select(kind.into(), table, index), kind.into())
            }
            _ => self.application(kind),
        };
        let term = self.terms.intern(node, kind);
        self.made.push(term);
    }

    fn application(&mut self, kind: ArithmeticKind) -> (Node, Kind) {
        use Operation::*;
        let conversion = self.random.pick(&[
            Conversion::IntToByte,
            Conversion::IntToChar,
            Conversion::IntToShort,
            Conversion::IntToLong,
            Conversion::LongToInt,
        ]);
        let is_hard = self.hard > 0 && self.random.one_in(3);
        let operation = if is_hard {
            self.hard -= 1;
            self.random.pick(&[Multiply(kind), Divide(kind), Remainder(kind)])
        } else {
            self.random.pick(&[
                Add(kind),
                Subtract(kind),
                Negate(kind),
                ShiftLeft(kind),
                ShiftRight(kind),
                ShiftRightUnsigned(kind),
                And(kind),
                Or(kind),
                ExclusiveOr(kind),
                Compare(kind, 0),
                Convert(conversion),
                Convert(conversion),
            ])
        };
        let (left, right, result) = match operation {
            ShiftLeft(_) | ShiftRight(_) | ShiftRightUnsigned(_) => {
                let amount = self.operand(ArithmeticKind::Int);
                (self.operand(kind), amount, kind)
            }
            Negate(_) => (self.operand(kind), Expr::Constant(0), kind),
            Convert(Conversion::LongToInt) => {
                (self.operand(ArithmeticKind::Long), Expr::Constant(0), ArithmeticKind::Int)
            }
            Convert(Conversion::IntToLong) => {
                (self.operand(ArithmeticKind::Int), Expr::Constant(0), ArithmeticKind::Long)
            }
            Convert(_) => {
                (self.operand(ArithmeticKind::Int), Expr::Constant(0), ArithmeticKind::Int)
            }
            Compare(..) => (self.operand(kind), self.operand(kind), ArithmeticKind::Int),
            _ if is_hard && kind == ArithmeticKind::Long && !self.random.one_in(16) => {
                let right = Expr::Constant(self.random.below(41) as i64 - 20);
                (self.operand(kind), right, kind)
            }
            _ => (self.operand(kind), self.operand(kind), kind),
        };
        (Node::Apply(operation, left, right), result.into())
    }

    fn constraint(&mut self) -> Constraint {
        if self.random.one_in(6) {
            let value = self.operand(ArithmeticKind::Int);
            let mut constants: Vec<i32> = (0..self.random.below(6))
                .flat_map(|_| {
                    let first = self.constant(ArithmeticKind::Int) as i32;
                    // Runs of constants, as switches often have them.
                    (0..1 + self.random.below(3) as i32).filter_map(move |by| first.checked_add(by))
                })
                .collect();
            constants.sort_unstable();
            constants.dedup();
            let is_member = self.random.one_in(2);
            return Constraint::Among(Membership { value, constants: constants.into(), is_member });
        }
        let kind = self.kind();
        let (comparison, left) = (self.comparison(), self.operand(kind));
        Constraint::Compare { kind, comparison, left, right: self.operand(kind) }
    }
}
