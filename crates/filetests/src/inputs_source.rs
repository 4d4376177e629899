//! Inputs as Java source: what a programmer would write to get the same objects, by public constructors,
//! factories and methods alone, and anonymous classes for stubs.
//!
//! The types are raw, and every argument is cast to the type of its parameter, so that the overload that is
//! called is the one that is meant.

mod stubs;
#[cfg(test)]
mod tests;

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_program::{Program, external_type};
use petrel_translate::stub::ANSWER;
use petrel_value::{BuildStep, Call, Heap, Object, ObjectId, Shared, Value, escaped};

/// Statements that make objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The statements, in the order in which they run.
    pub statements: Vec<String>,
    /// For each value that was asked for, the expression that it has then.
    pub values: Vec<String>,
}

/// The statements that make what some values refer to.
///
/// # Errors
///
/// If there is an object that no public code makes, or that is not described as if some did.
pub fn source_of(program: &Program, heap: &Heap, values: &[Value]) -> Result<Source, String> {
    let mut writer =
        Writer { program, heap, is_made: vec![false; heap.objects.len()], out: Vec::new() };
    let mut is_needed = vec![false; heap.objects.len()];
    for id in heap.reached(values.iter().copied()) {
        is_needed[id.0 as usize] = true;
    }
    let ids = (0..heap.objects.len() as u32).map(ObjectId);
    for (id, object) in ids.zip(&heap.objects).filter(|(id, _)| is_needed[id.0 as usize]) {
        writer.declare(id, object)?;
    }
    for step in heap.order_of_building() {
        let (BuildStep::Make(id) | BuildStep::Fill(id) | BuildStep::Call(id)) = step;
        if is_needed[id.0 as usize] {
            writer.step(step)?;
        }
    }
    Ok(Source {
        values: values.iter().map(|&value| expression(value)).collect(),
        statements: writer.out,
    })
}

struct Writer<'a> {
    /// What stubs implement is declared there.
    program: &'a Program,
    heap: &'a Heap,
    /// By object: whether its variable has a value.
    is_made: Vec<bool>,
    out: Vec<String>,
}

impl Writer<'_> {
    /// Strings, boxes, constants and empty arrays, which need nothing.
    fn declare(&mut self, id: ObjectId, object: &Object) -> Result<(), String> {
        let (java_type, made) = match object {
            // Two strings of the heap are two objects, also if they are equal.
            Object::String(text) => {
                ("String".to_owned(), format!("new String(\"{}\")", escaped(&text.0)))
            }
            Object::Boxed(value) => {
                let class = value.box_class().ok_or("a box without a primitive value")?;
                let class = class_name(class);
                (class.clone(), format!("{class}.valueOf({})", expression(*value)))
            }
            Object::EnumConstant { class, name } => {
                let class = class_name(class);
                (class.clone(), format!("{class}.{name}"))
            }
            Object::Shared(Shared::Constant(text)) => {
                ("String".to_owned(), format!("\"{}\"", escaped(&text.0)))
            }
            Object::Shared(Shared::Static { class, field, .. }) => {
                return Err(format!("the static field {field} of {}", class_name(class)));
            }
            Object::Array { component, elements } => {
                (format!("{}[]", type_name(component)), new_array(component, elements.len()))
            }
            Object::Built { .. } => return Ok(()),
            Object::Instance { class, .. } => {
                return Err(format!("an object of {} by its fields", class_name(class)));
            }
            Object::Opaque { class } => {
                return Err(format!(
                    "an object of {} of which nothing is known",
                    class_name(class)
                ));
            }
        };
        self.out.push(format!("{java_type} {} = {made};", variable(id)));
        self.is_made[id.0 as usize] = true;
        Ok(())
    }

    fn step(&mut self, step: BuildStep) -> Result<(), String> {
        let heap = self.heap;
        let (BuildStep::Make(id) | BuildStep::Fill(id) | BuildStep::Call(id)) = step;
        match (step, &heap.objects[id.0 as usize]) {
            (BuildStep::Make(_), Object::Built { by, .. }) => self.make(id, by),
            (BuildStep::Call(_), Object::Built { calls, .. }) => {
                for call in calls {
                    let arguments = self.arguments(call, &call.arguments)?;
                    let called = if (&*call.name, &*call.descriptor) == ANSWER {
                        format!("Same.answers({}).add", variable(id))
                    } else {
                        format!("(({}) {}).{}", class_name(&call.class), variable(id), call.name)
                    };
                    self.out.push(format!("{called}({arguments});"));
                }
                Ok(())
            }
            (BuildStep::Fill(_), Object::Array { component, elements }) => {
                for (position, &element) in elements.iter().enumerate() {
                    if self.is_there(element) {
                        let element = cast(component, element);
                        self.out.push(format!("{}[{position}] = {element};", variable(id)));
                    }
                }
                Ok(())
            }
            (step, object) => Err(format!("{step:?} of {object:?}")),
        }
    }

    /// A factory may give less than the class of the object, which need not be public. It may be a method of
    /// another object, which is its first argument then.
    fn make(&mut self, id: ObjectId, by: &Call) -> Result<(), String> {
        let class = class_name(&by.class);
        let (java_type, made) = if &*by.name == "<init>" {
            match stubs::new_stub(self.program, &by.class)? {
                Some(stub) => stub,
                None => {
                    let arguments = self.arguments(by, &by.arguments)?;
                    (class.clone(), format!("new {class}({arguments})"))
                }
            }
        } else {
            let descriptor = descriptor_of(by)?;
            let result = descriptor.result.ok_or("a factory without a result")?;
            let is_of_object = by.arguments.len() > descriptor.parameters.len();
            let (receiver, arguments) = by.arguments.split_at(usize::from(is_of_object));
            let arguments = self.arguments(by, arguments)?;
            let made = match receiver {
                [receiver] if !self.is_there(*receiver) => {
                    return Err(format!("{} of an object that is made later", by.name));
                }
                [receiver] => {
                    format!("(({class}) {}).{}({arguments})", expression(*receiver), by.name)
                }
                _ => format!("{class}.{}({arguments})", by.name),
            };
            (type_name(&result), made)
        };
        self.out.push(format!("{java_type} {} = {made};", variable(id)));
        self.is_made[id.0 as usize] = true;
        Ok(())
    }

    fn arguments(&self, call: &Call, arguments: &[Value]) -> Result<String, String> {
        let parameters = descriptor_of(call)?.parameters;
        if parameters.len() != arguments.len() {
            return Err(format!(
                "{} arguments of {}{}",
                arguments.len(),
                call.name,
                call.descriptor
            ));
        }
        if !arguments.iter().all(|&argument| self.is_there(argument)) {
            return Err(format!("{} with an argument that is made later", call.name));
        }
        let arguments = parameters.iter().zip(arguments);
        let arguments: Vec<String> =
            arguments.map(|(parameter, &argument)| cast(parameter, argument)).collect();
        Ok(arguments.join(", "))
    }

    fn is_there(&self, value: Value) -> bool {
        match value {
            Value::Reference(id) => self.is_made.get(id.0 as usize) == Some(&true),
            _ => true,
        }
    }
}

fn descriptor_of(call: &Call) -> Result<MethodDescriptor, String> {
    MethodDescriptor::parse(&call.descriptor).map_err(|error| error.to_string())
}

fn variable(id: ObjectId) -> String {
    format!("object{}", id.0)
}

/// An expression, of the type that the value has.
fn expression(value: Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Byte(value) => format!("(byte) ({value})"),
        Value::Short(value) => format!("(short) ({value})"),
        Value::Char(unit) => format!("(char) {unit}"),
        Value::Int(value) => format!("({value})"),
        Value::Long(value) => format!("({value}L)"),
        // There are numbers without a literal.
        Value::Float(bits) => format!("Float.intBitsToFloat({:#x})", bits),
        Value::Double(bits) => format!("Double.longBitsToDouble({:#x}L)", bits),
        Value::Reference(id) => variable(id),
    }
}

fn cast(to: &JavaType, value: Value) -> String {
    format!("({}) {}", type_name(to), expression(value))
}

/// The name in source of a class that has one. Member classes of the class library and of fixtures are named
/// after the class that they are in, with a `$`.
fn class_name(internal: &str) -> String {
    internal.replace(['/', '$'], ".")
}

fn type_name(java_type: &JavaType) -> String {
    class_name(&external_type(java_type))
}

/// The length stands in the first of the brackets.
fn new_array(component: &JavaType, length: usize) -> String {
    let mut element = component;
    let mut more = String::new();
    while let JavaType::Array(below) = element {
        more.push_str("[]");
        element = below;
    }
    format!("new {}[{length}]{more}", type_name(element))
}
