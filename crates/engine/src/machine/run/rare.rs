//! What the loop over the instructions leaves to others: values that are not known, allocation of
//! arrays, limits.

use petrel_clp::{Kind, Operation};
use smallvec::SmallVec;

use crate::exploration::value_of;
use crate::machine::calls::{Doing, Step};
use crate::machine::code::{NumberTest, Op, Register};
use crate::machine::stop::{Limit, Undecided};
use crate::machine::types::TypeId;
use crate::machine::value::Value;
use crate::machine::{Machine, MethodNumber, Stop, arithmetic};

/// Longer arrays hold no terms: each element would need more room.
const MOST_ELEMENTS: usize = 1 << 20;

impl Machine<'_> {
    /// An operation on values of which one is not known.
    #[cold]
    pub(super) fn compute(&mut self, operation: Operation, left: Value, right: Value) -> Value {
        let right = if operation.is_unary() { Value::NULL } else { right };
        if left.is_symbolic() || right.is_symbolic() {
            return self.apply(operation, left, right);
        }
        let unstable = left.is_unstable() || right.is_unstable();
        arithmetic::apply(operation, left, right).marked(unstable)
    }

    #[cold]
    pub(super) fn test_numbers(
        &mut self,
        test: NumberTest,
        left: Value,
        right: Value,
        to: u32,
    ) -> Step {
        if left.is_symbolic() || right.is_symbolic() {
            return self.choose_by_comparison(test, left, right, to);
        }
        let NumberTest { kind, comparison, nan } = test;
        self.note_unstable_decision();
        if !arithmetic::compares(kind, comparison, left, right, nan) {
            self.pc = to;
        }
        Ok(())
    }

    /// A decision on a value that is not known.
    #[cold]
    pub(in crate::machine) fn decide(&mut self, value: Value, kind: Kind) -> Step {
        if value.is_symbolic() {
            let text = self.text(value, kind);
            return Err(self.undecided(Undecided::ChoiceBy(text)).into());
        }
        self.note_unstable_decision();
        Ok(())
    }

    #[cold]
    pub(super) fn switch(&mut self, value: Value, table: u32) -> Step {
        if value.is_symbolic() {
            return self.choose_case(value, table);
        }
        self.decide(value, Kind::Int)?;
        self.pc = self.code.switches[table as usize].target(value.as_int());
        Ok(())
    }

    #[cold]
    pub(super) fn decide_reference(&mut self, values: &[Value]) -> Step {
        if values.iter().any(|value| !value.is_known()) {
            self.note_unstable_decision();
        }
        Ok(())
    }

    /// Whether an object that is known, or null, is an instance of a type.
    pub(super) fn is_known_instance(&mut self, object: Value, class: TypeId) -> bool {
        let object = object.as_reference();
        !object.is_null() && self.is_instance(object, class)
    }

    /// Whether an index is within the bounds of an array, if both are known.
    #[inline]
    pub(super) fn is_in_bounds(&self, array: Value, index: Value) -> Option<bool> {
        let is_known = array.is_known() && index.is_known();
        let length =
            if is_known { self.heap.known_length(array.as_reference()).ok() } else { None };
        length.map(|length| (index.as_int() as u32 as usize) < length)
    }

    #[cold]
    pub(super) fn get_unknown_length(&mut self, to: Register, array: Value) -> Step {
        if array.is_symbolic() && !self.is_settled(array)? {
            return Ok(());
        }
        let length = self.length_of(array)?;
        self.set_register(to, value_of(length, Kind::Int));
        Ok(())
    }

    /// Throws what an instruction throws.
    pub(super) fn throw_value(&mut self, exception: Value) -> Step {
        if exception.is_symbolic() {
            self.decide(exception, Kind::Reference)?;
        }
        self.throw(exception.as_reference())
    }

    #[cold]
    pub(super) fn get_element(&mut self, to: Register, array: Value, index: Value) -> Step {
        if !self.is_plain_array(array) {
            return self.get_logged_element(to, array, index);
        }
        let Some(index) = self.simulated_index(index)? else { return Ok(()) };
        if index.is_symbolic() {
            return self.get_unknown_element(to, array, index);
        }
        let object = self.heap.object(array.as_reference());
        let element = object.body.element(index.as_int() as usize);
        let unstable = object.unstable || array.is_unstable() || index.is_unstable();
        // A lookup finds its entry wherever the hash code has put it.
        let is_lookup = self.library.instability.is_hidden
            && self.is_of_library_code(self.pc.saturating_sub(1));
        self.set_register(to, element.marked(unstable && !is_lookup));
        Ok(())
    }

    #[cold]
    pub(super) fn set_element(&mut self, array: Value, index: Value, value: Value) -> Step {
        if !self.is_plain_array(array) {
            return self.set_logged_element(array, index, value);
        }
        let Some(index) = self.simulated_index(index)? else { return Ok(()) };
        let reference = array.as_reference();
        if value.is_symbolic() && self.heap.length(reference) > MOST_ELEMENTS {
            return Err(Stop::limit(Limit::UnknownElements(MOST_ELEMENTS as u64)).into());
        }
        let component = self.types.get(self.heap.class(reference)).component;
        let value = component.map_or(value, |(component, _)| self.narrowed(component, value));
        if index.is_symbolic() {
            return self.set_unknown_element(reference, index, value);
        }
        self.heap.set_element(reference, index.as_int() as usize, value);
        if array.is_unstable() || index.is_unstable() {
            self.heap.object_mut(reference).unstable = true;
        }
        Ok(())
    }

    pub(super) fn is_storable(&mut self, array: Value, value: Value) -> bool {
        let class = self.heap.class(array.as_reference());
        let value = value.as_reference();
        match self.types.get(class).component {
            Some((component, _)) => value.is_null() || self.is_instance(value, component),
            None => false,
        }
    }

    #[cold]
    pub(super) fn check_limits(&mut self, to: u32) -> Step {
        self.check_steps()?;
        if self.heap.size > self.heap.collect_at {
            self.make_room(self.callee_base_here())?;
        }
        self.pc = to;
        Ok(())
    }

    #[cold]
    pub(super) fn allocate(&mut self, to: Register, class: TypeId) -> Step {
        let object = self.new_object(class)?;
        self.set_register(to, Value::reference(object));
        self.see_made(object)
    }

    pub(super) fn allocate_array(&mut self, to: Register, class: TypeId, length: Value) -> Step {
        self.require_length(length)?;
        if length.is_symbolic() {
            self.see_array(class, length)?;
            let array = self.new_logged_array(class, length);
            self.set_register(to, array);
            return Ok(());
        }
        let length_known = length.as_int().max(0) as usize;
        self.reserve(class, length_known)?;
        self.see_array(class, length)?;
        let array = self.new_array(class, length_known)?;
        self.set_register(to, Value::reference(array).marked(length.is_unstable()));
        self.see_made(array)
    }

    pub(super) fn allocate_multi_array(
        &mut self,
        to: Register,
        class: TypeId,
        lengths: u32,
    ) -> Step {
        let registers = &self.code.register_lists[lengths as usize];
        let lengths: SmallVec<[Value; 4]> =
            registers.iter().map(|&register| self.register(register)).collect();
        for &length in &lengths {
            self.require_length(length)?;
        }
        let array = self.new_arrays(class, &lengths)?;
        let is_unstable = lengths.iter().any(|length| length.is_unstable());
        self.set_register(to, Value::reference(array).marked(is_unstable));
        self.see_arrays(class, &lengths)?;
        self.see_made(array)
    }

    /// A length may be unknown while paths are explored.
    fn require_length(&self, length: Value) -> Step {
        if length.is_symbolic() && !self.exploration.is_on() {
            let text = self.text(length, Kind::Int);
            return Err(self.undecided(Undecided::ChoiceBy(text)).into());
        }
        Ok(())
    }

    pub(super) fn load_class(&mut self, to: Register, class: TypeId) -> Step {
        let mirror = self.mirror(class)?;
        self.set_register(to, Value::reference(mirror));
        Ok(())
    }

    /// Calls a method that is called once only, however many instructions ask for it.
    pub(super) fn prepare(&mut self, method: MethodNumber) -> Step {
        if !self.heap.is_noting() {
            self.code.ops[self.pc as usize - 1] = Op::Nop;
        }
        if !self.prepared.insert(method) {
            return Ok(());
        }
        self.note_prepared(method);
        let callee_base = self.callee_base_here();
        self.push_special(Doing::Again, callee_base);
        self.invoke(method, &[], callee_base)
    }

    pub(super) fn unsupported(&mut self, what: u32) -> Step {
        let what = self.code.unsupported[what as usize].clone();
        Err(Stop::unsupported(what).into())
    }
}
