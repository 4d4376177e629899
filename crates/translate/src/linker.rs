//! Resolution as the translation needs it: from the class of the method under translation.

use std::sync::Arc;

use petrel_classfile::{MemberRef, flags, op};
use petrel_clp::{Callee, DynamicSite, FieldRef, MethodHandle, MethodId, MethodRef};
use petrel_program::{Class, FieldAccess, InvokeKind, LinkageError, Program};

use crate::dynamic::{self, Outcome, Place};
use crate::error::Refusal;
use crate::method_ref;

/// Resolves references of one class.
pub(crate) struct Linker<'a> {
    pub(crate) program: &'a Program,
    pub(crate) class: &'a Arc<Class>,
    /// Name of the method under translation: initialisers may write final fields.
    pub(crate) method: &'a str,
}

/// How a resolved method is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    Static,
    Special,
    Virtual,
    Interface,
    Polymorphic,
}

impl CallKind {
    pub(crate) fn of(self, method: MethodId) -> Callee {
        match self {
            CallKind::Static => Callee::Static(method),
            CallKind::Special => Callee::Special(method),
            CallKind::Virtual => Callee::Virtual(method),
            CallKind::Interface => Callee::Interface(method),
            CallKind::Polymorphic => Callee::Polymorphic(method),
        }
    }
}

type Linked<T> = Result<Result<T, LinkageError>, Refusal>;

impl Linker<'_> {
    pub(crate) fn field(
        &self,
        reference: MemberRef<'_>,
        is_static: bool,
        is_write: bool,
    ) -> Linked<FieldRef> {
        let access = match (is_static, is_write) {
            (false, false) => FieldAccess::GetField,
            (false, true) => FieldAccess::PutField,
            (true, false) => FieldAccess::GetStatic,
            (true, true) => FieldAccess::PutStatic,
        };
        let field = self.program.link_field(self.class, self.method, access, reference);
        Ok(field.map(|field| FieldRef {
            class: field.class().name().into(),
            name: field.name().into(),
            descriptor: field.descriptor().into(),
        }))
    }

    /// The method that a call names or, if nothing can override it there, runs.
    pub(crate) fn method(
        &self,
        reference: MemberRef<'_>,
        opcode: u8,
    ) -> Linked<(CallKind, MethodRef)> {
        let kind = match opcode {
            op::INVOKESTATIC => InvokeKind::Static,
            op::INVOKESPECIAL => InvokeKind::Special,
            op::INVOKEINTERFACE => InvokeKind::Interface,
            _ => InvokeKind::Virtual,
        };
        let linked = match self.program.link_call(self.class, kind, reference) {
            Ok(linked) => linked,
            Err(error) => return Ok(Err(error)),
        };
        let method = &linked.method;
        if method.is_signature_polymorphic() {
            let mut called = method_ref(method);
            called.descriptor = reference.descriptor.into();
            // `MethodHandle.linkToStatic` and its kin have no receiver.
            let kind = if method.is_static() { CallKind::Static } else { CallKind::Polymorphic };
            return Ok(Ok((kind, called)));
        }
        Ok(Ok(match kind {
            InvokeKind::Static => (CallKind::Static, method_ref(method)),
            InvokeKind::Special => match linked.method.select_special(self.class, &linked.named) {
                Ok(selected) => (CallKind::Special, method_ref(&selected)),
                Err(error) => return Ok(Err(error)),
            },
            InvokeKind::Virtual | InvokeKind::Interface => {
                let fixed = method.is_private()
                    || method.is_final()
                    || (method.class().file.has_flags(flags::FINAL) && !method.is_abstract());
                let kind = if fixed {
                    CallKind::Special
                } else if method.class().is_interface() {
                    CallKind::Interface
                } else {
                    CallKind::Virtual
                };
                (kind, method_ref(method))
            }
        }))
    }

    pub(crate) fn class_exists(&self, name: &str) -> Result<(), LinkageError> {
        self.program.resolve_class(self.class, name).map(drop)
    }

    pub(crate) fn instantiable(&self, name: &str) -> Result<(), LinkageError> {
        self.program.link_new(self.class, name).map(drop)
    }

    /// Whether instances of a class that exists are instances of another, which may be missing: a
    /// class that cannot be loaded has no instances.
    pub(crate) fn is_subclass(&self, class: &str, of: &str) -> Result<bool, Refusal> {
        Ok(class == of || self.program.is_assignable(class, of).unwrap_or(false))
    }

    /// Whether initialising the class does nothing, or is under way or done whenever a method of the
    /// class under translation runs.
    ///
    /// DIVERGENCE: initialisation may also have failed, if the initialiser let an instance escape
    /// before it threw. The JVM then throws `NoClassDefFoundError` at each access in its methods.
    pub(crate) fn is_surely_initialised(&self, name: &str) -> Result<bool, Refusal> {
        if self.class.lineage().any(|class| class.name() == name) {
            return Ok(true);
        }
        match self.program.class(name) {
            Ok(class) => Ok(!class.needs_initialisation()),
            Err(error) => Err(Refusal::Class(error.to_string())),
        }
    }

    /// A class and its superclasses, which are initialised with it.
    pub(crate) fn superclasses(&self, name: &str) -> Result<Vec<String>, Refusal> {
        match self.program.class(name) {
            Ok(class) => Ok(class.lineage().map(|class| class.name().to_owned()).collect()),
            Err(error) => Err(Refusal::Class(error.to_string())),
        }
    }

    pub(crate) fn synthesise_call(
        &self,
        site: &DynamicSite,
        index: u16,
        place: Place,
    ) -> Result<Outcome, Refusal> {
        dynamic::call(self.program, self.class, site, index, place)
    }

    pub(crate) fn synthesise_constant(
        &self,
        site: &DynamicSite,
        index: u16,
    ) -> Result<Outcome, Refusal> {
        dynamic::constant(self.program, self.class, site, index)
    }

    pub(crate) fn unlinked_handle(
        &self,
        handle: &MethodHandle,
    ) -> Result<Option<LinkageError>, Refusal> {
        dynamic::unlinked_handle(self.program, self.class, handle)
    }

    pub(crate) fn unlinked_method_type(
        &self,
        descriptor: &str,
    ) -> Result<Option<LinkageError>, Refusal> {
        dynamic::unlinked_method_type(self.program, self.class, descriptor)
    }
}
