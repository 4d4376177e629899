//! Any class file is loaded and translated, beside the classes of the JDK in use, or refused: no
//! panic, and no rules that are not valid.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use petrel_filetests::world::{self, Platform};

static PLATFORM: LazyLock<Arc<Platform>> = LazyLock::new(|| Arc::new(Platform::new(world::jdk())));

fuzz_target!(|data: &[u8]| {
    world::exercise(&PLATFORM, data);
});
