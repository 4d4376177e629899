//! Method selection (JVMS 5.4.6, and 6.5 for `invokespecial`): which method a call runs, given the
//! resolved method and the receiver.

use std::sync::Arc;

use petrel_classfile::flags;

use crate::class::Class;
use crate::error::LinkageError;
use crate::hierarchy::is_supertype_of_arrays;
use crate::link::{InvokeKind, LinkedCall, written};
use crate::members::{MemberKey, ResolvedMethod};
use crate::names::{external_class, external_method};

/// The class of the object on which a method is called.
#[derive(Debug, Clone, Copy)]
pub enum Receiver<'a> {
    /// An object of this class.
    Class(&'a Arc<Class>),
    /// An array: it has the methods of `Object`.
    Array,
}

impl LinkedCall {
    /// The method that the call runs in code of the class `current`. `receiver` is not looked at by
    /// `invokestatic` and `invokespecial`.
    ///
    /// # Errors
    ///
    /// The error that the JVM throws, after the receiver was found not to be null.
    pub fn select(
        &self,
        current: &Arc<Class>,
        receiver: Receiver<'_>,
    ) -> Result<ResolvedMethod, LinkageError> {
        match self.kind {
            InvokeKind::Static => Ok(self.method.clone()),
            InvokeKind::Special => self.method.select_special(current, &self.named),
            InvokeKind::Virtual => self.method.select_virtual(receiver),
            InvokeKind::Interface => self.method.select_interface(receiver, &self.named),
        }
    }
}

impl ResolvedMethod {
    /// What `invokevirtual` runs.
    ///
    /// # Errors
    ///
    /// If the receiver has no implementation, or several of equal right.
    pub fn select_virtual(&self, receiver: Receiver<'_>) -> Result<ResolvedMethod, LinkageError> {
        if self.is_private() {
            return Ok(self.clone());
        }
        let (class, key) = (self.receiver_class(receiver), self.key());
        let overriding = if is_inherited_everywhere(self) {
            class.lineage().find_map(|class| overriding_candidate(class, key))
        } else {
            Some(self.last_override(class))
        };
        self.implementation(class, overriding)
    }

    /// What `invokeinterface` runs, for a reference that names `interface`.
    ///
    /// # Errors
    ///
    /// As [`ResolvedMethod::select_virtual`], and if the receiver does not implement the interface
    /// or its method is not public.
    pub fn select_interface(
        &self,
        receiver: Receiver<'_>,
        interface: &Class,
    ) -> Result<ResolvedMethod, LinkageError> {
        let class = self.receiver_class(receiver);
        let implements = match receiver {
            Receiver::Class(class) => class.is_subclass_of(interface),
            Receiver::Array => is_supertype_of_arrays(interface.name()),
        };
        if !implements {
            let (class, interface) = (external_class(class.name()), external_class(interface.name()));
            return Err(LinkageError::incompatible_class_change(format!(
                "Class {class} does not implement the requested interface {interface}"
            )));
        }
        if self.is_private() {
            return Ok(self.clone());
        }
        let key = self.key();
        let overriding = class.lineage().find_map(|class| overriding_candidate(class, key));
        let selected = self.implementation(class, overriding)?;
        if selected.has_flags(flags::PUBLIC) {
            Ok(selected)
        } else {
            Err(LinkageError::illegal_access(format!("'{}'", written(&selected))))
        }
    }

    /// What `invokespecial` runs in code of the class `current`, for a reference that names `named`:
    /// constructors and private methods directly, other methods from the superclass of `current`
    /// on if a superclass is named, and else from `named` on.
    ///
    /// Every class is taken to have `ACC_SUPER`, as JVMS 4.1 has it since Java 8.
    ///
    /// # Errors
    ///
    /// If the method is abstract, or there are several of equal right.
    pub fn select_special(
        &self,
        current: &Arc<Class>,
        named: &Arc<Class>,
    ) -> Result<ResolvedMethod, LinkageError> {
        let names_superclass = !named.is_interface()
            && !Arc::ptr_eq(current, named)
            && current.is_subclass_of(named);
        let start = match current.super_class() {
            Some(direct) if names_superclass && !self.is_constructor() => direct,
            _ => named,
        };
        let key = self.key();
        let instance = |class: &Arc<Class>| {
            class.method_named(key).filter(|method| !method.is_static())
        };
        let found = if start.is_interface() {
            instance(start).or_else(|| start.public_method_of_object(key))
        } else {
            start.lineage().find_map(instance)
        };
        self.implementation_from(current, start, found)
    }

    /// The array's class is no `Class`; `Object` is the root of every lineage.
    fn receiver_class<'a>(&'a self, receiver: Receiver<'a>) -> &'a Arc<Class> {
        match receiver {
            Receiver::Class(class) => class,
            Receiver::Array => self.class().lineage().last().unwrap_or(self.class()),
        }
    }

    /// JVMS 5.4.6, step 2, for a package-private method: of the methods on the way from its class
    /// down to `class`, the last that overrides it.
    ///
    /// A method overrides it directly if it is in the same package, and through another method that
    /// overrides it (JVMS 5.4.5). So the set of overriding methods is found from the top down.
    fn last_override(&self, class: &Arc<Class>) -> ResolvedMethod {
        let below = class.lineage().take_while(|class| !Arc::ptr_eq(class, self.class()));
        let below: Vec<_> = below.collect();
        let key = self.key();
        let mut overriding = vec![self.clone()];
        for class in below.into_iter().rev() {
            let Some(method) = overriding_candidate(class, key) else { continue };
            let overrides = |other: &ResolvedMethod| {
                is_inherited_everywhere(other) || other.class().same_package(class)
            };
            if overriding.iter().any(overrides) {
                overriding.push(method);
            }
        }
        overriding.pop().unwrap_or_else(|| self.clone())
    }

    fn implementation(
        &self,
        class: &Class,
        found: Option<ResolvedMethod>,
    ) -> Result<ResolvedMethod, LinkageError> {
        self.implementation_from(class, class, found)
    }

    /// The method that was found among the classes or, if there is none, the one non-abstract
    /// method among the maximally-specific ones of the superinterfaces of `start`.
    fn implementation_from(
        &self,
        receiver: &Class,
        start: &Class,
        found: Option<ResolvedMethod>,
    ) -> Result<ResolvedMethod, LinkageError> {
        if let Some(method) = found {
            if method.is_abstract() {
                return Err(self.not_implemented(receiver, Some(&method)));
            }
            return Ok(method);
        }
        let mut defaults = start.maximally_specific_methods(self.key());
        defaults.retain(|method| !method.is_abstract());
        match defaults.len() {
            0 => Err(self.not_implemented(receiver, None)),
            1 => defaults.pop().ok_or_else(|| self.not_implemented(receiver, None)),
            _ => Err(conflict(&defaults)),
        }
    }

    fn not_implemented(&self, receiver: &Class, selected: Option<&ResolvedMethod>) -> LinkageError {
        let kind = match self.class() {
            class if class.is_interface() => "interface",
            class if class.is_abstract() => "abstract class",
            _ => "class",
        };
        let mut message = format!(
            "Receiver class {} does not define or inherit an implementation of the resolved method \
             '{}' of {kind} {}.",
            external_class(receiver.name()),
            with_abstract(self),
            external_class(self.class().name()),
        );
        if let Some(selected) = selected.filter(|selected| *selected != self) {
            message += &format!(" Selected method is '{}'.", with_abstract(selected));
        }
        LinkageError::abstract_method(message)
    }
}

/// Whether every subclass with a method of that name and descriptor overrides the method: it is not
/// package-private. Methods of interfaces are never.
fn is_inherited_everywhere(method: &ResolvedMethod) -> bool {
    method.flags() & (flags::PUBLIC | flags::PROTECTED) != 0
}

/// A method that can override another of that name and descriptor: not private and not static.
fn overriding_candidate(class: &Arc<Class>, key: MemberKey<'_>) -> Option<ResolvedMethod> {
    let excluded = flags::PRIVATE | flags::STATIC;
    class.method_named(key).filter(|method| method.flags() & excluded == 0)
}

fn conflict(defaults: &[ResolvedMethod]) -> LinkageError {
    let name = |method: &ResolvedMethod| format!(" {}.{}", method.class().name(), method.name());
    let names: String = defaults.iter().map(name).collect();
    LinkageError::incompatible_class_change(format!("Conflicting default methods:{names}"))
}

/// `abstract void m()`.
fn with_abstract(method: &ResolvedMethod) -> String {
    let external = external_method(None, method.name(), method.descriptor());
    if method.is_abstract() { format!("abstract {external}") } else { external }
}
