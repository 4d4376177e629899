//! Propagation: narrowing intervals until nothing changes.

use petrel_clp::{Comparison, Operation};

use super::{Conflict, Guard, NONE, Operand, Store};
use crate::constraint::{Constraint, Membership};
use crate::evaluate::compares;
use crate::interval::{Interval, backward, decide, forward, narrow, zero_needs_zero};
use crate::term::{Node, TableId, TermId};

/// How many steps one constraint may take. What is left then stays undone: intervals are wider
/// than they could be, never narrower. It keeps `x < y, y < z, z < x` from counting down from 2^31.
const BUDGET: usize = 1000;

/// What is to be looked at: the definition of a term, or a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Task(u32);

impl Task {
    /// Set for constraints.
    const CONSTRAINT: u32 = 1 << 31;

    #[inline]
    fn definition(term: u32) -> Task {
        Task(term)
    }

    #[inline]
    fn constraint(number: u32) -> Task {
        Task(number | Task::CONSTRAINT)
    }

    /// The number of the term, or that of the constraint.
    #[inline]
    fn number(self) -> (usize, bool) {
        ((self.0 & !Task::CONSTRAINT) as usize, self.0 & Task::CONSTRAINT != 0)
    }
}

impl Store {
    /// Adds a constraint, as [`Store::simplify`] left it, and propagates. After a conflict the store
    /// is good for nothing but going back to a mark from before.
    pub fn assume(&mut self, constraint: Constraint) -> Result<(), Conflict> {
        let mut result = self.post(constraint);
        if !self.queue.is_empty() {
            if result.is_ok() {
                result = self.propagate();
            }
            self.clear_queue();
        }
        result
    }

    #[inline]
    fn post(&mut self, constraint: Constraint) -> Result<(), Conflict> {
        let number = self.constraints.len() as u32;
        let cause = Task::constraint(number);
        self.is_queued.push(false);
        match &constraint {
            Constraint::Compare { comparison, left, right, .. } => {
                let (comparison, left, right) =
                    (*comparison, Operand::of(left), Operand::of(right));
                self.connect(left)?;
                self.connect(right)?;
                match (left, right) {
                    (Operand::Term(left), Operand::Term(right)) => {
                        if left == right && !compares(comparison, 0, 0) {
                            return Err(Conflict);
                        }
                        self.guard(left, number);
                        self.guard(right, number);
                    }
                    // What else is said of a constant stays with the term.
                    (Operand::Term(term), Operand::Constant(value))
                    | (Operand::Constant(value), Operand::Term(term))
                        if comparison == Comparison::NotEqual && value != 0 =>
                    {
                        self.guard(term, number);
                    }
                    _ => {}
                }
                let result = self.compare(comparison, left, right, cause);
                self.constraints.push(constraint);
                result
            }
            Constraint::Among(membership) => {
                let value = Operand::of(&membership.value);
                self.connect(value)?;
                if let Operand::Term(term) = value {
                    self.guard(term, number);
                }
                self.constraints.push(constraint);
                self.revise_constraint(number)
            }
        }
    }

    #[inline]
    fn guard(&mut self, term: u64, constraint: u32) {
        let last = &mut self.cells[term as usize].guards;
        let next = std::mem::replace(last, self.guards.len() as u32);
        self.guards.push(Guard { term: term as u32, constraint, next });
    }

    fn propagate(&mut self) -> Result<(), Conflict> {
        let mut done = 0;
        while let Some(&task) = self.queue.get(done)
            && done < BUDGET
        {
            done += 1;
            self.steps += 1;
            match task.number() {
                (number, true) => {
                    self.is_queued[number] = false;
                    self.revise_constraint(number as u32)?;
                }
                (number, false) => {
                    self.cells[number].is_queued = false;
                    self.revise_definition(TermId(number as u32))?;
                }
            }
        }
        Ok(())
    }

    fn clear_queue(&mut self) {
        for task in self.queue.drain(..) {
            match task.number() {
                (number, true) => self.is_queued[number] = false,
                (number, false) => self.cells[number].is_queued = false,
            }
        }
    }

    /// Narrows the interval of a term, and queues what depends on it, but for the cause.
    #[inline]
    fn restrict(&mut self, operand: Operand, by: Interval, cause: Task) -> Result<(), Conflict> {
        let term = match operand {
            Operand::Constant(value) => {
                return if by.contains(value) { Ok(()) } else { Err(Conflict) };
            }
            Operand::Term(term) => TermId(term as u32),
        };
        let cell = &self.cells[term.index()];
        if cell.low >= by.low && cell.high <= by.high {
            return Ok(());
        }
        let is_not_zero = cell.is_not_zero;
        let mut narrowed = cell.interval().intersect(by);
        if is_not_zero {
            narrowed = narrowed.without_zero();
        }
        if narrowed.is_empty() {
            return Err(Conflict);
        }
        self.set(term, narrowed, is_not_zero);
        self.wake(term, cause);
        Ok(())
    }

    /// Excludes 0, and queues what depends on the term, but for the cause.
    fn restrict_to_not_zero(&mut self, operand: Operand, cause: Task) -> Result<(), Conflict> {
        let term = match operand {
            Operand::Constant(value) => return if value == 0 { Err(Conflict) } else { Ok(()) },
            Operand::Term(term) => TermId(term as u32),
        };
        let cell = &self.cells[term.index()];
        let known = cell.interval();
        if cell.is_not_zero || !known.contains(0) {
            return Ok(());
        }
        let narrowed = known.without_zero();
        if narrowed.is_empty() {
            return Err(Conflict);
        }
        self.set(term, narrowed, true);
        self.wake(term, cause);
        Ok(())
    }

    /// Whether something is known not to be 0; its interval is up to date.
    #[inline]
    fn excludes_zero(&self, operand: Operand) -> bool {
        !self.known(operand).contains(0) || self.is_operand_not_zero(operand)
    }

    /// Queues what depends on a term, but for the cause.
    fn wake(&mut self, term: TermId, cause: Task) {
        let cell = &mut self.cells[term.index()];
        let (mut guard, mut last_use) = (cell.guards, cell.uses);
        let own = Task::definition(term.0);
        if cell.is_compound && own != cause && !cell.is_queued {
            cell.is_queued = true;
            self.queue.push(own);
        }
        while guard != NONE {
            let Guard { constraint, next, .. } = self.guards[guard as usize];
            guard = next;
            let task = Task::constraint(constraint);
            let is_queued = &mut self.is_queued[constraint as usize];
            if task != cause && !*is_queued {
                *is_queued = true;
                self.queue.push(task);
            }
        }
        while last_use != NONE {
            let edge = self.uses[last_use as usize];
            last_use = edge.next;
            let task = Task::definition(edge.user);
            let is_queued = &mut self.cells[edge.user as usize].is_queued;
            if task != cause && !*is_queued {
                *is_queued = true;
                self.queue.push(task);
            }
        }
    }

    fn revise_constraint(&mut self, number: u32) -> Result<(), Conflict> {
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
    fn compare(
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

    fn revise_definition(&mut self, term: TermId) -> Result<(), Conflict> {
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
        let computed = forward(operation, of_left, of_right, is_divisor_not_zero);
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
        // What the operands were rounded to may say more of the result.
        match operation {
            Operation::Multiply(_) | Operation::ShiftLeft(_) => {
                let computed = forward(operation, self.known(left), self.known(right), false);
                self.restrict(Operand::term(term), computed, cause)
            }
            _ => Ok(()),
        }
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
        } else if known.intersect(self.known(then)).is_empty() {
            self.restrict(condition, Interval::constant(0), cause)?;
            self.restrict(otherwise, known, cause)
        } else if known.intersect(self.known(otherwise)).is_empty() {
            self.restrict_to_not_zero(condition, cause)?;
            self.restrict(then, known, cause)
        } else {
            Ok(())
        }
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
            Some(element) => self.restrict(Operand::of(element), known, cause),
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
