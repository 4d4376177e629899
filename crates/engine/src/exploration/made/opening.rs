//! Looking into objects that are made: what happens when code reads or writes a field of one.

use std::rc::Rc;

use petrel_clp::{Comparison, Kind};
use petrel_heap::Sort;
use petrel_solver::{Constraint, Expr, Simplified, Unknown};

use super::{Made, MadeId, Origin, PartKind};
use crate::exploration::choose::{Way, expr_of, value_of};
use crate::exploration::unknown::kind_of;
use crate::machine::{
    Body, Defect, Halt, LeftOut, Machine, MethodNumber, Reference, Register, Step, Stop, TypeId,
    Value,
};

impl Machine<'_> {
    /// Reads a field of an object that is not made yet, or is a text.
    #[cold]
    pub(crate) fn get_made_field(&mut self, to: Register, object: Value, slot: u16) -> Step {
        if !self.is_laid_open(object.as_reference())? {
            return Ok(());
        }
        let value = self.heap.get_field(object.as_reference(), slot);
        self.set_register(to, value.marked(object.is_unstable()));
        Ok(())
    }

    /// Writes a field of an object that is not made yet, or is a text.
    #[cold]
    pub(crate) fn set_made_field(&mut self, object: Value, slot: u16, value: Value) -> Step {
        let object = object.as_reference();
        if !self.is_laid_open(object)? {
            return Ok(());
        }
        let Body::Text(text, Some(fields)) = &self.heap.object(object).body else {
            self.heap.set_field(object, slot, value);
            return Ok(());
        };
        let (text, mut fields) = (Rc::clone(text), fields.clone());
        if let Some(field) = fields.get_mut(usize::from(slot)) {
            *field = value;
        }
        self.heap.replace_body(object, Body::Text(text, Some(fields)));
        Ok(())
    }

    /// Makes sure that an object has fields. `false` if the instruction under way is executed again.
    pub(crate) fn is_laid_open(&mut self, object: Reference) -> Result<bool, Halt> {
        if !self.is_open(object)? {
            return Ok(false);
        }
        match &self.heap.object(object).body {
            Body::Text(text, None) => {
                let text = Rc::clone(text);
                self.has_text_fields(object, &text)
            }
            _ => Ok(true),
        }
    }

    /// Makes sure that an object is made. `false` if the instruction under way is executed again.
    pub(crate) fn is_open(&mut self, object: Reference) -> Result<bool, Halt> {
        if !matches!(self.heap.object(object).body, Body::Unmade) {
            return Ok(true);
        }
        let Some(number) = self.exploration.unknown.made.number(object) else {
            return Err(Stop::defect(Defect::InputFromNowhere).into());
        };
        self.offer_made(number);
        match self.exploration.unknown.made.get(number).origin.clone() {
            Origin::Text => {
                self.open_text(number, object);
                Ok(true)
            }
            Origin::Box(primitive) => {
                self.open_box(number, object, primitive)?;
                Ok(true)
            }
            // What is not made yet is no argument of the call that makes it.
            Origin::Built(_) if self.is_being_made(number) => Err(Halt::Infeasible),
            Origin::Built(recipe) => {
                self.build(number, object, &recipe)?;
                Ok(false)
            }
            Origin::Stub(_) => {
                self.build_stub(number, object)?;
                Ok(false)
            }
        }
    }

    /// Somebody looks into an input: there may be others, of other classes or with other contents.
    pub(super) fn offer_made(&mut self, number: MadeId) {
        let Made { classes, contents, .. } = self.exploration.unknown.made.get(number).clone();
        self.offer(&classes);
        self.offer(&contents);
        if self.may_be_shared(number) {
            self.note_left_out(LeftOut::SharedObjects);
        }
    }

    /// Whether an input may be the same object as one that was opened before, and code could tell because it changes such objects,
    /// but that is not tried.
    fn may_be_shared(&mut self, number: MadeId) -> bool {
        let made = &self.exploration.unknown.made;
        let object = made.get(number).object;
        let class = self.heap.class(object);
        let opened = made.objects().filter(|&other| {
            let is_of_class = other != object && self.heap.class(other) == class;
            is_of_class && self.heap.is_made(other) && !made.are_alternatives(object, other)
        });
        opened.count() > 0 && self.has_changing_field(class)
    }

    /// Something depends on which `Class` object an input is, of which few are tried.
    pub(in crate::exploration) fn note_class_objects(&mut self) {
        self.note_left_out(LeftOut::LibraryClasses);
    }

    /// The class of an input matters: there may be others that are not tried.
    pub(crate) fn offer_classes(&mut self, object: Value) {
        let expr = expr_of(object, Kind::Reference);
        let leaves = self.exploration.unknown.solver.known_leaves(&self.solver.store, expr);
        for leaf in leaves {
            if let Some(number) = self.exploration.unknown.made.number(Reference(leaf.0)) {
                let classes = self.exploration.unknown.made.get(number).classes.clone();
                self.offer(&classes);
            }
        }
        self.offer_objects(object);
    }

    /// It matters which object an input is: constants of enums and `Class` objects may stand for others that are not tried. Objects
    /// that are made say for themselves what there is beside them.
    pub(crate) fn offer_objects(&mut self, object: Value) {
        if !object.is_symbolic() {
            return;
        }
        let expr = expr_of(object, Kind::Reference);
        let leaves = self.exploration.unknown.solver.leaves_of_some(&self.solver.store, expr);
        for object in leaves.into_iter().map(|leaf| Reference(leaf.0)) {
            if self.heap.class(object) == TypeId::CLASS {
                self.note_class_objects();
            } else if self.exploration.unknown.made.number(object).is_none() {
                self.note_other_classes(&[]);
            }
        }
    }

    /// Gives a box an unknown number.
    pub(super) fn open_box(
        &mut self,
        number: MadeId,
        object: Reference,
        primitive: TypeId,
    ) -> Step {
        let class = self.heap.class(object);
        let class_name = std::sync::Arc::clone(&self.types.get(class).name);
        let slot = self.slot_named(&class_name, "value")?;
        let slots = usize::from(self.layout(class)?.slots);
        let kind = kind_of(primitive);
        let example = self.example_under_way();
        let inside = match example.and_then(|place| self.example_number(primitive, place)) {
            Some(example) => Expr::Constant(example),
            None => {
                let name = self.exploration.unknown.made.get(number).name.clone();
                let (low, high) = match self.sort(primitive) {
                    Sort::Number { low, high, .. } => (low, high),
                    Sort::Reference(_) => (0, 0),
                };
                self.solver.store.unknown(Unknown { name, kind, low, high, own: 0 })
            }
        };
        self.exploration.unknown.made.note(number, PartKind::Number(inside));
        let mut fields = vec![Value::NULL; slots];
        if let Some(field) = fields.get_mut(usize::from(slot)) {
            *field = value_of(inside, kind);
        }
        self.heap.replace_body(object, Body::Fields(fields.into()));
        Ok(())
    }

    /// The object that a reference is, if it may be one that is not made of unknown fields, after a choice.
    /// `None` if the instruction under way is executed again.
    pub(crate) fn settled_made(&mut self, reference: Value) -> Result<Option<Value>, Halt> {
        if !reference.is_symbolic() {
            return Ok(Some(reference));
        }
        let expr = self.solver.store.fixed(expr_of(reference, Kind::Reference));
        let known = value_of(expr, Kind::Reference);
        if !known.is_symbolic() {
            return Ok(Some(known));
        }
        let mut leaves = self.exploration.unknown.solver.known_leaves(&self.solver.store, expr);
        self.sort_by_likelihood(&mut leaves);
        for leaf in &leaves {
            self.open_if_box(Reference(leaf.0))?;
        }
        if leaves.iter().all(|leaf| self.heap.is_made(Reference(leaf.0))) {
            return Ok(Some(known));
        }
        let again = self.address();
        let mut ways: smallvec::SmallVec<[Way; 2]> = smallvec::SmallVec::new();
        for leaf in leaves {
            let is_it = Constraint::int(expr, Comparison::Equal, leaf.reference());
            match self.solver.store.simplify(is_it.clone()) {
                Simplified::True => return Ok(Some(value_of(leaf.reference(), Kind::Reference))),
                Simplified::False => {}
                Simplified::Open(_) => ways.push(Way::literal(is_it, again)),
            }
        }
        let is_null = Constraint::int(expr, Comparison::Equal, Expr::Constant(0));
        if !matches!(self.solver.store.simplify(is_null.clone()), Simplified::False) {
            ways.push(Way::literal(is_null, again));
        }
        if self.solver.store.interval(expr).1 > 0 {
            let is_input = Constraint::int(expr, Comparison::Greater, Expr::Constant(0));
            ways.push(Way::literal(is_input, again));
        }
        self.choose_assuming(ways, true)?;
        Ok(None)
    }

    /// An object of its own is the likeliest, the first of those that were made for a reference; then come those that others
    /// refer to as well, the newest first.
    fn sort_by_likelihood(&self, leaves: &mut [petrel_heap::Known]) {
        leaves.sort_unstable_by_key(|leaf| leaf.0);
        let made = &self.exploration.unknown.made;
        let name = |leaf: &petrel_heap::Known| {
            made.number(Reference(leaf.0)).map(|number| made.get(number).name.clone())
        };
        let own = leaves.last().and_then(name);
        leaves.sort_by_key(|leaf| {
            let is_own = name(leaf) == own;
            (!is_own, if is_own { leaf.0 } else { u32::MAX - leaf.0 })
        });
    }

    /// A reference that is a term but can be only one object that is known.
    pub(crate) fn resolved(&self, value: Value) -> Value {
        let expr = expr_of(value, Kind::Reference);
        let is_reference =
            expr.term().is_some_and(|term| self.solver.store.terms().kind(term) == Kind::Reference);
        match self.solver.store.fixed(expr) {
            Expr::Constant(number) if is_reference && number <= 0 => {
                let object = Reference(number.unsigned_abs() as u32);
                // Which boxes are the same object is a question of their numbers.
                if self.is_box(object) { value } else { Value::reference(object) }
            }
            _ => value,
        }
    }

    /// The same of any value.
    pub(crate) fn resolved_value(&self, value: Value) -> Value {
        if value.is_symbolic() { self.resolved(value) } else { value }
    }

    /// Whether the class of an object is known: what a factory makes has one when it is built. `false` if the
    /// instruction under way is executed again.
    pub(crate) fn has_class(&mut self, object: Reference) -> Result<bool, Halt> {
        let is_open = !matches!(self.heap.object(object).body, Body::Unmade);
        if is_open || self.types.get(self.heap.class(object)).component.is_some() {
            return Ok(true);
        }
        let class = self.heap.class(object);
        if self.class(class)?.is_abstract() {
            self.is_open(object)
        } else {
            self.is_class_ready(class)
        }
    }

    /// Whether the class of an input is initialised that a method is called on, as it is where there is such an object. `false` if
    /// the call is executed again.
    pub(crate) fn is_receiver_ready(
        &mut self,
        method: MethodNumber,
        arguments: &[Value],
    ) -> Result<bool, Halt> {
        let resolved = &self.methods.get(method).resolved;
        if resolved.is_static() || resolved.is_constructor() {
            return Ok(true);
        }
        let receiver = self.resolved_value(arguments.first().copied().unwrap_or_default());
        if receiver.is_symbolic() || receiver.as_reference().is_null() {
            return Ok(true);
        }
        self.has_class(receiver.as_reference())
    }

    pub(super) fn is_box(&self, object: Reference) -> bool {
        petrel_value::unboxed(&self.types.get(self.heap.class(object)).name).is_some()
    }

    /// A box needs no choice to be opened.
    fn open_if_box(&mut self, object: Reference) -> Step {
        if !self.heap.is_made(object)
            && let Some(number) = self.exploration.unknown.made.number(object)
            && let Origin::Box(primitive) = self.exploration.unknown.made.get(number).origin
        {
            self.open_box(number, object, primitive)?;
        }
        Ok(())
    }

    /// Whether something holds, by a choice that is no rule's. `None` if the instruction under way is executed
    /// again.
    pub(super) fn decided_here(&mut self, holds: Expr) -> Result<Option<bool>, Halt> {
        match self.solver.store.simplify(petrel_heap::truth(holds)) {
            Simplified::True => Ok(Some(true)),
            Simplified::False => Ok(Some(false)),
            Simplified::Open(open) => {
                let again = self.address();
                let negated = open.negated();
                let ways = [Way::literal(open, again), Way::literal(negated, again)];
                self.choose_assuming(ways.into_iter().collect(), true)?;
                Ok(None)
            }
        }
    }
}
