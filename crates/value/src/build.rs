//! The order in which the objects of a heap are built.
//!
//! Code that builds an object looks at its arguments: a set asks its elements for their hash codes. So these have
//! to be complete before, with all that they lead to. Whoever builds the heap, in the engine or in a JVM, follows
//! one and the same order, because what is built on a cycle may depend on it.

mod components;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use components::components;

use crate::{Heap, Object, ObjectId, Value};

/// A step of building the objects of a heap. Strings, boxes, constants, and arrays and instances that hold nothing
/// yet are there before the first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuildStep {
    /// Makes a built object, by its first call.
    Make(ObjectId),
    /// Gives an array or instance its elements or fields, but for those that are references to objects which
    /// are not made yet; the step comes again when they are.
    Fill(ObjectId),
    /// Makes all further calls on a built object.
    Call(ObjectId),
}

impl Heap {
    /// The order in which the objects are built.
    ///
    /// Before an object is made from arguments, and before it is called with some, everything that these lead to
    /// is complete. A cycle forbids that: of what is on a cycle with an object, as much is there as can be. A
    /// reference to an object that is made from nothing, such as an empty list, always is.
    ///
    /// No order makes an object that is made from itself. It has its step all the same, and whoever follows that
    /// finds no argument, and refuses the heap.
    pub fn order_of_building(&self) -> Vec<BuildStep> {
        let mut order = Order::new(self);
        order.make_what_needs_nothing();
        order.fill_all();
        // Without built objects, which is common, that is all.
        if self.objects.iter().any(is_built) {
            order.visit_all();
            order.make_the_impossible();
        }
        order.steps
    }
}

/// The order as far as it is known.
struct Order<'a> {
    heap: &'a Heap,
    steps: Vec<BuildStep>,
    /// By object: whether references to it exist.
    is_made: Vec<bool>,
    /// By object: whether it is made from other objects.
    is_late: Vec<bool>,
    is_visited: Vec<bool>,
    /// By object that is not made: the steps that need it.
    waiting: BTreeMap<ObjectId, Vec<BuildStep>>,
    /// What is still to be done, the next last: graphs may be too deep for a recursion.
    tasks: Vec<Task>,
}

#[derive(Clone, Copy)]
enum Task {
    /// Completes an object, after what it refers to.
    Visit(ObjectId),
    /// Takes a step, or waits for what it needs.
    Step(BuildStep),
}

impl<'a> Order<'a> {
    fn new(heap: &'a Heap) -> Order<'a> {
        let is_late = |object: &Object| match object {
            Object::Built { by, .. } => references(&by.arguments).next().is_some(),
            _ => false,
        };
        Order {
            heap,
            steps: Vec::new(),
            is_made: heap.objects.iter().map(|object| !is_built(object)).collect(),
            is_late: heap.objects.iter().map(is_late).collect(),
            is_visited: vec![false; heap.objects.len()],
            waiting: BTreeMap::new(),
            tasks: Vec::new(),
        }
    }

    fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.heap.objects.len() as u32).map(ObjectId)
    }

    /// With these made, most cycles are no obstacle.
    fn make_what_needs_nothing(&mut self) {
        for id in self.ids() {
            if !self.is_made[id.0 as usize] && !self.is_late[id.0 as usize] {
                self.make(id);
            }
        }
    }

    /// Before anything is called: what it sees on a cycle is as complete as it can be.
    fn fill_all(&mut self) {
        for (id, object) in self.ids().zip(&self.heap.objects) {
            if is_filled(object) {
                self.steps.push(BuildStep::Fill(id));
            }
        }
    }

    fn visit_all(&mut self) {
        // What is not on a cycle with an object comes before it, even if the cycle leads there.
        for component in components(self.heap) {
            // What is made from others comes first: on a cycle, it looks at more than calls do.
            let (late, others): (Vec<ObjectId>, Vec<ObjectId>) =
                component.into_iter().partition(|id| self.is_late(*id));
            for id in late.into_iter().chain(others) {
                self.tasks.push(Task::Visit(id));
                self.do_tasks();
            }
        }
    }

    /// What is left is made from itself.
    fn make_the_impossible(&mut self) {
        for id in self.ids() {
            if !self.is_made[id.0 as usize] {
                self.make(id);
                self.do_tasks();
            }
        }
    }

    fn do_tasks(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(id) => self.visit(id),
                Task::Step(step) => self.step(step),
            }
        }
    }

    fn visit(&mut self, id: ObjectId) {
        let index = id.0 as usize;
        if std::mem::replace(&mut self.is_visited[index], true) {
            return;
        }
        // The last task that is pushed is the first.
        match &self.heap.objects[index] {
            Object::Built { by, calls, .. } => {
                if !calls.is_empty() {
                    self.tasks.push(Task::Step(BuildStep::Call(id)));
                }
                for call in calls.iter().rev() {
                    self.push_visits(references(&call.arguments));
                }
                if !self.is_made[index] {
                    self.tasks.push(Task::Step(BuildStep::Make(id)));
                    self.push_visits(references(&by.arguments));
                }
            }
            object => {
                let parts: Vec<Value> = object.parts().collect();
                if references(&parts).any(|part| self.is_late(part)) {
                    self.tasks.push(Task::Step(BuildStep::Fill(id)));
                }
                self.push_visits(references(&parts));
            }
        }
    }

    /// The objects are visited in their order.
    fn push_visits(&mut self, ids: impl DoubleEndedIterator<Item = ObjectId>) {
        for id in ids.rev() {
            if self.is_visited.get(id.0 as usize) == Some(&false) {
                self.tasks.push(Task::Visit(id));
            }
        }
    }

    fn step(&mut self, step: BuildStep) {
        match step {
            BuildStep::Make(id) => match self.missing(id, step) {
                Some(missing) => self.wait(missing, step),
                // The impossible was made before.
                None if self.is_made[id.0 as usize] => {}
                None => self.make(id),
            },
            BuildStep::Call(id) => match self.missing(id, step) {
                Some(missing) => self.wait(missing, step),
                None => self.steps.push(step),
            },
            BuildStep::Fill(id) => {
                // What is there helps, whatever comes later.
                let parts: Vec<Value> = self.heap.objects[id.0 as usize].parts().collect();
                let is_new = |id: ObjectId| self.is_late(id) && self.is_made[id.0 as usize];
                if references(&parts).any(is_new) {
                    self.steps.push(step);
                }
                if let Some(missing) = self.missing(id, step) {
                    self.wait(missing, step);
                }
            }
        }
    }

    /// An object without which a step cannot be taken, or not completely.
    fn missing(&self, id: ObjectId, step: BuildStep) -> Option<ObjectId> {
        let object = &self.heap.objects[id.0 as usize];
        let is_missing = |id: &ObjectId| self.is_made.get(id.0 as usize) == Some(&false);
        match (step, object) {
            (BuildStep::Make(_), Object::Built { by, .. }) => {
                references(&by.arguments).find(is_missing)
            }
            (BuildStep::Call(_), Object::Built { calls, .. }) => {
                let given = calls.iter().flat_map(|call| references(&call.arguments));
                [id].into_iter().chain(given).find(is_missing)
            }
            _ => {
                let parts: Vec<Value> = object.parts().collect();
                references(&parts).find(is_missing)
            }
        }
    }

    fn wait(&mut self, missing: ObjectId, step: BuildStep) {
        self.waiting.entry(missing).or_default().push(step);
    }

    fn make(&mut self, id: ObjectId) {
        self.steps.push(BuildStep::Make(id));
        self.is_made[id.0 as usize] = true;
        let waiting = self.waiting.remove(&id).unwrap_or_default();
        self.tasks.extend(waiting.into_iter().rev().map(Task::Step));
    }

    fn is_late(&self, id: ObjectId) -> bool {
        self.is_late.get(id.0 as usize) == Some(&true)
    }
}

fn is_built(object: &Object) -> bool {
    matches!(object, Object::Built { .. })
}

/// Whether it is there before it has what it holds.
fn is_filled(object: &Object) -> bool {
    matches!(object, Object::Array { .. } | Object::Instance { .. })
}

fn references(values: &[Value]) -> impl DoubleEndedIterator<Item = ObjectId> {
    values.iter().filter_map(|value| match value {
        Value::Reference(id) => Some(*id),
        _ => None,
    })
}
