//! Single steps of propagation: what one constraint or one definition says of its terms.

use petrel_clp::{Comparison, Kind, Operation};

use super::propagate::Task;
use super::{Conflict, Operand, Store};
use crate::constraint::{Constraint, Membership};
use crate::interval::{
    Interval, backward, decide, forward, multiply_add, narrow, operands_of_multiply_add,
    root_of_square, square, zero_needs_zero,
};
use crate::term::{Node, TableId, TermId};

impl Store {
    pub(super) fn revise_constraint(&mut self, number: u32) -> Result<(), Conflict> {
        let cause = Task::constraint(number);
        match &self.constraints[number as usize] {
            Constraint::Compare { comparison, left, right, .. } => {
                self.compare(*comparison, Operand::of(left), Operand::of(right), cause)
            }
            Constraint::Among(membership) => {
                let value = Operand::of(&membership.value);
                let by = hull_of_members(membership, self.known(value));
                let is_not_zero = !membership.is_member && membership.constants.contains(&0);
                self.restrict(value, by, cause)?;
                if is_not_zero { self.restrict_to_not_zero(value, cause) } else { Ok(()) }
            }
        }
    }

    /// Narrows two numbers that compare so.
    #[inline]
    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        left: Operand,
        right: Operand,
        cause: Task,
    ) -> Result<(), Conflict> {
        let (of_left, of_right) = (self.known(left), self.known(right));
        if comparison == Comparison::NotEqual {
            if of_right == Interval::constant(0) {
                return self.restrict_to_not_zero(left, cause);
            }
            if of_left == Interval::constant(0) {
                return self.restrict_to_not_zero(right, cause);
            }
        }
        let (by_left, by_right) = narrow(comparison, of_left, of_right);
        self.restrict(left, by_left, cause)?;
        self.restrict(right, by_right, cause)
    }

    pub(super) fn revise_definition(&mut self, term: TermId) -> Result<(), Conflict> {
        let cause = Task::definition(term.0);
        match *self.terms.node_ref(term) {
            Node::Apply(operation, ref left, ref right) => {
                let (left, right) = (Operand::of(left), Operand::of(right));
                self.revise_operation(term, operation, left, right)
            }
            Node::Test(_, comparison, ref left, ref right) => {
                let (left, right) = (Operand::of(left), Operand::of(right));
                if let Some(truth) = decide(comparison, self.known(left), self.known(right)) {
                    let truth = Interval::constant(truth.into());
                    return self.restrict(Operand::term(term), truth, cause);
                }
                match self.cells[term.index()].interval().fixed() {
                    None => Ok(()),
                    Some(0) => self.compare(comparison.negated(), left, right, cause),
                    Some(_) => self.compare(comparison, left, right, cause),
                }
            }
            Node::Choose(_, condition, ref then, ref otherwise) => {
                let (then, otherwise) = (Operand::of(then), Operand::of(otherwise));
                self.revise_choice(term, Operand::term(condition), then, otherwise)
            }
            Node::MultiplyAdd(kind, ref operands) => {
                let operands = [0, 1, 2].map(|at| Operand::of(&operands[at]));
                self.revise_multiply_add(term, kind, operands)
            }
            Node::Select(_, table, index) => {
                self.revise_selection(term, table, Operand::term(index))
            }
            Node::Unknown(_) | Node::Opaque(..) => Ok(()),
        }
    }

    fn revise_operation(
        &mut self,
        term: TermId,
        operation: Operation,
        left: Operand,
        right: Operand,
    ) -> Result<(), Conflict> {
        let cause = Task::definition(term.0);
        let (of_left, of_right) = (self.known(left), self.known(right));
        let is_divisor_not_zero = self.is_operand_not_zero(right);
        let mut computed = forward(operation, of_left, of_right, is_divisor_not_zero);
        if left == right {
            computed = computed.intersect(square(operation));
        }
        self.restrict(Operand::term(term), computed, cause)?;
        if self.excludes_zero(Operand::term(term)) {
            let (is_left, is_right) = zero_needs_zero(operation, self.excludes_zero(right));
            if is_left {
                self.restrict_to_not_zero(left, cause)?;
            }
            if is_right {
                self.restrict_to_not_zero(right, cause)?;
            }
        }
        let known = self.cells[term.index()].interval();
        if known == computed {
            // The operands say as much already.
            return Ok(());
        }
        let (by_left, by_right) =
            backward(operation, known, of_left, of_right, is_divisor_not_zero);
        self.restrict(left, by_left, cause)?;
        self.restrict(right, by_right, cause)?;
        if left == right {
            self.restrict(left, root_of_square(operation, known, self.known(left)), cause)?;
        }
        // What the operands were rounded to may say more of the result.
        match operation {
            Operation::Multiply(_) | Operation::ShiftLeft(_) => {
                let computed = forward(operation, self.known(left), self.known(right), false);
                self.restrict(Operand::term(term), computed, cause)
            }
            _ => Ok(()),
        }
    }

    fn revise_multiply_add(
        &mut self,
        term: TermId,
        kind: Kind,
        operands: [Operand; 3],
    ) -> Result<(), Conflict> {
        let cause = Task::definition(term.0);
        let of_operands = operands.map(|operand| self.known(operand));
        let computed = multiply_add(kind, of_operands);
        self.restrict(Operand::term(term), computed, cause)?;
        let known = self.cells[term.index()].interval();
        if known == computed {
            return Ok(());
        }
        let by = operands_of_multiply_add(kind, known, of_operands);
        operands.into_iter().zip(by).try_for_each(|(operand, by)| self.restrict(operand, by, cause))
    }

    fn revise_choice(
        &mut self,
        term: TermId,
        condition: Operand,
        then: Operand,
        otherwise: Operand,
    ) -> Result<(), Conflict> {
        let cause = Task::definition(term.0);
        let computed = self.forward(self.terms.node(term), &|expr| self.known(Operand::of(&expr)));
        self.restrict(Operand::term(term), computed, cause)?;
        let known = self.cells[term.index()].interval();
        if self.excludes_zero(condition) {
            self.restrict(then, known, cause)
        } else if self.known(condition).fixed().is_some() {
            self.restrict(otherwise, known, cause)
        } else if known == computed {
            // Both say as much already.
            Ok(())
        } else if !self.may_be(then.expr(), &|value| !known.intersect(value).is_empty()) {
            self.restrict(condition, Interval::constant(0), cause)?;
            self.unite(term, otherwise, cause)
        } else if !self.may_be(otherwise.expr(), &|value| !known.intersect(value).is_empty()) {
            self.restrict_to_not_zero(condition, cause)?;
            self.unite(term, then, cause)
        } else {
            Ok(())
        }
    }

    /// A choice is what was chosen.
    fn unite(&mut self, term: TermId, chosen: Operand, cause: Task) -> Result<(), Conflict> {
        self.restrict(chosen, self.cells[term.index()].interval(), cause)?;
        self.restrict(Operand::term(term), self.known(chosen), cause)
    }

    fn revise_selection(
        &mut self,
        term: TermId,
        table: TableId,
        index: Operand,
    ) -> Result<(), Conflict> {
        let cause = Task::definition(term.0);
        let computed = self.forward(self.terms.node(term), &|expr| self.known(Operand::of(&expr)));
        self.restrict(Operand::term(term), computed, cause)?;
        let known = self.cells[term.index()].interval();
        if known == computed {
            return Ok(());
        }
        let elements = self.terms.table(table);
        let mut by = self.known(index);
        if !known.contains(0) {
            by = by.intersect(Interval::new(0, elements.len() as i64 - 1));
        }
        let is_possible = |index: i64| {
            let element = usize::try_from(index).ok().and_then(|index| elements.get(index));
            let element =
                element.map_or(Interval::constant(0), |element| self.known(Operand::of(element)));
            !known.intersect(element).is_empty()
        };
        // An index outside of the table is possible only if all such are.
        while by.low <= by.high && !is_possible(by.low) {
            by.low += 1;
        }
        while by.low <= by.high && !is_possible(by.high) {
            by.high -= 1;
        }
        self.restrict(index, by, cause)?;
        let chosen = by.fixed().and_then(|index| usize::try_from(index).ok());
        match chosen.and_then(|index| self.terms.table(table).get(index)) {
            Some(element) => {
                let element = Operand::of(element);
                self.restrict(element, known, cause)?;
                let of_element = self.known(element);
                self.restrict(Operand::term(term), of_element, cause)
            }
            None => Ok(()),
        }
    }
}

/// The smallest interval around the values that a membership leaves.
fn hull_of_members(membership: &Membership, known: Interval) -> Interval {
    let constants = &membership.constants;
    let first = constants.partition_point(|&constant| i64::from(constant) < known.low);
    let past = constants.partition_point(|&constant| i64::from(constant) <= known.high);
    let inside = &constants[first..past.max(first)];
    let mut by = known;
    if membership.is_member {
        let (Some(&first), Some(&last)) = (inside.first(), inside.last()) else {
            return Interval::EMPTY;
        };
        by = Interval::new(first.into(), last.into());
    } else {
        by.low +=
            inside.iter().zip(known.low..).take_while(|&(&a, b)| i64::from(a) == b).count() as i64;
        let from_end = inside.iter().rev().zip((known.low..=known.high).rev());
        by.high -= from_end.take_while(|&(&a, b)| i64::from(a) == b).count() as i64;
    }
    by
}
