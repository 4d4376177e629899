//! Methods on arrays of unknown elements that the class library writes for speed.

use petrel_clp::{ArithmeticKind, Kind, Operation};
use petrel_program::ResolvedMethod;
use petrel_solver::Expr;

use super::{Entry, Reply};
use crate::exploration::value_of;
use crate::machine::{Halt, Machine, Value};

pub(super) const TABLE: &[Entry] = &[(
    "jdk/internal/util/ArraysSupport",
    "vectorizedMismatch",
    "(Ljava/lang/Object;JLjava/lang/Object;JII)I",
    compare_nothing,
)];

/// Many elements at a time are compared, and the rest is left to the caller. Here that is all of them: the
/// complement of their number says so.
fn compare_nothing(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Result<Reply, Halt> {
    let length = machine.int_argument(arguments, 4);
    let complement = Operation::ExclusiveOr(ArithmeticKind::Int);
    let rest = machine.solver.store.apply(complement, length, Expr::Constant(-1));
    Ok(Reply::Return(value_of(rest, Kind::Int)))
}
