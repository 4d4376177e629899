//! Overflow: which operations of a method's own code give something else than the exact result ("JTestCraft",
//! section 7.4).
//!
//! Where an operation is performed on terms, the solver says whether it can overflow there; if so it is kept with the
//! path, and at the end of the path inputs can be asked for that make it overflow. A derivation on known values tells
//! what did.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};
use petrel_program::ResolvedMethod;
use petrel_solver::{Constraint, Expr, Labelling, Simplified};
use rustc_hash::FxHashSet;

use super::{Event, Marks, Observer};
use crate::exploration::expr_of;
use crate::machine::{Machine, Step, Value, Watched, WatchedOperand, arithmetic};

/// An operation of a method's own code: a literal of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Number of the predicate in the procedure.
    pub predicate: u32,
    /// Number of the rule in the predicate, from 0.
    pub rule: u32,
    /// Place of the literal in the body of the rule.
    pub literal: u32,
}

/// An operation on known values that overflowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overflowed {
    /// Where.
    pub site: Site,
    /// The operands; the second is 0 if there is only one.
    pub operands: (i64, i64),
}

/// An operation of the path under way that may overflow.
#[derive(Debug, Clone, Copy)]
struct Performed {
    site: Site,
    operation: Operation,
    left: Value,
    right: Value,
}

/// Looks for overflows of one method.
#[derive(Debug)]
pub(super) struct OverflowWatch {
    method: ResolvedMethod,
    /// Those operations on the path under way that overflow, or may do so.
    performed: Vec<Performed>,
    /// Operations that are known to overflow: nothing is asked about them any more.
    found: FxHashSet<Site>,
    marks: Marks<usize>,
}

impl Observer for OverflowWatch {
    fn start(&mut self) {
        self.performed.clear();
    }

    fn see(&mut self, machine: &mut Machine<'_>, event: Event<'_>) -> Step {
        let Event::Operation(number) = event else { return Ok(()) };
        let Watched { site, operation, left, right } = machine.code.watched(number);
        let value = |operand: WatchedOperand| match operand {
            WatchedOperand::Register(register) => machine.register(register),
            WatchedOperand::Constant(value) => value,
        };
        let performed = Performed { site, operation, left: value(left), right: value(right) };
        let is_known = !performed.left.is_symbolic() && !performed.right.is_symbolic();
        let may_overflow = if is_known {
            overflows(operation, operands(&performed))
        } else {
            !self.found.contains(&site) && machine.may_overflow(&performed)
        };
        if may_overflow {
            self.performed.push(performed);
        }
        Ok(())
    }

    fn open_choice(&mut self) {
        self.marks.push(self.performed.len());
    }

    fn go_back(&mut self) -> bool {
        if let Some(&mark) = self.marks.last() {
            self.performed.truncate(mark);
        }
        true
    }

    fn close_choice(&mut self) {
        self.marks.pop();
    }
}

/// Whether an operation has results that do not fit its kind.
pub fn can_overflow(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Add(ArithmeticKind::Int | ArithmeticKind::Long)
            | Operation::Subtract(ArithmeticKind::Int | ArithmeticKind::Long)
            | Operation::Multiply(ArithmeticKind::Int | ArithmeticKind::Long)
            | Operation::Divide(ArithmeticKind::Int | ArithmeticKind::Long)
            | Operation::Negate(ArithmeticKind::Int | ArithmeticKind::Long)
    )
}

impl Machine<'_> {
    /// Looks for overflows in the code of a method, which was not called before.
    pub fn watch_overflows(&mut self, method: &ResolvedMethod) {
        let method = method.clone();
        let (performed, found) = (Vec::new(), FxHashSet::default());
        let marks = Marks::default();
        self.observers.overflows =
            Some(Box::new(OverflowWatch { method, performed, found, marks }));
    }

    pub(crate) fn is_watched(&self, method: &ResolvedMethod) -> bool {
        self.observers.overflows.as_ref().is_some_and(|watch| watch.method == *method)
    }

    /// Whether the inputs of the path so far include some that make an operation on terms overflow, as far as is known.
    fn may_overflow(&mut self, performed: &Performed) -> bool {
        if !self.is_exact_operation(performed) {
            return true;
        }
        excesses(performed.operation).into_iter().any(|excess| {
            let mark = self.solver.mark();
            let is_possible = self.is_possible(performed, excess);
            self.solver.undo(mark);
            is_possible
        })
    }

    fn is_possible(&mut self, performed: &Performed, excess: Excess) -> bool {
        let mut model = self.exploration.model().cloned();
        match self.require_of_divisor(performed, excess) {
            Simplified::True => {}
            Simplified::False => return false,
            Simplified::Open(open) => {
                if self.solver.store.assume(open).is_err() {
                    return false;
                }
                // It satisfies the path, and maybe not this.
                model = None;
            }
        }
        let exceeds = self.exceeds(performed, excess);
        let sides = [exceeds.clone(), exceeds.negated()];
        let possible = self.solver.branch(model.as_ref(), &sides, self.exploration.theory());
        possible.iter().any(|alternative| alternative.index == 0)
    }

    fn is_exact_operation(&self, performed: &Performed) -> bool {
        let is_exact = |value: Value| {
            !value.is_symbolic()
                || expr_of(value, Kind::Long)
                    .term()
                    .is_none_or(|term| self.solver.store.terms().is_exact(term))
        };
        is_exact(performed.left) && is_exact(performed.right)
    }

    /// What has to hold of the second operand, where the two together exceed what their kind holds in this way.
    fn require_of_divisor(&mut self, performed: &Performed, excess: Excess) -> Simplified {
        let Some((comparison, bound)) = excess.requires else { return Simplified::True };
        let kind = arithmetic_kind(performed.operation);
        let left = expr_of(performed.right, kind.into());
        let right = Expr::Constant(bound);
        self.solver.store.simplify(Constraint::Compare { kind, comparison, left, right })
    }

    /// That the exact result exceeds what the kind holds.
    fn exceeds(&mut self, performed: &Performed, excess: Excess) -> Constraint {
        let kind = arithmetic_kind(performed.operation);
        let (left, right) =
            (expr_of(performed.left, kind.into()), expr_of(performed.right, kind.into()));
        let store = &mut self.solver.store;
        match excess.how {
            How::IsLeast => {
                let least = Expr::Constant(range(kind).0);
                Constraint::Compare { kind, comparison: Comparison::Equal, left, right: least }
            }
            How::Widened(comparison, bound) => {
                let widen = Operation::Convert(Conversion::IntToLong);
                let left = store.apply(widen, left, Expr::Constant(0));
                let right = store.apply(widen, right, Expr::Constant(0));
                let exact = store.apply(of_longs(performed.operation), left, right);
                Constraint::long(exact, comparison, Expr::Constant(bound))
            }
            How::Inverted(comparison, bound, inverse) => {
                let bound = store.apply(inverse, Expr::Constant(bound), right);
                Constraint::Compare { kind, comparison, left, right: bound }
            }
        }
    }

    /// The operations on the path that may overflow and are not known to, as numbers for [`Machine::label_overflow`].
    pub fn overflow_goals(&self) -> Vec<(usize, Site)> {
        let Some(watch) = &self.observers.overflows else { return Vec::new() };
        let performed = watch.performed.iter().map(|performed| performed.site).enumerate();
        performed.filter(|(_, site)| !watch.found.contains(site)).collect()
    }

    /// Inputs that take the path and make an operation on it overflow.
    pub fn label_overflow(&mut self, goal: usize) -> Labelling {
        let performed =
            self.observers.overflows.as_ref().and_then(|watch| watch.performed.get(goal));
        let Some(performed) = performed.copied() else { return Labelling::Unsatisfiable };
        if !performed.left.is_symbolic() && !performed.right.is_symbolic() {
            return self.label(1);
        }
        if !self.is_exact_operation(&performed) {
            return Labelling::Unknown;
        }
        let mut is_unknown = false;
        for excess in excesses(performed.operation) {
            let mark = self.solver.mark();
            let labelling = self.label_excess(&performed, excess);
            self.solver.undo(mark);
            match labelling {
                Labelling::Found(_) => return labelling,
                Labelling::Unknown => is_unknown = true,
                Labelling::Unsatisfiable => {}
            }
        }
        if is_unknown { Labelling::Unknown } else { Labelling::Unsatisfiable }
    }

    fn label_excess(&mut self, performed: &Performed, excess: Excess) -> Labelling {
        let required = self.require_of_divisor(performed, excess);
        if !self.assume_simplified(required) {
            return Labelling::Unsatisfiable;
        }
        let exceeds = self.exceeds(performed, excess);
        let exceeds = self.solver.store.simplify(exceeds);
        if !self.assume_simplified(exceeds) {
            return Labelling::Unsatisfiable;
        }
        self.label(1)
    }

    fn assume_simplified(&mut self, simplified: Simplified) -> bool {
        match simplified {
            Simplified::True => true,
            Simplified::False => false,
            Simplified::Open(open) => self.solver.store.assume(open).is_ok(),
        }
    }

    /// Whether inputs are known that make an operation overflow.
    pub fn is_overflow_found(&self, site: Site) -> bool {
        self.observers.overflows.as_ref().is_some_and(|watch| watch.found.contains(&site))
    }

    /// Notes operations for which inputs are known that make them overflow.
    pub fn found_overflows(&mut self, sites: impl IntoIterator<Item = Site>) {
        if let Some(watch) = &mut self.observers.overflows {
            watch.found.extend(sites);
        }
    }

    /// What overflowed in a derivation on known values, each operation once, in the order of execution.
    pub fn overflowed(&self) -> Vec<Overflowed> {
        let mut all: Vec<Overflowed> = Vec::new();
        for performed in self.observers.overflows.iter().flat_map(|watch| &watch.performed) {
            if !all.iter().any(|known| known.site == performed.site) {
                all.push(Overflowed { site: performed.site, operands: operands(performed) });
            }
        }
        all
    }
}

/// A way in which the result of an operation exceeds what its kind holds.
#[derive(Debug, Clone, Copy)]
struct Excess {
    /// What has to hold of the second operand first.
    requires: Option<(Comparison, i64)>,
    how: How,
}

#[derive(Debug, Clone, Copy)]
enum How {
    /// The first operand is the least number.
    IsLeast,
    /// The exact result of `int`s, which is a `long`, compares so.
    Widened(Comparison, i64),
    /// The first operand compares so with what is left of a bound without the second: `a > MAX - b` instead of
    /// `a + b > MAX`. Nothing overflows there.
    Inverted(Comparison, i64, Operation),
}

/// All ways in which an operation can overflow.
fn excesses(operation: Operation) -> Vec<Excess> {
    use ArithmeticKind::{Int, Long};
    use Comparison::{Equal, Greater, Less};
    let (least, most) = range(Long);
    let inverted = |requires: (Comparison, i64), comparison, bound, inverse| Excess {
        requires: Some(requires),
        how: How::Inverted(comparison, bound, inverse),
    };
    match operation {
        Operation::Add(Int) | Operation::Subtract(Int) | Operation::Multiply(Int) => {
            let (least, most) = range(Int);
            let widened = [How::Widened(Greater, most), How::Widened(Less, least)];
            widened.into_iter().map(|how| Excess { requires: None, how }).collect()
        }
        Operation::Add(_) => vec![
            inverted((Greater, 0), Greater, most, Operation::Subtract(Long)),
            inverted((Less, 0), Less, least, Operation::Subtract(Long)),
        ],
        Operation::Subtract(_) => vec![
            inverted((Less, 0), Greater, most, Operation::Add(Long)),
            inverted((Greater, 0), Less, least, Operation::Add(Long)),
        ],
        Operation::Multiply(_) => vec![
            inverted((Greater, 0), Greater, most, Operation::Divide(Long)),
            inverted((Greater, 0), Less, least, Operation::Divide(Long)),
            inverted((Less, -1), Less, most, Operation::Divide(Long)),
            inverted((Less, -1), Greater, least, Operation::Divide(Long)),
            Excess { requires: Some((Equal, -1)), how: How::IsLeast },
        ],
        Operation::Divide(_) => vec![Excess { requires: Some((Equal, -1)), how: How::IsLeast }],
        Operation::Negate(_) => vec![Excess { requires: None, how: How::IsLeast }],
        _ => Vec::new(),
    }
}

/// The kind of an operation that can overflow.
fn arithmetic_kind(operation: Operation) -> ArithmeticKind {
    match operation.result_kind() {
        Kind::Long => ArithmeticKind::Long,
        _ => ArithmeticKind::Int,
    }
}

/// The same operation on `long`s.
fn of_longs(operation: Operation) -> Operation {
    match operation {
        Operation::Add(_) => Operation::Add(ArithmeticKind::Long),
        Operation::Subtract(_) => Operation::Subtract(ArithmeticKind::Long),
        Operation::Multiply(_) => Operation::Multiply(ArithmeticKind::Long),
        other => other,
    }
}

/// The least and the greatest number of a kind.
fn range(kind: ArithmeticKind) -> (i64, i64) {
    match kind {
        ArithmeticKind::Int => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN, i64::MAX),
    }
}

/// Known operands as numbers.
fn operands(performed: &Performed) -> (i64, i64) {
    let number = |value: Value| match arithmetic_kind(performed.operation) {
        ArithmeticKind::Int => value.as_int().into(),
        _ => value.as_long(),
    };
    let right = if performed.operation.is_unary() { 0 } else { number(performed.right) };
    (number(performed.left), right)
}

/// Whether an operation on known numbers gives something else than the exact result.
fn overflows(operation: Operation, operands: (i64, i64)) -> bool {
    let (least, most) = range(arithmetic_kind(operation));
    let is_within = |exact: i128| (i128::from(least)..=i128::from(most)).contains(&exact);
    arithmetic::exact(operation, operands).is_some_and(|exact| !is_within(exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether one of the ways that the solver is asked about applies to known numbers.
    fn exceeds(operation: Operation, (left, right): (i64, i64)) -> bool {
        let compares = |comparison: Comparison, left: i64, right: i64| match comparison {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        };
        excesses(operation).into_iter().any(|excess| {
            if excess.requires.is_some_and(|(comparison, of)| !compares(comparison, right, of)) {
                return false;
            }
            let long = |operation, left, right| {
                arithmetic::apply(operation, Value::long(left), Value::long(right)).as_long()
            };
            match excess.how {
                How::IsLeast => left == range(arithmetic_kind(operation)).0,
                How::Widened(comparison, bound) => {
                    compares(comparison, long(of_longs(operation), left, right), bound)
                }
                How::Inverted(comparison, bound, inverse) => {
                    compares(comparison, left, long(inverse, bound, right))
                }
            }
        })
    }

    #[test]
    fn what_the_solver_is_asked_is_what_overflows() {
        use ArithmeticKind::{Int, Long};
        for kind in [Int, Long] {
            let (least, most) = range(kind);
            let half = most / 2;
            let root = if kind == Int { 46_340 } else { 3_037_000_499 };
            let mut numbers = vec![0, 1, 2, 3, 7, 31, half, root, root + 1, most - 1, most];
            numbers.extend(numbers.clone().iter().map(|number| -number));
            numbers.extend([least, least + 1, least / 2, least / 2 - 1]);
            let operations = [
                Operation::Add(kind),
                Operation::Subtract(kind),
                Operation::Multiply(kind),
                Operation::Divide(kind),
                Operation::Negate(kind),
            ];
            for operation in operations {
                for (left, right) in numbers.iter().flat_map(|a| numbers.iter().map(|b| (*a, *b))) {
                    let right = if operation.is_unary() { 0 } else { right };
                    if matches!(operation, Operation::Divide(_)) && right == 0 {
                        continue;
                    }
                    let operands = (left, right);
                    let expected = overflows(operation, operands);
                    assert_eq!(
                        exceeds(operation, operands),
                        expected,
                        "{operation:?} {operands:?}"
                    );
                }
            }
        }
    }
}
