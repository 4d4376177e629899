//! The result of a case over the names of the source.

use petrel_engine::Part;
use petrel_expression::{Expression, Node};

use crate::case::{Symbolic, SymbolicObject};

/// The result, and the objects after the call that are new or changed. Nothing is said that the
/// returned value says as well.
pub(super) fn result(symbolic: &Symbolic, value: Option<&str>) -> Vec<String> {
    let is_known = |result: &&Expression| match result.node() {
        Node::Number(_) | Node::NewObject(_) => true,
        _ => value == Some(&*result.to_string()),
    };
    let result = symbolic.result.as_ref().filter(|result| !is_known(result)).map(told);
    let objects = symbolic.heap_out.iter().filter_map(|object| {
        let mut parts: Vec<&(Part, Expression)> = object.parts.iter().collect();
        if !object.is_new() {
            let old = symbolic.heap_in.iter().find(|old| old.name == object.name);
            parts.retain(|part| !is_as_before(object, old, part));
            if parts.is_empty() {
                return None;
            }
        }
        Some(text(object, &parts))
    });
    result.into_iter().chain(objects).collect()
}

/// An expression in which new objects have other names than `o1`: objects of the input are called so.
fn told(expression: &Expression) -> String {
    let is_new = |node: &Node| matches!(node, Node::NewObject(_));
    if !expression.has(&is_new) {
        return expression.to_string();
    }
    let renamed = expression.replaced(&|node| match node {
        Node::NewObject(number) => Some(Expression::name(&format!("new{number}"))),
        _ => None,
    });
    renamed.to_string()
}

/// Whether a field or element is what it was before the call: `value` of `x` is `x.value`.
fn is_as_before(
    object: &SymbolicObject,
    old: Option<&SymbolicObject>,
    part: &(Part, Expression),
) -> bool {
    let (place, term) = part;
    let place = match place {
        Part::Field(name) => object.name.member(name),
        Part::Element(index) => object.name.element(index.clone()),
    };
    *term == place || old.is_some_and(|old| old.parts.contains(part))
}

/// `x: Node { next: y }`, `a: int[] {0, i + 1}`, or `a: int[] { [i]: 0 }` if not all elements are
/// there; of a new array with its length, and those of the arrays in it: `int[n]`, `int[n][m]`.
fn text(object: &SymbolicObject, parts: &[&(Part, Expression)]) -> String {
    let class = match &object.length {
        Some(length) if object.is_new() => {
            let lengths = std::iter::once(length).chain(&object.lengths_inside);
            lengths.fold(object.class.to_string(), |class, length| {
                class.replacen("[]", &format!("[{}]", told(length)), 1)
            })
        }
        _ => object.class.to_string(),
    };
    let head = format!("{}: {class}", told(&object.name));
    if object.has_all_elements() {
        let elements: Vec<String> = parts.iter().map(|(_, term)| told(term)).collect();
        return format!("{head} {{{}}}", elements.join(", "));
    }
    let part = |(place, term): &(Part, Expression)| match place {
        Part::Element(index) => format!("[{}]: {}", told(index), told(term)),
        Part::Field(name) => format!("{name}: {}", told(term)),
    };
    let parts: Vec<String> = parts.iter().map(|named| part(named)).collect();
    if parts.is_empty() {
        format!("{head} {{}}")
    } else {
        format!("{head} {{ {} }}", parts.join(", "))
    }
}
