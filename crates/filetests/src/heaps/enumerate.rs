//! All small heaps.
//!
//! A heap is made by picking, for each reference in turn, null, an object that is already there, or a
//! new one; the fields of objects follow in the order in which the objects were made. So no two
//! sequences of picks give heaps that differ in the names of objects alone. All sequences in turn give all
//! heaps; sequences by chance are a sample.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_program::{Class, Program, ResolvedMethod};
use petrel_value::{FieldValue, Heap, Object, ObjectId, Value};

use super::Input;
use super::candidates::{Candidate, Candidates};
use super::picks::Picks;

/// The heaps that are tried.
#[derive(Debug, Clone)]
pub struct Shapes<'p> {
    pub(super) program: &'p Program,
    /// Its own classes.
    classes: Vec<Arc<Class>>,
    /// The most objects of all heaps.
    pub objects: usize,
    /// The most objects of heaps that are tried by chance.
    pub more_objects: usize,
    /// The longest array.
    pub length: usize,
    /// The numbers in fields, elements and arguments.
    pub numbers: Vec<i8>,
    /// Whether objects of the class library, constant strings and objects of static fields are tried.
    has_library: bool,
}

/// Inputs of a method.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Whether all heaps up to the number of objects are among them.
    pub is_all: bool,
}

impl<'p> Shapes<'p> {
    /// All heaps up to three objects, and some of up to six.
    ///
    /// # Panics
    ///
    /// If a class of the project cannot be loaded.
    pub fn small(program: &'p Program) -> Shapes<'p> {
        let names = program.project_classes().unwrap_or_else(|error| panic!("{error}"));
        let load = |name: &Arc<str>| program.class(name).unwrap_or_else(|error| panic!("{error}"));
        let classes = names.iter().map(load).collect();
        let numbers = vec![0, 1, -1];
        let (objects, more_objects, length) = (3, 6, 3);
        Shapes { program, classes, objects, more_objects, length, numbers, has_library: false }
    }

    /// The same with objects of the class library, constant strings and objects of static fields.
    ///
    /// # Panics
    ///
    /// If a class of the project cannot be loaded.
    pub fn with_library(program: &'p Program) -> Shapes<'p> {
        Shapes { has_library: true, ..Shapes::small(program) }
    }

    /// The inputs of a method: all of them, or a sample if there are more than `most`, and as many larger
    /// ones by chance as `more` says.
    pub fn inputs(&self, method: &ResolvedMethod, most: usize, more: usize) -> Inputs {
        let all = self.all_inputs(method, most);
        let is_all = all.is_some();
        let mut inputs = all.unwrap_or_else(|| self.sample(method, self.objects, most));
        inputs.extend(self.sample(method, self.more_objects, more));
        Inputs { inputs, is_all }
    }

    /// All inputs; `None` if there are more than `most`.
    fn all_inputs(&self, method: &ResolvedMethod, most: usize) -> Option<Vec<Input>> {
        let mut making = self.making(method, self.objects, Picks::in_turn());
        let mut inputs = Vec::new();
        loop {
            inputs.extend(making.input());
            if inputs.len() > most {
                return None;
            }
            if !making.picks.advance() {
                return Some(inputs);
            }
        }
    }

    fn sample(&self, method: &ResolvedMethod, objects: usize, count: usize) -> Vec<Input> {
        let mut making = self.making(method, objects, Picks::by_chance(objects as u64));
        (0..count).map_while(|_| making.input()).collect()
    }

    pub(super) fn making<'s>(
        &'s self,
        method: &'s ResolvedMethod,
        most_objects: usize,
        picks: Picks,
    ) -> Making<'s> {
        let descriptor = MethodDescriptor::parse(method.descriptor());
        Making {
            shapes: self,
            candidates: Candidates {
                program: self.program,
                classes: &self.classes,
                has_library: self.has_library,
                method,
            },
            parameters: descriptor.map(|descriptor| descriptor.parameters).unwrap_or_default(),
            picks,
            most_objects,
            heap: Heap::new(),
            objects: 0,
            types: Vec::new(),
            by_type: BTreeMap::new(),
            is_assignable: BTreeMap::new(),
        }
    }

    fn numbers(&self, of: &JavaType) -> Vec<Value> {
        let low = if *of == JavaType::Char { 0 } else { i8::MIN };
        let value = |number: i8| match of {
            JavaType::Byte => Value::Byte(number),
            JavaType::Short => Value::Short(number.into()),
            JavaType::Char => Value::Char(number.unsigned_abs().into()),
            JavaType::Long => Value::Long(number.into()),
            JavaType::Float => Value::float(number.into()),
            JavaType::Double => Value::double(number.into()),
            _ => Value::Int(number.into()),
        };
        self.numbers.iter().copied().filter(|&number| number >= low).map(value).collect()
    }
}

/// Inputs of a method that are being made, one after the other.
pub(super) struct Making<'s> {
    pub(super) shapes: &'s Shapes<'s>,
    candidates: Candidates<'s>,
    pub(super) parameters: Vec<JavaType>,
    pub(super) picks: Picks,
    most_objects: usize,
    pub(super) heap: Heap,
    /// How many objects of the heap are no constants of enums.
    objects: usize,
    /// Types of the objects of the heap, as class constants name them.
    types: Vec<Rc<str>>,
    /// What a new object of a type can be, where it is known.
    by_type: BTreeMap<JavaType, Rc<[Candidate]>>,
    /// Whether an object of the first type is one of the second, where it is known.
    is_assignable: BTreeMap<(Rc<str>, JavaType), bool>,
}

impl Making<'_> {
    /// The input that the picks lead to; `None` if there are no receivers.
    fn input(&mut self) -> Option<Input> {
        self.start(Heap::new());
        let method = self.candidates.method;
        let receiver = match method.is_static() || method.is_constructor() {
            true => None,
            false => Some(self.receiver()?),
        };
        let parameters = self.parameters.clone();
        let arguments = parameters.iter().map(|of| self.value(of)).collect();
        let mut filled = 0;
        while filled < self.heap.objects.len() {
            self.fill(filled);
            filled += 1;
        }
        Some(Input { receiver, arguments, heap: std::mem::take(&mut self.heap) })
    }

    /// Goes on from a heap.
    pub(super) fn start(&mut self, heap: Heap) {
        let is_constant = |object: &&Object| matches!(object, Object::EnumConstant { .. });
        self.objects = heap.objects.iter().filter(|object| !is_constant(object)).count();
        self.types = heap.objects.iter().map(type_of).collect();
        self.heap = heap;
    }

    fn receiver(&mut self) -> Option<Value> {
        let candidates = self.candidates.of_receiver();
        if candidates.is_empty() {
            return None;
        }
        let picked = self.picks.pick(candidates.len());
        Some(self.new_object(&candidates[picked]))
    }

    /// Any value of a type. Objects that are made for it have no fields and zeros as elements.
    pub(super) fn value(&mut self, of: &JavaType) -> Value {
        match of {
            JavaType::Boolean => Value::Boolean(self.picks.pick(2) == 1),
            JavaType::Object(_) | JavaType::Array(_) => self.reference(of),
            _ => {
                let numbers = self.shapes.numbers(of);
                numbers[self.picks.pick(numbers.len())]
            }
        }
    }

    fn reference(&mut self, of: &JavaType) -> Value {
        let mut known = vec![Value::Null];
        for index in 0..self.types.len() {
            let is_known = !self.types[index].is_empty();
            if is_known && self.is_of(index, of) {
                known.push(Value::Reference(ObjectId(index as u32)));
            }
        }
        let candidates = self.candidates_of(of);
        let is_full = self.objects >= self.most_objects;
        let is_possible =
            |candidate: &&Candidate| !is_full || matches!(candidate, Candidate::Constant(_));
        let candidates: Vec<&Candidate> = candidates.iter().filter(is_possible).collect();
        let picked = self.picks.pick(known.len() + candidates.len());
        match picked.checked_sub(known.len()) {
            None => known[picked],
            Some(new) => self.new_object(candidates[new]),
        }
    }

    fn candidates_of(&mut self, of: &JavaType) -> Rc<[Candidate]> {
        let candidates = &self.candidates;
        let entry = self.by_type.entry(of.clone());
        Rc::clone(entry.or_insert_with(|| candidates.of_type(of).into()))
    }

    fn is_of(&mut self, index: usize, of: &JavaType) -> bool {
        let class = Rc::clone(&self.types[index]);
        let program = self.shapes.program;
        let entry = self.is_assignable.entry((Rc::clone(&class), of.clone()));
        *entry.or_insert_with(|| {
            let wanted = match of {
                JavaType::Object(name) => name.to_string(),
                other => other.to_string(),
            };
            program.is_assignable(&class, &wanted).unwrap_or(false)
        })
    }

    fn new_object(&mut self, candidate: &Candidate) -> Value {
        let object = match candidate {
            Candidate::Class(class) => {
                Object::Instance { class: class.name().into(), fields: Vec::new() }
            }
            Candidate::Constant(constant) => {
                let known = self.heap.objects.iter().position(|object| object == constant);
                if let Some(known) = known {
                    return Value::Reference(ObjectId(known as u32));
                }
                constant.clone()
            }
            Candidate::Library(object, _) => object.clone(),
            Candidate::Array(component) => {
                let length = self.picks.pick(self.shapes.length + 1);
                let elements = vec![zero(component); length];
                Object::Array { component: component.clone(), elements }
            }
        };
        self.objects += usize::from(!matches!(candidate, Candidate::Constant(_)));
        self.types.push(match candidate {
            Candidate::Library(_, class) => (*class).into(),
            _ => type_of(&object),
        });
        self.heap.add(object)
    }

    fn fill(&mut self, index: usize) {
        match self.heap.objects[index].clone() {
            Object::Array { component, elements } => {
                let elements = elements.iter().map(|_| self.value(&component)).collect();
                self.heap.objects[index] = Object::Array { component, elements };
            }
            Object::Instance { class, .. } => {
                let fields = self.fields(&class);
                self.heap.objects[index] = Object::Instance { class, fields };
            }
            _ => {}
        }
    }

    fn fields(&mut self, class: &str) -> Vec<FieldValue> {
        let mut fields = Vec::new();
        let Ok(class) = self.shapes.program.class(class) else { return fields };
        for declaring in class.lineage() {
            for field in declaring.fields().filter(|field| !field.is_static()) {
                let Ok(of) = JavaType::parse(field.descriptor()) else { continue };
                let value = self.value(&of);
                let (class, name) = (declaring.name().into(), field.name().into());
                fields.push(FieldValue { class, name, value });
            }
        }
        fields
    }
}

/// What elements of new arrays are.
fn zero(of: &JavaType) -> Value {
    match of {
        JavaType::Boolean => Value::Boolean(false),
        JavaType::Byte => Value::Byte(0),
        JavaType::Short => Value::Short(0),
        JavaType::Char => Value::Char(0),
        JavaType::Int => Value::Int(0),
        JavaType::Long => Value::Long(0),
        JavaType::Float => Value::float(0.0),
        JavaType::Double => Value::double(0.0),
        JavaType::Object(_) | JavaType::Array(_) => Value::Null,
    }
}

/// The type of an object as class constants name it; nobody asks for that of other objects than these.
fn type_of(object: &Object) -> Rc<str> {
    match object {
        Object::Instance { class, .. } | Object::Built { class, .. } => (**class).into(),
        Object::Array { component, .. } => format!("[{component}").into(),
        _ => "".into(),
    }
}
