//! What a derivation costs ("Resource-driven CLP-based test case generation", section 3): the costs of the
//! rules that it applies, of the calls that it makes, and of the arrays that it makes, whose sizes may be
//! terms.
//!
//! The paper sums up the costs of a trace when the path is at its end. Here the sums are kept as it goes
//! along, so that a path can end as soon as it costs too much.

mod conditions;
mod live;
mod profile;
mod totals;

use std::rc::Rc;

use petrel_clp::{Kind, MethodRef, PredicateId};
use petrel_cost::{ArrayCost, Costing, Costs, Model, object_constructor};
use petrel_solver::Expr;
use petrel_translate::method_ref;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Event, Marks, Observer};
use crate::exploration::expr_of;
use crate::machine::{Frame, Halt, Machine, MethodNumber, Reference, Step, Stop, TypeId, Value};

pub use conditions::{CostSum, Linear, Required};
use live::Live;
use profile::Profile;
pub use totals::{LinearCost, PathCost};

/// Applies cost models to a derivation.
pub(super) struct Meter<'p> {
    costing: Costing<'p>,
    /// What rules cost, by their numbers.
    rules: FxHashMap<u32, Rc<RuleCosts>>,
    /// What calls cost, by caller and callee.
    calls: FxHashMap<Call, Rc<Costs>>,
    /// What arrays cost, by the method that makes them and their class.
    arrays: FxHashMap<(MethodNumber, TypeId), ArrayCosts>,
    /// Beyond which a path is not followed, for each model.
    most: Vec<Option<i64>>,
    /// The costs of the path under way but for arrays whose sizes are terms.
    spent: Costs,
    /// Those arrays.
    sized: Vec<Sized>,
    /// The calls that cost something under some model.
    called: Vec<Call>,
    /// The rule application and method of the last call of a native method: its instruction may be
    /// executed again.
    last_native: Option<(u64, MethodNumber)>,
    marks: Marks<MeterMark>,
    /// Where costs arise, if that is wanted.
    profile: Option<Box<Profile>>,
    /// What is in use at once, if that is wanted.
    live: Option<Box<Live>>,
}

/// What a rule costs.
#[derive(Default)]
struct RuleCosts {
    costs: Costs,
    /// The same by the offsets of its instructions, if it is wanted where costs arise.
    by_offset: Vec<(u16, Costs)>,
    /// Calls that the rule does not have and that are in its costs, those of the constructor of `Object`:
    /// how many, with caller and callee.
    calls: Option<(usize, Call)>,
}

/// Caller and callee.
type Call = (Option<MethodNumber>, MethodNumber);

type ArrayCosts = Rc<SmallVec<[Option<ArrayCost>; 4]>>;

/// An array whose size is a term, or which there is an unknown number of.
struct Sized {
    costs: ArrayCosts,
    /// The lengths of the arrays that it is in: there are as many of it as their product.
    around: SmallVec<[Expr; 2]>,
    length: Expr,
}

/// Where a path was, to go back to.
struct MeterMark {
    spent: Costs,
    sized: usize,
    called: usize,
}

impl Meter<'_> {
    /// Whether it asks what is reachable.
    pub(super) fn sees_reachable(&self) -> bool {
        self.live.is_some()
    }

    /// Objects that whoever calls may hold.
    pub(super) fn hold_objects(&mut self, held: Vec<Reference>) {
        if let Some(live) = &mut self.live {
            live.held = held;
        }
    }

    /// Objects that are gone.
    pub(super) fn forget_objects(&mut self, is_gone: impl Fn(Reference) -> bool) {
        if let Some(live) = &mut self.live {
            live.forget(is_gone);
        }
    }

    fn add(&mut self, costs: &Costs) -> Step {
        let mut is_too_much = false;
        for ((spent, cost), most) in self.spent.iter_mut().zip(costs).zip(&self.most) {
            *spent = spent.saturating_add(*cost);
            is_too_much |= most.is_some_and(|most| *spent > most);
        }
        if is_too_much { Err(Halt::TooExpensive) } else { Ok(()) }
    }

    /// What a rule costs.
    fn rule_costs(&mut self, machine: &mut Machine<'_>, rule: u32) -> Result<Rc<RuleCosts>, Stop> {
        if let Some(known) = self.rules.get(&rule) {
            return Ok(Rc::clone(known));
        }
        let origin = machine.code.rule_origin(rule);
        let (predicate, number) = (PredicateId(origin.predicate), origin.rule as usize);
        let method = &machine.methods.get(origin.method).resolved;
        let (mut new, mut constructed) = (RuleCosts::default(), 0);
        if let Ok(Some(procedure)) = machine.procedures.get(method) {
            new.costs = self.costing.of_rule(&procedure, predicate, number);
            if self.profile.is_some() {
                new.by_offset = self.costing.of_rule_by_offset(&procedure, predicate, number);
            }
            constructed = self.costing.object_constructors_of_rule(&procedure, predicate, number);
        }
        if constructed > 0 {
            let MethodRef { class, name, descriptor } = object_constructor();
            let callee = machine.declared(&class, &name, &descriptor)?;
            let call = (Some(origin.method), callee);
            new.calls = Some((constructed, call));
            self.call_costs(machine, call);
        }
        let new = Rc::new(new);
        self.rules.insert(rule, Rc::clone(&new));
        Ok(new)
    }

    /// What a call costs.
    fn call_costs(&mut self, machine: &Machine<'_>, call: Call) -> Rc<Costs> {
        if let Some(known) = self.calls.get(&call) {
            return Rc::clone(known);
        }
        let (caller, callee) = call;
        let called = method_ref(&machine.methods.get(callee).resolved);
        let of_caller = caller.map(|caller| &machine.methods.get(caller).resolved);
        let procedure = of_caller.and_then(|of| machine.procedures.get(of).ok().flatten());
        let costs = Rc::new(self.costing.of_call(procedure.as_deref(), &called));
        self.calls.insert(call, Rc::clone(&costs));
        costs
    }

    /// What an array costs that the method under way makes.
    fn array_costs(&mut self, machine: &Machine<'_>, class: TypeId) -> Option<ArrayCosts> {
        let method = machine.frames().last()?.named_method()?;
        if let Some(known) = self.arrays.get(&(method, class)) {
            return Some(Rc::clone(known));
        }
        let resolved = &machine.methods.get(method).resolved;
        let procedure = machine.procedures.get(resolved).ok().flatten()?;
        let costs = Rc::new(self.costing.of_array(&procedure, &machine.types.get(class).name));
        self.arrays.insert((method, class), Rc::clone(&costs));
        Some(costs)
    }

    fn see_rule(&mut self, machine: &mut Machine<'_>, rule: u32) -> Step {
        let of_rule = self.rule_costs(machine, rule)?;
        if let Some((count, call)) = of_rule.calls {
            self.called.extend(std::iter::repeat_n(call, count));
        }
        self.note_rule(machine, &of_rule.by_offset);
        self.add(&of_rule.costs)
    }

    fn see_call(&mut self, machine: &Machine<'_>, method: MethodNumber, is_native: bool) -> Step {
        if is_native {
            let this = Some((machine.observation.applied(), method));
            if std::mem::replace(&mut self.last_native, this) == this {
                return Ok(());
            }
        }
        let below = machine.frames().split_last().map_or(&[][..], |(_, below)| below);
        let caller = below.iter().rev().find_map(Frame::named_method);
        let costs = self.call_costs(machine, (caller, method));
        if costs.iter().any(|&cost| cost != 0) {
            self.called.push((caller, method));
        }
        self.note_call(machine, &costs);
        self.add(&costs)
    }

    fn see_array(&mut self, machine: &Machine<'_>, class: TypeId, length: Value) -> Step {
        let Some(costs) = self.array_costs(machine, class) else { return Ok(()) };
        self.add_arrays(machine, costs, &[], expr_of(length, Kind::Int))
    }

    fn see_arrays(&mut self, machine: &Machine<'_>, class: TypeId, lengths: &[Value]) -> Step {
        let mut class = class;
        let mut around: SmallVec<[Expr; 2]> = SmallVec::new();
        for &length in lengths {
            let Some(costs) = self.array_costs(machine, class) else { return Ok(()) };
            let length = expr_of(length, Kind::Int);
            self.add_arrays(machine, costs, &around, length)?;
            around.push(length);
            let Some((component, _)) = machine.types.get(class).component else { break };
            class = component;
        }
        Ok(())
    }

    /// Adds what an array costs in each of the arrays around it.
    fn add_arrays(
        &mut self,
        machine: &Machine<'_>,
        costs: ArrayCosts,
        around: &[Expr],
        length: Expr,
    ) -> Step {
        let known = |length: &Expr| length.constant().map(|length| length.max(0));
        let count = around
            .iter()
            .map(known)
            .try_fold(1, |count: i64, length| length.map(|length| count.saturating_mul(length)));
        let (Some(count), Some(length)) = (count, known(&length)) else {
            if costs.iter().any(Option::is_some) {
                self.sized.push(Sized { costs, around: around.into(), length });
            }
            return Ok(());
        };
        let of_all = |cost: &Option<ArrayCost>| {
            cost.map_or(0, |cost| cost.of_length(length).saturating_mul(count))
        };
        let costs: Costs = costs.iter().map(of_all).collect();
        self.note_here(machine, &costs);
        self.add(&costs)
    }
}

impl Observer for Meter<'_> {
    fn start(&mut self) {
        self.spent.iter_mut().for_each(|spent| *spent = 0);
        self.sized.clear();
        self.called.clear();
        self.last_native = None;
        if let Some(profile) = &mut self.profile {
            **profile = Profile::default();
        }
        if let Some(live) = &mut self.live {
            live.start(self.costing.models().len());
        }
    }

    fn see(&mut self, machine: &mut Machine<'_>, event: Event<'_>) -> Step {
        match event {
            Event::Rule { number, .. } => self.see_rule(machine, number),
            Event::Call { method, is_native } => self.see_call(machine, method, is_native),
            Event::Array(class, length) => self.see_array(machine, class, length),
            Event::Arrays(class, lengths) => self.see_arrays(machine, class, lengths),
            Event::Made(made) => {
                self.see_made(machine, made);
                Ok(())
            }
            Event::Choice(_) | Event::Size(_) | Event::Operation(_) => Ok(()),
        }
    }

    fn open_choice(&mut self) {
        let (sized, called) = (self.sized.len(), self.called.len());
        self.marks.push(MeterMark { spent: self.spent.clone(), sized, called });
    }

    fn go_back(&mut self) -> bool {
        if let Some(mark) = self.marks.last() {
            self.spent.clone_from(&mark.spent);
            self.sized.truncate(mark.sized);
            self.called.truncate(mark.called);
        }
        self.last_native = None;
        true
    }

    fn close_choice(&mut self) {
        self.marks.pop();
    }
}

impl<'p> Machine<'p> {
    /// Measures costs from now on. Paths that cost more than a model's number in `most` are not followed.
    pub fn measure(&mut self, costing: Costing<'p>, most: Vec<Option<i64>>) {
        let spent = SmallVec::from_elem(0, costing.models().len());
        self.observers.meter = Some(Box::new(Meter {
            costing,
            rules: FxHashMap::default(),
            calls: FxHashMap::default(),
            arrays: FxHashMap::default(),
            most,
            spent,
            sized: Vec::new(),
            called: Vec::new(),
            last_native: None,
            marks: Marks::default(),
            profile: None,
            live: None,
        }));
    }

    /// The methods whose calls cost something under a model, with how often they were called, in the order
    /// of their first calls: `Vector#realloc()V`.
    pub fn calls_measured(&self, model: usize) -> Vec<(String, u64)> {
        let Some(meter) = &self.observers.meter else { return Vec::new() };
        let mut counts: Vec<(MethodNumber, u64)> = Vec::new();
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
        let named = counts.into_iter().map(|(method, count)| (self.name_of_method(method), count));
        named.collect()
    }

    /// `pkg.Vector#realloc()V`.
    fn name_of_method(&self, method: MethodNumber) -> String {
        let resolved = &self.methods.get(method).resolved;
        let class = resolved.class().name().replace('/', ".");
        format!("{class}#{}{}", resolved.name(), resolved.descriptor())
    }

    /// The models that are applied.
    pub fn models(&self) -> &[Model] {
        self.observers.meter.as_ref().map_or(&[], |meter| meter.costing.models())
    }
}
