//! The instance fields of a class with those of its superclasses, as everything outside of the machine
//! sees them.

use std::rc::Rc;
use std::sync::Arc;

use petrel_classfile::JavaType;
use petrel_heap::FieldId;

use crate::machine::types::TypeId;
use crate::machine::{Machine, Stop};

/// An instance field.
#[derive(Debug, Clone)]
pub(crate) struct FieldOutline {
    /// The class that declares it.
    pub(crate) class: Arc<str>,
    pub(crate) name: Arc<str>,
    pub(super) java_type: JavaType,
    pub(crate) of: TypeId,
    pub(crate) slot: u16,
    /// Its number for the heap solver.
    pub(crate) number: FieldId,
}

impl Machine<'_> {
    /// The instance fields of a class, those of subclasses first.
    pub(crate) fn field_outlines(&mut self, class: TypeId) -> Result<Rc<[FieldOutline]>, Stop> {
        if let Some(known) = self.outlines.get(&class) {
            return Ok(Rc::clone(known));
        }
        let loaded = self.class(class)?;
        let mut outlines = Vec::new();
        for declaring in loaded.lineage() {
            let id = self.types.of_name(declaring.name());
            for field in declaring.fields().filter(|field| !field.is_static()) {
                let Ok(java_type) = JavaType::parse(field.descriptor()) else { continue };
                let number = self.instance_field_number(id, &field)?;
                let known = self.exploration.field(number);
                outlines.push(FieldOutline {
                    class: Arc::clone(declaring.shared_name()),
                    name: field.name().into(),
                    java_type,
                    of: known.of,
                    slot: known.slot,
                    number,
                });
            }
        }
        let outlines: Rc<[FieldOutline]> = outlines.into();
        self.outlines.insert(class, Rc::clone(&outlines));
        Ok(outlines)
    }
}
