//! What the heap solver is told by whoever uses it: new objects and the hierarchy of classes.

use std::rc::Rc;

use petrel_clp::Kind;
use petrel_expression::Expression;
use petrel_solver::{Expr, Store};

/// A class, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// Classes that an unknown object may have, the likeliest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSet {
    classes: Rc<[ClassId]>,
    is_all: bool,
}

impl ClassSet {
    /// There are no others.
    pub fn all(classes: impl Into<Rc<[ClassId]>>) -> ClassSet {
        ClassSet { classes: classes.into(), is_all: true }
    }

    /// There are others, which are not tried.
    pub fn some(classes: impl Into<Rc<[ClassId]>>) -> ClassSet {
        ClassSet { classes: classes.into(), is_all: false }
    }

    /// Those of the classes that are given: as complete as it is, if the others cannot be.
    pub fn among(&self, classes: impl Into<Rc<[ClassId]>>) -> ClassSet {
        ClassSet { classes: classes.into(), is_all: self.is_all }
    }

    /// Whether an object may have no other class.
    pub fn is_all(&self) -> bool {
        self.is_all
    }

    /// Whether a class is in both sets.
    pub fn shares_one(&self, other: &ClassSet) -> bool {
        Rc::ptr_eq(&self.classes, &other.classes)
            || self.classes.iter().any(|class| other.classes.contains(class))
    }
}

impl std::ops::Deref for ClassSet {
    type Target = [ClassId];

    fn deref(&self) -> &[ClassId] {
        &self.classes
    }
}

/// A field, by its number: the class that declares it and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId(pub u32);

/// An object that the path has made, or that was there before it: its place in the dictionary N.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Known(pub u32);

impl Known {
    /// The reference to it.
    pub fn reference(self) -> Expr {
        Expr::Constant(-i64::from(self.0))
    }
}

/// What a field or element of the initial heap holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// A number in a range.
    Number {
        /// Its kind.
        kind: Kind,
        /// The smallest value, of an integer.
        low: i64,
        /// The largest value, of an integer.
        high: i64,
    },
    /// A reference to an object of this static type, or null.
    Reference(ClassId),
}

impl Sort {
    /// The kind of the values.
    pub fn kind(self) -> Kind {
        match self {
            Sort::Number { kind, .. } => kind,
            Sort::Reference(_) => Kind::Reference,
        }
    }
}

/// The dictionary N, and the classes that there are.
pub trait World {
    /// A field of an object of N; anything, if the object has no such field.
    fn field(&mut self, object: Known, field: FieldId) -> Expr;

    /// Sets a field of an object of N, if it has it.
    fn set_field(&mut self, object: Known, field: FieldId, value: Expr);

    /// The length of an array of N; anything, if it is no array.
    fn length(&mut self, array: Known) -> Expr;

    /// The element of an array of N at an index; anything, if there is none.
    fn element(&mut self, store: &mut Store, array: Known, index: Expr) -> Expr;

    /// Sets the element of an array of N at an index, if there is one and a condition holds.
    fn set_element(
        &mut self,
        store: &mut Store,
        array: Known,
        index: Expr,
        condition: Expr,
        value: Expr,
    );

    /// Whether an array of N has no elements of its own: its length is a term, and its elements are
    /// where they were written.
    fn is_logged(&self, array: Known) -> bool;

    /// A new array for an element of an array of N without elements of its own that was made together with the arrays
    /// in it; `None` if its elements were 0 or null at first.
    fn new_row(&mut self, array: Known) -> Option<Known>;

    /// The class of an object of N.
    fn class(&self, object: Known) -> ClassId;

    /// The classes that an object of the initial heap with this static type may have, the likeliest
    /// first; at least one, unless all that an unknown of the type may be are objects of N.
    fn candidates(&mut self, static_type: ClassId) -> ClassSet;

    /// The class that elements of an array have at least; `None` for arrays of numbers and for what is no
    /// array.
    fn component(&mut self, class: ClassId) -> Option<ClassId>;

    /// Whether objects of a class are instances of another.
    fn is_subtype(&mut self, class: ClassId, of: ClassId) -> bool;

    /// The objects of N that an unknown of this static type and name may be: the constants of an enum, or
    /// objects that are made for it. It may be of one of the candidates as well, unless there are none.
    fn objects(&mut self, static_type: ClassId, name: &Expression) -> Vec<Known>;

    /// The name of a field.
    fn field_name(&self, field: FieldId) -> Rc<str>;
}
