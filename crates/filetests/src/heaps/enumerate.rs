//! All small heaps.
//!
//! A heap is made by picking, for each reference in turn, null, an object that is already there, or a
//! new one; the fields of objects follow in the order in which the objects were made. So no two
//! sequences of picks give heaps that differ in the names of objects alone. All sequences in turn give all
//! heaps; sequences by chance are a sample.

use std::sync::Arc;

use petrel_classfile::{JavaType, MethodDescriptor, flags};
use petrel_program::{Class, Program, ResolvedMethod};
use petrel_value::{FieldValue, Heap, Object, Value};

use super::Input;
use crate::sample::Random;

/// Of the types that are not the project's, at most so many classes of the project are tried.
const MOST_CLASSES: usize = 3;

/// The heaps that are tried.
#[derive(Debug, Clone)]
pub struct Shapes<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its own classes.
    pub classes: Vec<Arc<Class>>,
    /// The most objects.
    pub objects: usize,
    /// The longest array.
    pub length: usize,
    /// The integers.
    pub numbers: Vec<i32>,
}

/// Inputs of a method.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Whether these are all.
    pub is_all: bool,
}

/// Where the picks come from.
enum Picks {
    /// The picks before, each of so many.
    InTurn {
        picked: Vec<(usize, usize)>,
        at: usize,
    },
    ByChance(Random),
}

impl Picks {
    /// A number below `count`.
    fn pick(&mut self, count: usize) -> usize {
        match self {
            Picks::ByChance(random) => random.below(count),
            Picks::InTurn { picked, at } => {
                if *at == picked.len() {
                    picked.push((0, count));
                }
                *at += 1;
                picked[*at - 1].0
            }
        }
    }

    /// Goes to the next sequence; `false` if there is none.
    fn advance(&mut self) -> bool {
        let Picks::InTurn { picked, at } = self else { return true };
        *at = 0;
        while let Some((last, count)) = picked.pop() {
            if last + 1 < count {
                picked.push((last + 1, count));
                return true;
            }
        }
        false
    }
}

/// What a new object can be.
#[derive(Debug, Clone)]
enum Candidate {
    Class(Arc<Class>),
    Constant(Object),
    /// An array of this component type.
    Array(JavaType),
}

/// A heap that is being made.
struct Making<'s, 'p> {
    shapes: &'s Shapes<'p>,
    method: &'s ResolvedMethod,
    picks: &'s mut Picks,
    heap: Heap,
    /// How many objects of the heap are no constants of enums.
    objects: usize,
    /// Types of the objects as class constants name them.
    types: Vec<String>,
}

impl<'p> Shapes<'p> {
    /// Up to three objects and numbers around zero.
    ///
    /// # Panics
    ///
    /// If a class of the project cannot be loaded.
    pub fn small(program: &'p Program) -> Shapes<'p> {
        let names = program.project_classes().unwrap_or_else(|error| panic!("{error}"));
        let load = |name: &Arc<str>| program.class(name).unwrap_or_else(|error| panic!("{error}"));
        let classes = names.iter().map(load).collect();
        Shapes { program, classes, objects: 3, length: 3, numbers: vec![0, 1, -1] }
    }

    /// The inputs of a method: all of them, or a sample if there are more than `most`.
    pub fn inputs(&self, method: &ResolvedMethod, most: usize) -> Inputs {
        let mut picks = Picks::InTurn { picked: Vec::new(), at: 0 };
        let mut inputs = Vec::new();
        loop {
            inputs.extend(self.input(method, &mut picks));
            if !picks.advance() {
                return Inputs { inputs, is_all: true };
            }
            if inputs.len() > most {
                break;
            }
        }
        let mut picks = Picks::ByChance(Random::new(1));
        let sample = (0..most).filter_map(|_| self.input(method, &mut picks)).collect();
        Inputs { inputs: sample, is_all: false }
    }

    /// The input that the picks lead to; `None` if there is no receiver.
    fn input(&self, method: &ResolvedMethod, picks: &mut Picks) -> Option<Input> {
        let descriptor = MethodDescriptor::parse(method.descriptor()).ok()?;
        let (heap, types) = (Heap::new(), Vec::new());
        let mut making = Making { shapes: self, method, picks, heap, objects: 0, types };
        let receiver = match method.is_static() || method.is_constructor() {
            true => None,
            false => Some(making.receiver()?),
        };
        let arguments = descriptor.parameters.iter().map(|of| making.value(of)).collect();
        let mut filled = 0;
        while filled < making.heap.objects.len() {
            making.fill(filled);
            filled += 1;
        }
        Some(Input { receiver, arguments, heap: making.heap })
    }

    fn candidates(&self, of: &JavaType, method: &ResolvedMethod) -> Vec<Candidate> {
        match of {
            JavaType::Array(component) => {
                let mut found = vec![Candidate::Array((**component).clone())];
                if let JavaType::Object(name) = &**component {
                    for class in self.classes_below(name, method) {
                        if class.name() != &**name {
                            let component = JavaType::Object(class.name().into());
                            found.push(Candidate::Array(component));
                        }
                    }
                }
                found
            }
            JavaType::Object(name) => {
                let classes = self.classes_below(name, method).into_iter();
                classes.flat_map(|class| self.objects_of(&class)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn objects_of(&self, class: &Arc<Class>) -> Vec<Candidate> {
        if is_enum(class) {
            return constants(class).into_iter().map(Candidate::Constant).collect();
        }
        let is_made_up = !class.is_abstract()
            && !class.is_interface()
            // Of what the JDK keeps in its objects nothing is made up.
            && class.lineage().all(|above| {
                self.program.is_project_class(above.name()) || above.fields().all(|field| field.is_static())
            });
        if is_made_up { vec![Candidate::Class(Arc::clone(class))] } else { Vec::new() }
    }

    /// Classes that are assignable to a type. Of a type of the JDK, a few from the file of the method.
    fn classes_below(&self, name: &str, method: &ResolvedMethod) -> Vec<Arc<Class>> {
        let is_below =
            |class: &&Arc<Class>| self.program.is_assignable(class.name(), name).unwrap_or(false);
        if self.program.is_project_class(name) {
            return self.classes.iter().filter(is_below).cloned().collect();
        }
        let file = |class: &Class| class.name().split('$').next().unwrap_or_default().to_owned();
        let here = file(method.class());
        let own = self.classes.iter().filter(|class| file(class) == here).filter(is_below);
        let mut found: Vec<Arc<Class>> = own.take(MOST_CLASSES).cloned().collect();
        if name == "java/lang/Object" {
            found.extend(self.program.class(name));
        }
        found
    }

    fn numbers(&self, of: &JavaType) -> Vec<Value> {
        let low: i32 = if *of == JavaType::Char { 0 } else { i32::MIN };
        let numbers = self.numbers.iter().copied().filter(|&number| number >= low);
        let value = |number: i32| match of {
            JavaType::Byte => Value::Byte(number as i8),
            JavaType::Short => Value::Short(number as i16),
            JavaType::Char => Value::Char(number as u16),
            JavaType::Long => Value::Long(number.into()),
            JavaType::Float => Value::float(number as f32),
            JavaType::Double => Value::double(number.into()),
            _ => Value::Int(number),
        };
        numbers.map(value).collect()
    }
}

/// Whether a class is an enum or the body of a constant of one.
fn is_enum(class: &Arc<Class>) -> bool {
    class.lineage().any(|above| above.name() == "java/lang/Enum")
}

fn constants(class: &Arc<Class>) -> Vec<Object> {
    let fields = class.fields().filter(|field| field.has_flags(flags::ENUM));
    let constant =
        |name: &str| Object::EnumConstant { class: class.name().into(), name: name.into() };
    fields.map(|field| constant(field.name())).collect()
}

impl Making<'_, '_> {
    /// A receiver for which the method is selected.
    fn receiver(&mut self) -> Option<Value> {
        let of = JavaType::Object(self.method.class().name().into());
        let mut candidates = self.shapes.candidates(&of, self.method);
        candidates.retain(|candidate| {
            let Candidate::Class(class) = candidate else { return true };
            let (name, descriptor) = (self.method.name(), self.method.descriptor());
            // Private methods are not overridden.
            let selected =
                class.lineage().find_map(|above| above.declared_method(name, descriptor));
            self.method.is_private() || selected.is_none_or(|selected| selected == *self.method)
        });
        if candidates.is_empty() {
            return None;
        }
        let picked = self.picks.pick(candidates.len());
        self.new_object(candidates.swap_remove(picked))
    }

    fn value(&mut self, of: &JavaType) -> Value {
        match of {
            JavaType::Boolean => Value::Boolean(self.picks.pick(2) == 1),
            JavaType::Object(name) => self.reference(of, name),
            JavaType::Array(_) => self.reference(of, &of.to_string()),
            _ => {
                let numbers = self.shapes.numbers(of);
                numbers[self.picks.pick(numbers.len())]
            }
        }
    }

    fn reference(&mut self, of: &JavaType, name: &str) -> Value {
        let program = self.shapes.program;
        let mut known = vec![Value::Null];
        for (index, class) in self.types.iter().enumerate() {
            let is_constant = matches!(self.heap.objects[index], Object::EnumConstant { .. });
            if !is_constant && program.is_assignable(class, name).unwrap_or(false) {
                known.push(Value::Reference(petrel_value::ObjectId(index as u32)));
            }
        }
        let mut candidates = self.shapes.candidates(of, self.method);
        if self.objects >= self.shapes.objects {
            candidates.retain(|candidate| matches!(candidate, Candidate::Constant(_)));
        }
        let picked = self.picks.pick(known.len() + candidates.len());
        match known.get(picked) {
            Some(&known) => known,
            None => {
                let candidate = candidates.swap_remove(picked - known.len());
                self.new_object(candidate).unwrap_or(Value::Null)
            }
        }
    }

    fn new_object(&mut self, candidate: Candidate) -> Option<Value> {
        let (object, name) = match candidate {
            Candidate::Class(class) => {
                let name: Box<str> = class.name().into();
                (Object::Instance { class: name.clone(), fields: Vec::new() }, name.into())
            }
            Candidate::Constant(constant) => {
                // A constant exists once.
                let known = self.heap.objects.iter().position(|object| *object == constant);
                if let Some(known) = known {
                    return Some(Value::Reference(petrel_value::ObjectId(known as u32)));
                }
                let Object::EnumConstant { class, .. } = &constant else { return None };
                let class = class.to_string();
                self.types.push(class);
                return Some(self.heap.add(constant));
            }
            Candidate::Array(component) => {
                let length = self.picks.pick(self.shapes.length + 1);
                let name = format!("[{component}");
                (Object::Array { component, elements: vec![Value::Null; length] }, name)
            }
        };
        self.objects += 1;
        self.types.push(name);
        Some(self.heap.add(object))
    }

    fn fill(&mut self, index: usize) {
        match self.heap.objects[index].clone() {
            Object::Array { component, elements } => {
                let values = elements.iter().map(|_| self.value(&component)).collect();
                self.heap.objects[index] = Object::Array { component, elements: values };
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
