//! `petrel generate` and `petrel demo`, as users run them.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use petrel_filetests::generated::suite::files_below;
use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::scratch::Scratch;
use serde_json::Value;

fn petrel(arguments: &[&str]) -> Finished {
    Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(arguments)
}

/// The example of the demo, compiled, with its tests.
fn demo() -> (Scratch, String) {
    let scratch = Scratch::new();
    let finished = petrel(&["demo", "-o", text(scratch.path())]);
    assert_eq!(finished.status, Some(0), "{}", finished.stderr);
    (scratch, finished.stdout)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn generate(output: &Path, classes: &Path, more: &[&str]) -> Finished {
    let fixed = ["generate", "-o", text(output), text(classes)];
    petrel(&[&fixed[..], more].concat())
}

/// The files below a folder, with what is in them.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let all = files_below(folder, "java").into_iter();
    all.map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        (path.strip_prefix(folder).unwrap().to_owned(), text)
    })
    .collect()
}

#[test]
fn the_demo_finds_the_defect_and_says_what_is_covered() {
    let (scratch, told) = demo();
    for part in [
        "shop.Account: 17 tests of 8 methods, 18 of 18 branches",
        "parse: 28 behaviours up to loop-2, all covered",
        "java.lang.NegativeArraySizeException in shop.Search.pages",
        "beyond the bound loop-2; raise --loop",
        "class AccountPetrelTest {",
    ] {
        assert!(told.contains(part), "{part:?} is not in:\n{told}");
    }
    assert!(!told.contains("built by reflection"), "{told}");
    assert!(!told.contains("Dropped"), "{told}");
    let tests = files(&scratch.path().join("tests"));
    let names: Vec<&str> = tests.keys().map(|path| text(path)).collect();
    let expected = ["Account", "Price", "Queue", "Search"];
    assert_eq!(names, expected.map(|name| format!("shop/{name}PetrelTest.java")));
}

#[test]
fn the_same_tests_are_written_whatever_the_number_of_threads() {
    let (scratch, _) = demo();
    let classes = scratch.path().join("classes");
    let [one, four] = ["1", "4"].map(|jobs| {
        let output = scratch.path().join(jobs);
        let finished = generate(&output, &classes, &["--no-run", "-j", jobs]);
        assert_eq!(finished.status, Some(0), "{}", finished.stderr);
        files(&output)
    });
    assert_eq!(one, four);
    assert_eq!(one, files(&scratch.path().join("tests")));
}

#[test]
fn files_of_others_are_never_touched() {
    let (scratch, _) = demo();
    let (classes, tests) = (scratch.path().join("classes"), scratch.path().join("tests"));
    let file = tests.join("shop/QueuePetrelTest.java");
    fs::write(&file, "package shop;\nclass QueuePetrelTest {\n}\n").unwrap();
    let finished = generate(&tests, &classes, &["--no-run", "--json"]);
    assert_eq!(finished.status, Some(0), "{}", finished.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), "package shop;\nclass QueuePetrelTest {\n}\n");
    let account: Value = serde_json::from_str(&finished.stdout).unwrap();
    let classes = account["classes"].as_array().unwrap();
    let queue = classes.iter().find(|class| class["class"] == "shop.Queue").unwrap();
    let why = queue["not_written"].as_str().unwrap();
    assert!(why.contains("was not written by Petrel"), "{why}");
    assert_eq!(queue["files"], Value::Array(Vec::new()));
}

#[test]
fn the_numbers_of_the_account_add_up() {
    let (scratch, _) = demo();
    let output = scratch.path().join("again");
    let options = ["--json", "--exclude", "*.Queue", "--junit", "4"];
    let finished = generate(&output, &scratch.path().join("classes"), &options);
    let account: Value = serde_json::from_str(&finished.stdout).unwrap();
    let classes = account["classes"].as_array().unwrap();
    assert_eq!(classes.len(), 3);
    let total = &account["total"];
    assert_eq!(total["validated"], total["tests"]);
    for counted in classes.iter().chain([total]).map(|of| &of["branches"]) {
        let numbers = counted.as_object().unwrap();
        let others = numbers.iter().filter(|(name, _)| *name != "total");
        let sum: u64 = others.map(|(_, number)| number.as_u64().unwrap()).sum();
        assert_eq!(Some(sum), counted["total"].as_u64());
    }
    // Every covered branch names a test that is in the file.
    for class in classes {
        let file = output.join(class["files"][0].as_str().unwrap());
        let source = fs::read_to_string(file).unwrap();
        assert!(source.contains("import org.junit.Test;"), "{source}");
        let methods = class["methods"].as_array().unwrap().iter();
        for verdict in methods.flat_map(|method| method["verdicts"].as_array().unwrap()) {
            if let Some(test) = verdict["test"].as_str() {
                assert!(source.contains(&format!(" void {test}(")), "{test} is not in {source}");
            }
        }
    }
}

#[test]
fn coverage_can_be_a_goal() {
    let (scratch, _) = demo();
    let (output, classes) = (scratch.path().join("out"), scratch.path().join("classes"));
    let status =
        |least: &str| generate(&output, &classes, &["--no-run", "--fail-under", least]).status;
    assert_eq!(status("90"), Some(0));
    assert_eq!(status("99.9"), Some(1));
    let refused = generate(&output, &classes, &["--fail-under", "101"]);
    assert_eq!(refused.status, Some(2));
    let missing = petrel(&["generate", "-o", text(&output), "-c", text(&classes), "shop.Nobody"]);
    assert_eq!(missing.status, Some(2));
    assert!(missing.stderr.contains("there is no class shop.Nobody"), "{}", missing.stderr);
}

#[test]
fn the_most_expensive_input_gets_a_test() {
    let (scratch, _) = demo();
    let output = scratch.path().join("worst");
    let classes = scratch.path().join("classes");
    let options = ["--worst-case", "instructions", "--include", "shop.Search"];
    let finished = generate(&output, &classes, &options);
    assert_eq!(finished.status, Some(0), "{}", finished.stderr);
    let source = fs::read_to_string(output.join("shop/SearchPetrelTest.java")).unwrap();
    assert!(source.contains("void worstCaseOfFind"), "{source}");
    assert!(source.contains("// instructions: "), "{source}");
}
