//! Any text is a literal of each type, or refused; what is read prints as something that reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use petrel_classfile::JavaType;
use petrel_value::{Heap, Literals, argument};

const TYPES: [&str; 12] = [
    "Z",
    "B",
    "S",
    "C",
    "I",
    "J",
    "F",
    "D",
    "Ljava/lang/String;",
    "Ljava/lang/Object;",
    "[[I",
    "[Ljava/lang/String;",
];

fuzz_target!(|text: &str| {
    for descriptor in TYPES {
        let Ok(java_type) = JavaType::parse(descriptor) else { continue };
        let mut heap = Heap::new();
        let Ok(value) = argument(text, &java_type, &mut heap) else { continue };
        let Some(printed) = heap.literal(value) else { continue };
        let mut again = Heap::new();
        let read = Literals::new(&printed).value(&java_type, &mut again);
        assert!(
            read.is_ok(),
            "{descriptor}: {text:?} prints as {printed:?}, which does not read back"
        );
    }
});
