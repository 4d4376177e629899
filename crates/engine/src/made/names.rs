//! What results of models are called: the Java expression that gives them.

use std::rc::Rc;

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_clp::Kind;
use petrel_program::ResolvedMethod;

use super::Text;
use super::builder_models::BUILDER;
use crate::choose::expr_of;
use crate::heap::Body;
use crate::machine::Machine;
use crate::value::{Reference, Value};

/// Longer names tell nobody anything.
const LONGEST: usize = 160;

impl Machine<'_> {
    /// The Java expression of a call.
    pub(super) fn call_text(
        &self,
        method: &ResolvedMethod,
        arguments: &[Value],
    ) -> Option<Rc<str>> {
        let descriptor = MethodDescriptor::parse(method.descriptor()).ok()?;
        let (receiver, passed) =
            arguments.split_at(usize::from(!method.is_static()).min(arguments.len()));
        let mut texts = Vec::new();
        for (&argument, of) in passed.iter().zip(&descriptor.parameters) {
            texts.push(self.argument_text(argument, of)?);
        }
        let class = method.class().name();
        let is_builder = matches!(class, BUILDER | "java/lang/StringBuffer");
        let joined = texts.join(", ");
        let text = match receiver.first() {
            // Builders are written as concatenations.
            Some(&builder) if is_builder && method.name() == "append" => {
                let before = self.object_text(builder)?;
                if &*before == "\"\"" { joined } else { format!("{before} + {joined}") }
            }
            Some(&builder) if is_builder && method.name() == "toString" => {
                self.object_text(builder)?.to_string()
            }
            Some(_) if method.is_constructor() => joined,
            Some(&receiver) => {
                let receiver = self.object_text(receiver)?;
                let is_sum = receiver.contains(" + ");
                let (open, close) = if is_sum { ("(", ")") } else { ("", "") };
                format!("{open}{receiver}{close}.{}({joined})", method.name())
            }
            None => {
                let simple = class.rsplit(['/', '$']).next().unwrap_or(class);
                format!("{simple}.{}({joined})", method.name())
            }
        };
        (text.len() <= LONGEST).then(|| text.into())
    }

    fn argument_text(&self, argument: Value, of: &JavaType) -> Option<String> {
        match of {
            JavaType::Object(_) | JavaType::Array(_) => {
                self.object_text(argument).map(|text| text.to_string())
            }
            JavaType::Char if !argument.is_symbolic() => {
                let unit = argument.as_int() as u16;
                let readable = char::from_u32(unit.into()).filter(|unit| unit.is_ascii_graphic());
                Some(readable.map_or_else(|| unit.to_string(), |unit| format!("'{unit}'")))
            }
            JavaType::Boolean if !argument.is_symbolic() => {
                Some((argument.as_int() & 1 != 0).to_string())
            }
            of => {
                let kind = Kind::of_descriptor(&of.to_string());
                Some(petrel_solver::text(self.solver.store.terms(), expr_of(argument, kind), kind))
            }
        }
    }

    /// What an object is called; `None` if it has no name.
    pub(crate) fn object_text(&self, value: Value) -> Option<Rc<str>> {
        let value = if value.is_symbolic() { self.resolved(value) } else { value };
        if value.is_symbolic() {
            return Some(self.text(value, Kind::Reference).into());
        }
        let object = value.as_reference();
        if object.is_null() {
            return Some("null".into());
        }
        match &self.heap.object(object).body {
            Body::Text(text, _) => self.name_of_text(text),
            Body::Unmade => {
                let number = self.unknown.made.number(object)?;
                Some(Rc::clone(&self.unknown.made.get(number).name))
            }
            _ => self.known_text(object),
        }
    }

    fn name_of_text(&self, text: &Text) -> Option<Rc<str>> {
        match (&text.name, text.known(&self.solver.store)) {
            (Some(name), _) => Some(Rc::clone(name)),
            (None, Some(units)) => Some(quoted(&units)),
            (None, None) => None,
        }
    }

    /// A string, or what a builder holds, if it is known.
    fn known_text(&self, object: Reference) -> Option<Rc<str>> {
        let units = self.units(object).or_else(|| self.builder_units(object))?;
        Some(quoted(&units))
    }
}

fn quoted(units: &[u16]) -> Rc<str> {
    format!("\"{}\"", petrel_value::escaped(units)).into()
}
