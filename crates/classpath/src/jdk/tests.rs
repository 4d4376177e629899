use std::ffi::OsString;
use std::fs;

use super::*;
use crate::testing::ZipBuilder;

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn write_jar(path: &Path, class: &str) {
    write(path, &ZipBuilder::default().entry(&format!("{class}.class"), class.as_bytes()).finish());
}

/// A JDK 8 in `home`, as far as this crate is concerned.
fn make_jdk_8(home: &Path) {
    let lib = home.join("jre/lib");
    write_jar(&lib.join("rt.jar"), "java/lang/Object");
    write_jar(&lib.join("charsets.jar"), "sun/nio/cs/ext/Big5");
    write_jar(&lib.join("jce.jar"), "javax/crypto/Cipher");
    write_jar(&lib.join("ext/nashorn.jar"), "jdk/nashorn/A");
    write(&home.join("bin/java"), b"");
    write(&home.join("jre/bin/java"), b"");
}

/// A JDK with nothing but a module in `jmods`, whose classes are for the given version.
fn make_jmods_jdk(home: &Path, class_version: u8) {
    let object = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, class_version];
    let zip = ZipBuilder::default().entry("classes/java/lang/Object.class", &object).finish();
    write(&home.join("jmods/java.base.jmod"), &[b"JM\x01\0", zip.as_slice()].concat());
    write(&home.join("bin/java"), b"");
}

fn environment(java_home: Option<&Path>, path: &[&Path]) -> Environment {
    Environment {
        java_home: java_home.map(|home| home.as_os_str().to_owned()),
        path: Some(std::env::join_paths(path).unwrap()),
    }
}

#[test]
fn versions_are_read_from_strings() {
    for (text, expected) in [
        ("17.0.15", Some(17)),
        ("25", Some(25)),
        ("26-ea", Some(26)),
        ("1.8.0_392", Some(8)),
        ("9", Some(9)),
        ("", None),
        ("x17", None),
        ("99999999999", None),
    ] {
        assert_eq!(feature_of(text), expected, "{text}");
    }
}

#[test]
fn the_version_comes_from_the_release_file_or_else_from_the_classes() {
    let dir = tempfile::tempdir().unwrap();
    let version = || Jdk::open(dir.path()).unwrap().feature_version();
    make_jmods_jdk(dir.path(), 65);
    assert_eq!(version(), 21);
    write(&dir.path().join("release"), b"IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n");
    assert_eq!(version(), 17);
    write(&dir.path().join("release"), b"JAVA_VERSION=unknown\n");
    assert_eq!(version(), 21);

    make_jmods_jdk(dir.path(), 3);
    let error = Jdk::open(dir.path()).unwrap_err().to_string();
    assert!(error.contains("its version"), "{error}");
}

#[test]
fn a_jdk_8_has_its_classes_in_jars() {
    let dir = tempfile::tempdir().unwrap();
    make_jdk_8(dir.path());
    let jdk = Jdk::open(dir.path()).unwrap();
    assert_eq!((jdk.home(), jdk.feature_version()), (dir.path(), 8));
    assert_eq!(jdk.module_names().unwrap(), ["charsets", "jce", "nashorn", "rt"]);
    assert_eq!(jdk.class_names_of_module("rt").unwrap(), ["java/lang/Object"]);
    let names = ["java/lang/Object", "javax/crypto/Cipher", "jdk/nashorn/A", "sun/nio/cs/ext/Big5"];
    assert_eq!(jdk.class_names().unwrap(), names);
    for name in names {
        assert_eq!(jdk.find(name).unwrap().unwrap().bytes, name.as_bytes());
    }
    assert_eq!(jdk.find("java/lang/String").unwrap(), None);
    let error = jdk.class_names_of_module("java.base").unwrap_err().to_string();
    assert!(error.starts_with("JDK 8 in ") && error.contains("`java.base`"), "{error}");
    // A JRE 8 on its own.
    assert_eq!(Jdk::open(&dir.path().join("jre")).unwrap().feature_version(), 8);
}

#[test]
fn a_folder_that_is_not_a_jdk_is_named_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("lib/modules")).unwrap();
    let error = Jdk::open(dir.path()).unwrap_err().to_string();
    assert!(error.contains("has none of lib/modules"), "{error}");
    assert!(error.contains("pass --jdk DIR or set JAVA_HOME"), "{error}");
    let error = Jdk::open(&dir.path().join("gone")).unwrap_err().to_string();
    assert!(error.contains("gone is not a JDK: there is no such folder"), "{error}");
    // A damaged image is not passed over for something else.
    make_jmods_jdk(dir.path(), 65);
    fs::remove_dir(dir.path().join("lib/modules")).unwrap();
    fs::write(dir.path().join("lib/modules"), b"damaged").unwrap();
    let error = Jdk::open(dir.path()).unwrap_err().to_string();
    assert!(error.contains("modules is not a usable JDK image"), "{error}");
}

#[test]
fn an_explicit_jdk_comes_before_java_home_and_that_before_the_path() {
    let dir = tempfile::tempdir().unwrap();
    let [one, two, three] = ["one", "two", "three"].map(|name| dir.path().join(name));
    for (home, version) in [(&one, 61), (&two, 65), (&three, 69)] {
        make_jmods_jdk(home, version);
    }
    let bin = three.join("bin");
    let located = |explicit: Option<&Path>, java_home| {
        Jdk::locate_in(explicit, &environment(java_home, &[&bin])).map(|jdk| jdk.feature_version())
    };
    assert_eq!(located(Some(&one), Some(&two)).unwrap(), 17);
    assert_eq!(located(None, Some(&two)).unwrap(), 21);
    assert_eq!(located(None, Some(Path::new(""))).unwrap(), 25);
    assert_eq!(located(None, None).unwrap(), 25);
    // What is given explicitly is not passed over.
    assert!(located(Some(dir.path()), Some(&two)).is_err());
    let error = located(None, Some(dir.path())).unwrap_err().to_string();
    assert!(error.contains("to which JAVA_HOME is set, is not a JDK"), "{error}");
}

#[test]
fn without_any_jdk_the_message_says_what_was_tried() {
    let error = Jdk::locate_in(None, &Environment::default()).unwrap_err().to_string();
    assert!(error.contains("neither JAVA_HOME nor PATH is set"), "{error}");
    assert!(error.contains("pass --jdk DIR or set JAVA_HOME"), "{error}");

    let dir = tempfile::tempdir().unwrap();
    let empty = environment(None, &[dir.path()]);
    let error = Jdk::locate_in(None, &empty).unwrap_err().to_string();
    assert!(error.contains("there is no java on PATH"), "{error}");

    let java_home = Some(OsString::new());
    let error = Jdk::locate_in(None, &Environment { java_home, path: None }).unwrap_err();
    assert!(matches!(error, SourceError::NoJdk { .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn the_java_on_the_path_leads_to_its_jdk_through_links() {
    use std::os::unix::fs::symlink;

    let dir = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(dir.path()).unwrap();
    let (shims, bin, jdk) = (root.join("shims"), root.join("usr/bin"), root.join("jdk8"));
    make_jdk_8(&jdk);
    write(&shims.join("java"), b"a script");
    fs::create_dir_all(&bin).unwrap();
    for target in ["jdk8/bin/java", "jdk8/jre/bin/java"] {
        let _ = fs::remove_file(bin.join("java"));
        symlink(root.join(target), root.join("alternative")).unwrap();
        symlink(root.join("alternative"), bin.join("java")).unwrap();
        // The script of a version manager does not stop the search.
        let found = Jdk::locate_in(None, &environment(None, &[&shims, &bin])).unwrap();
        assert_eq!(found.home(), jdk, "{target}");
        fs::remove_file(root.join("alternative")).unwrap();
    }
    let error = Jdk::locate_in(None, &environment(None, &[&shims])).unwrap_err().to_string();
    assert!(error.contains("shims/java does not lie in a JDK"), "{error}");
}
