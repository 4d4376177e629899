//! `Class` objects.

use crate::machine::{Machine, Reference, Stop, TypeId, Value};

const CLASS: &str = "java/lang/Class";

impl Machine<'_> {
    /// The `Class` object of a type: always the same.
    pub(crate) fn mirror(&mut self, of: TypeId) -> Result<Reference, Stop> {
        let known = self.types.get(of).mirror;
        if !known.is_null() {
            return Ok(known);
        }
        self.permanently(|machine| machine.make_mirror(of))
    }

    fn make_mirror(&mut self, of: TypeId) -> Result<Reference, Stop> {
        let mirror = self.new_object(TypeId::CLASS)?;
        self.types.get_mut(of).mirror = mirror;
        self.library.mirrored.insert(mirror, of);
        if let Some((component, _)) = self.types.get(of).component
            && self.has_field(CLASS, "componentType")
        {
            let component = self.mirror(component)?;
            self.set_named(mirror, CLASS, "componentType", Value::reference(component))?;
        }
        // Since Java 25 the class object has these itself.
        if self.has_field(CLASS, "primitive") {
            self.set_named(mirror, CLASS, "primitive", Value::boolean(of.is_primitive()))?;
        }
        if self.has_field(CLASS, "modifiers") {
            let slot = self.slot_named(CLASS, "modifiers")?;
            let modifiers = self.class_modifiers(of)?;
            self.heap.set_field(mirror, slot, Value::int(modifiers));
        }
        Ok(mirror)
    }

    /// The type of a `Class` object.
    pub(crate) fn mirrored(&self, mirror: Reference) -> Option<TypeId> {
        self.library.mirrored.get(&mirror).copied()
    }
}
