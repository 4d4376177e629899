//! What propagation finds out in typical programs.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use super::super::*;
use crate::constraint::Membership;

const ADD: Operation = Operation::Add(ArithmeticKind::Int);
const REMAINDER: Operation = Operation::Remainder(ArithmeticKind::Int);

fn int(store: &mut Store) -> Expr {
    let (low, high) = (i32::MIN.into(), i32::MAX.into());
    store.unknown(Unknown { name: "x".into(), kind: Kind::Int, low, high, own: 0 })
}

fn constant(value: i64) -> Expr {
    Expr::Constant(value)
}

/// Simplifies and assumes a comparison.
fn assume(store: &mut Store, left: Expr, comparison: Comparison, right: Expr) -> bool {
    match store.simplify(Constraint::int(left, comparison, right)) {
        Simplified::True => true,
        Simplified::False => false,
        Simplified::Open(constraint) => store.assume(constraint).is_ok(),
    }
}

#[test]
fn a_comparison_with_a_constant_bounds_a_term_and_what_it_is_made_of() {
    let mut store = Store::new();
    let x = int(&mut store);
    assert!(assume(&mut store, x, Comparison::GreaterOrEqual, constant(0)));
    assert!(assume(&mut store, x, Comparison::Less, constant(100)));
    let next = store.apply(ADD, x, constant(1));
    assert_eq!(store.interval(next), (1, 100));
    let doubled = store.apply(Operation::Multiply(ArithmeticKind::Int), next, constant(2));
    assert!(assume(&mut store, doubled, Comparison::Greater, constant(50)));
    assert_eq!(store.interval(x), (25, 99));
    assert_eq!(store.interval(doubled), (52, 200));
}

#[test]
fn orders_of_terms_are_chained() {
    let mut store = Store::new();
    let [x, y, z] = [(); 3].map(|()| int(&mut store));
    assert!(assume(&mut store, x, Comparison::Less, y));
    assert!(assume(&mut store, y, Comparison::Less, z));
    assert!(assume(&mut store, z, Comparison::LessOrEqual, constant(2)));
    assert!(assume(&mut store, x, Comparison::GreaterOrEqual, constant(0)));
    for (unknown, value) in [(x, 0), (y, 1), (z, 2)] {
        assert_eq!(store.interval(unknown), (value, value));
    }
    assert!(!assume(&mut store, x, Comparison::Equal, y));
}

#[test]
fn a_cycle_of_orders_ends_with_the_budget() {
    let mut store = Store::new();
    let [x, y, z] = [(); 3].map(|()| int(&mut store));
    assert!(assume(&mut store, x, Comparison::Less, y));
    assert!(!assume(&mut store, y, Comparison::Less, x), "the other order of the same terms");
    assert!(assume(&mut store, y, Comparison::Less, z));
    let before = store.steps();
    assert!(assume(&mut store, z, Comparison::Less, x));
    assert!(store.steps() - before < 200);
    let (low, high) = store.interval(x);
    assert!(high - low > 1 << 31, "it would take long to count down");
}

#[test]
fn a_hole_is_remembered_and_cut_off_when_it_becomes_an_end() {
    let mut store = Store::new();
    let x = int(&mut store);
    assert!(assume(&mut store, x, Comparison::NotEqual, constant(0)));
    assert!(assume(&mut store, x, Comparison::NotEqual, constant(7)));
    assert!(!assume(&mut store, x, Comparison::Equal, constant(0)));
    assert!(!assume(&mut store, x, Comparison::Equal, constant(7)));
    assert!(assume(&mut store, x, Comparison::GreaterOrEqual, constant(0)));
    assert_eq!(store.interval(x), (1, i32::MAX.into()));
    assert!(assume(&mut store, x, Comparison::LessOrEqual, constant(7)));
    assert_eq!(store.interval(x), (1, 6));
}

#[test]
fn remainders_of_a_divisor_that_is_not_zero_bound_each_other() {
    let mut store = Store::new();
    let [x, y] = [(); 2].map(|()| int(&mut store));
    assert!(assume(&mut store, y, Comparison::NotEqual, constant(0)));
    assert!(assume(&mut store, y, Comparison::LessOrEqual, constant(10)));
    assert!(assume(&mut store, y, Comparison::GreaterOrEqual, constant(-10)));
    let remainder = store.apply(REMAINDER, x, y);
    assert_eq!(store.interval(remainder), (-9, 9));
    assert!(assume(&mut store, remainder, Comparison::Greater, constant(3)));
    assert_eq!(store.interval(x).0, 4);
    assert!(assume(&mut store, y, Comparison::Greater, constant(0)));
    assert_eq!(store.interval(y), (5, 10));
}

#[test]
fn a_fixed_term_is_a_constant_from_then_on() {
    let mut store = Store::new();
    let x = int(&mut store);
    let mark = store.mark();
    assert!(assume(&mut store, x, Comparison::Equal, constant(41)));
    assert_eq!(store.apply(ADD, x, constant(1)), constant(42));
    store.undo(mark);
    assert!(store.apply(ADD, x, constant(1)).term().is_some());
}

#[test]
fn terms_that_no_constraint_reaches_follow_when_they_are_asked_for() {
    let mut store = Store::new();
    let x = int(&mut store);
    let sum = store.apply(ADD, x, constant(1));
    let scaled = store.apply(Operation::Multiply(ArithmeticKind::Int), sum, constant(3));
    assert!(assume(&mut store, x, Comparison::GreaterOrEqual, constant(0)));
    assert!(assume(&mut store, x, Comparison::Less, constant(10)));
    assert_eq!(store.interval(scaled), (3, 30));
    assert!(!assume(&mut store, scaled, Comparison::Equal, constant(31)));
}

#[test]
fn tests_and_choices_follow_their_conditions_and_decide_them() {
    let mut store = Store::new();
    let [x, y] = [(); 2].map(|()| int(&mut store));
    let is_less = store.test(&Constraint::int(x, Comparison::Less, constant(5)));
    let chosen = store.choose(Kind::Int, is_less, constant(3), y);
    assert!(assume(&mut store, y, Comparison::Greater, constant(10)));
    let mark = store.mark();
    assert!(assume(&mut store, chosen, Comparison::Less, constant(8)));
    assert_eq!(store.interval(is_less), (1, 1));
    assert_eq!(store.interval(x).1, 4);
    store.undo(mark);
    assert!(assume(&mut store, chosen, Comparison::GreaterOrEqual, constant(20)));
    assert_eq!((store.interval(x).0, store.interval(y).0), (5, 20));
}

#[test]
fn selections_bound_their_index() {
    let mut store = Store::new();
    let x = int(&mut store);
    let table = [10, 20, 30, 40].map(constant);
    let selected = store.select(Kind::Int, table.into(), x);
    assert_eq!(store.interval(selected), (0, 40));
    assert!(assume(&mut store, selected, Comparison::Greater, constant(15)));
    assert!(assume(&mut store, selected, Comparison::Less, constant(35)));
    assert_eq!(store.interval(x), (1, 2));
    let again = store.select(Kind::Int, table.into(), x);
    assert_eq!(again, selected, "equal tables are one");
}

#[test]
fn memberships_bound_and_punch() {
    let mut store = Store::new();
    let x = int(&mut store);
    let among = |constants: &[i32], is_member| {
        Constraint::Among(Membership { value: x, constants: constants.into(), is_member })
    };
    let mark = store.mark();
    assert!(store.assume(among(&[-3, 4, 9], true)).is_ok());
    assert_eq!(store.interval(x), (-3, 9));
    assert!(assume(&mut store, x, Comparison::Greater, constant(0)));
    assert_eq!(store.interval(x), (4, 9));
    assert!(assume(&mut store, x, Comparison::Less, constant(9)));
    assert_eq!(store.interval(x), (4, 4));
    store.undo(mark);
    assert!(store.assume(among(&[0, 1, 2, 7], false)).is_ok());
    assert!(assume(&mut store, x, Comparison::GreaterOrEqual, constant(0)));
    assert_eq!(store.interval(x).0, 3);
    assert_eq!(store.simplify(among(&[1, 2], true)), Simplified::False);
}

#[test]
fn unknowns_begin_with_their_range() {
    let mut store = Store::new();
    let byte =
        store.unknown(Unknown { name: "b".into(), kind: Kind::Int, low: -128, high: 127, own: 0 });
    let narrowed = store.apply(Operation::Convert(Conversion::IntToByte), byte, constant(0));
    assert_eq!(narrowed, byte);
    let real =
        store.unknown(Unknown { name: "d".into(), kind: Kind::Double, low: 0, high: 0, own: 0 });
    assert_eq!(store.interval(real), crate::real::ranks(Kind::Double).unwrap());
}

#[test]
fn a_bound_goes_through_a_long_sum() {
    let mut store = Store::new();
    let unknowns: Vec<Expr> = (0..300)
        .map(|_| {
            store.unknown(Unknown { name: "b".into(), kind: Kind::Int, low: 0, high: 255, own: 0 })
        })
        .collect();
    let sum = unknowns.iter().fold(constant(0), |sum, &next| store.apply(ADD, sum, next));
    assert_eq!(store.interval(sum), (0, 300 * 255));
    assert!(assume(&mut store, sum, Comparison::LessOrEqual, constant(10)));
    for &unknown in &unknowns {
        assert_eq!(store.interval(unknown), (0, 10));
    }
}

#[test]
fn many_terms_are_found_again_after_going_back() {
    let mut store = Store::new();
    let x = int(&mut store);
    let build = |store: &mut Store, from: i64| -> Vec<Expr> {
        (from..from + 300).map(|offset| store.apply(ADD, x, constant(offset))).collect()
    };
    let first = build(&mut store, 1);
    let mark = store.mark();
    let second = build(&mut store, 1000);
    store.undo(mark);
    assert_eq!(store.terms().len(), 301);
    assert_eq!(build(&mut store, 1), first);
    assert_eq!(build(&mut store, 1000), second);
}

/// A choice between three numbers by two conditions, and the conditions.
fn chosen_of_three(store: &mut Store) -> (Expr, [Expr; 2]) {
    let [x, y, z] = [(); 3].map(|()| int(store));
    let first = store.test(&Constraint::int(x, Comparison::Equal, y));
    let second = store.test(&Constraint::int(x, Comparison::Equal, z));
    let inner = store.choose(Kind::Int, second, constant(-5), constant(1));
    let outer = store.apply(ADD, inner, constant(1));
    (store.choose(Kind::Int, first, outer, inner), [first, second])
}

#[test]
fn a_number_between_those_that_are_chosen_from_is_none_of_them() {
    let mut store = Store::new();
    let (chosen, _) = chosen_of_three(&mut store);
    for (comparison, expected) in
        [(Comparison::Equal, Simplified::False), (Comparison::NotEqual, Simplified::True)]
    {
        let compared = Constraint::int(chosen, comparison, constant(0));
        assert_eq!(store.simplify(compared), expected);
    }
    assert_eq!(store.interval(chosen), (-5, 2));
}

#[test]
fn a_value_decides_the_conditions_that_it_was_chosen_by() {
    let mut store = Store::new();
    let (chosen, conditions) = chosen_of_three(&mut store);
    assert!(assume(&mut store, chosen, Comparison::Equal, constant(1)));
    for condition in conditions {
        assert_eq!(store.fixed(condition), constant(0));
    }
    let simple = |constraint: &Constraint| {
        constraint
            .operands()
            .filter_map(|operand| store.node(operand))
            .all(|node| matches!(node, Node::Unknown(_)))
    };
    assert_eq!(store.constraints().len(), 2);
    assert!(store.constraints().iter().all(simple), "{:?}", store.constraints());
}

#[test]
fn an_interval_that_narrows_later_decides_conditions_too() {
    let mut store = Store::new();
    let (chosen, conditions) = chosen_of_three(&mut store);
    let other = int(&mut store);
    assert!(assume(&mut store, chosen, Comparison::Equal, other));
    assert!(assume(&mut store, other, Comparison::GreaterOrEqual, constant(0)));
    for condition in conditions {
        assert_eq!(store.fixed(condition), condition);
    }
    assert!(assume(&mut store, other, Comparison::Less, constant(2)));
    for condition in conditions {
        assert_eq!(store.fixed(condition), constant(0));
    }
    assert_eq!(store.fixed(other), constant(1));
}

#[test]
fn what_was_chosen_is_known_without_being_asked_for() {
    let mut store = Store::new();
    let index = int(&mut store);
    let mut chosen = constant(9);
    for number in 0..5 {
        let is_it = store.test(&Constraint::int(index, Comparison::Equal, constant(number)));
        chosen = store.choose(Kind::Int, is_it, constant(number * 10), chosen);
    }
    let next = store.apply(ADD, chosen, constant(1));
    assert_eq!(store.interval(next), (1, 41));
    assert!(assume(&mut store, index, Comparison::Equal, constant(1)));
    assert_eq!(store.fixed(next), constant(11));
}

#[test]
fn what_is_not_null_is_the_other_element_of_a_table() {
    let mut store = Store::new();
    let which =
        store.unknown(Unknown { name: "x".into(), kind: Kind::Int, low: 0, high: 1, own: 0 });
    let table: Rc<[Expr]> = Rc::from([Expr::Constant(0), Expr::Constant(-7)]);
    let reference = store.select(Kind::Reference, table, which);
    let is_null = store.test(&Constraint::int(reference, Comparison::Equal, Expr::Constant(0)));
    let holds = Constraint::int(is_null, Comparison::Equal, Expr::Constant(0));
    let Simplified::Open(open) = store.simplify(holds) else { panic!("it is open") };
    store.assume(open).unwrap();
    assert_eq!(store.fixed(which), Expr::Constant(1));
    assert_eq!(store.fixed(reference), Expr::Constant(-7));
}
