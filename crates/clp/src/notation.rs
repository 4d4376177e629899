//! The vocabulary that the printer and the parser of the text share.

use petrel_classfile::ReferenceKind;

use crate::literal::Guard;
use crate::rule::PredicateKind;
use crate::term::{ArithmeticKind, Operation};

/// Names that mean something in a rule body, so that no method can be called by them alone.
pub(crate) const RESERVED: &[&str] = &[
    "array_length",
    "castable",
    "class_object",
    "class_of",
    "different",
    "dynamic",
    "dynamic_constant",
    "get_array",
    "get_field",
    "get_static",
    "in_bounds",
    "initialise",
    "instance",
    "instance_of",
    "method_handle",
    "method_type",
    "nan_or",
    "new_array",
    "new_multi_array",
    "new_object",
    "not_castable",
    "not_instance",
    "not_storable",
    "out_of_bounds",
    "same",
    "set_array",
    "set_field",
    "set_static",
    "storable",
    "string",
    "throwable",
];

/// How a comment starts that says which instructions literals come from.
pub(crate) const PLACES: &str = "literals:";

/// The kinds of predicates.
pub(crate) const PREDICATE_KINDS: [(PredicateKind, &str); 5] = [
    (PredicateKind::Entry, "entry"),
    (PredicateKind::Block, "block"),
    (PredicateKind::Loop, "loop"),
    (PredicateKind::Catch, "catch"),
    (PredicateKind::Choice, "choice"),
];

/// The kinds of method handles. The first four are for fields.
pub(crate) const REFERENCE_KINDS: [(ReferenceKind, &str); 9] = [
    (ReferenceKind::GetField, "get_field"),
    (ReferenceKind::GetStatic, "get_static"),
    (ReferenceKind::PutField, "put_field"),
    (ReferenceKind::PutStatic, "put_static"),
    (ReferenceKind::InvokeVirtual, "invoke_virtual"),
    (ReferenceKind::InvokeStatic, "invoke_static"),
    (ReferenceKind::InvokeSpecial, "invoke_special"),
    (ReferenceKind::NewInvokeSpecial, "new_invoke_special"),
    (ReferenceKind::InvokeInterface, "invoke_interface"),
];

/// Whether a handle of this kind stands for a field.
pub(crate) fn is_field_kind(kind: ReferenceKind) -> bool {
    matches!(
        kind,
        ReferenceKind::GetField
            | ReferenceKind::GetStatic
            | ReferenceKind::PutField
            | ReferenceKind::PutStatic
    )
}

/// The name of a value in one of the tables above.
pub(crate) fn name_of<T: Copy + PartialEq>(table: &[(T, &'static str)], value: T) -> &'static str {
    let found = table.iter().find(|(candidate, _)| *candidate == value);
    found.map_or("?", |(_, name)| name)
}

/// The value with a name in one of the tables above.
pub(crate) fn value_of<T: Copy>(table: &[(T, &'static str)], name: &str) -> Option<T> {
    let found = table.iter().find(|(_, candidate)| *candidate == name);
    found.map(|(value, _)| *value)
}

/// The symbol of an operation that is written between its operands; the first one's kind is that of
/// the operation.
pub fn infix_symbol(operation: Operation) -> Option<&'static str> {
    use Operation::*;
    Some(match operation {
        Add(_) => "+",
        Subtract(_) => "-",
        Multiply(_) => "*",
        Divide(_) => "/",
        Remainder(_) => "rem",
        ShiftLeft(_) => "<<",
        ShiftRight(_) => ">>",
        ShiftRightUnsigned(_) => ">>>",
        And(_) => "/\\",
        Or(_) => "\\/",
        Negate(_) | SquareRoot(_) | ExclusiveOr(_) | Compare(..) | Convert(_) => return None,
    })
}

/// The operation that a symbol between operands of this kind stands for.
pub(crate) fn infix_operation(symbol: &str, kind: ArithmeticKind) -> Option<Operation> {
    use Operation::*;
    [
        Add(kind),
        Subtract(kind),
        Multiply(kind),
        Divide(kind),
        Remainder(kind),
        ShiftLeft(kind),
        ShiftRight(kind),
        ShiftRightUnsigned(kind),
        And(kind),
        Or(kind),
    ]
    .into_iter()
    .find(|&operation| infix_symbol(operation) == Some(symbol))
}

/// The comparing instructions: kind, and the result for NaN. A `long` is never NaN: 0 stands there.
pub(crate) const COMPARES: [((ArithmeticKind, i8), &str); 5] = [
    ((ArithmeticKind::Long, 0), "lcmp"),
    ((ArithmeticKind::Float, -1), "fcmpl"),
    ((ArithmeticKind::Float, 1), "fcmpg"),
    ((ArithmeticKind::Double, -1), "dcmpl"),
    ((ArithmeticKind::Double, 1), "dcmpg"),
];

/// The form of guards whose text is a name and three arguments: the heap, a reference, and the
/// array's index or the value or the class.
pub(crate) fn guard_name(guard: &Guard) -> &'static str {
    match guard {
        Guard::InBounds { .. } => "in_bounds",
        Guard::OutOfBounds { .. } => "out_of_bounds",
        Guard::Storable { .. } => "storable",
        Guard::NotStorable { .. } => "not_storable",
        Guard::Instance(..) => "instance",
        Guard::NotInstance(..) => "not_instance",
        Guard::Castable(..) => "castable",
        Guard::NotCastable(..) => "not_castable",
        _ => "?",
    }
}

/// Whether a variable can have this name: an upper-case letter or `_` first, then letters, digits
/// and `_`. `_` alone is no name.
pub fn is_variable_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(starts_variable) && chars.all(continues_name) && name != "_"
}

pub(crate) fn starts_variable(c: char) -> bool {
    c == '_' || c.is_uppercase()
}

pub(crate) fn continues_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
