//! Where on a path costs arise ("Resource-driven CLP-based Test Case Generation", section 5: which parts of a program consume
//! the resources): the sums of the meter, by the instruction that costs and the calls that led to it.
//!
//! It is kept where inputs are known: nothing goes back there, and all sizes are numbers.

use petrel_cost::{Costs, Part};
use rustc_hash::FxHashMap;

use super::Meter;
use crate::machine::{Frame, Machine, MethodNumber};

/// The call that the path starts with is made by nobody.
const NOBODY: u32 = 0;

/// Costs by instruction and calls.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// The tree of calls: who called, and which method. They are numbered from 1.
    calls: Vec<(u32, MethodNumber)>,
    numbers: FxHashMap<(u32, MethodNumber), u32>,
    /// The calls under way when something was seen last, the innermost last.
    under_way: Vec<(MethodNumber, u32)>,
    /// In the order in which they first cost something.
    spent: Vec<(Spot, Costs)>,
    spots: FxHashMap<Spot, usize>,
}

/// An instruction, in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    call: u32,
    pc: u16,
}

impl Profile {
    /// An instruction of the innermost of these calls.
    pub(super) fn spot(&mut self, frames: &[Frame], pc: u16) -> Spot {
        let mut depth = 0;
        for method in frames.iter().filter_map(Frame::named_method) {
            if self.under_way.get(depth).is_none_or(|(known, _)| *known != method) {
                self.under_way.truncate(depth);
                let caller = self.under_way.last().map_or(NOBODY, |(_, call)| *call);
                let call = *self.numbers.entry((caller, method)).or_insert_with(|| {
                    self.calls.push((caller, method));
                    self.calls.len() as u32
                });
                self.under_way.push((method, call));
            }
            depth += 1;
        }
        self.under_way.truncate(depth);
        Spot { call: self.under_way.last().map_or(NOBODY, |(_, call)| *call), pc }
    }

    /// Adds what something costs at a place.
    pub(super) fn add(&mut self, spot: Spot, costs: &Costs) {
        if costs.iter().all(|&cost| cost == 0) {
            return;
        }
        let next = self.spent.len();
        let number = *self.spots.entry(spot).or_insert(next);
        match self.spent.get_mut(number) {
            Some((_, spent)) => {
                for (spent, cost) in spent.iter_mut().zip(costs) {
                    *spent = spent.saturating_add(*cost);
                }
            }
            None => self.spent.push((spot, costs.clone())),
        }
    }
}

impl Meter<'_> {
    /// Notes where something costs that happens in the method under way.
    pub(super) fn note_here(&mut self, machine: &Machine<'_>, costs: &Costs) {
        let Some(profile) = &mut self.profile else { return };
        let pc = machine.code.origin(machine.address()).map_or(0, |(_, pc)| pc);
        let spot = profile.spot(machine.frames(), pc);
        profile.add(spot, costs);
    }

    /// Notes where a call costs: where it is made.
    pub(super) fn note_call(&mut self, machine: &Machine<'_>, costs: &Costs) {
        let Some(profile) = &mut self.profile else { return };
        let Some((callee, callers)) = machine.frames().split_last() else { return };
        let call = machine.code.origin(callee.return_to.saturating_sub(1));
        let spot = profile.spot(callers, call.map_or(0, |(_, pc)| pc));
        profile.add(spot, costs);
    }

    /// Notes where the instructions of a rule of the method under way cost.
    pub(super) fn note_rule(&mut self, machine: &Machine<'_>, by_offset: &[(u16, Costs)]) {
        let Some(profile) = &mut self.profile else { return };
        for (pc, costs) in by_offset {
            let spot = profile.spot(machine.frames(), *pc);
            profile.add(spot, costs);
        }
    }
}

impl Machine<'_> {
    /// Keeps where costs arise, too, while inputs are known.
    pub fn keep_profile(&mut self) {
        if let Some(meter) = &mut self.observers.meter {
            meter.profile = Some(Box::default());
        }
    }

    /// What the derivation cost under a model that is split up, by the parts that it is split up by: the most expensive first, of
    /// equally expensive ones the first on the path. The sum is the cost.
    pub fn profile(&self, model: usize) -> Vec<(String, i64)> {
        let Some(meter) = &self.observers.meter else { return Vec::new() };
        let part = meter.costing.models().get(model).and_then(petrel_cost::Model::part);
        let (Some(profile), Some(part)) = (&meter.profile, part) else { return Vec::new() };
        let is_live = meter.costing.models().get(model).is_some_and(petrel_cost::Model::is_live);
        let spent: Vec<(Spot, i64)> = match meter.live.as_ref().filter(|_| is_live) {
            Some(live) => live.peak(model).map_or_else(Vec::new, |peak| peak.by_spot.clone()),
            None => {
                let of_model = |costs: &Costs| costs.get(model).copied().unwrap_or_default();
                profile.spent.iter().map(|(spot, costs)| (*spot, of_model(costs))).collect()
            }
        };
        let mut parts: Vec<(String, i64)> = Vec::new();
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        for (spot, cost) in spent {
            if cost == 0 {
                continue;
            }
            let name = self.name_of_spot(profile, spot, part).unwrap_or_default();
            match numbers.get(&name) {
                Some(&number) => parts[number].1 = parts[number].1.saturating_add(cost),
                None => {
                    numbers.insert(name.clone(), parts.len());
                    parts.push((name, cost));
                }
            }
        }
        parts.sort_by_key(|(_, cost)| std::cmp::Reverse(*cost));
        parts
    }

    /// `pkg.Vector`, `pkg.Vector#add(I)V`, `Vector.java:12`, or `Vector.multiples;Vector.add`.
    fn name_of_spot(&self, profile: &Profile, spot: Spot, part: Part) -> Option<String> {
        let called = |call: u32| profile.calls.get(call.checked_sub(1)? as usize).copied();
        let resolved = |method: MethodNumber| &self.methods.get(method).resolved;
        let class = |method: MethodNumber| resolved(method).class().name().replace('/', ".");
        let (_, method) = called(spot.call)?;
        Some(match part {
            Part::Class => class(method),
            Part::Method => self.name_of_method(method),
            Part::Line => {
                let file = &resolved(method).class().file;
                let code = file.code(resolved(method).declaration()).ok().flatten();
                let line = code.and_then(|code| code.line_at(spot.pc));
                match line.zip(file.source_file()) {
                    Some((line, source)) => format!("{source}:{line}"),
                    None => format!("{}@{}", self.name_of_method(method), spot.pc),
                }
            }
            Part::Stack => {
                let mut frames = Vec::new();
                let mut call = spot.call;
                while let Some((caller, method)) = called(call) {
                    frames.push(format!("{}.{}", class(method), resolved(method).name()));
                    call = caller;
                }
                frames.reverse();
                frames.join(";")
            }
        })
    }
}
