//! Random things to do with a store.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};
use proptest::prelude::*;

/// One thing done with a store. Numbers choose from what there is.
#[derive(Debug, Clone)]
pub(super) enum Action {
    Apply { operation: Operation, left: u8, right: u8 },
    Test { comparison: Comparison, is_long: bool, left: u8, right: u8 },
    Choose { is_long: bool, condition: u8, then: u8, otherwise: u8 },
    Select { is_long: bool, elements: [u8; 4], index: u8 },
    Opaque,
    Assume { comparison: Comparison, is_long: bool, left: u8, right: u8 },
    Among { value: u8, constants: Vec<i32>, is_member: bool },
    Mark,
    Undo,
}

fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    for kind in [ArithmeticKind::Int, ArithmeticKind::Long] {
        all.extend([
            Operation::Add(kind),
            Operation::Subtract(kind),
            Operation::Multiply(kind),
            Operation::Divide(kind),
            Operation::Remainder(kind),
            Operation::Negate(kind),
            Operation::ShiftLeft(kind),
            Operation::ShiftRight(kind),
            Operation::ShiftRightUnsigned(kind),
            Operation::And(kind),
            Operation::Or(kind),
            Operation::ExclusiveOr(kind),
            Operation::Compare(kind, 0),
        ]);
    }
    all.extend(
        [
            Conversion::IntToLong,
            Conversion::LongToInt,
            Conversion::IntToByte,
            Conversion::IntToChar,
            Conversion::IntToShort,
        ]
        .map(Operation::Convert),
    );
    all
}

fn comparison() -> impl Strategy<Value = Comparison> + Clone {
    proptest::sample::select(Comparison::ALL.to_vec())
}

pub(super) fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        12 => (proptest::sample::select(operations()), any::<u8>(), any::<u8>())
            .prop_map(|(operation, left, right)| Action::Apply { operation, left, right }),
        2 => (comparison(), any::<bool>(), any::<u8>(), any::<u8>()).prop_map(
            |(comparison, is_long, left, right)| Action::Test { comparison, is_long, left, right }
        ),
        2 => (any::<bool>(), any::<u8>(), any::<u8>(), any::<u8>()).prop_map(
            |(is_long, condition, then, otherwise)| {
                Action::Choose { is_long, condition, then, otherwise }
            }
        ),
        1 => (any::<bool>(), any::<[u8; 4]>(), any::<u8>())
            .prop_map(|(is_long, elements, index)| Action::Select { is_long, elements, index }),
        1 => Just(Action::Opaque),
        8 => (comparison(), any::<bool>(), any::<u8>(), any::<u8>()).prop_map(
            |(comparison, is_long, left, right)| Action::Assume { comparison, is_long, left, right }
        ),
        2 => (any::<u8>(), proptest::collection::btree_set(-9..=9, 1..7), any::<bool>()).prop_map(
            |(value, constants, is_member)| {
                let constants = constants.into_iter().collect();
                Action::Among { value, constants, is_member }
            }
        ),
        3 => Just(Action::Mark),
        3 => Just(Action::Undo),
    ]
}

/// Where the range of an unknown begins.
pub(super) fn beginning() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => Just(-4i64),
        1 => Just(0),
        1 => Just(i64::from(i32::MAX) - 5),
        1 => Just(i64::from(i32::MIN)),
    ]
}
