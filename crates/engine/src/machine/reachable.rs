//! What the program can still get at, while inputs are known: what a garbage collection would leave.
//!
//! `collect` keeps what could be a reference. Here it counts what is one: registers that the code needs from here on, fields and
//! elements that hold references. Objects that were there when the call began are held by whoever called.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::collect::for_each_value_of;
use super::link::Entry;
use super::{Machine, TypeId};
use crate::machine::heap::Body;
use crate::machine::value::{Reference, Value};

/// The slots of instances that hold references, by class.
pub(crate) type ReferenceSlots = FxHashMap<TypeId, Rc<[u16]>>;

/// What was reached.
struct Reached {
    reached: Vec<bool>,
    /// What is still to be looked into.
    open: Vec<Reference>,
}

impl Reached {
    fn value(&mut self, value: Value) {
        if !value.is_symbolic() {
            self.reference(value.as_reference());
        }
    }

    fn reference(&mut self, reference: Reference) {
        if let Some(is_reached) = self.reached.get_mut(reference.index())
            && !std::mem::replace(is_reached, true)
        {
            self.open.push(reference);
        }
    }
}

impl Machine<'_> {
    /// Which objects are reachable, by their references, if somebody holds some. `slots` keeps what is known of classes.
    pub(crate) fn reachable(
        &mut self,
        held: &[Reference],
        slots: &mut ReferenceSlots,
    ) -> Vec<bool> {
        let mut found = Reached { reached: vec![false; self.heap.count()], open: Vec::new() };
        held.iter().for_each(|&object| found.reference(object));
        self.reach_registers(&mut found);
        for &number in &self.reference_statics {
            found.value(self.statics[number as usize]);
        }
        for special in &self.special {
            for_each_value_of(&special.doing, |value| found.value(value));
        }
        self.strings.for_each_constant(|constant| found.reference(constant));
        self.code.strings.iter().for_each(|constant| found.reference(constant.reference));
        self.types.for_each_mirror(|mirror| found.reference(mirror));
        self.library.for_each_root(|root| found.reference(root));
        while let Some(reference) = found.open.pop() {
            let class = self.heap.class(reference);
            let is_instance =
                matches!(self.heap.object(reference).body, Body::Fields(_) | Body::Text(..));
            if !is_instance {
                let body = &self.heap.object(reference).body;
                body.for_each_value(|value| found.value(value));
                continue;
            }
            let slots = match slots.get(&class) {
                Some(known) => Rc::clone(known),
                None => {
                    let new: Rc<[u16]> = self.reference_slots(class).into();
                    slots.insert(class, Rc::clone(&new));
                    new
                }
            };
            for &slot in slots.iter() {
                found.value(self.heap.get_field(reference, slot));
            }
        }
        found.reached
    }

    /// The references in registers that are needed from here on, in each call under way.
    fn reach_registers(&self, found: &mut Reached) {
        let mut at = (self.address(), self.base());
        for frame in self.frames().iter().rev() {
            let (address, base) = at;
            at = (frame.return_to.saturating_sub(1), frame.base as usize);
            let Some(method) = frame.named_method() else { continue };
            let Entry::Code { frame: size, .. } = self.methods.get(method).entry else { continue };
            match self.code.needed.get(&address) {
                Some(needed) => {
                    let needed = needed.iter().map(|&register| base + usize::from(register));
                    needed.for_each(|place| found.value(self.stack[place]));
                }
                // The machine itself is in the middle of something: all of them may be needed.
                None => {
                    let all = self.stack.iter().skip(base).take(usize::from(size));
                    all.for_each(|&value| found.value(value));
                }
            }
        }
    }

    /// The slots of instances of a class that hold references.
    fn reference_slots(&mut self, class: TypeId) -> Vec<u16> {
        let mut slots = Vec::new();
        let Ok(class) = self.class(class) else { return slots };
        for declaring in class.lineage() {
            let id = self.types.of_name(declaring.name());
            let Ok(layout) = self.layout(id) else { continue };
            let fields = declaring.fields().zip(&layout.declared);
            let references = fields.filter(|(field, _)| {
                !field.is_static() && field.descriptor().starts_with(['L', '['])
            });
            slots.extend(references.filter_map(|(_, &slot)| u16::try_from(slot).ok()));
        }
        slots
    }
}
