//! Heaps that are almost like others. Inputs that are made up by chance end early in most methods;
//! changes to inputs that go far go far, too, or take another way on the way.

use petrel_classfile::JavaType;
use petrel_program::ResolvedMethod;
use petrel_value::{Heap, Object, Value};

use super::Input;
use super::enumerate::{Making, Shapes};
use super::picks::Picks;

/// So many things are changed, at most.
const MOST_CHANGES: usize = 3;

/// Something of an input that can be changed.
#[derive(Debug, Clone)]
enum Place {
    Argument(usize),
    /// A field of an object, by their numbers.
    Field(usize, usize),
    /// An element of an array.
    Element(usize, usize),
    /// The length of an array.
    Length(usize),
}

impl Shapes<'_> {
    /// So many inputs that differ from one of these in a few values or references.
    pub fn neighbours(&self, method: &ResolvedMethod, of: &[Input], count: usize) -> Vec<Input> {
        if of.is_empty() {
            return Vec::new();
        }
        let mut making = self.making(method, usize::MAX, Picks::by_chance(1));
        (0..count).map(|number| making.neighbour(&of[number % of.len()])).collect()
    }
}

impl Making<'_> {
    fn neighbour(&mut self, of: &Input) -> Input {
        self.start(of.heap.clone());
        let (receiver, mut arguments) = (of.receiver, of.arguments.clone());
        for _ in 0..=self.picks.pick(MOST_CHANGES) {
            let places = places(&arguments, &self.heap);
            if places.is_empty() {
                break;
            }
            match places[self.picks.pick(places.len())] {
                Place::Argument(position) => {
                    let of = self.parameters[position].clone();
                    arguments[position] = self.other(arguments[position], &of);
                }
                Place::Field(object, position) => self.change_field(object, position),
                Place::Element(object, position) => self.change_element(object, position),
                Place::Length(object) => self.change_length(object),
            }
        }
        Input { receiver, arguments, heap: std::mem::take(&mut self.heap) }
    }

    /// Another value of a type, or the same.
    fn other(&mut self, value: Value, of: &JavaType) -> Value {
        let by = if self.picks.pick(2) == 0 { 1 } else { -1 };
        match value {
            // Half of the time a number is a little different.
            Value::Int(number) if self.picks.pick(2) == 0 => Value::Int(number.wrapping_add(by)),
            Value::Long(number) if self.picks.pick(2) == 0 => {
                Value::Long(number.wrapping_add(by.into()))
            }
            _ => self.value(of),
        }
    }

    fn change_field(&mut self, object: usize, position: usize) {
        let Object::Instance { fields, .. } = &self.heap.objects[object] else { return };
        let field = fields[position].clone();
        let Ok(class) = self.shapes.program.class(&field.class) else { return };
        let declared = class.fields().find(|declared| declared.name() == &*field.name);
        let Some(declared) = declared else { return };
        let Ok(of) = JavaType::parse(declared.descriptor()) else { return };
        let value = self.other(field.value, &of);
        if let Object::Instance { fields, .. } = &mut self.heap.objects[object] {
            fields[position].value = value;
        }
    }

    fn change_element(&mut self, object: usize, position: usize) {
        let Object::Array { component, elements } = &self.heap.objects[object] else { return };
        let (of, value) = (component.clone(), elements[position]);
        let value = self.other(value, &of);
        if let Object::Array { elements, .. } = &mut self.heap.objects[object] {
            elements[position] = value;
        }
    }

    fn change_length(&mut self, object: usize) {
        let Object::Array { component, elements } = &self.heap.objects[object] else { return };
        let (of, mut values) = (component.clone(), elements.clone());
        if self.picks.pick(2) == 0 {
            values.pop();
        } else {
            values.push(self.value(&of));
        }
        if let Object::Array { elements, .. } = &mut self.heap.objects[object] {
            *elements = values;
        }
    }
}

fn places(arguments: &[Value], heap: &Heap) -> Vec<Place> {
    let mut places: Vec<Place> = (0..arguments.len()).map(Place::Argument).collect();
    for (number, object) in heap.objects.iter().enumerate() {
        match object {
            Object::Instance { fields, .. } => {
                places.extend((0..fields.len()).map(|position| Place::Field(number, position)));
            }
            Object::Array { elements, .. } => {
                places.push(Place::Length(number));
                places.extend((0..elements.len()).map(|position| Place::Element(number, position)));
            }
            _ => {}
        }
    }
    places
}
