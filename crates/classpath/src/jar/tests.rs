use super::*;
use crate::MAX_CLASS_BYTES;
use crate::testing::{Random, ZipBuilder, ZipEntry};

fn open(zip: &ZipBuilder, feature_version: u16) -> Result<Jar, SourceError> {
    Jar::from_bytes("test.jar", zip.finish().into(), feature_version)
}

/// The message with which opening the jar, or else finding `p/A` in it, fails.
fn failure(zip: &ZipBuilder) -> String {
    match open(zip, 17) {
        Err(error) => error.to_string(),
        Ok(jar) => jar.find("p/A").unwrap_err().to_string(),
    }
}

fn text_of(jar: &Jar, name: &str) -> String {
    String::from_utf8(jar.find(name).unwrap().unwrap().bytes).unwrap()
}

#[test]
fn classes_are_found_whether_stored_or_deflated() {
    let zip = ZipBuilder::default()
        .entry("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n")
        .with(ZipEntry::stored("p/A.class", b"stored"))
        .with(ZipEntry::deflated("p/B.class", &b"deflated".repeat(10_000)))
        .entry("p/", b"")
        .entry("p/notes.txt", b"not a class")
        .entry("p/package-info.class", b"i")
        .entry("module-info.class", b"m")
        .entry("Top.class", b"");
    let jar = open(&zip, 17).unwrap();
    assert_eq!(jar.class_names().unwrap(), ["Top", "p/A", "p/B"]);
    let found = jar.find("p/A").unwrap().unwrap();
    assert_eq!(
        (found.bytes.as_slice(), found.origin.as_str()),
        (&b"stored"[..], "test.jar!/p/A.class")
    );
    assert_eq!(text_of(&jar, "p/B"), "deflated".repeat(10_000));
    assert_eq!(text_of(&jar, "Top"), "");
    assert_eq!(jar.find("p/C").unwrap(), None);
    assert_eq!(jar.find("p/notes.txt").unwrap(), None);
    assert_eq!(jar.describe(), "jar test.jar");
}

#[test]
fn a_jar_may_follow_other_data() {
    // Executable jars begin with a shell script.
    let zip = ZipBuilder::default().entry("p/A.class", b"a").finish();
    let bytes = [b"#!/bin/sh\nexec java -jar \"$0\"\n", zip.as_slice()].concat();
    let jar = Jar::from_bytes("run.jar", bytes.into(), 17).unwrap();
    assert_eq!(text_of(&jar, "p/A"), "a");
}

fn multi_release(manifest: &str) -> ZipBuilder {
    let mut zip = ZipBuilder::default().entry("META-INF/manifest.mf", manifest.as_bytes());
    for (name, content) in [
        ("p/A.class", "base"),
        ("META-INF/versions/8/p/A.class", "8"),
        ("META-INF/versions/9/p/A.class", "9"),
        ("META-INF/versions/17/p/A.class", "17"),
        ("META-INF/versions/11/p/A.class", "11"),
        ("META-INF/versions/11/p/New.class", "new in 11"),
        ("META-INF/versions/+9/p/Sign.class", "sign"),
        ("META-INF/versions/99999/p/Far.class", "far"),
        ("META-INF/versions/9/META-INF/p/Meta.class", "meta"),
    ] {
        zip = zip.entry(name, content.as_bytes());
    }
    zip
}

#[test]
fn a_multi_release_jar_gives_the_highest_version_that_is_not_too_new() {
    let zip = multi_release("Manifest-Version: 1.0\r\nmulti-RELEASE: True\r\n\r\n");
    for (feature_version, expected) in
        [(8, "base"), (9, "9"), (10, "9"), (11, "11"), (16, "11"), (17, "17"), (25, "17")]
    {
        let jar = open(&zip, feature_version).unwrap();
        assert_eq!(text_of(&jar, "p/A"), expected, "Java {feature_version}");
        let expected: &[_] = if feature_version >= 11 { &["p/A", "p/New"] } else { &["p/A"] };
        assert_eq!(jar.class_names().unwrap(), expected, "Java {feature_version}");
    }
    let origin = open(&zip, 11).unwrap().find("p/A").unwrap().unwrap().origin;
    assert_eq!(origin, "test.jar!/META-INF/versions/11/p/A.class");
}

#[test]
fn without_the_manifest_saying_so_a_jar_has_no_versions() {
    for manifest in [
        "",
        "Manifest-Version: 1.0\n",
        "Multi-Release: false\n",
        "Multi-Release: true \n",
        // Not the main section.
        "Manifest-Version: 1.0\n\nName: p/A.class\nMulti-Release: true\n",
    ] {
        let jar = open(&multi_release(manifest), 25).unwrap();
        assert_eq!(text_of(&jar, "p/A"), "base", "{manifest:?}");
    }
    // A line may be broken after 72 bytes or anywhere else.
    let jar = open(&multi_release("A: b\rMulti-Rel\r ease: true\r"), 25).unwrap();
    assert_eq!(text_of(&jar, "p/A"), "17");
}

#[test]
fn class_files_with_unsafe_names_make_a_jar_unusable() {
    for name in ["../p/A.class", "/p/A.class", "p/../A.class", "p//A.class", "p\\A.class", ".class"]
    {
        let zip = ZipBuilder::default().entry("p/A.class", b"a").entry(name, b"x");
        let message = failure(&zip);
        assert!(message.starts_with("test.jar!/") && message.contains("unsafe"), "{message}");
    }
    let mut entry = ZipEntry::stored("p/A.class", b"a");
    entry.name = b"p/\xFF.class".to_vec();
    assert!(failure(&ZipBuilder::default().with(entry)).contains("not UTF-8"));
    // Other entries are never used, so their names do not matter.
    let zip = ZipBuilder::default().entry("p/A.class", b"a").entry("../evil.sh", b"x");
    assert_eq!(text_of(&open(&zip, 17).unwrap(), "p/A"), "a");
}

#[test]
fn a_class_that_is_there_twice_is_not_chosen_at_random() {
    let zip = ZipBuilder::default()
        .entry("p/A.class", b"one")
        .entry("p/B.class", b"b")
        .entry("LICENSE", b"one")
        .entry("p/A.class", b"two")
        .entry("LICENSE", b"two");
    let message = failure(&zip);
    assert_eq!(message, "test.jar!/p/A.class: the archive has several entries of this name");
    let jar = open(&zip, 17).unwrap();
    assert_eq!(text_of(&jar, "p/B"), "b");
    assert_eq!(jar.class_names().unwrap(), ["p/A", "p/B"]);
}

#[test]
fn damaged_and_unsupported_entries_are_named() {
    let good = ZipEntry::deflated("p/A.class", b"some content");
    let stored = ZipEntry::stored("p/A.class", b"some content");
    for (entry, expected) in [
        (ZipEntry { crc: 1, ..good.clone() }, "checksum"),
        (ZipEntry { crc: 1, ..stored.clone() }, "checksum"),
        (ZipEntry { flags: 1, ..good.clone() }, "encrypted"),
        (ZipEntry { method: 99, ..good.clone() }, ""),
        (ZipEntry { method: 12, ..good.clone() }, "ompression method"),
        (ZipEntry { size: 5, ..good.clone() }, "larger than its declared"),
        (ZipEntry { size: 500, ..good.clone() }, "12 bytes but declares 500"),
        (ZipEntry { size: u32::MAX - 1, ..good.clone() }, "larger than the limit"),
        (ZipEntry { compressed_size: 3, ..good.clone() }, ""),
        (ZipEntry { compressed_size: u32::MAX - 1, ..stored.clone() }, ""),
        (ZipEntry { data: b"\xFF\xFF\xFF".to_vec(), ..good.clone() }, ""),
    ] {
        let message = failure(&ZipBuilder::default().with(entry.clone()));
        assert!(message.starts_with("test.jar!/p/A.class"), "{message} for {entry:?}");
        assert!(message.contains(expected), "{message} for {entry:?}");
    }
}

#[test]
fn a_zip_bomb_is_stopped_at_the_limit() {
    let content = vec![0; MAX_CLASS_BYTES as usize + 1];
    let bomb = ZipEntry::deflated("p/A.class", &content);
    assert!(bomb.data.len() < 100_000);
    // Honest about its size, and not.
    let message = failure(&ZipBuilder::default().with(bomb.clone()));
    assert!(message.contains("larger than the limit"), "{message}");
    let message = failure(&ZipBuilder::default().with(ZipEntry { size: 100, ..bomb }));
    assert!(message.contains("larger than its declared"), "{message}");
}

#[test]
fn files_that_are_not_zip_files_are_named() {
    let zip = ZipBuilder::default().entry("p/A.class", b"a").finish();
    for bytes in [&b""[..], b"PK", b"hello, world", &zip[..zip.len() - 5]] {
        let error = Jar::from_bytes("bad.jar", bytes.into(), 17).unwrap_err().to_string();
        assert!(error.starts_with("bad.jar is not a usable jar: "), "{error}");
    }
    // A directory that claims to be elsewhere.
    let mut lying = zip.clone();
    let at = lying.len() - 6;
    lying[at..at + 4].copy_from_slice(&0xFFFF_FFF0u32.to_le_bytes());
    assert!(Jar::from_bytes("bad.jar", lying.into(), 17).is_err());
    // A directory where the file should be.
    let dir = tempfile::tempdir().unwrap();
    let error = Jar::open(dir.path(), 17).unwrap_err();
    assert!(matches!(error, SourceError::NotAFile { .. }), "{error}");
}

#[test]
fn threads_share_a_jar() {
    let mut zip = ZipBuilder::default();
    for i in 0..200 {
        zip = zip.entry(&format!("p/C{i}.class"), format!("{i} ").repeat(i).as_bytes());
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("many.jar");
    std::fs::write(&path, zip.finish()).unwrap();
    let jar = Jar::open(&path, 17).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for i in 0..200 {
                    assert_eq!(text_of(&jar, &format!("p/C{i}")), format!("{i} ").repeat(i));
                }
            });
        }
    });
}

#[test]
fn no_damage_to_a_jar_makes_it_panic() {
    let zip = multi_release("Multi-Release: true\n")
        .with(ZipEntry::stored("q/S.class", b"stored"))
        .entry("q/D.class", &b"deflated".repeat(20))
        .finish();
    let mut random = Random::new(1);
    let mut readable = 0;
    for _ in 0..20_000 {
        let mut bytes = zip.clone();
        random.damage(&mut bytes);
        if let Ok(jar) = Jar::from_bytes("damaged.jar", bytes.into(), 17) {
            for name in jar.class_names().unwrap() {
                readable += usize::from(jar.find(&name).is_ok());
            }
        }
    }
    assert!(readable > 1000, "the damage is too heavy to be of interest: {readable}");
}
