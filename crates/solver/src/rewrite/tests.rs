//! What the rules make of terms and constraints. That they keep the meaning is tested with the store,
//! against brute force.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use crate::constraint::Constraint;
use crate::store::{Simplified, Store};
use crate::term::{Expr, Unknown};

const INT: ArithmeticKind = ArithmeticKind::Int;
const LONG: ArithmeticKind = ArithmeticKind::Long;
const MIN: i64 = i32::MIN as i64;
const MAX: i64 = i32::MAX as i64;

/// A store with two `int`s, two `long`s and an `int` from 0 to 100.
struct Terms {
    store: Store,
    x: Expr,
    y: Expr,
    long: Expr,
    other_long: Expr,
    small: Expr,
}

fn terms() -> Terms {
    let mut store = Store::new();
    let mut unknown =
        |kind, low, high| store.unknown(Unknown { name: "x".into(), kind, low, high, own: 0 });
    let [x, y] = [(); 2].map(|()| unknown(Kind::Int, MIN, MAX));
    let [long, other_long] = [(); 2].map(|()| unknown(Kind::Long, i64::MIN, i64::MAX));
    let small = unknown(Kind::Int, 0, 100);
    Terms { store, x, y, long, other_long, small }
}

fn constant(value: i64) -> Expr {
    Expr::Constant(value)
}

impl Terms {
    fn apply(&mut self, operation: Operation, left: Expr, right: Expr) -> Expr {
        self.store.apply(operation, left, right)
    }

    fn convert(&mut self, conversion: Conversion, operand: Expr) -> Expr {
        self.apply(Operation::Convert(conversion), operand, constant(0))
    }

    fn int(&mut self, left: Expr, comparison: Comparison, right: Expr) -> Simplified {
        self.store.simplify(Constraint::int(left, comparison, right))
    }

    fn long(&mut self, left: Expr, comparison: Comparison, right: Expr) -> Simplified {
        self.store.simplify(Constraint::long(left, comparison, right))
    }
}

fn open_int(left: Expr, comparison: Comparison, right: Expr) -> Simplified {
    Simplified::Open(Constraint::int(left, comparison, right))
}

fn open_long(left: Expr, comparison: Comparison, right: Expr) -> Simplified {
    Simplified::Open(Constraint::long(left, comparison, right))
}

#[test]
fn neutral_and_absorbing_operands_vanish() {
    let mut t = terms();
    let x = t.x;
    for (operation, right, expected) in [
        (Operation::Add(INT), 0, x),
        (Operation::Subtract(INT), 0, x),
        (Operation::Multiply(INT), 1, x),
        (Operation::Multiply(INT), 0, constant(0)),
        (Operation::Divide(INT), 1, x),
        (Operation::Remainder(INT), 1, constant(0)),
        (Operation::Remainder(INT), -1, constant(0)),
        (Operation::ShiftLeft(INT), 0, x),
        (Operation::ShiftRight(INT), 32, x),
        (Operation::ShiftRightUnsigned(INT), -32, x),
        (Operation::And(INT), 0, constant(0)),
        (Operation::And(INT), -1, x),
        (Operation::Or(INT), 0, x),
        (Operation::Or(INT), -1, constant(-1)),
        (Operation::ExclusiveOr(INT), 0, x),
    ] {
        assert_eq!(t.apply(operation, x, constant(right)), expected, "{operation:?} {right}");
    }
    for (operation, expected) in [
        (Operation::Subtract(INT), constant(0)),
        (Operation::Remainder(INT), constant(0)),
        (Operation::ExclusiveOr(INT), constant(0)),
        (Operation::And(INT), x),
        (Operation::Or(INT), x),
    ] {
        assert_eq!(t.apply(operation, x, x), expected, "{operation:?} of equal things");
    }
    let long = t.long;
    assert_eq!(t.apply(Operation::Compare(LONG, 0), long, long), constant(0));
}

#[test]
fn constants_are_folded_and_gathered() {
    let mut t = terms();
    let (x, add) = (t.x, Operation::Add(INT));
    assert_eq!(t.apply(add, constant(MAX), constant(1)), constant(MIN));
    let once = t.apply(add, constant(MAX), x);
    let twice = t.apply(add, once, constant(3));
    let at_once = t.apply(add, x, constant(MIN + 2));
    assert_eq!(twice, at_once, "the sum of the constants wraps");
    let less = t.apply(Operation::Subtract(INT), x, constant(MIN));
    let more = t.apply(add, x, constant(MIN));
    assert_eq!(less, more);
    let scaled = t.apply(Operation::Multiply(INT), x, constant(6));
    let scaled = t.apply(Operation::Multiply(INT), scaled, constant(7));
    assert_eq!(scaled, t.apply(Operation::Multiply(INT), x, constant(42)));
    let masked = t.apply(Operation::And(INT), x, constant(12));
    let masked = t.apply(Operation::And(INT), masked, constant(6));
    assert_eq!(masked, t.apply(Operation::And(INT), x, constant(4)));
    let shifted = t.apply(Operation::ShiftLeft(INT), x, constant(33));
    assert_eq!(shifted, t.apply(Operation::ShiftLeft(INT), x, constant(1)));
}

#[test]
fn sums_and_differences_cancel() {
    let mut t = terms();
    let (x, y) = (t.x, t.y);
    let (add, subtract, negate) =
        (Operation::Add(INT), Operation::Subtract(INT), Operation::Negate(INT));
    let sum = t.apply(add, y, x);
    assert_eq!(sum, t.apply(add, x, y), "the order does not matter");
    assert_eq!(t.apply(subtract, sum, y), x);
    assert_eq!(t.apply(subtract, sum, x), y);
    let difference = t.apply(subtract, x, y);
    assert_eq!(t.apply(add, difference, y), x);
    let negated = t.apply(negate, y, constant(0));
    assert_eq!(t.apply(negate, negated, constant(0)), y);
    assert_eq!(t.apply(add, x, negated), difference);
    assert_eq!(t.apply(subtract, x, negated), sum);
    assert_eq!(t.apply(subtract, constant(0), y), negated);
    assert_eq!(t.apply(Operation::Divide(INT), y, constant(-1)), negated);
    assert_eq!(t.apply(Operation::Multiply(INT), y, constant(-1)), negated);
    let opposite = t.apply(negate, difference, constant(0));
    assert_eq!(opposite, t.apply(subtract, y, x));
    let (one_more, two_more) = (t.apply(add, x, constant(1)), t.apply(add, x, constant(2)));
    assert_eq!(t.apply(subtract, two_more, one_more), constant(1));
}

#[test]
fn conversions_that_change_nothing_vanish() {
    let mut t = terms();
    let (x, small) = (t.x, t.small);
    for conversion in [Conversion::IntToByte, Conversion::IntToChar, Conversion::IntToShort] {
        assert_eq!(t.convert(conversion, small), small);
        assert_ne!(t.convert(conversion, x), x);
    }
    let wide = t.convert(Conversion::IntToLong, x);
    assert_eq!(t.convert(Conversion::LongToInt, wide), x);
    let byte = t.convert(Conversion::IntToByte, x);
    let short = t.convert(Conversion::IntToShort, x);
    assert_eq!(t.convert(Conversion::IntToByte, short), byte);
    assert_eq!(t.convert(Conversion::IntToShort, byte), byte);
    assert_ne!(t.convert(Conversion::IntToChar, byte), t.convert(Conversion::IntToChar, x));
    let masked = t.apply(Operation::And(INT), x, constant(0xfff));
    assert_eq!(t.convert(Conversion::IntToByte, masked), byte);
    assert_eq!(t.apply(Operation::And(INT), small, constant(127)), small);
    assert_eq!(t.apply(Operation::Remainder(INT), small, constant(101)), small);
}

#[test]
fn few_laws_hold_for_numbers_that_are_no_integers() {
    use ArithmeticKind::Double;
    let mut t = terms();
    let unknown = Unknown { name: "d".into(), kind: Kind::Double, low: 0, high: 0, own: 0 };
    let d = t.store.unknown(unknown);
    let rank = |number: f64| Expr::Constant(crate::real::Real::rank(number));
    let one = t.convert(Conversion::IntToDouble, constant(1));
    assert_eq!(one, rank(1.0));
    assert_eq!(t.apply(Operation::Multiply(Double), one, d), d);
    assert_eq!(t.apply(Operation::Divide(Double), d, one), d);
    let negated = t.apply(Operation::Negate(Double), d, constant(0));
    assert_eq!(t.apply(Operation::Negate(Double), negated, constant(0)), d);
    let x = t.x;
    let converted = t.convert(Conversion::IntToDouble, x);
    assert_eq!(t.convert(Conversion::DoubleToInt, converted), x);
    assert_eq!(
        t.store.interval(converted),
        (rank(-2147483648.0).constant().unwrap(), rank(2147483647.0).constant().unwrap())
    );
    // Infinity and NaN are not 0, and -0.0 + 0.0 is not -0.0.
    let difference = t.apply(Operation::Subtract(Double), d, d);
    assert!(difference.term().is_some());
    assert_ne!(t.apply(Operation::Add(Double), d, rank(0.0)), d);
    let compared = t.apply(Operation::Compare(Double, 1), d, d);
    assert_eq!(t.store.interval(compared), (-1, 1), "it may not be a number");
}

#[test]
fn three_way_comparisons_become_comparisons() {
    let mut t = terms();
    let (a, b) = (t.long, t.other_long);
    let compared = t.apply(Operation::Compare(LONG, 0), a, b);
    for (comparison, with, expected) in [
        (Comparison::Greater, 0, open_long(a, Comparison::Greater, b)),
        (Comparison::GreaterOrEqual, 0, open_long(a, Comparison::GreaterOrEqual, b)),
        (Comparison::Equal, 1, open_long(a, Comparison::Greater, b)),
        (Comparison::NotEqual, -1, open_long(a, Comparison::GreaterOrEqual, b)),
        (Comparison::Less, 1, open_long(a, Comparison::LessOrEqual, b)),
        (Comparison::Equal, 0, open_long(a, Comparison::Equal, b)),
        (Comparison::NotEqual, 0, open_long(a, Comparison::NotEqual, b)),
        (Comparison::Less, -5, Simplified::False),
        (Comparison::Equal, 2, Simplified::False),
        (Comparison::LessOrEqual, 1, Simplified::True),
    ] {
        assert_eq!(t.int(compared, comparison, constant(with)), expected, "{comparison:?} {with}");
    }
    assert_eq!(
        t.int(constant(0), Comparison::Less, compared),
        open_long(a, Comparison::Greater, b)
    );
}

#[test]
fn tests_and_choices_of_constants_become_their_conditions() {
    let mut t = terms();
    let (x, y) = (t.x, t.y);
    let test = t.store.test(&Constraint::int(x, Comparison::Less, y));
    assert_eq!(t.int(test, Comparison::NotEqual, constant(0)), open_int(x, Comparison::Less, y));
    let negated = open_int(x, Comparison::GreaterOrEqual, y);
    assert_eq!(t.int(test, Comparison::Equal, constant(0)), negated);
    assert_eq!(t.int(test, Comparison::Less, constant(1)), negated);
    assert_eq!(t.int(test, Comparison::Greater, constant(1)), Simplified::False);
    let again = t.store.test(&Constraint::int(test, Comparison::NotEqual, constant(0)));
    assert_eq!(again, test);
    let opposite = t.apply(Operation::ExclusiveOr(INT), test, constant(1));
    assert_eq!(opposite, t.store.test(&Constraint::int(x, Comparison::GreaterOrEqual, y)));
    assert_eq!(t.store.choose(Kind::Int, test, constant(1), constant(0)), test);
    assert_eq!(t.store.choose(Kind::Int, test, x, x), x);
    assert_eq!(t.store.choose(Kind::Int, constant(7), x, y), x);
    assert_eq!(t.store.choose(Kind::Int, constant(0), x, y), y);
    let chosen = t.store.choose(Kind::Int, test, constant(5), constant(9));
    assert_eq!(t.int(chosen, Comparison::Equal, constant(5)), open_int(x, Comparison::Less, y));
    assert_eq!(t.int(chosen, Comparison::Greater, constant(5)), negated);
    assert_eq!(t.int(chosen, Comparison::Equal, constant(7)), Simplified::False);
    let nested = t.store.choose(Kind::Int, test, chosen, y);
    assert_eq!(nested, t.store.choose(Kind::Int, test, constant(5), y));
    let is_zero = t.store.test(&Constraint::int(x, Comparison::Equal, constant(0)));
    let swapped = t.store.choose(Kind::Int, is_zero, y, constant(3));
    assert_eq!(swapped, t.store.choose(Kind::Int, x, constant(3), y));
}

#[test]
fn constants_move_to_the_right_and_through_sums() {
    let mut t = terms();
    let (x, y, small) = (t.x, t.y, t.small);
    let (add, subtract) = (Operation::Add(INT), Operation::Subtract(INT));
    let more = t.apply(add, x, constant(5));
    let equal = Comparison::Equal;
    assert_eq!(t.int(more, equal, constant(MIN)), open_int(x, equal, constant(MAX - 4)));
    assert_eq!(
        t.int(more, Comparison::Less, constant(3)),
        open_int(more, Comparison::Less, constant(3)),
        "the sum may wrap"
    );
    let more = t.apply(add, small, constant(5));
    assert_eq!(
        t.int(constant(30), Comparison::Less, more),
        open_int(small, Comparison::Greater, constant(25))
    );
    let difference = t.apply(subtract, x, y);
    assert_eq!(t.int(difference, equal, constant(0)), open_int(x, equal, y));
    assert_eq!(
        t.int(difference, Comparison::Less, constant(0)),
        open_int(difference, Comparison::Less, constant(0)),
        "the difference may wrap"
    );
    let from = t.apply(subtract, constant(MIN), x);
    assert_eq!(t.int(from, equal, constant(1)), open_int(x, equal, constant(MAX)));
    let negated = t.apply(Operation::Negate(INT), x, constant(0));
    assert_eq!(t.int(negated, equal, constant(MIN)), open_int(x, equal, constant(MIN)));
    let negated = t.apply(Operation::Negate(INT), small, constant(0));
    assert_eq!(
        t.int(negated, Comparison::Less, constant(-7)),
        open_int(small, Comparison::Greater, constant(7))
    );
    let flipped = t.apply(Operation::ExclusiveOr(INT), x, constant(6));
    assert_eq!(t.int(flipped, equal, constant(5)), open_int(x, equal, constant(3)));
}

#[test]
fn widened_numbers_are_compared_as_they_were() {
    let mut t = terms();
    let (x, y) = (t.x, t.y);
    let wide = t.convert(Conversion::IntToLong, x);
    let other = t.convert(Conversion::IntToLong, y);
    let less = Comparison::Less;
    assert_eq!(t.long(wide, less, constant(8)), open_int(x, less, constant(8)));
    assert_eq!(t.long(wide, less, constant(MAX + 1)), Simplified::True);
    assert_eq!(t.long(wide, Comparison::Equal, constant(MIN - 1)), Simplified::False);
    assert_eq!(t.long(other, less, wide), open_int(x, Comparison::Greater, y));
}

#[test]
fn equal_sides_and_limits_decide() {
    let mut t = terms();
    let (x, y, small) = (t.x, t.y, t.small);
    assert_eq!(t.int(x, Comparison::Equal, x), Simplified::True);
    assert_eq!(t.int(x, Comparison::Less, x), Simplified::False);
    assert_eq!(t.int(x, Comparison::Less, constant(MIN)), Simplified::False);
    assert_eq!(t.int(x, Comparison::LessOrEqual, constant(MAX)), Simplified::True);
    let add = Operation::Add(INT);
    let (next, after) = (t.apply(add, x, constant(1)), t.apply(add, x, constant(2)));
    assert_eq!(t.int(next, Comparison::Equal, x), Simplified::False);
    assert_eq!(t.int(next, Comparison::NotEqual, after), Simplified::True);
    assert_ne!(t.int(x, Comparison::Less, next), Simplified::True, "it may wrap");
    let next = t.apply(add, small, constant(1));
    assert_eq!(t.int(small, Comparison::Less, next), Simplified::True);
    let (more_x, more_y) = (t.apply(add, x, constant(3)), t.apply(add, y, constant(3)));
    assert_eq!(t.int(more_x, Comparison::Equal, more_y), open_int(x, Comparison::Equal, y));
}
