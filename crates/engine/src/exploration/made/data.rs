//! Made objects as data, when the unknowns have values.

use std::sync::Arc;

use petrel_classfile::JavaString;
use petrel_clp::Kind;
use petrel_heap::ClassId;
use petrel_program::ResolvedMethod;
use petrel_solver::{Expr, bits_of_rank};
use petrel_value as data;

use super::{Call, Elements, Made, Origin, PartKind};
use crate::exploration::choose::expr_of;
use crate::exploration::unknown::kind_of;
use crate::machine::{Machine, Reference, TypeId, Value};

/// A made object with the values that are still to be made data: each with its type.
pub(crate) struct Outline {
    pub(in crate::exploration) object: data::Object,
    /// The arguments of its calls: the first is what makes it.
    pub(in crate::exploration) arguments: Vec<Vec<Argument>>,
}

/// What is where nobody has looked in a string.
const ANY_UNIT: u16 = b'a' as u16;

/// An argument of a call.
#[derive(Debug, Clone)]
pub(crate) enum Argument {
    /// A term, and its type.
    Term(Expr, TypeId),
    /// An object that will do: nobody has looked at it.
    Any(data::Object),
}

impl Machine<'_> {
    /// A made object as data, without the arguments of the calls that make it; `None` if it is none.
    pub(in crate::exploration) fn made_outline(
        &mut self,
        object: Reference,
        value: &dyn Fn(Expr) -> i64,
    ) -> Option<Outline> {
        if let Some(class) = self.mirrored(object) {
            return self.class_outline(class);
        }
        let number = self.exploration.unknown.made.number(object)?;
        let Made { origin, arguments: type_arguments, .. } =
            self.exploration.unknown.made.get(number).clone();
        let parts: Vec<PartKind> = self.exploration.unknown.made.parts(number).cloned().collect();
        let whole = |object| Outline { object, arguments: Vec::new() };
        Some(match origin {
            Origin::Text => {
                let text = self.exploration.unknown.made.text_of(number);
                let units: Vec<u16> = text.map_or(Vec::new(), |text| {
                    let length = value(text.length).max(0) as usize;
                    let units = text.units.iter().map(|&unit| value(unit) as u16);
                    units.chain(std::iter::repeat(ANY_UNIT)).take(length).collect()
                });
                whole(data::Object::String(JavaString(units.into())))
            }
            Origin::Box(primitive) => {
                let inside = parts.iter().find_map(|part| match part {
                    PartKind::Number(inside) => Some(value(*inside)),
                    _ => None,
                });
                whole(data::Object::Boxed(primitive_datum(primitive, inside.unwrap_or(0))))
            }
            Origin::Built(recipe) => {
                let is_unread = !parts.iter().any(|part| matches!(part, PartKind::Call(..)));
                let make = match &recipe.simplest {
                    Some(simplest) if is_unread => simplest,
                    _ => &recipe.make,
                };
                let mut outline = self.default_outline(make);
                let mut arguments = Vec::new();
                for part in &parts {
                    let PartKind::Call(call, passed) = part else { continue };
                    let method = match call {
                        Call::Make => Some(&recipe.make),
                        Call::Then(place) => recipe.then.get(*place),
                        Call::Add => recipe.add.as_ref(),
                    };
                    let Some(method) = method else { continue };
                    arguments.push(self.typed(method, &type_arguments, passed));
                    if *call != Call::Make {
                        outline.add(method);
                    }
                }
                if is_unread {
                    arguments.push(self.default_arguments(make, &type_arguments));
                }
                // Elements that nobody has looked at.
                let size = parts.iter().find_map(|part| match part {
                    PartKind::Size(size) => Some(value(*size).max(0) as usize),
                    _ => None,
                });
                if let (Some(add), Some(size)) = (&recipe.add, size) {
                    let is_add = |part: &&PartKind| matches!(part, PartKind::Call(Call::Add, _));
                    let types = self.parameter_types(add, &type_arguments);
                    let types: Vec<TypeId> = types.into_iter().map(|of| self.erased(of)).collect();
                    for place in parts.iter().filter(is_add).count()..size {
                        let element = types.iter().map(|&of| match recipe.elements {
                            Elements::Free => any_argument(of),
                            _ => self.example(of, place as u32).unwrap_or(any_argument(of)),
                        });
                        arguments.push(element.collect());
                        outline.add(add);
                    }
                }
                Outline { object: outline.object, arguments }
            }
            Origin::Stub(stub) => {
                let mut outline = self.default_outline(&stub.constructor);
                let mut arguments = vec![Vec::new()];
                for part in &parts {
                    let PartKind::Answer(place, answer) = part else { continue };
                    let result = self.result_type(&stub.methods[*place], &type_arguments)?;
                    let of = self.erased(result);
                    outline.add(&stub.answer);
                    arguments.push(vec![Argument::Term(expr_of(*answer, kind_of(of)), of)]);
                }
                Outline { object: outline.object, arguments }
            }
        })
    }

    /// A `Class` object, by its name, or by the field that holds it if it is of a primitive type.
    fn class_outline(&mut self, class: TypeId) -> Option<Outline> {
        let primitive = petrel_classfile::JavaType::parse(&self.types.descriptor(class)).ok();
        if let Some(of) = primitive.as_ref().and_then(data::boxed) {
            let held =
                data::Shared::Static { class: of.into(), field: "TYPE".into(), element: None };
            return Some(Outline { object: data::Object::Shared(held), arguments: Vec::new() });
        }
        let loaded = self.class(TypeId::CLASS).ok()?;
        let (name, descriptor) = FOR_NAME;
        let by = loaded.declared_method(name, descriptor)?;
        let name = self.types.class_name(class);
        let object = self.default_outline(&by).object;
        let name = data::Object::String(name.as_str().into());
        Some(Outline { object, arguments: vec![vec![Argument::Any(name)]] })
    }

    fn default_outline(&self, make: &ResolvedMethod) -> Built {
        let by = call_of(make);
        // A factory gives what it says; only calls on it ask for its class.
        let class = match make.descriptor().rsplit_once(")L") {
            Some((_, class)) => Arc::from(class.trim_end_matches(';')),
            None => Arc::clone(make.class().shared_name()),
        };
        Built { object: data::Object::Built { class, by, calls: Vec::new() } }
    }

    fn typed(
        &mut self,
        method: &ResolvedMethod,
        type_arguments: &[ClassId],
        passed: &[Value],
    ) -> Vec<Argument> {
        let mut types = self.parameter_types(method, type_arguments);
        if passed.len() > types.len() {
            let class = self.types.of_name(method.class().name());
            types.insert(0, ClassId(class.0));
        }
        let pairs = passed.iter().zip(types);
        pairs
            .map(|(&argument, of)| {
                let of = self.erased(of);
                Argument::Term(expr_of(argument, kind_of(of)), of)
            })
            .collect()
    }

    /// What an object that nobody has looked into is made with.
    fn default_arguments(
        &mut self,
        make: &ResolvedMethod,
        type_arguments: &[ClassId],
    ) -> Vec<Argument> {
        let types = self.parameter_types(make, type_arguments);
        let mut arguments: Vec<Argument> =
            types.into_iter().map(|of| any_argument(self.erased(of))).collect();
        if !make.is_constructor() && !make.is_static() {
            let constructor = make.class().declared_method("<init>", "()V");
            let receiver = constructor.map(|by| self.default_outline(&by).object);
            arguments.insert(
                0,
                receiver.map_or(Argument::Term(Expr::Constant(0), TypeId::OBJECT), Argument::Any),
            );
        }
        arguments
    }
}

/// An argument that will do.
fn any_argument(of: TypeId) -> Argument {
    match of {
        TypeId::STRING => Argument::Any(data::Object::String("".into())),
        TypeId::BYTES => {
            let component = petrel_classfile::JavaType::Byte;
            Argument::Any(data::Object::Array { component, elements: Vec::new() })
        }
        of => Argument::Term(Expr::Constant(0), of),
    }
}

/// What gives the `Class` object of a class.
pub(crate) const FOR_NAME: (&str, &str) = ("forName", "(Ljava/lang/String;)Ljava/lang/Class;");

struct Built {
    object: data::Object,
}

impl Built {
    fn add(&mut self, method: &ResolvedMethod) {
        if let data::Object::Built { calls, .. } = &mut self.object {
            calls.push(call_of(method));
        }
    }
}

fn call_of(method: &ResolvedMethod) -> data::Call {
    data::Call {
        class: Arc::clone(method.class().shared_name()),
        name: method.name().into(),
        descriptor: method.descriptor().into(),
        arguments: Vec::new(),
    }
}

/// A number of a primitive type as data.
pub(crate) fn primitive_datum(of: TypeId, number: i64) -> data::Value {
    match of {
        TypeId::BOOLEAN => data::Value::Boolean(number != 0),
        TypeId::BYTE => data::Value::Byte(number as i8),
        TypeId::SHORT => data::Value::Short(number as i16),
        TypeId::CHAR => data::Value::Char(number as u16),
        TypeId::INT => data::Value::Int(number as i32),
        TypeId::LONG => data::Value::Long(number),
        TypeId::FLOAT => data::Value::Float(bits_of_rank(Kind::Float, number) as u32),
        _ => data::Value::Double(bits_of_rank(Kind::Double, number)),
    }
}
