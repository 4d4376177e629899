//! Texts that are inputs: strings with unknown length and units, and what the class library keeps of them.
//!
//! A string is as long as the path needs it: its length is a term without a small bound, and its units are there as far as code has
//! looked. Who looks at all of them decides how long it is at most: a short one first, and where the code mentions larger sizes,
//! those. Lengths in between and beyond are left out then, and that is noted.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};
use petrel_expression::Expression;
use petrel_solver::{Constraint, Expr, Unknown};

use super::large::example_text;
use super::{MadeId, PartKind};
use crate::exploration::choose::{Way, expr_of, value_of};
use crate::library::Text;
use crate::machine::{Body, Halt, LeftOut, Limit, Machine, Reference, Stop, TypeId, Value};

/// So many units are looked at beyond those that the path or the code asks for.
const MORE_UNITS: usize = 8;
/// The same for strings of large collections: there are many of them, and any will do.
const UNITS_OF_MANY: usize = 2;

/// A builder that is made of a string has room for so many units more.
const MORE_CAPACITY: i64 = 16;

/// How much of a text is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// Its length.
    Length,
    /// So many units at its start, if it has them.
    Start(usize),
    /// All units.
    Whole,
}

impl Machine<'_> {
    /// Gives a string an unknown length and units.
    pub(super) fn open_text(&mut self, number: MadeId, object: Reference) {
        let name = self.exploration.unknown.made.get(number).name.clone();
        let (length, units) = match self.example_under_way() {
            Some(place) => {
                let units = example_text(place);
                let length = Expr::Constant(units.0.len() as i64);
                (length, units.0.iter().map(|&unit| Expr::Constant(unit.into())).collect())
            }
            None => {
                let longest = match self.is_building_large() {
                    true => 0,
                    false => self.exploration.unknown.classes.hints.longest_constant,
                };
                let most = (longest + self.more_units()).min(self.most_units());
                let length = name.call("length", Vec::new());
                let length = self.solver.store.unknown(unknown(length, i32::MAX.into()));
                (length, (0..most).map(|place| self.new_unit(&name, place)).collect())
            }
        };
        let source = Some(number);
        let text = Rc::new(Text { length, units, name: Some(name), same_as: None, source });
        self.exploration.unknown.made.note(number, PartKind::Text(Rc::clone(&text)));
        self.heap.replace_body(object, Body::Text(text, None));
    }

    /// So many units are looked at beyond those that are asked for.
    fn more_units(&self) -> usize {
        if self.is_building_large() { UNITS_OF_MANY } else { MORE_UNITS }
    }

    /// So many units are made.
    fn most_units(&self) -> usize {
        self.exploration.unknown.units.most() as usize
    }

    /// The first length from some on that the code or the user asks for; of the strings of a large collection nobody asks for any.
    fn length_asked_for(&self, from: usize) -> Option<usize> {
        if self.is_building_large() {
            return None;
        }
        let unknown = &self.exploration.unknown;
        let of_code = unknown.classes.hints.sizes.iter().map(|&size| size as usize);
        let of_code = of_code.filter(|&size| (from..=self.most_units()).contains(&size)).min();
        let of_user = unknown.units.asked_for.map(|most| most as usize);
        of_code.or(of_user.filter(|&most| from < most))
    }

    fn new_unit(&mut self, name: &Expression, place: usize) -> Expr {
        let unit = name.call("charAt", vec![Expression::int(place as i64)]);
        self.solver.store.unknown(unknown(unit, u16::MAX.into()))
    }

    /// Whether all units of a text are there that are looked at.
    pub(crate) fn is_seen(&self, text: &Text, look: Look) -> bool {
        let (_, high) = self.solver.store.interval(text.length);
        let high = high.max(0) as usize;
        let needed = match look {
            Look::Length => 0,
            Look::Start(units) => units.min(high),
            Look::Whole => high,
        };
        text.source.is_none() || needed <= text.units.len()
    }

    /// The text of an object, with the units that are looked at. `None` if the instruction under way is executed again, after
    /// a choice.
    pub(crate) fn looked_at(
        &mut self,
        object: Reference,
        text: &Rc<Text>,
        look: Look,
    ) -> Result<Option<Rc<Text>>, Halt> {
        let Some(source) = text.source.filter(|_| !self.is_seen(text, look)) else {
            return Ok(Some(Rc::clone(text)));
        };
        let (low, high) = self.solver.store.interval(text.length);
        let (low, high) = (low.max(0) as usize, high.max(0) as usize);
        let known = text.units.len();
        let most = self.most_units();
        let least = if let Look::Start(units) = look { units.min(high) } else { low };
        if least > most {
            return Err(Stop::limit(Limit::StringUnits(most as u64)).into());
        }
        let more = self.more_units();
        let next = self.length_asked_for(known.max(least));
        let text = if least > known {
            let wanted = next.filter(|_| look == Look::Whole).unwrap_or(least).max(least);
            self.grow(source, object, text, (wanted + more).min(most))
        } else {
            Rc::clone(text)
        };
        let known = text.units.len();
        if look != Look::Whole || high <= known {
            return Ok(Some(text));
        }
        let bound = Expr::Constant(known as i64);
        let is_short = Constraint::int(text.length, Comparison::LessOrEqual, bound);
        let is_long = is_short.negated();
        let again = self.address();
        let ways = [Way::literal(is_short, again), Way::literal(is_long, again)];
        if self.length_asked_for(known).is_some() {
            self.choose_assuming(ways.into_iter().collect(), true)?;
        } else {
            // Nothing in the code asks for longer ones.
            let ways = ways.map(Way::aside).into_iter().collect();
            self.choose_first(ways, LeftOut::StringLength(known as u64))?;
        }
        Ok(None)
    }

    /// Gives a text more units: those of the string that it was at first.
    fn grow(&mut self, source: MadeId, object: Reference, text: &Text, to: usize) -> Rc<Text> {
        let made = &self.exploration.unknown.made;
        let name = made.get(source).name.clone();
        let mut units: Vec<Expr> = made.text_of(source).map_or(Vec::new(), |of| of.units.to_vec());
        let before = units.len();
        for place in before..to {
            let unit = self.new_unit(&name, place);
            units.push(unit);
        }
        let grown = Rc::new(Text { units: units.into(), ..text.clone() });
        if before < to {
            let of_source = Text { name: Some(name), same_as: None, ..Text::clone(&grown) };
            self.exploration.unknown.made.note(source, PartKind::Text(Rc::new(of_source)));
        }
        let fields = match &self.heap.object(object).body {
            Body::Text(_, fields) => fields.clone(),
            _ => None,
        };
        self.heap.replace_body(object, Body::Text(Rc::clone(&grown), fields));
        grown
    }

    /// The fields of a text, as the class library keeps them. `false` if the instruction under way is
    /// executed again.
    pub(super) fn has_text_fields(
        &mut self,
        object: Reference,
        text: &Rc<Text>,
    ) -> Result<bool, Halt> {
        let class = self.heap.class(object);
        let Some(text) = self.looked_at(object, text, Look::Whole)? else { return Ok(false) };
        let Some(fields) = self.text_fields(class, &text)? else { return Ok(false) };
        // A string never changes, whatever it keeps beside its units. A builder does.
        let is_string = class == TypeId::STRING;
        let body = if is_string { Body::Text(text, Some(fields)) } else { Body::Fields(fields) };
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
        let capacity = if owner == "java/lang/String" { 0 } else { MORE_CAPACITY };
        if self.has_field(owner, "coder") {
            let store = &mut self.solver.store;
            let is_latin = text.all(store, |store, unit| {
                crate::library::text::test(store, unit, Comparison::Less, Expr::Constant(256))
            });
            let Some(is_latin) = self.decided_here(is_latin)? else { return Ok(None) };
            let array = self.text_bytes(text, is_latin, capacity);
            set(value_slot, array);
            let coder = self.slot_named(owner, "coder")?;
            set(coder, Value::int(i32::from(!is_latin)));
        } else {
            let array = self.text_array(TypeId::CHARS, text.length, capacity, text.units.to_vec());
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
        self.text_array(TypeId::CHARS, text.length, 0, text.units.to_vec())
    }

    fn text_bytes(&mut self, text: &Text, is_latin: bool, capacity: i64) -> Value {
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
            return self.text_array(TypeId::BYTES, text.length, capacity, bytes);
        }
        let twice = Operation::ShiftLeft(ArithmeticKind::Int);
        let length = self.solver.store.apply(twice, text.length, Expr::Constant(1));
        self.text_array(TypeId::BYTES, length, 2 * capacity, bytes)
    }

    /// A new array of numbers that are terms, with some more elements behind them.
    fn text_array(&mut self, class: TypeId, length: Expr, more: i64, elements: Vec<Expr>) -> Value {
        if let Expr::Constant(length) = self.solver.store.fixed(length) {
            let elements = elements.into_iter().take(length.max(0) as usize);
            let mut elements: Vec<Value> = elements.map(|unit| value_of(unit, Kind::Int)).collect();
            elements.resize(elements.len() + more as usize, Value::int(0));
            let array = self.heap.add(class, Body::Values(elements.into()));
            return Value::reference(array);
        }
        let add = Operation::Add(ArithmeticKind::Int);
        let length = self.solver.store.apply(add, length, Expr::Constant(more));
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
            self.offer_made(number);
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

fn unknown(name: Expression, high: i64) -> Unknown {
    Unknown { name, kind: Kind::Int, low: 0, high, own: 0 }
}
