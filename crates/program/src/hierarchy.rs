//! Subtyping (JVMS 4.10.1.2 and the rules of `checkcast`), and the order of class initialisation
//! (JVMS 5.5).

use std::sync::Arc;

use petrel_classfile::flags;

use crate::class::Class;
use crate::error::LoadError;
use crate::members::MemberKey;
use crate::program::Program;

const OBJECT: &str = "java/lang/Object";

/// Whether arrays implement the interface, or are instances of the class.
pub(crate) fn is_supertype_of_arrays(name: &str) -> bool {
    matches!(name, OBJECT | "java/lang/Cloneable" | "java/io/Serializable")
}

impl Program {
    /// Whether a non-null reference to an object of type `from` can be cast to `to`. Both are named
    /// as in `Class` constants: internal names, or descriptors of array types.
    ///
    /// # Errors
    ///
    /// If one of the classes has to be looked at and cannot be loaded.
    pub fn is_assignable(&self, from: &str, to: &str) -> Result<bool, LoadError> {
        let (mut from, mut to) = (from, to);
        loop {
            if from == to || to == OBJECT {
                return Ok(true);
            }
            match (from.strip_prefix('['), to.strip_prefix('[')) {
                (None, None) => {
                    let to = self.class(to)?;
                    return Ok(self.class(from)?.is_subclass_of(&to));
                }
                (Some(_), None) => return Ok(is_supertype_of_arrays(to)),
                (None, Some(_)) => return Ok(false),
                (Some(from_component), Some(to_component)) => {
                    match (reference(from_component), reference(to_component)) {
                        (Some(from_name), Some(to_name)) => (from, to) = (from_name, to_name),
                        _ => return Ok(from_component == to_component),
                    }
                }
            }
        }
    }
}

/// The name in a `Class` constant for this descriptor; `None` for a primitive type.
pub(crate) fn reference(descriptor: &str) -> Option<&str> {
    if descriptor.starts_with('[') {
        return Some(descriptor);
    }
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

impl Class {
    /// The classes whose `<clinit>` runs, in this order, when the class is initialised and nothing
    /// is yet (JVMS 5.5, steps 7 and 9): superclasses first, then the superinterfaces with default
    /// methods, then the class. Initialising an interface initialises no other interface.
    ///
    /// Classes without `<clinit>` are left out. Fields with a `ConstantValue` need no code.
    pub fn initialisation_chain(self: &Arc<Self>) -> Vec<Arc<Class>> {
        let mut chain = self.initialised_before().to_vec();
        if self.has_initialiser() {
            chain.push(Arc::clone(self));
        }
        chain
    }

    /// Whether initialising the class runs any code.
    pub fn needs_initialisation(self: &Arc<Self>) -> bool {
        self.has_initialiser() || !self.initialised_before().is_empty()
    }

    /// Whether the class itself has a class initialisation method (JVMS 2.9.2).
    pub fn has_initialiser(self: &Arc<Self>) -> bool {
        let method = self.method_named(MemberKey::new("<clinit>", "()V"));
        // Before Java 7, the method was found whatever its flags.
        method.is_some_and(|method| method.is_static() || self.file.major_version < 51)
    }

    fn initialised_before(self: &Arc<Self>) -> &[Arc<Class>] {
        self.initialised_before.get_or_init(|| {
            if self.is_interface() {
                return [].into();
            }
            let mut order = Vec::new();
            let lineage: Vec<_> = self.lineage().collect();
            for class in lineage.into_iter().rev() {
                order.extend(class.added_interfaces().iter().filter(|i| i.declares_default()));
                order.push(class);
            }
            let others = order.into_iter().filter(|class| !Arc::ptr_eq(class, self));
            others.filter(|class| class.has_initialiser()).cloned().collect()
        })
    }

    /// Whether an interface declares a non-abstract, non-static method.
    fn declares_default(&self) -> bool {
        let neither = flags::ABSTRACT | flags::STATIC;
        self.file.methods.iter().any(|method| method.access_flags & neither == 0)
    }
}
