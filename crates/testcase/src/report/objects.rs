//! The objects of a solution: in which order they are told, and what they are called.

#[cfg(test)]
mod tests;

use petrel_value::{FieldValue, Heap, Object, ObjectId, Value};

use crate::case::{Solution, Symbolic, SymbolicObject};

/// The values that the call starts from: receiver, arguments, static fields.
pub(crate) fn roots_before(solution: &Solution) -> Vec<Value> {
    let statics = solution.statics.iter().map(|field| field.value);
    solution.receiver.iter().chain(&solution.arguments).copied().chain(statics).collect()
}

/// Receiver and arguments after the call.
pub(crate) fn roots_after(solution: &Solution) -> Vec<Value> {
    let output = &solution.output;
    output.receiver.iter().chain(&output.arguments).copied().collect()
}

/// The objects that are known to be the same before and after the call: receiver and arguments.
pub(crate) fn same_roots(solution: &Solution) -> impl Iterator<Item = (ObjectId, ObjectId)> {
    let output = &solution.output;
    let receivers = solution.receiver.iter().zip(&output.receiver);
    let arguments = solution.arguments.iter().zip(&output.arguments);
    receivers.chain(arguments).filter_map(|(&old, &new)| {
        let (Value::Reference(old_id), Value::Reference(new_id)) = (old, new) else { return None };
        let are_there = solution.heap.get(old).is_some() && output.heap.get(new).is_some();
        are_there.then_some((old_id, new_id))
    })
}

/// Fields with their names; one that shares its name with a field of another class is
/// `pkg.Class.name`.
pub(crate) fn named_fields(fields: &[FieldValue]) -> impl Iterator<Item = (String, Value)> {
    fields.iter().map(|field| {
        let shared = fields.iter().filter(|other| other.name == field.name).count() > 1;
        let name = if shared { qualified(field) } else { field.name.to_string() };
        (name, field.value)
    })
}

/// `pkg.Class.name`.
pub(crate) fn qualified(field: &FieldValue) -> String {
    format!("{}.{}", class_name(&field.class), field.name)
}

/// `pkg.Class` for `pkg/Class`.
pub(crate) fn class_name(internal_name: &str) -> String {
    internal_name.replace('/', ".")
}

/// Whether an object over source names is none of the input: those have the names of access paths.
pub(crate) fn is_new(object: &SymbolicObject, symbolic: &Symbolic) -> bool {
    let number = object.name.strip_prefix('o').unwrap_or_default();
    number.parse::<u32>().is_ok() && !symbolic.arguments.contains(&object.name)
}

/// Whether it is an array and the parts are its elements, not just some of them. Of an array of the
/// input a path has only what it looks at.
pub(crate) fn has_all_elements(object: &SymbolicObject, symbolic: &Symbolic) -> bool {
    let mut names = object.parts.iter().enumerate();
    object.is_array
        && object.length.is_none()
        && is_new(object, symbolic)
        && names.all(|(index, (name, _))| *name == index.to_string())
}

/// The names of the objects of a heap: `o1`. Strings are values and have none.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    /// By object.
    numbers: Vec<Option<u32>>,
    /// The greatest number.
    last: u32,
}

impl Names {
    /// The names before the call, in the order in which the objects are reached.
    pub(crate) fn before(solution: &Solution) -> Names {
        let heap = &solution.heap;
        let mut names = Names { numbers: vec![None; heap.objects.len()], last: 0 };
        names.add(heap, heap.reached(roots_before(solution)));
        names.add(heap, all(heap));
        names
    }

    /// The names after the call: those of receiver and arguments are the same as before, and all
    /// others are new.
    pub(crate) fn after(&self, solution: &Solution) -> Names {
        let output = &solution.output;
        let mut names = self.taken_over(&output.heap, same_roots(solution));
        let roots = roots_after(solution).into_iter().chain(output.value);
        names.add(&output.heap, output.heap.reached(roots));
        names.add(&output.heap, all(&output.heap));
        names
    }

    /// Names for another heap, whose objects keep those that they have here.
    pub(crate) fn taken_over(
        &self,
        heap: &Heap,
        same: impl IntoIterator<Item = (ObjectId, ObjectId)>,
    ) -> Names {
        let mut numbers = vec![None; heap.objects.len()];
        for (old, new) in same {
            let number = &mut numbers[new.0 as usize];
            *number = number.or(self.numbers[old.0 as usize]);
        }
        Names { numbers, last: self.last }
    }

    /// Names the objects among these that have no name yet.
    pub(crate) fn add(&mut self, heap: &Heap, objects: impl IntoIterator<Item = ObjectId>) {
        for ObjectId(index) in objects {
            let index = index as usize;
            let is_value = matches!(heap.objects[index], Object::String(_));
            if self.numbers[index].is_none() && !is_value {
                self.last += 1;
                self.numbers[index] = Some(self.last);
            }
        }
    }

    /// The name of an object; empty if it has none.
    pub(crate) fn get(&self, ObjectId(index): ObjectId) -> String {
        let number = self.numbers.get(index as usize).copied().flatten();
        number.map(|number| format!("o{number}")).unwrap_or_default()
    }

    /// The objects that have names, in the order of these.
    pub(crate) fn objects(&self) -> Vec<ObjectId> {
        let numbers = (0..).zip(&self.numbers);
        let mut objects: Vec<(u32, ObjectId)> =
            numbers.filter_map(|(index, number)| Some(((*number)?, ObjectId(index)))).collect();
        objects.sort_unstable();
        objects.into_iter().map(|(_, object)| object).collect()
    }
}

fn all(heap: &Heap) -> impl Iterator<Item = ObjectId> + use<> {
    (0..heap.objects.len() as u32).map(ObjectId)
}
