//! `petrel generate` on classes that want to do harm, or that no Java compiler wrote: each ends with an account and exit
//! status 0 or 1, none with a crash, and none keeps the others from being tested.
//!
//! Sources in `java` are compiled here and not with the fixtures, since no other test should ever call them.
//! `TARGET=Floods` in the environment looks only at tests of targets with that in their names.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

mod assembled;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use petrel_checks::{Amount, sample};
use petrel_filetests::generated::account::{Account, ClassAccount};
use petrel_filetests::generated::binary::{self, Ended};
use petrel_filetests::generated::suite::compiled_sources;
use petrel_filetests::scratch::Scratch;
use petrel_filetests::world::jar_file;

/// What takes longer hangs.
const MOST_TIME: Duration = Duration::from_secs(240);
/// Limits that keep the tests short.
const OPTIONS: [&str; 4] = ["--budget", "200", "--test-time", "1"];
/// The superclass that is taken away.
const REMOVED: &str = "hostile/Base.class";

/// Compiles the sources.
fn compiled() -> Scratch {
    let sources =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated/hostile_targets/java");
    let scratch = compiled_sources(&sources);
    fs::remove_file(scratch.path().join(REMOVED)).expect("the folder can be written to");
    scratch
}

fn is_wanted(target: &str) -> bool {
    target.contains(&std::env::var("TARGET").unwrap_or_default())
}

/// Runs the binary, and reads the account that it must give.
fn account(class_path: &Path, targets: &[&str]) -> Account {
    let scratch = Scratch::new();
    let ended = generate(scratch.path(), class_path, targets);
    read(&ended, targets)
}

fn generate(output: &Path, class_path: &Path, targets: &[&str]) -> Ended {
    binary::generate(output, class_path, OPTIONS.iter().chain(targets), MOST_TIME)
        .expect("the program starts and ends")
}

fn read(ended: &Ended, targets: &[&str]) -> Account {
    assert!(matches!(ended.status, Some(0 | 1)), "{targets:?}: {}", ended.describe());
    let account =
        Account::parse(&ended.stdout).unwrap_or_else(|error| panic!("{targets:?}: {error}"));
    for class in &account.classes {
        let n_tests: usize = class.methods.iter().map(|method| method.tests.len()).sum();
        let (n_methods, n_dropped) = (class.methods.len(), class.dropped.len());
        let time = ended.elapsed.as_millis();
        eprintln!(
            "{}: {n_methods} methods, {n_tests} tests, {n_dropped} dropped, {time} ms",
            class.name
        );
    }
    account
}

/// How many tests a method has.
fn n_tests(class: &ClassAccount, name: &str) -> usize {
    let found = class.methods.iter().find(|method| method.name.split('(').next() == Some(name));
    found.unwrap_or_else(|| panic!("{} has no {name}", class.name)).tests.len()
}

/// The account of a class that is the only target, and at least so many tests for methods of it.
fn check(class: &str, expected: &[(&str, usize)]) {
    if !is_wanted(class) {
        return;
    }
    let classes = compiled();
    let account = account(classes.path(), &[class]);
    let [told] = &account.classes[..] else { panic!("{class}: {:?}", account.classes.len()) };
    assert_eq!(told.name, class);
    for &(method, least) in expected {
        let found = n_tests(told, method);
        assert!(found >= least, "{class}.{method} has {found} tests");
    }
}

#[test]
fn calls_that_do_not_come_back() {
    check(
        "hostile.Endless",
        &[("deepUnlessNegative", 0), ("waits", 1), ("forever", 0), ("spin", 0), ("deep", 0)],
    );
}

#[test]
fn a_static_initialiser_that_ends_the_process() {
    check("hostile.Exits", &[("next", 0), ("isAnswer", 0)]);
}

#[test]
fn methods_that_end_the_process() {
    check(
        "hostile.ExitsInMethods",
        &[("exitIfNegative", 1), ("haltIfSeven", 1), ("exitInFinally", 2)],
    );
}

#[test]
fn output_and_allocation_without_end() {
    check("hostile.Floods", &[("printsForever", 1), ("huge", 1), ("keeps", 1), ("longText", 1)]);
}

#[test]
fn threads_that_stay() {
    check("hostile.StrayThreads", &[("leavesOne", 1), ("replacesStreams", 1)]);
}

#[test]
fn a_class_that_another_one_needs_cannot_be_loaded() {
    check("hostile.UsesOrphan", &[("alone", 2), ("viaOrphan", 1)]);
}

#[test]
fn a_missing_superclass_does_not_keep_others_from_being_tested() {
    if !is_wanted("hostile.Orphan") {
        return;
    }
    let classes = compiled();
    let folder = classes.path().to_str().expect("the name of the folder is text");
    // The class alone, and all classes of the folder.
    account(classes.path(), &["hostile.Orphan"]);
    let all = account(classes.path(), &[folder]);
    let names: Vec<&str> = all.classes.iter().map(|class| &*class.name).collect();
    assert!(names.contains(&"hostile.UsesOrphan"), "{names:?}");
}

/// Writes class files into a folder.
fn placed(classes: &[(String, Vec<u8>)]) -> Scratch {
    let scratch = Scratch::new();
    for (name, bytes) in classes {
        let file = scratch.path().join(format!("{name}.class"));
        fs::create_dir_all(file.parent().expect("it is in a folder"))
            .expect("the folder can be written to");
        fs::write(file, bytes).expect("the folder can be written to");
    }
    scratch
}

/// More take longer than a test should.
const N_METHODS: Amount = Amount::new(200, 300, 10_000);

#[test]
fn thousands_of_methods() {
    if !is_wanted("ManyMethods") {
        return;
    }
    let n_methods = N_METHODS.now();
    sample(n_methods, N_METHODS.full, "methods of a class");
    let classes = placed(&[assembled::many_methods(n_methods as i32)]);
    let account = account(classes.path(), &["big.ManyMethods"]);
    let [class] = &account.classes[..] else { panic!("one class was asked for") };
    assert_eq!(class.methods.len(), n_methods);
    let tested = class.methods.iter().filter(|method| !method.tests.is_empty()).count();
    assert!(
        tested + 20 > n_methods,
        "only {tested} methods have tests: {:?}",
        class.dropped.first()
    );
}

#[test]
fn methods_as_long_as_the_jvm_allows() {
    if !is_wanted("LongMethods") {
        return;
    }
    let classes = placed(&[assembled::long_methods()]);
    let account = account(classes.path(), &["big.LongMethods"]);
    let [class] = &account.classes[..] else { panic!("one class was asked for") };
    assert_eq!(n_tests(class, "straight"), 1);
    assert!(n_tests(class, "branches") >= 1);
}

#[test]
fn names_that_no_source_can_have() {
    if !is_wanted("obfuscated") {
        return;
    }
    let classes = placed(&assembled::obfuscated());
    let folder = classes.path().to_str().expect("the name of the folder is text");
    let account = account(classes.path(), &[folder]);
    let class = |name: &str| {
        let found = account.classes.iter().find(|class| class.name == name);
        found.unwrap_or_else(|| panic!("nothing is said of {name}"))
    };
    // What can be named is tested, also in a class where other methods cannot be.
    assert_eq!(n_tests(class("a.aa"), "a"), 2);
    assert_eq!(n_tests(class("a.\u{e4}\u{65e5}"), "\u{fc}"), 2);
    // Of the others there is an account at least, and nothing in it is wrong.
    for name in ["a", "a.if", "do.a", "a.b c"] {
        assert_eq!(class(name).methods.len(), 1, "{name}");
    }
    assert_no_wrong_predictions(&account);
}

fn assert_no_wrong_predictions(account: &Account) {
    let wrong = account.dropped().filter(|test| test.is_wrong_prediction);
    let wrong: Vec<_> = wrong.map(|test| (&test.name, &test.reason)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

fn check_jar(jar: &str, classes: &[&str], least_tests: usize) {
    if !is_wanted(jar) {
        return;
    }
    let jar: PathBuf = jar_file(jar);
    let account = account(&jar, classes);
    let names: Vec<&str> = account.classes.iter().map(|class| &*class.name).collect();
    assert_eq!(names, classes);
    let n_tests: usize = account.methods().map(|method| method.tests.len()).sum();
    assert!(n_tests >= least_tests, "only {n_tests} tests");
    assert_no_wrong_predictions(&account);
}

#[test]
fn branches_behind_more_paths_than_can_be_taken() {
    check("hostile.ManyPaths", &[("count", 2)]);
}

/// Factories here look at objects that might be the ones they make.
#[test]
fn factories_that_may_be_given_what_they_make() {
    check_jar("guava-33.3.1-jre.jar", &["com.google.common.graph.Graphs"], 5);
}

#[test]
fn kotlin_classes() {
    let classes = [
        "kotlin.Pair",
        "kotlin.UInt",
        "kotlin.Result",
        "kotlin.KotlinVersion",
        "kotlin.ranges.IntRange",
        "kotlin.random.XorWowRandom",
    ];
    check_jar("kotlin-stdlib-2.0.21.jar", &classes, 20);
}

#[test]
fn scala_classes() {
    let classes =
        ["scala.Tuple2", "scala.Some", "scala.runtime.RichInt", "scala.collection.immutable.Nil$"];
    check_jar("scala-library-2.13.15.jar", &classes, 10);
}
