//! The state of a derivation in an abstraction: calls under way, and what is known of the heap.
//!
//! Inputs that may be the same object are different here; what is written to one is forgotten of all that
//! it may be. So everything that is known holds, and what is not known may be anything.

use std::sync::Arc;

use petrel_clp::Comparison;
use smallvec::SmallVec;

use crate::criterion::Tallies;
use crate::values::{self, Range, Value};

/// Calls under way and what is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct State {
    /// The calls, the innermost last. None: the derivation is at its end.
    pub(crate) frames: Vec<Frame>,
    /// Unknown numbers.
    pub(crate) numbers: Vec<Unknown>,
    /// References that are inputs or come from there.
    pub(crate) inputs: Vec<Thing>,
    /// Objects that the derivation made.
    pub(crate) made: Vec<Thing>,
}

/// What is known of an unknown number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Unknown {
    pub(crate) range: Range,
    /// Whether all of its range is possible in the program: nothing that is left out depends on it.
    pub(crate) is_exact: bool,
}

/// What the abstraction says about a condition that is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Truth {
    /// It does not hold.
    Never,
    /// It may hold, if the program lets it.
    Perhaps,
    /// It holds for some inputs of the program, or for all.
    Certainly,
}

impl Truth {
    /// Both conditions.
    pub(crate) fn and(self, other: impl FnOnce() -> Truth) -> Truth {
        match self {
            Truth::Never => Truth::Never,
            Truth::Certainly => other(),
            Truth::Perhaps => match other() {
                Truth::Never => Truth::Never,
                _ => Truth::Perhaps,
            },
        }
    }

    pub(crate) fn is_possible(self) -> bool {
        self != Truth::Never
    }
}

/// A decided condition.
impl From<bool> for Truth {
    fn from(holds: bool) -> Truth {
        if holds { Truth::Certainly } else { Truth::Never }
    }
}

/// A call under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) procedure: u32,
    /// The predicate that comes next, or whose rule called another procedure.
    pub(crate) predicate: u32,
    /// What is known of its parameters, or, of a rule that called, of its variables.
    pub(crate) values: SmallVec<[Value; 6]>,
    /// How the last call of the rule before ended; `None` if that is not known.
    pub(crate) exit: Option<Exit>,
    /// The rule that called, and waits.
    pub(crate) waiting: Option<u32>,
    /// Whether the caller names another method.
    pub(crate) is_qualified: bool,
    /// What the termination criterion counts.
    pub(crate) tallies: Tallies,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Exit {
    Returned,
    Threw,
}

/// What is known of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Thing {
    /// Whether it is null, if that is known.
    pub(crate) is_null: Option<bool>,
    /// The classes that it may have; all, if nothing is said.
    pub(crate) classes: Option<Arc<[Box<str>]>>,
    /// Whether inputs may be the same object.
    pub(crate) is_shared: bool,
    /// Its kept fields that are known, by their numbers.
    fields: SmallVec<[(u32, Value); 3]>,
    /// Its length, if it is an array.
    pub(crate) length: Option<Value>,
}

impl State {
    pub(crate) fn range(&self, value: Value) -> Option<Range> {
        match value {
            Value::Number(number) => Some((number, number)),
            Value::Linear { unknown, factor, offset } => {
                values::range_of_linear(factor, offset, self.numbers[unknown as usize].range)
            }
            _ => None,
        }
    }

    /// A number that is known is written as one.
    pub(crate) fn settled(&self, value: Value) -> Value {
        match self.range(value) {
            Some((low, high)) if low == high => Value::Number(low),
            _ => value,
        }
    }

    pub(crate) fn new_number(&mut self, range: Range, is_exact: bool) -> Value {
        self.numbers.push(Unknown { range, is_exact });
        Value::Linear { unknown: self.numbers.len() as u32 - 1, factor: 1, offset: 0 }
    }

    pub(crate) fn new_input(&mut self, is_null: Option<bool>) -> Value {
        self.inputs.push(Thing { is_null, is_shared: true, ..Thing::default() });
        Value::Input(self.inputs.len() as u32 - 1)
    }

    pub(crate) fn make(&mut self, class: Box<str>, length: Option<Value>) -> Value {
        let classes = Some(Arc::from([class]));
        self.made.push(Thing { is_null: Some(false), classes, length, ..Thing::default() });
        Value::Made(self.made.len() as u32 - 1)
    }

    pub(crate) fn thing(&self, value: Value) -> Option<&Thing> {
        match value {
            Value::Made(number) => self.made.get(number as usize),
            Value::Input(number) => self.inputs.get(number as usize),
            _ => None,
        }
    }

    pub(crate) fn thing_mut(&mut self, value: Value) -> Option<&mut Thing> {
        match value {
            Value::Made(number) => self.made.get_mut(number as usize),
            Value::Input(number) => self.inputs.get_mut(number as usize),
            _ => None,
        }
    }

    /// Whether a reference is null, if that is known.
    pub(crate) fn is_null(&self, value: Value) -> Option<bool> {
        match value {
            Value::Null => Some(true),
            _ => self.thing(value)?.is_null,
        }
    }

    /// The length of an array.
    pub(crate) fn length(&mut self, array: Value, is_exact: bool) -> Value {
        let Some(thing) = self.thing(array) else { return Value::Anything };
        if let Some(length) = thing.length {
            return self.settled(length);
        }
        let length = self.new_number((0, i64::from(i32::MAX)), is_exact);
        if let Some(thing) = self.thing_mut(array) {
            thing.length = Some(length);
        }
        length
    }

    /// Reads a field. What is first read of an input is another input.
    pub(crate) fn get_field(
        &mut self,
        object: Value,
        field: u32,
        is_reference: bool,
        is_exact: bool,
    ) -> Value {
        let known = self.thing(object).and_then(|thing| {
            thing.fields.iter().find(|(known, _)| *known == field).map(|&(_, value)| value)
        });
        match (known, object) {
            (Some(value), _) => self.settled(value),
            (None, Value::Input(_)) => {
                let value = if is_reference {
                    self.new_input(None)
                } else {
                    self.new_number(values::INTS, is_exact)
                };
                self.put(object, field, value);
                value
            }
            (None, _) => Value::Anything,
        }
    }

    /// Writes a field. What it may be the same as loses what was known.
    pub(crate) fn set_field(&mut self, object: Value, field: u32, value: Value) {
        let is_alone = self.thing(object).is_some_and(|thing| !thing.is_shared);
        if !is_alone {
            // It may be read again without being known to be the same.
            self.blur(value);
            self.share(value);
            for thing in self.inputs.iter_mut().chain(&mut self.made) {
                if thing.is_shared {
                    thing.forget(field);
                }
            }
        }
        self.put(object, field, value);
    }

    /// The default values of a new object.
    pub(crate) fn put(&mut self, object: Value, field: u32, value: Value) {
        if let Some(thing) = self.thing_mut(object) {
            match thing.fields.iter_mut().find(|(known, _)| *known == field) {
                Some((_, old)) => *old = value,
                None => {
                    thing.fields.push((field, value));
                    thing.fields.sort_unstable_by_key(|&(field, _)| field);
                }
            }
        }
    }

    /// A reference is where inputs may get it from.
    pub(crate) fn share(&mut self, value: Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            self.blur(value);
            if let Value::Made(number) = value
                && let Some(thing) = self.made.get_mut(number as usize)
                && !std::mem::replace(&mut thing.is_shared, true)
            {
                open.extend(thing.fields.iter().map(|&(_, value)| value));
            }
        }
    }

    /// Code that is not followed may change everything that it can reach.
    pub(crate) fn forget(&mut self, arguments: &[Value]) {
        arguments.iter().for_each(|&argument| self.share(argument));
        for thing in self.inputs.iter_mut().chain(&mut self.made) {
            if thing.is_shared {
                thing.fields.clear();
            }
        }
    }

    /// Assumes a comparison, as far as ranges can tell it.
    pub(crate) fn assume(&mut self, comparison: Comparison, left: Value, right: Value) -> Truth {
        let (left, right) = (self.settled(left), self.settled(right));
        if let (
            Value::Linear { unknown, factor, offset },
            Value::Linear { unknown: other, factor: same, offset: second },
        ) = (left, right)
            && (unknown, factor) == (other, same)
        {
            let decided = values::compare(comparison, (offset, offset), (second, second));
            return decided.map_or(Truth::Perhaps, Truth::from);
        }
        let (Some(of_left), Some(of_right)) = (self.range(left), self.range(right)) else {
            return Truth::Perhaps;
        };
        if let Some(decided) = values::compare(comparison, of_left, of_right) {
            return decided.into();
        }
        let is_one_sided = of_left.0 == of_left.1 || of_right.0 == of_right.1;
        let both = self.narrow(comparison, left, of_right);
        let both = both.and(|| self.narrow(comparison.mirrored(), right, of_left));
        if is_one_sided || both == Truth::Never {
            return both;
        }
        // Now the two depend on each other.
        self.blur(left);
        self.blur(right);
        Truth::Perhaps
    }

    /// Not all of a value's range may be possible from now on: something depends on it that ranges do not
    /// tell.
    pub(crate) fn blur(&mut self, value: Value) {
        if let Value::Linear { unknown, .. } = value {
            self.numbers[unknown as usize].is_exact = false;
        }
    }

    /// What a comparison with some number of a range says about a value.
    fn narrow(&mut self, comparison: Comparison, value: Value, (low, high): Range) -> Truth {
        let Value::Linear { unknown, factor, offset } = value else { return Truth::Certainly };
        let bound = match comparison {
            Comparison::Equal | Comparison::NotEqual if low == high => low,
            Comparison::Equal | Comparison::NotEqual => return Truth::Perhaps,
            Comparison::Less | Comparison::LessOrEqual => high,
            Comparison::Greater | Comparison::GreaterOrEqual => low,
        };
        let Some((comparison, bound)) = values::solved(comparison, factor, offset, bound) else {
            // Between two multiples nothing is equal.
            return Truth::from(comparison != Comparison::Equal);
        };
        let known = &mut self.numbers[unknown as usize];
        let Some(narrowed) = values::narrowed(known.range, comparison, bound) else {
            return Truth::Never;
        };
        let was_exact = known.is_exact;
        // A hole in the middle is not told by a range.
        if comparison == Comparison::NotEqual && narrowed == known.range {
            known.is_exact &= !(known.range.0..=known.range.1).contains(&bound);
        }
        known.range = narrowed;
        if was_exact { Truth::Certainly } else { Truth::Perhaps }
    }

    /// As [`State::blur`], for all numbers.
    pub(crate) fn blur_all(&mut self) {
        self.numbers.iter_mut().for_each(|number| number.is_exact = false);
    }

    /// Something is chosen, perhaps only here: iterations and calls under way count.
    pub(crate) fn note_choice(&mut self, is_certain: bool) {
        for tally in self.frames.iter_mut().flat_map(|frame| &mut frame.tallies) {
            tally.note_choice(is_certain);
        }
    }

    /// The same state with other numbers for what is the same: unknowns, inputs and objects are numbered in
    /// the order in which the calls lead to them, and what they do not lead to is left out.
    pub(crate) fn canonical(&self) -> State {
        let mut renamed =
            Renamed { from: self, numbers: Vec::new(), inputs: Vec::new(), made: Vec::new() };
        let mut frames = self.frames.clone();
        for frame in &mut frames {
            frame.values.iter_mut().for_each(|value| *value = renamed.value(*value));
        }
        // What is found on the way is looked at in turn.
        let (mut inputs, mut made) = (Vec::new(), Vec::new());
        while inputs.len() < renamed.inputs.len() || made.len() < renamed.made.len() {
            if let Some(&number) = renamed.inputs.get(inputs.len()) {
                inputs.push(renamed.thing(&self.inputs[number as usize]));
            }
            if let Some(&number) = renamed.made.get(made.len()) {
                made.push(renamed.thing(&self.made[number as usize]));
            }
        }
        let numbers = renamed.numbers.iter().map(|&of| self.numbers[of as usize]).collect();
        State { frames, numbers, inputs, made }
    }
}

impl Thing {
    fn forget(&mut self, field: u32) {
        self.fields.retain(|(known, _)| *known != field);
    }
}

/// New numbers, each standing for the old number at its place.
struct Renamed<'a> {
    from: &'a State,
    numbers: Vec<u32>,
    inputs: Vec<u32>,
    made: Vec<u32>,
}

impl Renamed<'_> {
    fn value(&mut self, value: Value) -> Value {
        match self.from.settled(value) {
            Value::Linear { unknown, factor, offset } => {
                Value::Linear { unknown: place(&mut self.numbers, unknown), factor, offset }
            }
            Value::Input(number) => Value::Input(place(&mut self.inputs, number)),
            Value::Made(number) => Value::Made(place(&mut self.made, number)),
            other => other,
        }
    }

    fn thing(&mut self, thing: &Thing) -> Thing {
        let mut thing = thing.clone();
        thing.length = thing.length.map(|length| self.value(length));
        thing.fields.iter_mut().for_each(|(_, value)| *value = self.value(*value));
        thing
    }
}

fn place(numbers: &mut Vec<u32>, number: u32) -> u32 {
    let known = numbers.iter().position(|&known| known == number);
    known.unwrap_or_else(|| {
        numbers.push(number);
        numbers.len() - 1
    }) as u32
}
