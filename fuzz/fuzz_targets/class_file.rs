//! Any bytes are either a class file or an error, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use petrel_classfile::ClassFile;

fuzz_target!(|data: &[u8]| {
    let _ = ClassFile::parse(data);
});
