//! The class library: what its native methods do (`natives`), methods on unknown texts and numbers (`models`), `Class`
//! objects (`mirrors`), and what the JVM does not fix (`unstable`). Everything else of it is bytecode.

mod mirrors;
mod models;
pub(crate) mod natives;
mod unstable;

use petrel_program::Program;
use rustc_hash::FxHashMap;

use crate::machine::{MethodNumber, Reference, TypeId};

use models::characters::UnitTables;
use natives::Modelled;

pub use natives::listing as natives;

pub(crate) use models::builders::BUILDER;
pub(crate) use models::hashing::{Hashing, hashing};
pub(crate) use models::text::{self, Text};
pub(crate) use models::{TextModel, text_model};
pub(crate) use natives::loader_of_module;
pub(crate) use unstable::Instability;

/// What the library knows about a derivation.
#[derive(Default)]
pub(crate) struct LibraryState {
    modelled: Modelled,
    /// The type of each `Class` object.
    mirrored: FxHashMap<Reference, TypeId>,
    unit_tables: UnitTables,
    pub(crate) instability: Instability,
}

/// A state of the library that can be gone back to.
#[derive(Debug, Clone)]
pub(crate) struct LibraryMark {
    output: usize,
    errors: usize,
    memory: usize,
    instability: Instability,
}

impl LibraryState {
    /// What was written to `System.out`, and is forgotten with that.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.modelled.output)
    }

    /// What was written to `System.err`, and is forgotten with that.
    pub(crate) fn take_errors(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.modelled.errors)
    }

    /// Whether the class library is that of Java 8, which has no modules.
    pub(crate) fn is_java_8(&mut self, program: &Program) -> bool {
        self.modelled.is_java_8(program)
    }

    /// Notes the method and instruction of a `NullPointerException` that the JVM itself threw.
    pub(crate) fn note_null_pointer(
        &mut self,
        exception: Reference,
        method: MethodNumber,
        pc: u16,
    ) {
        self.modelled.null_pointers.insert(exception, (method, pc));
    }

    /// The state here can be gone back to.
    pub(crate) fn mark(&self) -> LibraryMark {
        LibraryMark {
            output: self.modelled.output.len(),
            errors: self.modelled.errors.len(),
            memory: self.modelled.memory.len(),
            instability: self.instability.clone(),
        }
    }

    /// Goes back to a state. What is known about single objects is on the machine's trail.
    pub(crate) fn undo(&mut self, mark: &LibraryMark) {
        self.modelled.output.truncate(mark.output);
        self.modelled.errors.truncate(mark.errors);
        self.modelled.memory.truncate(mark.memory);
        self.instability.clone_from(&mark.instability);
    }

    /// Objects that the library holds.
    pub(crate) fn for_each_root(&self, visit: impl FnMut(Reference)) {
        self.modelled.for_each_root(visit);
    }

    /// Forgets what is known about an object.
    pub(crate) fn forget_object(&mut self, object: Reference) {
        self.modelled.forget_object(object);
    }

    /// Forgets what is known about objects that are gone: others will take their places.
    pub(crate) fn forget(&mut self, is_gone: impl Fn(Reference) -> bool) {
        self.modelled.forget(is_gone);
    }

    /// Forgets that a service provider was made.
    pub(crate) fn forget_provider(&mut self, class: TypeId) {
        self.modelled.providers.remove(&class);
    }
}
