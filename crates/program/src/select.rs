//! Method selection (JVMS 5.4.6, and 6.5 for `invokespecial`): which method a call runs, given the
//! resolved method and the receiver.
//!
//! DIVERGENCE: this is the specification's rule. HotSpot departs from it where a class has a private
//! or static method of the same name and descriptor as a default method that it inherits: it may
//! then miss the default. No compiler makes such classes; they come from separate compilation. And
//! HotSpot 17 (not 25) throws `AbstractMethodError` when `invokeinterface` finds several defaults.

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
        choose(class, key, overriding).map_err(|missing| {
            missing.or_else(|selected| match selected {
                Some(selected) => self.not_implemented(class, Some(&selected)),
                None => is_abstract(class, key),
            })
        })
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
            let (class, interface) =
                (external_class(class.name()), external_class(interface.name()));
            return Err(LinkageError::incompatible_class_change(format!(
                "Class {class} does not implement the requested interface {interface}"
            )));
        }
        if self.is_private() {
            return Ok(self.clone());
        }
        let key = self.key();
        let overriding = class.lineage().find_map(|class| overriding_candidate(class, key));
        if overriding.as_ref().is_some_and(|method| !method.has_flags(flags::PUBLIC)) {
            // HotSpot names the class of the receiver here.
            let method = external_method(Some(class.name()), key.name, key.descriptor);
            return Err(LinkageError::illegal_access(format!("'{method}'")));
        }
        choose(class, key, overriding).map_err(|missing| {
            missing.or_else(|selected| self.not_implemented(class, selected.as_ref()))
        })
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
        let names_superclass =
            !named.is_interface() && !Arc::ptr_eq(current, named) && current.is_subclass_of(named);
        let start = match current.super_class() {
            Some(direct) if names_superclass && !self.is_constructor() => direct,
            _ => named,
        };
        let key = self.key();
        let instance =
            |class: &Arc<Class>| class.method_named(key).filter(|method| !method.is_static());
        let found = if start.is_interface() {
            instance(start).or_else(|| start.public_method_of_object(key))
        } else {
            start.lineage().find_map(instance)
        };
        choose(start, key, found).map_err(|missing| {
            missing.or_else(|selected| match selected {
                Some(selected) => {
                    LinkageError::abstract_method(format!("'{}'", written(&selected)))
                }
                None => is_abstract(start, key),
            })
        })
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
            let Some(method) = overriding_candidate(class, key) else {
                continue;
            };
            let overrides = |other: &ResolvedMethod| {
                is_inherited_everywhere(other) || other.class().same_package(class)
            };
            if overriding.iter().any(overrides) {
                overriding.push(method);
            }
        }
        overriding.pop().unwrap_or_else(|| self.clone())
    }

    /// HotSpot's words for a call that finds an abstract method, or none for `invokeinterface`.
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
            self.written_without_class(),
            external_class(self.class().name()),
        );
        if let Some(selected) = selected.filter(|selected| *selected != self) {
            message += &format!(" Selected method is 'abstract {}'.", written(selected));
        }
        LinkageError::abstract_method(message)
    }

    /// `abstract void m()`.
    fn written_without_class(&self) -> String {
        let external = external_method(None, self.name(), self.descriptor());
        if self.is_abstract() { format!("abstract {external}") } else { external }
    }
}

/// Why no method is selected.
enum Missing {
    /// The selected method, if there is one, is abstract.
    Abstract(Option<ResolvedMethod>),
    /// There are several defaults.
    Conflict(Vec<ResolvedMethod>),
}

impl Missing {
    /// The error; HotSpot words a missing implementation differently for each instruction.
    fn or_else(
        self,
        not_implemented: impl FnOnce(Option<ResolvedMethod>) -> LinkageError,
    ) -> LinkageError {
        match self {
            Missing::Abstract(selected) => not_implemented(selected),
            Missing::Conflict(defaults) => {
                let name = |default: &ResolvedMethod| {
                    format!(" {}.{}", default.class().name(), default.name())
                };
                let names: String = defaults.iter().map(name).collect();
                let message = format!("Conflicting default methods:{names}");
                LinkageError::incompatible_class_change(message)
            }
        }
    }
}

/// The method that was found among the classes or, if there is none, the one non-abstract method
/// among the maximally-specific ones of the superinterfaces of `class`.
fn choose(
    class: &Class,
    key: MemberKey<'_>,
    found: Option<ResolvedMethod>,
) -> Result<ResolvedMethod, Missing> {
    if let Some(method) = found {
        return if method.is_abstract() {
            Err(Missing::Abstract(Some(method)))
        } else {
            Ok(method)
        };
    }
    let mut defaults = class.maximally_specific_methods(key);
    defaults.retain(|method| !method.is_abstract());
    if defaults.len() > 1 {
        return Err(Missing::Conflict(defaults));
    }
    defaults.pop().ok_or(Missing::Abstract(None))
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

/// HotSpot's words for a call that finds no method in any class.
fn is_abstract(class: &Class, key: MemberKey<'_>) -> LinkageError {
    let (class, name, descriptor) = (class.name(), key.name, key.descriptor);
    LinkageError::abstract_method(format!("Method {class}.{name}{descriptor} is abstract"))
}

#[cfg(test)]
mod tests;
