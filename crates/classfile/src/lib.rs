//! Class files: bytes in, checked data out (JVMS chapter 4), and back again for synthesised classes.
//!
//! This crate does no input or output and knows nothing of hierarchies, resolution or translation.
//! [`ClassFile::parse`] reads the header, the constant pool, the members and the attributes that
//! Petrel uses; a method's code is decoded on demand by [`ClassFile::code`], because most methods of
//! a class library are never asked for. Everything that can be wrong with the bytes ends in a
//! [`ClassFileError`] that names the class, the place and the byte offset. Nothing is allocated
//! on the word of a count alone: a table is reserved only as far as the remaining bytes could fill it.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod annotations;
mod class_file;
mod code;
mod constant_pool;
mod descriptor;
mod error;
pub mod flags;
mod java_string;
mod opcode;
mod reader;
mod stack_effect;
pub mod writer;

pub use class_file::{
    BootstrapMethod, ClassFile, Field, InnerClass, Method, MethodParameter, NEWEST_MAJOR_VERSION,
    OLDEST_MAJOR_VERSION, RecordComponent,
};
pub use code::{
    Code, ExceptionHandler, Instruction, LineNumber, LocalVariable, LookupSwitch, Operand,
    TableSwitch,
};
pub use constant_pool::{
    Constant, ConstantPool, DynamicRef, LoadableConstant, MemberRef, MethodHandleRef, ReferenceKind,
};
pub use descriptor::{JavaType, MethodDescriptor};
pub use error::ClassFileError;
pub use java_string::JavaString;
pub use opcode::{Opcode, op};
