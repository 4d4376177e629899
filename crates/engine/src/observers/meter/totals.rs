//! What a path costs in the end: numbers, formulas over its inputs, and what can be required of them.

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};
use petrel_cost::{ArrayCost, Costs, Model};
use petrel_expression::Node;
use petrel_solver::{Answer, Constraint, Expr, Store};
use smallvec::SmallVec;

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
    /// If it is `constant + factor * x`.
    pub linear: Option<LinearCost>,
}

/// The part of a cost that depends on one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearCost {
    /// How often the input counts.
    pub factor: i64,
    /// The text of the input.
    pub of: String,
    /// Bounds of the input on the path: the smallest value that it has, and none that is smaller than its largest.
    pub range: (i64, i64),
}

impl Machine<'_> {
    /// What the path costs under each model.
    pub fn costs(&mut self) -> Vec<PathCost> {
        let Some(meter) = &self.observers.meter else { return Vec::new() };
        let count = meter.spent.len();
        (0..count).map(|model| self.cost(model)).collect()
    }

    /// What the path costs so far, at most, under each model, if no array is longer than the limit.
    pub(crate) fn most_spent(&self, longest_array: i64) -> Costs {
        let Some(meter) = &self.observers.meter else { return Costs::new() };
        let most_of = |model: usize| {
            if meter.sized.is_empty() {
                return meter.spent[model];
            }
            let (constant, sizes) = self.cost_parts(model);
            let store = &self.solver.store;
            let most = sizes.iter().map(|part| part.range(store).1.min(part.most(longest_array)));
            most.fold(constant, i64::saturating_add)
        };
        (0..meter.spent.len()).map(most_of).collect()
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
        let range = self.cost_range(model);
        let (sum, factors, parts) = linear_parts(constant, &sizes);
        let text = |of: Expr| self.text_of_size(of);
        let products = factors.iter().map(|&(length, factor)| product(factor, text(length)));
        let parts_text = parts.iter().map(|part| part.text(text));
        let all: Vec<String> = products.chain(parts_text).collect();
        let linear = match (factors.as_slice(), parts.as_slice()) {
            (&[(of, factor)], []) => {
                Some(LinearCost { factor, of: text(of), range: self.range_of(of) })
            }
            _ => None,
        };
        let expression = match sum {
            0 => all.join(" + "),
            sum => format!("{sum} + {}", all.join(" + ")),
        };
        PathCost { constant: sum, expression: Some(expression), range, linear }
    }

    /// Bounds of what the path costs under a model.
    pub fn cost_range(&self, model: usize) -> (i64, i64) {
        let (constant, sizes) = self.cost_parts(model);
        sizes.iter().fold((constant, constant), |(low, high), part| {
            let of_part = part.range(&self.solver.store);
            (low.saturating_add(of_part.0), high.saturating_add(of_part.1))
        })
    }

    /// A cost as `constant + sum(factor * x)`, if it is that.
    pub(super) fn linear_cost(&self, model: usize) -> Option<(i64, Vec<(Expr, i64)>)> {
        let (constant, sizes) = self.cost_parts(model);
        let (sum, factors, others) = linear_parts(constant, &sizes);
        others.is_empty().then_some((sum, factors))
    }

    /// What a cost depends on, in Java's notation.
    pub(super) fn text_of_size(&self, size: Expr) -> String {
        let size = petrel_solver::expression(self.solver.store.terms(), size, Kind::Int);
        let is_operation = matches!(size.node(), Node::Apply(..) | Node::Choose(..));
        if is_operation { format!("({size})") } else { size.to_string() }
    }

    /// The cost of the path without arrays of unknown sizes or numbers, and these.
    fn cost_parts(&self, model: usize) -> (i64, Vec<SizedPart>) {
        let Some(meter) = &self.observers.meter else { return (0, Vec::new()) };
        let is_live = meter.costing.models().get(model).is_some_and(Model::is_live);
        if let Some(live) = meter.live.as_ref().filter(|_| is_live) {
            return (live.peak(model).map_or(0, |peak| peak.cost), Vec::new());
        }
        let mut constant = meter.spent.get(model).copied().unwrap_or_default();
        let mut sizes = Vec::new();
        for sized in &meter.sized {
            let Some(cost) = sized.costs.get(model).copied().flatten() else { continue };
            let length = match cost.per_element {
                // It costs the same however long it is.
                0 => Expr::Constant(0),
                _ => self.solver.store.fixed(sized.length),
            };
            let (mut count, mut around) = (1_i64, SmallVec::new());
            for &length in &sized.around {
                match self.solver.store.fixed(length) {
                    Expr::Constant(length) => count = count.saturating_mul(length.max(0)),
                    Expr::Term(_) => around.push(length),
                }
            }
            match length {
                _ if count == 0 => {}
                Expr::Constant(length) if around.is_empty() => {
                    let of_all = cost.of_length(length.max(0)).saturating_mul(count);
                    constant = constant.saturating_add(of_all);
                }
                Expr::Constant(_) => sizes.push(SizedPart { cost, count, around, length }),
                Expr::Term(_) => {
                    sizes.push(SizedPart { cost, count, around, length: sized.length });
                }
            }
        }
        (constant, sizes)
    }

    /// The cost of the path as a term.
    pub(super) fn cost_term(&mut self, model: usize) -> Expr {
        use ArithmeticKind::Long;
        let (constant, sizes) = self.cost_parts(model);
        let store: &mut Store = &mut self.solver.store;
        let mut total = Expr::Constant(constant);
        for SizedPart { cost, count, around, length } in sizes {
            let factor = Expr::Constant(cost.per_element);
            let length = widened(store, length);
            let product = store.apply(Operation::Multiply(Long), length, factor);
            let rounding = cost.base.saturating_add(cost.alignment - 1);
            let mut part = store.apply(Operation::Add(Long), product, Expr::Constant(rounding));
            if cost.alignment > 1 {
                let alignment = Expr::Constant(cost.alignment);
                part = store.apply(Operation::Divide(Long), part, alignment);
                part = store.apply(Operation::Multiply(Long), part, alignment);
            }
            part = store.apply(Operation::Multiply(Long), part, Expr::Constant(count));
            for length in around {
                let length = widened(store, length);
                part = store.apply(Operation::Multiply(Long), part, length);
            }
            total = store.apply(Operation::Add(Long), total, part);
        }
        total
    }

    /// Requires that arrays of unknown sizes have so many elements at most, those in arrays all together. Beyond the largest
    /// length there is no such array, and what they cost might not be a number any more. `false` if it cannot be.
    pub(super) fn require_sizes(&mut self, model: usize, most: i64) -> bool {
        let (kind, comparison) = (ArithmeticKind::Long, Comparison::LessOrEqual);
        for part in self.cost_parts(model).1 {
            let mut elements = Expr::Constant(part.count);
            // With one factor after the other no product is too large for a number.
            for &length in part.around.iter().chain([&part.length]) {
                let store = &mut self.solver.store;
                let length = widened(store, length);
                let multiply = Operation::Multiply(ArithmeticKind::Long);
                let product = store.apply(multiply, elements, length);
                let right = Expr::Constant(most);
                let is_small = Constraint::Compare { kind, comparison, left: product, right };
                if self.assume_if_open(is_small).is_err() {
                    return false;
                }
                elements = product;
            }
        }
        true
    }

    /// The most that the path costs if its arrays have so many elements at most.
    pub(super) fn most_cost(&self, model: usize, elements: i64) -> i64 {
        let (constant, sizes) = self.cost_parts(model);
        // Products of lengths have bounds of their own, which intervals of the lengths do not show.
        let most_of = |part: &SizedPart| part.range(&self.solver.store).1.min(part.most(elements));
        sizes.iter().map(most_of).fold(constant, i64::saturating_add)
    }

    /// Requires that the path costs at least so much. `false` if it cannot.
    fn require_cost(&mut self, model: usize, bound: i64) -> bool {
        let left = self.cost_term(model);
        let least = Constraint::long(left, Comparison::GreaterOrEqual, Expr::Constant(bound));
        self.assume_if_open(least).is_ok()
    }

    /// The largest cost that inputs of the path have, arrays being no longer than the limit; it is required
    /// from now on. `None` if it is not found.
    pub fn maximise_cost(&mut self, model: usize) -> Option<i64> {
        let most = i64::from(self.exploration.max_array());
        if !self.require_sizes(model, most) {
            return None;
        }
        let (mut low, high) = self.cost_range(model);
        let mut high = high.min(self.most_cost(model, most));
        while low < high {
            let middle = low + (high - low) / 2 + 1;
            let mark = self.solver.mark();
            let is_possible = self.require_cost(model, middle)
                && matches!(
                    self.solver.satisfiable(self.exploration.theory()),
                    Answer::Satisfiable(_)
                );
            self.solver.undo(mark);
            if is_possible { low = middle } else { high = middle - 1 }
        }
        self.require_cost(model, low).then_some(low)
    }
}

/// A constant, what is linear in one size each, and the rest. Arrays of one size with one cost are one part.
fn linear_parts(constant: i64, sizes: &[SizedPart]) -> (i64, Vec<(Expr, i64)>, Vec<&SizedPart>) {
    let (mut sum, mut others) = (constant, Vec::new());
    let mut factors: Vec<(Expr, i64)> = Vec::new();
    for part in sizes {
        let Some((base, factor, x)) = part.linear() else {
            others.push(part);
            continue;
        };
        sum = sum.saturating_add(base);
        match factors.iter_mut().find(|(known, _)| *known == x) {
            Some((_, known)) => *known = known.saturating_add(factor),
            None => factors.push((x, factor)),
        }
    }
    (sum, factors, others)
}

/// What arrays cost whose size or number is not known.
struct SizedPart {
    /// What one of them costs.
    cost: ArrayCost,
    /// There are so many of them in the innermost of the arrays around them.
    count: i64,
    /// The lengths of those that are not known.
    around: SmallVec<[Expr; 2]>,
    length: Expr,
}

impl SizedPart {
    /// The bounds of what they cost together.
    fn range(&self, store: &Store) -> (i64, i64) {
        let bounds = |length: Expr| {
            let (low, high) = store.interval(length);
            (low.max(0), high.max(0))
        };
        let length = bounds(self.length);
        let one = (self.cost.of_length(length.0), self.cost.of_length(length.1));
        let all = (one.0.saturating_mul(self.count), one.1.saturating_mul(self.count));
        self.around.iter().fold(all, |(low, high), &length| {
            let length = bounds(length);
            (low.saturating_mul(length.0), high.saturating_mul(length.1))
        })
    }

    /// The most that they cost together if they have so many elements at most, and are so many.
    fn most(&self, elements: i64) -> i64 {
        let ArrayCost { base, per_element, alignment } = self.cost;
        let beside = base.saturating_add(alignment - 1).saturating_mul(elements);
        per_element.saturating_mul(elements).saturating_add(beside)
    }

    /// `base + factor * x`, if it is that.
    fn linear(&self) -> Option<(i64, i64, Expr)> {
        let SizedPart { cost, count, around, length } = self;
        match (around.as_slice(), *length) {
            (&[x], Expr::Constant(length)) => {
                Some((0, cost.of_length(length.max(0)).saturating_mul(*count), x))
            }
            (&[], x @ Expr::Term(_)) if cost.alignment <= 1 => {
                let [base, factor] = [cost.base, cost.per_element];
                Some((base.saturating_mul(*count), factor.saturating_mul(*count), x))
            }
            _ => None,
        }
    }

    /// In Java's notation.
    fn text(&self, text: impl Fn(Expr) -> String) -> String {
        let ArrayCost { base, per_element, alignment } = self.cost;
        let (mut factor, mut of_one) = (self.count, None);
        match self.length {
            Expr::Constant(length) => {
                factor = factor.saturating_mul(self.cost.of_length(length.max(0)));
            }
            length if alignment > 1 => {
                let of_elements = product(per_element, text(length));
                of_one = Some(format!("roundUp({base} + {of_elements}, {alignment})"));
            }
            length if base == 0 => {
                factor = factor.saturating_mul(per_element);
                of_one = Some(text(length));
            }
            length => of_one = Some(format!("({base} + {})", product(per_element, text(length)))),
        }
        let factors: Vec<String> =
            self.around.iter().map(|&length| text(length)).chain(of_one).collect();
        product(factor, factors.join("*"))
    }
}

/// A length as a `long`.
fn widened(store: &mut Store, length: Expr) -> Expr {
    store.apply(Operation::Convert(Conversion::IntToLong), length, Expr::Constant(0))
}

fn product(factor: i64, of: String) -> String {
    if factor == 1 { of } else { format!("{factor}*{of}") }
}
