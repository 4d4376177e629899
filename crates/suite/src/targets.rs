//! Which methods are tested.

use std::sync::Arc;

use petrel_classfile::flags;
use petrel_program::{Class, Program, ResolvedMethod};

/// Whose methods are tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Visibility {
    /// Public ones.
    Public,
    /// All that code of the same package can call.
    #[default]
    Package,
    /// Private ones, too.
    All,
}

/// A class with the methods that are to be tested.
#[derive(Debug, Clone)]
pub struct ClassTarget {
    /// The class.
    pub class: Arc<Class>,
    /// Its methods, in the order of the class file.
    pub methods: Vec<ResolvedMethod>,
}

/// The methods of a class that are tested. Code that compilers add is not.
pub fn targets_of(program: &Program, class: &Arc<Class>, visibility: Visibility) -> ClassTarget {
    let package = class.package();
    let has_tests = !class.file.has_flags(flags::SYNTHETIC)
        && (program.is_nameable(class, package) || visibility == Visibility::All)
        && (visibility != Visibility::Public || is_public(program, class));
    let is_enum = class.super_class().is_some_and(|above| above.name() == "java/lang/Enum");
    let is_wanted = |method: &ResolvedMethod| {
        let is_added = method.has_flags(flags::SYNTHETIC)
            || method.has_flags(flags::BRIDGE)
            || method.name() == "<clinit>"
            || is_enum && is_of_every_enum(method);
        let is_visible = match visibility {
            Visibility::Public => method.has_flags(flags::PUBLIC),
            Visibility::Package => !method.is_private(),
            Visibility::All => true,
        };
        // An abstract class has no objects of its own: its constructors run in those of others.
        let has_objects = !(method.is_constructor() && (class.is_abstract() || is_enum));
        has_tests
            && !is_added
            && is_visible
            && has_objects
            && !method.is_abstract()
            && !method.is_native()
    };
    ClassTarget { class: Arc::clone(class), methods: class.methods().filter(is_wanted).collect() }
}

fn is_public(program: &Program, class: &Arc<Class>) -> bool {
    // Code of another package can name it.
    program.is_nameable(class, "petrel/elsewhere")
}

fn is_of_every_enum(method: &ResolvedMethod) -> bool {
    method.is_static()
        && matches!(
            (method.name(), method.descriptor().starts_with("(Ljava/lang/String;)")),
            ("values", false) | ("valueOf", true)
        )
}
