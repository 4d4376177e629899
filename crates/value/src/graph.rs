//! What objects refer to.

use crate::{Heap, Object, ObjectId, Value};

impl Object {
    /// What it holds: its fields or elements, or the arguments of the calls that it is built by, in their order.
    pub fn parts(&self) -> impl Iterator<Item = Value> {
        let (elements, fields, by, calls): (&[_], &[_], _, &[_]) = match self {
            Object::Array { elements, .. } => (elements, &[], None, &[]),
            Object::Instance { fields, .. } => (&[], fields, None, &[]),
            Object::Built { by, calls, .. } => (&[], &[], Some(by), calls),
            Object::String(_)
            | Object::Boxed(_)
            | Object::EnumConstant { .. }
            | Object::Shared(_)
            | Object::Opaque { .. } => (&[], &[], None, &[]),
        };
        let arguments = by.into_iter().chain(calls).flat_map(|call| &call.arguments);
        elements
            .iter()
            .copied()
            .chain(fields.iter().map(|field| field.value))
            .chain(arguments.copied())
    }
}

impl Object {
    /// Changes each of its parts.
    fn change_parts(&mut self, change: impl Fn(Value) -> Value) {
        let apply = |values: &mut Vec<Value>| {
            values.iter_mut().for_each(|value| *value = change(*value));
        };
        match self {
            Object::Array { elements, .. } => apply(elements),
            Object::Instance { fields, .. } => {
                fields.iter_mut().for_each(|field| field.value = change(field.value));
            }
            Object::Built { by, calls, .. } => {
                [by].into_iter().chain(calls).for_each(|call| apply(&mut call.arguments));
            }
            Object::String(_)
            | Object::Boxed(_)
            | Object::EnumConstant { .. }
            | Object::Shared(_)
            | Object::Opaque { .. } => {}
        }
    }
}

impl Heap {
    /// Adds the objects of another heap; what a value of that heap is in this one.
    pub fn append(&mut self, other: &Heap, value: Value) -> Value {
        let offset = self.objects.len() as u32;
        let moved = |value: Value| match value {
            Value::Reference(ObjectId(index)) => Value::Reference(ObjectId(index + offset)),
            value => value,
        };
        self.objects.extend(other.objects.iter().map(|object| {
            let mut object = object.clone();
            object.change_parts(moved);
            object
        }));
        moved(value)
    }

    /// The objects that values lead to, the nearest first.
    pub fn reached(&self, roots: impl IntoIterator<Item = Value>) -> Vec<ObjectId> {
        let mut order = Vec::new();
        let mut is_known = vec![false; self.objects.len()];
        let mut add = |value: Value, order: &mut Vec<ObjectId>| {
            let Value::Reference(id) = value else { return };
            if is_known.get(id.0 as usize) == Some(&false) {
                is_known[id.0 as usize] = true;
                order.push(id);
            }
        };
        roots.into_iter().for_each(|root| add(root, &mut order));
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            self.objects[id.0 as usize].parts().for_each(|part| add(part, &mut order));
        }
        order
    }
}
