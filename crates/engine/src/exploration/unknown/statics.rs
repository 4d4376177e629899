//! Static fields: other contents than those after initialisation, and objects that they lead to.

use petrel_program::StaticChange;

use crate::machine::{FieldOutline, LeftOut, Machine, Reference, Step, TypeId, Value};

/// So many objects are looked at to find out whether static fields lead to one.
const MOST_LOOKED_AT: usize = 10_000;

impl Machine<'_> {
    /// A static field is read that may hold something else in another run of the program, or on another machine.
    #[cold]
    pub(crate) fn see_changing_static(&mut self, field: u32) -> Step {
        let value = self.static_at(field);
        let Some(read) = self.static_read(field) else { return Ok(()) };
        self.see_doubts_of_field(field, read.class);
        // Before its class is initialised, nobody else has changed what it holds.
        if self.exploration.is_preparing()
            && self.initialisers_under_way().any(|of| of == read.class)
        {
            return Ok(());
        }
        // An unknown stands for everything, but not where an initialiser keeps it: that may have run before, with another one.
        let is_kept = !self.project_initialisers().is_empty();
        if !self.exploration.is_on() || value.is_symbolic() && !is_kept {
            return Ok(());
        }
        let is_changing = match read.change {
            StaticChange::Nothing => false,
            StaticChange::Everything => true,
            StaticChange::Object(kept) => self.may_static_change(field, value.as_reference(), kept),
        };
        let is_of_library = self.is_of_library(read.class);
        let is_hidden = is_of_library && self.library.instability.is_hidden;
        if is_changing && !is_hidden {
            let what = if is_of_library {
                LeftOut::Machine
            } else {
                LeftOut::StaticState(self.types.java_name(read.class))
            };
            self.note_left_out(what);
        }
        Ok(())
    }

    /// Whether code may change what a static field leads to that holds the same reference for ever.
    fn may_static_change(&mut self, field: u32, object: Reference, kept: usize) -> bool {
        let known = self.exploration.unknown.classes.changing_statics.get(&field);
        if let Some(&known) = known {
            return known;
        }
        let may_change = self.may_change(object, kept);
        self.exploration.unknown.classes.changing_statics.insert(field, may_change);
        may_change
    }

    /// Arguments may be constants of the enums that are known so far.
    pub(in crate::exploration) fn see_constants_of_arguments(&mut self) {
        let constants = self.exploration.unknown.classes.constants.keys().copied();
        let mut enums: Vec<TypeId> = constants.collect();
        enums.sort_unstable();
        enums.into_iter().for_each(|of| self.see_changing_constants(of));
    }

    /// An unknown may be a constant of an enum: what a constant holds may be something else in another run.
    pub(in crate::exploration) fn see_changing_constants(&mut self, of: TypeId) {
        let known = self.exploration.unknown.classes.changing_constants.get(&of).copied();
        let may_change = known.unwrap_or_else(|| {
            let constants = self.exploration.unknown.classes.constants.get(&of).cloned();
            let constants = constants.iter().flat_map(|all| all.iter());
            let constants: Vec<Reference> = constants.map(|known| Reference(known.0)).collect();
            constants.into_iter().any(|constant| self.may_change(constant, 0))
        });
        self.exploration.unknown.classes.changing_constants.insert(of, may_change);
        self.see_doubts_of_class(of);
        if may_change {
            self.note_left_out(LeftOut::StaticState(self.types.java_name(of)));
        }
    }

    /// Whether code may change an object that initialisers have made, or one that it leads to. If it is an array, nobody writes to
    /// so many dimensions of it.
    fn may_change(&mut self, object: Reference, kept: usize) -> bool {
        let mut open = vec![(object, kept)];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some((object, kept)) = open.pop() {
            if object.is_null() || !seen.insert(object) {
                continue;
            }
            let class = self.heap.class(object);
            let is_array = self.types.get(class).component.is_some();
            let changes = if is_array {
                kept == 0 && self.heap.known_length(object) != Ok(0)
            } else {
                self.has_changing_field(class)
            };
            if changes || seen.len() > MOST_LOOKED_AT {
                return true;
            }
            if is_array {
                let rows = self.objects_inside(object).into_iter();
                open.extend(rows.map(|row| (row, kept.saturating_sub(1))));
            } else if !self.is_value(class) {
                open.extend(self.objects_in_fields(object));
            }
        }
        false
    }

    /// Whether objects of a class are no more than what they hold, and that is no other object.
    fn is_value(&self, class: TypeId) -> bool {
        class == TypeId::STRING
            || class == TypeId::CLASS
            || petrel_value::unboxed(&self.types.get(class).name).is_some()
    }

    /// Whether a field of an object of a class may change.
    pub(in crate::exploration) fn has_changing_field(&mut self, class: TypeId) -> bool {
        if self.is_value(class) {
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

    /// The objects that the fields of an object refer to, and of how many dimensions nobody writes to them if they are arrays.
    fn objects_in_fields(&mut self, object: Reference) -> Vec<(Reference, usize)> {
        let class = self.heap.class(object);
        let (true, Ok(outlines)) = (self.heap.is_made(object), self.field_outlines(class)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for outline in outlines.iter().filter(|outline| !outline.of.is_primitive()) {
            let value = self.heap.get_field(object, outline.slot);
            if !value.is_known() || value.as_reference().is_null() {
                continue;
            }
            let inside = value.as_reference();
            // What stands for anything may be an array of somebody else's.
            let is_array = self.types.get(outline.of).component.is_some();
            found.push((inside, usize::from(is_array && self.keeps_array(outline))));
        }
        found
    }

    /// Whether nobody writes to the array that a field of an object holds.
    fn keeps_array(&self, field: &FieldOutline) -> bool {
        let Ok(class) = self.program.class(&field.class) else { return false };
        let mut fields = class.fields();
        let found = fields.find(|of| !of.is_static() && of.name() == &*field.name);
        found.is_some_and(|found| self.program.keeps_array(&found))
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
        self.objects_in_fields(object).into_iter().map(|(inside, _)| inside).collect()
    }
}
