//! Conditions on the costs of a path: what policies demand of costs and inputs ("Resource-driven CLP-based Test Case
//! Generation", section 3.2), as constraints over the inputs.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};
use petrel_solver::{Answer, Constraint, Expr, evaluate};

use crate::machine::Machine;

/// A sum of costs, of inputs, and of a number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CostSum {
    /// The number.
    pub constant: i64,
    /// Costs with their factors, by the numbers of their models.
    pub costs: Vec<(i64, usize)>,
    /// Inputs with their factors: parameters that are whole numbers (`icap`), and lengths of arrays (`ns.length`).
    pub inputs: Vec<(i64, String)>,
}

/// What came of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// It is a constraint of the path from now on, which may have no inputs any more. It may demand more than was asked for, so
    /// that no number is too large.
    Yes {
        /// Whether it does.
        is_narrower: bool,
    },
    /// No input of the path satisfies it.
    No,
    /// Numbers would be too large to say.
    Undecided,
}

/// A sum without products of inputs: constant, and inputs with factors and names.
pub type Linear = (i64, Vec<(i64, String)>);

/// What ends what is named before it: the length of an array.
const LENGTH: &str = ".length";

/// Summands stay below this, and sums far from what numbers can hold.
const MOST_OF_SUMMAND: i128 = 1 << 58;
const MOST_SUMMANDS: usize = 8;

/// An input that is summed up.
struct Quantity {
    /// A `long`.
    value: Expr,
    /// Its bounds.
    range: (i64, i64),
    /// The same as it is named.
    named: Expr,
}

impl Machine<'_> {
    /// Requires something of a sum from now on: that it compares like this with 0.
    pub fn require_costs(&mut self, sum: &CostSum, comparison: Comparison) -> Required {
        const LONG: ArithmeticKind = ArithmeticKind::Long;
        if sum.costs.len() + sum.inputs.len() > MOST_SUMMANDS {
            return Required::Undecided;
        }
        let mut is_narrower = false;
        let mut summands = Vec::new();
        for &(factor, model) in &sum.costs {
            if !self.require_sizes(model, i32::MAX.into()) {
                return Required::No;
            }
            let most = self.most_cost(model, i32::MAX.into());
            if i128::from(most) * i128::from(factor.unsigned_abs()) > MOST_OF_SUMMAND {
                return Required::Undecided;
            }
            summands.push((factor, self.cost_term(model)));
        }
        for (factor, name) in &sum.inputs {
            let Some(quantity) = self.quantity(name) else { return Required::No };
            let Quantity { value, range: (low, high), .. } = quantity;
            let most = (MOST_OF_SUMMAND / i128::from(factor.unsigned_abs().max(1))) as i64;
            if low < -most || high > most {
                is_narrower = true;
                for (comparison, bound) in
                    [(Comparison::GreaterOrEqual, -most), (Comparison::LessOrEqual, most)]
                {
                    let within = Constraint::long(value, comparison, Expr::Constant(bound));
                    if self.assume_if_open(within).is_err() {
                        return Required::Undecided;
                    }
                }
            }
            summands.push((*factor, value));
        }
        let store = &mut self.solver.store;
        let mut left = Expr::Constant(0);
        for (factor, of) in summands {
            let product = store.apply(Operation::Multiply(LONG), of, Expr::Constant(factor));
            left = store.apply(Operation::Add(LONG), left, product);
        }
        let right = Expr::Constant(sum.constant.saturating_neg());
        match self.assume_if_open(Constraint::long(left, comparison, right)) {
            Ok(()) => Required::Yes { is_narrower },
            Err(_) if is_narrower => Required::Undecided,
            Err(_) => Required::No,
        }
    }

    /// Whether all inputs of the path satisfy a condition, so that to say it says nothing. Where that is not found out, they do not.
    pub fn satisfies_anyway(&mut self, sum: &CostSum, comparison: Comparison) -> bool {
        let mark = self.solver.mark();
        let is_certain = match self.require_costs(sum, comparison.negated()) {
            Required::No => true,
            Required::Yes { is_narrower: false } => self.has_no_inputs(),
            Required::Yes { is_narrower: true } | Required::Undecided => false,
        };
        self.solver.undo(mark);
        is_certain
    }

    /// Whether no inputs are left that take the path.
    fn has_no_inputs(&mut self) -> bool {
        let answer = self.solver.satisfiable(self.exploration.theory());
        matches!(answer, Answer::Unsatisfiable)
    }

    /// A sum as one of inputs; `None` if it has products of inputs, or is rounded. What the path demands of the inputs by now may
    /// make numbers of them.
    pub fn linear_sum(&mut self, sum: &CostSum) -> Option<Linear> {
        let mut constant = sum.constant;
        let mut terms: Vec<(i64, Expr)> = Vec::new();
        let mut add = |factor: i64, of: Expr| match of {
            Expr::Constant(value) => {
                constant = constant.saturating_add(factor.saturating_mul(value))
            }
            of => match terms.iter_mut().find(|(_, known)| *known == of) {
                Some((known, _)) => *known = known.saturating_add(factor),
                None => terms.push((factor, of)),
            },
        };
        for &(factor, model) in &sum.costs {
            let (of_model, parts) = self.linear_cost(model)?;
            add(factor, Expr::Constant(of_model));
            parts.iter().for_each(|&(of, more)| add(factor.saturating_mul(more), of));
        }
        for (factor, name) in &sum.inputs {
            let quantity = self.quantity(name)?;
            add(*factor, self.solver.store.fixed(quantity.named));
        }
        terms.retain(|(factor, _)| *factor != 0);
        let named = terms.into_iter().map(|(factor, of)| (factor, self.text_of_size(of)));
        Some((constant, named.collect()))
    }

    /// An input by its name; `None` if the path leaves it no value, as the length of null.
    fn quantity(&mut self, name: &str) -> Option<Quantity> {
        let (named, kind) = match name.strip_suffix(LENGTH) {
            Some(array) => (self.length_of_input(array)?, Kind::Int),
            None => self.number_of_input(name)?,
        };
        let store = &mut self.solver.store;
        let range = store.interval(named);
        let value = match kind {
            Kind::Int => {
                let widen = Operation::Convert(Conversion::IntToLong);
                store.apply(widen, named, Expr::Constant(0))
            }
            _ => named,
        };
        Some(Quantity { value, range, named })
    }

    /// Whether inputs that are known to take the path give a term this value: that is cheaper to see than to ask the solver.
    fn has_known_value(&self, of: Expr, value: i64) -> bool {
        let (Some(model), Some(term)) = (self.exploration.model(), of.term()) else { return false };
        let terms = self.solver.store.terms();
        let is_complete = model.len() >= terms.unknowns().len();
        let values = is_complete.then(|| evaluate(terms, model, term.index() + 1));
        values.and_then(|values| values.get(term.index()).copied()) == Some(value)
    }

    /// The smallest and the largest value of an input that a cost depends on: bounds, of which the first is found exactly.
    pub(super) fn range_of(&mut self, of: Expr) -> (i64, i64) {
        let (mut low, high) = self.solver.store.interval(of);
        let is_open = |machine: &mut Self, low: i64, high: i64| {
            let mark = machine.solver.mark();
            let bounds = [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)];
            let is_open = bounds.into_iter().all(|(comparison, bound)| {
                let within = Constraint::int(of, comparison, Expr::Constant(bound));
                machine.assume_if_open(within).is_ok()
            }) && !machine.has_no_inputs();
            machine.solver.undo(mark);
            is_open
        };
        if self.has_known_value(of, low) || is_open(self, low, low) {
            return (low, high);
        }
        let mut top = high;
        low += i64::from(low < high);
        while low < top {
            let middle = low + (top - low) / 2;
            if is_open(self, low, middle) { top = middle } else { low = middle + 1 }
        }
        (low, high)
    }
}
