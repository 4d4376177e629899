//! Garbage collection: objects that nothing refers to any more make room for others.
//!
//! References never move. Whether a register or field holds a reference or a number is not recorded,
//! so that whatever could be a reference counts as one: an object may live longer than it has to, and
//! never shorter. Objects that were there when the call under way began are kept: whoever called may
//! hold them.

use crate::machine::calls::Doing;
use crate::machine::heap::Heap;
use crate::machine::stop::Limit;
use crate::machine::value::{Reference, Value};
use crate::machine::{Limits, Machine, Stop};

/// Objects that were reached.
struct Marks {
    marked: Vec<bool>,
    /// Those whose contents are still to be looked at.
    open: Vec<usize>,
}

impl Marks {
    fn reference(&mut self, reference: Reference) {
        let index = reference.index();
        if let Some(mark) = self.marked.get_mut(index)
            && !*mark
        {
            *mark = true;
            self.open.push(index);
        }
    }

    fn value(&mut self, value: Value) {
        if !value.is_symbolic()
            && let Ok(index) = u32::try_from(value.bits)
        {
            self.reference(Reference(index));
        }
    }
}

impl Machine<'_> {
    /// Makes room, or ends the derivation if there is none. `top` is the end of the registers in use.
    pub(super) fn make_room(&mut self, top: usize) -> Result<(), Stop> {
        let marks = self.mark(top);
        self.library.forget(|reference| !marks.marked[reference.index()]);
        self.heap.sweep(&marks.marked);
        self.observers.forget_objects(|reference| !marks.marked[reference.index()]);
        if self.heap.size > self.limits.heap {
            return Err(Stop::limit(Limit::HeapBytes(self.limits.heap as u64)));
        }
        let Limits { heap, garbage, .. } = self.limits;
        self.heap.collect_at = (self.heap.size * 2).clamp(garbage, garbage.max(heap));
        Ok(())
    }

    fn mark(&self, top: usize) -> Marks {
        let mut marks = Marks { marked: vec![false; self.heap.count()], open: Vec::new() };
        for index in 0..self.heap.kept {
            marks.reference(Reference(index as u32));
        }
        let registers = &self.stack[..top.min(self.stack.len())];
        for &value in registers.iter().chain(&self.statics) {
            marks.value(value);
        }
        for special in self.special.iter().chain(self.trail.noted_specials()) {
            for_each_value_of(&special.doing, |value| marks.value(value));
        }
        // Objects have negative numbers in terms. A number that only looks like one keeps an object alive.
        let mut in_term = |expr: petrel_solver::Expr| {
            let number = expr.constant().and_then(i64::checked_neg);
            if let Some(Ok(index)) = number.filter(|&number| number > 0).map(u32::try_from) {
                marks.reference(Reference(index));
            }
        };
        self.solver.store.for_each_constant(&mut in_term);
        self.exploration.for_each_expr(&mut in_term);
        self.exploration.for_each_value(|value| marks.value(value));
        self.heap.for_each_noted(|value| marks.value(value));
        self.trail.for_each_noted(|value| marks.value(value));
        self.strings.for_each_constant(|constant| marks.reference(constant));
        self.code.strings.iter().for_each(|constant| marks.reference(constant.reference));
        self.types.for_each_mirror(|mirror| marks.reference(mirror));
        self.library.for_each_root(|root| marks.reference(root));
        while let Some(index) = marks.open.pop() {
            let object = self.heap.object(Reference(index as u32));
            object.body.for_each_value(|value| marks.value(value));
        }
        marks
    }
}

/// The values that are needed for what is left to do.
pub(super) fn for_each_value_of(doing: &Doing, mut visit: impl FnMut(Value)) {
    match doing {
        Doing::Call(_, arguments) => arguments.iter().copied().for_each(visit),
        Doing::Give(value) | Doing::CheckInvariant(value, _) => visit(*value),
        Doing::Keep(object, _) | Doing::Build(_, object) | Doing::TakeShape(object) => {
            visit(Value::reference(*object));
        }
        Doing::Throw(exception) => visit(Value::reference(*exception)),
        _ => {}
    }
}

impl Heap {
    /// Frees what is not marked.
    fn sweep(&mut self, marked: &[bool]) {
        for (index, _) in marked.iter().enumerate().skip(1).filter(|(_, marked)| !**marked) {
            self.free_object(Reference(index as u32));
        }
    }
}
