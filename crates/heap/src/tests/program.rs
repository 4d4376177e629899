//! Programs: what paths and the plain interpreter both do, and random ones.

use petrel_clp::{Comparison, Operation};
use proptest::prelude::*;

use super::world::{A, AS, B, CLASSES, E, FIELDS, INTS};
use crate::world::{ClassId, FieldId};

/// A value of a program, by its number: values are numbered in the order in which they come up.
pub(super) type ValueId = usize;

/// A question with the answer yes or no.
#[derive(Debug, Clone, Copy)]
pub(super) enum Test {
    Null(ValueId),
    Same(ValueId, ValueId),
    /// Of an object that is not null.
    Instance(ValueId, ClassId),
    /// Of an array and an object that are not null.
    Storable(ValueId, ValueId),
    Compare(Comparison, ValueId, ValueId),
}

/// A part of an array: the array and where the part starts.
pub(super) type Part = (ValueId, ValueId);

/// One step of a program. Objects are not null, and indices are within bounds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// A new value: an input.
    Input,
    /// A new value.
    Constant(i64),
    /// A new value.
    Apply(Operation, ValueId, ValueId),
    /// A new value: a field.
    GetField(ValueId, FieldId),
    SetField(ValueId, FieldId, ValueId),
    /// A new value: the length of an array.
    Length(ValueId),
    /// A new value: an element of an array.
    GetElement(ValueId, ValueId),
    SetElement(ValueId, ValueId, ValueId),
    /// Copies elements between arrays: from, to, and how many.
    Copy(Part, Part, ValueId),
    /// A new value: an object.
    New(ClassId),
    /// A new value: an array.
    NewArray(ClassId, ValueId),
    /// The same value again, with a narrower type.
    Cast(ValueId),
    /// What a test says on this path.
    Guard(Test, bool),
}

/// Something that a random program does. Numbers choose from what there is.
#[derive(Debug, Clone)]
pub(super) enum Action {
    Input { of: ClassId, is_nullable: bool, value: u8 },
    Number(i64),
    Constant(i64),
    Apply { operation: Operation, left: u8, right: u8 },
    GetField { object: u8, field: FieldId },
    SetField { object: u8, field: FieldId, value: u8 },
    GetElement { array: u8, of: u8, index: u8 },
    SetElement { array: u8, of: u8, index: u8, value: u8 },
    Copy { from: u8, from_start: u8, to: u8, to_start: u8, length: u8 },
    New(ClassId),
    NewArray { class: u8, length: u8 },
    Null(u8),
    Same(u8, u8),
    Instance(u8, ClassId),
    Compare(Comparison, u8, u8),
}

fn class() -> impl Strategy<Value = ClassId> + Clone {
    proptest::sample::select(CLASSES.to_vec())
}

fn field() -> impl Strategy<Value = FieldId> + Clone {
    (0..FIELDS.len() as u32).prop_map(FieldId)
}

fn input() -> impl Strategy<Value = Action> {
    let of = prop_oneof![5 => Just(A), 2 => Just(B), 3 => Just(INTS), 3 => Just(AS), 1 => Just(E), 6 => class()];
    (of, any::<bool>(), any::<u8>()).prop_map(|(of, is_nullable, value)| Action::Input {
        of,
        is_nullable,
        value,
    })
}

fn action() -> impl Strategy<Value = Action> {
    use petrel_clp::ArithmeticKind::Int;
    let operations = vec![Operation::Add(Int), Operation::Subtract(Int)];
    let comparisons = Comparison::ALL.to_vec();
    let any = any::<u8>;
    prop_oneof![
        1 => input(),
        1 => (-3..=3i64).prop_map(Action::Number),
        2 => (-1..=3i64).prop_map(Action::Constant),
        1 => (proptest::sample::select(operations), any(), any())
            .prop_map(|(operation, left, right)| Action::Apply { operation, left, right }),
        8 => (any(), field()).prop_map(|(object, field)| Action::GetField { object, field }),
        6 => (any(), field(), any())
            .prop_map(|(object, field, value)| Action::SetField { object, field, value }),
        8 => (any(), any(), any())
            .prop_map(|(array, of, index)| Action::GetElement { array, of, index }),
        4 => (any(), any(), any(), any()).prop_map(|(array, of, index, value)| {
            Action::SetElement { array, of, index, value }
        }),
        4 => (any(), any(), any(), any(), any()).prop_map(
            |(from, from_start, to, to_start, length)| {
                Action::Copy { from, from_start, to, to_start, length }
            }
        ),
        2 => class().prop_map(Action::New),
        2 => (any(), any()).prop_map(|(class, length)| Action::NewArray { class, length }),
        1 => any().prop_map(Action::Null),
        3 => (any(), any()).prop_map(|(left, right)| Action::Same(left, right)),
        2 => (any(), class()).prop_map(|(object, class)| Action::Instance(object, class)),
        2 => (proptest::sample::select(comparisons), any(), any())
            .prop_map(|(comparison, left, right)| Action::Compare(comparison, left, right)),
    ]
}

/// A random program.
#[derive(Clone)]
pub(super) struct Program(pub(super) Vec<Action>);

impl std::fmt::Debug for Program {
    /// An action a line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|action| write!(f, "\n{}", format_args!("{action:?}")))
    }
}

/// A program with some inputs to begin with.
pub(super) fn program(most: usize) -> impl Strategy<Value = Program> {
    let inputs = proptest::collection::vec(input(), 2..7);
    let actions = proptest::collection::vec(action(), 1..most);
    (inputs, actions).prop_map(|(inputs, actions)| Program([inputs, actions].concat()))
}
