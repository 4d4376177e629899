//! The methods of a folder of classes.

use petrel_classfile::flags;
use petrel_program::{Program, ResolvedMethod};

/// A method under test.
pub type Target = ResolvedMethod;

/// The methods of the project that have code that somebody wrote, in the order of names and class files.
///
/// # Panics
///
/// If a class of the project cannot be loaded.
pub fn targets(program: &Program) -> Vec<Target> {
    let names = program.project_classes().unwrap_or_else(|error| panic!("{error}"));
    let mut methods = Vec::new();
    for name in names {
        let class = program.class(name).unwrap_or_else(|error| panic!("{error}"));
        methods.extend(class.methods().filter(|method| {
            method.name() != "<clinit>"
                && !method.has_flags(flags::SYNTHETIC)
                && !method.is_native()
                && !method.is_abstract()
        }));
    }
    methods
}
