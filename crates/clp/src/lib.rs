//! The rule language: constraint logic programs as plain data.
//!
//! A translated method is a [`Procedure`]: predicates, each defined by rules with mutually
//! exclusive guards, in the sense of the papers ("Resource-driven CLP-based test case generation",
//! Def. 1 and 2; "Test data generation of bytecode by CLP partial evaluation", Def. 1):
//!
//! ```text
//! m(Args, Result, HeapIn, HeapOut, Exit, Trace) :- guards, body.
//! ```
//!
//! Inside, rules are compact: variables are dense slots, names, fields, methods and classes are
//! indices into the procedure's own tables, heap and trace are implicit. The text ([`mod@print`],
//! [`parse`]) is a view in the papers' notation that loses nothing. [`verify`] checks what every
//! user of rules may rely on.
//!
//! This crate knows no bytecode (an instruction is a label for reports, and `origin` alone knows which
//! literals it may stand for), no class files and no hierarchy, and it executes nothing.

mod dispatch;
mod facts;
mod literal;
pub mod loops;
mod notation;
mod origin;
pub mod parse;
pub mod print;
mod rule;
pub mod substitute;
mod term;
pub mod termination;
#[cfg(test)]
mod tests;
mod trace;
pub mod verify;

pub use dispatch::Dispatch;
pub use literal::{
    Call, Callee, DynamicSite, ElementKind, Guard, Literal, Message, MethodHandle, StaticArgument,
};
pub use notation::{infix_symbol, is_variable_name};
pub use print::push_atom;
pub use rule::{
    ClassId, DynamicId, End, FieldId, FieldRef, HandleId, InstructionRef, KnownArray, MethodId,
    MethodRef, Placed, Predicate, PredicateId, PredicateKind, Procedure, Rule, StringId, Table,
    Tables, Variable, trace_parameters,
};
pub use term::{ArithmeticKind, Comparison, Conversion, Kind, Operand, Operation, VarId};
pub use termination::Termination;
pub use trace::{
    HIDDEN_CHOICE, ToldTrace, Trace, TraceBuilder, TraceEvent, TraceNode, TraceParameter,
    TracePart, TracePlace, TraceStep, TraceWriter,
};
