//! Terms of tests, from short texts.

use petrel_clp::Comparison;
use petrel_engine::{Condition, MadeBy, Part, SourceLine};
use petrel_expression::{Expression, Node};

use crate::case::SymbolicObject;

/// A term as tests write it: `o1` is a new object, `x.next` an access path, `"a"` a string, `a == b ? c : d` a choice; any
/// other text with spaces stands for itself.
pub(crate) fn term(text: &str) -> Expression {
    if let Some(number) = text.strip_prefix('o').and_then(|number| number.parse().ok()) {
        return Expression::new(Node::NewObject(number));
    }
    if let Ok(number) = text.parse() {
        return Expression::int(number);
    }
    if let Some(inside) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        let units = inside.replace("\\\"", "\"").encode_utf16().collect();
        return Expression::new(Node::Text(units));
    }
    if let Some((condition, sides)) = text.split_once(" ? ") {
        let (left, right) = condition.split_once(" == ").expect("tests compare so");
        let (then, otherwise) = sides.split_once(" : ").expect("a choice has two sides");
        let equal = Node::Compare(Comparison::Equal, term(left), term(right));
        return Expression::new(Node::Choose(Expression::new(equal), term(then), term(otherwise)));
    }
    if text.contains(' ') {
        return Expression::name(text);
    }
    let mut names = text.split('.');
    let root = names.next().unwrap_or_default();
    names.fold(path(root, None), |of, name| path(name, Some(&of)))
}

/// `next`, or `items[0]`.
fn path(text: &str, of: Option<&Expression>) -> Expression {
    let named = |name: &str| of.map_or_else(|| Expression::name(name), |of| of.member(name));
    match text.split_once('[') {
        Some((array, index)) => named(array).element(term(index.trim_end_matches(']'))),
        None => named(text),
    }
}

/// Conditions that the program's own code makes.
pub(crate) fn conditions(texts: &[&str]) -> Vec<Condition> {
    let own = |text: &&str| Condition { test: term(text), made_by: MadeBy::Program };
    texts.iter().map(own).collect()
}

/// Source lines: `A.java:3`.
pub(crate) fn lines(texts: &[&str]) -> Vec<SourceLine> {
    let line = |text: &&str| {
        let (file, line) = text.split_once(':').expect("file and line");
        SourceLine { file: file.into(), line: line.parse().expect("a number") }
    };
    texts.iter().map(line).collect()
}

/// An object over source names; an array has indices for names.
pub(crate) fn symbolic(name: &str, class: &str, parts: &[(&str, &str)]) -> SymbolicObject {
    let is_array = class.ends_with(']');
    let part = |(name, value): &(&str, &str)| {
        let place = if is_array { Part::Element(term(name)) } else { Part::Field((*name).into()) };
        (place, term(value))
    };
    let parts = parts.iter().map(part).collect();
    SymbolicObject {
        name: term(name),
        class: class.into(),
        parts,
        is_array,
        length: None,
        lengths_inside: Vec::new(),
    }
}
