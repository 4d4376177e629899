//! Looking into objects that are made: what happens when code reads or writes a field of one.

use std::rc::Rc;

use petrel_clp::{Comparison, Kind};
use petrel_expression::Expression;
use petrel_heap::Sort;
use petrel_solver::{Constraint, Expr, Simplified, Unknown};

use super::{MadeId, Origin, PartKind};
use crate::exploration::choose::{Way, expr_of, value_of};
use crate::exploration::unknown::kind_of;
use crate::library::Text;
use crate::machine::{Body, Defect, Halt, Machine, Reference, Register, Step, Stop, TypeId, Value};

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
    pub(in crate::exploration) fn is_laid_open(&mut self, object: Reference) -> Result<bool, Halt> {
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
        self.note_other_classes(number);
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

    /// Notes that an input may have classes that are not tried.
    fn note_other_classes(&mut self, number: MadeId) {
        if self.exploration.unknown.made.get(number).is_one_of_many {
            self.note_classes_left_out();
        }
    }

    /// Notes that something depends on which of many objects an input is, and that few of them are tried.
    pub(in crate::exploration) fn note_classes_left_out(&mut self) {
        self.note_left_out(|tree| &mut tree.classes_left_out);
    }

    /// Gives a string unknown units.
    fn open_text(&mut self, number: MadeId, object: Reference) {
        let name = self.exploration.unknown.made.get(number).name.clone();
        let most = self.exploration.unknown.most_units;
        let store = &mut self.solver.store;
        let mut unknown = |name: Expression, high: i64| {
            store.unknown(Unknown { name, kind: Kind::Int, low: 0, high, own: 0 })
        };
        let length = unknown(name.call("length", Vec::new()), most as i64);
        let units: Rc<[Expr]> = (0..most)
            .map(|place| {
                let unit = name.call("charAt", vec![Expression::int(place as i64)]);
                unknown(unit, u16::MAX.into())
            })
            .collect();
        let text = Rc::new(Text { length, units, name: Some(name), same_as: None });
        self.exploration.unknown.made.note(number, PartKind::Text(Rc::clone(&text)));
        self.heap.replace_body(object, Body::Text(text, None));
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
        let name = self.exploration.unknown.made.get(number).name.clone();
        let sort = self.sort(primitive);
        let (low, high) = match sort {
            Sort::Number { low, high, .. } => (low, high),
            Sort::Reference(_) => (0, 0),
        };
        let kind = kind_of(primitive);
        let unknown = Unknown { name, kind, low, high, own: 0 };
        let inside = self.solver.store.unknown(unknown);
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
        // What was made first is the likeliest.
        leaves.sort_unstable_by_key(|leaf| leaf.0);
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
        if self.class(class)?.is_abstract() { self.is_open(object) } else { Ok(true) }
    }

    fn is_box(&self, object: Reference) -> bool {
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

    /// The fields of a text, as the class library keeps them. `false` if the instruction under way is
    /// executed again.
    fn has_text_fields(&mut self, object: Reference, text: &Rc<Text>) -> Result<bool, Halt> {
        let class = self.heap.class(object);
        let Some(fields) = self.text_fields(class, text)? else { return Ok(false) };
        // A string never changes, whatever it keeps beside its units. A builder does.
        let is_string = class == TypeId::STRING;
        let body = if is_string {
            Body::Text(Rc::clone(text), Some(fields))
        } else {
            Body::Fields(fields)
        };
        self.heap.replace_body(object, body);
        Ok(true)
    }

    fn text_fields(
        &mut self,
        class: TypeId,
        text: &Rc<Text>,
    ) -> Result<Option<Box<[Value]>>, Halt> {
        let owner = if class == TypeId::STRING {
            "java/lang/String"
        } else {
            "java/lang/AbstractStringBuilder"
        };
        let slots = usize::from(self.layout(class)?.slots);
        let mut fields = vec![Value::NULL; slots];
        let mut set = |slot: u16, value: Value| {
            if let Some(field) = fields.get_mut(usize::from(slot)) {
                *field = value;
            }
        };
        let value_slot = self.slot_named(owner, "value")?;
        let length = text.length;
        if self.has_field(owner, "coder") {
            let store = &mut self.solver.store;
            let is_latin = text.all(store, |store, unit| {
                crate::library::text::test(store, unit, Comparison::Less, Expr::Constant(256))
            });
            let Some(is_latin) = self.decided_here(is_latin)? else { return Ok(None) };
            let array = self.text_bytes(text, is_latin);
            set(value_slot, array);
            let coder = self.slot_named(owner, "coder")?;
            set(coder, Value::int(i32::from(!is_latin)));
        } else {
            let array = self.text_chars(text);
            set(value_slot, array);
        }
        if owner != "java/lang/String" {
            let count = self.slot_named(owner, "count")?;
            set(count, value_of(length, Kind::Int));
        }
        Ok(Some(fields.into()))
    }

    /// A new `char[]` with the units of a text.
    pub(crate) fn text_chars(&mut self, text: &Text) -> Value {
        self.text_array(TypeId::CHARS, text.length, text.units.to_vec())
    }

    fn text_bytes(&mut self, text: &Text, is_latin: bool) -> Value {
        use petrel_clp::{ArithmeticKind, Conversion, Operation};
        let to_byte = Operation::Convert(Conversion::IntToByte);
        let shift = Operation::ShiftRight(ArithmeticKind::Int);
        let store = &mut self.solver.store;
        let mut bytes = Vec::with_capacity(2 * text.units.len());
        for &unit in text.units.iter() {
            bytes.push(store.apply(to_byte, unit, Expr::Constant(0)));
            if !is_latin {
                let high = store.apply(shift, unit, Expr::Constant(8));
                bytes.push(store.apply(to_byte, high, Expr::Constant(0)));
            }
        }
        if is_latin {
            return self.text_array(TypeId::BYTES, text.length, bytes);
        }
        let twice = Operation::ShiftLeft(ArithmeticKind::Int);
        let length = self.solver.store.apply(twice, text.length, Expr::Constant(1));
        self.text_array(TypeId::BYTES, length, bytes)
    }

    /// A new array of numbers that are terms.
    fn text_array(&mut self, class: TypeId, length: Expr, elements: Vec<Expr>) -> Value {
        if let Expr::Constant(length) = self.solver.store.fixed(length) {
            let elements = elements.into_iter().take(length.max(0) as usize);
            let elements: Vec<Value> = elements.map(|unit| value_of(unit, Kind::Int)).collect();
            let array = self.heap.add(class, Body::Values(elements.into()));
            return Value::reference(array);
        }
        let array = self.new_logged_array(class, value_of(length, Kind::Int));
        let component = self.types.get(class).component.map_or(TypeId::INT, |(of, _)| of);
        let reference = expr_of(array, Kind::Reference);
        for (index, element) in elements.into_iter().enumerate() {
            let index = Expr::Constant(index as i64);
            self.ask_heap(|heap, context| {
                heap.set_element(context, reference, index, component.0, element);
            });
        }
        array
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

    /// The contents of a string or a builder of strings, if it can be read: it may be known, too. Nothing is
    /// asked of a null reference.
    pub(crate) fn text_at(&mut self, object: Reference) -> Result<Option<Rc<Text>>, Stop> {
        if object.is_null() {
            return Ok(None);
        }
        if matches!(self.heap.object(object).body, Body::Unmade)
            && self.heap.class(object) == TypeId::STRING
            && let Some(number) = self.exploration.unknown.made.number(object)
        {
            self.note_other_classes(number);
            self.open_text(number, object);
        }
        if let Body::Text(text, _) = &self.heap.object(object).body {
            return Ok(Some(Rc::clone(text)));
        }
        if self.heap.class(object) == TypeId::STRING {
            return Ok(self.units(object).map(|units| Rc::new(Text::constant(&units))));
        }
        Ok(self.builder_units(object).map(|units| Rc::new(Text::constant(&units))))
    }

    /// A string with these contents.
    pub(crate) fn string_of_text(&mut self, text: Text) -> Result<Value, Stop> {
        if let Some(units) = text.known(&self.solver.store) {
            return Ok(Value::reference(self.new_string(&units)?));
        }
        Ok(Value::reference(self.heap.add(TypeId::STRING, Body::Text(Rc::new(text), None))))
    }
}
