//! Every circuit against the hardware: constants fold, so that the result is there without any search.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use super::*;
use crate::evaluate::apply;
use crate::real::{multiply_add, ranks};
use crate::testing::Random;
use crate::{Answer, BitBlaster, Complete, Constraint, Expr, Node, Terms, Unknown, evaluate};

/// How many operands each operation is tried with; `PETREL_CIRCUIT_TRIALS` sets another number.
fn trials() -> usize {
    let given = std::env::var("PETREL_CIRCUIT_TRIALS").ok();
    given.and_then(|count| count.parse().ok()).unwrap_or(3_000)
}

/// A value of a kind, often one at which rounding, overflow and underflow begin.
fn value(random: &mut Random, kind: Kind) -> i64 {
    let bits = (random.below(1 << 32) as u64) << 32 | random.below(1 << 32) as u64;
    let Some((low, high)) = ranks(kind) else {
        let all = if kind == Kind::Int { bits as i32 as i64 } else { bits as i64 };
        return all >> random.below(if kind == Kind::Int { 32 } else { 64 });
    };
    let format = Format::of_kind(kind).unwrap();
    let sign = |random: &mut Random, rank: i64| if random.below(2) == 0 { rank } else { !rank };
    let rank = match random.below(8) {
        // Any number at all.
        0 => low + (bits % (high - low) as u64) as i64,
        // The ends.
        1 => [low, -1, 0, 1, high - 1, high, high - 2][random.below(7)],
        // Below the smallest normal number.
        2 => {
            let rank = (bits & ((1 << (format.fraction + 1)) - 1)) as i64 >> random.below(54);
            sign(random, rank)
        }
        // Near a power of two.
        3 => {
            let exponent = random.below(1 << format.exponent) as i64;
            let rank = (exponent << format.fraction) + random.below(9) as i64 - 4;
            sign(random, rank)
        }
        // A number with few bits.
        4 => {
            let exponent = format.bias() + random.below(16) as i64 - 8;
            let significand = (bits as i64 & 0xff) << (format.fraction - 8);
            sign(random, (exponent << format.fraction) + significand)
        }
        // Of a common size, with all bits.
        5 | 6 => {
            let exponent = format.bias() + random.below(70) as i64 - 35;
            let significand = bits as i64 & ((1 << format.fraction) - 1);
            sign(random, (exponent << format.fraction) + significand)
        }
        _ => {
            let exponent = random.below(1 << format.exponent) as i64;
            let significand = bits as i64 & ((1 << format.fraction) - 1);
            sign(random, (exponent << format.fraction) + significand)
        }
    };
    rank.clamp(low, high)
}

fn check(operation: Operation, a: i64, b: i64) {
    let mut circuit = Circuit::default();
    let words = [a, b].map(Word::constant);
    let ranges = [(a, a), (b, b)];
    let Ok(word) = circuit.apply_to_reals(operation, &words[0], &words[1], ranges) else {
        assert!(matches!(operation, Operation::Remainder(_)), "{operation:?} has a circuit");
        return;
    };
    let found = word.as_constant();
    assert_eq!(found, Some(apply(operation, a, b)), "{operation:?} of {a} and {b}");
}

fn check_often(operation: Operation) {
    let (kinds, _) = operation.signature();
    let mut random = Random::new(7);
    for _ in 0..trials() {
        let a = value(&mut random, kinds[0]);
        let b = kinds.get(1).map_or(0, |&kind| value(&mut random, kind));
        check(operation, a, b);
        if kinds.len() > 1 && random.below(8) == 0 {
            // Close to each other, where sums cancel out.
            let (low, high) = ranks(kinds[0]).unwrap();
            let near = a.saturating_add(random.below(5) as i64 - 2).clamp(low, high);
            check(operation, a, near);
            check(operation, a, (!near).clamp(low, high));
        }
    }
}

fn for_each_kind(operation: impl Fn(ArithmeticKind) -> Operation) {
    check_often(operation(ArithmeticKind::Float));
    check_often(operation(ArithmeticKind::Double));
}

#[test]
fn sums() {
    for_each_kind(Operation::Add);
}

#[test]
fn differences() {
    for_each_kind(Operation::Subtract);
}

#[test]
fn products() {
    for_each_kind(Operation::Multiply);
}

#[test]
fn quotients() {
    for_each_kind(Operation::Divide);
}

#[test]
fn remainders() {
    for_each_kind(Operation::Remainder);
}

#[test]
fn roots() {
    for_each_kind(Operation::SquareRoot);
}

#[test]
fn opposites_and_comparisons() {
    for_each_kind(Operation::Negate);
    for_each_kind(|kind| Operation::Compare(kind, 1));
    for_each_kind(|kind| Operation::Compare(kind, -1));
}

#[test]
fn conversions() {
    for (conversion, _) in Conversion::ALL {
        if crate::real::is_on_reals(Operation::Convert(conversion)) {
            check_often(Operation::Convert(conversion));
        }
    }
}

#[test]
fn products_and_sums_rounded_once() {
    let mut random = Random::new(13);
    for kind in [Kind::Float, Kind::Double] {
        for _ in 0..trials() {
            let [a, b, mut c] = [(); 3].map(|()| value(&mut random, kind));
            if random.below(2) == 0 {
                // Close to the opposite of the product, where sums cancel out.
                let near = multiply_add(kind, [a, b, 0]) + random.below(5) as i64 - 2;
                let (low, high) = ranks(kind).unwrap();
                c = (!near).clamp(low, high);
            }
            let operands = [a, b, c];
            let words = operands.map(Word::constant);
            let found = Circuit::default().multiply_add(kind, &words).unwrap().as_constant();
            assert_eq!(found, Some(multiply_add(kind, operands)), "{kind:?} {operands:?}");
        }
    }
}

/// The same where the operands are unknown when the circuit is made: nothing folds then, and the SAT solver
/// computes the result.
#[test]
fn circuits_of_unknown_operands() {
    use ArithmeticKind::{Double, Float};
    let mut random = Random::new(11);
    let mut operations = Vec::new();
    for kind in [Float, Double] {
        operations.extend([
            Operation::Add(kind),
            Operation::Subtract(kind),
            Operation::Multiply(kind),
            Operation::Divide(kind),
            Operation::SquareRoot(kind),
            Operation::Negate(kind),
            Operation::Compare(kind, 1),
        ]);
    }
    operations.extend(Conversion::ALL.map(|(conversion, _)| Operation::Convert(conversion)));
    for operation in operations {
        for _ in 0..trials() / 150 {
            let (kinds, result_kind) = operation.signature();
            let is_same = kinds.len() > 1 && random.below(4) == 0;
            let right = |operands: &[Expr]| match operands {
                [left, _] if is_same => *left,
                [_, right] => *right,
                _ => Expr::Constant(0),
            };
            let node = |operands: &[Expr]| Node::Apply(operation, operands[0], right(operands));
            check_unknown(&mut random, &kinds, result_kind, node);
        }
    }
    for kind in [Kind::Float, Kind::Double] {
        for _ in 0..trials() / 150 {
            let node = |operands: &[Expr]| {
                Node::MultiplyAdd(kind, [operands[0], operands[1], operands[2]])
            };
            check_unknown(&mut random, &[kind; 3], kind, node);
        }
    }
}

/// That an operation on unknowns with given values gives what it has to give, and nothing else.
fn check_unknown(
    random: &mut Random,
    kinds: &[Kind],
    result_kind: Kind,
    node: impl Fn(&[Expr]) -> Node,
) {
    let values: Vec<i64> = kinds.iter().map(|&kind| value(random, kind)).collect();
    let mut terms = Terms::default();
    let mut unknowns = Vec::new();
    for &kind in kinds {
        let (low, high) = if kind == Kind::Int {
            (i32::MIN.into(), i32::MAX.into())
        } else {
            (i64::MIN, i64::MAX)
        };
        let unknown = Unknown { name: "x".into(), kind, low, high, own: 0 };
        unknowns.push(Expr::Term(terms.unknown(unknown)));
    }
    let node = node(&unknowns);
    let term = terms.intern(node, result_kind);
    let expected = evaluate(&terms, &values, terms.len())[term.index()];
    let term = Expr::Term(term);
    // Tests made later than the operation do not make its operands known before.
    let mut constraints = Vec::new();
    for (&unknown, &value) in unknowns.iter().zip(&values) {
        let test = Node::Test(Kind::Long, Comparison::Equal, unknown, Expr::Constant(value));
        let test = Expr::Term(terms.intern(test, Kind::Int));
        constraints.push(Constraint::int(test, Comparison::NotEqual, Expr::Constant(0)));
    }
    let other = Constraint::long(term, Comparison::NotEqual, Expr::Constant(expected));
    constraints.push(other.clone());
    let answer = BitBlaster::new(10_000).check(&terms, &constraints);
    assert_eq!(answer, Answer::Unsatisfiable, "{node:?} of {values:?}: only {expected}");
    constraints.pop();
    constraints.push(other.negated());
    let answer = BitBlaster::new(10_000).check(&terms, &constraints);
    assert_eq!(answer, Answer::Satisfiable(values), "{node:?}");
}
