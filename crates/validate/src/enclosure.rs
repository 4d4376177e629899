//! What tests may do, and how it is seen what they may not.

use std::path::PathBuf;

use petrel_wall::{Allowance, Wall};

use crate::Options;

const MEGABYTE: u64 = 1 << 20;
/// The addresses that a JVM takes besides its heap: most of them for stacks of threads and pools of memory that it never
/// uses.
const OTHER_ADDRESSES: u64 = 4096 * MEGABYTE;
/// Tests that were derived write no files at all; this is for the logs of the JVM.
const FILE_SIZE: u64 = 32 * MEGABYTE;
/// A JVM has about twenty threads of its own, and more on machines with many cores.
const PROCESSES: u64 = 1024;
/// Limits of memory that is not in the heap.
const MEMORY_OPTIONS: [&str; 3] = [
    "-XX:MaxMetaspaceSize=256m",
    "-XX:CompressedClassSpaceSize=64m",
    "-XX:MaxDirectMemorySize=64m",
];

/// From these versions of Java on a JVM has a log, and tells there of native methods.
const HAS_LOG: u16 = 9;
const LOGS_NATIVES: u16 = 17;
/// The log, from the working directory of the JVM. It is opened for appending.
const LOG: &str = "../jvm.log";
/// Its name in the folder that the working directory is in.
pub(crate) const LOG_NAME: &str = "jvm.log";

/// The wall for a JVM with folders and a log of its own. What these are in stays as it is.
pub(crate) fn wall(options: &Options, writable: Vec<PathBuf>) -> Option<(Wall, Allowance)> {
    let allowance = Allowance {
        writable,
        address_space: u64::from(options.heap_megabytes) * MEGABYTE + OTHER_ADDRESSES,
        file_size: FILE_SIZE,
        processes: PROCESSES,
    };
    options.wall.clone().map(|wall| (wall, allowance))
}

/// What the JVM is told for it.
pub(crate) fn jvm_options(options: &Options) -> impl Iterator<Item = String> {
    let mut told: Vec<String> = MEMORY_OPTIONS.map(str::to_owned).into();
    if options.wall.is_some() {
        let has_log = options.feature_version >= HAS_LOG;
        told.push(format!("-Dpetrel.validate.sandbox={}", if has_log { LOG } else { "" }));
        if has_log {
            let natives =
                if options.feature_version >= LOGS_NATIVES { ",jni+resolve=debug" } else { "" };
            told.push(format!("-Xlog:exceptions=info{natives}:file={LOG}:none:filecount=0"));
        }
    }
    told.into_iter()
}
