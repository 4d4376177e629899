//! Exploration: the tree of derivations of a call on unknown inputs, and what these inputs are.
//!
//! What is unknown, and which choices are open, is private to this room; `Machine` is what executes in between. Doors for
//! the others are below, and the methods of [`Machine`] in its files.

mod assume;
mod choose;
mod explore;
mod labelling;
mod made;
mod outside;
mod symbolic;
mod unknown;

use std::collections::VecDeque;
use std::ops::Range;

use petrel_heap::{FieldId, HeapSolver};
use petrel_solver::{Expr, Model};

use crate::machine::{MethodNumber, Value};

use choose::Tree;
use made::Aside;
use unknown::{Inputs, Unknowns};

pub use assume::{AccessPath, Assumption};
pub use choose::Decision;
pub use explore::{Bounds, Counts, HeapMode, LeftOutAt, Objects, PathEnd, Prefix, Unfollowed};
pub use labelling::LabelOrder;
pub use symbolic::{Part, SymbolicObject, SymbolicState};
pub use unknown::{AnswerOrigin, Condition, InputAnswer, InputHeap, MadeBy};

pub(crate) use choose::{expr_of, value_of};
pub(crate) use made::{FOR_NAME, Look, MadeId};
pub(crate) use unknown::{InstanceField, ReferenceTest};

/// What a derivation on unknown inputs knows.
#[derive(Default)]
pub(crate) struct Exploration {
    /// The choices that are open, if the derivation makes any.
    tree: Option<Tree>,
    unknown: Unknowns,
    inputs: Inputs,
    /// What the world outside is going to answer, if that is known.
    answers: VecDeque<(InputAnswer, Value)>,
    /// Whether classes are initialised for all paths.
    is_preparing: bool,
    /// The method that is called from outside: its own code runs, whatever is declared.
    target: Option<MethodNumber>,
}

impl Exploration {
    /// Whether the derivation makes choices.
    pub(crate) fn is_on(&self) -> bool {
        self.tree.is_some()
    }

    /// Whether there is a choice to go back to.
    pub(crate) fn is_on_path(&self) -> bool {
        self.tree.as_ref().is_some_and(|tree| !tree.points.is_empty())
    }

    /// Whether classes are initialised for all paths.
    pub(crate) fn is_preparing(&self) -> bool {
        self.is_preparing
    }

    /// Inputs that take the path so far, if they are known.
    pub(crate) fn model(&self) -> Option<&Model> {
        self.tree.as_ref().and_then(|tree| tree.model.as_ref())
    }

    /// What the solver is to believe about unknown objects.
    pub(crate) fn theory(&mut self) -> &mut HeapSolver {
        &mut self.unknown.solver
    }

    /// The longest array of unknown length that is tried.
    pub(crate) fn max_array(&self) -> u32 {
        self.tree.as_ref().map_or(0, |tree| tree.max_array)
    }

    /// Whether a constraint is a condition that the program's own code makes, by its number.
    pub(crate) fn is_of_program(&self, constraint: usize) -> bool {
        self.unknown.made.aside(constraint).is_none()
            && !self.unknown.solver.is_own_constraint(constraint)
    }

    /// Constraints, by their numbers, are about how an input is built.
    pub(crate) fn note_building(&mut self, constraints: Range<usize>) {
        self.unknown.made.note_aside(constraints, Aside::Building);
    }

    /// A model has answered for code of the class library.
    pub(crate) fn note_modelled(&mut self) {
        if let Some(tree) = &mut self.tree {
            tree.modelled += 1;
        }
    }

    /// How many inputs were asked for their identity hash codes.
    pub(crate) fn n_hashed(&self) -> usize {
        self.unknown.made.n_hashed()
    }

    /// An instance field, by its number.
    pub(crate) fn field(&self, number: FieldId) -> &InstanceField {
        self.unknown.fields.get(number)
    }

    /// The number of an instance field.
    pub(crate) fn field_number(&mut self, field: InstanceField) -> u32 {
        self.unknown.fields.number(field).0
    }

    /// Expressions in which objects may be mentioned.
    pub(crate) fn for_each_expr(&self, visit: impl FnMut(Expr)) {
        self.unknown.solver.for_each_value(visit);
    }

    /// Values that input objects hold.
    pub(crate) fn for_each_value(&self, mut visit: impl FnMut(Value)) {
        self.unknown.shared().for_each(|object| visit(Value::reference(object)));
        self.unknown.made.for_each_value(visit);
    }
}
