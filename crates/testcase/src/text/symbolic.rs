//! The result of a case over the names of the source.

use std::collections::BTreeMap;

use crate::case::{Symbolic, SymbolicObject};
use crate::report::objects::{has_all_elements, is_new};

/// The result, and the objects after the call that are new or changed. Nothing is said that the
/// returned value says as well.
pub(super) fn result(symbolic: &Symbolic, value: Option<&str>) -> Vec<String> {
    let is_known = |result: &str| {
        Some(result) == value
            || result.trim_end_matches('L').parse::<i64>().is_ok()
            || symbolic.heap_out.iter().any(|new| new.name == result && is_new(new, symbolic))
    };
    // The objects of the input have names like `o1`, too, and are others.
    let new_objects = symbolic.heap_out.iter().filter(|object| is_new(object, symbolic)).zip(1..);
    let new_names: BTreeMap<&str, String> =
        new_objects.map(|(object, number)| (&*object.name, format!("new{number}"))).collect();
    let result = symbolic.result.iter().filter(|result| !is_known(result)).cloned();
    let objects = symbolic.heap_out.iter().filter_map(|object| {
        let mut parts: Vec<&(String, String)> = object.parts.iter().collect();
        if !is_new(object, symbolic) {
            let old = symbolic.heap_in.iter().find(|old| old.name == object.name);
            parts.retain(|part| !is_as_before(object, old, part));
            if parts.is_empty() {
                return None;
            }
        }
        Some(text(object, &parts, symbolic))
    });
    result.chain(objects).map(|text| renamed(&text, &new_names)).collect()
}

/// Whether a field or element is what it was before the call: `value` of `x` is `x.value`.
fn is_as_before(
    object: &SymbolicObject,
    old: Option<&SymbolicObject>,
    part: &(String, String),
) -> bool {
    let (name, term) = part;
    let place = if object.is_array {
        format!("{}[{name}]", object.name)
    } else {
        format!("{}.{name}", object.name)
    };
    *term == place || old.is_some_and(|old| old.parts.contains(part))
}

/// `x: Node { next: y }`, `a: int[] {0, i + 1}`, or `a: int[] { [i]: 0 }` if not all elements are
/// there; of a new array with its length: `int[n]`.
fn text(object: &SymbolicObject, parts: &[&(String, String)], symbolic: &Symbolic) -> String {
    let class = match &object.length {
        Some(length) if is_new(object, symbolic) => {
            object.class.replacen("[]", &format!("[{length}]"), 1)
        }
        _ => object.class.clone(),
    };
    let head = format!("{}: {class}", object.name);
    if has_all_elements(object, symbolic) {
        let elements: Vec<&str> = parts.iter().map(|(_, term)| &**term).collect();
        return format!("{head} {{{}}}", elements.join(", "));
    }
    let part = |(name, term): &(String, String)| {
        if object.is_array { format!("[{name}]: {term}") } else { format!("{name}: {term}") }
    };
    let parts: Vec<String> = parts.iter().map(|named| part(named)).collect();
    if parts.is_empty() {
        format!("{head} {{}}")
    } else {
        format!("{head} {{ {} }}", parts.join(", "))
    }
}

/// A text in which objects have other names. Fields (`x.o1`) and what is between quotes stay as they are.
fn renamed(text: &str, names: &BTreeMap<&str, String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if is_part_of_name(first) {
            rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len())
        } else if first == '"' {
            quoted(rest)
        } else {
            first.len_utf8()
        };
        let (token, behind) = rest.split_at(length);
        // A label is the name of a field.
        let is_field = out.ends_with('.') || (behind.starts_with(':') && !out.is_empty());
        match names.get(token) {
            Some(name) if !is_field => out += name,
            _ => out += token,
        }
        rest = behind;
    }
    out
}

/// The length of what is between quotes, with them.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |(at, quote)| at + quote.len_utf8())
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
