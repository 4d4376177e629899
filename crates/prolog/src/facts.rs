//! What the runtime has to know besides the rules: classes, fields, methods, dispatch.

use std::collections::BTreeSet;

use petrel_classfile::JavaString;
use petrel_clp::{Callee, Dispatch, FieldRef, Literal, MethodRef, Procedure};

use crate::clause::{Context, comment};
use crate::literal::qualified;
use crate::names::functor;
use crate::term::{Clause, Term};

/// What a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassKind {
    /// A class that has instances.
    Concrete,
    /// An abstract class.
    Abstract,
    /// An interface.
    Interface,
}

/// A class, as far as the program's behaviour depends on it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassFacts {
    /// Internal name.
    pub name: Box<str>,
    /// Its superclass; `None` for `java/lang/Object`.
    pub super_name: Option<Box<str>>,
    /// The interfaces that it names.
    pub interfaces: Vec<Box<str>>,
    /// What it is.
    pub kind: ClassKind,
    /// The fields that it declares.
    pub fields: Vec<FieldFacts>,
    /// The classes whose `<clinit>` run, in order, when this class is initialised.
    pub initialisation: Vec<Box<str>>,
}

/// A declared field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldFacts {
    /// Name.
    pub name: Box<str>,
    /// Field descriptor.
    pub descriptor: Box<str>,
    /// Whether it is static.
    pub is_static: bool,
    /// Its `ConstantValue`.
    pub constant: Option<Constant>,
}

/// The value of a constant field.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// An `int`, or a narrower number.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`, by its bits.
    Float(u32),
    /// A `double`, by its bits.
    Double(u64),
    /// A `String`.
    String(JavaString),
}

impl Context<'_> {
    /// The name of a field. The runtime itself knows the fields of `Throwable`.
    pub(crate) fn field(&self, field: &FieldRef) -> String {
        if &*field.class == "java/lang/Throwable" || !self.fields.contains(field) {
            format!("{}.{}", field.class, field.name)
        } else {
            self.names.field(field).to_owned()
        }
    }

    /// The same by class and name, for fields that the rules may not know.
    pub(crate) fn field_of(&self, class: &str, name: &str) -> String {
        let known = self.fields.iter().find(|field| &*field.class == class && &*field.name == name);
        known.map_or_else(|| format!("{class}.{name}"), |field| self.field(field))
    }
}

/// `class/4`, `initialisation/2` and `field/5` of the classes. Of classes without exported methods
/// only the fields are written that rules name.
pub(crate) fn write_classes(classes: &[ClassFacts], context: &Context<'_>, out: &mut String) {
    for class in classes {
        let name = Term::atom(&*class.name);
        let kind = match class.kind {
            ClassKind::Concrete => "class",
            ClassKind::Abstract => "abstract",
            ClassKind::Interface => "interface",
        };
        let super_name = class.super_name.as_deref().unwrap_or("none");
        fact(
            "class",
            [name.clone(), Term::atom(super_name), atoms(&class.interfaces), Term::atom(kind)],
            out,
        );
        fact("initialisation", [name, atoms(&class.initialisation)], out);
        let is_program = context.exported.iter().any(|method| method.class == class.name);
        for field in &class.fields {
            let reference = FieldRef {
                class: class.name.clone(),
                name: field.name.clone(),
                descriptor: field.descriptor.clone(),
            };
            if !is_program && !context.fields.contains(&reference) {
                continue;
            }
            let constant = field.constant.as_ref().map_or_else(
                || Term::atom("none"),
                |constant| Term::compound("value", [constant_term(constant)]),
            );
            write_field(&reference, field.is_static, constant, context, out);
        }
    }
}

fn constant_term(constant: &Constant) -> Term {
    match constant {
        Constant::Int(value) => Term::Integer(i64::from(*value)),
        Constant::Long(value) => Term::Integer(*value),
        Constant::Float(bits) => Term::Float(f64::from(f32::from_bits(*bits))),
        Constant::Double(bits) => Term::Float(f64::from_bits(*bits)),
        Constant::String(text) => Term::compound("string", [Term::Text(text.clone())]),
    }
}

fn write_field(
    field: &FieldRef,
    is_static: bool,
    constant: Term,
    context: &Context<'_>,
    out: &mut String,
) {
    let declared = Term::infix(Term::atom(&*field.class), ":", Term::atom(&*field.name));
    let place = if is_static { "static" } else { "instance" };
    let arguments = [
        Term::Atom(context.field(field)),
        declared,
        Term::atom(&*field.descriptor),
        Term::atom(place),
        constant,
    ];
    fact("field", arguments, out);
}

/// `field/5` of the fields that rules name although their classes are not described.
pub(crate) fn write_other_fields(
    procedures: &[&Procedure],
    classes: &[ClassFacts],
    context: &Context<'_>,
    out: &mut String,
) {
    let described: BTreeSet<&str> = classes.iter().map(|class| &*class.name).collect();
    let mut written = BTreeSet::new();
    for procedure in procedures {
        let statics: BTreeSet<usize> = procedure
            .rules()
            .flat_map(|rule| rule.literals())
            .filter_map(|literal| match literal {
                Literal::GetStatic { field, .. } | Literal::SetStatic { field, .. } => {
                    Some(field.index())
                }
                _ => None,
            })
            .collect();
        for (index, field) in procedure.tables.fields.entries().iter().enumerate() {
            if !described.contains(&*field.class) && written.insert(field) {
                write_field(field, statics.contains(&index), Term::atom("none"), context, out);
            }
        }
    }
}

/// `method/5` of the exported methods.
pub(crate) fn write_methods(procedures: &[&Procedure], context: &Context<'_>, out: &mut String) {
    for procedure in procedures {
        write_method(procedure, &functor(context.names.method(&procedure.method)), out);
    }
}

/// A predicate that a method can be called by.
pub(crate) fn write_method(procedure: &Procedure, functor: &str, out: &mut String) {
    let method = &procedure.method;
    let receiver = if procedure.is_static { "static" } else { "instance" };
    let arguments = [
        Term::atom(&*method.class),
        Term::atom(&*method.name),
        Term::atom(&*method.descriptor),
        Term::atom(functor),
        Term::atom(receiver),
    ];
    fact("method", arguments, out);
}

/// `virtual/2`: what the functors of virtual calls with dispatch rules, or into the library, stand
/// for.
pub(crate) fn write_virtual_methods(
    procedures: &[&Procedure],
    context: &Context<'_>,
    out: &mut String,
) {
    let mut written: BTreeSet<&MethodRef> = BTreeSet::new();
    for procedure in procedures {
        for rule in procedure.rules() {
            let Some(callee @ (Callee::Virtual(method) | Callee::Interface(method))) =
                rule.call().map(|call| call.callee)
            else {
                continue;
            };
            if let Some(method) = procedure.tables.method(method)
                && !context.is_direct(callee, method)
                && written.insert(method)
            {
                let name = Term::Atom(functor(context.names.method(method)));
                fact("virtual", [name, qualified(method)], out);
            }
        }
    }
}

/// The rules of virtual calls, in the form in which the rule language has them.
pub(crate) fn write_dispatch(dispatch: &Dispatch, context: &Context<'_>, out: &mut String) {
    out.push_str(&format!("\n% dispatch of {}\n\n", comment(&dispatch.method.to_string())));
    let name = functor(context.names.method(&dispatch.method));
    for (index, (classes, target)) in dispatch.cases.iter().enumerate() {
        let variable = Term::variable;
        let inputs = Term::Cons(Box::new(variable("This")), Box::new(variable("A")));
        let (output, heap, next) = (variable("R"), variable("H"), variable("H1"));
        let (exit, trace) = (variable("E"), variable("T1"));
        let is_exported = context.is_exported(target);
        let before = [inputs.clone(), output, heap.clone(), next, exit];
        let call = |last: Option<Term>| before.iter().cloned().chain(last).collect::<Vec<_>>();
        let (body, traces) = if is_exported {
            let functor = functor(context.names.method(target));
            (Term::Compound(functor, call(Some(trace.clone()))), vec![trace])
        } else {
            let mut arguments = vec![qualified(target)];
            arguments.extend(call(None));
            (Term::compound("library", arguments), vec![])
        };
        let number = Term::Integer(index as i64 + 1);
        let traces = Term::compound(&*name, [number, Term::List(vec![]), Term::List(traces)]);
        let head = Term::Compound(name.clone(), call(Some(traces)));
        let clause = Clause {
            head: Term::infix(Term::atom("virtual"), ":", head),
            guards: vec![Term::compound("class_of", [heap, variable("This"), atoms(classes)])],
            body: vec![body],
        };
        out.push_str(&format!("{clause}\n"));
    }
}

fn atoms(names: &[Box<str>]) -> Term {
    Term::List(names.iter().map(|name| Term::atom(&**name)).collect())
}

fn fact<const N: usize>(name: &str, arguments: [Term; N], out: &mut String) {
    out.push_str(&format!("{}.\n", Term::compound(name, arguments)));
}
