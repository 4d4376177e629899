//! Names of tests: what is called, what happens, and when: `lcmReturns0WhenBIs0AndAIsNot0`.

use petrel_testcase::Outcome;
use petrel_value::{Object, Value};

use crate::body::simple_name;
use crate::visible::is_identifier;
use crate::{Kind, Test};

/// Longer names say less.
const MOST: usize = 80;
/// So many of the last constraints are told.
const MOST_CONDITIONS: usize = 2;

/// The name of a test, which follows from the test alone. Others may have it, too.
pub(crate) fn name(test: &Test<'_>) -> String {
    let what = what(test);
    let conditions: Vec<String> =
        test.case.condition.iter().rev().filter_map(|text| words(text)).collect();
    let what = if is_taken(&what) { format!("{what}IsCalled") } else { what };
    for n in (1..=MOST_CONDITIONS.min(conditions.len())).rev() {
        let told: Vec<&str> = conditions[..n].iter().rev().map(String::as_str).collect();
        let name = format!("{what}When{}", told.join("And"));
        if name.len() <= MOST {
            return name;
        }
    }
    what.chars().take(MOST).collect()
}

/// Whether a test of this name would be another method: one that every class has, or one of JUnit's.
fn is_taken(name: &str) -> bool {
    const OF_OBJECT: [&str; 8] =
        ["clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"];
    OF_OBJECT.contains(&name) || name.starts_with("assert") || !is_identifier(name)
}

/// The method and the outcome.
fn what(test: &Test<'_>) -> String {
    let method = test.method;
    let called = if method.is_constructor() {
        format!("new{}", camel(simple_name(method.class().name())))
    } else {
        camel(method.name())
    };
    let called = match test.kind {
        Kind::Ordinary => lower(&called),
        Kind::Defect => format!("defect{}", upper(&called)),
        Kind::WorstCase => format!("worstCaseOf{}", upper(&called)),
    };
    match &test.case.outcome {
        Outcome::Throw(class) => {
            format!("{called}Throws{}", camel(simple_name(&class.replace('.', "/"))))
        }
        Outcome::Return if method.is_constructor() => called,
        Outcome::Return => match result(test) {
            Some(result) => format!("{called}Returns{result}"),
            None => called,
        },
    }
}

/// A result that is short enough to be told.
fn result(test: &Test<'_>) -> Option<String> {
    let output = &test.solution.output;
    if output.unstable {
        return None;
    }
    let value = output.value?;
    match output.heap.get(value) {
        Some(Object::String(text)) if text.0.is_empty() => Some("EmptyString".to_owned()),
        Some(Object::EnumConstant { name, .. }) => Some(camel(name)),
        Some(Object::Boxed(value)) => number(*value),
        Some(_) => None,
        None => number(value),
    }
}

fn number(value: Value) -> Option<String> {
    let of = |value: i64| match value {
        0.. => value.to_string(),
        _ => format!("Minus{}", value.unsigned_abs()),
    };
    Some(match value {
        Value::Null => "Null".to_owned(),
        Value::Boolean(value) => upper(&value.to_string()),
        Value::Byte(value) => of(value.into()),
        Value::Short(value) => of(value.into()),
        Value::Int(value) => of(value.into()),
        Value::Long(value) => of(value),
        Value::Char(unit) => {
            let c = char::from_u32(unit.into()).filter(char::is_ascii_alphanumeric)?;
            c.to_string()
        }
        _ => return None,
    })
}

fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + chars.as_str())
}

/// A name as part of another: `NOT_FOUND` is `NotFound`.
fn camel(name: &str) -> String {
    let is_constant = !name.chars().any(|c| c.is_ascii_lowercase()) && name.len() > 1;
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts
        .map(|part| if is_constant { upper(&part.to_ascii_lowercase()) } else { upper(part) })
        .collect();
    let name = parts.concat();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("Of{name}") }
}

/// A constraint in words; `None` if it has no short ones.
fn words(constraint: &str) -> Option<String> {
    const OPERATORS: [(&str, &str); 6] = [
        (" == ", "Is"),
        (" != ", "IsNot"),
        (" <= ", "IsAtMost"),
        (" >= ", "IsAtLeast"),
        (" < ", "IsLessThan"),
        (" > ", "IsGreaterThan"),
    ];
    if constraint.contains(['|', '&', '?', '{']) {
        return None;
    }
    let mut found = OPERATORS.iter().filter(|(operator, _)| constraint.contains(operator));
    match (found.next(), found.next()) {
        (Some((operator, word)), None) => {
            let (left, right) = constraint.split_once(operator)?;
            Some(format!("{}{word}{}", term(left)?, term(right)?))
        }
        (None, _) => match constraint.strip_prefix('!') {
            Some(negated) => Some(format!("Not{}", term(negated)?)),
            None => term(constraint),
        },
        _ => None,
    }
}

/// A term in words: names, numbers, calls and the four operations.
fn term(text: &str) -> Option<String> {
    const MOST_WORDS: usize = 6;
    let mut words = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            'a'..='z' | 'A'..='Z' | '_' => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
                // `#2` tells the second call from the first.
                if after.starts_with('#') {
                    return None;
                }
                (if name == "this" { String::new() } else { camel(name) }, after)
            }
            '0'..='9' => {
                let end = rest.find(|c: char| !c.is_ascii_digit());
                let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
                if after.starts_with(['.', 'e', 'E']) {
                    return None;
                }
                (number.to_owned(), after.strip_prefix('L').unwrap_or(after))
            }
            '"' => {
                let (inside, after) = rest[1..].split_once('"')?;
                let is_word =
                    inside.len() <= 12 && inside.chars().all(|c| c.is_ascii_alphanumeric());
                if !is_word {
                    return None;
                }
                (if inside.is_empty() { "Empty".to_owned() } else { upper(inside) }, after)
            }
            '-' => ("Minus".to_owned(), &rest[1..]),
            '+' => ("Plus".to_owned(), &rest[1..]),
            '*' => ("Times".to_owned(), &rest[1..]),
            '%' => ("Mod".to_owned(), &rest[1..]),
            '/' => ("DividedBy".to_owned(), &rest[1..]),
            '.' | ' ' | '(' | ')' | '[' | ']' | ',' => (String::new(), &rest[1..]),
            _ => return None,
        };
        words.push(word);
        rest = after;
    }
    words.retain(|word| !word.is_empty());
    (1..=MOST_WORDS).contains(&words.len()).then(|| words.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_become_words() {
        for (constraint, expected) in [
            ("x == 0", Some("XIs0")),
            ("this.size < this.cap", Some("SizeIsLessThanCap")),
            ("text.length() != 0", Some("TextLengthIsNot0")),
            ("a * b >= -5", Some("ATimesBIsAtLeastMinus5")),
            ("list.next == null", Some("ListNextIsNull")),
            ("!a.startsWith(b)", Some("NotAStartsWithB")),
            ("text.equals(\"on\")", Some("TextEqualsOn")),
            ("a < 0 || b > 0", None),
            ("wanted.test#1 != 0", None),
            ("x > 1.5", None),
            ("(x > 1 ? 1 : 0) == 0", None),
        ] {
            assert_eq!(words(constraint).as_deref(), expected, "{constraint}");
        }
    }

    #[test]
    fn names_of_others_become_parts_of_names() {
        assert_eq!(camel("NOT_FOUND"), "NotFound");
        assert_eq!(camel("foo-bar"), "FooBar");
        assert_eq!(camel("lcm"), "Lcm");
        assert_eq!(camel("$1"), "Of1");
    }
}
