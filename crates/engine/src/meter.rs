//! What a derivation costs ("Resource-driven CLP-based test case generation", section 3): the costs of the
//! rules that it applies, of the calls that it makes, and of the arrays that it makes, whose sizes may be
//! terms.
//!
//! The paper sums up the costs of a trace when the path is at its end. Here the sums are kept as it goes
//! along, so that a path can end as soon as it costs too much.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation, PredicateId};
use petrel_cost::{ArrayCost, Costing, Costs, Model};
use petrel_solver::{Answer, Constraint, Expr, Simplified, Store};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::calls::{Halt, Step};
use crate::choose::expr_of;
use crate::machine::Machine;
use crate::types::TypeId;
use crate::value::Value;

/// Applies cost models to a derivation.
pub(crate) struct Meter<'p> {
    costing: Costing<'p>,
    /// What rules cost, by their numbers.
    rules: FxHashMap<u32, Rc<Costs>>,
    /// What calls cost, by caller and callee.
    calls: FxHashMap<(Option<u32>, u32), Rc<Costs>>,
    /// What arrays cost, by the method that makes them and their class.
    arrays: FxHashMap<(u32, TypeId), ArrayCosts>,
    /// Beyond which a path is not followed, for each model.
    most: Vec<Option<i64>>,
    /// The costs of the path under way but for arrays whose sizes are terms.
    pub(crate) spent: Costs,
    /// Those arrays.
    sized: Vec<Sized>,
    /// The calls that cost something under some model: caller and callee.
    called: Vec<(Option<u32>, u32)>,
    /// The rule application and method of the last call of a native method: its instruction may be
    /// executed again.
    last_native: (u64, u32),
}

type ArrayCosts = Rc<SmallVec<[Option<ArrayCost>; 4]>>;

/// An array whose size is a term.
struct Sized {
    costs: ArrayCosts,
    length: Expr,
}

/// Where a path was, to go back to.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeterMark {
    spent: Costs,
    sized: usize,
    called: usize,
}

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

impl Meter<'_> {
    fn add(&mut self, costs: &Costs) -> Step {
        let mut is_too_much = false;
        for ((spent, cost), most) in self.spent.iter_mut().zip(costs).zip(&self.most) {
            *spent = spent.saturating_add(*cost);
            is_too_much |= most.is_some_and(|most| *spent > most);
        }
        if is_too_much { Err(Halt::TooExpensive) } else { Ok(()) }
    }

    fn start(&mut self) {
        self.spent.iter_mut().for_each(|spent| *spent = 0);
        self.sized.clear();
        self.called.clear();
        self.last_native = (0, u32::MAX);
    }

    fn mark(&self) -> MeterMark {
        MeterMark { spent: self.spent.clone(), sized: self.sized.len(), called: self.called.len() }
    }

    pub(crate) fn go_back(&mut self, mark: &MeterMark) {
        self.spent.clone_from(&mark.spent);
        self.sized.truncate(mark.sized);
        self.called.truncate(mark.called);
        self.last_native = (0, u32::MAX);
    }
}

impl<'p> Machine<'p> {
    /// Measures costs from now on. Paths that cost more than a model's number in `most` are not followed.
    pub fn measure(&mut self, costing: Costing<'p>, most: Vec<Option<i64>>) {
        let spent = SmallVec::from_elem(0, costing.models().len());
        self.meter = Some(Box::new(Meter {
            costing,
            rules: FxHashMap::default(),
            calls: FxHashMap::default(),
            arrays: FxHashMap::default(),
            most,
            spent,
            sized: Vec::new(),
            called: Vec::new(),
            last_native: (0, u32::MAX),
        }));
    }

    pub(crate) fn start_meter(&mut self) {
        if let Some(meter) = &mut self.meter {
            meter.start();
        }
    }

    pub(crate) fn mark_meter(&self) -> Option<MeterMark> {
        self.meter.as_ref().map(|meter| meter.mark())
    }

    /// Whether what happens now counts.
    fn is_measuring(&self) -> bool {
        self.meter.is_some() && self.log.has_begun && self.observe_at != u64::MAX
    }

    /// A rule is applied.
    pub(crate) fn measure_rule(&mut self, rule: u32) -> Step {
        if !self.is_measuring() {
            return Ok(());
        }
        let Some(meter) = &mut self.meter else { return Ok(()) };
        let costs = match meter.rules.get(&rule) {
            Some(known) => Rc::clone(known),
            None => {
                let origin = self.code.rules[rule as usize];
                let method = &self.methods.get(origin.method).resolved;
                let Ok(Some(procedure)) = self.procedures.get(method) else { return Ok(()) };
                let predicate = PredicateId(origin.predicate);
                let costs = meter.costing.of_rule(&procedure, predicate, origin.rule as usize);
                let costs = Rc::new(costs);
                meter.rules.insert(rule, Rc::clone(&costs));
                costs
            }
        };
        meter.add(&costs)
    }

    /// A method is called by the frame below the one on top.
    #[cold]
    pub(crate) fn measure_call(&mut self, method: u32, is_native: bool) -> Step {
        if !self.is_measuring() {
            return Ok(());
        }
        let below = self.frames.split_last().map_or(&[][..], |(_, below)| below);
        let caller = below.iter().rev().map(|frame| frame.method).find(|&of| of != u32::MAX);
        let Some(meter) = &mut self.meter else { return Ok(()) };
        if is_native {
            let this = (self.applied, method);
            if std::mem::replace(&mut meter.last_native, this) == this {
                return Ok(());
            }
        }
        let costs = match meter.calls.get(&(caller, method)) {
            Some(known) => Rc::clone(known),
            None => {
                let resolved = &self.methods.get(method).resolved;
                let called = petrel_clp::MethodRef {
                    class: resolved.class().name().into(),
                    name: resolved.name().into(),
                    descriptor: resolved.descriptor().into(),
                };
                let of_caller = caller.map(|caller| &self.methods.get(caller).resolved);
                let procedure = of_caller.and_then(|of| self.procedures.get(of).ok().flatten());
                let costs = Rc::new(meter.costing.of_call(procedure.as_deref(), &called));
                meter.calls.insert((caller, method), Rc::clone(&costs));
                costs
            }
        };
        if costs.iter().any(|&cost| cost != 0) {
            meter.called.push((caller, method));
        }
        meter.add(&costs)
    }

    /// An array is made by the method under way.
    pub(crate) fn measure_array(&mut self, class: TypeId, length: Value) -> Step {
        if !self.is_measuring() {
            return Ok(());
        }
        let Some(costs) = self.array_costs(class) else { return Ok(()) };
        let Some(meter) = &mut self.meter else { return Ok(()) };
        if length.is_symbolic() {
            if costs.iter().any(Option::is_some) {
                meter.sized.push(Sized { costs, length: expr_of(length, Kind::Int) });
            }
            return Ok(());
        }
        let length = i64::from(length.as_int()).max(0);
        let of_length = |cost: &Option<ArrayCost>| cost.map_or(0, |cost| cost.of_length(length));
        let costs: Costs = costs.iter().map(of_length).collect();
        meter.add(&costs)
    }

    /// Arrays of arrays are made by the method under way.
    pub(crate) fn measure_arrays(&mut self, class: TypeId, lengths: &[usize]) -> Step {
        if !self.is_measuring() {
            return Ok(());
        }
        let (mut class, mut count) = (class, 1_i64);
        for &length in lengths {
            let length = length as i64;
            let Some(costs) = self.array_costs(class) else { return Ok(()) };
            let of_all = |cost: &Option<ArrayCost>| {
                cost.map_or(0, |cost| cost.of_length(length).saturating_mul(count))
            };
            let costs: Costs = costs.iter().map(of_all).collect();
            if let Some(meter) = &mut self.meter {
                meter.add(&costs)?;
            }
            count = count.saturating_mul(length);
            let Some((component, _)) = self.types.get(class).component else { break };
            class = component;
        }
        Ok(())
    }

    fn array_costs(&mut self, class: TypeId) -> Option<ArrayCosts> {
        let method = self.frames.last().map(|frame| frame.method).filter(|&of| of != u32::MAX)?;
        let meter = self.meter.as_mut()?;
        if let Some(known) = meter.arrays.get(&(method, class)) {
            return Some(Rc::clone(known));
        }
        let procedure = self.procedures.get(&self.methods.get(method).resolved).ok().flatten()?;
        let costs = Rc::new(meter.costing.of_array(&procedure, &self.types.get(class).name));
        meter.arrays.insert((method, class), Rc::clone(&costs));
        Some(costs)
    }

    /// What the path costs under each model.
    pub fn costs(&mut self) -> Vec<PathCost> {
        let Some(meter) = &self.meter else { return Vec::new() };
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
            let text = petrel_solver::text(terms, length, Kind::Int);
            if text.contains(' ') { format!("({text})") } else { text }
        };
        let mut parts = Vec::new();
        let mut sum = constant;
        // Arrays of one size with one cost are one part.
        let mut factors: Vec<(Expr, i64)> = Vec::new();
        for &(cost, length) in &sizes {
            if cost.alignment > 1 {
                let inner = format!("{} + {}*{}", cost.base, cost.per_element, text(length));
                parts.push(format!("roundUp({inner}, {})", cost.alignment));
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
        let products = factors.iter().map(|&(length, factor)| match factor {
            1 => text(length),
            factor => format!("{factor}*{}", text(length)),
        });
        let all: Vec<String> = products.chain(parts).collect();
        let expression = match sum {
            0 => all.join(" + "),
            sum => format!("{sum} + {}", all.join(" + ")),
        };
        PathCost { constant: sum, expression: Some(expression), range, linear }
    }

    /// The cost of the path without arrays of unknown sizes, and these.
    fn cost_parts(&self, model: usize) -> (i64, Vec<(ArrayCost, Expr)>) {
        let Some(meter) = &self.meter else { return (0, Vec::new()) };
        let mut constant = meter.spent.get(model).copied().unwrap_or_default();
        let mut sizes = Vec::new();
        for sized in &meter.sized {
            let Some(cost) = sized.costs.get(model).copied().flatten() else { continue };
            match self.solver.store.fixed(sized.length) {
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
        let most = self.exploring.as_ref().map_or(0, |exploring| exploring.max_array);
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
                    self.solver.satisfiable(&mut self.unknown.solver),
                    Answer::Satisfiable(_)
                );
            self.solver.undo(mark);
            if is_possible { low = middle } else { high = middle - 1 }
        }
        self.require_cost(model, Comparison::GreaterOrEqual, low).then_some(low)
    }

    /// The methods whose calls cost something under a model, with how often they were called, in the order
    /// of their first calls: `Vector#realloc()V`.
    pub fn calls_measured(&self, model: usize) -> Vec<(String, u64)> {
        let Some(meter) = &self.meter else { return Vec::new() };
        let mut counts: Vec<(u32, u64)> = Vec::new();
        for call in &meter.called {
            if meter.calls.get(call).and_then(|costs| costs.get(model)) == Some(&0) {
                continue;
            }
            let method = call.1;
            match counts.iter_mut().find(|(known, _)| *known == method) {
                Some((_, count)) => *count += 1,
                None => counts.push((method, 1)),
            }
        }
        let name = |method: u32| {
            let resolved = &self.methods.get(method).resolved;
            let class = resolved.class().name().replace('/', ".");
            format!("{class}#{}{}", resolved.name(), resolved.descriptor())
        };
        counts.into_iter().map(|(method, count)| (name(method), count)).collect()
    }

    /// The models that are applied.
    pub fn models(&self) -> &[Model] {
        self.meter.as_ref().map_or(&[], |meter| meter.costing.models())
    }
}
