use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use super::*;
use crate::constraint::Membership;
use crate::evaluate::apply;
use crate::term::{Expr, Node, Unknown};

use ArithmeticKind::{Int, Long};
use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};

const INT: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

fn unknown(terms: &mut Terms, kind: Kind, (low, high): (i64, i64)) -> Expr {
    Expr::Term(terms.unknown(Unknown { name: "x".into(), kind, low, high, own: 0 }))
}

fn node(terms: &mut Terms, kind: Kind, node: Node) -> Expr {
    Expr::Term(terms.intern(node, kind))
}

fn number(value: i64) -> Expr {
    Expr::Constant(value)
}

fn check(terms: &Terms, constraints: &[Constraint]) -> Answer {
    BitBlaster::new(100_000).check(terms, constraints)
}

#[track_caller]
fn assert_satisfiable(terms: &Terms, constraints: &[Constraint]) {
    match check(terms, constraints) {
        Answer::Satisfiable(model) => assert!(is_model(terms, constraints, &model), "{model:?}"),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn assert_unsatisfiable(terms: &Terms, constraints: &[Constraint]) {
    assert_eq!(check(terms, constraints), Answer::Unsatisfiable);
}

/// An operation with the kinds of its operands and of its result.
type Signature = (Operation, ArithmeticKind, ArithmeticKind, ArithmeticKind);

fn operations() -> Vec<Signature> {
    use Operation::*;
    let mut operations: Vec<Signature> = Vec::new();
    for kind in [Int, Long] {
        let same = [Add, Subtract, Multiply, Divide, Remainder, Negate, And, Or, ExclusiveOr];
        operations.extend(same.map(|operation| (operation(kind), kind, kind, kind)));
        let shifts = [ShiftLeft, ShiftRight, ShiftRightUnsigned];
        operations.extend(shifts.map(|operation| (operation(kind), kind, Int, kind)));
        operations.push((Compare(kind, 0), kind, kind, Int));
    }
    operations.push((Convert(Conversion::IntToLong), Int, Int, Long));
    operations.push((Convert(Conversion::LongToInt), Long, Int, Int));
    let narrowings = [Conversion::IntToByte, Conversion::IntToChar, Conversion::IntToShort];
    operations.extend(narrowings.map(|conversion| (Convert(conversion), Int, Int, Int)));
    operations
}

fn edges(kind: ArithmeticKind) -> Vec<i64> {
    let (low, high) = range(kind);
    let mut edges = vec![0, 1, -1, 2, -2, 3, -7, 31, 32, 63, 64, low, low + 1, high, high - 1];
    edges.extend([255, -256, 40_000, -70_000, 1 << 30]);
    edges
}

fn range(kind: ArithmeticKind) -> (i64, i64) {
    if kind == Int { INT } else { (i64::MIN, i64::MAX) }
}

fn compare(kind: ArithmeticKind, left: Expr, comparison: Comparison, right: Expr) -> Constraint {
    Constraint::Compare { kind, comparison, left, right }
}

#[test]
fn operations_on_constants_are_folded() {
    for (operation, left, right, result) in operations() {
        for a in edges(left) {
            for b in edges(right) {
                let mut terms = Terms::default();
                let apply_node = Node::Apply(operation, number(a), number(b));
                let term = node(&mut terms, result.into(), apply_node);
                let expected = number(apply(operation, a, b));
                let differs = [compare(result, term, NotEqual, expected)];
                let no_bounds = &|_| (i64::MIN, i64::MAX);
                let answer = BitBlaster::new(0).check_counting(&terms, &differs, no_bounds);
                assert_eq!(answer, (Answer::Unsatisfiable, 0), "{operation:?} {a} {b}");
            }
        }
    }
}

/// The operands are unknowns that get their values by other terms, after the circuit is built.
#[test]
fn operations_on_unknowns_have_the_same_results() {
    for (operation, left, right, result) in operations() {
        let (many, others) = (edges(left), edges(right));
        let pairs = many.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
        // Every pair of some edges is too much: every seventh has each of them several times.
        for (a, b) in pairs.step_by(7) {
            let mut terms = Terms::default();
            let x = unknown(&mut terms, left.into(), range(left));
            let y = unknown(&mut terms, right.into(), range(right));
            let term = node(&mut terms, result.into(), Node::Apply(operation, x, y));
            let mut pin = |kind: ArithmeticKind, x: Expr, value: i64| {
                let flip = Operation::ExclusiveOr(kind);
                let flipped = node(&mut terms, kind.into(), Node::Apply(flip, x, number(0x55)));
                compare(kind, flipped, Equal, number(value ^ 0x55))
            };
            let (pin_x, pin_y) = (pin(left, x, a), pin(right, y, b));
            let expected = number(apply(operation, a, b));
            for (comparison, holds) in [(Equal, true), (NotEqual, false)] {
                let constraints =
                    [pin_x.clone(), pin_y.clone(), compare(result, term, comparison, expected)];
                let answer = check(&terms, &constraints);
                let model =
                    if holds { Answer::Satisfiable(vec![a, b]) } else { Answer::Unsatisfiable };
                assert_eq!(answer, model, "{operation:?} {a} {b}");
            }
        }
    }
}

/// All results of small operands, and no others.
#[test]
fn operations_on_small_ranges_have_all_results() {
    let ranges = [((-4, 3), (-4, 3)), ((0, 6), (1, 3)), ((-9, -5), (-2, 2))];
    for (operation, left, right, result) in operations() {
        for (first, second) in ranges {
            let mut terms = Terms::default();
            let x = unknown(&mut terms, left.into(), first);
            let y = unknown(&mut terms, right.into(), second);
            let term = node(&mut terms, result.into(), Node::Apply(operation, x, y));
            let pairs =
                (first.0..=first.1).flat_map(|a| (second.0..=second.1).map(move |b| (a, b)));
            let results: Vec<i64> = pairs.map(|(a, b)| apply(operation, a, b)).collect();
            for value in -18..=18 {
                let answer = check(&terms, &[compare(result, term, Equal, number(value))]);
                let expected = results.contains(&value);
                assert_eq!(
                    matches!(answer, Answer::Satisfiable(_)),
                    expected,
                    "{operation:?} of {first:?} and {second:?}: {value}"
                );
                assert_ne!(answer, Answer::Unknown);
            }
        }
    }
}

#[test]
fn unknowns_stay_in_their_ranges() {
    for range in [(5, 5), (-3, 4), (1_000_000, 1_000_003), (-1_000_003, -1_000_000), (0, 1), INT] {
        let mut terms = Terms::default();
        let x = unknown(&mut terms, Kind::Int, range);
        let (low, high) = (number(range.0), number(range.1));
        assert_satisfiable(&terms, &[Constraint::int(x, Equal, low)]);
        assert_satisfiable(&terms, &[Constraint::int(x, Equal, high)]);
        // The range as a condition on another term, from which no bounds of the unknown follow.
        let flip = Node::Apply(Operation::ExclusiveOr(Int), x, number(0));
        let same = node(&mut terms, Kind::Int, flip);
        assert_unsatisfiable(&terms, &[Constraint::int(same, Less, low)]);
        assert_unsatisfiable(&terms, &[Constraint::int(same, Greater, high)]);
    }
}

#[test]
fn contradictory_bounds_are_unsatisfiable() {
    let mut terms = Terms::default();
    let x = unknown(&mut terms, Kind::Int, INT);
    assert_unsatisfiable(
        &terms,
        &[Constraint::int(x, Less, number(3)), Constraint::int(number(3), LessOrEqual, x)],
    );
    let x = unknown(&mut terms, Kind::Long, range(Long));
    assert_unsatisfiable(&terms, &[Constraint::long(x, Greater, number(i64::MAX))]);
    assert_unsatisfiable(&terms, &[Constraint::int(number(1), Equal, number(2))]);
}

#[test]
fn unknowns_that_are_not_mentioned_are_close_to_0() {
    let mut terms = Terms::default();
    for range in [(-5, 5), (7, 9), (-9, -7)] {
        unknown(&mut terms, Kind::Int, range);
    }
    assert_eq!(check(&terms, &[]), Answer::Satisfiable(vec![0, 7, -7]));
}

#[test]
fn tests_and_choices() {
    let mut terms = Terms::default();
    let x = unknown(&mut terms, Kind::Int, INT);
    let test = Node::Test(Kind::Int, Less, x, number(10));
    let test = terms.intern(test, Kind::Int);
    let doubled = node(&mut terms, Kind::Int, Node::Apply(Operation::ShiftLeft(Int), x, number(1)));
    let choice = Node::Choose(Kind::Int, test, number(-1), doubled);
    let choice = node(&mut terms, Kind::Int, choice);
    assert_satisfiable(&terms, &[Constraint::int(choice, Equal, number(20))]);
    assert_unsatisfiable(
        &terms,
        &[Constraint::int(choice, Equal, number(18)), Constraint::int(x, Less, number(1 << 30))],
    );
    assert_unsatisfiable(
        &terms,
        &[
            Constraint::int(Expr::Term(test), NotEqual, number(0)),
            Constraint::int(choice, NotEqual, number(-1)),
        ],
    );
}

#[test]
fn selections_are_0_outside_of_the_table() {
    for length in 0..6usize {
        let mut terms = Terms::default();
        let x = unknown(&mut terms, Kind::Int, INT);
        let index = x.term().unwrap();
        let mut elements: Vec<Expr> = (0..length).map(|at| number(100 + at as i64)).collect();
        if let Some(element) = elements.get_mut(2) {
            *element = x;
        }
        let table = terms.add_table(Rc::from(elements));
        let selected = node(&mut terms, Kind::Int, Node::Select(Kind::Int, table, index));
        for at in -2..8 {
            let inside = usize::try_from(at).is_ok_and(|at| at < length);
            let element = match at {
                2 if inside => 2,
                _ if inside => 100 + at,
                _ => 0,
            };
            let at = Constraint::int(x, Equal, number(at));
            let same = Constraint::int(selected, Equal, number(element));
            assert_satisfiable(&terms, &[at.clone(), same.clone()]);
            assert_unsatisfiable(&terms, &[at, same.negated()]);
        }
        let far = Constraint::int(x, GreaterOrEqual, number(length as i64));
        assert_unsatisfiable(&terms, &[far, Constraint::int(selected, NotEqual, number(0))]);
    }
}

#[test]
fn memberships_of_runs_and_single_constants() {
    let constants: Rc<[i32]> = Rc::from([i32::MIN, -5, 1, 2, 3, 9, i32::MAX - 1, i32::MAX]);
    let mut terms = Terms::default();
    let x = unknown(&mut terms, Kind::Int, INT);
    let among = Membership { value: x, constants: Rc::clone(&constants), is_member: true };
    let among = Constraint::Among(among);
    for value in [-6, -5, 0, 1, 2, 3, 4, 9, INT.0, INT.0 + 1, INT.1 - 2, INT.1 - 1, INT.1] {
        let at = Constraint::int(x, Equal, number(value));
        let is_member = constants.contains(&(value as i32));
        let (holds, fails) = if is_member {
            (among.clone(), among.negated())
        } else {
            (among.negated(), among.clone())
        };
        assert_satisfiable(&terms, &[at.clone(), holds]);
        assert_unsatisfiable(&terms, &[at, fails]);
    }
    let nothing = Membership { value: x, constants: Rc::from([]), is_member: true };
    assert_unsatisfiable(&terms, &[Constraint::Among(nothing)]);
}

#[test]
fn remainders_of_one_number_are_decided_together() {
    let zero = number(0);
    for (range, is_possible) in [(INT, true), ((2_000, 3_000), true), ((1, 99), false)] {
        let mut terms = Terms::default();
        let year = unknown(&mut terms, Kind::Int, range);
        let mut remainder = |by: i64| {
            node(&mut terms, Kind::Int, Node::Apply(Operation::Remainder(Int), year, number(by)))
        };
        let [by_4, by_100, by_400, by_10] = [4, 100, 400, 10].map(&mut remainder);
        let century =
            [Constraint::int(by_100, Equal, zero), Constraint::int(by_400, NotEqual, zero)];
        if is_possible {
            assert_satisfiable(&terms, &century);
        } else {
            assert_unsatisfiable(&terms, &century);
        }
        for never in [by_4, by_10] {
            assert_unsatisfiable(
                &terms,
                &[Constraint::int(by_400, Equal, zero), Constraint::int(never, NotEqual, zero)],
            );
        }
    }
}

#[test]
fn a_use_besides_remainders_is_respected() {
    let mut terms = Terms::default();
    let x = unknown(&mut terms, Kind::Int, INT);
    let remainder =
        node(&mut terms, Kind::Int, Node::Apply(Operation::Remainder(Int), x, number(7)));
    let large =
        Constraint::Among(Membership { value: x, constants: Rc::from([700_003]), is_member: true });
    assert_satisfiable(&terms, &[large, Constraint::int(remainder, Equal, number(3))]);
}

#[test]
fn large_numbers_are_found_where_small_ones_do_not_do() {
    let mut terms = Terms::default();
    let x = unknown(&mut terms, Kind::Int, INT);
    let y = unknown(&mut terms, Kind::Int, INT);
    let product = node(&mut terms, Kind::Int, Node::Apply(Operation::Multiply(Int), x, y));
    assert_satisfiable(
        &terms,
        &[
            Constraint::int(product, Equal, number(1_234_567)),
            Constraint::int(x, Greater, number(1)),
            Constraint::int(y, Greater, number(1)),
        ],
    );
}

#[test]
fn squares_have_no_second_bit() {
    for (kind, bits) in [(Int, Kind::Int), (Long, Kind::Long)] {
        let mut terms = Terms::default();
        let x = unknown(&mut terms, bits, range(kind));
        let square = node(&mut terms, bits, Node::Apply(Operation::Multiply(kind), x, x));
        assert_unsatisfiable(&terms, &[compare(kind, square, Equal, number(-1))]);
        assert_satisfiable(&terms, &[compare(kind, square, Equal, number(1_234_321))]);
    }
}

#[test]
fn products_do_not_depend_on_the_order() {
    let mut terms = Terms::default();
    let x = unknown(&mut terms, Kind::Int, INT);
    let y = unknown(&mut terms, Kind::Int, INT);
    let multiply = Operation::Multiply(Int);
    let first = node(&mut terms, Kind::Int, Node::Apply(multiply, x, y));
    let second = node(&mut terms, Kind::Int, Node::Apply(multiply, y, x));
    assert_unsatisfiable(&terms, &[Constraint::int(first, NotEqual, second)]);
}

/// Bounds that follow from the constraints change nothing but the size of the circuit.
#[test]
fn bounds_of_terms_do_not_change_answers() {
    for wanted in 0..40 {
        let mut terms = Terms::default();
        let x = unknown(&mut terms, Kind::Int, INT);
        let y = unknown(&mut terms, Kind::Int, INT);
        let sum = node(&mut terms, Kind::Int, Node::Apply(Operation::Add(Int), x, y));
        let product = node(&mut terms, Kind::Int, Node::Apply(Operation::Multiply(Int), sum, x));
        let least = node(&mut terms, Kind::Int, Node::Apply(Operation::And(Int), sum, number(-8)));
        let constraints = [
            // The sum is in 0..=7.
            Constraint::int(least, Equal, number(0)),
            Constraint::int(x, GreaterOrEqual, number(0)),
            Constraint::int(x, Less, number(6)),
            Constraint::int(product, Equal, number(wanted)),
        ];
        let bounds = |term: TermId| {
            if Expr::Term(term) == sum { (0, 7) } else { (i64::MIN, i64::MAX) }
        };
        let possible = (0..6).any(|x| (0..8).any(|sum| sum * x == wanted));
        let answer = BitBlaster::new(100_000).check_within(&terms, &constraints, &bounds);
        assert_eq!(matches!(answer, Answer::Satisfiable(_)), possible, "{wanted}");
        assert_ne!(answer, Answer::Unknown);
    }
}

#[test]
fn a_budget_ends_the_search() {
    let mut terms = Terms::default();
    let odd = (3, 40_000);
    let x = unknown(&mut terms, Kind::Long, odd);
    let y = unknown(&mut terms, Kind::Long, odd);
    let product = node(&mut terms, Kind::Long, Node::Apply(Operation::Multiply(Long), x, y));
    // A prime number.
    let constraints = [Constraint::long(product, Equal, number(999_999_937))];
    assert_eq!(BitBlaster::new(10).check(&terms, &constraints), Answer::Unknown);
}

#[test]
fn circuits_without_end_are_given_up_before_they_take_all_memory() {
    let mut terms = Terms::default();
    let factor = unknown(&mut terms, Kind::Int, INT);
    let mut term = unknown(&mut terms, Kind::Int, INT);
    for _ in 0..10_000 {
        let product =
            node(&mut terms, Kind::Int, Node::Apply(Operation::Multiply(Int), term, factor));
        let plus = Node::Apply(Operation::Add(Int), product, number(3));
        term = node(&mut terms, Kind::Int, plus);
    }
    assert_eq!(check(&terms, &[Constraint::int(term, Equal, number(7))]), Answer::Unknown);
}

#[test]
fn what_is_opaque_is_beyond_it() {
    let mut terms = Terms::default();
    let opaque = node(&mut terms, Kind::Int, Node::Opaque(Kind::Int, 0));
    assert_eq!(check(&terms, &[Constraint::int(opaque, Equal, opaque)]), Answer::Unknown);
}
