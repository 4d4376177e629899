//! The project's classes, and the classes that unknown objects can have, with a real JDK and real
//! compilers.

use std::fs;
use std::path::Path;

use petrel_program::{Candidates, Hints, ResolvedMethod};
use petrel_session::Session;

/// A topic of the folder that `make fixtures` builds.
fn fixtures(topic: &str) -> Session {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("build/fixtures").join(topic);
    Session::open(folder.as_os_str(), None).expect("run: make setup fixtures")
}

fn method(session: &Session, class: &str, name: &str) -> ResolvedMethod {
    let class = session.program().class(class).expect("the class is in the fixtures");
    class.methods().find(|method| method.name() == name).expect("the class has the method")
}

#[track_caller]
fn check(session: &Session, declared: &str, hints: &Hints, expected: &[&str], is_complete: bool) {
    let found = session.program().candidates(declared, hints, expected.len());
    let classes = expected.iter().map(|&name| name.into()).collect();
    assert_eq!(found, Candidates { classes, is_complete }, "{declared}");
}

#[test]
fn a_class_of_the_jdk_is_no_class_of_the_project() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("project_classes");
    for class in ["java/lang/String", "java/lang/OfNoJdk", "p/B", "p/A"] {
        let file = folder.join(class).with_extension("class");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "of the class path").unwrap();
    }
    let session = Session::open(folder.as_os_str(), None).expect("run: make setup");
    let names = session.program().project_classes().unwrap();
    let names: Vec<_> = names.iter().map(|name| &**name).collect();
    assert_eq!(names, ["java/lang/OfNoJdk", "p/A", "p/B"]);
}

#[test]
fn candidates_come_from_the_class_path() {
    let session = fixtures("types");
    let none = Hints::default();
    let mallard = "TypeTests$Mallard";
    check(&session, "TypeTests$Swims", &none, &["TypeTests$Duck", "TypeTests$Fish", mallard], true);
    check(&session, "TypeTests$Flies", &none, &["TypeTests$Duck", mallard], true);
    check(&session, mallard, &none, &[mallard], true);
    assert!(session.program().is_leaf(mallard));
    assert!(!session.program().is_leaf("TypeTests$Duck"));
    check(&session, "java/lang/Number", &none, &["java/lang/Integer"], false);
    check(&session, "java/util/List", &none, &[], false);
}

#[test]
fn an_enum_and_its_constants_with_bodies_are_one_candidate() {
    let session = fixtures("language");
    let operation = "Enums$Operation";
    check(&session, operation, &Hints::default(), &[operation], true);
    assert!(!session.program().is_leaf(operation));
    assert!(session.program().is_leaf("Enums$Colour"));
}

#[test]
fn the_code_tells_which_types_to_try_first() {
    let session = fixtures("language");
    let hints = Hints::of(&method(&session, "PatternSwitches", "area"));
    let types = ["PatternSwitches$Circle", "PatternSwitches$Square", "PatternSwitches$Group"];
    check(&session, "PatternSwitches$Shape", &hints, &types, true);
    check(&session, "java/lang/Object", &hints, &types, false);
}
