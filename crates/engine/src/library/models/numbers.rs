//! Numbers from texts and texts from numbers.

use std::rc::Rc;

use petrel_clp::{ArithmeticKind, Comparison, Conversion, Kind, Operation};
use petrel_heap::{both, either, not};
use petrel_program::ResolvedMethod;
use petrel_solver::{Constraint, Expr, Store};

use super::characters::Table;
use super::text::{Text, choose, subtract, test};
use super::{Entry, Reply, decide_or_leave, text_or_leave};
use crate::exploration::{expr_of, value_of};
use crate::machine::{Halt, Machine, Value};

const INTEGER: &str = "java/lang/Integer";
const LONG: &str = "java/lang/Long";

type Replied = Result<Reply, Halt>;

pub(super) const TABLE: &[Entry] = &[
    (INTEGER, "parseInt", "(Ljava/lang/String;)I", parse_int),
    (INTEGER, "parseInt", "(Ljava/lang/String;I)I", parse_int),
    (INTEGER, "toString", "(I)Ljava/lang/String;", int_to_string),
    (LONG, "parseLong", "(Ljava/lang/String;)J", parse_long),
    (LONG, "parseLong", "(Ljava/lang/String;I)J", parse_long),
    (LONG, "toString", "(J)Ljava/lang/String;", long_to_string),
];

/// So many digits fit into a `long` whatever they are.
const SAFE_DIGITS: usize = 18;

fn int_to_string(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let number = machine.int_argument(arguments, 0);
    let text = decimal(&mut machine.solver.store, number, Kind::Int);
    machine.give_text(text)
}

fn long_to_string(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    let number = expr_of(arguments[0], Kind::Long);
    let text = decimal(&mut machine.solver.store, number, Kind::Long);
    machine.give_text(text)
}

/// `true` or `false`.
pub(super) fn truth_text(store: &mut Store, truth: Expr) -> Text {
    let units = |word: &str| word.encode_utf16().map(i64::from).collect::<Vec<_>>();
    let (yes, no) = (units("true"), units("false"));
    let all = no.iter().enumerate().map(|(place, &unit)| {
        let otherwise = Expr::Constant(unit);
        let then = yes.get(place).map_or(otherwise, |&unit| Expr::Constant(unit));
        choose(store, truth, then, otherwise)
    });
    let units: Rc<[Expr]> = all.collect();
    let length = choose(store, truth, Expr::Constant(4), Expr::Constant(5));
    Text::new(length, units)
}

/// A number in decimal digits. A `long` without an opposite has the digits of its neighbour but for the last.
pub(super) fn decimal(store: &mut Store, number: Expr, kind: Kind) -> Text {
    let number = if kind == Kind::Int {
        store.apply(Operation::Convert(Conversion::IntToLong), number, Expr::Constant(0))
    } else {
        number
    };
    let long = |store: &mut Store, operation: fn(ArithmeticKind) -> Operation, left, right| {
        store.apply(operation(ArithmeticKind::Long), left, Expr::Constant(right))
    };
    let zero = Expr::Constant(0);
    let is_negative = store.test(&Constraint::long(number, Comparison::Less, zero));
    // Remainders of a negative number are those of the positive one with the other sign, so that no opposite
    // is needed.
    let (low, high) = store.interval(number);
    let most_digits =
        [low, high].map(|bound| bound.unsigned_abs().checked_ilog10().unwrap_or(0) + 1);
    let most_digits = most_digits[0].max(most_digits[1]) as usize;
    let mut digits = Vec::with_capacity(most_digits);
    let mut count = Expr::Constant(1);
    for exponent in 0..most_digits {
        let power = 10_i64.pow(exponent as u32);
        let quotient = long(store, Operation::Divide, number, power);
        let remainder = long(store, Operation::Remainder, quotient, 10);
        let to_int = Operation::Convert(Conversion::LongToInt);
        let digit = store.apply(to_int, remainder, zero);
        let opposite = subtract(store, zero, digit);
        let digit = choose(store, is_negative, opposite, digit);
        digits.push(super::text::add(store, digit, Expr::Constant(0x30)));
        if exponent > 0 {
            let is_there = store.test(&Constraint::long(quotient, Comparison::NotEqual, zero));
            count = choose(store, is_there, Expr::Constant(exponent as i64 + 1), count);
        }
    }
    let digits: Rc<[Expr]> = digits.into();
    let sign = if is_negative == zero { 0 } else { 1 };
    let units = (0..most_digits + sign)
        .map(|place| {
            // The place counts from the left, behind the sign if there is one.
            let last = subtract(store, count, Expr::Constant(1));
            let without = subtract(store, last, Expr::Constant(place as i64));
            let exponent = super::text::add(store, without, is_negative);
            let digit = store.select(Kind::Int, Rc::clone(&digits), exponent);
            if place == 0 { choose(store, is_negative, Expr::Constant(0x2D), digit) } else { digit }
        })
        .collect();
    let length = super::text::add(store, count, is_negative);
    Text::new(length, units)
}

/// What a text says of a number.
struct Parsed {
    /// Whether it is one that fits, as a truth value.
    is_number: Expr,
    /// The number, a `long`.
    number: Expr,
}

fn parse_int(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    parse(machine, arguments, (i32::MIN.into(), i32::MAX.into()), Kind::Int)
}

fn parse_long(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Replied {
    parse(machine, arguments, (i64::MIN, i64::MAX), Kind::Long)
}

fn parse(machine: &mut Machine<'_>, arguments: &[Value], range: (i64, i64), kind: Kind) -> Replied {
    let text = text_or_leave!(machine, arguments[0]);
    let radix = match arguments.get(1) {
        Some(radix) if radix.is_symbolic() => return Ok(Reply::Code),
        Some(radix) => i64::from(radix.as_int()),
        None => 10,
    };
    if !(2..=10).contains(&radix) && radix != 16 {
        return Ok(Reply::Code);
    }
    let most = Expr::Constant(SAFE_DIGITS as i64 - 3);
    let is_short = test(&mut machine.solver.store, text.length, Comparison::LessOrEqual, most);
    if !decide_or_leave!(machine, is_short) {
        return Ok(Reply::Code);
    }
    let digit = machine.character_table(Table::Digit)?;
    let store = &mut machine.solver.store;
    let parsed = parsed(store, &text, radix, range, &mut |store, unit| digit.at(store, unit));
    if !decide_or_leave!(machine, parsed.is_number) {
        return Ok(Reply::Throw("java/lang/NumberFormatException"));
    }
    let store = &mut machine.solver.store;
    let number = match kind {
        Kind::Int => {
            let to_int = Operation::Convert(Conversion::LongToInt);
            store.apply(to_int, parsed.number, Expr::Constant(0))
        }
        _ => parsed.number,
    };
    Ok(Reply::Return(value_of(number, kind)))
}

/// A sign and digits; the text is short.
fn parsed(
    store: &mut Store,
    text: &Text,
    radix: i64,
    (low, high): (i64, i64),
    digit: &mut dyn FnMut(&mut Store, Expr) -> Expr,
) -> Parsed {
    let zero = Expr::Constant(0);
    let most = text.units.len().min(SAFE_DIGITS);
    let first = text.units.first().copied().unwrap_or(zero);
    let is_negative = test(store, first, Comparison::Equal, Expr::Constant(0x2D));
    let is_positive = test(store, first, Comparison::Equal, Expr::Constant(0x2B));
    let has_sign = either(store, is_negative, is_positive);

    let mut is_number = test(store, text.length, Comparison::Greater, has_sign);
    let mut sums = vec![zero];
    let mut sum = zero;
    for place in 0..most {
        let value = digit(store, text.units[place]);
        let not_negative = test(store, value, Comparison::GreaterOrEqual, zero);
        let not_large = test(store, value, Comparison::Less, Expr::Constant(radix));
        let mut is_fine = both(store, not_negative, not_large);
        let here = Expr::Constant(place as i64);
        let is_there = test(store, here, Comparison::Less, text.length);
        let is_behind = not(store, is_there);
        is_fine = either(store, is_behind, is_fine);
        let shifted =
            store.apply(Operation::Multiply(ArithmeticKind::Long), sum, Expr::Constant(radix));
        let widened = store.apply(Operation::Convert(Conversion::IntToLong), value, zero);
        let mut next = store.apply(Operation::Add(ArithmeticKind::Long), shifted, widened);
        if place == 0 {
            is_fine = either(store, has_sign, is_fine);
            next = store.choose(Kind::Long, has_sign, zero, next);
        }
        is_number = both(store, is_number, is_fine);
        sum = next;
        sums.push(sum);
    }
    let magnitude = store.select(Kind::Long, sums.into(), text.length);
    let opposite = store.apply(Operation::Subtract(ArithmeticKind::Long), zero, magnitude);
    let number = store.choose(Kind::Long, is_negative, opposite, magnitude);
    for (comparison, bound) in [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)]
    {
        let fits = store.test(&Constraint::long(number, comparison, Expr::Constant(bound)));
        is_number = both(store, is_number, fits);
    }
    Parsed { is_number, number }
}
