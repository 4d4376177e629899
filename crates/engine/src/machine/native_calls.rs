//! Calls of models: on known arguments, and on terms.

use petrel_clp::Kind;

use crate::exploration::value_of;
use crate::library::natives::{self, Answer, Native};
use crate::machine::calls::{Arguments, Halt, Step};
use crate::machine::heap::Body;
use crate::machine::stop::Undecided;
use crate::machine::value::Value;
use crate::machine::{Machine, MethodNumber};

/// How the names of methods begin that write something if what is there is as expected.
const EXCHANGE: &str = "compareAnd";

/// Classes whose native methods are functions of numbers.
const NUMERIC: [&str; 4] =
    ["java/lang/Math", "java/lang/StrictMath", "java/lang/Float", "java/lang/Double"];

impl Machine<'_> {
    /// Calls a model on known arguments; it must not have looked at terms in the heap.
    pub(super) fn call_native(
        &mut self,
        native: Native,
        method: MethodNumber,
        arguments: &[Value],
    ) -> Result<Answer, Halt> {
        self.heap.term_read.set(false);
        let answer = native(self, arguments)?;
        if self.heap.term_read.get()
            && !matches!(&answer, Answer::Return(value) if value.is_symbolic())
        {
            let method = &self.methods.get(method).resolved;
            let (method, on) = (method.to_string(), Some("unknown contents".to_owned()));
            return Err(self.undecided(Undecided::Native { method, on }).into());
        }
        Ok(answer)
    }

    /// Whether the object whose memory a model looks at is made. If not, the call is executed again then.
    pub(super) fn is_memory_open(
        &mut self,
        method: MethodNumber,
        arguments: &[Value],
    ) -> Result<bool, Halt> {
        let Some(&object) = arguments.get(1).filter(|_| self.exploration.is_on()) else {
            return Ok(true);
        };
        let resolved = &self.methods.get(method).resolved;
        let is_memory = natives::is_unsafe(resolved.class().name())
            && resolved.descriptor().starts_with("(Ljava/lang/Object;");
        if is_memory { self.is_open_in_call(object) } else { Ok(true) }
    }

    /// Whether an object is made, if it is known which one it is. If not, the call is executed again then.
    pub(crate) fn is_open_in_call(&mut self, object: Value) -> Result<bool, Halt> {
        let object = self.resolved_value(object);
        let reference = object.as_reference();
        if object.is_symbolic() || reference.is_null() || self.heap.is_made(reference) {
            return Ok(true);
        }
        let open =
            self.asked_in_call(|machine| Ok(machine.is_laid_open(reference)?.then_some(())))?;
        Ok(open.is_some())
    }

    /// Whether a model is called on an array whose length is a term.
    pub(super) fn is_on_logged(&self, method: MethodNumber, arguments: &[Value]) -> bool {
        if !self.exploration.is_on() {
            return false;
        }
        let resolved = &self.methods.get(method).resolved;
        let positions: &[usize] = match resolved.name() {
            name if name.starts_with(EXCHANGE) => {
                return natives::is_unsafe(resolved.class().name());
            }
            "arraycopy" if self.may_not_fit(arguments) => return true,
            "refersTo0" => return true,
            "arraycopy" => &[0, 2],
            "clone" | "getLength" => &[0],
            _ => &[],
        };
        positions.iter().any(|&at| {
            let array = arguments.get(at).copied().unwrap_or_default();
            !array.as_reference().is_null() && !self.is_plain_array(array)
        })
    }

    /// Whether elements that are terms are copied to an array that may not take them.
    fn may_not_fit(&self, arguments: &[Value]) -> bool {
        let [from, to] = [0, 2].map(|at| arguments.get(at).copied().unwrap_or_default());
        if from.is_symbolic() || to.is_symbolic() {
            return false;
        }
        let [from, to] = [from, to].map(Value::as_reference);
        !from.is_null()
            && !to.is_null()
            && matches!(self.heap.object(from).body, Body::Values(_))
            && self.heap.class(from) != self.heap.class(to)
    }

    /// Calls a model on arguments of which some are terms.
    #[cold]
    pub(super) fn native_on_unknown(
        &mut self,
        native: Native,
        method: MethodNumber,
        arguments: &[Value],
        callee_base: usize,
    ) -> Step {
        arguments.iter().for_each(|&argument| self.offer_objects(argument));
        let known: Arguments = arguments.iter().map(|&value| self.resolved_value(value)).collect();
        if known.iter().all(|value| !value.is_symbolic()) && !self.is_on_logged(method, &known) {
            let answer = self.call_native(native, method, &known)?;
            return self.answer(answer, method, &known, callee_base);
        }
        let resolved = self.methods.get(method).resolved.clone();
        let result = Kind::of_result(resolved.descriptor());
        if let (true, Some(kind)) = (self.exploration.is_on(), result)
            && NUMERIC.contains(&resolved.class().name())
        {
            // Nothing is known about the result; what it is, a call on known numbers will tell.
            let opaque = self.solver.store.opaque(kind);
            return self.return_value(value_of(opaque, kind));
        }
        let is_write = natives::is_unsafe(resolved.class().name())
            && resolved.name().starts_with("put")
            && known.iter().take(natives::PLACE).all(|argument| !argument.is_symbolic());
        if is_write {
            // What is written may be a term; where, is known.
            let answer = self.call_native(native, method, &known)?;
            return self.answer(answer, method, &known, callee_base);
        }
        if self.exploration.is_on()
            && self.modelled_on_unknown(method, arguments, callee_base)?.is_some()
        {
            return Ok(());
        }
        let Some(unknown) = arguments.iter().find(|argument| argument.is_symbolic()) else {
            return Ok(());
        };
        if self.exploration.is_on() && self.is_one_of_some(*unknown) {
            // The call is executed again with each of them.
            self.asked_in_call(|machine| machine.one_object(*unknown))?;
            return Ok(());
        }
        let (method, on) = (resolved.to_string(), Some(self.text(*unknown, Kind::Int)));
        Err(self.undecided(Undecided::Native { method, on }).into())
    }
}
