//! Access control (JVMS 5.4.4).
//!
//! Two parts of it are left out. Modules are not modelled, so every package counts as exported and
//! read. And that the receiver of a protected member is an instance of the accessing class or a
//! subclass is checked by verification (JVMS 4.10.1.8), which Petrel takes as done.
//!
//! A synthesised class may access everything.

use std::sync::Arc;

use petrel_classfile::flags;

use crate::class::Class;
use crate::error::LinkageError;
use crate::members::{ResolvedField, ResolvedMethod};
use crate::names::{external_class, external_method};
use crate::program::Program;
use crate::resolve::Named;

impl Program {
    /// Whether `from` may name `class`.
    pub fn can_access_class(&self, from: &Class, class: &Class) -> bool {
        from.is_synthesised() || class.file.has_flags(flags::PUBLIC) || from.same_package(class)
    }

    pub(crate) fn check_class_access(
        &self,
        from: &Class,
        class: &Class,
    ) -> Result<(), LinkageError> {
        if self.can_access_class(from, class) {
            return Ok(());
        }
        let (class, from) = (external_class(class.name()), external_class(from.name()));
        let message = format!("failed to access class {class} from class {from}");
        Err(LinkageError::illegal_access(message))
    }

    pub(crate) fn check_field_access(
        &self,
        from: &Class,
        named: &Named,
        field: &ResolvedField,
    ) -> Result<(), LinkageError> {
        if self.can_access_member(from, named, field.class(), field.flags()) {
            return Ok(());
        }
        let kind = visibility(field.flags());
        let (from, class) = (external_class(from.name()), external_class(field.class().name()));
        let name = field.name();
        let message = format!("class {from} tried to access {kind}field {class}.{name}");
        Err(LinkageError::illegal_access(message))
    }

    pub(crate) fn check_method_access(
        &self,
        from: &Class,
        named: &Named,
        method: &ResolvedMethod,
    ) -> Result<(), LinkageError> {
        // Arrays override `clone` with a public method (JLS 10.7), which has no declaration.
        let is_array_clone = named.is_array && method.name() == "clone";
        if is_array_clone || self.can_access_member(from, named, method.class(), method.flags()) {
            return Ok(());
        }
        let kind = visibility(method.flags());
        let abstractness = if method.is_abstract() { "abstract " } else { "" };
        let class = Some(method.class().name());
        let method = external_method(class, method.name(), method.descriptor());
        let from = external_class(from.name());
        let message = format!("class {from} tried to access {abstractness}{kind}method '{method}'");
        Err(LinkageError::illegal_access(message))
    }

    /// `declaring` declares the member, which was referred to as a member of `named`.
    fn can_access_member(
        &self,
        from: &Class,
        named: &Named,
        declaring: &Class,
        member_flags: u16,
    ) -> bool {
        let has = |flag| member_flags & flag != 0;
        if has(flags::PUBLIC) || from.is_synthesised() || std::ptr::eq(from, declaring) {
            return true;
        }
        if has(flags::PRIVATE) {
            return self.are_nest_mates(from, declaring);
        }
        if from.same_package(declaring) {
            return true;
        }
        has(flags::PROTECTED)
            && from.is_subclass_of(declaring)
            && (has(flags::STATIC) || named.is_related_to(from))
    }

    /// Whether both classes belong to the same nest.
    pub fn are_nest_mates(&self, one: &Class, other: &Class) -> bool {
        std::ptr::eq(one, other) || self.nest_host(one) == self.nest_host(other)
    }

    /// Name of the nest host. A class whose host cannot be loaded, is in another package or does
    /// not list it as a member is its own host.
    pub fn nest_host(&self, class: &Class) -> Arc<str> {
        let host = class.nest_host.get_or_init(|| {
            let valid = class.file.nest_host().and_then(|name| self.class(name).ok());
            let valid = valid.filter(|host| {
                host.same_package(class)
                    && host.file.nest_members().any(|member| member == class.name())
            });
            Arc::clone(valid.as_deref().unwrap_or(class).shared_name())
        });
        Arc::clone(host)
    }
}

impl Named {
    /// JVMS 5.4.4: a reference to a protected instance member names a subclass, a superclass or
    /// the class itself.
    fn is_related_to(&self, from: &Class) -> bool {
        // Of an array class, only `Object` is a superclass.
        let below = !self.is_array && from.is_subclass_of(&self.class);
        below || self.class.is_subclass_of(from)
    }
}

fn visibility(member_flags: u16) -> &'static str {
    if member_flags & flags::PRIVATE != 0 {
        "private "
    } else if member_flags & flags::PROTECTED != 0 {
        "protected "
    } else {
        ""
    }
}
