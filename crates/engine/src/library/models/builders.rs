//! `StringBuilder` and `StringBuffer` on unknown units.

use std::rc::Rc;

use petrel_clp::{Comparison, Kind};
use petrel_heap::both;
use petrel_program::ResolvedMethod;
use petrel_solver::Expr;

use super::numbers::{decimal, truth_text};
use super::strings::{index_of, is_empty, length, substring};
use super::text::{Text, add, test};
use super::{Argument, Entry, Reply, decide_or_leave, text_or_leave};
use crate::exploration::{Look, expr_of};
use crate::machine::{Halt, Machine, Value};

pub(crate) const BUILDER: &str = "java/lang/StringBuilder";

type Replied = Result<Reply, Halt>;

pub(super) const TABLE: &[Entry] = &[
    (BUILDER, "<init>", "(Ljava/lang/String;)V", from_string),
    (BUILDER, "append", "(Ljava/lang/String;)Ljava/lang/StringBuilder;", append_text),
    (BUILDER, "append", "(Ljava/lang/CharSequence;)Ljava/lang/StringBuilder;", append_text),
    (BUILDER, "append", "(Ljava/lang/CharSequence;II)Ljava/lang/StringBuilder;", append_part),
    (BUILDER, "append", "([C)Ljava/lang/StringBuilder;", append_chars),
    (BUILDER, "append", "(C)Ljava/lang/StringBuilder;", append_unit),
    (BUILDER, "append", "(I)Ljava/lang/StringBuilder;", append_int),
    (BUILDER, "append", "(J)Ljava/lang/StringBuilder;", append_long),
    (BUILDER, "append", "(Z)Ljava/lang/StringBuilder;", append_truth),
    (BUILDER, "insert", "(ILjava/lang/String;)Ljava/lang/StringBuilder;", insert_text),
    (BUILDER, "insert", "(IC)Ljava/lang/StringBuilder;", insert_unit),
    (BUILDER, "insert", "(II)Ljava/lang/StringBuilder;", insert_int),
    (BUILDER, "reverse", "()Ljava/lang/StringBuilder;", reverse),
    (BUILDER, "setCharAt", "(IC)V", set_char_at),
    (BUILDER, "deleteCharAt", "(I)Ljava/lang/StringBuilder;", delete_char_at),
    (BUILDER, "delete", "(II)Ljava/lang/StringBuilder;", delete),
    (BUILDER, "setLength", "(I)V", set_length),
    (BUILDER, "charAt", "(I)C", char_at),
    (BUILDER, "length", "()I", length),
    (BUILDER, "isEmpty", "()Z", is_empty),
    (BUILDER, "indexOf", "(Ljava/lang/String;)I", index_of),
    (BUILDER, "indexOf", "(Ljava/lang/String;I)I", index_of),
    (BUILDER, "substring", "(I)Ljava/lang/String;", substring),
    (BUILDER, "substring", "(II)Ljava/lang/String;", substring),
    (BUILDER, "toString", "()Ljava/lang/String;", to_string),
    ("java/lang/AbstractStringBuilder", "length", "()I", length),
    ("java/lang/AbstractStringBuilder", "isEmpty", "()Z", is_empty),
    ("java/lang/AbstractStringBuilder", "charAt", "(I)C", char_at),
    ("java/lang/AbstractStringBuilder", "setCharAt", "(IC)V", set_char_at),
    ("java/lang/AbstractStringBuilder", "setLength", "(I)V", set_length),
    ("java/lang/AbstractStringBuilder", "substring", "(I)Ljava/lang/String;", substring),
    ("java/lang/AbstractStringBuilder", "substring", "(II)Ljava/lang/String;", substring),
];

fn from_string(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[1], Look::Length);
    machine.set_text(arguments[0], Text::clone(&text))?;
    Ok(Reply::Return(Value::NULL))
}

/// Adds a text to a builder, which is returned.
fn append(machine: &mut Machine<'_>, builder: Value, added: &Text) -> Replied {
    let text = text_or_leave!(machine, builder);
    let joined = text.followed_by(&mut machine.solver.store, added);
    machine.set_text(builder, joined)?;
    Ok(Reply::Return(builder))
}

fn append_text(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let before = text_or_leave!(machine, arguments[0], Look::Length);
    // What is added to nothing is looked at by whoever looks at the whole.
    let is_first = before.length == Expr::Constant(0);
    let look = if is_first { Look::Length } else { Look::Whole };
    let added = match machine.text_argument(arguments[1], look)? {
        Argument::Text(text) => text,
        Argument::Null => Rc::new(Text::constant(&[0x6E, 0x75, 0x6C, 0x6C])),
        Argument::Again => return Ok(Reply::Again),
        Argument::Other => return Ok(Reply::Code),
    };
    if is_first {
        let text = Text { name: None, same_as: None, ..Text::clone(&added) };
        machine.set_text(arguments[0], text)?;
        return Ok(Reply::Return(arguments[0]));
    }
    append(machine, arguments[0], &added)
}

fn append_part(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let added = text_or_leave!(machine, arguments[1]);
    let (start, end) = (machine.int_argument(arguments, 2), machine.int_argument(arguments, 3));
    let inside = is_part(machine, &added, start, end);
    if !decide_or_leave!(machine, inside) {
        return Ok(Reply::Throw("java/lang/IndexOutOfBoundsException"));
    }
    let part = added.part(&mut machine.solver.store, start, end);
    append(machine, arguments[0], &part)
}

fn append_chars(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    match machine.text_of_chars(arguments[1])? {
        Some(text) => append(machine, arguments[0], &text),
        None => Ok(Reply::Code),
    }
}

fn one_unit(unit: Expr) -> Text {
    Text::new(Expr::Constant(1), Rc::from([unit]))
}

fn append_unit(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let unit = machine.int_argument(arguments, 1);
    append(machine, arguments[0], &one_unit(unit))
}

fn append_int(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let number = machine.int_argument(arguments, 1);
    let digits = decimal(&mut machine.solver.store, number, Kind::Int);
    append(machine, arguments[0], &digits)
}

fn append_long(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let number = expr_of(arguments[1], Kind::Long);
    let digits = decimal(&mut machine.solver.store, number, Kind::Long);
    append(machine, arguments[0], &digits)
}

fn append_truth(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let truth = machine.int_argument(arguments, 1);
    let text = truth_text(&mut machine.solver.store, truth);
    append(machine, arguments[0], &text)
}

/// Inserts a text into a builder, which is returned. An index outside is left to the library's code: which
/// exception it throws differs between releases.
fn insert(machine: &mut Machine<'_>, arguments: &[Value], added: &Text) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let index = machine.int_argument(arguments, 1);
    let inside = is_part(machine, &text, index, text.length);
    if !decide_or_leave!(machine, inside) {
        return Ok(Reply::Code);
    }
    let store = &mut machine.solver.store;
    let before = text.part(store, Expr::Constant(0), index);
    let after = text.part(store, index, text.length);
    let joined = before.followed_by(store, added);
    let joined = joined.followed_by(store, &after);
    machine.set_text(arguments[0], joined)?;
    Ok(Reply::Return(arguments[0]))
}

/// Whether two indices bound a part of a text, as a truth value.
fn is_part(machine: &mut Machine<'_>, text: &Text, start: Expr, end: Expr) -> Expr {
    let store = &mut machine.solver.store;
    let is_after = test(store, start, Comparison::GreaterOrEqual, Expr::Constant(0));
    let is_ordered = test(store, start, Comparison::LessOrEqual, end);
    let is_before = test(store, end, Comparison::LessOrEqual, text.length);
    let inside = both(store, is_after, is_ordered);
    both(store, inside, is_before)
}

fn insert_text(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let added = text_or_leave!(machine, arguments[2]);
    insert(machine, arguments, &added)
}

fn insert_unit(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let unit = machine.int_argument(arguments, 2);
    insert(machine, arguments, &one_unit(unit))
}

fn insert_int(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let number = machine.int_argument(arguments, 2);
    let digits = decimal(&mut machine.solver.store, number, Kind::Int);
    insert(machine, arguments, &digits)
}

fn reverse(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let reversed = text.reversed(&mut machine.solver.store);
    machine.set_text(arguments[0], reversed)?;
    Ok(Reply::Return(arguments[0]))
}

fn set_char_at(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let index = machine.int_argument(arguments, 1);
    let unit = machine.int_argument(arguments, 2);
    let has = text.has(&mut machine.solver.store, index);
    if !decide_or_leave!(machine, has) {
        return Ok(Reply::Code);
    }
    let changed = text.with(&mut machine.solver.store, index, unit);
    machine.set_text(arguments[0], changed)?;
    Ok(Reply::Return(Value::NULL))
}

/// Takes a part out of a builder, which is returned.
fn cut(machine: &mut Machine<'_>, builder: Value, text: &Text, start: Expr, end: Expr) -> Replied {
    let store = &mut machine.solver.store;
    let before = text.part(store, Expr::Constant(0), start);
    let after = text.part(store, end, text.length);
    let joined = before.followed_by(store, &after);
    machine.set_text(builder, joined)?;
    Ok(Reply::Return(builder))
}

fn delete_char_at(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let index = machine.int_argument(arguments, 1);
    let has = text.has(&mut machine.solver.store, index);
    if !decide_or_leave!(machine, has) {
        return Ok(Reply::Code);
    }
    let end = add(&mut machine.solver.store, index, Expr::Constant(1));
    cut(machine, arguments[0], &text, index, end)
}

fn delete(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let (start, end) = (machine.int_argument(arguments, 1), machine.int_argument(arguments, 2));
    let store = &mut machine.solver.store;
    // What is beyond the end is not there to be deleted.
    let is_beyond = test(store, end, Comparison::Greater, text.length);
    let end = super::text::choose(store, is_beyond, text.length, end);
    let inside = is_part(machine, &text, start, end);
    if !decide_or_leave!(machine, inside) {
        return Ok(Reply::Code);
    }
    cut(machine, arguments[0], &text, start, end)
}

/// Only to make it shorter.
fn set_length(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let end = machine.int_argument(arguments, 1);
    let inside = is_part(machine, &text, Expr::Constant(0), end);
    if !decide_or_leave!(machine, inside) {
        return Ok(Reply::Code);
    }
    let part = text.part(&mut machine.solver.store, Expr::Constant(0), end);
    machine.set_text(arguments[0], part)?;
    Ok(Reply::Return(Value::NULL))
}

fn char_at(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0], Look::Length);
    let index = machine.int_argument(arguments, 1);
    let has = text.has(&mut machine.solver.store, index);
    if !decide_or_leave!(machine, has) {
        return Ok(Reply::Code);
    }
    let look = machine.up_to(index, 1);
    let text = text_or_leave!(machine, arguments[0], look);
    let unit = text.unit(&mut machine.solver.store, index);
    machine.give_int(unit)
}

fn to_string(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let text = text_or_leave!(machine, arguments[0], Look::Length);
    machine.give_text(Text::clone(&text))
}
