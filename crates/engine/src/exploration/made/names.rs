//! What results of models are called: the Java expression that gives them.

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_clp::Kind;
use petrel_expression::{Expression, Node};
use petrel_program::ResolvedMethod;

use crate::library::BUILDER;
use crate::library::Text;
use crate::machine::{Body, Machine, Reference, Value};

/// Longer names tell nobody anything.
const LONGEST: usize = 160;

impl Machine<'_> {
    /// The Java expression of a call.
    pub(crate) fn call_expression(
        &self,
        method: &ResolvedMethod,
        arguments: &[Value],
    ) -> Option<Expression> {
        let descriptor = MethodDescriptor::parse(method.descriptor()).ok()?;
        let (receiver, passed) =
            arguments.split_at(usize::from(!method.is_static()).min(arguments.len()));
        let mut told = Vec::new();
        for (&argument, of) in passed.iter().zip(&descriptor.parameters) {
            told.push(self.argument_expression(argument, of)?);
        }
        let class = method.class().name();
        let is_builder = matches!(class, BUILDER | "java/lang/StringBuffer");
        let call = match receiver.first() {
            // Builders are written as concatenations.
            Some(&builder) if is_builder && method.name() == "append" => {
                let before = self.object_expression(builder)?;
                match before.node() {
                    Node::Text(units) if units.is_empty() => several(told),
                    _ => Expression::new(Node::Concatenation(before, several(told))),
                }
            }
            Some(&builder) if is_builder && method.name() == "toString" => {
                self.object_expression(builder)?
            }
            Some(_) if method.is_constructor() => several(told),
            Some(&receiver) => self.object_expression(receiver)?.call(method.name(), told),
            None => {
                let simple = class.rsplit(['/', '$']).next().unwrap_or(class);
                let (class, method) = (simple.into(), method.name().into());
                Expression::new(Node::StaticCall(class, method, told.into()))
            }
        };
        call.fits(LONGEST).then_some(call)
    }

    fn argument_expression(&self, argument: Value, of: &JavaType) -> Option<Expression> {
        match of {
            JavaType::Object(_) | JavaType::Array(_) => self.object_expression(argument),
            JavaType::Char if !argument.is_symbolic() => {
                Some(Expression::new(Node::Character(argument.as_int() as u16)))
            }
            JavaType::Boolean if !argument.is_symbolic() => {
                Some(Expression::new(Node::Boolean(argument.as_int() & 1 != 0)))
            }
            of => Some(self.expression(argument, Kind::of_type(of))),
        }
    }

    /// What an object is called; `None` if it has no name.
    pub(in crate::exploration) fn object_expression(&self, value: Value) -> Option<Expression> {
        let value = if value.is_symbolic() { self.resolved(value) } else { value };
        if value.is_symbolic() {
            return Some(self.expression(value, Kind::Reference));
        }
        let object = value.as_reference();
        if object.is_null() {
            return Some(Expression::new(Node::Null));
        }
        match &self.heap.object(object).body {
            Body::Text(text, _) => self.name_of_text(text),
            Body::Unmade => {
                let number = self.exploration.unknown.made.number(object)?;
                Some(self.exploration.unknown.made.get(number).name.clone())
            }
            _ => self.known_text(object),
        }
    }

    fn name_of_text(&self, text: &Text) -> Option<Expression> {
        match (&text.name, text.known(&self.solver.store)) {
            (Some(name), _) => Some(name.clone()),
            (None, Some(units)) => Some(quoted(&units)),
            (None, None) => None,
        }
    }

    /// A string, or what a builder holds, if it is known.
    fn known_text(&self, object: Reference) -> Option<Expression> {
        let units = self.units(object).or_else(|| self.builder_units(object))?;
        Some(quoted(&units))
    }
}

/// What is made of arguments.
fn several(mut all: Vec<Expression>) -> Expression {
    match all.len() {
        1 => all.remove(0),
        _ => Expression::new(Node::Several(all.into())),
    }
}

fn quoted(units: &[u16]) -> Expression {
    Expression::new(Node::Text(units.into()))
}
