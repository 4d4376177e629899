//! New arrays of arrays, whose lengths may be terms.
//!
//! An array whose length is a term has no elements in the machine. If there are arrays in it, it only knows how long these
//! are: the heap solver asks for one when an element is first looked at.

use std::rc::Rc;

use crate::machine::heap::{Body, HEADER, Heap, LoggedArray};
use crate::machine::stop::{Defect, Limit};
use crate::machine::types::{TypeId, Types};
use crate::machine::value::{Reference, Value};
use crate::machine::{Machine, Stop};

/// Longer arrays that are made when an element is looked at have no elements in the machine, even if their length is known: what
/// is written to one of several arrays at an unknown index changes each element of each of them.
const LONGEST_ROW: usize = 256;

impl Heap {
    /// A new array of unknown length. Elements are 0 or null, or arrays of the lengths that are given.
    pub(crate) fn add_logged(
        &mut self,
        class: TypeId,
        length: Value,
        lengths_inside: &[Value],
    ) -> Reference {
        let array = LoggedArray { length, lengths_inside: lengths_inside.into() };
        self.add(class, Body::Logged(Rc::new(array)))
    }

    /// A new array for an element of one of unknown length; `None` if its elements are 0 or null at first.
    pub(crate) fn add_row(&mut self, types: &Types, array: Reference) -> Option<Reference> {
        let Body::Logged(outer) = &self.object(array).body else { return None };
        let outer = Rc::clone(outer);
        let (component, _) = types.get(self.class(array)).component?;
        if outer.lengths_inside.is_empty() {
            return None;
        }
        self.add_arrays(types, component, &outer.lengths_inside, LONGEST_ROW)
    }

    /// A new array and the arrays in it; `None` if the class has fewer dimensions. Beyond a length, arrays have no elements in
    /// the machine.
    fn add_arrays(
        &mut self,
        types: &Types,
        class: TypeId,
        lengths: &[Value],
        longest: usize,
    ) -> Option<Reference> {
        let (&length, inside) = lengths.split_first()?;
        let (component, element) = types.get(class).component?;
        let known = known_length(length).filter(|&length| length <= longest);
        let Some(length) = known else { return Some(self.add_logged(class, length, inside)) };
        let array = self.add(class, Body::array(element, length));
        if !inside.is_empty() {
            for index in 0..length {
                let row = self.add_arrays(types, component, inside, longest)?;
                self.set_element(array, index, Value::reference(row));
            }
        }
        Some(array)
    }
}

impl Machine<'_> {
    /// A new array and the arrays in it. Lengths are not negative.
    pub(crate) fn new_arrays(
        &mut self,
        class: TypeId,
        lengths: &[Value],
    ) -> Result<Reference, Stop> {
        self.reserve_arrays(class, lengths)?;
        let array = self.heap.add_arrays(&self.types, class, lengths, usize::MAX);
        array.ok_or_else(|| Stop::defect(Defect::NoArray(self.types.get(class).name.to_string())))
    }

    /// Refuses arrays of arrays that the heap has no room for all together.
    fn reserve_arrays(&self, class: TypeId, lengths: &[Value]) -> Result<(), Stop> {
        let (mut class, mut count, mut bytes) = (class, 1_usize, 0_usize);
        for length in lengths.iter().map_while(|&length| known_length(length)) {
            let of_each = length.saturating_mul(self.element_size(class)).saturating_add(HEADER);
            bytes = bytes.saturating_add(count.saturating_mul(of_each));
            count = count.saturating_mul(length);
            let Some((component, _)) = self.types.get(class).component else { break };
            class = component;
        }
        self.reserve_bytes(bytes)
    }

    /// Refuses an array that the heap has no room for.
    pub(crate) fn reserve(&self, class: TypeId, length: usize) -> Result<(), Stop> {
        self.reserve_bytes(length.saturating_mul(self.element_size(class)))
    }

    /// What is garbage now may be freed before the limit is reached; what does not fit by itself never will.
    fn reserve_bytes(&self, bytes: usize) -> Result<(), Stop> {
        if bytes > self.limits.heap {
            return Err(Stop::limit(Limit::HeapBytes(self.limits.heap as u64)));
        }
        Ok(())
    }

    /// The bytes that an element of an array takes.
    fn element_size(&self, class: TypeId) -> usize {
        match self.types.get(class).component {
            Some((TypeId::BOOLEAN | TypeId::BYTE, _)) => 1,
            Some((TypeId::SHORT | TypeId::CHAR, _)) => 2,
            Some((TypeId::LONG | TypeId::DOUBLE, _)) => 8,
            _ => 4,
        }
    }
}

fn known_length(length: Value) -> Option<usize> {
    (!length.is_symbolic()).then(|| length.as_int().max(0) as usize)
}
