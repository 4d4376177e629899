//! What the JVM resolves when it links a dynamic call site or constant, or loads a method handle or
//! method type (JVMS 5.4.3.5, 5.4.3.6): the classes that descriptors name, and the member behind a
//! handle.

use std::sync::Arc;

use petrel_classfile::{ClassFileError, JavaType, MemberRef, MethodDescriptor};
use petrel_clp::{DynamicSite, FieldRef, MethodHandle, MethodRef, StaticArgument};
use petrel_program::{Class, LinkageError, Program};

/// Resolution from a class.
pub(super) struct Linkage<'a> {
    pub(super) program: &'a Program,
    pub(super) from: &'a Arc<Class>,
}

/// What is not well-formed, or what does not link.
pub(crate) enum Failure {
    Malformed(ClassFileError),
    Linkage(LinkageError),
}

impl From<ClassFileError> for Failure {
    fn from(error: ClassFileError) -> Self {
        Failure::Malformed(error)
    }
}

impl From<LinkageError> for Failure {
    fn from(error: LinkageError) -> Self {
        Failure::Linkage(error)
    }
}

impl Linkage<'_> {
    pub(super) fn site(&self, site: &DynamicSite) -> Result<(), Failure> {
        if site.descriptor.starts_with('(') {
            self.method_type(&site.descriptor)?;
        } else {
            self.java_type(&JavaType::parse(&site.descriptor)?)?;
        }
        self.handle(&site.bootstrap)?;
        site.arguments.iter().try_for_each(|argument| self.argument(argument))
    }

    /// Nested constants are linked when they are computed.
    fn argument(&self, argument: &StaticArgument) -> Result<(), Failure> {
        match argument {
            StaticArgument::Class(name) => Ok(self.class(name)?),
            StaticArgument::MethodType(descriptor) => self.method_type(descriptor),
            StaticArgument::MethodHandle(handle) => self.handle(handle),
            _ => Ok(()),
        }
    }

    fn class(&self, name: &str) -> Result<(), LinkageError> {
        self.program.resolve_class(self.from, name).map(drop)
    }

    fn java_type(&self, java_type: &JavaType) -> Result<(), Failure> {
        match java_type.class_constant_name() {
            Some(name) => Ok(self.class(&name)?),
            None => Ok(()),
        }
    }

    pub(super) fn method_type(&self, descriptor: &str) -> Result<(), Failure> {
        let descriptor = MethodDescriptor::parse(descriptor)?;
        let mut types = descriptor.parameters.iter().chain(&descriptor.result);
        types.try_for_each(|java_type| self.java_type(java_type))
    }

    pub(super) fn handle(&self, handle: &MethodHandle) -> Result<(), Failure> {
        match handle {
            MethodHandle::Field(_, FieldRef { class, name, descriptor }) => {
                let member = MemberRef { class, name, descriptor, is_interface: false };
                self.program.resolve_field(self.from, member)?;
                self.java_type(&JavaType::parse(descriptor)?)
            }
            MethodHandle::Method(_, MethodRef { class, name, descriptor }) => {
                self.class(class)?;
                let is_interface =
                    self.program.class(class).is_ok_and(|class| class.is_interface());
                let member = MemberRef { class, name, descriptor, is_interface };
                self.program.resolve_method(self.from, member)?;
                self.method_type(descriptor)
            }
        }
    }
}
