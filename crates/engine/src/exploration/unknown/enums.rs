//! Constants of enums: objects that exist once, and that unknowns of any supertype may be.

use std::rc::Rc;

use petrel_classfile::flags;

use super::surroundings::Surroundings;
use crate::machine::{Halt, Machine, Stop, TypeId};

impl Surroundings<'_> {
    /// The enums whose constants an unknown of a static type may be: the type itself, those below it in the project, and those
    /// that the code asks for.
    pub(super) fn enums_of(&mut self, of: TypeId) -> Rc<[TypeId]> {
        if of.is_primitive() || self.types.get(of).component.is_some() {
            return Rc::from([]);
        }
        if let Some(known) = self.classes.enums.get(&of) {
            return Rc::clone(known);
        }
        let found: Rc<[TypeId]> =
            if self.is_enum(of) { Rc::from([of]) } else { self.enums_below(of).into() };
        self.classes.enums.insert(of, Rc::clone(&found));
        found
    }

    fn enums_below(&mut self, of: TypeId) -> Vec<TypeId> {
        let name = std::sync::Arc::clone(&self.types.get(of).name);
        let hints = self.classes.hints.clone();
        let mut names = hints.checked.clone();
        if self.program.is_project_class(&name) {
            names.extend(self.program.candidates(&name, &hints, self.classes.most).classes);
        }
        let mut found = Vec::new();
        for below in names.iter().filter(|below| !below.starts_with('[')) {
            let id = self.types.of_name(below);
            if self.program.is_assignable(below, &name) == Ok(true)
                && self.is_enum(id)
                && !found.contains(&id)
            {
                found.push(id);
            }
        }
        found
    }
}

impl Machine<'_> {
    /// The enums whose constants an unknown of a static type may be.
    pub(in crate::exploration) fn enums_of(&mut self, of: TypeId) -> Rc<[TypeId]> {
        self.surroundings().0.enums_of(of)
    }

    /// Makes sure that the constants are there that an unknown of a type may be, before one comes up. `false` if the
    /// instruction under way is executed again after that.
    pub(in crate::exploration) fn is_prepared(&mut self, of: TypeId) -> Result<bool, Halt> {
        for &constants in self.enums_of(of).iter() {
            if !self.is_class_ready(constants)? {
                return Ok(false);
            }
            self.learn_constants(constants)?;
            self.see_changing_constants(constants);
        }
        Ok(true)
    }

    /// The first enum that has to be initialised before an unknown of a type can come up; what is known of the others is
    /// learned.
    pub(in crate::exploration) fn unprepared_enum(
        &mut self,
        of: TypeId,
    ) -> Result<Option<TypeId>, Halt> {
        for &constants in self.enums_of(of).iter() {
            if !self.is_initialised(constants)? {
                return Ok(Some(constants));
            }
            self.learn_constants(constants)?;
            self.see_changing_constants(constants);
        }
        Ok(None)
    }

    pub(in crate::exploration) fn is_enum(&mut self, of: TypeId) -> bool {
        self.types.is_enum(self.program, of)
    }

    /// Finds the constants of an enum that is initialised.
    pub(in crate::exploration) fn learn_constants(&mut self, of: TypeId) -> Result<(), Stop> {
        let class = self.class(of)?;
        let mut constants = Vec::new();
        for field in
            class.fields().filter(|field| field.is_static() && field.has_flags(flags::ENUM))
        {
            let place = self.layout(of)?.declared.get(field.index()).copied();
            let constant = place.map(|place| self.static_at(place).as_reference());
            constants.extend(constant.map(|constant| petrel_heap::Known(constant.0)));
        }
        let classes = &mut self.exploration.unknown.classes;
        classes.constants.insert(of, constants.into());
        classes.opaque.remove(&of);
        Ok(())
    }
}
