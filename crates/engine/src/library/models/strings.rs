//! `String` on unknown units.

use std::rc::Rc;

use petrel_clp::{Comparison, Kind};
use petrel_heap::both;
use petrel_program::ResolvedMethod;
use petrel_solver::{Expr, Store};

use super::characters::Table;
use super::text::{Text, choose, test};
use super::{Argument, Entry, Reply, decide_or_leave, text_or_leave};
use crate::exploration::{Look, expr_of};
use crate::machine::{Body, Feature, Halt, LeftOut, Limit, Machine, Stop, TypeId, Value};

const STRING: &str = "java/lang/String";
const OUTSIDE: &str = "java/lang/StringIndexOutOfBoundsException";

type Replied = Result<Reply, Halt>;

pub(super) const TABLE: &[Entry] = &[
    (STRING, "<init>", "([C)V", from_chars),
    (STRING, "<init>", "(Ljava/lang/String;)V", from_string),
    (STRING, "length", "()I", length),
    (STRING, "isEmpty", "()Z", is_empty),
    (STRING, "charAt", "(I)C", char_at),
    (STRING, "equals", "(Ljava/lang/Object;)Z", equals),
    (STRING, "contentEquals", "(Ljava/lang/CharSequence;)Z", equals_contents),
    (STRING, "equalsIgnoreCase", "(Ljava/lang/String;)Z", equals_ignore_case),
    (STRING, "hashCode", "()I", hash_code),
    (STRING, "compareTo", "(Ljava/lang/String;)I", compare_to),
    (STRING, "compareToIgnoreCase", "(Ljava/lang/String;)I", compare_ignore_case),
    (STRING, "startsWith", "(Ljava/lang/String;)Z", starts_with),
    (STRING, "startsWith", "(Ljava/lang/String;I)Z", starts_with),
    (STRING, "endsWith", "(Ljava/lang/String;)Z", ends_with),
    (STRING, "indexOf", "(I)I", index_of_unit),
    (STRING, "indexOf", "(II)I", index_of_unit),
    (STRING, "indexOf", "(Ljava/lang/String;)I", index_of),
    (STRING, "indexOf", "(Ljava/lang/String;I)I", index_of),
    (STRING, "lastIndexOf", "(I)I", last_index_of_unit),
    (STRING, "lastIndexOf", "(II)I", last_index_of_unit),
    (STRING, "lastIndexOf", "(Ljava/lang/String;)I", last_index_of),
    (STRING, "lastIndexOf", "(Ljava/lang/String;I)I", last_index_of),
    (STRING, "contains", "(Ljava/lang/CharSequence;)Z", contains),
    (STRING, "substring", "(I)Ljava/lang/String;", substring),
    (STRING, "substring", "(II)Ljava/lang/String;", substring),
    (STRING, "subSequence", "(II)Ljava/lang/CharSequence;", substring),
    (STRING, "concat", "(Ljava/lang/String;)Ljava/lang/String;", concat),
    (STRING, "trim", "()Ljava/lang/String;", trim),
    (STRING, "strip", "()Ljava/lang/String;", strip),
    (STRING, "stripLeading", "()Ljava/lang/String;", strip),
    (STRING, "stripTrailing", "()Ljava/lang/String;", strip),
    (STRING, "isBlank", "()Z", is_blank),
    (STRING, "toLowerCase", "()Ljava/lang/String;", to_lower_case),
    (STRING, "toUpperCase", "()Ljava/lang/String;", to_upper_case),
    (STRING, "toLowerCase", "(Ljava/util/Locale;)Ljava/lang/String;", to_lower_case),
    (STRING, "toUpperCase", "(Ljava/util/Locale;)Ljava/lang/String;", to_upper_case),
    (STRING, "toCharArray", "()[C", to_char_array),
    (STRING, "replace", "(CC)Ljava/lang/String;", replace),
    (STRING, "valueOf", "(C)Ljava/lang/String;", of_unit),
    (STRING, "intern", "()Ljava/lang/String;", intern),
];

fn from_chars(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let array = arguments[1];
    let Some(text) = machine.text_of_chars(array)? else { return Ok(Reply::Code) };
    machine.set_text(arguments[0], text)?;
    Ok(Reply::Return(Value::NULL))
}

fn from_string(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[1], Look::Length);
    machine.set_text(arguments[0], Text::clone(&text))?;
    Ok(Reply::Return(Value::NULL))
}

pub(super) fn length(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Replied {
    let text = text_or_leave!(machine, arguments[0], Look::Length);
    machine.give_int(text.length)
}

pub(super) fn is_empty(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Replied {
    let text = text_or_leave!(machine, arguments[0], Look::Length);
    let zero = Expr::Constant(0);
    let is_empty = test(&mut machine.solver.store, text.length, Comparison::Equal, zero);
    machine.give_int(is_empty)
}

fn char_at(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0], Look::Length);
    let index = machine.int_argument(arguments, 1);
    let has = text.has(&mut machine.solver.store, index);
    if !decide_or_leave!(machine, has) {
        return Ok(Reply::Throw(OUTSIDE));
    }
    let look = machine.up_to(index, 1);
    let text = text_or_leave!(machine, arguments[0], look);
    let unit = text.unit(&mut machine.solver.store, index);
    machine.give_int(unit)
}

fn same(_: &mut Store, unit: Expr) -> Expr {
    unit
}

fn equals(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    are_equal(machine, arguments, same)
}

fn equals_ignore_case(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Replied {
    // Units that are taken for the same are mapped to the same.
    let fold = machine.character_table(Table::Fold)?;
    are_equal(machine, arguments, |store, unit| fold.at(store, unit))
}

/// Whether a string is equal to an object once units are mapped: null is equal to nothing, and a builder is no
/// string.
fn are_equal(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    mapped: impl FnMut(&mut Store, Expr) -> Expr,
) -> Replied {
    let text = text_or_leave!(machine, arguments[0], Look::Length);
    let other = match machine.text_argument(arguments[1], Look::Length)? {
        Argument::Text(other) => other,
        Argument::Again => return Ok(Reply::Again),
        Argument::Null => return Ok(Reply::Return(Value::boolean(false))),
        Argument::Other => return Ok(Reply::Code),
    };
    if is_builder(machine, arguments[1])? {
        return Ok(Reply::Return(Value::boolean(false)));
    }
    let (of_text, of_other) = machine.common_look(&text, &other);
    let text = text_or_leave!(machine, arguments[0], of_text);
    let other = text_or_leave!(machine, arguments[1], of_other);
    let equal = text.equals(&mut machine.solver.store, &other, mapped);
    machine.give_int(equal)
}

/// Asks something of a text and the text that is the first argument.
fn ask_both(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    ask: impl FnOnce(&mut Store, &Text, &Text) -> Expr,
) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let other = text_or_leave!(machine, arguments[1]);
    let answer = ask(&mut machine.solver.store, &text, &other);
    machine.give_int(answer)
}

/// The same, of what both have in common at their starts.
fn ask_starts(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    ask: impl FnOnce(&mut Store, &Text, &Text) -> Expr,
) -> Replied {
    let text = text_or_leave!(machine, arguments[0], Look::Length);
    let other = text_or_leave!(machine, arguments[1], Look::Length);
    let (of_text, of_other) = machine.common_look(&text, &other);
    let text = text_or_leave!(machine, arguments[0], of_text);
    let other = text_or_leave!(machine, arguments[1], of_other);
    let answer = ask(&mut machine.solver.store, &text, &other);
    machine.give_int(answer)
}

fn equals_contents(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    ask_starts(machine, arguments, |store, text, other| text.equals(store, other, same))
}

/// The constant of the code with these contents, if there is one. Which object another string stands for is not tried.
fn intern(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    for constant in machine.constants_compared() {
        let text = text_or_leave!(machine, arguments[0], Look::Length);
        let other = text_or_leave!(machine, constant);
        let (look, _) = machine.common_look(&text, &other);
        let text = text_or_leave!(machine, arguments[0], look);
        let equal = text.equals(&mut machine.solver.store, &other, same);
        if decide_or_leave!(machine, equal) {
            return Ok(Reply::Return(constant));
        }
    }
    let text = text_or_leave!(machine, arguments[0], Look::Length);
    machine.note_left_out(LeftOut::Identity);
    machine.give_text(Text { name: None, same_as: None, ..Text::clone(&text) })
}

fn hash_code(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let hash = text.hash(&mut machine.solver.store);
    machine.give_int(hash)
}

fn compare_to(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    ask_starts(machine, arguments, |store, text, other| text.compare(store, other, same))
}

fn compare_ignore_case(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Replied {
    let fold = machine.character_table(Table::Fold)?;
    ask_starts(machine, arguments, |store, text, other| {
        text.compare(store, other, |store, unit| fold.at(store, unit))
    })
}

fn starts_with(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let place = machine.int_argument(arguments, 2);
    let other = text_or_leave!(machine, arguments[1]);
    let look = machine.up_to(place, other.most(&machine.solver.store));
    let text = text_or_leave!(machine, arguments[0], look);
    let answer = text.has_at(&mut machine.solver.store, &other, place);
    machine.give_int(answer)
}

fn ends_with(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    ask_both(machine, arguments, |store, text, other| text.ends_with(store, other))
}

/// An argument for a code point, if it is one unit.
fn unit_argument(machine: &Machine<'_>, arguments: &[Value]) -> Option<Expr> {
    let unit = machine.int_argument(arguments, 1);
    let (low, high) = machine.solver.store.interval(unit);
    (low >= 0 && high <= u16::MAX.into()).then_some(unit)
}

/// Where to start searching: a negative index means the start.
fn from_argument(machine: &mut Machine<'_>, arguments: &[Value]) -> Expr {
    let zero = Expr::Constant(0);
    let from = machine.int_argument(arguments, 2);
    let store = &mut machine.solver.store;
    let is_negative = test(store, from, Comparison::Less, zero);
    choose(store, is_negative, zero, from)
}

fn index_of_unit(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let Some(unit) = unit_argument(machine, arguments) else { return Ok(Reply::Code) };
    let from = from_argument(machine, arguments);
    let index = text.index_of_unit(&mut machine.solver.store, unit, from);
    machine.give_int(index)
}

pub(super) fn index_of(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Replied {
    let from = from_argument(machine, arguments);
    ask_both(machine, arguments, |store, text, other| text.index_of(store, other, from))
}

/// Where to start searching backwards.
fn up_to_argument(machine: &Machine<'_>, text: &Text, arguments: &[Value]) -> Expr {
    if arguments.len() > 2 { machine.int_argument(arguments, 2) } else { text.length }
}

fn last_index_of_unit(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let Some(unit) = unit_argument(machine, arguments) else { return Ok(Reply::Code) };
    let up_to = up_to_argument(machine, &text, arguments);
    let index = text.last_index_of_unit(&mut machine.solver.store, unit, up_to);
    machine.give_int(index)
}

fn last_index_of(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let other = text_or_leave!(machine, arguments[1]);
    let up_to = up_to_argument(machine, &text, arguments);
    let index = text.last_index_of(&mut machine.solver.store, &other, up_to);
    machine.give_int(index)
}

fn contains(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let zero = Expr::Constant(0);
    ask_both(machine, arguments, |store, text, other| {
        let index = text.index_of(store, other, zero);
        test(store, index, Comparison::GreaterOrEqual, zero)
    })
}

pub(super) fn substring(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Replied {
    let text = text_or_leave!(machine, arguments[0], Look::Length);
    let start = machine.int_argument(arguments, 1);
    let end = if arguments.len() > 2 { machine.int_argument(arguments, 2) } else { text.length };
    let store = &mut machine.solver.store;
    let is_after = test(store, start, Comparison::GreaterOrEqual, Expr::Constant(0));
    let is_ordered = test(store, start, Comparison::LessOrEqual, end);
    let is_before = test(store, end, Comparison::LessOrEqual, text.length);
    let inside = both(store, is_after, is_ordered);
    let inside = both(store, inside, is_before);
    if !decide_or_leave!(machine, inside) {
        return Ok(Reply::Throw(OUTSIDE));
    }
    let is_whole = start == Expr::Constant(0) && end == text.length;
    if is_whole && !is_builder(machine, arguments[0])? {
        // The whole is the same string.
        return Ok(Reply::Return(arguments[0]));
    }
    let look = machine.up_to(end, 0);
    let text = text_or_leave!(machine, arguments[0], look);
    let part = text.part(&mut machine.solver.store, start, end);
    machine.give_text(part)
}

/// Whether an argument that was looked at is a builder of strings.
fn is_builder(machine: &mut Machine<'_>, value: Value) -> Result<bool, Halt> {
    // Which object it is was settled when its contents were asked for.
    let settled = machine.settled_made(value)?.filter(|settled| !settled.is_symbolic());
    let settled = settled.ok_or_else(|| Stop::unsupported(Feature::Choice))?;
    Ok(machine.heap.class(settled.as_reference()) != TypeId::STRING)
}

fn concat(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let other = text_or_leave!(machine, arguments[1]);
    let store = &mut machine.solver.store;
    let joined = text.followed_by(store, &other);
    let is_same = test(store, other.length, Comparison::Equal, Expr::Constant(0));
    machine.give_changed(arguments[0], joined, is_same)
}

/// A part of a text; all of it is the string itself.
fn give_part(
    machine: &mut Machine<'_>,
    whole: Value,
    text: &Text,
    start: Expr,
    end: Expr,
) -> Replied {
    let store = &mut machine.solver.store;
    let part = text.part(store, start, end);
    let is_same = test(store, part.length, Comparison::Equal, text.length);
    machine.give_changed(whole, part, is_same)
}

fn trim(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let store = &mut machine.solver.store;
    let (start, end) = text.bounds_without(store, |store, unit| {
        test(store, unit, Comparison::LessOrEqual, Expr::Constant(0x20))
    });
    give_part(machine, arguments[0], &text, start, end)
}

fn strip(machine: &mut Machine<'_>, method: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let white = machine.character_table(Table::White)?;
    let store = &mut machine.solver.store;
    let (start, end) = text.bounds_without(store, |store, unit| white.at(store, unit));
    let (start, end) = match method.name() {
        "stripLeading" => (start, text.length),
        "stripTrailing" => {
            // Of a text of which nothing is left, nothing is left.
            let is_gone = test(store, start, Comparison::Equal, text.length);
            let end = choose(store, is_gone, Expr::Constant(0), end);
            (Expr::Constant(0), end)
        }
        _ => (start, end),
    };
    give_part(machine, arguments[0], &text, start, end)
}

fn is_blank(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let white = machine.character_table(Table::White)?;
    let all = text.all(&mut machine.solver.store, |store, unit| white.at(store, unit));
    machine.give_int(all)
}

/// Letters whose case is another one where the default locale is Turkish, Azeri or Lithuanian.
const OF_LOCALES: [i64; 9] =
    ['I' as i64, 'J' as i64, 'i' as i64, 0xcc, 0xcd, 0x128, 0x12e, 0x130, 0x307];

/// What case does to some units depends on what stands around them, or changes the length.
fn to_case(machine: &mut Machine<'_>, arguments: &[Value], table: Table, simple: Table) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let names_locale = arguments.len() > 1;
    let is_of_locales = |unit: &Expr| match machine.solver.store.fixed(*unit) {
        Expr::Constant(unit) => OF_LOCALES.contains(&unit),
        Expr::Term(_) => true,
    };
    let most = text.most(&machine.solver.store);
    if !names_locale && text.units.iter().take(most).any(is_of_locales) {
        machine.note_left_out(LeftOut::Machine);
    }
    let simple = machine.character_table(simple)?;
    let is_simple = text.all(&mut machine.solver.store, |store, unit| simple.at(store, unit));
    if !decide_or_leave!(machine, is_simple) {
        return Err(Stop::limit(Limit::JointCase).into());
    }
    let table = machine.character_table(table)?;
    let store = &mut machine.solver.store;
    let mapped = text.map(store, |store, unit| table.at(store, unit));
    let is_same = text.equals(store, &mapped, same);
    machine.give_changed(arguments[0], mapped, is_same)
}

fn to_lower_case(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    to_case(machine, arguments, Table::Lower, Table::SimpleLower)
}

fn to_upper_case(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    to_case(machine, arguments, Table::Upper, Table::SimpleUpper)
}

fn to_char_array(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    Ok(Reply::Return(machine.text_chars(&text)))
}

fn replace(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let (old, new) = (machine.int_argument(arguments, 1), machine.int_argument(arguments, 2));
    if old == new {
        return Ok(Reply::Return(arguments[0]));
    }
    let replaced = text.map(&mut machine.solver.store, |store, unit| {
        let is_it = test(store, unit, Comparison::Equal, old);
        choose(store, is_it, new, unit)
    });
    let store = &mut machine.solver.store;
    let place = text.index_of_unit(store, old, Expr::Constant(0));
    let is_same = test(store, place, Comparison::Less, Expr::Constant(0));
    machine.give_changed(arguments[0], replaced, is_same)
}

fn of_unit(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let unit = machine.int_argument(arguments, 0);
    machine.give_text(Text::new(Expr::Constant(1), Rc::from([unit])))
}

/// Looks that go further than this into a text are looks at all of it, unless the place is known.
const FAR: i64 = 64;

impl Machine<'_> {
    /// A look at so many units behind a place.
    pub(super) fn up_to(&self, place: Expr, more: usize) -> Look {
        let (low, high) = self.solver.store.interval(place);
        match usize::try_from(high) {
            Ok(high) if low as usize == high || high as i64 <= FAR => Look::Start(high + more),
            Ok(_) => Look::Whole,
            Err(_) => Look::Length,
        }
    }

    /// What of two texts has to be looked at to compare them from their starts on: what is behind the end of one is of no
    /// interest in the other.
    pub(super) fn common_look(&self, text: &Text, other: &Text) -> (Look, Look) {
        let store = &self.solver.store;
        match (text.is_whole(store), other.is_whole(store)) {
            (_, true) => (Look::Start(other.most(store)), Look::Whole),
            (true, false) => (Look::Whole, Look::Start(text.most(store))),
            (false, false) => (Look::Whole, Look::Length),
        }
    }

    /// The text in a `char[]`.
    pub(super) fn text_of_chars(&mut self, array: Value) -> Result<Option<Text>, Halt> {
        if array.is_symbolic() || array.as_reference().is_null() {
            return Ok(None);
        }
        let reference = array.as_reference();
        match &self.heap.object(reference).body {
            Body::Values(values) => {
                let units: Rc<[Expr]> =
                    values.iter().map(|&value| expr_of(value, Kind::Int)).collect();
                Ok(Some(Text::new(Expr::Constant(units.len() as i64), units)))
            }
            Body::Logged(chars) => {
                let length = expr_of(chars.length, Kind::Int);
                let (_, most) = self.solver.store.interval(length);
                let bound = self.exploration.max_array();
                if most > i64::from(bound) {
                    return Ok(None);
                }
                let (group, _, sort) = self.elements_of(array)?;
                let array = expr_of(array, Kind::Reference);
                let mut units = Vec::new();
                for index in 0..most {
                    let index = Expr::Constant(index);
                    let unit = self.ask_heap(|heap, context| {
                        heap.get_element(context, array, index, group, sort)
                    })?;
                    units.push(unit);
                }
                Ok(Some(Text::new(length, units.into())))
            }
            _ => Ok(None),
        }
    }
}
