//! Any bytes are either a jar or an error, never a panic, and neither is any class in them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use petrel_classpath::{ClassSource, Jar};

fuzz_target!(|data: &[u8]| {
    for feature_version in [8, 17] {
        let Ok(jar) = Jar::from_bytes("fuzz", data.into(), feature_version) else {
            return;
        };
        // More than a few tell nothing new.
        for name in jar.class_names().unwrap_or_default().iter().take(100) {
            let _ = jar.find(name);
        }
    }
});
