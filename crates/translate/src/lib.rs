//! Bytecode to rules: "Test Data Generation of Bytecode by CLP Partial Evaluation", section 3, and
//! "Resource-driven CLP-based Test Case Generation", section 2.1, for all of the JVM's instructions.
//!
//! [`translate`] takes one method; it is a flat list of passes. After it no operand stack, no local
//! variable and no exception table is left: a block is a rule, a loop is recursion, a branch or a
//! check that can fail is a choice between rules with exclusive guards, and an exception is a rule
//! like any other. Virtual calls stay calls that name the resolved method: their dispatch rules
//! are enumerated on demand ([`reach`]).
//!
//! Dynamic call sites and constants with a well-known bootstrap method become calls of methods that
//! are synthesised from its static arguments (module `dynamic`).

mod arrays;
pub mod cache;
mod check;
mod choices;
mod draft;
mod dynamic;
mod error;
mod jumps;
mod leaders;
mod linker;
mod members;
mod merge_blocks;
mod names;
pub mod opener;
mod operands;
pub mod outside;
pub mod plain_tables;
pub mod reach;
pub mod stub;
mod walk;

use std::sync::Arc;

use petrel_classfile::{Code, MethodDescriptor, flags};
use petrel_clp::{MethodRef, Procedure};
use petrel_program::control_flow::ControlFlow;
use petrel_program::liveness::Liveness;
use petrel_program::{Class, Program, ResolvedMethod};

pub use check::check_instructions;
pub use error::TranslateError;

/// Translates a method of a class; `None` if it is abstract or native.
///
/// # Errors
///
/// If the class file is malformed, or the code is of a kind that the JVM's verifier refuses.
pub fn translate(
    program: &Program,
    class: &Arc<Class>,
    method: usize,
) -> Result<Option<Procedure>, TranslateError> {
    let file = &class.file;
    let Some(declaration) = file.methods.get(method) else {
        return Ok(None);
    };
    let Some(code) = file.code(declaration)? else {
        return Ok(None);
    };
    let name = file.method_name(declaration);
    let reference = MethodRef {
        class: file.name().into(),
        name: name.into(),
        descriptor: file.method_descriptor(declaration).into(),
    };
    let in_method = |error: petrel_classfile::ClassFileError| {
        error
            .within(format!("method {}{}", reference.name, reference.descriptor))
            .in_class(file.name())
    };
    let descriptor = MethodDescriptor::parse(&reference.descriptor).map_err(in_method)?;
    let flow = ControlFlow::of(&code).map_err(in_method)?;
    let receiver = usize::from(!declaration.has_flags(flags::STATIC));
    let liveness = Liveness::of(&flow, (descriptor.parameter_slots() + receiver) as u16);
    let source = walk::Source {
        class: file,
        method: declaration,
        reference: reference.clone(),
        descriptor,
        linker: linker::Linker { program, class, method: name },
        flow,
        liveness,
        lines: lines(&code),
    };
    let mut walked = walk::Walk::new(&source).run()?;
    let merged = merge_blocks::merge_blocks(&mut walked).map_err(|refusal| {
        TranslateError::Class { method: reference.to_string(), reason: format!("{refusal:?}") }
    })?;
    let is_static = declaration.has_flags(flags::STATIC);
    Ok(Some(names::name(&source, is_static, walked.tables, merged)))
}

/// The method as rules name it.
pub fn method_ref(method: &ResolvedMethod) -> MethodRef {
    MethodRef {
        class: method.class().name().into(),
        name: method.name().into(),
        descriptor: method.descriptor().into(),
    }
}

/// The source line of each instruction; 0 where the class file does not say.
fn lines(code: &Code) -> Vec<u16> {
    let mut entries = code.lines.clone();
    // Stable: of several entries for one offset the last in the table counts.
    entries.sort_by_key(|entry| entry.start);
    let mut entries = entries.into_iter().peekable();
    let mut line = 0;
    code.instructions
        .iter()
        .map(|instruction| {
            while let Some(entry) = entries.next_if(|entry| entry.start <= instruction.pc) {
                line = entry.line;
            }
            line
        })
        .collect()
}
