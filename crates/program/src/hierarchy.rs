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

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn assignability_follows_classes_interfaces_and_components() {
        let program = program([
            interface("a/I"),
            interface("a/J").implements(&["a/I"]),
            class("a/A").implements(&["a/J"]),
            class("a/B").extends("a/A"),
        ]);
        for (from, to, expected) in [
            ("a/B", "a/B", true),
            ("a/B", "a/A", true),
            ("a/A", "a/B", false),
            ("a/B", "a/I", true),
            ("a/J", "a/I", true),
            ("a/I", "a/J", false),
            ("a/I", "java/lang/Object", true),
            ("java/lang/Object", "a/I", false),
            ("[I", "java/lang/Object", true),
            ("[I", "java/lang/Cloneable", true),
            ("[I", "java/io/Serializable", true),
            ("[I", "a/I", false),
            ("a/A", "[La/A;", false),
            ("[I", "[I", true),
            ("[I", "[J", false),
            ("[I", "[La/I;", false),
            ("[La/B;", "[La/I;", true),
            ("[La/I;", "[La/B;", false),
            ("[[La/B;", "[[La/A;", true),
            ("[[La/B;", "[Ljava/lang/Object;", true),
            ("[[I", "[Ljava/lang/Cloneable;", true),
            ("[[I", "[[J", false),
            ("[I", "[Ljava/lang/Object;", false),
            ("[Ljava/lang/Object;", "[[I", false),
        ] {
            assert_eq!(program.is_assignable(from, to), Ok(expected), "{from} to {to}");
        }
    }

    #[test]
    fn a_missing_class_is_assignable_to_itself_and_an_error_elsewhere() {
        let program = program([class("a/A")]);
        assert_eq!(program.is_assignable("a/Gone", "a/Gone"), Ok(true));
        let error = program.is_assignable("[La/A;", "[La/Gone;");
        assert_eq!(shown(error), "class a/Gone was not found");
    }

    fn chain(program: &crate::Program, name: &str) -> Vec<String> {
        let class = program.get(name);
        let chain = class.initialisation_chain();
        assert_eq!(class.needs_initialisation(), !chain.is_empty());
        chain.iter().map(|class| class.name().to_owned()).collect()
    }

    #[test]
    fn superclasses_are_initialised_first_and_then_interfaces_with_defaults() {
        let default = |name| interface(name).method(PUBLIC, "d", "()V").initialiser();
        let program = program([
            default("Top"),
            default("Left").implements(&["Top"]),
            default("Right").implements(&["Top"]),
            interface("Plain")
                .implements(&["Right"])
                .method(PUBLIC | ABSTRACT, "p", "()V")
                .initialiser(),
            class("Base").implements(&["Right"]).initialiser(),
            class("Middle").extends("Base"),
            class("C").extends("Middle").implements(&["Plain", "Left"]).initialiser(),
            class("D").implements(&["Left", "Plain"]),
        ]);
        assert_eq!(chain(&program, "C"), ["Top", "Right", "Base", "Left", "C"]);
        assert_eq!(chain(&program, "D"), ["Top", "Left", "Right"]);
        assert_eq!(chain(&program, "Middle"), ["Top", "Right", "Base"]);
        assert_eq!(chain(&program, "Plain"), ["Plain"]);
        assert_eq!(chain(&program, "java/lang/String"), [""; 0]);
    }

    #[test]
    fn private_instance_methods_of_an_interface_count_as_defaults_and_static_ones_do_not() {
        let program = program([
            interface("Private").method(PRIVATE, "m", "()V").initialiser(),
            interface("Static").method(PUBLIC | STATIC, "m", "()V").initialiser(),
            class("C").implements(&["Static", "Private"]),
        ]);
        assert_eq!(chain(&program, "C"), ["Private"]);
    }

    #[test]
    fn an_initialiser_is_static_since_java_7() {
        let class = |name, version| class(name).version(version).method(0, "<clinit>", "()V");
        let program = program([class("Old", 50), class("New", 51)]);
        assert_eq!(chain(&program, "Old"), ["Old"]);
        assert_eq!(chain(&program, "New"), [""; 0]);
    }
}
