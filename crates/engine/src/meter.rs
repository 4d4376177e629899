//! What a derivation costs ("Resource-driven CLP-based test case generation", section 3): the costs of the
//! rules that it applies, of the calls that it makes, and of the arrays that it makes, whose sizes may be
//! terms.
//!
//! The paper sums up the costs of a trace when the path is at its end. Here the sums are kept as it goes
//! along, so that a path can end as soon as it costs too much.

mod totals;

use std::rc::Rc;

use petrel_clp::{Kind, MethodRef, PredicateId};
use petrel_cost::{ArrayCost, Costing, Costs, Model, object_constructor};
use petrel_solver::Expr;
use petrel_translate::method_ref;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::calls::{Halt, Step};
use crate::choose::expr_of;
use crate::machine::{Machine, Stop};
use crate::types::TypeId;
use crate::value::Value;

pub use totals::PathCost;

/// Applies cost models to a derivation.
pub(crate) struct Meter<'p> {
    costing: Costing<'p>,
    /// What rules cost, by their numbers.
    rules: FxHashMap<u32, Rc<RuleCosts>>,
    /// What calls cost, by caller and callee.
    calls: FxHashMap<Call, Rc<Costs>>,
    /// What arrays cost, by the method that makes them and their class.
    arrays: FxHashMap<(u32, TypeId), ArrayCosts>,
    /// Beyond which a path is not followed, for each model.
    most: Vec<Option<i64>>,
    /// The costs of the path under way but for arrays whose sizes are terms.
    pub(crate) spent: Costs,
    /// Those arrays.
    sized: Vec<Sized>,
    /// The calls that cost something under some model.
    called: Vec<Call>,
    /// The rule application and method of the last call of a native method: its instruction may be
    /// executed again.
    last_native: (u64, u32),
}

/// What a rule costs.
#[derive(Default)]
struct RuleCosts {
    costs: Costs,
    /// Calls that the rule does not have and that are in its costs, those of the constructor of `Object`:
    /// how many, with caller and callee.
    calls: (usize, Call),
}

/// Caller and callee.
type Call = (Option<u32>, u32);

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
        self.meter.is_some() && self.is_observing_call()
    }

    /// A rule is applied.
    pub(crate) fn measure_rule(&mut self, rule: u32) -> Step {
        if !self.is_measuring() {
            return Ok(());
        }
        let known = self.meter.as_ref().and_then(|meter| meter.rules.get(&rule).cloned());
        let of_rule = match known {
            Some(known) => known,
            None => self.learn_rule(rule)?,
        };
        let Some(meter) = &mut self.meter else { return Ok(()) };
        let (count, call) = of_rule.calls;
        meter.called.extend(std::iter::repeat_n(call, count));
        meter.add(&of_rule.costs)
    }

    /// What a rule costs that was not applied before.
    fn learn_rule(&mut self, rule: u32) -> Result<Rc<RuleCosts>, Stop> {
        let origin = self.code.rules[rule as usize];
        let (predicate, number) = (PredicateId(origin.predicate), origin.rule as usize);
        let method = &self.methods.get(origin.method).resolved;
        let mut known = RuleCosts::default();
        if let (Some(meter), Ok(Some(procedure))) = (&self.meter, self.procedures.get(method)) {
            known.costs = meter.costing.of_rule(&procedure, predicate, number);
            known.calls.0 =
                meter.costing.object_constructors_of_rule(&procedure, predicate, number);
        }
        if known.calls.0 > 0 {
            let MethodRef { class, name, descriptor } = object_constructor();
            let callee = self.declared(&class, &name, &descriptor)?;
            known.calls.1 = (Some(origin.method), callee);
            self.call_costs(known.calls.1);
        }
        let known = Rc::new(known);
        if let Some(meter) = &mut self.meter {
            meter.rules.insert(rule, Rc::clone(&known));
        }
        Ok(known)
    }

    /// What a call costs.
    fn call_costs(&mut self, call: Call) -> Rc<Costs> {
        let Some(meter) = &mut self.meter else { return Rc::default() };
        if let Some(known) = meter.calls.get(&call) {
            return Rc::clone(known);
        }
        let (caller, callee) = call;
        let resolved = &self.methods.get(callee).resolved;
        let called = method_ref(resolved);
        let of_caller = caller.map(|caller| &self.methods.get(caller).resolved);
        let procedure = of_caller.and_then(|of| self.procedures.get(of).ok().flatten());
        let costs = Rc::new(meter.costing.of_call(procedure.as_deref(), &called));
        meter.calls.insert(call, Rc::clone(&costs));
        costs
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
        let costs = self.call_costs((caller, method));
        let Some(meter) = &mut self.meter else { return Ok(()) };
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
