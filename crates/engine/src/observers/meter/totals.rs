//! What a path costs in the end: numbers, formulas over its inputs, and what can be required of them.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};
use petrel_cost::ArrayCost;
use petrel_expression::Node;
use petrel_solver::{Answer, Constraint, Expr, Simplified, Store};

use crate::machine::Machine;

/// What a path costs under one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathCost {
    /// The part that does not depend on the input.
    pub constant: i64,
    /// All of it in Java's notation, if it depends on the input.
    pub expression: Option<String>,
    /// Bounds of it.
    pub range: (i64, i64),
    /// If it is `constant + factor * x`: the factor, and the text of `x`.
    pub linear: Option<(i64, String)>,
}

impl Machine<'_> {
    /// What the path costs under each model.
    pub fn costs(&mut self) -> Vec<PathCost> {
        let Some(meter) = &self.observers.meter else { return Vec::new() };
        let count = meter.spent.len();
        (0..count).map(|model| self.cost(model)).collect()
    }

    fn cost(&mut self, model: usize) -> PathCost {
        let (constant, sizes) = self.cost_parts(model);
        if sizes.is_empty() {
            return PathCost {
                constant,
                expression: None,
                range: (constant, constant),
                linear: None,
            };
        }
        let total = self.cost_term(model);
        let range = self.solver.store.interval(total);
        let terms = self.solver.store.terms();
        let text = |length: Expr| {
            let length = petrel_solver::expression(terms, length, Kind::Int);
            let is_operation = matches!(length.node(), Node::Apply(..) | Node::Choose(..));
            if is_operation { format!("({length})") } else { length.to_string() }
        };
        let mut parts = Vec::new();
        let mut sum = constant;
        // Arrays of one size with one cost are one part.
        let mut factors: Vec<(Expr, i64)> = Vec::new();
        for &(cost, length) in &sizes {
            if cost.alignment > 1 {
                let of_elements = product(cost.per_element, text(length));
                parts.push(format!("roundUp({} + {of_elements}, {})", cost.base, cost.alignment));
                continue;
            }
            sum = sum.saturating_add(cost.base);
            match factors.iter_mut().find(|(known, _)| *known == length) {
                Some((_, factor)) => *factor = factor.saturating_add(cost.per_element),
                None => factors.push((length, cost.per_element)),
            }
        }
        let is_linear = parts.is_empty() && factors.len() == 1;
        let linear = factors.first().filter(|_| is_linear).map(|&(x, factor)| (factor, text(x)));
        let products = factors.iter().map(|&(length, factor)| product(factor, text(length)));
        let all: Vec<String> = products.chain(parts).collect();
        let expression = match sum {
            0 => all.join(" + "),
            sum => format!("{sum} + {}", all.join(" + ")),
        };
        PathCost { constant: sum, expression: Some(expression), range, linear }
    }

    /// The cost of the path without arrays of unknown sizes, and these.
    fn cost_parts(&self, model: usize) -> (i64, Vec<(ArrayCost, Expr)>) {
        let Some(meter) = &self.observers.meter else { return (0, Vec::new()) };
        let mut constant = meter.spent.get(model).copied().unwrap_or_default();
        let mut sizes = Vec::new();
        for sized in &meter.sized {
            let Some(cost) = sized.costs.get(model).copied().flatten() else { continue };
            let length = match cost.per_element {
                // It costs the same however long it is.
                0 => Expr::Constant(0),
                _ => self.solver.store.fixed(sized.length),
            };
            match length {
                Expr::Constant(length) => {
                    constant = constant.saturating_add(cost.of_length(length.max(0)));
                }
                Expr::Term(_) => sizes.push((cost, sized.length)),
            }
        }
        (constant, sizes)
    }

    /// The cost of the path as a term.
    fn cost_term(&mut self, model: usize) -> Expr {
        use ArithmeticKind::Long;
        let (constant, sizes) = self.cost_parts(model);
        let store: &mut Store = &mut self.solver.store;
        let mut total = Expr::Constant(constant);
        for (cost, length) in sizes {
            let widen = Operation::Convert(Conversion::IntToLong);
            let length = store.apply(widen, length, Expr::Constant(0));
            let factor = Expr::Constant(cost.per_element);
            let product = store.apply(Operation::Multiply(Long), length, factor);
            let rounding = cost.base.saturating_add(cost.alignment - 1);
            let mut part = store.apply(Operation::Add(Long), product, Expr::Constant(rounding));
            if cost.alignment > 1 {
                let alignment = Expr::Constant(cost.alignment);
                part = store.apply(Operation::Divide(Long), part, alignment);
                part = store.apply(Operation::Multiply(Long), part, alignment);
            }
            total = store.apply(Operation::Add(Long), total, part);
        }
        total
    }

    /// Requires something of the cost of the path. `false` if it cannot be.
    pub fn require_cost(&mut self, model: usize, comparison: Comparison, bound: i64) -> bool {
        let left = self.cost_term(model);
        let (kind, right) = (ArithmeticKind::Long, Expr::Constant(bound));
        let constraint = Constraint::Compare { kind, comparison, left, right };
        match self.solver.store.simplify(constraint) {
            Simplified::True => true,
            Simplified::False => false,
            Simplified::Open(open) => self.solver.store.assume(open).is_ok(),
        }
    }

    /// The largest cost that inputs of the path have, arrays being no longer than the limit; it is required
    /// from now on. `None` if it is not found.
    pub fn maximise_cost(&mut self, model: usize) -> Option<i64> {
        let most = self.exploration.max_array();
        let sizes: Vec<Expr> = self.cost_parts(model).1.iter().map(|&(_, size)| size).collect();
        for size in sizes {
            let most = Expr::Constant(most.into());
            let is_short = Constraint::int(size, Comparison::LessOrEqual, most);
            if let Simplified::Open(open) = self.solver.store.simplify(is_short) {
                self.solver.store.assume(open).ok()?;
            }
        }
        let total = self.cost_term(model);
        let (mut low, mut high) = self.solver.store.interval(total);
        while low < high {
            let middle = low + (high - low) / 2 + 1;
            let mark = self.solver.mark();
            let is_possible = self.require_cost(model, Comparison::GreaterOrEqual, middle)
                && matches!(
                    self.solver.satisfiable(self.exploration.theory()),
                    Answer::Satisfiable(_)
                );
            self.solver.undo(mark);
            if is_possible { low = middle } else { high = middle - 1 }
        }
        self.require_cost(model, Comparison::GreaterOrEqual, low).then_some(low)
    }
}

fn product(factor: i64, of: String) -> String {
    if factor == 1 { of } else { format!("{factor}*{of}") }
}
