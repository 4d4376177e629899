//! Any bytes are either the image of a JDK or an error, never a panic, and neither is any class in
//! them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use petrel_classpath::{ClassSource, JImage};

fuzz_target!(|data: &[u8]| {
    let Ok(image) = JImage::from_bytes("fuzz", data.into()) else {
        return;
    };
    let _ = image.module_names();
    let _ = image.class_names_of_module("java.base");
    let _ = image.find("java/lang/Object");
    // More than a few tell nothing new.
    for name in image.class_names().unwrap_or_default().iter().take(100) {
        let _ = image.find(name);
    }
});
