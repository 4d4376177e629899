//! `solve`: the initial heap that values of the unknowns stand for.

use petrel_solver::Expr;

use crate::log::{Cell, Location, Write};
use crate::solver::HeapSolver;
use crate::world::{ClassId, FieldId};

/// An object of the initial heap, as far as the path has looked at it. References are numbers of
/// objects, as in terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputObject {
    /// Its number.
    pub number: i64,
    /// Its class.
    pub class: ClassId,
    /// The fields that were looked at.
    pub fields: Vec<(FieldId, i64)>,
    /// The length of an array, if it was looked at.
    pub length: Option<i64>,
    /// The elements that were looked at.
    pub elements: Vec<InputElement>,
}

/// An element of an array of the initial heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputElement {
    /// The kind of array that it was looked at as: a reference that was something else on this path may
    /// have been looked at as another.
    pub elements: u32,
    /// Its index.
    pub index: i64,
    /// What it is.
    pub value: i64,
}

impl HeapSolver {
    /// The objects that there are when terms have these values, in the order of the references to them.
    pub fn objects(&self, value: &dyn Fn(Expr) -> i64) -> Vec<InputObject> {
        let mut objects: Vec<InputObject> = Vec::new();
        for (at, input) in self.inputs.iter().enumerate() {
            let number = value(input.reference);
            if number <= 0 || objects.iter().any(|object| object.number == number) {
                continue;
            }
            let class = self.class_at(at, number, value);
            let (fields, elements) = (Vec::new(), Vec::new());
            objects.push(InputObject { number, class, fields, length: None, elements });
        }
        for &location in &self.locations {
            for cell in &self.log(location).initial {
                let number = value(cell.reference);
                let Some(object) = objects.iter_mut().find(|object| object.number == number) else {
                    continue;
                };
                let content = value(cell.value);
                match location {
                    Location::Field(field) => {
                        if !object.fields.iter().any(|(known, _)| *known == field) {
                            object.fields.push((field, content));
                        }
                    }
                    Location::Elements(elements) => {
                        let new =
                            InputElement { elements, index: value(cell.index), value: content };
                        let is_known = |known: &InputElement| {
                            (known.elements, known.index) == (new.elements, new.index)
                        };
                        if !object.elements.iter().any(is_known) {
                            object.elements.push(new);
                        }
                    }
                    Location::Length => object.length = Some(content),
                    Location::Class | Location::Ghost(_) => {}
                }
            }
        }
        objects
    }

    /// A class for the object of an input: the one that was looked at, or the first that all references
    /// to the object allow.
    fn class_at(&self, input: usize, number: i64, value: &dyn Fn(Expr) -> i64) -> ClassId {
        let same = || self.inputs[input..].iter().filter(|other| value(other.reference) == number);
        if let Some(class) = same().find_map(|other| other.class) {
            return ClassId(value(class) as u32);
        }
        let classes = &self.inputs[input].classes;
        let fits = |class: &&ClassId| same().all(|other| other.classes.contains(class));
        *classes.iter().find(fits).unwrap_or(&classes[0])
    }

    /// The places of an object, given by the reference to it, that the path has read or written: reading
    /// them again asks for nothing new.
    pub fn touched(&self, object: Expr) -> Vec<(Location, Expr)> {
        let mut touched = Vec::new();
        for &location in &self.locations {
            let log = self.log(location);
            let written = log.writes.iter().filter_map(|write| match write {
                Write::One(cell) => Some(cell),
                Write::Copy(_) => None,
            });
            for cell in log.initial.iter().chain(&log.rows).chain(written) {
                let place = (location, cell.index);
                if cell.reference == object && !touched.contains(&place) {
                    touched.push(place);
                }
            }
        }
        touched
    }

    /// What the path has looked at in the initial heap, by location in the order in which they came up.
    pub fn cells(&self) -> impl Iterator<Item = (Location, &Cell)> {
        self.locations.iter().flat_map(|&location| {
            self.log(location).initial.iter().map(move |cell| (location, cell))
        })
    }
}
