//! Unknown objects: what instructions do with references that are terms.
//!
//! The heap solver (`petrel-heap`) knows what an unknown reference may be and what its fields hold; here
//! is what stands between it and the instructions. With lazy initialisation a reference is decided when
//! it is first looked at (`lazy`); everything else is then as with the heap solver.

mod access;
mod assumed;
mod calls;
mod concrete;
mod conditions;
mod copies;
mod doubts;
mod enums;
mod exchanges;
mod fields;
mod guards;
mod invariants;
mod lazy;
mod made;
mod numbers;
mod shared;
mod start;
mod statics;
mod surroundings;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use petrel_clp::Kind;
use petrel_heap::{ClassId, ClassSet, Context, FieldId, HeapSolver, Known, Sort};
use petrel_program::Hints;
use petrel_solver::{Conflict, Expr, Store};
use petrel_value::Shared;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::exploration::choose::expr_of;
use crate::exploration::explore::{HeapMode, MOST_MADE, Objects};
use crate::exploration::made::{MadeInputs, StaticTypes};
use crate::machine::{
    Doing, Feature, Halt, Initialisation, LeftOut, Machine, Reference, Stop, TypeId, Undecided,
    Value,
};

pub use concrete::{AnswerOrigin, InputAnswer, InputHeap};
pub use conditions::{Condition, MadeBy};
pub(super) use start::Inputs;

pub(crate) use fields::{Fields, InstanceField, kind_of};
pub(crate) use guards::ReferenceTest;
use surroundings::Surroundings;

/// How large inputs are made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    /// What the user asks for.
    pub(super) asked_for: Option<u32>,
}

impl Size {
    /// Nothing larger is made.
    pub(super) fn most(self) -> u32 {
        self.asked_for.unwrap_or(MOST_MADE)
    }
}

/// What is known of unknown objects.
#[derive(Debug, Default)]
pub(super) struct Unknowns {
    pub(super) solver: HeapSolver,
    pub(super) fields: Fields,
    pub(super) classes: Classes,
    pub(super) made: MadeInputs,
    /// Static types with type arguments.
    pub(super) static_types: StaticTypes,
    /// How many units a string may have, and how many elements a collection.
    pub(super) units: Size,
    pub(super) elements: Size,
    /// The static types of fields whose types have arguments.
    field_types: FxHashMap<FieldId, Option<ClassId>>,
    /// What the path that was told last demands, and whether it demands it for the first time.
    demanded: Vec<(Condition, bool)>,
    pub(super) mode: HeapMode,
    /// What initialisers leave out that run before the paths.
    doubts: doubts::Doubts,
    /// The range of integral inputs.
    pub(super) domain: Option<(i64, i64)>,
}

impl Unknowns {
    /// The objects that the program has already and that inputs may be.
    pub(super) fn shared(&self) -> impl Iterator<Item = Reference> {
        self.classes.shared.iter().map(|&(object, _)| object)
    }
}

/// The classes that unknown objects may have.
#[derive(Debug)]
pub(super) struct Classes {
    /// By static type, the likeliest first.
    candidates: FxHashMap<TypeId, ClassSet>,
    /// Static types whose objects can only be referred to: nothing is known of what they are.
    opaque: FxHashSet<TypeId>,
    /// Static types that have more candidates.
    incomplete: FxHashSet<TypeId>,
    /// What is made for unknowns of static types.
    made: FxHashMap<TypeId, Rc<[made::Candidate]>>,
    /// The constants of enums.
    constants: FxHashMap<TypeId, Rc<[Known]>>,
    /// The enums whose constants unknowns of static types may be.
    enums: FxHashMap<TypeId, Rc<[TypeId]>>,
    /// Static fields that refer to one object for ever, by their numbers: whether what they lead to may change.
    changing_statics: FxHashMap<u32, bool>,
    /// Whether what constants of enums lead to may change.
    changing_constants: FxHashMap<TypeId, bool>,
    /// Whether the code changes objects of a library type.
    changed: FxHashMap<TypeId, bool>,
    /// Objects that the program has already and that inputs may be.
    shared: Vec<(Reference, Shared)>,
    /// `Class` objects that inputs may be.
    class_objects: ClassObjects,
    /// What the code under test says of classes.
    pub(super) hints: Hints,
    /// How objects of the project's classes come about.
    objects: Objects,
    /// The fields that the code under test reads.
    fields_read: BTreeSet<(Arc<str>, Arc<str>)>,
    /// The most candidates.
    most: usize,
    /// Whether something was asked of an object that can only be referred to.
    is_opaque_met: bool,
}

/// `Class` objects, those of enums apart.
#[derive(Debug, Default)]
struct ClassObjects {
    enums: Vec<Known>,
    others: Vec<Known>,
    /// Those of the project's enums.
    of_project: FxHashMap<TypeId, Known>,
}

impl Default for Classes {
    fn default() -> Self {
        Classes {
            candidates: FxHashMap::default(),
            opaque: FxHashSet::default(),
            incomplete: FxHashSet::default(),
            made: FxHashMap::default(),
            constants: FxHashMap::default(),
            enums: FxHashMap::default(),
            changing_statics: FxHashMap::default(),
            changing_constants: FxHashMap::default(),
            changed: FxHashMap::default(),
            shared: Vec::new(),
            class_objects: ClassObjects::default(),
            hints: Hints::default(),
            objects: Objects::Fields,
            fields_read: BTreeSet::new(),
            most: 8,
            is_opaque_met: false,
        }
    }
}

impl From<Conflict> for Halt {
    fn from(_: Conflict) -> Self {
        Halt::Infeasible
    }
}

impl Machine<'_> {
    /// Asks the heap solver.
    pub(crate) fn ask_heap<T>(
        &mut self,
        ask: impl FnOnce(&mut HeapSolver, &mut Context<'_>) -> T,
    ) -> T {
        let (mut world, store, heap) = self.surroundings();
        ask(heap, &mut Context { store, world: &mut world })
    }

    /// What the heap solver asks of the machine, the store, and the solver itself.
    fn surroundings(&mut self) -> (Surroundings<'_>, &mut Store, &mut HeapSolver) {
        let world = Surroundings {
            heap: &mut self.heap,
            types: &mut self.types,
            program: self.program,
            fields: &self.exploration.unknown.fields,
            classes: &mut self.exploration.unknown.classes,
            made: &mut self.exploration.unknown.made,
            static_types: &self.exploration.unknown.static_types,
        };
        (world, &mut self.solver.store, &mut self.exploration.unknown.solver)
    }

    /// As [`Machine::ask_heap`], where the answer may depend on the class of an object: that has to be
    /// known.
    fn ask_classes<T>(
        &mut self,
        what: impl FnOnce(&Self) -> Feature,
        ask: impl FnOnce(&mut HeapSolver, &mut Context<'_>) -> Result<T, Conflict>,
    ) -> Result<T, Halt> {
        self.exploration.unknown.classes.is_opaque_met = false;
        let answer = self.ask_heap(ask)?;
        if std::mem::take(&mut self.exploration.unknown.classes.is_opaque_met) {
            return Err(Stop::unsupported(what(self)).into());
        }
        Ok(answer)
    }

    /// A reference as the solver knows it.
    pub(super) fn reference_expr(&self, value: Value) -> Result<Expr, Halt> {
        let expr = expr_of(value, Kind::Reference);
        let is_exact = expr.term().is_none_or(|term| self.solver.store.terms().is_exact(term));
        if self.exploration.tree.is_none() || !is_exact {
            let text = self.text(value, Kind::Reference);
            return Err(self.undecided(Undecided::ChoiceBy(text)).into());
        }
        Ok(expr)
    }

    /// What a field, element or parameter of a type holds.
    pub(super) fn sort(&self, of: TypeId) -> Sort {
        fields::sort(of, self.exploration.unknown.domain)
    }

    /// Whether a class whose member an unknown object has is initialised, as it is where there is such an
    /// object. If not, that is done, and the instruction under way is executed again.
    pub(super) fn is_class_ready(&mut self, class: TypeId) -> Result<bool, Halt> {
        let is_opaque = self.exploration.unknown.classes.opaque.contains(&class);
        if is_opaque || self.types.get(class).component.is_some() || self.is_initialised(class)? {
            return Ok(true);
        }
        if self.types.get(class).initialisation == Initialisation::Failed {
            // Its initialiser may have kept one before it failed.
            let class = self.types.java_name(class);
            self.note_left_out(LeftOut::States(class));
            return Err(Halt::Infeasible);
        }
        let callee_base = self.callee_base_here();
        self.go_to(self.address());
        self.push_special(Doing::MakeReady, callee_base);
        self.initialise(class, callee_base)?;
        Ok(false)
    }
}
