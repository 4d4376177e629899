//! Propagation: narrowing intervals until nothing changes.

use petrel_clp::{Comparison, Kind, Operation};
use smallvec::{SmallVec, smallvec};

use super::{Conflict, Guard, NONE, Operand, Simplified, Store};
use crate::constraint::Constraint;
use crate::evaluate::compares;
use crate::interval::Interval;
use crate::term::{Expr, Node, TermId};

/// How far propagation goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diligence {
    /// How many steps one constraint may take. What is left then stays undone: intervals are wider
    /// than they could be, never narrower.
    pub steps: usize,
    /// After how many steps small changes are ignored. It keeps `x < y, y < z, z < x` from counting
    /// down from 2^31, and still lets a bound through a long sum.
    pub patience: usize,
}

impl Default for Diligence {
    fn default() -> Self {
        Diligence { steps: 1000, patience: 100 }
    }
}

impl Diligence {
    /// Enough for most decisions, and little for long chains of terms.
    pub const LIGHT: Diligence = Diligence { steps: 64, patience: 16 };
}

/// A change is small if it cuts off less than one in so many values.
const SMALL_PART: u64 = 8;

/// What is to be looked at: the definition of a term, or a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Task(u32);

impl Task {
    /// Set for constraints.
    const CONSTRAINT: u32 = 1 << 31;

    #[inline]
    pub(super) fn definition(term: u32) -> Task {
        Task(term)
    }

    #[inline]
    pub(super) fn constraint(number: u32) -> Task {
        Task(number | Task::CONSTRAINT)
    }

    /// The number of the term, or that of the constraint.
    #[inline]
    fn number(self) -> (usize, bool) {
        ((self.0 & !Task::CONSTRAINT) as usize, self.0 & Task::CONSTRAINT != 0)
    }
}

/// What is left to be done when a constraint is added.
enum Assuming {
    /// It is added, as simplified.
    Whole(Constraint),
    /// It is simplified, and added.
    Part(Constraint),
    /// Its parts are added.
    Settled(Constraint),
}

impl Store {
    /// Adds a constraint, as [`Store::simplify`] left it, and propagates. One that says that several
    /// others hold is added as those. After a conflict the store is good for nothing but going back to a
    /// mark from before.
    pub fn assume(&mut self, constraint: Constraint) -> Result<(), Conflict> {
        let Some([first, second]) = self.conjuncts(&constraint) else {
            return self.assume_whole(constraint);
        };
        // Conjunctions may be as deep as texts are long.
        let mut open: SmallVec<[Assuming; 4]> =
            smallvec![Assuming::Settled(constraint), Assuming::Part(second), Assuming::Part(first)];
        while let Some(next) = open.pop() {
            match next {
                Assuming::Part(part) => match self.simplify(part) {
                    Simplified::True => {}
                    Simplified::False => return Err(Conflict),
                    Simplified::Open(part) => open.push(Assuming::Whole(part)),
                },
                Assuming::Settled(constraint) => self.settle_reference(&constraint)?,
                Assuming::Whole(constraint) => match self.conjuncts(&constraint) {
                    None => self.assume_whole(constraint)?,
                    Some([first, second]) => {
                        open.push(Assuming::Settled(constraint));
                        open.extend([second, first].map(Assuming::Part));
                    }
                },
            }
        }
        Ok(())
    }

    /// A reference that is known to be one object is that object for whoever asks, however it is known.
    fn settle_reference(&mut self, constraint: &Constraint) -> Result<(), Conflict> {
        let Constraint::Compare {
            comparison: Comparison::Equal,
            left: Expr::Term(term),
            right: Expr::Constant(object),
            ..
        } = *constraint
        else {
            return Ok(());
        };
        if self.terms.kind(term) != Kind::Reference {
            return Ok(());
        }
        let operand = Operand::term(term);
        self.connect(operand)?;
        let result = self.restrict(operand, Interval::constant(object), Task::definition(term.0));
        let result = result.and_then(|()| self.propagate());
        self.clear_queue();
        result
    }

    /// The two constraints that hold if and only if this one does, if it is made of such: `a & b` is not
    /// 0 for truth values, `a | b` is 0, and `c ? 1 : a` is 5 only if `c` is 0 and `a` is 5.
    fn conjuncts(&self, constraint: &Constraint) -> Option<[Constraint; 2]> {
        let Constraint::Compare { kind, comparison, left, right } = *constraint else {
            return None;
        };
        let Expr::Constant(constant) = right else { return None };
        if let Some((is_taken, left)) = self.only_alternative(comparison, left, constant) {
            return Some([is_taken, Constraint::Compare { kind, comparison, left, right }]);
        }
        if constant != 0 {
            return None;
        }
        let Node::Apply(operation, first, second) = self.node(left)? else { return None };
        let is_conjunction = match (comparison, operation) {
            (Comparison::NotEqual, Operation::And(_)) => [first, second]
                .iter()
                .all(|&operand| self.domain(operand).is_within(Interval::new(0, 1))),
            (Comparison::Equal, Operation::Or(_)) => true,
            _ => false,
        };
        let kind = match operation {
            Operation::And(kind) | Operation::Or(kind) => kind,
            _ => return None,
        };
        let part = |left| Constraint::Compare { kind, comparison, left, right: Expr::Constant(0) };
        is_conjunction.then(|| [part(first), part(second)])
    }

    fn assume_whole(&mut self, constraint: Constraint) -> Result<(), Conflict> {
        self.is_impatient = false;
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
                let mut is_between_terms = false;
                match (left, right) {
                    (Operand::Term(left), Operand::Term(right)) => {
                        if left == right && !compares(comparison, 0, 0) {
                            return Err(Conflict);
                        }
                        self.guard(left, number);
                        self.guard(right, number);
                        is_between_terms = true;
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
                result?;
                if is_between_terms { self.settle_tests(comparison, left, right) } else { Ok(()) }
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

    /// Equality and its opposite decide the terms that test for them: intervals alone would not
    /// ("A CLP Heap Solver for Test Case Generation", `propagate`).
    fn settle_tests(
        &mut self,
        comparison: Comparison,
        left: Operand,
        right: Operand,
    ) -> Result<(), Conflict> {
        let is_equal = match comparison {
            Comparison::Equal => true,
            Comparison::NotEqual => false,
            _ => return Ok(()),
        };
        for (test, holds) in [(Comparison::Equal, is_equal), (Comparison::NotEqual, !is_equal)] {
            let node = Node::Test(Kind::Int, test, left.expr(), right.expr());
            if let Some(term) = self.terms.find(&node) {
                self.connect(Operand::term(term))?;
                // The constraint says as much as the definition: nothing is left to do for that.
                let cause = Task::definition(term.0);
                self.restrict(Operand::term(term), Interval::constant(holds.into()), cause)?;
            }
        }
        Ok(())
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
            && done < self.diligence.steps
        {
            done += 1;
            self.steps += 1;
            self.is_impatient = done > self.diligence.patience;
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
    pub(super) fn restrict(
        &mut self,
        operand: Operand,
        by: Interval,
        cause: Task,
    ) -> Result<(), Conflict> {
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
        let known = cell.interval();
        let mut narrowed = known.intersect(by);
        if is_not_zero {
            narrowed = narrowed.without_zero();
        }
        if narrowed.is_empty() {
            return Err(Conflict);
        }
        if self.is_impatient && known.width() - narrowed.width() <= known.width() / SMALL_PART {
            return Ok(());
        }
        self.set(term, narrowed, is_not_zero);
        self.wake(term, cause);
        Ok(())
    }

    /// Excludes 0, and queues what depends on the term, but for the cause.
    pub(super) fn restrict_to_not_zero(
        &mut self,
        operand: Operand,
        cause: Task,
    ) -> Result<(), Conflict> {
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
    pub(super) fn excludes_zero(&self, operand: Operand) -> bool {
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
}
