//! Modelled methods on unknown objects and arrays: `getClass`, `clone`, `System.arraycopy`.

use petrel_clp::{ArithmeticKind, Comparison, Kind, Operation};
use petrel_heap::{both, truth};
use petrel_solver::{Constraint, Expr, Simplified};

use crate::exploration::choose::{Way, expr_of, value_of};
use crate::exploration::unknown::guards::ReferenceTest;
use crate::library::natives;
use crate::machine::{
    Feature, Halt, Machine, MethodNumber, Reference, SPECIAL, Step, Stop, TypeId, Value,
};

/// A part of an array.
#[derive(Debug, Clone, Copy)]
struct Part {
    array: Value,
    start: Expr,
}

/// So many constants are told apart by their identity hash codes.
const MOST_CONSTANTS: usize = 8;

impl Machine<'_> {
    /// Calls a modelled method on unknown objects, or on arrays of unknown length. `None` if it is none
    /// that can be; then nothing has happened.
    pub(crate) fn modelled_on_unknown(
        &mut self,
        method: MethodNumber,
        arguments: &[Value],
        callee_base: usize,
    ) -> Result<Option<()>, Halt> {
        let resolved = &self.methods.get(method).resolved;
        let name = (resolved.class().name(), resolved.name());
        match name {
            (natives::UNSAFE | natives::UNSAFE_8, name) if name.starts_with("compareAnd") => {
                let name = name.to_owned();
                return self.exchange_on_unknown(&name, arguments);
            }
            ("java/lang/Object", "getClass") => self.unknown_get_class(arguments[0])?,
            ("java/lang/Object", "hashCode") | ("java/lang/System", "identityHashCode") => {
                self.unknown_identity_hash(arguments[0])?;
            }
            (natives::UNSAFE, "allocateUninitializedArray0") if !arguments[1].is_symbolic() => {
                self.unknown_new_array(&arguments[1..], callee_base)?;
            }
            ("java/lang/ref/Reference" | "java/lang/ref/PhantomReference", "refersTo0")
                if !arguments[0].is_symbolic() =>
            {
                let slot = self.slot_named("java/lang/ref/Reference", "referent")?;
                let referent = self.heap.get_field(arguments[0].as_reference(), slot);
                let same = self.reference_truth(ReferenceTest::Same(referent, arguments[1]))?;
                self.return_value(value_of(same, Kind::Int))?;
            }
            ("java/lang/Object", "clone") => self.unknown_clone(arguments[0], callee_base)?,
            ("java/lang/reflect/Array", "getLength") if !self.is_plain_array(arguments[0]) => {
                let length = self.length_of(arguments[0])?;
                self.return_value(value_of(length, Kind::Int))?;
            }
            ("java/lang/reflect/Array", "newArray") if !arguments[0].is_symbolic() => {
                self.unknown_new_array(arguments, callee_base)?;
            }
            ("java/lang/Class", "isInstance") if !arguments[0].is_symbolic() => {
                self.unknown_is_instance_of(arguments)?;
            }
            ("java/lang/System", "arraycopy") => self.unknown_copy(arguments, callee_base)?,
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    /// Goes back to the call under way, to execute it again after a choice.
    fn call_again(&mut self) -> Result<(), Halt> {
        let frame = self.frames().last().filter(|frame| frame.site != SPECIAL).copied();
        let Some(frame) = frame else {
            return Err(Stop::unsupported(Feature::ChoiceOutsideCode).into());
        };
        self.leave_call(&frame);
        Ok(())
    }

    /// Whether a call depends on a choice: what has to hold is asked by its frame. With `None` the
    /// call is executed again.
    pub(crate) fn decided_in_call(&mut self, holds: Expr) -> Result<Option<bool>, Halt> {
        match self.solver.store.simplify(truth(holds)) {
            Simplified::True => Ok(Some(true)),
            Simplified::False => Ok(Some(false)),
            Simplified::Open(open) => {
                self.call_again()?;
                let again = self.address();
                let negated = open.negated();
                let ways = [Way::literal(open, again), Way::literal(negated, again)];
                self.choose_assuming(ways.into_iter().collect(), true)?;
                Ok(None)
            }
        }
    }

    /// The class of an object, in a call that is executed again for each (`None`).
    fn class_in_call(&mut self, object: Value) -> Result<Option<TypeId>, Halt> {
        if !object.is_symbolic() {
            return Ok(Some(self.heap.class(object.as_reference())));
        }
        self.asked_in_call(|machine| machine.exact_class(object))
    }

    /// Asks something that may be a choice, after which the call is executed again (`None`).
    pub(crate) fn asked_in_call<T>(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<Option<T>, Halt>,
    ) -> Result<Option<T>, Halt> {
        let frame = self.frames().last().copied();
        let (base, pc) = (self.base(), self.next_address());
        // A choice goes back to the instruction that calls.
        self.call_again()?;
        let answer = ask(self)?;
        if let (Some(_), Some(frame)) = (&answer, frame) {
            self.enter_again(frame, base, pc);
        }
        Ok(answer)
    }

    /// Whether unknown elements of a type can come up; if not, the call is executed again.
    fn is_prepared_in_call(&mut self, of: TypeId) -> Result<bool, Halt> {
        let ready = self.asked_in_call(|machine| Ok(machine.is_prepared(of)?.then_some(())))?;
        Ok(ready.is_some())
    }

    /// An identity hash code, which the JVM does not fix. It is no reason to decide which object a reference is, unless that is one of
    /// few constants: they are compared with by their names, and found in tables by their hash codes.
    fn unknown_identity_hash(&mut self, object: Value) -> Step {
        if self.is_one_of_few_constants(object) {
            self.asked_in_call(|machine| machine.one_object(object))?;
            return Ok(());
        }
        let expr = self.solver.store.fixed(self.reference_expr(object)?);
        let known = value_of(expr, Kind::Reference);
        let hash = if known.is_symbolic() {
            let next = self.next_identity_hash();
            Value::int(self.exploration.unknown.made.identity_hash(expr, next)).marked(true)
        } else {
            self.identity_hash(known.as_reference())
        };
        self.return_value(hash)
    }

    /// Whether a term is a reference to one of several constants of enums, of which there are few.
    fn is_one_of_few_constants(&mut self, object: Value) -> bool {
        if !self.is_one_of_some(object) {
            return false;
        }
        let expr = expr_of(object, Kind::Reference);
        let leaves = self.exploration.unknown.solver.known_leaves(&self.solver.store, expr);
        leaves.len() <= MOST_CONSTANTS
            && leaves.iter().all(|leaf| {
                let class = self.heap.class(Reference(leaf.0));
                self.class(class).is_ok_and(|class| {
                    class.lineage().any(|class| class.name() == "java/lang/Enum")
                })
            })
    }

    /// Whether a term is a reference to one of several objects that are known.
    pub(crate) fn is_one_of_some(&self, value: Value) -> bool {
        let store = &self.solver.store;
        let term = expr_of(value, Kind::Reference).term();
        term.is_some_and(|term| {
            store.terms().kind(term) == Kind::Reference
                && store.fixed(Expr::Term(term)).constant().is_none()
                && store.interval(Expr::Term(term)).1 <= 0
        })
    }

    /// The one object that a reference is, after a choice (`None`).
    pub(crate) fn one_object(&mut self, reference: Value) -> Result<Option<Value>, Halt> {
        let expr = self.solver.store.fixed(self.reference_expr(reference)?);
        self.offer_objects(reference);
        if expr.constant().is_some() {
            return Ok(Some(value_of(expr, Kind::Reference)));
        }
        let (_, high) = self.solver.store.interval(expr);
        let known = self.exploration.unknown.solver.known_leaves(&self.solver.store, expr);
        let objects = known.iter().map(|known| known.reference());
        let again = self.address();
        let ways = objects
            .chain((0..=high.max(0)).map(Expr::Constant))
            .map(|object| Way::literal(Constraint::int(expr, Comparison::Equal, object), again));
        self.choose_assuming(ways.collect(), true)?;
        Ok(None)
    }

    fn unknown_get_class(&mut self, object: Value) -> Step {
        let Some(class) = self.class_in_call(object)? else { return Ok(()) };
        let mirror = self.class_object_of(class)?;
        self.return_value(mirror)
    }

    /// A new array whose length is not known.
    fn unknown_new_array(&mut self, arguments: &[Value], callee_base: usize) -> Step {
        let Some(component) = self.mirrored(arguments[0].as_reference()) else {
            let class = self.types.of_name("java/lang/NullPointerException");
            return self.throw_new(class, None, callee_base);
        };
        let length = arguments[1];
        let zero = Expr::Constant(0);
        let is_negative = self.compared(expr_of(length, Kind::Int), Comparison::Less, zero);
        match self.decided_in_call(is_negative)? {
            None => Ok(()),
            Some(true) => self.throw_opaque("java/lang/NegativeArraySizeException", callee_base),
            Some(false) => {
                let class = self.types.array_of(component);
                let array = self.new_logged_array(class, length);
                self.return_value(array)
            }
        }
    }

    fn unknown_is_instance_of(&mut self, arguments: &[Value]) -> Step {
        let Some(class) = self.mirrored(arguments[0].as_reference()) else {
            return Err(Stop::unsupported(Feature::ClassWithoutClass).into());
        };
        let holds = self.reference_truth(ReferenceTest::Instance(arguments[1], class))?;
        self.return_value(value_of(holds, Kind::Int))
    }

    /// A copy of an object whose fields are not known.
    fn clone_fields(&mut self, object: Value, class: TypeId, callee_base: usize) -> Step {
        if !self.types.is_subtype(self.program, class, TypeId::CLONEABLE) {
            let name = self.types.class_name(class);
            let class = self.types.of_name("java/lang/CloneNotSupportedException");
            return self.throw_new(class, Some(name.encode_utf16().collect()), callee_base);
        }
        let copy = self.new_object(class)?;
        let reference = self.reference_expr(object)?;
        for field in self.field_outlines(class)?.iter() {
            if self.unprepared_enum(field.of)?.is_some() {
                return Err(Stop::unsupported(Feature::CopyOfConstants).into());
            }
            let sort = self.sort(field.of);
            let value = self
                .ask_heap(|heap, context| heap.get_field(context, reference, field.number, sort))?;
            self.heap.set_field(copy, field.slot, value_of(value, sort.kind()));
        }
        self.return_value(Value::reference(copy))
    }

    fn unknown_clone(&mut self, object: Value, callee_base: usize) -> Step {
        let Some(class) = self.class_in_call(object)? else { return Ok(()) };
        let Some((component, _)) = self.types.get(class).component else {
            return self.clone_fields(object, class, callee_base);
        };
        if !self.is_prepared_in_call(component)? {
            return Ok(());
        }
        let length = self.length_of(object)?;
        let copy = match self.solver.store.fixed(length) {
            Expr::Constant(length) => {
                self.reserve(class, length as usize)?;
                Value::reference(self.new_array(class, length as usize)?)
            }
            term => self.new_logged_array(class, value_of(term, Kind::Int)),
        };
        let start = Expr::Constant(0);
        self.copy_part(Part { array: object, start }, Part { array: copy, start }, length)?;
        self.return_value(copy)
    }

    fn unknown_copy(&mut self, arguments: &[Value], callee_base: usize) -> Step {
        let &[from, from_start, to, to_start, length] = arguments else { return Ok(()) };
        for array in [from, to] {
            let is_null = if array.is_symbolic() {
                let array = self.reference_expr(array)?;
                self.ask_heap(|heap, context| heap.ref_eq(context.store, array, Expr::Constant(0)))
            } else {
                Expr::Constant(array.as_reference().is_null().into())
            };
            match self.decided_in_call(is_null)? {
                None => return Ok(()),
                Some(true) => {
                    let class = self.types.of_name("java/lang/NullPointerException");
                    return self.throw_new(class, None, callee_base);
                }
                Some(false) => {}
            }
        }
        let components = (self.component_of(from)?, self.component_of(to)?);
        let fits = if components.0.is_primitive() || components.1.is_primitive() {
            Expr::Constant((components.0 == components.1).into())
        } else {
            let (from, to) = (self.reference_expr(from)?, self.reference_expr(to)?);
            let fits = self.ask_heap(|heap, context| heap.is_copyable(context, from, to))?;
            self.note_element_types(from, fits);
            self.note_element_types(to, fits);
            fits
        };
        match self.decided_in_call(fits)? {
            None => return Ok(()),
            Some(true) => {}
            Some(false) if self.is_plain_copy(arguments) => {
                return self.copy_one_by_one(arguments, components.1, callee_base);
            }
            // Elements would have to be checked one by one.
            Some(false) => {
                let [from, to] = [components.0, components.1].map(|of| self.types.java_name(of));
                return Err(Stop::unsupported(Feature::CopyOfElements(from, to)).into());
            }
        }
        if !self.is_prepared_in_call(components.0)? {
            return Ok(());
        }
        let [from_start, to_start, length] =
            [from_start, to_start, length].map(|value| expr_of(value, Kind::Int));
        let inside = self.is_within(from, from_start, to, to_start, length)?;
        match self.decided_in_call(inside)? {
            None => Ok(()),
            Some(false) => {
                self.throw_opaque("java/lang/ArrayIndexOutOfBoundsException", callee_base)
            }
            Some(true) => {
                let from = Part { array: from, start: from_start };
                self.copy_part(from, Part { array: to, start: to_start }, length)?;
                self.return_value(Value::NULL)
            }
        }
    }

    /// Whether elements that are there are copied to places that are.
    fn is_plain_copy(&self, arguments: &[Value]) -> bool {
        let &[from, from_start, to, to_start, length] = arguments else { return false };
        let are_known = arguments.iter().all(|argument| !argument.is_symbolic());
        if !are_known || !self.is_plain_array(from) || !self.is_plain_array(to) {
            return false;
        }
        [(from, from_start), (to, to_start)].into_iter().all(|(array, start)| {
            let end = i64::from(start.as_int()) + i64::from(length.as_int());
            let whole = self.heap.length(array.as_reference()) as i64;
            start.as_int() >= 0 && length.as_int() >= 0 && end <= whole
        })
    }

    /// Copies elements each of which has to fit: those before the first that does not are copied.
    fn copy_one_by_one(
        &mut self,
        arguments: &[Value],
        component: TypeId,
        callee_base: usize,
    ) -> Step {
        let [from, to] = [arguments[0], arguments[2]].map(Value::as_reference);
        let [start, target, length] =
            [arguments[1], arguments[3], arguments[4]].map(|value| value.as_int() as usize);
        let elements: Vec<Value> =
            (start..start + length).map(|at| self.heap.get_element(from, at)).collect();
        let mut copied = Vec::new();
        let mut fits_all = true;
        for element in elements {
            let fits = if element.is_symbolic() {
                self.reference_truth(ReferenceTest::Castable(element, component))?
            } else {
                let object = element.as_reference();
                Expr::Constant((object.is_null() || self.is_instance(object, component)).into())
            };
            match self.decided_in_call(fits)? {
                None => return Ok(()),
                Some(true) => copied.push(element),
                Some(false) => {
                    fits_all = false;
                    break;
                }
            }
        }
        for (offset, element) in copied.into_iter().enumerate() {
            self.heap.set_element(to, target + offset, element);
        }
        if fits_all {
            self.return_value(Value::NULL)
        } else {
            self.throw_opaque("java/lang/ArrayStoreException", callee_base)
        }
    }

    /// Whether both parts are within their arrays.
    fn is_within(
        &mut self,
        from: Value,
        from_start: Expr,
        to: Value,
        to_start: Expr,
        length: Expr,
    ) -> Result<Expr, Halt> {
        let zero = Expr::Constant(0);
        let mut inside = self.compared(length, Comparison::GreaterOrEqual, zero);
        for (array, start) in [(from, from_start), (to, to_start)] {
            let whole = self.length_of(array)?;
            let store = &mut self.solver.store;
            let subtract = Operation::Subtract(ArithmeticKind::Int);
            // With a length that is not negative this does not wrap.
            let last = store.apply(subtract, whole, length);
            let is_positive = self.compared(start, Comparison::GreaterOrEqual, zero);
            let ends_inside = self.compared(start, Comparison::LessOrEqual, last);
            let part = both(&mut self.solver.store, is_positive, ends_inside);
            inside = both(&mut self.solver.store, inside, part);
        }
        Ok(inside)
    }

    /// Throws with a message over numbers that are not known.
    pub(crate) fn throw_opaque(&mut self, class: &str, callee_base: usize) -> Step {
        let class = self.types.of_name(class);
        if !self.is_initialised(TypeId::THROWABLE)? {
            return self.throw_new(class, None, callee_base);
        }
        let exception = self.new_throwable(class, None)?;
        self.make_message_opaque(exception)?;
        self.throw(exception)
    }

    /// Copies elements; both parts are within their arrays, whose elements may be unknown.
    fn copy_part(&mut self, from: Part, to: Part, length: Expr) -> Step {
        let (group, _, sort) = self.elements_of(from.array)?;
        let source = (self.reference_expr(from.array)?, from.start);
        let target = (self.reference_expr(to.array)?, to.start);
        self.ask_heap(|heap, context| heap.copy(context, group, sort, source, target, length))?;
        if self.exploration.unknown.solver.is_over() {
            self.check_purse()?;
        }
        Ok(())
    }
}
