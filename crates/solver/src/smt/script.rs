//! Constraints as an SMT-LIB 2 script over bit vectors, which are integers or ranks. Every term is defined once, under a name, so
//! that the script is as long as there are terms.

use std::fmt::{self, Display, Formatter, Write};

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use super::reals::{self, Definition};
use crate::constraint::Constraint;
use crate::query::{Unsupported, reached, width};
use crate::real::is_on_reals;
use crate::term::{Expr, Node, TermId, Terms, UnknownId};

/// A whole script that asks whether constraints hold together: with the unknowns, their ranges and
/// the terms that the constraints reach. `None` if anything opaque is involved, or an operation that the
/// language does not have.
pub fn smt_lib(terms: &Terms, constraints: &[Constraint]) -> Option<String> {
    let script = Script::of(terms, constraints).ok()?;
    Some(format!("(set-logic {})\n{}(check-sat)\n", script.logic.name(), script.text))
}

/// What a script is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Logic {
    /// Integers alone, for which solvers are faster.
    Integers,
    /// Also `float` and `double`.
    Reals,
}

impl Logic {
    /// Its name in the language.
    pub(super) fn name(self) -> &'static str {
        match self {
            Logic::Integers => "QF_BV",
            Logic::Reals => "QF_BVFP",
        }
    }
}

/// Declarations, definitions and assertions.
pub(super) struct Script {
    pub(super) text: String,
    pub(super) logic: Logic,
    /// The unknowns that it declares.
    pub(super) unknowns: Vec<UnknownId>,
}

impl Script {
    pub(super) fn of(terms: &Terms, constraints: &[Constraint]) -> Result<Script, Unsupported> {
        let reached = reached(terms, constraints)?;
        let is_on_reals = |&term: &TermId| match terms.node(term) {
            Node::Apply(operation, ..) => is_on_reals(operation),
            Node::MultiplyAdd(..) => true,
            _ => false,
        };
        let (logic, prelude) = if reached.iter().any(is_on_reals) {
            (Logic::Reals, reals::PRELUDE)
        } else {
            (Logic::Integers, "")
        };
        let mut script = Script { text: prelude.to_owned(), logic, unknowns: Vec::new() };
        for term in reached {
            script.define(terms, term)?;
        }
        for constraint in constraints {
            script.assert(&constraint_text(constraint)?);
        }
        Ok(script)
    }

    /// The question for the values of the unknowns.
    pub(super) fn get_values(&self) -> String {
        let mut text = String::from("(get-value (");
        for unknown in &self.unknowns {
            push(&mut text, format_args!(" u{}", unknown.0));
        }
        text.push_str("))\n");
        text
    }

    fn assert(&mut self, condition: &str) {
        push(&mut self.text, format_args!("(assert {condition})\n"));
    }

    /// Makes a term the rank of a number.
    fn define_rank(
        &mut self,
        terms: &Terms,
        term: TermId,
        number: &str,
    ) -> Result<(), Unsupported> {
        let kind = terms.kind(term);
        let (name, width) = (format!("t{}", term.0), width(kind)?);
        push(&mut self.text, format_args!("(declare-const {name} (_ BitVec {width}))\n"));
        self.assert(&reals::is_rank_of(kind, &name, number)?);
        Ok(())
    }

    /// Declares an unknown, or defines another term by its operands.
    fn define(&mut self, terms: &Terms, term: TermId) -> Result<(), Unsupported> {
        let kind = terms.kind(term);
        let width = width(kind)?;
        let definition = match terms.node(term) {
            Node::Unknown(number) => {
                push(
                    &mut self.text,
                    format_args!("(declare-const u{} (_ BitVec {width}))\n", number.0),
                );
                let unknown = &terms.unknowns()[number.index()];
                let [low, high] = [unknown.low, unknown.high].map(|end| Number(end, width));
                self.assert(&format!("(and (bvsle {low} u{0}) (bvsle u{0} {high}))", number.0));
                self.unknowns.push(number);
                format!("u{}", number.0)
            }
            Node::Apply(operation, left, right) if is_on_reals(operation) => {
                match reals::define(operation, left, right)? {
                    Definition::Integer(text) => text,
                    Definition::Real(number) => return self.define_rank(terms, term, &number),
                }
            }
            Node::MultiplyAdd(_, operands) => {
                let number = reals::multiply_add(kind, operands)?;
                return self.define_rank(terms, term, &number);
            }
            node => node_text(terms, node, width)?,
        };
        push(
            &mut self.text,
            format_args!("(define-fun t{} () (_ BitVec {width}) {definition})\n", term.0),
        );
        Ok(())
    }
}

/// Appends formatted text.
fn push(text: &mut String, arguments: fmt::Arguments) {
    text.write_fmt(arguments).expect("a string takes any text");
}

/// The lowest bits of a number.
pub(super) struct Number(pub(super) i64, pub(super) usize);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Number(value, width) = *self;
        write!(f, "#x{:0digits$x}", value as u64 & (u64::MAX >> (64 - width)), digits = width / 4)
    }
}

/// A constant or the name of a term.
pub(super) struct Operand(pub(super) Expr, pub(super) usize);

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self.0 {
            Expr::Constant(value) => Number(value, self.1).fmt(f),
            Expr::Term(term) => write!(f, "t{}", term.0),
        }
    }
}

fn constraint_text(constraint: &Constraint) -> Result<String, Unsupported> {
    match constraint {
        Constraint::Compare { kind, comparison, left, right } => {
            comparison_text((*kind).into(), *comparison, *left, *right)
        }
        Constraint::Among(membership) => {
            let value = Operand(membership.value, 32);
            let mut text = String::from("(or false");
            for &constant in membership.constants.iter() {
                push(&mut text, format_args!(" (= {value} {})", Number(constant.into(), 32)));
            }
            text.push(')');
            Ok(if membership.is_member { text } else { format!("(not {text})") })
        }
    }
}

fn comparison_text(
    kind: Kind,
    comparison: Comparison,
    left: Expr,
    right: Expr,
) -> Result<String, Unsupported> {
    let width = width(kind)?;
    let function = match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "distinct",
        Comparison::Less => "bvslt",
        Comparison::GreaterOrEqual => "bvsge",
        Comparison::Greater => "bvsgt",
        Comparison::LessOrEqual => "bvsle",
    };
    Ok(format!("({function} {} {})", Operand(left, width), Operand(right, width)))
}

fn node_text(terms: &Terms, node: Node, width: usize) -> Result<String, Unsupported> {
    Ok(match node {
        Node::Apply(operation, left, right) => apply_text(operation, left, right)?,
        Node::Test(kind, comparison, left, right) => {
            let test = comparison_text(kind, comparison, left, right)?;
            format!("(ite {test} {} {})", Number(1, 32), Number(0, 32))
        }
        Node::Choose(_, condition, then, otherwise) => format!(
            "(ite (= t{} {}) {} {})",
            condition.0,
            Number(0, 32),
            Operand(otherwise, width),
            Operand(then, width)
        ),
        Node::Select(_, table, index) => {
            let elements = terms.table(table);
            let mut text = String::new();
            let end = Number(elements.len() as i64, 32);
            push(&mut text, format_args!("(ite (bvult t{} {end}) ", index.0));
            push_selection(&mut text, elements, 0, index, width);
            push(&mut text, format_args!(" {})", Number(0, width)));
            text
        }
        Node::Unknown(_) | Node::MultiplyAdd(..) | Node::Opaque(..) => return Err(Unsupported),
    })
}

/// Appends the element at an index that is at least `first`: a search by halves.
fn push_selection(text: &mut String, elements: &[Expr], first: usize, index: TermId, width: usize) {
    match elements {
        [] => push(text, format_args!("{}", Number(0, width))),
        [element] => push(text, format_args!("{}", Operand(*element, width))),
        _ => {
            let (lower, upper) = elements.split_at(elements.len() / 2);
            let middle = first + lower.len();
            push(text, format_args!("(ite (bvult t{} {}) ", index.0, Number(middle as i64, 32)));
            push_selection(text, lower, first, index, width);
            text.push(' ');
            push_selection(text, upper, middle, index, width);
            text.push(')');
        }
    }
}

fn apply_text(operation: Operation, left: Expr, right: Expr) -> Result<String, Unsupported> {
    use Operation::*;
    let binary = |function: &str, kind: ArithmeticKind| {
        let width = width(kind.into())?;
        Ok(format!("({function} {} {})", Operand(left, width), Operand(right, width)))
    };
    // The amount is an `int`, of which Java uses as many bits as count the bits of the number.
    let shift = |function: &str, kind: ArithmeticKind| {
        let width = width(kind.into())?;
        let amount = format!("(bvand {} {})", Operand(right, 32), Number(width as i64 - 1, 32));
        let amount = match kind {
            ArithmeticKind::Long => format!("((_ zero_extend 32) {amount})"),
            _ => amount,
        };
        Ok(format!("({function} {} {amount})", Operand(left, width)))
    };
    match operation {
        Add(kind) => binary("bvadd", kind),
        Subtract(kind) => binary("bvsub", kind),
        Multiply(kind) => binary("bvmul", kind),
        Divide(kind) => binary("bvsdiv", kind),
        Remainder(kind) => binary("bvsrem", kind),
        And(kind) => binary("bvand", kind),
        Or(kind) => binary("bvor", kind),
        ExclusiveOr(kind) => binary("bvxor", kind),
        Negate(kind) => Ok(format!("(bvneg {})", Operand(left, width(kind.into())?))),
        SquareRoot(_) => Err(Unsupported),
        ShiftLeft(kind) => shift("bvshl", kind),
        ShiftRight(kind) => shift("bvashr", kind),
        ShiftRightUnsigned(kind) => shift("bvlshr", kind),
        Compare(kind, _) => {
            let is_less = binary("bvslt", kind)?;
            let is_equal = binary("=", kind)?;
            let [below, same, above] = [-1, 0, 1].map(|result| Number(result, 32));
            Ok(format!("(ite {is_less} {below} (ite {is_equal} {same} {above}))"))
        }
        Convert(conversion) => {
            let int = Operand(left, 32);
            Ok(match conversion {
                Conversion::IntToLong => format!("((_ sign_extend 32) {int})"),
                Conversion::LongToInt => format!("((_ extract 31 0) {})", Operand(left, 64)),
                Conversion::IntToByte => format!("((_ sign_extend 24) ((_ extract 7 0) {int}))"),
                Conversion::IntToShort => format!("((_ sign_extend 16) ((_ extract 15 0) {int}))"),
                Conversion::IntToChar => format!("((_ zero_extend 16) ((_ extract 15 0) {int}))"),
                _ => return Err(Unsupported),
            })
        }
    }
}
