//! Building terms: folded, rewritten and interned, with their first interval.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};

use super::{Operand, Simplified, Store};
use crate::constraint::{Constraint, Membership};
use crate::evaluate;
use crate::interval::Interval;
use crate::real::{self, is_on_reals};
use crate::term::{Expr, Node, TableId};

/// How many of the last tables are compared with a new one, to share equal ones.
const TABLES_COMPARED: usize = 8;

impl Store {
    /// An operation; the second operand of a unary one does not count.
    pub fn apply(&mut self, operation: Operation, left: Expr, right: Expr) -> Expr {
        let right = if operation.is_unary() { Expr::Constant(0) } else { right };
        let left = self.fixed_operand(Operand::of(&left));
        let right = self.fixed_operand(Operand::of(&right));
        if let (Operand::Constant(left), Operand::Constant(right)) = (left, right) {
            return Expr::Constant(evaluate::apply(operation, left, right));
        }
        let (left, right) = in_order(operation, left, right);
        let (left, right) = (left.expr(), right.expr());
        let (rewritten, kind) = if is_on_reals(operation) {
            (self.rewrite_reals(operation, left, right), operation.result_kind())
        } else {
            (self.rewrite_operation(operation, left, right), integral_result_kind(operation))
        };
        rewritten.unwrap_or_else(|| self.intern(Node::Apply(operation, left, right), kind))
    }

    /// 1 if a constraint holds, else 0.
    pub fn test(&mut self, constraint: &Constraint) -> Expr {
        match self.simplify(constraint.clone()) {
            Simplified::True => Expr::Constant(1),
            Simplified::False => Expr::Constant(0),
            Simplified::Open(Constraint::Compare { kind, comparison, left, right }) => {
                if comparison == Comparison::NotEqual
                    && right == Expr::Constant(0)
                    && self.domain(left).is_within(Interval::new(0, 1))
                {
                    return left;
                }
                self.intern(Node::Test(kind.into(), comparison, left, right), Kind::Int)
            }
            Simplified::Open(Constraint::Among(membership)) => self.test_membership(&membership),
        }
    }

    /// A membership as a term: each run of constants is a comparison or two.
    fn test_membership(&mut self, membership: &Membership) -> Expr {
        let Membership { value, ref constants, is_member } = *membership;
        let (joined, within) = if is_member {
            (Operation::Or(ArithmeticKind::Int), Operation::And(ArithmeticKind::Int))
        } else {
            (Operation::And(ArithmeticKind::Int), Operation::Or(ArithmeticKind::Int))
        };
        let compared = |store: &mut Store, comparison: Comparison, constant: i32| {
            let comparison = if is_member { comparison } else { comparison.negated() };
            store.test(&Constraint::int(value, comparison, Expr::Constant(constant.into())))
        };
        let mut all = Expr::Constant((!is_member).into());
        for run in constants.chunk_by(|&a, &b| a.checked_add(1) == Some(b)) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let test = if first == last {
                compared(self, Comparison::Equal, first)
            } else {
                let from = compared(self, Comparison::GreaterOrEqual, first);
                let to = compared(self, Comparison::LessOrEqual, last);
                self.apply(within, from, to)
            };
            all = self.apply(joined, all, test);
        }
        all
    }

    /// The first if a condition (an `int`) is not 0, else the second.
    pub fn choose(&mut self, kind: Kind, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        let (then, otherwise) = (self.fixed(then), self.fixed(otherwise));
        self.rewrite_choice(kind, condition, then, otherwise).unwrap_or_else(|choice| {
            let (condition, then, otherwise) = choice;
            self.intern(Node::Choose(kind, condition, then, otherwise), kind)
        })
    }

    /// The product of two numbers of a kind, `float` or `double`, and the sum of that with a third, rounded
    /// once.
    pub fn multiply_add(&mut self, kind: Kind, [left, right, addend]: [Expr; 3]) -> Expr {
        let [left, right, addend] =
            [left, right, addend].map(|expr| self.fixed_operand(Operand::of(&expr)));
        if let (Operand::Constant(left), Operand::Constant(right), Operand::Constant(addend)) =
            (left, right, addend)
        {
            return Expr::Constant(real::multiply_add(kind, [left, right, addend]));
        }
        let (left, right) = in_order(Operation::Multiply(ArithmeticKind::Double), left, right);
        let operands = [left, right, addend].map(Operand::expr);
        self.intern(Node::MultiplyAdd(kind, operands), kind)
    }

    /// The element of a table at an index (an `int`), 0 outside of it.
    pub fn select(&mut self, kind: Kind, table: Rc<[Expr]>, index: Expr) -> Expr {
        match self.fixed(index) {
            Expr::Constant(index) => {
                let element = usize::try_from(index).ok().and_then(|index| table.get(index));
                element.map_or(Expr::Constant(0), |&element| self.fixed(element))
            }
            Expr::Term(index) => {
                let table = self.table(table);
                self.intern(Node::Select(kind, table, index), kind)
            }
        }
    }

    /// A table with these elements: one of the last, if it is equal.
    fn table(&mut self, elements: Rc<[Expr]>) -> TableId {
        if let Some(same) = self.terms.same_table(&elements) {
            return same;
        }
        let count = self.terms.table_count();
        let equal = (count.saturating_sub(TABLES_COMPARED)..count)
            .map(|number| TableId(number as u32))
            .find(|&table| self.terms.table(table) == &*elements);
        equal.unwrap_or_else(|| self.terms.add_table(elements))
    }

    /// A value that nothing can be said about.
    pub fn opaque(&mut self, kind: Kind) -> Expr {
        // No other one was made when there were as many terms.
        let number = self.terms.len() as u32;
        let term = self.terms.intern(Node::Opaque(kind, number), kind);
        self.add_cell(Interval::of(kind), false);
        Expr::Term(term)
    }

    /// The term of a compound node, or the constant that it is known to be.
    pub(crate) fn intern(&mut self, node: Node, kind: Kind) -> Expr {
        let term = self.terms.intern(node, kind);
        if term.index() < self.cells.len() {
            return self.fixed(Expr::Term(term));
        }
        let computed = self.forward(node, &|expr| self.domain(expr));
        self.add_cell(computed, true);
        computed.fixed().map_or(Expr::Term(term), Expr::Constant)
    }
}

/// Constants to the right and the older term to the left, where the order does not matter.
#[inline]
fn in_order(operation: Operation, left: Operand, right: Operand) -> (Operand, Operand) {
    let is_commutative = matches!(
        operation,
        Operation::Add(_)
            | Operation::Multiply(_)
            | Operation::And(_)
            | Operation::Or(_)
            | Operation::ExclusiveOr(_)
    );
    let is_in_order = match (left, right) {
        (Operand::Term(left), Operand::Term(right)) => left <= right,
        (Operand::Constant(_), Operand::Term(_)) => false,
        _ => true,
    };
    if is_commutative && !is_in_order { (right, left) } else { (left, right) }
}

/// The kind of the result of an operation on integers.
#[inline]
fn integral_result_kind(operation: Operation) -> Kind {
    match operation {
        Operation::Convert(Conversion::IntToLong) => Kind::Long,
        Operation::Convert(_) => Kind::Int,
        other => other.result_kind(),
    }
}
