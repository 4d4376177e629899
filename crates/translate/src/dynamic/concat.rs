//! String concatenation (`StringConcatFactory`) as a chain of `StringBuilder.append`.

use petrel_classfile::writer::CodeWriter;
use petrel_classfile::{JavaString, JavaType, MethodDescriptor, op};
use petrel_clp::{MethodRef, StaticArgument};

use super::Synthesis;
use super::convert::load;
use crate::error::Refusal;

const BUILDER: &str = "java/lang/StringBuilder";
/// In a recipe: the next argument, and the next constant.
const ARGUMENT: u16 = 1;
const CONSTANT: u16 = 2;

pub(super) fn synthesise(synthesis: &Synthesis<'_>) -> Result<Option<MethodRef>, Refusal> {
    let descriptor = MethodDescriptor::parse(&synthesis.site.descriptor)?;
    let (recipe, constants) = match &*synthesis.site.arguments {
        [StaticArgument::String(recipe), constants @ ..] => (recipe.0.to_vec(), constants),
        [] => (vec![ARGUMENT; descriptor.parameters.len()], &[][..]),
        _ => return Ok(None),
    };
    let plain = |constant: &StaticArgument| matches!(constant, StaticArgument::String(_));
    let count = |unit: u16| recipe.iter().filter(|&&other| other == unit).count();
    let complete = constants.iter().all(plain)
        && count(CONSTANT) == constants.len()
        && count(ARGUMENT) == descriptor.parameters.len();
    if !complete {
        return Ok(None);
    }
    synthesis.define_method("Concat", &synthesis.site.descriptor, |code| {
        start(code);
        let mut text: Vec<u16> = Vec::new();
        let mut constants = constants.iter();
        let mut parameters = descriptor.parameters.iter();
        let mut slot = 0;
        for unit in recipe {
            match unit {
                ARGUMENT => {
                    append_units(code, &mut text);
                    if let Some(parameter) = parameters.next() {
                        load(code, parameter, slot);
                        slot += parameter.slots() as u16;
                        append(code, parameter);
                    }
                }
                CONSTANT => {
                    if let Some(StaticArgument::String(constant)) = constants.next() {
                        text.extend_from_slice(&constant.0);
                    }
                }
                unit => text.push(unit),
            }
        }
        append_units(code, &mut text);
        finish(code);
    })
}

/// Pushes a new `StringBuilder`.
pub(super) fn start(code: &mut CodeWriter<'_>) {
    code.class(op::NEW, BUILDER).op(op::DUP);
    code.invoke(op::INVOKESPECIAL, BUILDER, "<init>", "()V", false);
}

/// Appends the value on top of the stack.
pub(super) fn append(code: &mut CodeWriter<'_>, java_type: &JavaType) {
    let descriptor = format!("({})Ljava/lang/StringBuilder;", append_type(java_type));
    code.invoke(op::INVOKEVIRTUAL, BUILDER, "append", &descriptor, false);
}

/// Appends a constant.
pub(super) fn append_text(code: &mut CodeWriter<'_>, text: &JavaString) {
    code.string(text);
    append(code, &JavaType::Object("java/lang/String".into()));
}

/// Returns the string that was built.
pub(super) fn finish(code: &mut CodeWriter<'_>) {
    code.invoke(op::INVOKEVIRTUAL, BUILDER, "toString", "()Ljava/lang/String;", false);
    code.op(op::ARETURN);
}

fn append_units(code: &mut CodeWriter<'_>, units: &mut Vec<u16>) {
    if !units.is_empty() {
        append_text(code, &JavaString(std::mem::take(units).into_boxed_slice()));
    }
}

/// The parameter type of the `append` for values of a type. Character arrays are objects here, as
/// in the language.
fn append_type(java_type: &JavaType) -> &'static str {
    match java_type {
        JavaType::Boolean => "Z",
        JavaType::Char => "C",
        JavaType::Byte | JavaType::Short | JavaType::Int => "I",
        JavaType::Long => "J",
        JavaType::Float => "F",
        JavaType::Double => "D",
        JavaType::Object(name) if **name == *"java/lang/String" => "Ljava/lang/String;",
        JavaType::Object(_) | JavaType::Array(_) => "Ljava/lang/Object;",
    }
}
