//! Elements of known arrays at unknown places.

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_solver::{Constraint, Expr};

use super::{expr_of, value_of};
use crate::exploration::unknown::kind_of;
use crate::machine::{Halt, Machine, Reference, Step, TypeId, Value};

/// Tables of more elements are not made terms of.
const MOST_ELEMENTS: usize = 1 << 14;

/// Arrays of more elements are not written at an unknown index.
const MOST_WRITTEN: usize = 256;

impl Machine<'_> {
    /// An element of an array at an unknown index, which is within bounds.
    pub(crate) fn get_unknown_element(&mut self, to: u16, array: Value, index: Value) -> Step {
        let array = array.as_reference();
        let expr = expr_of(index, Kind::Int);
        let (low, high) = self.bounded(expr, self.heap.length(array));
        let kind = self.element_kind(array);
        if high - low >= MOST_ELEMENTS {
            self.assume_known_bound(expr, Comparison::GreaterOrEqual, low)?;
            self.assume_known_bound(expr, Comparison::LessOrEqual, high)?;
            let Some(index) = self.fix(index, self.address())? else { return Ok(()) };
            let element = self.heap.get_element(array, index.as_int() as usize);
            self.set_register(to, element);
            return Ok(());
        }
        if self.heap.object(array).unstable {
            self.note_unstable_decision();
        }
        let elements: std::rc::Rc<[Expr]> =
            (low..=high).map(|at| expr_of(self.heap.get_element(array, at), kind)).collect();
        let offset = Expr::Constant(-(low as i64));
        let store = &mut self.solver.store;
        let at = store.apply(Operation::Add(ArithmeticKind::Int), expr, offset);
        let selected = store.select(kind, elements, at);
        self.set_register(to, value_of(selected, kind));
        Ok(())
    }

    /// Sets an element at an unknown index, which is within bounds: each element that it may be is the
    /// value or what it was.
    pub(crate) fn set_unknown_element(
        &mut self,
        array: Reference,
        index: Value,
        value: Value,
    ) -> Step {
        let expr = expr_of(index, Kind::Int);
        let (low, high) = self.bounded(expr, self.heap.length(array));
        let kind = self.element_kind(array);
        if high - low >= MOST_WRITTEN || self.exploration.tree.is_none() {
            self.assume_known_bound(expr, Comparison::GreaterOrEqual, low)?;
            self.assume_known_bound(expr, Comparison::LessOrEqual, high)?;
            let Some(index) = self.fix(index, self.address())? else { return Ok(()) };
            self.heap.set_element(array, index.as_int() as usize, value);
            return Ok(());
        }
        for at in low..=high {
            let old = expr_of(self.heap.get_element(array, at), kind);
            let is_here = Constraint::int(expr, Comparison::Equal, Expr::Constant(at as i64));
            let store = &mut self.solver.store;
            let is_here = store.test(&is_here);
            let element = store.choose(kind, is_here, expr_of(value, kind), old);
            self.heap.set_element(array, at, value_of(element, kind));
        }
        Ok(())
    }

    /// Tells propagation of a bound that the rules before guard. If only the complete procedure could
    /// show that there was no choice, the intervals do not have it, and values that are tried one by
    /// one would start far outside.
    pub(super) fn assume_known_bound(
        &mut self,
        expr: Expr,
        comparison: Comparison,
        bound: usize,
    ) -> Step {
        if self.exploration.tree.is_none() || !self.is_exact(expr) {
            return Ok(());
        }
        let (low, high) = self.solver.store.interval(expr);
        let bound = bound as i64;
        let is_known = match comparison {
            Comparison::GreaterOrEqual => low >= bound,
            _ => high <= bound,
        };
        if is_known {
            return Ok(());
        }
        // Rewriting might make of it something about other terms.
        let bound = Constraint::int(expr, comparison, Expr::Constant(bound));
        self.solver.store.assume(bound).map_err(|_| Halt::Infeasible)
    }

    /// What the elements of an array are computed with.
    fn element_kind(&self, array: Reference) -> Kind {
        let component = self.types.get(self.heap.class(array)).component;
        component.map_or(Kind::Reference, |(component, _)| kind_of(component))
    }

    /// The range of an index that is within the bounds of an array.
    fn bounded(&self, index: Expr, length: usize) -> (usize, usize) {
        let (low, high) = self.solver.store.interval(index);
        let last = length.saturating_sub(1);
        (low.clamp(0, last as i64) as usize, high.clamp(0, last as i64) as usize)
    }

    /// A value as an element of this type is.
    pub(crate) fn narrowed(&mut self, component: TypeId, value: Value) -> Value {
        use petrel_clp::Conversion::{IntToByte, IntToChar, IntToShort};
        if !value.is_symbolic() {
            return value;
        }
        match component {
            TypeId::BOOLEAN => {
                self.apply(Operation::And(ArithmeticKind::Int), value, Value::int(1))
            }
            TypeId::BYTE => self.apply(Operation::Convert(IntToByte), value, Value::NULL),
            TypeId::CHAR => self.apply(Operation::Convert(IntToChar), value, Value::NULL),
            TypeId::SHORT => self.apply(Operation::Convert(IntToShort), value, Value::NULL),
            _ => value,
        }
    }
}
