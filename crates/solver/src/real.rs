//! `float` and `double` as integers: a number is its rank, its place in the order of all numbers of its
//! kind.
//!
//! The ranks of -0.0 and 0.0 are -1 and 0, numbers that follow each other have ranks that do, and NaN, of
//! which there is one, comes after infinity. So the rank of a number that is not negative is its bits, the
//! opposite of a number has the complement of its rank, intervals of ranks are intervals of numbers, and a
//! search that goes to the next integer goes to the next number. `Double.compare` compares ranks.

mod readable;

use petrel_clp::{ArithmeticKind, Conversion, Kind, Operation};

pub(crate) use readable::{beside, readable, rounded, suggested};

/// What the two kinds have in common: how ranks become numbers and are computed with.
pub(crate) trait Real: Copy + PartialOrd {
    /// The rank of infinity.
    const RANK_OF_INFINITY: i64;

    /// The number of a rank.
    fn of_rank(rank: i64) -> Self;

    /// The rank of a number.
    fn rank(self) -> i64;

    /// The number that is closest to another.
    fn of_f64(number: f64) -> Self;

    /// The same number.
    fn to_f64(self) -> f64;

    /// An arithmetic operation; `None` if it is something else.
    fn apply(operation: Operation, left: Self, right: Self) -> Option<Self>;

    /// The product of two and the sum of that with a third, rounded once.
    fn multiply_add(factors: [Self; 2], addend: Self) -> Self;

    /// The rank of NaN, which is the last one.
    const RANK_OF_NAN: i64 = Self::RANK_OF_INFINITY + 1;

    /// The rank of the opposite of infinity, which is the first one.
    const FIRST_RANK: i64 = !Self::RANK_OF_INFINITY;
}

macro_rules! real {
    ($real:ident, $bits:ident) => {
        impl Real for $real {
            const RANK_OF_INFINITY: i64 = $real::INFINITY.to_bits() as i64;

            #[inline]
            fn of_rank(rank: i64) -> $real {
                if !(Self::FIRST_RANK..=Self::RANK_OF_INFINITY).contains(&rank) {
                    $real::NAN
                } else if rank >= 0 {
                    $real::from_bits(rank as $bits)
                } else {
                    -$real::from_bits(!rank as $bits)
                }
            }

            #[inline]
            fn rank(self) -> i64 {
                if self.is_nan() {
                    Self::RANK_OF_NAN
                } else if self.is_sign_negative() {
                    !((-self).to_bits() as i64)
                } else {
                    self.to_bits() as i64
                }
            }

            #[inline]
            fn of_f64(number: f64) -> $real {
                number as $real
            }

            #[inline]
            fn to_f64(self) -> f64 {
                self.into()
            }

            #[inline]
            fn apply(operation: Operation, left: $real, right: $real) -> Option<$real> {
                Some(match operation {
                    Operation::Add(_) => left + right,
                    Operation::Subtract(_) => left - right,
                    Operation::Multiply(_) => left * right,
                    Operation::Divide(_) => left / right,
                    Operation::Remainder(_) => left % right,
                    Operation::Negate(_) => -left,
                    Operation::SquareRoot(_) => left.sqrt(),
                    _ => return None,
                })
            }

            #[inline]
            fn multiply_add([left, right]: [$real; 2], addend: $real) -> $real {
                left.mul_add(right, addend)
            }
        }
    };
}

real!(f32, u32);
real!(f64, u64);

/// The rank of a `float` or `double` that is given by its bits, as `floatToRawIntBits` has them.
pub fn rank_of_bits(kind: Kind, bits: u64) -> i64 {
    match kind {
        Kind::Float => f32::from_bits(bits as u32).rank(),
        _ => f64::from_bits(bits).rank(),
    }
}

/// The bits of the `float` or `double` with a rank; NaN has those of `Double.NaN`.
pub fn bits_of_rank(kind: Kind, rank: i64) -> u64 {
    match kind {
        Kind::Float => f32::of_rank(rank).to_bits().into(),
        _ => f64::of_rank(rank).to_bits(),
    }
}

/// The first and the last rank of a kind; `None` if it is one of integers.
#[inline]
pub(crate) fn ranks(kind: Kind) -> Option<(i64, i64)> {
    match kind {
        Kind::Float => Some((f32::FIRST_RANK, f32::RANK_OF_NAN)),
        Kind::Double => Some((f64::FIRST_RANK, f64::RANK_OF_NAN)),
        _ => None,
    }
}

/// Whether an operation has operands, or a result, that are no integers.
#[inline]
pub(crate) fn is_on_reals(operation: Operation) -> bool {
    use Operation::*;
    match operation {
        Add(kind)
        | Subtract(kind)
        | Multiply(kind)
        | Divide(kind)
        | Remainder(kind)
        | Negate(kind)
        | SquareRoot(kind)
        | ShiftLeft(kind)
        | ShiftRight(kind)
        | ShiftRightUnsigned(kind)
        | And(kind)
        | Or(kind)
        | ExclusiveOr(kind)
        | Compare(kind, _) => matches!(kind, ArithmeticKind::Float | ArithmeticKind::Double),
        Convert(conversion) => !matches!(
            conversion,
            Conversion::IntToLong
                | Conversion::LongToInt
                | Conversion::IntToByte
                | Conversion::IntToChar
                | Conversion::IntToShort
        ),
    }
}

/// An operation that [`is_on_reals`], on ranks and integers, with Java's meaning: 0 for any other.
pub(crate) fn apply(operation: Operation, left: i64, right: i64) -> i64 {
    use ArithmeticKind::{Double, Float};
    use Operation::*;
    match operation {
        Add(kind) | Subtract(kind) | Multiply(kind) | Divide(kind) | Remainder(kind)
        | Negate(kind) | SquareRoot(kind) => match kind {
            Float => arithmetic::<f32>(operation, left, right),
            Double => arithmetic::<f64>(operation, left, right),
            _ => 0,
        },
        Compare(Float, nan) => compare::<f32>(nan, left, right),
        Compare(Double, nan) => compare::<f64>(nan, left, right),
        Convert(conversion) => convert(conversion, left),
        _ => 0,
    }
}

/// The product of two ranks of a kind and the sum of that with a third, rounded once: 0 for integers.
pub(crate) fn multiply_add(kind: Kind, operands: [i64; 3]) -> i64 {
    match kind {
        Kind::Float => multiply_add_of::<f32>(operands),
        Kind::Double => multiply_add_of::<f64>(operands),
        _ => 0,
    }
}

#[inline]
pub(crate) fn multiply_add_of<R: Real>(operands: [i64; 3]) -> i64 {
    let [left, right, addend] = operands.map(R::of_rank);
    R::multiply_add([left, right], addend).rank()
}

#[inline]
fn arithmetic<R: Real>(operation: Operation, left: i64, right: i64) -> i64 {
    R::apply(operation, R::of_rank(left), R::of_rank(right)).map_or(0, R::rank)
}

#[inline]
fn compare<R: Real>(nan: i8, left: i64, right: i64) -> i64 {
    let ordering = R::of_rank(left).partial_cmp(&R::of_rank(right));
    ordering.map_or(nan.into(), |ordering| ordering as i64)
}

/// Rust's `as` is Java's conversion: it rounds to the nearest, saturates, and makes NaN 0.
fn convert(conversion: Conversion, operand: i64) -> i64 {
    match conversion {
        Conversion::IntToFloat => (operand as i32 as f32).rank(),
        Conversion::IntToDouble => f64::from(operand as i32).rank(),
        Conversion::LongToFloat => (operand as f32).rank(),
        Conversion::LongToDouble => (operand as f64).rank(),
        Conversion::FloatToInt => (f32::of_rank(operand) as i32).into(),
        Conversion::FloatToLong => f32::of_rank(operand) as i64,
        Conversion::FloatToDouble => f64::from(f32::of_rank(operand)).rank(),
        Conversion::DoubleToInt => (f64::of_rank(operand) as i32).into(),
        Conversion::DoubleToLong => f64::of_rank(operand) as i64,
        Conversion::DoubleToFloat => (f64::of_rank(operand) as f32).rank(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
