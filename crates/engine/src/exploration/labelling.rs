//! Labelling: inputs for a path that has ended.
//!
//! By default inputs are such as people would choose. "Test Data Generation of Bytecode by CLP Partial Evaluation" labels as a
//! Prolog system does: unknown by unknown, the smallest value first.

use petrel_clp::{ArithmeticKind, Comparison, Kind};
use petrel_heap::{Cell, Location};
use petrel_solver::{Answer, Conflict, Constraint, Expr, Labelling, Simplified};

use crate::machine::Machine;

/// Which inputs of a path come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LabelOrder {
    /// Small and simple ones.
    #[default]
    Readable,
    /// The first unknown gets the smallest value that the path allows, then the second one (`labeling([])`).
    First,
    /// The same, and the unknown with the fewest values left is the next one (`labeling([ff])`).
    FirstFail,
}

impl Machine<'_> {
    /// Inputs that take the path, small and simple ones first.
    pub fn label(&mut self, count: usize) -> Labelling {
        // Long arrays and strings are not made: only if there are no others, one of them tells that.
        // The same holds for strings that nobody can read.
        let mark = self.solver.mark();
        let short = self.assume_short();
        let mut found = None;
        for is_readable in [true, false] {
            let texts = self.exploration.unknown.made.units();
            if short.is_err() || is_readable && texts.is_empty() {
                continue;
            }
            let readable = self.solver.mark();
            let assumed = if is_readable { self.assume_readable(&texts) } else { Ok(()) };
            let labelled =
                assumed.map(|()| self.solver.label(count, &mut self.exploration.unknown.solver));
            self.solver.undo(readable);
            if let Ok(labelled @ Labelling::Found(_)) = labelled {
                found = Some(labelled);
                break;
            }
        }
        self.solver.undo(mark);
        found.unwrap_or_else(|| self.solver.label(count, &mut self.exploration.unknown.solver))
    }

    /// All units are printable ASCII.
    fn assume_readable(&mut self, units: &[Expr]) -> Result<(), Conflict> {
        const READABLE: [(Comparison, i64); 2] =
            [(Comparison::GreaterOrEqual, 0x20), (Comparison::LessOrEqual, 0x7E)];
        for &unit in units {
            for (comparison, bound) in READABLE {
                self.assume_if_open(Constraint::int(unit, comparison, Expr::Constant(bound)))?;
            }
        }
        Ok(())
    }

    /// Adds a constraint to the path, unless it holds anyway.
    pub(crate) fn assume_if_open(&mut self, constraint: Constraint) -> Result<(), Conflict> {
        match self.solver.store.simplify(constraint) {
            Simplified::True => Ok(()),
            Simplified::False => Err(Conflict),
            Simplified::Open(open) => self.solver.store.assume(open),
        }
    }

    fn assume_short(&mut self) -> Result<(), Conflict> {
        let most = self.exploration.max_array();
        let most = Expr::Constant(most.into());
        let is_length = |(location, _): &(Location, &Cell)| *location == Location::Length;
        let lengths: Vec<Expr> = self
            .exploration
            .unknown
            .solver
            .cells()
            .filter(is_length)
            .map(|(_, cell)| cell.value)
            .collect();
        for length in lengths {
            self.assume_if_open(Constraint::int(length, Comparison::LessOrEqual, most))?;
        }
        let most = Expr::Constant(self.exploration.unknown.units.most().into());
        let lengths: Vec<Expr> = self.exploration.unknown.made.text_lengths().collect();
        for length in lengths {
            self.assume_if_open(Constraint::int(length, Comparison::LessOrEqual, most))?;
        }
        Ok(())
    }

    /// Inputs that take the path, in an order that the user asks for.
    pub fn label_in(&mut self, order: LabelOrder, count: usize) -> Labelling {
        if order == LabelOrder::Readable {
            return self.label(count);
        }
        let unknowns = self.solver.store.terms().unknown_terms().enumerate();
        let mut integers: Vec<Integer> = unknowns
            .filter_map(|(number, (term, unknown))| {
                let compared_as = match unknown.kind {
                    Kind::Int => ArithmeticKind::Int,
                    Kind::Long => ArithmeticKind::Long,
                    _ => return None,
                };
                Some(Integer { number, value: Expr::Term(term), compared_as })
            })
            .collect();
        let mark = self.solver.mark();
        let mut found = Vec::new();
        if self.assume_short().is_ok() {
            self.label_rest(&mut integers, order, count, &mut found);
        }
        self.solver.undo(mark);
        // What cannot be decided has an answer in the usual order, or none.
        if found.is_empty() { self.label(count) } else { Labelling::Found(found) }
    }

    /// Labels the integers that are left, and everything else as usual.
    fn label_rest(
        &mut self,
        integers: &mut Vec<Integer>,
        order: LabelOrder,
        count: usize,
        found: &mut Vec<Vec<i64>>,
    ) {
        let store = &self.solver.store;
        let width = |integer: &Integer| {
            let (low, high) = store.interval(integer.value);
            high.abs_diff(low)
        };
        integers.retain(|integer| width(integer) > 0);
        let next = match order {
            LabelOrder::FirstFail => (0..integers.len()).min_by_key(|&at| width(&integers[at])),
            LabelOrder::First | LabelOrder::Readable => (!integers.is_empty()).then_some(0),
        };
        let Some(next) = next else {
            if let Labelling::Found(labels) = self.label(1) {
                found.extend(labels.into_iter().next());
            }
            return;
        };
        let integer = integers.remove(next);
        let outer = self.solver.mark();
        while found.len() < count
            && let Some(least) = self.least(&integer)
        {
            let mark = self.solver.mark();
            let before = found.len();
            if self.assume_if_open(integer.is(Comparison::Equal, least)).is_ok() {
                self.label_rest(&mut integers.clone(), order, count, found);
            }
            self.solver.undo(mark);
            let is_more = integer.is(Comparison::Greater, least);
            if found.len() == before || self.assume_if_open(is_more).is_err() {
                break;
            }
        }
        self.solver.undo(outer);
    }

    /// The smallest value of an integer that the path allows, if that can be decided.
    fn least(&mut self, integer: &Integer) -> Option<i64> {
        let value_in = |answer| match answer {
            Answer::Satisfiable(values) => values.get(integer.number).copied(),
            Answer::Unsatisfiable | Answer::Unknown => None,
        };
        let (mut low, _) = self.solver.store.interval(integer.value);
        let theory = &mut self.exploration.unknown.solver;
        let mut high = value_in(self.solver.satisfiable(theory))?;
        while low < high {
            let middle = low + (high.abs_diff(low) / 2) as i64;
            let mark = self.solver.mark();
            let assumed = self.assume_if_open(integer.is(Comparison::LessOrEqual, middle));
            let theory = &mut self.exploration.unknown.solver;
            let answer = match assumed {
                Ok(()) => self.solver.satisfiable(theory),
                Err(_) => Answer::Unsatisfiable,
            };
            self.solver.undo(mark);
            match answer {
                Answer::Unsatisfiable => low = middle + 1,
                answer => high = value_in(answer)?,
            }
        }
        Some(low)
    }
}

/// An unknown that is labelled by its own values.
#[derive(Debug, Clone)]
struct Integer {
    /// Its number among the unknowns.
    number: usize,
    value: Expr,
    compared_as: ArithmeticKind,
}

impl Integer {
    /// How it compares with a number.
    fn is(&self, comparison: Comparison, number: i64) -> Constraint {
        let (kind, left, right) = (self.compared_as, self.value, Expr::Constant(number));
        Constraint::Compare { kind, comparison, left, right }
    }
}
