//! Guards on references that are terms.

use petrel_clp::{Comparison, Kind};
use petrel_expression::Expression;
use petrel_heap::{ClassId, ClassSet, both, either, not, truth};
use petrel_solver::{Constraint, Expr, Simplified};
use smallvec::SmallVec;

use crate::exploration::choose::{expr_of, value_of};
use crate::machine::{
    Address, Feature, Halt, LeftOut, Machine, Reference, Register, Step, TypeId, Value,
};

/// What a guard asks of references.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ReferenceTest {
    /// It is null.
    Null(Value),
    /// They are the same.
    Same(Value, Value),
    /// It is an instance of a type.
    Instance(Value, TypeId),
    /// It is null or an instance of a type.
    Castable(Value, TypeId),
    /// An array takes it as an element.
    Storable(Value, Value),
}

impl ReferenceTest {
    fn operands(self) -> [Option<Value>; 2] {
        match self {
            ReferenceTest::Null(value)
            | ReferenceTest::Instance(value, _)
            | ReferenceTest::Castable(value, _) => [Some(value), None],
            ReferenceTest::Same(left, right) | ReferenceTest::Storable(left, right) => {
                [Some(left), Some(right)]
            }
        }
    }
}

impl Machine<'_> {
    /// A guard on references of which one is a term: it leads to `to` where the test does not come out as
    /// wanted.
    #[cold]
    pub(crate) fn choose_by_reference(
        &mut self,
        test: ReferenceTest,
        wanted: bool,
        to: Address,
    ) -> Step {
        for operand in test.operands().into_iter().flatten() {
            if operand.is_symbolic() && !self.is_settled(operand)? {
                return Ok(());
            }
        }
        let holds = self.reference_truth(test)?;
        let holds = truth(holds);
        let holds = if wanted { holds } else { holds.negated() };
        let preferred = match test {
            ReferenceTest::Null(_) => self.preferred_null(),
            ReferenceTest::Same(..) => self.preferred_same(),
            _ => None,
        };
        let preferred = preferred.map(|outcome| outcome == wanted);
        self.choose_one_of_two(holds, self.next_address(), to, preferred)
    }

    /// Whether an unknown reference is an instance of a type, as a value.
    #[cold]
    pub(crate) fn unknown_instance(&mut self, to: Register, object: Value, class: TypeId) -> Step {
        if !self.is_settled(object)? {
            return Ok(());
        }
        let holds = self.reference_truth(ReferenceTest::Instance(object, class))?;
        self.set_register(to, value_of(holds, Kind::Int));
        Ok(())
    }

    pub(in crate::exploration) fn reference_truth(
        &mut self,
        test: ReferenceTest,
    ) -> Result<Expr, Halt> {
        match test {
            ReferenceTest::Null(value) => self.is_null(value),
            ReferenceTest::Same(left, right) => {
                let (left, right) = (self.reference_expr(left)?, self.reference_expr(right)?);
                self.note_static_object(left, right);
                for (side, other) in [(left, right), (right, left)] {
                    let heap = &self.exploration.unknown.solver;
                    let stands_for_others =
                        !heap.leaves_of_some(&self.solver.store, side).is_empty();
                    if stands_for_others && !self.is_of_path(other) {
                        self.offer_objects(value_of(side, Kind::Reference));
                    }
                }
                let same = self.ask_heap(|heap, context| heap.ref_eq(context.store, left, right));
                let same = self.same_with_boxes(left, right, same)?;
                self.note_other_kinds(left, right);
                self.note_own_parts(left, right);
                Ok(same)
            }
            ReferenceTest::Instance(value, class) => {
                let is_null = self.is_null(value)?;
                let is_not_null = not(&mut self.solver.store, is_null);
                if is_not_null == Expr::Constant(0) {
                    return Ok(is_not_null);
                }
                let is_instance = self.unknown_is_instance(value, class)?;
                Ok(both(&mut self.solver.store, is_not_null, is_instance))
            }
            ReferenceTest::Castable(value, class) => {
                let is_null = self.is_null(value)?;
                if is_null == Expr::Constant(1) {
                    return Ok(is_null);
                }
                let is_instance = self.unknown_is_instance(value, class)?;
                Ok(either(&mut self.solver.store, is_null, is_instance))
            }
            ReferenceTest::Storable(array, value) => {
                let is_null = self.is_null(value)?;
                if is_null == Expr::Constant(1) {
                    return Ok(is_null);
                }
                let (array, value) = (self.reference_expr(array)?, self.reference_expr(value)?);
                let fits = self.ask_classes(
                    |_| Feature::UnknownElement,
                    |heap, context| heap.is_storable(context, array, value),
                )?;
                self.note_element_types(array, fits);
                Ok(either(&mut self.solver.store, is_null, fits))
            }
        }
    }

    /// An input may also be an object that an initialiser has made. Such inputs are not tried: that they
    /// are left out is noted where it matters.
    fn note_static_object(&mut self, left: Expr, right: Expr) {
        for (input, known) in [(left, right), (right, left)] {
            let number = known.constant().filter(|&number| number < 0);
            let Some(number) = number else { continue };
            let object = Reference(number.unsigned_abs() as u32);
            if self.heap.class(object) == TypeId::CLASS && input.term().is_some() {
                self.note_class_objects();
            }
            let class = ClassId(self.heap.class(object).0);
            let inputs = self.exploration.unknown.solver.inputs().iter();
            let mut same = inputs.filter(|known| known.reference == input);
            let is_possible =
                same.any(|input| !input.classes.is_all() || input.classes.contains(&class));
            let is_tried = self.as_shared(object).is_some();
            if is_possible && !is_tried && self.is_of_initialisers(object) {
                self.note_left_out(LeftOut::StaticObjects);
            }
        }
    }

    /// Whether a reference is to an object that the path has made, which no input can be.
    fn is_of_path(&mut self, reference: Expr) -> bool {
        let number = reference.constant().filter(|&number| number < 0);
        let Some(number) = number else { return false };
        let object = Reference(number.unsigned_abs() as u32);
        self.exploration.unknown.made.number(object).is_none()
            && self.heap.class(object) != TypeId::CLASS
            && !self.is_of_initialisers(object)
    }

    /// Two references are compared: what one of them refers to may have a class that is not tried, and be what the other one
    /// refers to.
    fn note_other_kinds(&mut self, left: Expr, right: Expr) {
        let tried = self.other_kinds(left, right).or_else(|| self.other_kinds(right, left));
        if let Some(tried) = tried {
            self.note_other_classes(&tried);
        }
    }

    /// An object that is made is none of its own parts. Code can make it one later, as a list that is added to itself.
    fn note_own_parts(&mut self, left: Expr, right: Expr) {
        let (heap, made) = (&self.exploration.unknown.solver, &self.exploration.unknown.made);
        let named = |side| -> SmallVec<[(u32, &Expression); 4]> {
            let known = heap.known_leaves(&self.solver.store, side).into_iter();
            known.filter_map(|known| Some((known.0, made.name_of(Reference(known.0))?))).collect()
        };
        let (left, right) = (named(left), named(right));
        let is_part = left.iter().any(|&(one, of_one)| {
            let is_within = |other: &Expression| of_one.is_within(other) || other.is_within(of_one);
            right.iter().any(|&(other, of_other)| one != other && is_within(of_other))
        });
        drop((left, right));
        if is_part {
            self.note_left_out(LeftOut::SharedObjects);
        }
    }

    /// The classes that are tried for a reference, if what another one refers to could have one that is not, and is none of what
    /// is tried.
    fn other_kinds(&self, reference: Expr, other: Expr) -> Option<ClassSet> {
        let (heap, store) = (&self.exploration.unknown.solver, &self.solver.store);
        let inputs = heap.input_leaves(store, reference);
        let mut open = inputs.iter().filter(|input| !input.classes.is_all()).peekable();
        let tried = open.peek()?.classes.clone();
        let is_made = |known: &petrel_heap::Known| {
            self.exploration.unknown.made.number(Reference(known.0)).is_some()
        };
        let others = heap.input_leaves(store, other);
        let is_other = heap.known_leaves(store, other).iter().any(is_made)
            || open
                .any(|input| others.iter().any(|other| !input.classes.shares_one(&other.classes)));
        is_other.then_some(tried)
    }

    fn is_null(&mut self, value: Value) -> Result<Expr, Halt> {
        let value = self.reference_expr(value)?;
        Ok(self.ask_heap(|heap, context| heap.ref_eq(context.store, value, Expr::Constant(0))))
    }

    fn unknown_is_instance(&mut self, value: Value, class: TypeId) -> Result<Expr, Halt> {
        self.offer_classes(value);
        let object = self.reference_expr(value)?;
        let holds = self.ask_classes(
            |machine| {
                let value = machine.text(value, Kind::Reference);
                let class = machine.types.java_name(class);
                Feature::InstanceOfInterface(value, class)
            },
            |heap, context| heap.is_instance(context, object, ClassId(class.0)),
        )?;
        self.note_checked(value, class, holds)?;
        Ok(holds)
    }

    /// Whether elements fit into an array was asked. If they do or do not whichever of its classes it has that are tried, it may be
    /// otherwise with those that are not.
    pub(super) fn note_element_types(&mut self, array: Expr, fit: Expr) {
        let is_open = matches!(self.solver.store.simplify(truth(fit)), Simplified::Open(_));
        let heap = &self.exploration.unknown.solver;
        let mut inputs = heap.input_leaves(&self.solver.store, array).into_iter();
        let is_some = inputs.any(|input| !input.classes.is_all());
        drop(inputs);
        if is_some && !is_open {
            self.note_left_out(LeftOut::ElementTypes);
        }
    }

    /// The length of an array, which may be unknown, and so may the array.
    pub(crate) fn length_of(&mut self, array: Value) -> Result<Expr, Halt> {
        if !array.is_symbolic() {
            return Ok(match self.heap.known_length(array.as_reference()) {
                Ok(length) => Expr::Constant(length as i64),
                Err(length) => expr_of(length, Kind::Int),
            });
        }
        let array = self.reference_expr(array)?;
        Ok(self.ask_heap(|heap, context| heap.length(context, array))?)
    }

    /// The truth of a comparison of `int`s.
    pub(super) fn compared(&mut self, left: Expr, comparison: Comparison, right: Expr) -> Expr {
        self.solver.store.test(&Constraint::int(left, comparison, right))
    }
}
