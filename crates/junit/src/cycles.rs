//! Objects that lead to themselves: all of them have variables, and they are made in the order that the engine
//! follows, too.

use petrel_value::{BuildStep, Heap, Object, ObjectId, Value};

use crate::body::Body;
use crate::types::Type;

impl Body<'_> {
    pub(crate) fn is_there(&self, value: Value) -> bool {
        match self.heap.get(value) {
            Some(Object::Built { .. } | Object::Array { .. } | Object::Instance { .. }) => {
                let Value::Reference(id) = value else { return true };
                !self.is_late(id) || self.made[id.0 as usize].is_some()
            }
            _ => true,
        }
    }

    /// Whether an object is made by a step of its own, because of cycles.
    fn is_late(&self, id: ObjectId) -> bool {
        self.late.get(id.0 as usize) == Some(&true)
    }

    /// Makes everything in the engine's order.
    pub(crate) fn make_in_order(&mut self, reached: &[ObjectId]) -> Result<(), String> {
        let heap = self.heap;
        self.late = vec![false; heap.objects.len()];
        for id in reached {
            let object = &heap.objects[id.0 as usize];
            let is_late = matches!(
                object,
                Object::Built { .. } | Object::Array { .. } | Object::Instance { .. }
            );
            self.late[id.0 as usize] = is_late;
        }
        let mut sorted = reached.to_vec();
        sorted.sort_unstable();
        for &id in &sorted {
            let value = Value::Reference(id);
            let found = self.typing.of(value).cloned().unwrap_or_else(Type::object);
            let hint = self.hint_of(value);
            match &heap.objects[id.0 as usize] {
                Object::Array { component, elements } => {
                    let made = self.empty_array(component, elements.len())?;
                    self.declare(id, made, &found, &hint)?;
                }
                Object::Instance { class, .. } => self.allocate(id, class, &found, &hint)?,
                _ => {}
            }
        }
        for step in heap.order_of_building() {
            let (BuildStep::Make(id) | BuildStep::Fill(id) | BuildStep::Call(id)) = step;
            if sorted.binary_search(&id).is_err() {
                continue;
            }
            let value = Value::Reference(id);
            let found = self.typing.of(value).cloned().unwrap_or_else(Type::object);
            match (step, &heap.objects[id.0 as usize]) {
                (BuildStep::Make(_), Object::Built { by, calls, .. }) => {
                    if !by.arguments.iter().all(|&argument| self.is_there(argument)) {
                        return Err("an object that is made from itself".to_owned());
                    }
                    // It has a variable in any case: others may refer to it before it is complete.
                    self.uses[id.0 as usize] = 2;
                    let hint = self.hint_of(value);
                    self.make_built(id, by, calls, (&found, &found), &hint)?;
                }
                (BuildStep::Call(_), Object::Built { calls, .. }) => {
                    for call in calls {
                        self.call_on(id, call)?;
                    }
                }
                (BuildStep::Fill(_), Object::Array { elements, .. }) => {
                    if let Type::Array(component) = &found {
                        self.fill_array(id, elements, component)?;
                    }
                }
                (BuildStep::Fill(_), Object::Instance { fields, .. }) => {
                    self.fill_instance(id, fields, true)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether objects lead to themselves.
pub(crate) fn is_cyclic(heap: &Heap, reached: &[ObjectId]) -> bool {
    // Objects whose parts are all done are done; what is left has a cycle in it.
    let mut is_done = vec![false; heap.objects.len()];
    let mut left: Vec<ObjectId> = reached.iter().rev().copied().collect();
    loop {
        let before = left.len();
        left.retain(|id| {
            let mut parts = heap.objects[id.0 as usize].parts();
            let done = parts.all(|part| match part {
                Value::Reference(part) => is_done.get(part.0 as usize) != Some(&false),
                _ => true,
            });
            is_done[id.0 as usize] = done;
            !done
        });
        if left.is_empty() || left.len() == before {
            return !left.is_empty();
        }
    }
}
