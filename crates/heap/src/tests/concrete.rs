//! A plain interpreter: what a program does with a heap that is known.

use std::collections::BTreeMap;

use petrel_solver::{apply, compares};

use super::program::{Step, Test, ValueId};
use super::world::{CONSTANTS, E, element_sort, field, fields_of, group, is_subtype};
use crate::objects::InputObject;
use crate::world::{ClassId, FieldId, Sort};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Object {
    pub(super) class: ClassId,
    pub(super) fields: BTreeMap<FieldId, i64>,
    pub(super) elements: Vec<i64>,
}

impl Object {
    pub(super) fn new(class: ClassId, length: usize) -> Object {
        let fields = fields_of(class).map(|field| (field, 0)).collect();
        Object { class, fields, elements: vec![0; length] }
    }
}

/// Objects by number, as in terms: those of the initial heap have positive ones.
#[derive(Clone, PartialEq)]
pub(super) struct Heap {
    pub(super) objects: BTreeMap<i64, Object>,
    /// The number of the last new one.
    last: i64,
}

impl std::fmt::Debug for Heap {
    /// An object a line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, Object { class, fields, elements }) in &self.objects {
            let fields: Vec<(u32, i64)> = fields.iter().map(|(id, value)| (id.0, *value)).collect();
            write!(f, "\n{number}: {} {fields:?} {elements:?}", class.0)?;
        }
        Ok(())
    }
}

impl Heap {
    /// A heap with nothing but the constants of the enum.
    pub(super) fn new() -> Heap {
        let mut heap = Heap { objects: BTreeMap::new(), last: 0 };
        for _ in CONSTANTS {
            heap.add_new(Object::new(E, 0));
        }
        heap
    }

    /// The initial heap that the heap solver makes up.
    pub(super) fn of(inputs: &[InputObject]) -> Heap {
        let mut heap = Heap::new();
        for input in inputs {
            let is_array = element_sort(input.class).is_some();
            let length = input.length.filter(|_| is_array).unwrap_or(0);
            let mut object = Object::new(input.class, length as usize);
            // What a path looked at where another object was in the end is not there.
            for (field, content) in &input.fields {
                object.fields.entry(*field).and_modify(|value| *value = *content);
            }
            for element in input.elements.iter().filter(|it| it.elements == group(input.class)) {
                let index = usize::try_from(element.index).ok();
                if let Some(content) = index.and_then(|index| object.elements.get_mut(index)) {
                    *content = element.value;
                }
            }
            assert!(heap.objects.insert(input.number, object).is_none());
        }
        heap.check_types();
        heap
    }

    fn add_new(&mut self, object: Object) -> i64 {
        self.last -= 1;
        self.objects.insert(self.last, object);
        self.last
    }

    fn object(&mut self, number: i64) -> &mut Object {
        self.objects.get_mut(&number).unwrap_or_else(|| panic!("there is no object {number}"))
    }

    pub(super) fn class(&self, number: i64) -> ClassId {
        self.objects.get(&number).unwrap_or_else(|| panic!("there is no object {number}")).class
    }

    /// All references refer to objects of the right types, and all numbers are in their ranges.
    fn check_types(&self) {
        let check = |sort: Sort, value: i64| match sort {
            Sort::Number { low, high, .. } => assert!((low..=high).contains(&value), "{value}"),
            Sort::Reference(of) => assert!(
                value == 0 || is_subtype(self.class(value), of),
                "{value}, a {:?}, is no {of:?}",
                self.class(value)
            ),
        };
        for object in self.objects.values() {
            for (&id, &content) in &object.fields {
                check(field(id).sort, content);
            }
            for &element in &object.elements {
                let sort = element_sort(object.class).expect("only arrays have elements");
                check(sort, element);
            }
        }
    }
}

/// A program that is under way.
#[derive(Debug, Clone)]
pub(super) struct Machine {
    pub(super) heap: Heap,
    pub(super) values: Vec<i64>,
}

impl Machine {
    pub(super) fn new(heap: Heap) -> Machine {
        Machine { heap, values: Vec::new() }
    }

    pub(super) fn test(&self, test: Test) -> bool {
        let value = |id: ValueId| self.values[id];
        let class = |id: ValueId| self.heap.class(value(id));
        match test {
            Test::Null(object) => value(object) == 0,
            Test::Same(left, right) => value(left) == value(right),
            Test::Instance(object, of) => is_subtype(class(object), of),
            Test::Storable(array, object) => match element_sort(class(array)) {
                Some(Sort::Reference(component)) => is_subtype(class(object), component),
                _ => false,
            },
            Test::Compare(comparison, left, right) => {
                compares(comparison, value(left), value(right))
            }
        }
    }

    /// Makes a step. `input` is the next input.
    pub(super) fn step(&mut self, step: Step, input: i64) {
        let value = |id: ValueId| self.values[id];
        let made = match step {
            Step::Input => input,
            Step::Constant(constant) => constant,
            Step::Apply(operation, left, right) => apply(operation, value(left), value(right)),
            Step::GetField(object, field) => {
                let object = value(object);
                self.heap.object(object).fields[&field]
            }
            Step::SetField(object, field, content) => {
                let (object, content) = (value(object), value(content));
                let old = self.heap.object(object).fields.insert(field, content);
                assert!(old.is_some(), "there is no such field");
                return;
            }
            Step::Length(array) => {
                let array = value(array);
                self.heap.object(array).elements.len() as i64
            }
            Step::GetElement(array, index) => {
                let (array, index) = (value(array), value(index));
                self.heap.object(array).elements[index as usize]
            }
            Step::SetElement(array, index, content) => {
                let (array, index, content) = (value(array), value(index), value(content));
                self.heap.object(array).elements[index as usize] = content;
                return;
            }
            Step::Copy((from, from_start), (to, to_start), length) => {
                let [from, from_start, to, to_start, length] =
                    [from, from_start, to, to_start, length].map(value);
                let (from_start, to_start) = (from_start as usize, to_start as usize);
                let end = from_start + length as usize;
                let copied = self.heap.object(from).elements[from_start..end].to_vec();
                self.heap.object(to).elements[to_start..][..copied.len()].copy_from_slice(&copied);
                return;
            }
            Step::New(class) => self.heap.add_new(Object::new(class, 0)),
            Step::NewArray(class, length) => {
                let length = value(length);
                self.heap.add_new(Object::new(class, length as usize))
            }
            Step::Cast(object) => value(object),
            Step::Guard(test, expected) => {
                assert_eq!(self.test(test), expected, "{test:?}");
                return;
            }
        };
        self.values.push(made);
    }
}
