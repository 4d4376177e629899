//! Values and objects as text.
//!
//! Strings and enum constants are written where they are, and so are arrays, boxes and objects built by calls
//! to which nothing else refers. All other objects have names, and lines of their own.

use std::collections::BTreeSet;

use petrel_program::external_type;
use petrel_value::{Call, Heap, Object, ObjectId, Shared, Value};
use rustc_hash::FxHashSet;

use super::matching;
use crate::case::Solution;
use crate::report::objects::{
    Names, class_name, named_fields, roots_after, roots_before, same_roots,
};

/// More objects than this are only counted.
const MAX_OBJECTS: usize = 40;
/// Arrays in arrays that are written in one line.
const MAX_DEPTH: usize = 8;
/// More elements of an array than this are only counted.
const MAX_ELEMENTS: usize = 32;

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
        let order = after.reached(new_roots);
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
        self.before.lines(self.before.named(roots_before(self.solution)))
    }

    /// The objects that the returned value alone leads to.
    pub(super) fn given(&self) -> Vec<String> {
        let others: BTreeSet<ObjectId> =
            self.after.named(roots_after(self.solution)).into_iter().collect();
        let mut given = self.after.named(self.solution.output.value);
        given.retain(|id| !others.contains(id));
        self.after.lines(given)
    }

    /// The objects that receiver and arguments lead to after the call, if they are new or changed.
    pub(super) fn left(&self) -> Vec<String> {
        let before = self.before.named(roots_before(self.solution)).into_iter();
        let before: FxHashSet<String> = before.map(|id| self.before.line(id, usize::MAX)).collect();
        let mut left = self.after.named(roots_after(self.solution));
        let mut line = String::new();
        left.retain(|&id| {
            line.clear();
            self.after.write_line(id, usize::MAX, &mut line);
            !before.contains(&line)
        });
        self.after.lines(left)
    }
}

impl Picture<'_> {
    /// A value as a Java literal; `o1` for an object that has a name.
    pub(super) fn value(&self, value: Value) -> String {
        self.text(value, MAX_ELEMENTS)
    }

    /// A value, with at most so many elements of each array.
    fn text(&self, value: Value, most: usize) -> String {
        let mut out = String::new();
        self.write(value, most, &mut out);
        out
    }

    fn write(&self, value: Value, most: usize, out: &mut String) {
        match (value, self.heap.get(value)) {
            (Value::Reference(id), Some(object)) if self.is_inline[id.0 as usize] => match object {
                Object::Array { elements, .. } => self.write_elements(elements, most, out),
                Object::EnumConstant { class, name } => {
                    *out += &class_name(class);
                    out.push('.');
                    *out += name;
                }
                Object::Shared(Shared::Static { class, field, element }) => {
                    *out += &static_text(class, field, *element);
                }
                Object::Built { by, calls, .. } => *out += &self.built(by, calls, most),
                _ => {
                    self.heap.write_literal(value, out);
                }
            },
            (Value::Reference(id), _) => self.names.write(id, out),
            _ => {
                self.heap.write_literal(value, out);
            }
        }
    }

    fn write_elements(&self, elements: &[Value], most: usize, out: &mut String) {
        out.push('{');
        for (position, value) in elements.iter().take(most).enumerate() {
            *out += if position == 0 { "" } else { ", " };
            self.write(*value, most, out);
        }
        if elements.len() > most {
            *out += if most == 0 { "" } else { ", " };
            *out += &format!("and {} more", elements.len() - most);
        }
        out.push('}');
    }

    /// `new java.util.ArrayList() add("a") add(null)`, with at most so many calls.
    fn built(&self, by: &Call, calls: &[Call], most: usize) -> String {
        let shown = &calls[..calls.len().min(most)];
        let mut text = Call::building_text(by, shown, |value| self.text(value, most));
        if shown.len() < calls.len() {
            text += &format!(" and {} more", calls.len() - shown.len());
        }
        text
    }

    /// The objects with names that values lead to.
    fn named(&self, roots: impl IntoIterator<Item = Value>) -> Vec<ObjectId> {
        let mut order = self.heap.reached(roots);
        order.retain(|id| !self.is_inline[id.0 as usize]);
        order
    }

    /// A line for each object; of many, for the first.
    fn lines(&self, objects: Vec<ObjectId>) -> Vec<String> {
        let shown = objects.iter().take(MAX_OBJECTS);
        let mut lines: Vec<String> = shown.map(|id| self.line(*id, MAX_ELEMENTS)).collect();
        if objects.len() > MAX_OBJECTS {
            lines.push(format!("and {} more", objects.len() - MAX_OBJECTS));
        }
        lines
    }

    /// `o1: Node { value: 1, next: o2 }`, with at most so many elements of each array.
    fn line(&self, id: ObjectId, most: usize) -> String {
        let mut line = String::new();
        self.write_line(id, most, &mut line);
        line
    }

    fn write_line(&self, id: ObjectId, most: usize, out: &mut String) {
        self.names.write(id, out);
        *out += ": ";
        match &self.heap.objects[id.0 as usize] {
            Object::Instance { class, fields } => {
                *out += &class_name(class);
                *out += " {";
                let mut between = " ";
                for (name, value) in named_fields(fields) {
                    *out += between;
                    *out += &name;
                    *out += ": ";
                    self.write(value, most, out);
                    between = ", ";
                }
                *out += if between == " " { "}" } else { " }" };
            }
            Object::Array { component, elements } => {
                *out += &external_type(component);
                *out += "[] ";
                self.write_elements(elements, most, out);
            }
            Object::Boxed(value) => {
                *out += &class_name(value.box_class().unwrap_or_default());
                out.push(' ');
                self.write(*value, most, out);
            }
            Object::Built { by, calls, .. } => *out += &self.built(by, calls, most),
            Object::Opaque { class } => {
                *out += &class_name(class);
                *out += " (unknown)";
            }
            // These are inline.
            Object::String(_) | Object::EnumConstant { .. } | Object::Shared(_) => {}
        }
    }
}

/// `Registry.FIRST`, `Registry.ALL[2]`.
fn static_text(class: &str, field: &str, element: Option<u32>) -> String {
    let element = element.map_or_else(String::new, |element| format!("[{element}]"));
    format!("{}.{field}{element}", class_name(class))
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
    for ObjectId(index) in heap.reached(roots.iter().copied()) {
        heap.objects[index as usize].parts().for_each(&mut count);
    }
    counts
}

/// Which objects are written where they are referred to, those `apart` not.
fn inline(heap: &Heap, roots: &[Value], apart: &BTreeSet<ObjectId>) -> Vec<bool> {
    let references = references(heap, roots);
    let mut is_inline = vec![false; heap.objects.len()];
    let mut depths = vec![0; heap.objects.len()];
    // What refers to an object comes before it.
    for id in heap.reached(roots.iter().copied()) {
        let index = id.0 as usize;
        let is_alone = references[index] == 1 && !apart.contains(&id) && depths[index] < MAX_DEPTH;
        is_inline[index] = match &heap.objects[index] {
            Object::String(_) | Object::EnumConstant { .. } | Object::Shared(_) => true,
            Object::Array { .. } | Object::Boxed(_) | Object::Built { .. } => is_alone,
            Object::Instance { .. } | Object::Opaque { .. } => false,
        };
        if is_inline[index] {
            let below = depths[index] + 1;
            for part in heap.objects[index].parts() {
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
