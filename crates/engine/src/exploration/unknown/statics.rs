//! Static fields: other contents than those after initialisation, and objects that they lead to.

use petrel_program::StaticChange;

use crate::machine::{LeftOut, Machine, Reference, Step, TypeId, Value};

/// So many objects are looked at to find out whether static fields lead to one.
const MOST_LOOKED_AT: usize = 10_000;

impl Machine<'_> {
    /// A static field is read that may hold something else in another run of the program, or on another machine.
    #[cold]
    pub(crate) fn see_changing_static(&mut self, field: u32) -> Step {
        let value = self.static_at(field);
        // An unknown stands for everything.
        if !self.exploration.is_on() || value.is_symbolic() {
            return Ok(());
        }
        let Some(read) = self.static_read(field) else { return Ok(()) };
        let is_changing = match read.change {
            StaticChange::Nothing => false,
            StaticChange::Everything => true,
            StaticChange::Object | StaticChange::ObjectOrArray => {
                let with_arrays = read.change == StaticChange::ObjectOrArray;
                self.is_changeable(value.as_reference(), with_arrays)
            }
        };
        if is_changing {
            let what = if self.is_of_library(read.class) {
                LeftOut::Machine
            } else {
                LeftOut::StaticState(self.types.java_name(read.class))
            };
            self.note_left_out(what);
        }
        Ok(())
    }

    /// Whether code may change an object: not if all its fields are final.
    fn is_changeable(&mut self, object: Reference, with_arrays: bool) -> bool {
        if object.is_null() {
            return false;
        }
        let class = self.heap.class(object);
        if self.types.get(class).component.is_some() {
            return with_arrays && self.heap.known_length(object) != Ok(0);
        }
        let name = &self.types.get(class).name;
        if class == TypeId::STRING
            || class == TypeId::CLASS
            || petrel_value::unboxed(name).is_some()
        {
            return false;
        }
        let Ok(class) = self.class(class) else { return true };
        let mut lineage = class.lineage();
        lineage.any(|class| {
            // Fields of this one hold what others compute when they are first asked.
            class.name() != "java/lang/Enum"
                && class.fields().any(|field| !field.is_static() && !field.is_final())
        })
    }

    /// Whether initialisers have made an object, as far as can be seen: it was there before the path, or static fields of
    /// the project lead to it.
    pub(in crate::exploration) fn is_of_initialisers(&mut self, object: Reference) -> bool {
        if self.heap.is_permanent(object) {
            return true;
        }
        let mut open: Vec<Reference> = self.objects_of_statics();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(next) = open.pop() {
            if next == object {
                return true;
            }
            if next.is_null() || !seen.insert(next) {
                continue;
            }
            if seen.len() > MOST_LOOKED_AT {
                return true;
            }
            open.extend(self.objects_inside(next));
        }
        false
    }

    /// The objects that the fields or elements of an object refer to.
    fn objects_inside(&mut self, object: Reference) -> Vec<Reference> {
        let class = self.heap.class(object);
        if let Some((component, _)) = self.types.get(class).component {
            let length = self.heap.known_length(object).unwrap_or(0);
            if component.is_primitive() {
                return Vec::new();
            }
            let elements = (0..length).map(|at| self.heap.get_element(object, at));
            return elements.filter(|value| value.is_known()).map(Value::as_reference).collect();
        }
        if !self.heap.is_made(object) {
            return Vec::new();
        }
        let Ok(outlines) = self.field_outlines(class) else { return Vec::new() };
        let references = outlines.iter().filter(|field| !field.of.is_primitive());
        let values = references.map(|field| self.heap.get_field(object, field.slot));
        values.filter(|value| value.is_known()).map(Value::as_reference).collect()
    }
}
