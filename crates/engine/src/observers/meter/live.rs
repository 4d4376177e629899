//! Memory that is in use at once ("Resource-driven CLP-based Test Case Generation", section 3.1, leaves garbage collection out): of what
//! a path allocates, the most that the program can still get at, which is what a garbage collection would leave at the peak.
//!
//! It is measured where inputs are known. The sum only grows when something is allocated, so that it is looked at then, and only if
//! it could be larger than before: if all that was reachable when somebody looked last still were.

use petrel_cost::{Costs, Model};
use smallvec::SmallVec;

use super::Meter;
use super::profile::Spot;
use crate::machine::{Machine, Reference, ReferenceSlots};

/// What is in use.
#[derive(Debug, Default)]
pub(super) struct Live {
    /// What was allocated and not found unreachable.
    objects: Vec<Allocated>,
    /// What they cost together.
    sums: Costs,
    /// The most that was in use at once under each model, and where that was allocated.
    peaks: SmallVec<[Peak; 4]>,
    slots: ReferenceSlots,
    /// The objects that there were when the call began: whoever called may hold them.
    pub(super) held: Vec<Reference>,
}

#[derive(Debug)]
struct Allocated {
    object: Reference,
    costs: Costs,
    spot: Option<Spot>,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Peak {
    pub(super) cost: i64,
    pub(super) by_spot: Vec<(Spot, i64)>,
}

impl Live {
    pub(super) fn start(&mut self, n_models: usize) {
        self.objects.clear();
        self.sums = Costs::from_elem(0, n_models);
        self.peaks = SmallVec::from_elem(Peak::default(), n_models);
    }

    pub(super) fn peak(&self, model: usize) -> Option<&Peak> {
        self.peaks.get(model)
    }

    fn add(&mut self, object: Reference, costs: Costs, spot: Option<Spot>) {
        for (sum, cost) in self.sums.iter_mut().zip(&costs) {
            *sum = sum.saturating_add(*cost);
        }
        self.objects.push(Allocated { object, costs, spot });
    }

    /// Objects that are gone; other objects may get their places.
    pub(super) fn forget(&mut self, is_gone: impl Fn(Reference) -> bool) {
        let sums = &mut self.sums;
        self.objects.retain(|allocated| {
            let is_gone = is_gone(allocated.object);
            if is_gone {
                for (sum, cost) in sums.iter_mut().zip(&allocated.costs) {
                    *sum = sum.saturating_sub(*cost);
                }
            }
            !is_gone
        });
    }

    /// Whether more may be in use than ever before.
    fn may_be_peak(&self, models: &[Model]) -> bool {
        let all = self.sums.iter().zip(&self.peaks).zip(models);
        all.into_iter().any(|((&sum, peak), model)| model.is_live() && sum > peak.cost)
    }

    fn note_peaks(&mut self) {
        for (model, (&sum, peak)) in self.sums.iter().zip(&mut self.peaks).enumerate() {
            if sum > peak.cost {
                peak.cost = sum;
                let costs =
                    self.objects.iter().map(|allocated| (allocated.spot, allocated.costs[model]));
                let by_spot = costs.filter_map(|(spot, cost)| spot.map(|spot| (spot, cost)));
                peak.by_spot = by_spot.collect();
            }
        }
    }
}

impl Meter<'_> {
    /// Something was made by the method under way, with the arrays that were made inside of it.
    pub(super) fn see_made(&mut self, machine: &mut Machine<'_>, made: Reference) {
        let first = match &self.live {
            Some(live) => live.objects.len(),
            None => return,
        };
        let pc = machine.code.origin(machine.address()).map_or(0, |(_, pc)| pc);
        let spot = self.profile.as_mut().map(|profile| profile.spot(machine.frames(), pc));
        let mut open = vec![made];
        while let Some(object) = open.pop() {
            let costs = self.costs_of_made(machine, object);
            if let (Some(live), Some(costs)) = (&mut self.live, costs) {
                live.add(object, costs, spot);
            }
            let body = &machine.heap.object(object).body;
            if machine.types.get(machine.heap.class(object)).component.is_some() {
                body.for_each_value(|value| {
                    if !value.as_reference().is_null() {
                        open.push(value.as_reference());
                    }
                });
            }
        }
        let Some(live) = &mut self.live else { return };
        if live.objects.len() == first || !live.may_be_peak(self.costing.models()) {
            return;
        }
        let reached = machine.reachable(&live.held, &mut live.slots);
        // What was just made is in use, whatever becomes of it.
        let new: Vec<Reference> =
            live.objects[first..].iter().map(|allocated| allocated.object).collect();
        live.forget(|object| {
            !reached.get(object.index()).copied().unwrap_or_default() && !new.contains(&object)
        });
        live.note_peaks();
    }

    /// What an object or array costs that the method under way has made; `None` if that is nothing.
    fn costs_of_made(&mut self, machine: &Machine<'_>, object: Reference) -> Option<Costs> {
        let class = machine.heap.class(object);
        let costs: Costs = if machine.types.get(class).component.is_some() {
            let length = machine.heap.object(object).body.length() as i64;
            let costs = self.array_costs(machine, class)?;
            costs.iter().map(|cost| cost.map_or(0, |cost| cost.of_length(length))).collect()
        } else {
            let method = machine.frames().last()?.named_method()?;
            let maker = machine.methods.get(method).resolved.class();
            self.costing.of_made(maker.name(), &machine.types.get(class).name)
        };
        costs.iter().any(|&cost| cost != 0).then_some(costs)
    }
}

impl Machine<'_> {
    /// Measures what is in use at once, too, where a model asks for that: while inputs are known.
    pub fn keep_live(&mut self) {
        if let Some(meter) = &mut self.observers.meter
            && meter.costing.models().iter().any(Model::is_live)
        {
            meter.live = Some(Box::default());
        }
    }
}
