//! Java's operations on known numbers (JLS chapter 15), by their bits.

use std::cmp::Ordering;

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Operation};

use crate::machine::value::Value;

/// An integer or floating-point type with what the kinds have in common.
macro_rules! arithmetic {
    ($name:ident, $read:ident, $make:ident, $add:expr, $sub:expr, $mul:expr, $div:expr, $rem:expr, $neg:expr) => {
        fn $name(operation: Operation, left: Value, right: Value) -> Option<Value> {
            use Operation::*;
            let (a, b) = (left.$read(), right.$read());
            Some(Value::$make(match operation {
                Add(_) => $add(a, b),
                Subtract(_) => $sub(a, b),
                Multiply(_) => $mul(a, b),
                Divide(_) => $div(a, b),
                Remainder(_) => $rem(a, b),
                Negate(_) => $neg(a),
                _ => return None,
            }))
        }
    };
}

// A divisor of zero does not get here: rules guard against it. Whoever breaks that gets zero.
arithmetic!(
    on_ints,
    as_int,
    int,
    i32::wrapping_add,
    i32::wrapping_sub,
    i32::wrapping_mul,
    |a: i32, b: i32| if b == 0 { 0 } else { a.wrapping_div(b) },
    |a: i32, b: i32| if b == 0 { 0 } else { a.wrapping_rem(b) },
    i32::wrapping_neg
);
arithmetic!(
    on_longs,
    as_long,
    long,
    i64::wrapping_add,
    i64::wrapping_sub,
    i64::wrapping_mul,
    |a: i64, b: i64| if b == 0 { 0 } else { a.wrapping_div(b) },
    |a: i64, b: i64| if b == 0 { 0 } else { a.wrapping_rem(b) },
    i64::wrapping_neg
);
arithmetic!(
    on_floats,
    as_float,
    float,
    |a, b| a + b,
    |a, b| a - b,
    |a, b| a * b,
    |a, b| a / b,
    |a, b| a % b,
    |a: f32| -a
);
arithmetic!(
    on_doubles,
    as_double,
    double,
    |a, b| a + b,
    |a, b| a - b,
    |a, b| a * b,
    |a, b| a / b,
    |a, b| a % b,
    |a: f64| -a
);

/// The exact result of an operation that can overflow, on integers of its kind; `None` of a division by zero.
pub(crate) fn exact(operation: Operation, (left, right): (i64, i64)) -> Option<i128> {
    let (left, right) = (i128::from(left), i128::from(right));
    Some(match operation {
        Operation::Add(_) => left + right,
        Operation::Subtract(_) => left - right,
        Operation::Multiply(_) => left * right,
        Operation::Divide(_) => left.checked_div(right)?,
        Operation::Negate(_) => -left,
        _ => return None,
    })
}

/// The value of an operation; `right` does not matter where there is only one operand.
pub(crate) fn apply(operation: Operation, left: Value, right: Value) -> Value {
    use Operation::*;
    match operation {
        Add(kind) | Subtract(kind) | Multiply(kind) | Divide(kind) | Remainder(kind)
        | Negate(kind) => match kind {
            ArithmeticKind::Int => on_ints(operation, left, right),
            ArithmeticKind::Long => on_longs(operation, left, right),
            ArithmeticKind::Float => on_floats(operation, left, right),
            ArithmeticKind::Double => on_doubles(operation, left, right),
        }
        .unwrap_or_default(),
        SquareRoot(ArithmeticKind::Float) => Value::float(left.as_float().sqrt()),
        SquareRoot(_) => Value::double(left.as_double().sqrt()),
        ShiftLeft(kind) | ShiftRight(kind) | ShiftRightUnsigned(kind) => {
            shift(operation, kind, left, right.as_int() as u32)
        }
        And(_) => Value::known(left.bits & right.bits),
        Or(_) => Value::known(left.bits | right.bits),
        ExclusiveOr(_) => Value::known(left.bits ^ right.bits),
        Compare(kind, nan) => Value::int(
            ordering(kind, left, right).map_or(i32::from(nan), |ordering| ordering as i32),
        ),
        Convert(conversion) => convert(conversion, left),
    }
}

fn shift(operation: Operation, kind: ArithmeticKind, left: Value, by: u32) -> Value {
    let long = kind == ArithmeticKind::Long;
    match operation {
        Operation::ShiftLeft(_) if long => Value::long(left.as_long().wrapping_shl(by)),
        Operation::ShiftLeft(_) => Value::int(left.as_int().wrapping_shl(by)),
        Operation::ShiftRight(_) if long => Value::long(left.as_long().wrapping_shr(by)),
        Operation::ShiftRight(_) => Value::int(left.as_int().wrapping_shr(by)),
        _ if long => Value::long((left.as_long() as u64).wrapping_shr(by) as i64),
        _ => Value::int((left.as_int() as u32).wrapping_shr(by) as i32),
    }
}

/// Rust's `as` is Java's narrowing: it saturates, and NaN becomes zero.
pub(super) fn convert(conversion: Conversion, value: Value) -> Value {
    match conversion {
        Conversion::IntToLong => Value::long(value.as_int().into()),
        Conversion::IntToFloat => Value::float(value.as_int() as f32),
        Conversion::IntToDouble => Value::double(value.as_int().into()),
        Conversion::LongToInt => Value::int(value.as_long() as i32),
        Conversion::LongToFloat => Value::float(value.as_long() as f32),
        Conversion::LongToDouble => Value::double(value.as_long() as f64),
        Conversion::FloatToInt => Value::int(value.as_float() as i32),
        Conversion::FloatToLong => Value::long(value.as_float() as i64),
        Conversion::FloatToDouble => Value::double(value.as_float().into()),
        Conversion::DoubleToInt => Value::int(value.as_double() as i32),
        Conversion::DoubleToLong => Value::long(value.as_double() as i64),
        Conversion::DoubleToFloat => Value::float(value.as_double() as f32),
        Conversion::IntToByte => Value::int((value.as_int() as i8).into()),
        Conversion::IntToChar => Value::int((value.as_int() as u16).into()),
        Conversion::IntToShort => Value::int((value.as_int() as i16).into()),
    }
}

/// How two known numbers compare; `None` where one is NaN.
fn ordering(kind: ArithmeticKind, left: Value, right: Value) -> Option<Ordering> {
    match kind {
        ArithmeticKind::Int => Some(left.as_int().cmp(&right.as_int())),
        ArithmeticKind::Long => Some(left.as_long().cmp(&right.as_long())),
        ArithmeticKind::Float => left.as_float().partial_cmp(&right.as_float()),
        ArithmeticKind::Double => left.as_double().partial_cmp(&right.as_double()),
    }
}

/// Whether two known numbers compare as asked; `nan` is the answer where one is NaN.
pub(super) fn compares(
    kind: ArithmeticKind,
    comparison: Comparison,
    left: Value,
    right: Value,
    nan: bool,
) -> bool {
    ordering(kind, left, right).map_or(nan, |ordering| match comparison {
        Comparison::Equal => ordering.is_eq(),
        Comparison::NotEqual => ordering.is_ne(),
        Comparison::Less => ordering.is_lt(),
        Comparison::GreaterOrEqual => ordering.is_ge(),
        Comparison::Greater => ordering.is_gt(),
        Comparison::LessOrEqual => ordering.is_le(),
    })
}
