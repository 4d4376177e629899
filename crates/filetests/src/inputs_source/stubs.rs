//! Stubs as anonymous classes.

use std::fmt::Write;

use petrel_classfile::{JavaType, MethodDescriptor, flags};
use petrel_program::{Program, ResolvedMethod};
use petrel_translate::stub;

use super::{class_name, type_name};

/// The type that a stub of this name implements, and the expression that makes one without answers; `None` if
/// the name is that of no stub.
///
/// Its answers are in a list of the same name as that of a real stub, so that both are filled and compared in one
/// way.
///
/// # Errors
///
/// If there is no stub of that type.
pub(super) fn new_stub(program: &Program, name: &str) -> Result<Option<(String, String)>, String> {
    let Some(of) = stub::stubbed(name) else { return Ok(None) };
    let no_stub = || format!("a stub of {of}, of which there is none");
    let stub = stub::stub(program, &of).ok_or_else(no_stub)?;
    let of = class_name(&of);
    let mut text = format!(
        "new {of}() {{ final java.util.ArrayList answers$ = new java.util.ArrayList(); int next$;"
    );
    for method in &stub.methods {
        write_method(method, &mut text)?;
    }
    text.push_str(" }");
    Ok(Some((of, text)))
}

fn write_method(method: &ResolvedMethod, text: &mut String) -> Result<(), String> {
    let descriptor =
        MethodDescriptor::parse(method.descriptor()).map_err(|error| error.to_string())?;
    let access = if method.has_flags(flags::PROTECTED) { "protected" } else { "public" };
    let result = descriptor.result.as_ref().map_or_else(|| "void".to_owned(), type_name);
    let parameters = descriptor.parameters.iter().enumerate();
    let parameters: Vec<String> =
        parameters.map(|(at, of)| format!("{} a{at}", type_name(of))).collect();
    let body = match &descriptor.result {
        None => String::new(),
        Some(result) => format!("return ({}) answers$.get(next$++);", boxed_name(result)),
    };
    let _ = write!(
        text,
        " {access} {result} {}({}) {{ {body} }}",
        method.name(),
        parameters.join(", ")
    );
    Ok(())
}

/// What a list has in place of a primitive value.
fn boxed_name(java_type: &JavaType) -> String {
    match java_type {
        JavaType::Boolean => "Boolean".to_owned(),
        JavaType::Byte => "Byte".to_owned(),
        JavaType::Char => "Character".to_owned(),
        JavaType::Short => "Short".to_owned(),
        JavaType::Int => "Integer".to_owned(),
        JavaType::Long => "Long".to_owned(),
        JavaType::Float => "Float".to_owned(),
        JavaType::Double => "Double".to_owned(),
        JavaType::Object(_) | JavaType::Array(_) => type_name(java_type),
    }
}
