//! Resolution (JVMS 5.4.3): from a symbolic reference to the class, field or method that it means.

use std::sync::Arc;

use petrel_classfile::{JavaType, MemberRef, MethodDescriptor, flags};
use rustc_hash::FxHashSet;

use crate::class::Class;
use crate::error::LinkageError;
use crate::hierarchy::reference;
use crate::members::{MemberKey, ResolvedField, ResolvedMethod};
use crate::names::{external_class, external_method};
use crate::program::Program;

/// What a `Class` constant means.
#[derive(Debug, Clone)]
pub enum ResolvedClass {
    /// A class or interface.
    Class(Arc<Class>),
    /// An array type whose element type, if it is a class, is loaded and accessible.
    Array(JavaType),
}

/// The class in a reference to a member. `Object` stands for array types, since their members are
/// looked up there.
pub(crate) struct Named {
    pub(crate) class: Arc<Class>,
    pub(crate) is_array: bool,
}

impl Program {
    /// Class and interface resolution (JVMS 5.4.3.1). `from` is the class whose constant it is.
    ///
    /// # Errors
    ///
    /// If the class cannot be loaded or accessed.
    pub fn resolve_class(
        &self,
        from: &Arc<Class>,
        name: &str,
    ) -> Result<ResolvedClass, LinkageError> {
        if !name.starts_with('[') {
            return self.accessible_class(from, name, name).map(ResolvedClass::Class);
        }
        if let Some(element) = reference(name.trim_start_matches('[')) {
            self.accessible_class(from, element, name)?;
        }
        let malformed = |_| LinkageError::no_class_def_found(name.to_owned());
        JavaType::parse(name).map(ResolvedClass::Array).map_err(malformed)
    }

    /// Loads `name` for a reference to `asked`, which is that class or an array type over it.
    fn accessible_class(
        &self,
        from: &Arc<Class>,
        name: &str,
        asked: &str,
    ) -> Result<Arc<Class>, LinkageError> {
        // Most references name the class that they are in.
        if name == from.name() {
            return Ok(Arc::clone(from));
        }
        let class = self.class(name).map_err(|error| error.to_linkage_error(asked))?;
        self.check_class_access(from, &class)?;
        Ok(class)
    }

    pub(crate) fn named_class(&self, from: &Arc<Class>, name: &str) -> Result<Named, LinkageError> {
        match self.resolve_class(from, name)? {
            ResolvedClass::Class(class) => Ok(Named { class, is_array: false }),
            ResolvedClass::Array(_) => {
                let object = "java/lang/Object";
                let class = self.class(object).map_err(|error| error.to_linkage_error(object))?;
                Ok(Named { class, is_array: true })
            }
        }
    }

    /// Field resolution (JVMS 5.4.3.2).
    ///
    /// # Errors
    ///
    /// If the class cannot be resolved, has no such field, or the field is not accessible.
    pub fn resolve_field(
        &self,
        from: &Arc<Class>,
        reference: MemberRef<'_>,
    ) -> Result<ResolvedField, LinkageError> {
        let named = self.named_class(from, reference.class)?;
        let key = MemberKey::new(reference.name, reference.descriptor);
        let field = named.class.lookup_field(key);
        let missing = || LinkageError::no_such_field(reference.name.to_owned());
        let field = field.ok_or_else(missing)?;
        self.check_field_access(from, &named, &field)?;
        Ok(field)
    }

    /// Method resolution (JVMS 5.4.3.3) or, for an `InterfaceMethodref`, interface method
    /// resolution (JVMS 5.4.3.4).
    ///
    /// # Errors
    ///
    /// If the class cannot be resolved, is not of the expected kind, has no such method, or the
    /// method is not accessible.
    pub fn resolve_method(
        &self,
        from: &Arc<Class>,
        reference: MemberRef<'_>,
    ) -> Result<ResolvedMethod, LinkageError> {
        let named = self.named_class(from, reference.class)?;
        if named.class.is_interface() != reference.is_interface {
            let class = external_class(named.class.name());
            return Err(LinkageError::incompatible_class_change(if reference.is_interface {
                format!("Found class {class}, but interface was expected")
            } else {
                format!("Found interface {class}, but class was expected")
            }));
        }
        self.method_of(from, &named, reference)
    }

    /// Method resolution once the class is known to be of the right kind.
    pub(crate) fn method_of(
        &self,
        from: &Arc<Class>,
        named: &Named,
        reference: MemberRef<'_>,
    ) -> Result<ResolvedMethod, LinkageError> {
        let MemberRef { class, name, descriptor, .. } = reference;
        let key = MemberKey::new(name, descriptor);
        let method = if reference.is_interface {
            named.class.lookup_interface_method(key)
        } else {
            named.class.lookup_method(key)
        };
        let missing = || {
            LinkageError::no_such_method(format!(
                "'{}'",
                external_method(Some(class), name, descriptor)
            ))
        };
        let method = method.ok_or_else(missing)?;
        self.check_method_access(from, named, &method)?;
        if method.is_signature_polymorphic() {
            self.resolve_classes_of(from, descriptor)?;
        }
        Ok(method)
    }

    /// JVMS 5.4.3.3, step 2: the classes in the descriptor of a signature polymorphic call.
    fn resolve_classes_of(&self, from: &Arc<Class>, descriptor: &str) -> Result<(), LinkageError> {
        let Ok(parsed) = MethodDescriptor::parse(descriptor) else {
            return Ok(());
        };
        for java_type in parsed.parameters.iter().chain(&parsed.result) {
            if let Some(name) = java_type.class_constant_name() {
                self.resolve_class(from, &name)?;
            }
        }
        Ok(())
    }
}

impl Class {
    /// Field lookup (JVMS 5.4.3.2): the class, its superinterfaces, then its superclass likewise.
    pub(crate) fn lookup_field(self: &Arc<Self>, key: MemberKey<'_>) -> Option<ResolvedField> {
        let mut seen = FxHashSet::default();
        self.lineage().find_map(|class| {
            class.field_named(key).or_else(|| class.field_of_interfaces(key, &mut seen))
        })
    }

    /// An interface's own fields come before those of its superinterfaces.
    fn field_of_interfaces(
        &self,
        key: MemberKey<'_>,
        seen: &mut FxHashSet<*const Class>,
    ) -> Option<ResolvedField> {
        let mut open: Vec<_> = self.interfaces().iter().rev().collect();
        while let Some(interface) = open.pop() {
            if !seen.insert(Arc::as_ptr(interface)) {
                continue;
            }
            if let Some(field) = interface.field_named(key) {
                return Some(field);
            }
            open.extend(interface.interfaces().iter().rev());
        }
        None
    }

    /// Method lookup (JVMS 5.4.3.3, steps 2 and 3).
    pub(crate) fn lookup_method(self: &Arc<Self>, key: MemberKey<'_>) -> Option<ResolvedMethod> {
        self.lineage()
            .find_map(|class| {
                class.signature_polymorphic_method(key.name).or_else(|| class.method_named(key))
            })
            .or_else(|| self.superinterface_method(key))
    }

    /// Interface method lookup (JVMS 5.4.3.4, steps 2 to 5).
    pub(crate) fn lookup_interface_method(
        self: &Arc<Self>,
        key: MemberKey<'_>,
    ) -> Option<ResolvedMethod> {
        self.method_named(key)
            .or_else(|| self.public_method_of_object(key))
            .or_else(|| self.superinterface_method(key))
    }

    /// The public instance method of `Object`, which is the superclass of every interface.
    pub(crate) fn public_method_of_object(&self, key: MemberKey<'_>) -> Option<ResolvedMethod> {
        let method = self.super_class()?.method_named(key)?;
        (method.has_flags(flags::PUBLIC) && !method.is_static()).then_some(method)
    }

    /// The only method of that name, if it is signature polymorphic.
    fn signature_polymorphic_method(self: &Arc<Self>, name: &str) -> Option<ResolvedMethod> {
        if !self.has_signature_polymorphic_methods() {
            return None;
        }
        let mut of_that_name = self.methods().filter(|method| method.name() == name);
        match (of_that_name.next(), of_that_name.next()) {
            (Some(method), None) if method.is_signature_polymorphic() => Some(method),
            _ => None,
        }
    }

    /// The one non-abstract method among the maximally-specific ones or, if there is none or more,
    /// any of them: the JVMS leaves the choice open, and here it is the first.
    fn superinterface_method(&self, key: MemberKey<'_>) -> Option<ResolvedMethod> {
        let methods = self.maximally_specific_methods(key);
        let mut concrete = methods.iter().filter(|method| !method.is_abstract());
        match (concrete.next(), concrete.next()) {
            (Some(only), None) => Some(only.clone()),
            _ => methods.into_iter().next(),
        }
    }

    /// The maximally-specific superinterface methods (JVMS 5.4.3.3): neither private nor static,
    /// and not redeclared in a subinterface that the class also has.
    pub(crate) fn maximally_specific_methods(&self, key: MemberKey<'_>) -> Vec<ResolvedMethod> {
        let hidden = flags::PRIVATE | flags::STATIC;
        let declared = self.all_interfaces().iter().filter_map(|class| class.method_named(key));
        let mut methods: Vec<_> = declared.filter(|method| method.flags() & hidden == 0).collect();
        if methods.len() > 1 {
            let above = methods.iter().flat_map(|method| method.class().all_interfaces());
            let redeclared: FxHashSet<_> = above.map(Arc::as_ptr).collect();
            methods.retain(|method| !redeclared.contains(&Arc::as_ptr(method.class())));
        }
        methods
    }
}

#[cfg(test)]
mod tests;
