//! Reads the JDKs that are installed on this machine, and images linked with them.
//!
//! The JDKs are the one that discovery finds and its neighbours in the same folder.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use petrel_checks::Part;
use petrel_classpath::{ClassSource, JImage, Jdk, Jmods};

const CLASS_MAGIC: [u8; 4] = [0xCA, 0xFE, 0xBA, 0xBE];

/// Ways of `jlink` to compress: shared strings, and zip. The small checks try the first.
const COMPRESSED: [&str; 2] = ["1", "2"];
const PART: Part = Part::one_of(2, 1);

fn in_use() -> Jdk {
    Jdk::locate(None).unwrap_or_else(|error| panic!("{error}; `make setup` installs a JDK"))
}

/// All JDKs that can be found, each once.
fn installed() -> Vec<Jdk> {
    let first = in_use();
    let mut homes: Vec<PathBuf> = std::fs::read_dir(first.home().parent().unwrap())
        .unwrap()
        .filter_map(|entry| entry.unwrap().path().canonicalize().ok())
        .collect();
    homes.sort();
    homes.dedup();
    homes.iter().filter_map(|home| Jdk::open(home).ok()).collect()
}

/// The JDKs that have a folder of jmods and the means to link images from it.
fn installed_with_jmods() -> impl Iterator<Item = Jdk> {
    installed().into_iter().filter(|jdk| {
        jdk.home().join("jmods/java.base.jmod").is_file() && jdk.home().join("bin/jlink").is_file()
    })
}

#[test]
fn every_class_that_is_listed_is_found() {
    for jdk in installed() {
        let names = jdk.class_names().unwrap();
        assert!(names.len() > 10_000, "{} has {} classes", jdk.describe(), names.len());
        assert!(names.is_sorted());
        for name in &names {
            let class = jdk.find(name).unwrap().unwrap_or_else(|| panic!("{name} is not found"));
            assert!(class.bytes.starts_with(&CLASS_MAGIC), "{}", class.origin);
            assert!(class.origin.ends_with(&format!("/{name}.class")), "{}", class.origin);
        }
    }
}

#[test]
fn modules_partition_the_classes() {
    for jdk in installed().into_iter().filter(|jdk| jdk.feature_version() > 8) {
        let modules = jdk.module_names().unwrap();
        assert!(modules.iter().any(|module| module == "java.base"), "{modules:?}");
        let mut all = Vec::new();
        for module in &modules {
            all.append(&mut jdk.class_names_of_module(module).unwrap());
        }
        all.sort();
        assert_eq!(all, jdk.class_names().unwrap(), "{}", jdk.describe());

        let base = jdk.class_names_of_module("java.base").unwrap();
        assert!(base.len() > 5_000 && base.is_sorted());
        assert!(base.binary_search(&"java/lang/String".to_owned()).is_ok());
        assert!(jdk.class_names_of_module("no.such.module").is_err());
    }
}

#[test]
fn the_image_and_the_jmods_have_the_same_classes() {
    for jdk in installed_with_jmods() {
        let jmods = Jmods::open(&jdk.home().join("jmods")).unwrap();
        assert_eq!(jmods.module_names(), jdk.module_names().unwrap());
        for name in ["java/lang/String", "java/util/HashMap$Node"] {
            let (image, jmod) = (jdk.find(name).unwrap(), jmods.find(name).unwrap());
            assert_eq!(image.unwrap().bytes, jmod.unwrap().bytes, "{name}");
        }
        // Linking replaces a few classes and adds others, all of them internal.
        for name in jmods.class_names().unwrap() {
            let (image, jmod) = (jdk.find(&name).unwrap(), jmods.find(&name).unwrap());
            let is_same = image.unwrap().bytes == jmod.unwrap().bytes;
            let is_generated = name.starts_with("java/lang/invoke/")
                || name.starts_with("jdk/internal/")
                || name.starts_with("sun/util/");
            assert!(is_same || is_generated, "{name}");
        }
    }
}

#[test]
fn threads_share_an_image() {
    let jdk = in_use();
    let names = jdk.class_names().unwrap();
    let total = |part: &[String]| -> usize {
        part.iter().map(|name| jdk.find(name).unwrap().unwrap().bytes.len()).sum()
    };
    let expected = total(&names[..2000]);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| total(&names[..2000]))).collect();
        threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), expected));
    });
}

/// Links an image of `java.base` alone and gives its path, or `None` if this JDK's `jlink` does
/// not know this way to compress.
fn link(jdk: &Jdk, folder: &Path, compress: &str) -> Option<PathBuf> {
    let output = folder.join(compress);
    let status = Command::new(jdk.home().join("bin/jlink"))
        .args(["--add-modules", "java.base", &format!("--compress={compress}"), "--output"])
        .arg(&output)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    status.success().then(|| output.join("lib/modules"))
}

#[test]
fn images_that_jlink_compressed_have_the_same_classes() {
    for jdk in installed_with_jmods() {
        let dir = tempfile::tempdir().unwrap();
        let Some(plain_file) = link(&jdk, dir.path(), "0") else {
            continue;
        };
        let plain = JImage::open(&plain_file).unwrap();
        let names = plain.class_names().unwrap();
        assert!(names.len() > 5_000);
        for compress in PART.of(COMPRESSED.into(), "ways to compress an image") {
            let file = link(&jdk, dir.path(), compress).unwrap();
            let (size, plain_size) =
                [&file, &plain_file].map(|f| f.metadata().unwrap().len()).into();
            assert!(size < plain_size, "{size} is not less than {plain_size}");
            let image = JImage::open(&file).unwrap();
            assert_eq!(image.class_names().unwrap(), names);
            for name in &names {
                let (restored, original) = (image.find(name).unwrap(), plain.find(name).unwrap());
                assert_eq!(restored.unwrap().bytes, original.unwrap().bytes, "{name}");
            }
            damage_index(&file, &names);
        }
    }
}

/// Flips bits in the index of a real image; nothing may panic.
fn damage_index(file: &Path, names: &[String]) {
    let original = std::fs::read(file).unwrap();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % bound
    };
    for _ in 0..30 {
        let mut bytes = original.clone();
        for _ in 0..2000 {
            // The index of an image with java.base alone has more than 500 kB.
            bytes[28 + random(500_000)] ^= 1 << random(8);
        }
        let image = JImage::from_bytes("damaged", bytes.into()).unwrap();
        let _ = image.class_names();
        for name in names.iter().step_by(20) {
            let _ = image.find(name);
        }
    }
}
