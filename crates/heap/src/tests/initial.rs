//! Random initial heaps, and the values that the unknowns of a path have for one.

use std::collections::BTreeMap;

use petrel_solver::{Expr, Node, Terms, evaluate, first_value};
use proptest::prelude::*;

use super::concrete::{Heap, Object};
use super::fixture::{Path, value};
use super::world::{A, AS, B, CLASSES, E, INTS, element_sort, field, group, is_subtype};
use crate::log::{Cell, Location};
use crate::world::{ClassId, Sort};

/// A random heap of some objects.
pub(super) fn heap() -> impl Strategy<Value = Heap> {
    let class = prop_oneof![
        3 => Just(A), 3 => Just(B), 2 => Just(INTS), 2 => Just(AS),
        4 => proptest::sample::select(CLASSES.to_vec()),
    ];
    let objects = proptest::collection::vec((class, 0..4usize), 2..9);
    let contents = proptest::collection::vec(any::<u8>(), 16);
    (objects, contents).prop_map(|(objects, contents)| filled(&objects, &contents))
}

fn filled(objects: &[(ClassId, usize)], contents: &[u8]) -> Heap {
    let mut heap = Heap::new();
    for (number, &(class, length)) in (1..).zip(objects) {
        let length = if element_sort(class).is_some() { length } else { 0 };
        heap.objects.insert(number, Object::new(class, length));
    }
    let empty = heap.clone();
    let mut contents = contents.iter().copied().cycle();
    for object in heap.objects.values_mut() {
        for (id, content) in &mut object.fields {
            *content = some_value(&empty, field(*id).sort, contents.next());
        }
        if let Some(sort) = element_sort(object.class) {
            for element in &mut object.elements {
                *element = some_value(&empty, sort, contents.next());
            }
        }
    }
    heap
}

/// A value of a sort.
fn some_value(heap: &Heap, sort: Sort, choice: Option<u8>) -> i64 {
    let choice = choice.unwrap_or(0);
    match sort {
        Sort::Number { low, high, .. } => low + i64::from(choice) % (high - low + 1),
        Sort::Reference(of) => some_object(heap, of, choice).unwrap_or(0),
    }
}

/// An object of the initial heap with a static type, if there is one. One in eight is null.
pub(super) fn some_object(heap: &Heap, of: ClassId, choice: u8) -> Option<i64> {
    let is_initial = |number: i64| number > 0 || of == E;
    let fits =
        |&(&number, object): &(&i64, &Object)| is_initial(number) && is_subtype(object.class, of);
    let objects: Vec<i64> = heap.objects.iter().filter(fits).map(|(&number, _)| number).collect();
    let choice = usize::from(choice);
    if choice % 8 == 7 {
        return None;
    }
    objects.get(choice / 8 % objects.len().max(1)).copied()
}

/// Inputs, by the number of their unknown: what they are in terms, and what they are.
pub(super) type Inputs = BTreeMap<usize, (Expr, i64)>;

/// The numbers that objects of an initial heap have in terms.
pub(super) type Numbers = BTreeMap<i64, i64>;

/// The values that the unknowns of a path have for an initial heap. Some objects have their numbers already.
pub(super) fn assignment(path: &Path, heap: &Heap, inputs: &Inputs, numbers: &Numbers) -> Vec<i64> {
    let terms = path.solver.store.terms();
    let mut places: BTreeMap<usize, (Location, Cell)> = BTreeMap::new();
    for (location, cell) in path.heap.cells() {
        if let Some(unknown) = unknown_in(terms, cell.value) {
            places.insert(unknown, (location, *cell));
        }
    }
    let mut making = Making { terms, heap, numbers: numbers.clone(), values: Vec::new() };
    for (number, unknown) in terms.unknowns().iter().enumerate() {
        let found = match (inputs.get(&number), places.get(&number)) {
            (Some(&(expr, content)), _) => Some((expr, making.number_of(content, unknown.own))),
            (None, Some((location, cell))) => {
                making.content(*location, cell, unknown.own).map(|content| (cell.value, content))
            }
            (None, None) => None,
        };
        let value = match found {
            Some((expr, content)) => making.unknown_for(expr, content),
            None => first_value(unknown),
        };
        making.values.push(value);
    }
    making.values
}

/// The unknown that a value is, or that it is selected by.
fn unknown_in(terms: &Terms, expr: Expr) -> Option<usize> {
    match terms.node(expr.term()?) {
        Node::Unknown(unknown) => Some(unknown.index()),
        Node::Select(_, _, index) => unknown_in(terms, Expr::Term(index)),
        _ => None,
    }
}

struct Making<'a> {
    terms: &'a Terms,
    heap: &'a Heap,
    /// The own number of the first reference to each object, if it has none yet.
    numbers: Numbers,
    values: Vec<i64>,
}

impl Making<'_> {
    /// What a reference to an object is in terms, if it is the first one with an own number.
    fn number_of(&mut self, object: i64, own: i64) -> i64 {
        if object <= 0 || own == 0 {
            return object;
        }
        *self.numbers.entry(object).or_insert(own)
    }

    /// The value of an unknown for which an expression has a value.
    fn unknown_for(&self, expr: Expr, content: i64) -> i64 {
        match expr.term().map(|term| self.terms.node(term)) {
            Some(Node::Select(_, table, _)) => {
                let table = self.terms.table(table);
                let at = table.iter().position(|&element| element == Expr::Constant(content));
                at.expect("the table has all possible values") as i64
            }
            _ => content,
        }
    }

    fn evaluate(&self, expr: Expr) -> i64 {
        let mut values = self.values.clone();
        values.resize(self.terms.unknowns().len(), 0);
        let up_to = expr.term().map_or(0, |term| term.index() + 1);
        value(&evaluate(self.terms, &values, up_to), expr)
    }

    /// What is at a place of the initial heap, if there is something.
    fn content(&mut self, location: Location, cell: &Cell, own: i64) -> Option<i64> {
        let number = self.evaluate(cell.reference);
        let (&object, _) = self.numbers.iter().find(|&(_, &known)| known == number)?;
        let object = &self.heap.objects[&object];
        let content = match location {
            Location::Field(field) => *object.fields.get(&field)?,
            Location::Length => {
                element_sort(object.class)?;
                object.elements.len() as i64
            }
            Location::Elements(of) => {
                let index = usize::try_from(self.evaluate(cell.index)).ok()?;
                *object.elements.get(index).filter(|_| group(object.class) == of)?
            }
            Location::Class => object.class.0.into(),
            Location::Ghost(_) => return None,
        };
        Some(self.number_of(content, own))
    }
}
