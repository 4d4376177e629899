//! Which objects after a call are those that were there before it.
//!
//! Only of receiver and arguments it is known. For people, who want to see what changed, the others are
//! guessed: what is at the same place, or looks alike. Objects that only the returned value leads to are
//! taken for new.
//!
//! An object that calls build for the call has fields after it. Which ones it had before is not told, so that
//! its place alone can say which one it is.

#[cfg(test)]
mod tests;

use petrel_value::{Heap, Object, ObjectId, Value};

use crate::case::Solution;
use crate::report::objects::{roots_after, roots_before, same_roots};

/// Pairs of an object before the call and an object after it.
pub(super) fn pairs(solution: &Solution) -> Vec<(ObjectId, ObjectId)> {
    let (before, after) = (&solution.heap, &solution.output.heap);
    let mut pairs = Pairs {
        before,
        after,
        is_old_known: vec![false; before.objects.len()],
        is_new_known: vec![false; after.objects.len()],
        found: Vec::new(),
    };
    for (old, new) in same_roots(solution) {
        pairs.join(old, new, |_, _| true);
    }
    pairs.spread(0, looks_alike);
    let candidates = before.reached(roots_before(solution));
    let mut others = after.reached(roots_after(solution));
    others.retain(|new| !pairs.is_new_known[new.0 as usize]);
    for new in others {
        let count = pairs.found.len();
        if candidates.iter().any(|&old| pairs.join(old, new, looks_alike)) {
            pairs.spread(count, looks_alike);
        }
    }
    pairs.spread(0, is_of_same_kind);
    pairs.found
}

struct Pairs<'a> {
    before: &'a Heap,
    after: &'a Heap,
    is_old_known: Vec<bool>,
    is_new_known: Vec<bool>,
    found: Vec<(ObjectId, ObjectId)>,
}

impl Pairs<'_> {
    /// Makes a pair of two objects, if they are free and such.
    fn join(
        &mut self,
        old: ObjectId,
        new: ObjectId,
        are_such: impl Fn(Side<'_>, Side<'_>) -> bool,
    ) -> bool {
        let (old_index, new_index) = (old.0 as usize, new.0 as usize);
        let are_free = self.is_old_known.get(old_index) == Some(&false)
            && self.is_new_known.get(new_index) == Some(&false);
        let is_pair = are_free && are_such(Side::of(self.before, old), Side::of(self.after, new));
        if is_pair {
            self.is_old_known[old_index] = true;
            self.is_new_known[new_index] = true;
            self.found.push((old, new));
        }
        is_pair
    }

    /// Makes pairs of what pairs, from one on, have in the same fields and elements.
    fn spread(&mut self, from: usize, are_such: impl Fn(Side<'_>, Side<'_>) -> bool) {
        let mut next = from;
        while let Some(&(old, new)) = self.found.get(next) {
            next += 1;
            for (old, new) in
                common_parts(Side::of(self.before, old).object, Side::of(self.after, new).object)
            {
                if let (Value::Reference(old), Value::Reference(new)) = (old, new) {
                    self.join(old, new, &are_such);
                }
            }
        }
    }
}

/// An object in its heap.
#[derive(Clone, Copy)]
struct Side<'a> {
    heap: &'a Heap,
    object: &'a Object,
}

impl<'a> Side<'a> {
    fn of(heap: &'a Heap, ObjectId(index): ObjectId) -> Side<'a> {
        Side { heap, object: &heap.objects[index as usize] }
    }
}

/// What two objects hold in the same fields or elements.
fn common_parts(old: &Object, new: &Object) -> Vec<(Value, Value)> {
    match (old, new) {
        (Object::Array { elements: old, .. }, Object::Array { elements: new, .. }) => {
            old.iter().copied().zip(new.iter().copied()).collect()
        }
        (Object::Instance { fields: old, .. }, Object::Instance { fields: new, .. }) => {
            let common = new.iter().filter_map(|new| {
                let old = old.iter().find(|old| old.class == new.class && old.name == new.name)?;
                Some((old.value, new.value))
            });
            common.collect()
        }
        _ => Vec::new(),
    }
}

/// Whether it could be the same object, changed: the length of an array never changes.
fn is_of_same_kind(old: Side<'_>, new: Side<'_>) -> bool {
    match (old.object, new.object) {
        (
            Object::Instance { class: old, .. } | Object::Built { class: old, .. },
            Object::Instance { class: new, .. },
        )
        | (Object::Opaque { class: old }, Object::Opaque { class: new }) => old == new,
        (
            Object::Array { component: old, elements: before },
            Object::Array { component: new, elements: after },
        ) => old == new && before.len() == after.len(),
        (old, new) => old == new,
    }
}

/// Whether it could be the same object, and everything in it but references to others is as it was.
fn looks_alike(old: Side<'_>, new: Side<'_>) -> bool {
    let is_string = |side: Side<'_>, value| match side.heap.get(value) {
        Some(Object::String(text)) => Some(text.clone()),
        _ => None,
    };
    let is_same = |(one, other): (Value, Value)| match (one, other) {
        (Value::Reference(_) | Value::Null, Value::Reference(_) | Value::Null) => {
            is_string(old, one) == is_string(new, other)
        }
        (one, other) => one == other,
    };
    let is_built = matches!(old.object, Object::Built { .. });
    !is_built
        && is_of_same_kind(old, new)
        && common_parts(old.object, new.object).into_iter().all(is_same)
}
