//! Class files of stubs, for a JVM.

use std::path::Path;

use petrel_program::Program;
use petrel_translate::stub;
use petrel_value::{Heap, Object};

/// Writes the class files of the stubs in a heap into a folder that is on the JVM's class path.
///
/// # Panics
///
/// If a file cannot be written, or there is no such stub.
pub fn write_stubs(program: &Program, heap: &Heap, folder: &Path) {
    for object in &heap.objects {
        let Object::Built { class, .. } = object else { continue };
        let Some(of) = stub::stubbed(class) else { continue };
        let file = folder.join(format!("{class}.class"));
        if file.exists() {
            continue;
        }
        let bytes = stub::class_file(program, &of).expect("a stub that an input is can be made");
        std::fs::create_dir_all(file.parent().unwrap_or(folder)).expect("a folder for stubs");
        std::fs::write(&file, bytes).expect("the class file of a stub");
    }
}
