//! The result of a case over the names of the source.

use crate::case::{Symbolic, SymbolicObject};
use crate::report::objects::has_all_elements;

/// The result, and the objects after the call that are new or changed. Nothing is said that the
/// returned value says as well.
pub(super) fn result(symbolic: &Symbolic, value: Option<&str>) -> Vec<String> {
    let is_new =
        |object: &SymbolicObject| symbolic.heap_in.iter().all(|old| old.name != object.name);
    let is_known = |result: &str| {
        Some(result) == value
            || result.trim_end_matches('L').parse::<i64>().is_ok()
            || symbolic.heap_out.iter().any(|object| object.name == result && is_new(object))
    };
    let result = symbolic.result.iter().filter(|result| !is_known(result)).cloned();
    let objects = symbolic.heap_out.iter().filter_map(|object| {
        let old = symbolic.heap_in.iter().find(|old| old.name == object.name);
        let changed: Vec<&(String, String)> =
            object.parts.iter().filter(|part| !is_as_before(object, old, part)).collect();
        match old {
            None => Some(text(object, &object.parts.iter().collect::<Vec<_>>())),
            Some(_) if changed.is_empty() => None,
            Some(_) => Some(text(object, &changed)),
        }
    });
    result.chain(objects).collect()
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
/// there.
fn text(object: &SymbolicObject, parts: &[&(String, String)]) -> String {
    let head = format!("{}: {}", object.name, object.class);
    if has_all_elements(object) && parts.len() == object.parts.len() {
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
