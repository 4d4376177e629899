//! Whether a method may be called again while it runs.

use std::collections::BTreeSet;
use std::sync::Arc;

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_clp::{Literal, MethodRef};
use petrel_program::{Class, ResolvedMethod};
use petrel_translate::cache::Procedures;
use petrel_translate::method_ref;
use petrel_translate::reach::{Reached, reach_until};

/// What reaches more procedures than these may as well reach anything: to know better takes longer than it is worth.
const MOST_PROCEDURES: usize = 250;

/// Whether a call of the method may call it again; `false` only if that is certain.
///
/// The rules say what the project calls. Of what it calls outside (in the class library), only this is
/// known: it can call back the methods of objects that it gets from the project. Those are objects of
/// the classes that the reached rules create, or any objects at all if the method takes objects that may refer to such ones.
pub(super) fn may_call_itself(
    procedures: &Procedures<'_>,
    project: &[String],
    method: &ResolvedMethod,
) -> bool {
    let mut project = project.to_vec();
    // A method of the class library may be the target: then its class is the project.
    project.push(method.class().name().to_owned());
    let inside: BTreeSet<&str> = project.iter().map(String::as_str).collect();
    let target = method_ref(method);
    if !procedures.program().may_be_called(method) {
        return false;
    }
    let mut roots = vec![method.clone()];
    let takes_objects = takes_objects(method);
    loop {
        // Nothing more has to be known of a call that may go anywhere.
        let may_be_called_back = |reached: &Reached| takes_objects && !reached.outside.is_empty();
        let is_open = |reached: &Reached| {
            may_be_called_back(reached) || reached.procedures.len() > MOST_PROCEDURES
        };
        let reached = reach_until(procedures, &project, &roots, is_open);
        if is_open(&reached) || calls(&reached, &target) {
            return true;
        }
        if reached.outside.is_empty() {
            return false;
        }
        let known = roots.len();
        for class in created(procedures, &reached) {
            for callable in instance_methods(&class, &inside) {
                if !roots.contains(&callable) {
                    roots.push(callable);
                }
            }
        }
        if roots.len() == known {
            return false;
        }
    }
}

fn takes_objects(method: &ResolvedMethod) -> bool {
    let descriptor = MethodDescriptor::parse(method.descriptor());
    !method.is_static()
        || descriptor.map_or(true, |descriptor| descriptor.parameters.iter().any(is_open))
}

/// Whether objects of a type may lead to code of the project: those of some final classes do not.
fn is_open(of: &JavaType) -> bool {
    const CLOSED: [&str; 3] =
        ["java/lang/String", "java/lang/StringBuilder", "java/lang/StringBuffer"];
    match of {
        JavaType::Object(name) => {
            !CLOSED.contains(&&**name) && petrel_value::unboxed(name).is_none()
        }
        JavaType::Array(component) => is_open(component),
        _ => false,
    }
}

/// Whether a rule calls the target, directly or by dispatch.
fn calls(reached: &Reached, target: &MethodRef) -> bool {
    let dispatched = reached.dispatches.iter().flat_map(|dispatch| &dispatch.cases);
    let called = reached.procedures.iter().flat_map(|procedure| {
        let calls = procedure.rules().filter_map(|rule| rule.call());
        calls.filter_map(|call| procedure.tables.method(call.callee.method()?))
    });
    called.chain(dispatched.map(|(_, selected)| selected)).any(|method| method == target)
}

/// The classes that the reached rules create objects of.
fn created(procedures: &Procedures<'_>, reached: &Reached) -> Vec<Arc<Class>> {
    let names = reached.procedures.iter().flat_map(|procedure| {
        let literals = procedure.rules().flat_map(|rule| rule.literals());
        literals.filter_map(|literal| match literal {
            Literal::NewObject { class, .. } => Some(procedure.tables.class_name(*class)),
            _ => None,
        })
    });
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().filter_map(|name| procedures.program().class(name).ok()).collect()
}

/// The instance methods of the project that objects of a class have.
fn instance_methods(class: &Arc<Class>, project: &BTreeSet<&str>) -> Vec<ResolvedMethod> {
    let classes = class.lineage().chain(class.all_interfaces());
    let inside = classes.filter(|class| class.is_synthesised() || project.contains(class.name()));
    inside.flat_map(|class| class.methods().filter(|method| !method.is_static())).collect()
}
