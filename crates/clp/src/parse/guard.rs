//! Guards.

use super::Fault;
use super::reader::{Node, Term};
use super::rule::RuleReading;
use crate::facts::Facts;
use crate::literal::Guard;
use crate::term::{Comparison, Kind, Operand};

impl<'a> RuleReading<'_, '_, 'a> {
    /// A guard; `None` if the term has not the form of one.
    pub(super) fn guard(&mut self, term: &Term<'a>) -> Result<Option<Guard>, Fault> {
        match &term.node {
            Node::Infix(relation, left, right) => self.relation(relation, left, right),
            Node::Compound(name, _) => match &**name {
                "nan_or" => {
                    let [comparison] = term.arguments()?;
                    match self.guard(comparison)? {
                        Some(Guard::Compare { kind, comparison, left, right, nan: false }) => {
                            Ok(Some(Guard::Compare { kind, comparison, left, right, nan: true }))
                        }
                        _ => comparison.wrong("a comparison is expected here"),
                    }
                }
                "same" | "different" => {
                    let [left, right] = term.arguments()?;
                    let (left, right) = (self.operand(left)?, self.operand(right)?);
                    Ok(Some(if name == "same" {
                        Guard::Same(left, right)
                    } else {
                        Guard::Different(left, right)
                    }))
                }
                "in_bounds" | "out_of_bounds" | "storable" | "not_storable" => {
                    let [heap, array, other] = term.arguments()?;
                    self.heap(heap)?;
                    let (array, other) = (self.operand(array)?, self.operand(other)?);
                    let (index, value) = (other, other);
                    Ok(Some(match &**name {
                        "in_bounds" => Guard::InBounds { array, index },
                        "out_of_bounds" => Guard::OutOfBounds { array, index },
                        "storable" => Guard::Storable { array, value },
                        _ => Guard::NotStorable { array, value },
                    }))
                }
                "instance" | "not_instance" | "castable" | "not_castable" => {
                    let [heap, object, class] = term.arguments()?;
                    self.heap(heap)?;
                    let (object, class) = (self.operand(object)?, self.class(class)?);
                    Ok(Some(match &**name {
                        "instance" => Guard::Instance(object, class),
                        "not_instance" => Guard::NotInstance(object, class),
                        "castable" => Guard::Castable(object, class),
                        _ => Guard::NotCastable(object, class),
                    }))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn relation(
        &mut self,
        relation: &str,
        left: &Term<'a>,
        right: &Term<'a>,
    ) -> Result<Option<Guard>, Fault> {
        if relation == "=" {
            return self.exit_guard(left, right).map(Some);
        }
        if relation == "#=" && is_operation(right) {
            return Ok(None);
        }
        let comparison =
            Comparison::ALL.into_iter().find(|comparison| comparison.symbol() == relation);
        let operand = self.operand(left)?;
        Ok(Some(match (relation, comparison) {
            (_, Some(comparison)) => Guard::Compare {
                kind: self.arithmetic_kind(left, operand)?,
                comparison,
                left: operand,
                right: self.operand(right)?,
                nan: false,
            },
            ("in", _) => Guard::OneOf(operand, ints(right)?),
            ("not_in", _) => Guard::NoneOf(operand, ints(right)?),
            ("==", _) if right.is_atom("null") => Guard::IsNull(operand),
            ("==", _) => Guard::Same(operand, self.operand(right)?),
            _ if right.is_atom("null") => Guard::NonNull(operand),
            _ => Guard::Different(operand, self.operand(right)?),
        }))
    }

    /// `E = ok` or `E = exc(X)`
    fn exit_guard(&mut self, exit: &Term<'a>, outcome: &Term<'a>) -> Result<Guard, Fault> {
        let exit = self.bound(exit)?;
        match &outcome.node {
            Node::Atom(name) if name == "ok" => Ok(Guard::Returned(exit)),
            Node::Compound(name, _) if name == "exc" => {
                let [exception] = outcome.arguments()?;
                let exception = self.target(exception, Kind::Reference, Facts::NON_NULL)?;
                Ok(Guard::Threw(exit, exception))
            }
            _ => outcome.wrong("ok or exc(X) is expected here"),
        }
    }
}

/// Whether the right side of `#=` is computed; otherwise it is compared with.
fn is_operation(term: &Term<'_>) -> bool {
    match &term.node {
        Node::Infix(..) => true,
        Node::Compound(name, _) => !matches!(&**name, "float" | "double"),
        _ => false,
    }
}

fn ints(term: &Term<'_>) -> Result<Vec<i32>, Fault> {
    term.list()?
        .iter()
        .map(|item| match item.node {
            Node::Number(Operand::Int(value)) => Ok(value),
            _ => item.wrong("an int is expected here"),
        })
        .collect()
}
