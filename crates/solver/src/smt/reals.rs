//! Operations on `float` and `double` in the theory of floating point, between bit vectors that are ranks.

use petrel_clp::{ArithmeticKind, Conversion, Kind, Operation};

use super::script::{Number, Operand};
use crate::query::{Unsupported, width};
use crate::real::ranks;
use crate::term::Expr;

/// Functions from ranks to numbers. What is not negative has its own bits, and the bits of the opposite are
/// those with the sign; the rank of NaN has bits of NaN.
pub(super) const PRELUDE: &str = "\
(define-fun real32 ((r (_ BitVec 32))) (_ FloatingPoint 8 24)
  ((_ to_fp 8 24) (ite (bvslt r #x00000000) (bvor (bvnot r) #x80000000) r)))
(define-fun real64 ((r (_ BitVec 64))) (_ FloatingPoint 11 53)
  ((_ to_fp 11 53) (ite (bvslt r #x0000000000000000) (bvor (bvnot r) #x8000000000000000) r)))
";

/// What an operation is.
pub(super) enum Definition {
    /// An integer.
    Integer(String),
    /// A number, whose rank is the bit vector that is equal to it and in the range of ranks.
    Real(String),
}

/// That a bit vector is the rank of a number.
pub(super) fn is_rank_of(kind: Kind, name: &str, number: &str) -> Result<String, Unsupported> {
    let ((low, high), width) = (ranks(kind).ok_or(Unsupported)?, width(kind)?);
    let [low, high] = [low, high].map(|end| Number(end, width));
    Ok(format!(
        "(and (= ({} {name}) {number}) (bvsle {low} {name}) (bvsle {name} {high}))",
        function(kind)?
    ))
}

/// The function that makes ranks numbers.
fn function(kind: Kind) -> Result<&'static str, Unsupported> {
    match kind {
        Kind::Float => Ok("real32"),
        Kind::Double => Ok("real64"),
        _ => Err(Unsupported),
    }
}

/// The conversion to numbers of a kind.
fn to_real(kind: Kind) -> Result<&'static str, Unsupported> {
    match kind {
        Kind::Float => Ok("(_ to_fp 8 24)"),
        Kind::Double => Ok("(_ to_fp 11 53)"),
        _ => Err(Unsupported),
    }
}

fn real(kind: Kind, expr: Expr) -> Result<String, Unsupported> {
    Ok(format!("({} {})", function(kind)?, Operand(expr, width(kind)?)))
}

/// An operation on numbers that are no integers.
pub(super) fn define(
    operation: Operation,
    left: Expr,
    right: Expr,
) -> Result<Definition, Unsupported> {
    use Operation::*;
    let binary = |function: &str, kind: ArithmeticKind| {
        let (left, right) = (real(kind.into(), left)?, real(kind.into(), right)?);
        Ok(Definition::Real(format!("({function} {left} {right})")))
    };
    let unary = |function: &str, kind: ArithmeticKind| {
        Ok(Definition::Real(format!("({function} {})", real(kind.into(), left)?)))
    };
    match operation {
        Add(kind) => binary("fp.add RNE", kind),
        Subtract(kind) => binary("fp.sub RNE", kind),
        Multiply(kind) => binary("fp.mul RNE", kind),
        Divide(kind) => binary("fp.div RNE", kind),
        Negate(kind) => unary("fp.neg", kind),
        SquareRoot(kind) => unary("fp.sqrt RNE", kind),
        Compare(kind, nan) => {
            let (left, right) = (real(kind.into(), left)?, real(kind.into(), right)?);
            let [nan, below, same, above] = [nan.into(), -1, 0, 1].map(|result| Number(result, 32));
            Ok(Definition::Integer(format!(
                "(ite (or (fp.isNaN {left}) (fp.isNaN {right})) {nan} \
                 (ite (fp.lt {left} {right}) {below} (ite (fp.eq {left} {right}) {same} {above})))"
            )))
        }
        Convert(conversion) => convert(conversion, left),
        // What the theory calls a remainder is that of the nearest quotient.
        _ => Err(Unsupported),
    }
}

/// A product and a sum, rounded once.
pub(super) fn multiply_add(kind: Kind, operands: [Expr; 3]) -> Result<String, Unsupported> {
    let [left, right, addend] = operands.map(|operand| real(kind, operand));
    Ok(format!("(fp.fma RNE {} {} {})", left?, right?, addend?))
}

fn convert(conversion: Conversion, operand: Expr) -> Result<Definition, Unsupported> {
    let (from, to) = conversion.kinds();
    if ranks(from).is_none() {
        let integer = Operand(operand, width(from)?);
        return Ok(Definition::Real(format!("({} RNE {integer})", to_real(to)?)));
    }
    let number = real(from, operand)?;
    if ranks(to).is_some() {
        return Ok(Definition::Real(format!("({} RNE {number})", to_real(to)?)));
    }
    let width = width(to)?;
    let [least, most, zero] =
        [i64::MIN >> (64 - width), i64::MAX >> (64 - width), 0].map(|end| Number(end, width));
    // The theory leaves open what is too large.
    let end = format!("({} RNE {least})", to_real(from)?);
    Ok(Definition::Integer(format!(
        "(ite (fp.isNaN {number}) {zero} (ite (fp.leq {number} {end}) {least} \
         (ite (fp.geq {number} (fp.neg {end})) {most} ((_ fp.to_sbv {width}) RTZ {number}))))"
    )))
}
