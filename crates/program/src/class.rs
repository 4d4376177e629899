//! One loaded class: its file, its supertypes, and what is looked up in it again and again.

use std::fmt;
use std::iter;
use std::sync::{Arc, OnceLock};

use petrel_classfile::{ClassFile, flags};
use rustc_hash::FxHashSet;

use crate::members::MemberTables;
use crate::names;
use crate::program::Origin;

/// The most supertypes that can stand above one another.
///
/// HotSpot has no fixed limit, but it loads recursively and runs out of stack somewhere in the
/// thousands. Here the limit bounds how deep the drop of a chain of classes recurses. Hierarchies
/// that people write stay below 30.
pub const MAX_DEPTH: u32 = 1000;

/// A class or interface whose supertypes are loaded and fit (JVMS 5.3.5).
///
/// A program has one `Class` per name, so that identity is equality.
pub struct Class {
    /// The class file.
    pub file: ClassFile,
    /// Where the class file comes from, for messages.
    pub place: String,
    /// Whose class it is.
    pub origin: Origin,
    name: Arc<str>,
    super_class: Option<Arc<Class>>,
    interfaces: Box<[Arc<Class>]>,
    /// See [`Class::all_interfaces`].
    all_interfaces: Arc<[Arc<Class>]>,
    depth: u32,
    /// The bytes of a synthesised class.
    synthesised_from: Option<Arc<[u8]>>,
    pub(crate) tables: MemberTables,
    /// Name of the nest host once it was determined; see `access.rs`.
    pub(crate) nest_host: OnceLock<Arc<str>>,
    /// See [`Class::initialisation_chain`]. The class itself is left out: it would own itself.
    pub(crate) initialised_before: OnceLock<Arc<[Arc<Class>]>>,
}

/// What a class is made of.
pub(crate) struct ClassParts {
    pub(crate) file: ClassFile,
    pub(crate) tables: MemberTables,
    pub(crate) place: String,
    pub(crate) origin: Origin,
    pub(crate) name: Arc<str>,
    pub(crate) super_class: Option<Arc<Class>>,
    pub(crate) interfaces: Vec<Arc<Class>>,
    pub(crate) synthesised_from: Option<Arc<[u8]>>,
}

impl Class {
    pub(crate) fn new(parts: ClassParts) -> Class {
        let ClassParts { super_class, interfaces, .. } = parts;
        let above = super_class.iter().chain(&interfaces).map(|class| class.depth).max();
        Class {
            all_interfaces: transitive_interfaces(super_class.as_deref(), &interfaces),
            depth: above.map_or(0, |depth| depth.saturating_add(1)),
            file: parts.file,
            place: parts.place,
            origin: parts.origin,
            name: parts.name,
            super_class,
            interfaces: interfaces.into(),
            synthesised_from: parts.synthesised_from,
            tables: parts.tables,
            nest_host: OnceLock::new(),
            initialised_before: OnceLock::new(),
        }
    }

    /// Internal name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Internal name, shared.
    pub fn shared_name(&self) -> &Arc<str> {
        &self.name
    }

    /// The package in internal form; empty for the unnamed package.
    pub fn package(&self) -> &str {
        names::package(&self.name)
    }

    /// Whether both are in the same run-time package (JVMS 5.3), as far as names tell.
    pub fn same_package(&self, other: &Class) -> bool {
        std::ptr::eq(self, other) || self.package() == other.package()
    }

    /// The direct superclass: `java/lang/Object` for interfaces, `None` for that class itself.
    pub fn super_class(&self) -> Option<&Arc<Class>> {
        self.super_class.as_ref()
    }

    /// The direct superinterfaces, in the file's order.
    pub fn interfaces(&self) -> &[Arc<Class>] {
        &self.interfaces
    }

    /// All superinterfaces, direct and indirect, each once: first those of the superclass, then in
    /// the order of JVMS 5.5, step 7, an interface after its own superinterfaces.
    pub fn all_interfaces(&self) -> &[Arc<Class>] {
        &self.all_interfaces
    }

    /// Those of [`Class::all_interfaces`] that the superclass does not have.
    pub(crate) fn added_interfaces(&self) -> &[Arc<Class>] {
        let inherited = self.super_class.as_ref().map_or(0, |class| class.all_interfaces.len());
        self.all_interfaces.get(inherited..).unwrap_or_default()
    }

    /// The class and its superclasses, from the class up.
    pub fn lineage(self: &Arc<Self>) -> impl Iterator<Item = &Arc<Class>> {
        iter::successors(Some(self), |class| class.super_class.as_ref())
    }

    /// How many supertypes stand above the class, at most [`MAX_DEPTH`].
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether the class is an interface.
    pub fn is_interface(&self) -> bool {
        self.file.has_flags(flags::INTERFACE)
    }

    /// Whether the class is abstract; interfaces are.
    pub fn is_abstract(&self) -> bool {
        self.file.access_flags & (flags::ABSTRACT | flags::INTERFACE) != 0
    }

    /// Whether Petrel made the class up. Access checks are waived for it.
    pub fn is_synthesised(&self) -> bool {
        self.synthesised_from.is_some()
    }

    pub(crate) fn synthesised_from(&self) -> Option<&[u8]> {
        self.synthesised_from.as_deref()
    }

    /// Whether `other` is the class, a superclass or a superinterface of it.
    pub fn is_subclass_of(&self, other: &Class) -> bool {
        if std::ptr::eq(self, other) {
            return true;
        }
        if other.is_interface() {
            return self.all_interfaces.iter().any(|class| std::ptr::eq(&**class, other));
        }
        iter::successors(self.super_class(), |class| class.super_class())
            .any(|class| std::ptr::eq(&**class, other))
    }

    /// Whether JVMS 2.9.3 looks for signature polymorphic methods here.
    pub(crate) fn has_signature_polymorphic_methods(&self) -> bool {
        matches!(self.name(), "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle")
    }
}

/// JVMS 5.5, step 7: superinterfaces before the interface. What the superclass has comes first and
/// is shared where nothing is added, as in most classes.
fn transitive_interfaces(
    super_class: Option<&Class>,
    interfaces: &[Arc<Class>],
) -> Arc<[Arc<Class>]> {
    let inherited =
        super_class.map_or_else(|| [].into(), |class| Arc::clone(&class.all_interfaces));
    if interfaces.is_empty() {
        return inherited;
    }
    let mut all = inherited.to_vec();
    let mut seen: FxHashSet<*const Class> = all.iter().map(Arc::as_ptr).collect();
    for interface in interfaces {
        for class in interface.all_interfaces.iter().chain([interface]) {
            if seen.insert(Arc::as_ptr(class)) {
                all.push(Arc::clone(class));
            }
        }
    }
    if all.len() == inherited.len() { inherited } else { all.into() }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Class").field("name", &self.name).field("place", &self.place).finish()
    }
}
