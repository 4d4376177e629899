//! Why a method could not be translated.

use petrel_classfile::ClassFileError;
use thiserror::Error;

/// A method without a translation, and the reason. Linkage errors are not among them: those are
/// exceptions that the program itself would see, and are translated into rules that throw.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TranslateError {
    /// The class file is malformed.
    #[error(transparent)]
    ClassFile(#[from] ClassFileError),
    /// The code does what the JVM's verifier forbids.
    #[error("method {method}, instruction {pc}: {reason}")]
    Unverifiable {
        /// `pkg/Class.name(descriptor)`.
        method: String,
        /// Offset of the instruction.
        pc: u16,
        /// What it does wrong.
        reason: String,
    },
    /// A class that the translation needs to know is broken.
    #[error("method {method}: {reason}")]
    Class {
        /// `pkg/Class.name(descriptor)`.
        method: String,
        /// What is wrong with which class.
        reason: String,
    },
}

/// Why an instruction is refused; the walk adds the place.
#[derive(Debug)]
pub(crate) enum Refusal {
    Unverifiable(String),
    ClassFile(ClassFileError),
    Class(String),
}

impl From<ClassFileError> for Refusal {
    fn from(error: ClassFileError) -> Self {
        Refusal::ClassFile(error)
    }
}

pub(crate) fn refuse<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Unverifiable(reason.into()))
}
