//! Objects that the program has already and that inputs may be, too: constants of the code, and what static fields hold. Which of
//! them are tried is what the code compares references with: nobody else can tell.

use std::sync::Arc;

use petrel_program::{Compared, ResolvedMethod};
use petrel_value::Shared;
use smallvec::SmallVec;

use crate::machine::{Machine, Reference, Value};

/// So many elements of an array that a static field holds are tried.
const MOST_ELEMENTS: u32 = 4;

impl Machine<'_> {
    /// Finds the objects that the code compares references with, before inputs are made.
    pub(super) fn learn_shared(&mut self, method: &ResolvedMethod) {
        let compared = std::mem::take(&mut self.exploration.unknown.classes.hints.compared);
        let mut shared = Vec::new();
        for what in &compared {
            match what {
                Compared::Text(text) => {
                    shared.push((self.intern(&text.0), Shared::Constant(text.clone())));
                }
                Compared::Static { class, name, .. } if self.is_of_inputs(method, class) => {
                    self.add_static_objects(class, name, &mut shared);
                }
                Compared::Static { .. } => {}
            }
        }
        self.exploration.unknown.classes.hints.compared = compared;
        self.exploration.unknown.classes.shared = shared;
    }

    /// Whether a class is initialised where there are inputs: it is that of the method, or one that inputs have.
    fn is_of_inputs(&self, method: &ResolvedMethod, class: &str) -> bool {
        let checked = &self.exploration.unknown.classes.hints.checked;
        let is_known = method.class().name() == class || checked.iter().any(|of| **of == *class);
        is_known && self.program.is_project_class(class)
    }

    fn add_static_objects(
        &mut self,
        class: &Arc<str>,
        name: &str,
        shared: &mut Vec<(Reference, Shared)>,
    ) {
        let of_field =
            |element| Shared::Static { class: Arc::clone(class), field: name.into(), element };
        let Some(object) = self.known_object(&of_field(None)) else { return };
        if crate::machine::enum_constant(self, object).is_none() {
            shared.push((object, of_field(None)));
        }
        let component = self.types.get(self.heap.class(object)).component;
        if component.is_some_and(|(component, _)| !component.is_primitive()) {
            let elements = (0..MOST_ELEMENTS).map(|element| of_field(Some(element)));
            let found = elements.filter_map(|shared| Some((self.known_object(&shared)?, shared)));
            shared.extend(found);
        }
    }

    fn known_object(&mut self, shared: &Shared) -> Option<Reference> {
        let value = self.shared_object(shared).ok().filter(|value| value.is_known())?;
        Some(value.as_reference()).filter(|object| !object.is_null())
    }

    /// The constant strings that the code compares references with.
    pub(crate) fn constants_compared(&self) -> SmallVec<[Value; 2]> {
        let all = self.exploration.unknown.classes.shared.iter();
        let constants = all.filter(|(_, shared)| matches!(shared, Shared::Constant(_)));
        constants.map(|&(object, _)| Value::reference(object)).collect()
    }

    /// What an object is, if it is one that inputs may be without being made for them.
    pub(in crate::exploration) fn as_shared(&self, object: Reference) -> Option<&Shared> {
        let all = self.exploration.unknown.classes.shared.iter();
        all.clone().find(|(known, _)| *known == object).map(|(_, shared)| shared)
    }
}
