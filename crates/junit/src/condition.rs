//! Path conditions as a reader wants them: without what follows from the rest, and without terms of the engine.

use petrel_classfile::JavaType;

use crate::Test;
use crate::types::{MethodTypes, Type};

/// A constraint that is longer is not understood at a glance.
const LONGEST: usize = 90;
const OPERATORS: [&str; 6] = [" == ", " != ", " <= ", " >= ", " < ", " > "];

/// The path condition of a test as it is told.
pub(crate) fn of(test: &Test<'_>) -> Vec<String> {
    let method = test.method;
    let types = MethodTypes::erased(method).parameters;
    let names = method.parameter_names();
    let is_boolean = |term: &str| {
        let is_true_or_false = |of: &Type| *of == Type::Primitive(JavaType::Boolean);
        if let Some(name) = term.strip_prefix("this.") {
            return method
                .class()
                .fields()
                .any(|field| field.name() == name && field.descriptor() == "Z");
        }
        let place = names.iter().position(|name| name == term);
        place.and_then(|place| types.get(place)).is_some_and(is_true_or_false)
    };
    let told = readable(&test.case.condition).into_iter();
    told.map(|constraint| truth(&constraint, &is_boolean).unwrap_or(constraint)).collect()
}

/// A constraint on a boolean as Java has it: `isLast` for `isLast != 0`.
fn truth(constraint: &str, is_boolean: &dyn Fn(&str) -> bool) -> Option<String> {
    match comparison(constraint)? {
        (term, " != ", 0) if is_boolean(term) => Some(term.to_owned()),
        (term, " == ", 0) if is_boolean(term) => Some(format!("!{term}")),
        _ => None,
    }
}

/// The constraints that say something to a reader, in their order.
fn readable(constraints: &[String]) -> Vec<String> {
    let mut told: Vec<&String> = Vec::new();
    for (at, constraint) in constraints.iter().enumerate() {
        let is_implied = constraints[at + 1..].iter().any(|later| implies(later, constraint));
        if is_readable(constraint) && !is_implied && !told.contains(&constraint) {
            told.push(constraint);
        }
    }
    told.into_iter().map(|constraint| with_characters(constraint)).collect()
}

/// Whether a constraint is in words of the program: choices among classes, and what calls of the library come down to,
/// are terms of the engine.
fn is_readable(constraint: &str) -> bool {
    constraint.len() <= LONGEST
        && !constraint.contains(['{', '#'])
        && !constraint.contains(" ? ")
        && !constraint.contains("origin of ")
}

/// A comparison with a number: what is compared, how, and the number.
fn comparison(constraint: &str) -> Option<(&str, &str, i64)> {
    let mut found = OPERATORS.iter().filter_map(|operator| {
        let (left, right) = constraint.split_once(operator)?;
        Some((left, *operator, right))
    });
    let (left, operator, right) = found.next()?;
    let number = right.strip_suffix('L').unwrap_or(right).parse().ok()?;
    found.next().is_none().then_some((left, operator, number))
}

/// Whether a constraint on a number says all that an earlier one did.
fn implies(later: &str, earlier: &str) -> bool {
    let (Some((left, operator, number)), Some((same, before, bound))) =
        (comparison(later), comparison(earlier))
    else {
        return false;
    };
    left == same
        && match (operator, before) {
            // Otherwise the path would have ended before.
            (" == ", _) => true,
            (" < " | " <= ", " < " | " <= ") => number <= bound,
            (" > " | " >= ", " > " | " >= ") => number >= bound,
            _ => false,
        }
}

/// With characters in place of their numbers: `text.charAt(0) == '-'`.
fn with_characters(constraint: &str) -> String {
    match comparison(constraint) {
        Some((left, operator, number)) if is_character(left) => {
            let unit = u8::try_from(number).ok().filter(|unit| matches!(unit, 0x20..=0x7e));
            match unit.map(char::from) {
                Some(c @ ('\'' | '\\')) => format!("{left}{operator}'\\{c}'"),
                Some(c) => format!("{left}{operator}'{c}'"),
                None => constraint.to_owned(),
            }
        }
        _ => constraint.to_owned(),
    }
}

/// Whether a term is a character of a text, and nothing is done with it.
fn is_character(term: &str) -> bool {
    let Some((text, place)) = term.split_once(".charAt(") else { return false };
    let is_name =
        |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "_.$()".contains(c));
    is_name(text) && place.strip_suffix(')').is_some_and(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(constraints: &[&str], expected: &[&str]) {
        let constraints: Vec<String> = constraints.iter().map(|&text| text.to_owned()).collect();
        assert_eq!(readable(&constraints), expected);
    }

    #[test]
    fn terms_of_the_engine_are_left_out() {
        check(&["left != null", "{0, 0, 1}[left] == 0", "x > 0"], &["left != null", "x > 0"]);
        check(&["(text.length() > 0 ? 1 : 0) == 1", "origin of list == 0", "wanted.test#1"], &[]);
    }

    #[test]
    fn what_follows_from_the_rest_is_left_out() {
        check(&["n < 4", "n > 0", "n < 3", "n <= 2"], &["n > 0", "n <= 2"]);
        check(&["c != 45", "c >= 7", "c == 48", "d != 45"], &["c == 48", "d != 45"]);
        check(&["a < b", "a < 5", "b < 4"], &["a < b", "a < 5", "b < 4"]);
    }

    #[test]
    fn booleans_are_no_numbers() {
        let is_boolean = |term: &str| term == "isLast";
        assert_eq!(truth("isLast != 0", &is_boolean).as_deref(), Some("isLast"));
        assert_eq!(truth("isLast == 0", &is_boolean).as_deref(), Some("!isLast"));
        assert_eq!(truth("count == 0", &is_boolean), None);
    }

    #[test]
    fn characters_are_shown_as_such() {
        check(&["text.charAt(0) == 45"], &["text.charAt(0) == '-'"]);
        check(&["text.charAt(i) != 39"], &["text.charAt(i) != '\\''"]);
        check(&["text.charAt(0) > 200", "n == 45"], &["text.charAt(0) > 200", "n == 45"]);
        check(&["2 * text.charAt(0) == 90"], &["2 * text.charAt(0) == 90"]);
    }
}
