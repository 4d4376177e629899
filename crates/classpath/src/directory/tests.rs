use super::*;

fn sample() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for file in [
        "Top.class",
        "module-info.class",
        "p/A.class",
        "p/package-info.class",
        "p/q/B$1.class",
        "p/q/notes.txt",
        "META-INF/versions/9/p/A.class",
        "not.a.package/C.class",
        "p/.class",
    ] {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    dir
}

#[test]
fn classes_are_found_by_their_path() {
    let dir = sample();
    let directory = Directory::open(dir.path()).unwrap();
    assert_eq!(directory.class_names().unwrap(), ["Top", "p/A", "p/q/B$1"]);
    let found = directory.find("p/q/B$1").unwrap().unwrap();
    assert_eq!(found.bytes, b"p/q/B$1.class");
    assert_eq!(found.origin, dir.path().join("p/q/B$1.class").display().to_string());
    assert!(directory.find("Top").unwrap().is_some());
    for missing in ["p/B", "P/A", "p/a", "r/A", "p/q/r/s/A", "p/q/notes.txt/A", "q/B$1"] {
        assert_eq!(directory.find(missing).unwrap(), None, "{missing}");
    }
    assert_eq!(directory.describe(), format!("directory {}", dir.path().display()));
}

#[test]
fn lookups_do_not_leave_the_root() {
    let dir = sample();
    let directory = Directory::open(&dir.path().join("p/q")).unwrap();
    for name in ["../A", "..", "x/../../A", "/p/A", "./B$1", "", "a//b", "..\\A", "A\0"] {
        let error = directory.find(name).unwrap_err();
        assert!(matches!(error, SourceError::InvalidName { .. }), "{name:?}: {error}");
    }
    let absolute = dir.path().join("Top").display().to_string();
    assert!(directory.find(&absolute).is_err());
}

#[test]
fn a_name_of_a_million_packages_is_just_not_found() {
    let dir = sample();
    let directory = Directory::open(dir.path()).unwrap();
    let name = format!("{}A", "p/q/".repeat(500_000));
    assert_eq!(directory.find(&name).unwrap(), None);
}

#[test]
fn a_directory_in_place_of_a_file_is_an_error() {
    let dir = sample();
    fs::create_dir(dir.path().join("p/D.class")).unwrap();
    let directory = Directory::open(dir.path()).unwrap();
    let error = directory.find("p/D").unwrap_err().to_string();
    assert!(error.ends_with("D.class is not a regular file"), "{error}");
    assert_eq!(directory.class_names().unwrap().len(), 3);
    // And the other way round.
    assert!(Directory::open(&dir.path().join("Top.class")).is_err());
    assert!(Directory::open(&dir.path().join("nothing")).is_err());
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let dir = sample();
    let file = File::create(dir.path().join("Huge.class")).unwrap();
    // A sparse file: it takes no space on disk.
    file.set_len(MAX_CLASS_BYTES + 1).unwrap();
    let error = Directory::open(dir.path()).unwrap().find("Huge").unwrap_err();
    assert!(matches!(error, SourceError::TooLarge { .. }), "{error}");
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed() {
        let (dir, elsewhere) = (sample(), sample());
        symlink(elsewhere.path().join("p"), dir.path().join("linked")).unwrap();
        symlink("A.class", dir.path().join("p/Same.class")).unwrap();
        symlink("nothing", dir.path().join("p/Gone.class")).unwrap();
        let directory = Directory::open(dir.path()).unwrap();
        assert_eq!(
            directory.class_names().unwrap(),
            ["Top", "linked/A", "linked/q/B$1", "p/A", "p/Same", "p/q/B$1"]
        );
        assert_eq!(directory.find("p/Same").unwrap().unwrap().bytes, b"p/A.class");
        assert_eq!(directory.find("p/Gone").unwrap(), None);
    }

    #[test]
    fn loops_of_links_end_in_an_error() {
        let message = |dir: &tempfile::TempDir| {
            let directory = Directory::open(dir.path()).unwrap();
            assert!(directory.find("p/A").unwrap().is_some());
            directory.class_names().unwrap_err().to_string()
        };
        let up = sample();
        symlink("..", up.path().join("p/up")).unwrap();
        assert!(message(&up).contains("p/up: a symbolic link leads back"), "{}", message(&up));

        // The link leads above the root, from where an ordinary directory leads back.
        let above = sample();
        symlink("../..", above.path().join("p/q/above")).unwrap();
        let directory = Directory::open(&above.path().join("p")).unwrap();
        let error = directory.class_names().unwrap_err().to_string();
        assert!(error.contains("p/q/above/p: a symbolic link leads back"), "{error}");

        let (one, two) = (sample(), sample());
        symlink(two.path(), one.path().join("two")).unwrap();
        symlink(one.path(), two.path().join("one")).unwrap();
        assert!(message(&one).contains("two/one"), "{}", message(&one));
    }

    #[test]
    fn a_tree_that_links_blow_up_is_given_up() {
        let dir = sample();
        // Each level has two ways to the next, without any loop.
        for level in 0..10 {
            let folder = dir.path().join(format!("level{level}"));
            fs::create_dir(&folder).unwrap();
            for way in ["left", "right"] {
                symlink(format!("../level{}", level + 1), folder.join(way)).unwrap();
            }
        }
        let directory = Directory::open(dir.path()).unwrap();
        assert_eq!(directory.list_classes(3000).unwrap().len(), 3);
        let error = directory.list_classes(1000).unwrap_err().to_string();
        assert!(error.contains("more than 1000 directories"), "{error}");
    }

    #[test]
    fn a_link_to_itself_is_no_class() {
        let dir = sample();
        symlink("Self.class", dir.path().join("Self.class")).unwrap();
        symlink("self", dir.path().join("self")).unwrap();
        let directory = Directory::open(dir.path()).unwrap();
        assert!(directory.find("Self").is_err());
        assert_eq!(directory.find("self/A").unwrap(), None);
        assert_eq!(directory.class_names().unwrap().len(), 3);
    }
}
