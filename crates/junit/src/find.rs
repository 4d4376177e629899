//! Finding the methods and fields that calls and values name.

use std::sync::Arc;

use petrel_classfile::{Constant, JavaString, flags, op};
use petrel_program::{Class, Program, ResolvedField, ResolvedMethod};
use petrel_value::Call;

use crate::types::{MethodTypes, Type};

/// The class and all its supertypes, the nearest first.
pub(crate) fn supertypes(class: &Arc<Class>) -> Vec<Arc<Class>> {
    // What an interface inherits from `Object` is found last.
    let (own, above): (Vec<_>, Vec<_>) =
        class.lineage().cloned().partition(|of| Arc::ptr_eq(of, class) || !class.is_interface());
    let mut all = own;
    all.extend(class.all_interfaces().iter().rev().cloned());
    all.extend(above);
    all
}

/// The method that a call names, in its class or above.
pub(crate) fn method(
    program: &Program,
    class: &str,
    name: &str,
    descriptor: &str,
) -> Option<ResolvedMethod> {
    let class = program.class(class).ok()?;
    let all = supertypes(&class);
    let mut found =
        all.iter().filter_map(|class| class.declared_method(name, descriptor)).peekable();
    let first = found.peek().cloned();
    // Java has no name for a bridge, but for the method that it overrides.
    found.find(|method| !method.has_flags(flags::SYNTHETIC)).or(first)
}

/// The method of a call that builds an object.
pub(crate) fn called(program: &Program, call: &Call) -> Result<ResolvedMethod, String> {
    method(program, &call.class, &call.name, &call.descriptor)
        .ok_or_else(|| format!("there is no method {} in {}", call.name, call.class))
}

/// The field of this name that a class declares.
pub(crate) fn field(program: &Program, class: &str, name: &str) -> Option<ResolvedField> {
    program.class(class).ok()?.fields().find(|field| field.name() == name)
}

/// The parameters of the methods that javac may take for this one, because only the types of the arguments tell them
/// apart.
pub(crate) fn rivals(method: &ResolvedMethod) -> Vec<Vec<Type>> {
    let own = MethodTypes::erased(method).parameters;
    let places = match method.is_constructor() {
        true => vec![Arc::clone(method.class())],
        false => supertypes(method.class()),
    };
    let others = places.iter().flat_map(|class| class.methods());
    let others =
        others.filter(|other| other.name() == method.name() && !other.has_flags(flags::SYNTHETIC));
    let others = others.map(|other| MethodTypes::erased(&other).parameters);
    others.filter(|other| other.len() == own.len() && *other != own).collect()
}

/// Whether calls of a method may throw what has to be declared.
pub(crate) fn is_checked(program: &Program, method: &ResolvedMethod) -> bool {
    let mut exceptions = method.class().file.method_exceptions(method.declaration());
    exceptions.any(|exception| {
        let is_below = |above| program.is_assignable(exception, above).unwrap_or(false);
        !is_below("java/lang/RuntimeException") && !is_below("java/lang/Error")
    })
}

/// Whether code of a class asks if two references are the same.
pub(crate) fn compares_references(class: &Class) -> bool {
    let file = &class.file;
    let codes = file.methods.iter().filter_map(|method| file.code(method).ok().flatten());
    codes
        .flat_map(|code| code.instructions)
        .any(|instruction| matches!(instruction.opcode.byte(), op::IF_ACMPEQ | op::IF_ACMPNE))
}

/// Whether a class has a constant with this text.
pub(crate) fn has_string(class: &Class, text: &JavaString) -> bool {
    let pool = &class.file.constant_pool;
    (1..pool.len() as u16).any(|index| match pool.get(index) {
        Ok(Constant::String(content)) => pool.java_string(content).is_ok_and(|of| of == *text),
        _ => false,
    })
}
