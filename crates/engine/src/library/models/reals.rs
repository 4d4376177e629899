//! Functions on `float` and `double` as terms: those that native code gives, and those that the class
//! library computes from bits.
//!
//! The solver has numbers as ranks, which are integers in the order of `Double.compare`: NaN is the last, and
//! -0.0 comes before 0.0.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};
use petrel_heap::either;
use petrel_program::ResolvedMethod;
use petrel_solver::{Constraint, Expr, Store, rank_of_bits};

use super::{Entry, Reply};
use crate::exploration::{expr_of, value_of};
use crate::machine::{Halt, LeftOut, Machine, Value};

const MATH: &str = "java/lang/Math";
const STRICT: &str = "java/lang/StrictMath";

type Replied = Result<Reply, Halt>;

/// A function of two numbers of a format; functions of one do not look at the second.
type Function = fn(&mut Reals<'_>, Expr, Expr) -> Expr;

macro_rules! models {
    ($($class:expr, $name:literal, $descriptor:literal, $format:ident, $result:ident, $function:ident;)*) => {
        &[$((
            $class,
            $name,
            $descriptor,
            |machine: &mut Machine<'_>, method: &ResolvedMethod, arguments: &[Value]| {
                let function: Function = |reals, left, right| reals.$function(left, right);
                run(machine, method, arguments, &$format, Kind::$result, function)
            },
        )),*]
    };
}

pub(super) const TABLE: &[Entry] = models! {
    "java/lang/Float", "floatToRawIntBits", "(F)I", SINGLE, Int, bits;
    "java/lang/Float", "intBitsToFloat", "(I)F", SINGLE, Float, of_bits;
    "java/lang/Float", "compare", "(FF)I", SINGLE, Int, compare;
    "java/lang/Double", "doubleToRawLongBits", "(D)J", DOUBLE, Long, bits;
    "java/lang/Double", "longBitsToDouble", "(J)D", DOUBLE, Double, of_bits;
    "java/lang/Double", "compare", "(DD)I", DOUBLE, Int, compare;
    MATH, "sqrt", "(D)D", DOUBLE, Double, square_root;
    MATH, "abs", "(D)D", DOUBLE, Double, absolute;
    MATH, "abs", "(F)F", SINGLE, Float, absolute;
    MATH, "max", "(DD)D", DOUBLE, Double, largest;
    MATH, "max", "(FF)F", SINGLE, Float, largest;
    MATH, "min", "(DD)D", DOUBLE, Double, smallest;
    MATH, "min", "(FF)F", SINGLE, Float, smallest;
    MATH, "floor", "(D)D", DOUBLE, Double, floor;
    MATH, "ceil", "(D)D", DOUBLE, Double, ceiling;
    MATH, "rint", "(D)D", DOUBLE, Double, nearest;
    MATH, "round", "(D)J", DOUBLE, Long, rounded;
    MATH, "round", "(F)I", SINGLE, Int, rounded;
    STRICT, "sqrt", "(D)D", DOUBLE, Double, square_root;
    STRICT, "floor", "(D)D", DOUBLE, Double, floor;
    STRICT, "ceil", "(D)D", DOUBLE, Double, ceiling;
    STRICT, "rint", "(D)D", DOUBLE, Double, nearest;
};

/// The one function of three numbers. That of `StrictMath` calls it.
pub(super) const FUSED: &[Entry] = &[
    (MATH, "fma", "(DDD)D", |machine, _, arguments| multiply_add(machine, Kind::Double, arguments)),
    (MATH, "fma", "(FFF)F", |machine, _, arguments| multiply_add(machine, Kind::Float, arguments)),
];

fn multiply_add(machine: &mut Machine<'_>, kind: Kind, arguments: &[Value]) -> Replied {
    let operands =
        [0, 1, 2].map(|at| expr_of(arguments.get(at).copied().unwrap_or_default(), kind));
    let value = machine.solver.store.multiply_add(kind, operands);
    Ok(Reply::Return(value_of(value, kind)))
}

/// What is different for `float` and `double`.
struct Format {
    kind: Kind,
    real: ArithmeticKind,
    /// What bits and ranks are computed with.
    integer: ArithmeticKind,
    /// How many places to the right the sign is.
    sign: i64,
    /// The bits of infinity, of NaN, of 1, of 0.5, and of a number from which on all are whole.
    infinity: u64,
    nan: u64,
    one: u64,
    half: u64,
    all_whole: u64,
    to_integer: Conversion,
    from_integer: Conversion,
}

const SINGLE: Format = Format {
    kind: Kind::Float,
    real: ArithmeticKind::Float,
    integer: ArithmeticKind::Int,
    sign: 31,
    infinity: f32::INFINITY.to_bits() as u64,
    nan: f32::NAN.to_bits() as u64,
    one: 1f32.to_bits() as u64,
    half: 0.5f32.to_bits() as u64,
    all_whole: 8_388_608f32.to_bits() as u64,
    to_integer: Conversion::FloatToInt,
    from_integer: Conversion::IntToFloat,
};

const DOUBLE: Format = Format {
    kind: Kind::Double,
    real: ArithmeticKind::Double,
    integer: ArithmeticKind::Long,
    sign: 63,
    infinity: f64::INFINITY.to_bits(),
    nan: f64::NAN.to_bits(),
    one: 1f64.to_bits(),
    half: 0.5f64.to_bits(),
    all_whole: 4_503_599_627_370_496f64.to_bits(),
    to_integer: Conversion::DoubleToLong,
    from_integer: Conversion::LongToDouble,
};

fn run(
    machine: &mut Machine<'_>,
    method: &ResolvedMethod,
    arguments: &[Value],
    format: &'static Format,
    result: Kind,
    function: Function,
) -> Replied {
    let from_bits = method.name().contains("BitsTo");
    let kind = if from_bits { format.integer.into() } else { format.kind };
    let argument = |at: usize| expr_of(arguments.get(at).copied().unwrap_or_default(), kind);
    let (left, right) = (argument(0), argument(1));
    let mut reals = Reals { store: &mut machine.solver.store, format };
    let value = function(&mut reals, left, right);
    let asks_for_bits = method.name().ends_with("Bits");
    if asks_for_bits && reals.is_nan(left) != Expr::Constant(0) {
        machine.note_left_out(LeftOut::NanBits);
    }
    Ok(Reply::Return(value_of(value, result)))
}

/// Builds terms over numbers of a format.
struct Reals<'a> {
    store: &'a mut Store,
    format: &'static Format,
}

impl Reals<'_> {
    fn number(&self, bits: u64) -> Expr {
        Expr::Constant(rank_of_bits(self.format.kind, bits))
    }

    fn apply(&mut self, operation: Operation, left: Expr, right: Expr) -> Expr {
        self.store.apply(operation, left, right)
    }

    /// Whether two ranks, or two sets of bits, compare so.
    fn test(&mut self, left: Expr, comparison: Comparison, right: Expr) -> Expr {
        let kind = self.format.integer;
        self.store.test(&Constraint::Compare { kind, comparison, left, right })
    }

    /// Whether numbers compare so, as Java's operators have it; NaN does not.
    fn is(&mut self, left: Expr, comparison: Comparison, right: Expr) -> Expr {
        let nan = if comparison == Comparison::Less { 1 } else { -1 };
        let compared = self.apply(Operation::Compare(self.format.real, nan), left, right);
        self.store.test(&Constraint::int(compared, comparison, Expr::Constant(0)))
    }

    fn choose(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        self.store.choose(self.format.kind, condition, then, otherwise)
    }

    fn opposite(&mut self, number: Expr) -> Expr {
        self.apply(Operation::Negate(self.format.real), number, Expr::Constant(0))
    }

    fn is_nan(&mut self, number: Expr) -> Expr {
        let infinity = self.number(self.format.infinity);
        self.test(number, Comparison::Greater, infinity)
    }

    /// All bits but the sign are flipped if that is set: from bits to ranks, and back.
    fn flipped(&mut self, integer: Expr) -> Expr {
        let kind = self.format.integer;
        let sign = Expr::Constant(self.format.sign);
        let signs = self.apply(Operation::ShiftRight(kind), integer, sign);
        let mask = self.apply(Operation::ShiftRightUnsigned(kind), signs, Expr::Constant(1));
        self.apply(Operation::ExclusiveOr(kind), integer, mask)
    }

    fn bits(&mut self, number: Expr, _: Expr) -> Expr {
        let bits = self.flipped(number);
        let is_nan = self.is_nan(number);
        let of_nan = Expr::Constant(self.format.nan as i64);
        self.store.choose(self.format.integer.into(), is_nan, of_nan, bits)
    }

    /// All that are NaN become one: which they were is lost.
    fn of_bits(&mut self, bits: Expr, _: Expr) -> Expr {
        let rank = self.flipped(bits);
        let infinity = self.number(self.format.infinity);
        let first = self.opposite(infinity);
        let is_above = self.test(rank, Comparison::Greater, infinity);
        let is_below = self.test(rank, Comparison::Less, first);
        let is_nan = either(self.store, is_above, is_below);
        let nan = self.number(self.format.nan);
        self.choose(is_nan, nan, rank)
    }

    fn compare(&mut self, left: Expr, right: Expr) -> Expr {
        self.apply(Operation::Compare(self.format.integer, 0), left, right)
    }

    fn square_root(&mut self, number: Expr, _: Expr) -> Expr {
        self.apply(Operation::SquareRoot(self.format.real), number, Expr::Constant(0))
    }

    fn absolute(&mut self, number: Expr, _: Expr) -> Expr {
        let is_negative = self.test(number, Comparison::Less, Expr::Constant(0));
        let opposite = self.opposite(number);
        self.choose(is_negative, opposite, number)
    }

    fn largest(&mut self, left: Expr, right: Expr) -> Expr {
        let is_right = self.test(left, Comparison::Less, right);
        self.choose(is_right, right, left)
    }

    fn smallest(&mut self, left: Expr, right: Expr) -> Expr {
        let largest = self.largest(left, right);
        let is_nan = self.is_nan(largest);
        let is_left = self.test(left, Comparison::Less, right);
        let smallest = self.choose(is_left, left, right);
        self.choose(is_nan, largest, smallest)
    }

    fn floor(&mut self, number: Expr, _: Expr) -> Expr {
        let to_integer = Operation::Convert(self.format.to_integer);
        let from_integer = Operation::Convert(self.format.from_integer);
        let cut_off = self.apply(to_integer, number, Expr::Constant(0));
        let whole = self.apply(from_integer, cut_off, Expr::Constant(0));
        let one = self.number(self.format.one);
        let below = self.apply(Operation::Subtract(self.format.real), whole, one);
        let is_below = self.is(number, Comparison::Less, whole);
        // What is whole already stays as it is, with the sign of zero.
        let is_whole = self.is(number, Comparison::Equal, whole);
        let floor = self.choose(is_whole, number, whole);
        let floor = self.choose(is_below, below, floor);
        let is_large = self.is_all_whole(number);
        self.choose(is_large, number, floor)
    }

    /// Whether a number is so large that nothing is behind its point, or no number.
    fn is_all_whole(&mut self, number: Expr) -> Expr {
        let from = self.number(self.format.all_whole);
        let to = self.opposite(from);
        let is_above = self.test(number, Comparison::GreaterOrEqual, from);
        let is_below = self.test(number, Comparison::LessOrEqual, to);
        either(self.store, is_above, is_below)
    }

    fn ceiling(&mut self, number: Expr, _: Expr) -> Expr {
        let opposite = self.opposite(number);
        let floor = self.floor(opposite, opposite);
        self.opposite(floor)
    }

    /// The nearest whole number, an even one of two: a sum with a number that has no more places rounds so.
    fn nearest(&mut self, number: Expr, _: Expr) -> Expr {
        let size = self.absolute(number, number);
        let all_whole = self.number(self.format.all_whole);
        let sum = self.apply(Operation::Add(self.format.real), size, all_whole);
        let rounded = self.apply(Operation::Subtract(self.format.real), sum, all_whole);
        let is_small = self.test(size, Comparison::Less, all_whole);
        let rounded = self.choose(is_small, rounded, size);
        let opposite = self.opposite(rounded);
        let is_negative = self.test(number, Comparison::Less, Expr::Constant(0));
        self.choose(is_negative, opposite, rounded)
    }

    /// The nearest integer, the larger of two.
    fn rounded(&mut self, number: Expr, _: Expr) -> Expr {
        let floor = self.floor(number, number);
        let rest = self.apply(Operation::Subtract(self.format.real), number, floor);
        let (half, one) = (self.number(self.format.half), self.number(self.format.one));
        let is_up = self.is(rest, Comparison::GreaterOrEqual, half);
        let above = self.apply(Operation::Add(self.format.real), floor, one);
        let rounded = self.choose(is_up, above, floor);
        self.apply(Operation::Convert(self.format.to_integer), rounded, Expr::Constant(0))
    }
}

#[cfg(test)]
mod tests;
