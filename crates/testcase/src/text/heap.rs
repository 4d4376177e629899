//! Values and objects as text.
//!
//! Strings and enum constants are written where they are, and so are arrays and boxes to which nothing
//! else refers. All other objects have names, and lines of their own.

use std::collections::BTreeSet;

use petrel_program::external_type;
use petrel_value::{Heap, Object, ObjectId, Value};

use super::matching;
use crate::case::Solution;
use crate::report::objects::{
    Names, class_name, named_fields, parts, reached, roots_after, roots_before, same_roots,
};

/// More objects than this are only counted.
const MAX_OBJECTS: usize = 40;
/// Arrays in arrays that are written in one line.
const MAX_DEPTH: usize = 8;

/// A heap before or after the call.
pub(super) struct Picture<'a> {
    heap: &'a Heap,
    names: Names,
    /// By object: whether it is written where it is referred to.
    is_inline: Vec<bool>,
}

/// The heaps of a solution.
pub(super) struct Pictures<'a> {
    solution: &'a Solution,
    pub(super) before: Picture<'a>,
    pub(super) after: Picture<'a>,
}

impl<'a> Pictures<'a> {
    pub(super) fn of(solution: &'a Solution) -> Pictures<'a> {
        let (before, after) = (&solution.heap, &solution.output.heap);
        let names = Names::before(solution);
        let (old_roots, mut new_roots) = (roots_before(solution), roots_after(solution));
        new_roots.extend(solution.output.value);
        let references = references(after, &new_roots);
        // Of an argument it is seen that it changed only if it has a name.
        let (mut old_apart, mut new_apart) = (BTreeSet::new(), BTreeSet::new());
        for (old, new) in same_roots(solution) {
            let text = before.literal(Value::Reference(old));
            let is_as_before = text.is_some() && text == after.literal(Value::Reference(new));
            if !is_as_before || references[new.0 as usize] != 1 {
                old_apart.insert(old);
                new_apart.insert(new);
            }
        }
        let mut new_names = names.taken_over(after, matching::pairs(solution));
        let is_inline = inline(after, &new_roots, &new_apart);
        let order = reached(after, new_roots);
        new_names.add(after, order.into_iter().filter(|id| !is_inline[id.0 as usize]));
        Pictures {
            solution,
            before: Picture {
                heap: before,
                names,
                is_inline: inline(before, &old_roots, &old_apart),
            },
            after: Picture { heap: after, names: new_names, is_inline },
        }
    }

    /// The objects before the call.
    pub(super) fn before_the_call(&self) -> Vec<String> {
        shortened(self.before.lines(roots_before(self.solution)))
    }

    /// The objects that the returned value alone leads to.
    pub(super) fn given(&self) -> Vec<String> {
        let others = self.after.lines(roots_after(self.solution));
        shortened(without(self.after.lines(self.solution.output.value), others))
    }

    /// The objects that receiver and arguments lead to after the call, if they are new or changed.
    pub(super) fn left(&self) -> Vec<String> {
        let before = self.before.lines(roots_before(self.solution));
        shortened(without(self.after.lines(roots_after(self.solution)), before))
    }
}

impl Picture<'_> {
    /// A value as a Java literal; `o1` for an object that has a name.
    pub(super) fn value(&self, value: Value) -> String {
        match (value, self.heap.get(value)) {
            (Value::Reference(id), Some(object)) if self.is_inline[id.0 as usize] => match object {
                Object::Array { elements, .. } => self.elements(elements),
                Object::EnumConstant { class, name } => format!("{}.{name}", class_name(class)),
                _ => self.heap.literal(value).unwrap_or_default(),
            },
            (Value::Reference(id), _) => self.names.get(id),
            _ => self.heap.literal(value).unwrap_or_default(),
        }
    }

    fn elements(&self, elements: &[Value]) -> String {
        let elements: Vec<String> = elements.iter().map(|value| self.value(*value)).collect();
        format!("{{{}}}", elements.join(", "))
    }

    /// The lines of the objects that values lead to: `o1: Node { value: 1, next: o2 }`.
    fn lines(&self, roots: impl IntoIterator<Item = Value>) -> Vec<String> {
        let mut order = reached(self.heap, roots);
        order.retain(|id| !self.is_inline[id.0 as usize]);
        let line = |id: ObjectId| {
            let content = self.content(&self.heap.objects[id.0 as usize]);
            format!("{}: {content}", self.names.get(id))
        };
        order.into_iter().map(line).collect()
    }

    fn content(&self, object: &Object) -> String {
        match object {
            Object::Instance { class, fields } => {
                let fields = named_fields(fields);
                let fields: Vec<String> =
                    fields.map(|(name, value)| format!("{name}: {}", self.value(value))).collect();
                let class = class_name(class);
                if fields.is_empty() {
                    format!("{class} {{}}")
                } else {
                    format!("{class} {{ {} }}", fields.join(", "))
                }
            }
            Object::Array { component, elements } => {
                format!("{}[] {}", external_type(component), self.elements(elements))
            }
            Object::Boxed(value) => {
                let class = class_name(value.box_class().unwrap_or_default());
                format!("{class} {}", self.value(*value))
            }
            Object::Opaque { class } => format!("{} (unknown)", class_name(class)),
            // These are inline.
            Object::String(_) | Object::EnumConstant { .. } => String::new(),
        }
    }
}

/// How many references to each object there are, as far as values lead.
fn references(heap: &Heap, roots: &[Value]) -> Vec<u32> {
    let mut counts = vec![0; heap.objects.len()];
    let mut count = |value| {
        if let Value::Reference(ObjectId(index)) = value
            && let Some(count) = counts.get_mut(index as usize)
        {
            *count += 1;
        }
    };
    roots.iter().copied().for_each(&mut count);
    for ObjectId(index) in reached(heap, roots.iter().copied()) {
        parts(&heap.objects[index as usize]).for_each(&mut count);
    }
    counts
}

/// Which objects are written where they are referred to, those `apart` not.
fn inline(heap: &Heap, roots: &[Value], apart: &BTreeSet<ObjectId>) -> Vec<bool> {
    let references = references(heap, roots);
    let mut is_inline = vec![false; heap.objects.len()];
    let mut depths = vec![0; heap.objects.len()];
    // What refers to an object comes before it.
    for id in reached(heap, roots.iter().copied()) {
        let index = id.0 as usize;
        let is_alone = references[index] == 1 && !apart.contains(&id) && depths[index] < MAX_DEPTH;
        is_inline[index] = match &heap.objects[index] {
            Object::String(_) | Object::EnumConstant { .. } => true,
            Object::Array { .. } | Object::Boxed(_) => is_alone,
            Object::Instance { .. } | Object::Opaque { .. } => false,
        };
        if is_inline[index] {
            let below = depths[index] + 1;
            for part in parts(&heap.objects[index]) {
                if let Value::Reference(ObjectId(part)) = part
                    && let Some(depth) = depths.get_mut(part as usize)
                {
                    *depth = below;
                }
            }
        }
    }
    is_inline
}

fn without(mut lines: Vec<String>, others: Vec<String>) -> Vec<String> {
    let others: BTreeSet<String> = others.into_iter().collect();
    lines.retain(|line| !others.contains(line));
    lines
}

/// The first lines, and how many there are more.
fn shortened(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MAX_OBJECTS);
    if more > 0 {
        lines.truncate(MAX_OBJECTS);
        lines.push(format!("and {more} more"));
    }
    lines
}
