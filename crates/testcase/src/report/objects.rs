//! The objects of a solution: in which order they are told, and what they are called.

#[cfg(test)]
mod tests;

use petrel_value::{FieldValue, Heap, Object, ObjectId, Value};
use std::borrow::Cow;
use std::fmt::Write;

use crate::case::Solution;

/// The values that the call starts from: receiver, arguments, static fields, and answers of the world outside.
pub fn roots_before(solution: &Solution) -> Vec<Value> {
    let statics = solution.statics.iter().map(|field| field.value);
    let answers = solution.answers.iter().map(|answer| answer.value);
    let inputs = solution.receiver.iter().chain(&solution.arguments).copied();
    inputs.chain(statics).chain(answers).collect()
}

/// Receiver and arguments after the call.
pub fn roots_after(solution: &Solution) -> Vec<Value> {
    let output = &solution.output;
    output.receiver.iter().chain(&output.arguments).copied().collect()
}

/// The objects that are known to be the same before and after the call: receiver and arguments.
pub fn same_roots(solution: &Solution) -> impl Iterator<Item = (ObjectId, ObjectId)> {
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
pub fn named_fields(fields: &[FieldValue]) -> impl Iterator<Item = (Cow<'_, str>, Value)> {
    fields.iter().map(|field| {
        let is_shared = is_name_shared(field, fields);
        let name = if is_shared { qualified(field).into() } else { Cow::from(&*field.name) };
        (name, field.value)
    })
}

/// Whether another one of these fields has the same name.
pub fn is_name_shared(field: &FieldValue, fields: &[FieldValue]) -> bool {
    fields.iter().filter(|other| other.name == field.name).count() > 1
}

/// `pkg.Class.name`.
pub fn qualified(field: &FieldValue) -> String {
    format!("{}.{}", class_name(&field.class), field.name)
}

/// `pkg.Class` for `pkg/Class`.
pub fn class_name(internal_name: &str) -> String {
    internal_name.replace('/', ".")
}

/// The names of the objects of a heap: `o1`. Strings are values and have none.
#[derive(Debug, Clone)]
pub struct Names {
    /// By object.
    numbers: Vec<Option<u32>>,
    /// The greatest number.
    last: u32,
}

impl Names {
    /// The names before the call, in the order in which the objects are reached.
    pub fn before(solution: &Solution) -> Names {
        let heap = &solution.heap;
        let mut names = Names { numbers: vec![None; heap.objects.len()], last: 0 };
        names.add(heap, heap.reached(roots_before(solution)));
        names.add(heap, all(heap));
        names
    }

    /// The names after the call: those of receiver and arguments are the same as before, and all
    /// others are new.
    pub fn after(&self, solution: &Solution) -> Names {
        let output = &solution.output;
        let mut names = self.taken_over(&output.heap, same_roots(solution));
        let roots = roots_after(solution).into_iter().chain(output.value);
        names.add(&output.heap, output.heap.reached(roots));
        names.add(&output.heap, all(&output.heap));
        names
    }

    /// Names for another heap, whose objects keep those that they have here.
    pub fn taken_over(
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
    pub fn add(&mut self, heap: &Heap, objects: impl IntoIterator<Item = ObjectId>) {
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
    pub fn get(&self, id: ObjectId) -> String {
        let mut name = String::new();
        self.write(id, &mut name);
        name
    }

    /// Writes the name of an object, if it has one.
    pub fn write(&self, id: ObjectId, out: &mut String) {
        if let Some(number) = self.number(id) {
            // To write to a string never fails.
            let _ = write!(out, "o{number}");
        }
    }

    /// The number in the name of an object, if it has one.
    pub fn number(&self, ObjectId(index): ObjectId) -> Option<u32> {
        self.numbers.get(index as usize).copied().flatten()
    }

    /// The objects that have names, in the order of these.
    pub fn objects(&self) -> Vec<ObjectId> {
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
