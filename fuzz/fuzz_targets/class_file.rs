//! Any bytes are either a class file or an error, never a panic, and neither is anything in them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use petrel_classfile::ClassFile;
use petrel_filetests::world;

fuzz_target!(|data: &[u8]| {
    if let Ok(class) = ClassFile::parse(data) {
        world::read(&class);
    }
});
