//! Tapes: constraints compiled for being evaluated often.
//!
//! A search tries hundreds or thousands of assignments. A tape holds the terms that the constraints
//! reach, from the inside out, in dense slots. Its steps are sorted into levels: those of level k need
//! the unknowns up to the k-th alone. So a change of the last unknown repeats little work, and a
//! constraint over the first unknowns cuts off all values of the others. Within a level, each
//! constraint is tested as soon as its terms are computed.

use std::rc::Rc;

use petrel_budget::Alarm;
use petrel_clp::{Comparison, Kind, Operation};

use crate::constraint::Constraint;
use crate::evaluate::{apply, compares};
use crate::query::inputs;
use crate::real::multiply_add;
use crate::term::{Expr, Node, TableId, TermId, Terms};

/// Where a value of a tape is.
pub(crate) type Slot = u32;

/// A set of unknowns of a tape, by position: a bit for each of the first ones.
pub(crate) type Unknowns = u64;

/// The most steps of one search.
const MOST_STEPS: u64 = 1 << 24;

/// One step of a tape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Apply { operation: Operation, left: Slot, right: Slot, result: Slot },
    Test { comparison: Comparison, left: Slot, right: Slot, result: Slot },
    Choose { condition: Slot, then: Slot, otherwise: Slot, result: Slot },
    MultiplyAdd { kind: Kind, operands: [Slot; 3], result: Slot },
    Select { elements: u32, count: u32, index: Slot, result: Slot },
    Require { comparison: Comparison, left: Slot, right: Slot },
    RequireAmong { value: Slot, set: u32, is_member: bool },
}

/// Where the value of a slot comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Definition {
    /// An unknown, by its position in the tape.
    Unknown(usize),
    Constant,
    Computed(Step),
}

/// Constraints, compiled. All buffers are used again by the next compilation.
#[derive(Debug)]
pub(crate) struct Tape {
    unknowns: Vec<TermId>,
    /// The unknowns in their order, then constants and results.
    values: Vec<i64>,
    /// Where the value of each slot comes from, and its level.
    definitions: Vec<(Definition, u32)>,
    steps: Vec<Step>,
    /// The first step of each level, and the end.
    starts: Vec<usize>,
    /// Slots of the elements of tables.
    elements: Vec<Slot>,
    sets: Vec<Rc<[i32]>>,
    /// The first level that is not computed for the present values.
    stale: usize,
    /// The slot of each term that was reached, with the number of the compilation that set it.
    slots: Vec<(u32, Slot)>,
    compilation: u32,
    unsorted: Vec<(u32, Step)>,
    pending: Vec<TermId>,
    /// Where the elements of tables are, and the level of the last of them.
    tables: Vec<(TableId, u32, u32)>,
    /// The unknowns that each slot depends on.
    dependencies: Vec<Unknowns>,
    /// What ends searches.
    pub(crate) alarm: Alarm,
    /// Steps that were run or compiled, and the most that searches may take.
    n_steps: u64,
    most_steps: u64,
}

/// So many steps are a unit of work.
const STEPS_OF_WORK: u64 = 16;
/// To compile a step takes as long as to run so many.
const STEPS_OF_COMPILATION: u64 = 4;

impl Default for Tape {
    fn default() -> Tape {
        Tape {
            unknowns: Vec::new(),
            values: Vec::new(),
            definitions: Vec::new(),
            steps: Vec::new(),
            starts: Vec::new(),
            elements: Vec::new(),
            sets: Vec::new(),
            stale: 0,
            slots: Vec::new(),
            compilation: 0,
            unsorted: Vec::new(),
            pending: Vec::new(),
            tables: Vec::new(),
            dependencies: Vec::new(),
            alarm: Alarm::default(),
            n_steps: 0,
            most_steps: MOST_STEPS,
        }
    }
}

impl Tape {
    /// Compiles constraints over unknowns: the order of the unknowns is that of the levels. The
    /// constraints mention no other unknowns. Within a level they are tested in the order given.
    pub(crate) fn compile<'a>(
        &mut self,
        terms: &Terms,
        unknowns: &[TermId],
        constraints: impl Iterator<Item = &'a Constraint>,
    ) {
        self.clear(terms.len());
        for (position, &unknown) in unknowns.iter().enumerate() {
            let slot = self.slot(Definition::Unknown(position), 0, position as u32);
            self.slots[unknown.index()] = (self.compilation, slot);
        }
        self.unknowns.extend_from_slice(unknowns);
        for constraint in constraints {
            let step = match constraint {
                Constraint::Compare { comparison, left, right, .. } => Step::Require {
                    comparison: *comparison,
                    left: self.expression(terms, *left),
                    right: self.expression(terms, *right),
                },
                Constraint::Among(membership) => {
                    self.sets.push(membership.constants.clone());
                    Step::RequireAmong {
                        value: self.expression(terms, membership.value),
                        set: self.sets.len() as u32 - 1,
                        is_member: membership.is_member,
                    }
                }
            };
            let level = match step {
                Step::Require { left, right, .. } => self.level(left).max(self.level(right)),
                Step::RequireAmong { value, .. } => self.level(value),
                _ => 0,
            };
            self.unsorted.push((level, step));
        }
        self.sort(unknowns.len());
        self.n_steps += self.steps.len() as u64 * STEPS_OF_COMPILATION;
    }

    /// A search may do so much work from now on.
    pub(crate) fn allow(&mut self, work: u64) {
        self.most_steps = MOST_STEPS.min(work.saturating_mul(STEPS_OF_WORK));
    }

    /// The work that was done since the last time.
    pub(crate) fn take_work(&mut self) -> u64 {
        let work = self.n_steps / STEPS_OF_WORK;
        self.n_steps %= STEPS_OF_WORK;
        work
    }

    /// The unknowns, by position.
    pub(crate) fn unknowns(&self) -> &[TermId] {
        &self.unknowns
    }

    /// How many of so many assignments a search can afford to try: long tapes take longer.
    pub(crate) fn affordable(&self, assignments: u64) -> u64 {
        assignments.min(self.most_steps / (self.steps.len() as u64 + 1))
    }

    /// How many unknowns there are.
    pub(crate) fn width(&self) -> usize {
        self.unknowns.len()
    }

    /// The values of the unknowns.
    pub(crate) fn assignment(&self) -> &[i64] {
        &self.values[..self.unknowns.len()]
    }

    /// The value of a slot; the first slots are those of the unknowns.
    #[inline]
    pub(crate) fn value(&self, slot: Slot) -> i64 {
        self.values[slot as usize]
    }

    /// Where the value of a slot comes from.
    pub(crate) fn definition(&self, slot: Slot) -> Definition {
        self.definitions[slot as usize].0
    }

    /// The elements of a table.
    pub(crate) fn elements(&self, first: u32, count: u32) -> &[Slot] {
        &self.elements[first as usize..(first + count) as usize]
    }

    /// The constants of a membership.
    pub(crate) fn set(&self, set: u32) -> &[i32] {
        &self.sets[set as usize]
    }

    /// The numbers that occur in the constraints, in ascending order, each once.
    pub(crate) fn constants(&self) -> Vec<i64> {
        let slots = self.definitions.iter().zip(&self.values);
        let mut constants: Vec<i64> = slots
            .filter(|((definition, _), _)| matches!(definition, Definition::Constant))
            .map(|(_, &value)| value)
            .chain(self.sets.iter().flat_map(|set| set.iter().map(|&constant| constant.into())))
            .collect();
        constants.sort_unstable();
        constants.dedup();
        constants
    }

    /// Whether the constraints multiply or divide terms, which complete procedures find hard.
    pub(crate) fn is_hard(&self) -> bool {
        let is_term = |slot| !matches!(self.definition(slot), Definition::Constant);
        self.steps.iter().any(|step| match *step {
            Step::Apply {
                operation: Operation::Multiply(_) | Operation::Divide(_) | Operation::Remainder(_),
                left,
                right,
                ..
            } => is_term(left) && is_term(right),
            Step::MultiplyAdd { operands: [left, right, _], .. } => is_term(left) && is_term(right),
            _ => false,
        })
    }

    /// Of each level, the unknowns before it that its steps or those of later levels depend on; `None` if there are too
    /// many unknowns.
    pub(crate) fn needed(&mut self) -> Option<impl Iterator<Item = Unknowns>> {
        let width = self.unknowns.len();
        if width > Unknowns::BITS as usize {
            return None;
        }
        let mut dependencies = std::mem::take(&mut self.dependencies);
        dependencies.clear();
        for (definition, _) in &self.definitions {
            let of_slot = match definition {
                Definition::Unknown(position) => 1 << position,
                Definition::Constant => 0,
                Definition::Computed(step) => self.read_by(step, &dependencies),
            };
            dependencies.push(of_slot);
        }
        let mut needed = smallvec::SmallVec::<[Unknowns; 16]>::from_elem(0, width);
        let mut of_later = 0;
        for level in (0..width).rev() {
            let steps = &self.steps[self.starts[level]..self.starts[level + 1]];
            of_later |= steps.iter().fold(0, |all, step| all | self.read_by(step, &dependencies));
            of_later &= (1 << level) - 1;
            needed[level] = of_later;
        }
        self.dependencies = dependencies;
        Some(needed.into_iter())
    }

    /// The unknowns that a step depends on, if it is known which ones the slots depend on that it reads.
    fn read_by(&self, step: &Step, dependencies: &[Unknowns]) -> Unknowns {
        let of = |slot: Slot| dependencies[slot as usize];
        match *step {
            Step::Apply { left, right, .. }
            | Step::Test { left, right, .. }
            | Step::Require { left, right, .. } => of(left) | of(right),
            Step::Choose { condition, then, otherwise, .. } => {
                of(condition) | of(then) | of(otherwise)
            }
            Step::MultiplyAdd { operands, .. } => {
                operands.into_iter().fold(0, |all, slot| all | of(slot))
            }
            Step::Select { elements, count, index, .. } => {
                let elements = self.elements(elements, count).iter();
                elements.fold(of(index), |all, &slot| all | of(slot))
            }
            Step::RequireAmong { value, .. } => of(value),
        }
    }

    /// How many steps were run, all in all.
    pub(crate) fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Counts steps that need not be run again.
    pub(crate) fn count_steps(&mut self, count: u64) {
        self.n_steps += count;
    }

    /// Gives the unknown at a position a value.
    #[inline]
    pub(crate) fn assign(&mut self, position: usize, value: i64) {
        self.values[position] = value;
        self.stale = self.stale.min(position);
    }

    /// Computes what the unknowns up to a position decide. The result is the constraint that does not
    /// hold, or `None` if all hold.
    #[inline]
    pub(crate) fn run_to(&mut self, position: usize) -> Option<Step> {
        let end = position + 1;
        if self.stale >= end {
            return None;
        }
        let first = self.starts[self.stale];
        let last = self.starts[end];
        let values = self.values.as_mut_slice();
        for (number, step) in self.steps[first..last].iter().enumerate() {
            let at = |slot: Slot| slot as usize;
            let holds = match *step {
                Step::Apply { operation, left, right, result } => {
                    values[at(result)] = apply(operation, values[at(left)], values[at(right)]);
                    continue;
                }
                Step::Test { comparison, left, right, result } => {
                    values[at(result)] =
                        compares(comparison, values[at(left)], values[at(right)]).into();
                    continue;
                }
                Step::Choose { condition, then, otherwise, result } => {
                    let chosen = if values[at(condition)] == 0 { otherwise } else { then };
                    values[at(result)] = values[at(chosen)];
                    continue;
                }
                Step::MultiplyAdd { kind, operands, result } => {
                    values[at(result)] =
                        multiply_add(kind, operands.map(|operand| values[at(operand)]));
                    continue;
                }
                Step::Select { elements, count, index, result } => {
                    let index = values[at(index)];
                    values[at(result)] = if (0..i64::from(count)).contains(&index) {
                        values[at(self.elements[elements as usize + index as usize])]
                    } else {
                        0
                    };
                    continue;
                }
                Step::Require { comparison, left, right } => {
                    compares(comparison, values[at(left)], values[at(right)])
                }
                Step::RequireAmong { value, set, is_member } => {
                    let value = values[at(value)] as i32;
                    self.sets[set as usize].binary_search(&value).is_ok() == is_member
                }
            };
            if !holds {
                let failed = first + number;
                self.n_steps += number as u64 + 1;
                while self.starts[self.stale + 1] <= failed {
                    self.stale += 1;
                }
                return Some(*step);
            }
        }
        self.n_steps += (last - first) as u64;
        self.stale = end;
        None
    }

    /// Computes everything that is not computed for the present values.
    #[inline]
    pub(crate) fn run(&mut self) -> Option<Step> {
        match self.unknowns.len() {
            // The constraints are of constants alone: they form the only level.
            0 => self.run_to(0),
            width => self.run_to(width - 1),
        }
    }

    fn clear(&mut self, terms: usize) {
        self.unknowns.clear();
        self.values.clear();
        self.definitions.clear();
        self.steps.clear();
        self.starts.clear();
        self.elements.clear();
        self.tables.clear();
        self.sets.clear();
        self.unsorted.clear();
        self.stale = 0;
        self.compilation = self.compilation.wrapping_add(1);
        if self.compilation == 0 {
            // Numbers are used again: forget those of old compilations.
            self.slots.clear();
            self.compilation = 1;
        }
        if self.slots.len() < terms {
            self.slots.resize(terms, (0, 0));
        }
    }

    fn slot(&mut self, definition: Definition, value: i64, level: u32) -> Slot {
        self.definitions.push((definition, level));
        self.values.push(value);
        self.values.len() as Slot - 1
    }

    fn level(&self, slot: Slot) -> u32 {
        self.definitions[slot as usize].1
    }

    fn known(&self, term: TermId) -> Option<Slot> {
        let (compilation, slot) = self.slots[term.index()];
        (compilation == self.compilation).then_some(slot)
    }

    fn expression(&mut self, terms: &Terms, expr: Expr) -> Slot {
        let term = match expr {
            Expr::Constant(value) => return self.slot(Definition::Constant, value, 0),
            Expr::Term(term) => term,
        };
        if let Some(slot) = self.known(term) {
            return slot;
        }
        self.pending.push(term);
        while let Some(&term) = self.pending.last() {
            if self.known(term).is_some() {
                self.pending.pop();
                continue;
            }
            let before = self.pending.len();
            for input in inputs(terms, term) {
                if self.known(input).is_none() {
                    self.pending.push(input);
                }
            }
            if self.pending.len() == before {
                let slot = self.compute(terms, terms.node(term));
                self.slots[term.index()] = (self.compilation, slot);
                self.pending.pop();
            }
        }
        self.slots[term.index()].1
    }

    /// The slot of an operand that is a constant or has its slot already.
    fn operand(&mut self, expr: Expr) -> Slot {
        match expr {
            Expr::Constant(value) => self.slot(Definition::Constant, value, 0),
            Expr::Term(term) => self.slots[term.index()].1,
        }
    }

    fn compute(&mut self, terms: &Terms, node: Node) -> Slot {
        // The result has the slot after those of the operands, which may be new constants.
        let (mut step, level) = match node {
            Node::Unknown(_) | Node::Opaque(..) => return self.slot(Definition::Constant, 0, 0),
            Node::Apply(operation, left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                let step = Step::Apply { operation, left, right, result: 0 };
                (step, self.level(left).max(self.level(right)))
            }
            Node::Test(_, comparison, left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                let step = Step::Test { comparison, left, right, result: 0 };
                (step, self.level(left).max(self.level(right)))
            }
            Node::Choose(_, condition, then, otherwise) => {
                let condition = self.operand(Expr::Term(condition));
                let (then, otherwise) = (self.operand(then), self.operand(otherwise));
                let step = Step::Choose { condition, then, otherwise, result: 0 };
                let level = self.level(then).max(self.level(otherwise));
                (step, level.max(self.level(condition)))
            }
            Node::MultiplyAdd(kind, operands) => {
                let operands = operands.map(|operand| self.operand(operand));
                let level = operands.into_iter().map(|slot| self.level(slot)).max();
                (Step::MultiplyAdd { kind, operands, result: 0 }, level.unwrap_or(0))
            }
            Node::Select(_, table, index) => {
                let index = self.operand(Expr::Term(index));
                let (elements, level) = self.table(terms, table);
                let count = terms.table(table).len() as u32;
                let level = level.max(self.level(index));
                (Step::Select { elements, count, index, result: 0 }, level)
            }
        };
        let slot = self.values.len() as Slot;
        match &mut step {
            Step::Apply { result, .. }
            | Step::Test { result, .. }
            | Step::Choose { result, .. }
            | Step::MultiplyAdd { result, .. }
            | Step::Select { result, .. } => *result = slot,
            Step::Require { .. } | Step::RequireAmong { .. } => {}
        }
        self.unsorted.push((level, step));
        self.slot(Definition::Computed(step), 0, level)
    }

    /// Where the elements of a table are, and the level of the last of them. Tables are shared: some are long.
    fn table(&mut self, terms: &Terms, table: TableId) -> (u32, u32) {
        if let Some(&(_, first, level)) = self.tables.iter().find(|&&(known, ..)| known == table) {
            return (first, level);
        }
        let first = self.elements.len() as u32;
        let mut level = 0;
        for &element in terms.table(table) {
            let slot = self.operand(element);
            self.elements.push(slot);
            level = level.max(self.level(slot));
        }
        self.tables.push((table, first, level));
        (first, level)
    }

    /// Sorts the steps by level; within one they keep their order.
    fn sort(&mut self, levels: usize) {
        let levels = levels.max(1);
        self.starts.resize(levels + 1, 0);
        let (Some(&(_, first)), true) = (self.unsorted.first(), levels > 1) else {
            self.starts[levels] = self.unsorted.len();
            self.steps.extend(self.unsorted.iter().map(|&(_, step)| step));
            return;
        };
        // First each entry counts the steps of the level before, then it says where the next step of
        // its own level goes; when all are placed, that is where the level after it begins.
        for &(level, _) in &self.unsorted {
            self.starts[level as usize + 1] += 1;
        }
        for level in 0..levels {
            self.starts[level + 1] += self.starts[level];
        }
        self.steps.resize(self.unsorted.len(), first);
        for &(level, step) in &self.unsorted {
            let place = &mut self.starts[level as usize];
            self.steps[*place] = step;
            *place += 1;
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }
}

#[cfg(test)]
mod tests;
