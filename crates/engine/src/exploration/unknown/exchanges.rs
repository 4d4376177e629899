//! Comparing and setting at once, where what is there, or what is expected, is a term: both outcomes are paths. Elements of arrays of
//! unknown length, as handles to variables know them.

use petrel_clp::{Comparison, Kind};
use petrel_heap::both;
use petrel_solver::{Constraint, Expr};

use crate::exploration::choose::{expr_of, value_of};
use crate::exploration::unknown::guards::ReferenceTest;
use crate::library::natives;
use crate::machine::{Arguments, Halt, Machine, Undecided, Value};

impl Machine<'_> {
    /// A method of `Unsafe` that writes if what is there is as expected. `None` if it is not known where.
    pub(super) fn exchange_on_unknown(
        &mut self,
        name: &str,
        arguments: &[Value],
    ) -> Result<Option<()>, Halt> {
        let known: Arguments = arguments.iter().map(|&value| self.resolved_value(value)).collect();
        if known.iter().take(natives::PLACE).any(|place| place.is_symbolic()) {
            return Ok(None);
        }
        let exchange = self.exchange(name, &known)?;
        let is_same = self.is_found_in_call(exchange.found, exchange.expected, exchange.kind())?;
        if let Some(is_same) = is_same {
            let result = self.exchanged(&exchange, is_same)?;
            self.return_value(result)?;
        }
        Ok(Some(()))
    }

    /// Whether a value that was found is the one that was expected, in a call that is executed again for each (`None`).
    pub(crate) fn is_found_in_call(
        &mut self,
        found: Value,
        expected: Value,
        kind: Kind,
    ) -> Result<Option<bool>, Halt> {
        let [found, expected] = [found, expected].map(|value| self.resolved_value(value));
        if found.is_symbolic() && found == expected {
            return Ok(Some(true));
        }
        if !found.is_symbolic() && !expected.is_symbolic() {
            return Ok(Some(found.bits == expected.bits));
        }
        let [left, right] = [found, expected].map(|value| expr_of(value, kind));
        let store = &mut self.solver.store;
        let is_same = match kind {
            Kind::Reference => self.reference_truth(ReferenceTest::Same(found, expected))?,
            Kind::Int => store.test(&Constraint::int(left, Comparison::Equal, right)),
            Kind::Long => store.test(&Constraint::long(left, Comparison::Equal, right)),
            // Bits are compared, and terms do not have those.
            _ => return Err(self.undecided(Undecided::UnsafeComparison).into()),
        };
        self.decided_in_call(is_same)
    }

    /// Whether an array has an element at an index, in a call that is executed again for each (`None`).
    pub(crate) fn is_inside_in_call(
        &mut self,
        array: Value,
        index: Value,
    ) -> Result<Option<bool>, Halt> {
        let length = self.length_of(array)?;
        let index = expr_of(index, Kind::Int);
        let is_positive = self.compared(index, Comparison::GreaterOrEqual, Expr::Constant(0));
        let is_below = self.compared(index, Comparison::Less, length);
        let is_inside = both(&mut self.solver.store, is_positive, is_below);
        self.decided_in_call(is_inside)
    }

    /// Reads an element of an array of unknown length.
    pub(crate) fn logged_element(&mut self, array: Value, index: Value) -> Result<Value, Halt> {
        let (group, _, sort) = self.elements_of(array)?;
        let (array, index) = (self.reference_expr(array)?, expr_of(index, Kind::Int));
        let value =
            self.ask_heap(|heap, context| heap.get_element(context, array, index, group, sort))?;
        Ok(value_of(value, sort.kind()))
    }
}
