use super::*;
use crate::store::Store;
use crate::testing::any_int;
use crate::{Constraint, Expr};

/// The values of x that are guessed when `x operation constant` does not compare with a number.
fn guesses(operation: Operation, constant: i64, comparison: Comparison, number: i64) -> Vec<i64> {
    let mut store = Store::new();
    let x = store.unknown(any_int("x"));
    let term = store.apply(operation, x, Expr::Constant(constant));
    let constraint = Constraint::int(term, comparison, Expr::Constant(number));
    let mut tape = Tape::default();
    let unknowns: Vec<_> = x.term().into_iter().collect();
    tape.compile(store.terms(), &unknowns, std::iter::once(&constraint));
    tape.assign(0, 2_000);
    let failed = tape.run().expect("the constraint does not hold at first");
    let mut found = Vec::new();
    repairs(&tape, failed, &mut found);
    found.into_iter().map(|(_, value)| value).collect()
}

#[test]
fn operations_are_inverted() {
    use ArithmeticKind::Int;
    let cases = [
        (Operation::Add(Int), 5, 12, 7),
        (Operation::Subtract(Int), 5, 12, 17),
        (Operation::Negate(Int), 0, 12, -12),
        (Operation::Multiply(Int), 6, 600, 100),
        // The product wraps.
        (Operation::Multiply(Int), 3, 1, -1_431_655_765),
        (Operation::Divide(Int), 7, 3, 21),
        (Operation::Remainder(Int), 7, 3, 1998),
        (Operation::And(Int), 0xF, 9, 2_009 - 16 + 16),
        (Operation::ExclusiveOr(Int), 0xF, 9, 6),
        (Operation::ShiftLeft(Int), 3, 64, 8),
        (Operation::ShiftRight(Int), 3, 4, 32),
        (Operation::Convert(Conversion::IntToByte), 0, 77, 77),
    ];
    for (operation, constant, number, expected) in cases {
        let guessed = guesses(operation, constant, Comparison::Equal, number);
        assert!(guessed.contains(&expected), "{operation:?}: {guessed:?}");
    }
}

#[test]
fn comparisons_need_neighbours() {
    let add = Operation::Add(ArithmeticKind::Int);
    assert_eq!(guesses(add, 1, Comparison::Less, 10), [8]);
    assert_eq!(guesses(add, 1, Comparison::LessOrEqual, 10), [9]);
    assert_eq!(guesses(add, 1, Comparison::Greater, 5_000), [5_000]);
    assert_eq!(guesses(add, 1, Comparison::NotEqual, 2_001), [2_001, 1_999]);
}
