//! Which objects are on cycles with each other.

use super::references;
use crate::{Heap, ObjectId, Value};

/// The strongly connected components of a heap, each after those that it leads to; the objects of each in their
/// order. This is Tarjan's algorithm, without its recursion.
pub(super) fn components(heap: &Heap) -> Vec<Vec<ObjectId>> {
    let count = heap.objects.len();
    let mut search = Search {
        heap,
        entered: 0,
        numbers: vec![None; count],
        lowest: vec![0; count],
        is_open: vec![false; count],
        open: Vec::new(),
        path: Vec::new(),
        found: Vec::new(),
    };
    for id in (0..count as u32).map(ObjectId) {
        if search.numbers[id.0 as usize].is_none() {
            search.run(id);
        }
    }
    search.found
}

struct Search<'a> {
    heap: &'a Heap,
    /// How many objects are entered.
    entered: usize,
    /// By object: in which order they are entered.
    numbers: Vec<Option<usize>>,
    /// By object: the lowest number of an open object that it is known to lead to.
    lowest: Vec<usize>,
    /// By object: whether it is entered and its component is not found.
    is_open: Vec<bool>,
    open: Vec<ObjectId>,
    /// The objects that are being looked at, each with what it refers to and was not followed yet, the next last.
    path: Vec<(ObjectId, Vec<ObjectId>)>,
    found: Vec<Vec<ObjectId>>,
}

impl Search<'_> {
    fn run(&mut self, root: ObjectId) {
        let mut next = Some(root);
        loop {
            if let Some(id) = next.take() {
                self.enter(id);
            }
            let Some((id, rest)) = self.path.last_mut() else { return };
            let id = *id;
            match rest.pop() {
                Some(part) => match self.numbers.get(part.0 as usize) {
                    Some(None) => next = Some(part),
                    Some(Some(number)) if self.is_open[part.0 as usize] => {
                        let lowest = &mut self.lowest[id.0 as usize];
                        *lowest = (*lowest).min(*number);
                    }
                    _ => {}
                },
                None => self.leave(id),
            }
        }
    }

    fn enter(&mut self, id: ObjectId) {
        let (index, number) = (id.0 as usize, self.entered);
        self.entered += 1;
        self.numbers[index] = Some(number);
        self.lowest[index] = number;
        self.is_open[index] = true;
        self.open.push(id);
        let parts: Vec<Value> = self.heap.objects[index].parts().collect();
        self.path.push((id, references(&parts).rev().collect()));
    }

    fn leave(&mut self, id: ObjectId) {
        self.path.pop();
        let lowest = self.lowest[id.0 as usize];
        if let Some((parent, _)) = self.path.last() {
            let of_parent = &mut self.lowest[parent.0 as usize];
            *of_parent = (*of_parent).min(lowest);
        }
        if self.numbers[id.0 as usize] == Some(lowest) {
            let start = self.open.iter().rposition(|open| *open == id).unwrap_or_default();
            let mut component = self.open.split_off(start);
            component.sort_unstable();
            component.iter().for_each(|id| self.is_open[id.0 as usize] = false);
            self.found.push(component);
        }
    }
}
