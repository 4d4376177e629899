//! `petrel generate` and `petrel demo`, as users run them.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use petrel_filetests::generated::suite::files_below;
use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::scratch::Scratch;
use petrel_filetests::world::{jdk, tool};
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

/// A folder with `A.java` and its classes in `classes`.
fn compiled(text_of_a: &str) -> (Scratch, PathBuf) {
    let scratch = Scratch::new();
    let (source, classes) = (scratch.path().join("A.java"), scratch.path().join("classes"));
    fs::write(&source, text_of_a).unwrap();
    let javac = Command::new(tool(&jdk(), "javac")).arg("-d").args([&classes, &source]).output();
    let javac = javac.unwrap();
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    (scratch, classes)
}

#[test]
fn the_demo_finds_the_defect_and_says_what_is_covered() {
    let (scratch, told) = demo();
    for part in [
        "shop.Account: 17 tests of 8 methods, 18 of 18 branches",
        "middle: 1 behaviour up to loop-2, 1 test",
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
    // Not every test that should be there is.
    assert_eq!(finished.status, Some(1), "{}", finished.stderr);
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

#[test]
fn the_criterion_says_what_becomes_a_test() {
    let source = "\
class A {
    static int sum(int a, int b) {
        int sum = 0;
        if (a > 5) {
            sum += 1;
        }
        if (b > 7) {
            sum += 2;
        }
        return sum;
    }

    static int twice(int a) {
        return 2 * sum(a, 0);
    }
}
";
    let (scratch, classes) = compiled(source);
    let counts = |criterion: &str| {
        let output = scratch.path().join("out");
        let finished = generate(&output, &classes, &["--no-run", "--json", "--select", criterion]);
        assert_eq!(finished.status, Some(0), "{}", finished.stderr);
        let account: Value = serde_json::from_str(&finished.stdout).unwrap();
        let methods = account["classes"][0]["methods"].as_array().unwrap();
        let count = |name: &str| {
            let is_it = |method: &&Value| method["method"].as_str().unwrap().starts_with(name);
            let method = methods.iter().find(is_it).unwrap();
            method["tests"].as_array().unwrap().len()
        };
        [count("<init>"), count("sum"), count("twice")]
    };
    assert_eq!(counts("all-paths"), [1, 4, 2]);
    assert_eq!(counts("local-paths"), [1, 4, 1]);
    assert_eq!(counts("branches"), [1, 2, 1]);
    assert_eq!(counts("statements"), [1, 1, 1]);
    // The second line is out of reach of `twice`.
    assert_eq!(counts("points:5,8"), [0, 1, 1]);
    assert_eq!(counts("points:A.java:8"), [0, 1, 0]);
    let refused = generate(scratch.path(), &classes, &["--select", "points:x"]);
    assert_eq!(refused.status, Some(2));
}

#[test]
fn tests_do_not_depend_on_what_others_leave_in_static_fields() {
    let source = "\
class A {
    private static final java.util.List<String> NAMES = new java.util.ArrayList<>();
    private static A shared;
    private static Thread.State state = Thread.State.NEW;
    private static int[] sizes = {1, 2};

    static int add(String name) {
        NAMES.add(name);
        return NAMES.size();
    }

    static boolean share() {
        boolean isNew = shared == null;
        if (isNew) {
            shared = new A();
        }
        return isNew;
    }

    static boolean end() {
        boolean isNew = state == Thread.State.NEW;
        state = Thread.State.TERMINATED;
        return isNew;
    }

    static int grow() {
        sizes[0]++;
        return sizes[0];
    }

    static boolean lazily() {
        return Late.isFirst();
    }

    static class Late {
        private static boolean[] isUsed = new boolean[20];

        static boolean isFirst() {
            boolean isFirst = !isUsed[0];
            isUsed[0] = true;
            return isFirst;
        }
    }
}
";
    let (scratch, classes) = compiled(source);
    let output = scratch.path().join("out");
    let finished = generate(&output, &classes, &["--json", "--exclude", "*Late"]);
    let account: Value = serde_json::from_str(&finished.stdout).unwrap();
    let methods = account["classes"][0]["methods"].as_array().unwrap();
    let named = |name: &str| {
        let is_it = |method: &&Value| method["method"].as_str().unwrap().starts_with(name);
        methods.iter().find(is_it).unwrap()
    };
    for name in ["share", "end", "grow"] {
        assert_ne!(named(name)["tests"].as_array().unwrap().len(), 0, "{name}: {account:#}");
    }
    let branches = &named("share")["branches"];
    assert_eq!(branches["covered"], branches["total"]);
    for name in ["add", "lazily"] {
        assert_eq!(named(name)["tests"].as_array().unwrap().len(), 0, "{name}: {account:#}");
    }
    let dropped = account["total"]["dropped"].as_array().unwrap();
    assert!(!dropped.is_empty());
    for test in dropped {
        assert_eq!(test["written"], false, "{test}");
        let reason = test["reason"].as_str().unwrap();
        assert!(reason.contains("static state that a test cannot put back"), "{reason}");
    }
}

/// Few of all classes are tried for an unknown `Class`, or for an `Object`: what needs another one is not infeasible.
#[test]
fn classes_that_are_not_tried_are_a_limit() {
    let (scratch, classes) = compiled(
        "class A { static int f(Class<?> c) {\n\
         if (c.isPrimitive()) return 1; if (c == Long.class) return 2;\n\
         return c.getEnclosingClass() == null ? 3 : 4; }\n\
         static String g(Object o, String s) { if (o == null) return s;\n\
         String c = o.getClass().getCanonicalName(); return c == null ? s : c; } }",
    );
    let finished = generate(&scratch.path().join("out"), &classes, &["--no-run", "--json"]);
    assert_eq!(finished.status, Some(0), "{}", finished.stderr);
    let account: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(account["total"]["branches"]["infeasible"], 0, "{}", finished.stdout);
}

/// What is finished when an interrupt comes is written, and the account says that there would be more.
#[test]
#[cfg(unix)]
fn an_interrupt_keeps_what_is_finished() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    // The last class has so many methods that it takes longer than the first message.
    let small = |n: u32| {
        format!("class Small{n} {{ static int f(int a) {{ return a > {n} ? 1 : 2; }} }}\n")
    };
    let large = |n: u32| {
        format!(
            "static int f{n}(int[] a, int x) {{ int sum = {n};\n\
             for (int i : a) {{ if (i * x > sum) sum += i; if (i % 7 == x) sum *= x; }}\n\
             return sum; }}\n"
        )
    };
    let small: String = (10..20).map(small).collect();
    let large: String = (0..1500).map(large).collect();
    let (scratch, classes) = compiled(&format!("{small}class Xlarge {{ {large} }}"));
    let output = scratch.path().join("out");
    let mut petrel = Command::new(env!("CARGO_BIN_EXE_petrel"))
        .args(["generate", "-j", "1", "--loop", "20", "-o", text(&output)])
        .arg(&classes)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first message comes after seconds.
    let mut messages = BufReader::new(petrel.stderr.take().unwrap());
    let mut first = String::new();
    messages.read_line(&mut first).unwrap();
    assert!(first.contains("at Xlarge"), "{first}");
    let kill = Command::new("kill").args(["-INT", &petrel.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let mut told = String::new();
    petrel.stdout.take().unwrap().read_to_string(&mut told).unwrap();
    let mut rest = String::new();
    messages.read_to_string(&mut rest).unwrap();
    assert_eq!(petrel.wait().unwrap().code(), Some(1), "{rest}");
    assert!(rest.contains("interrupted: ending with what there is"), "{rest}");
    assert!(told.contains("Stopped before everything was done."), "{told}");
    assert!(!told.contains("Xlarge"), "{told}");
    let written = files(&output);
    assert_eq!(written.len(), 10, "{:?}", written.keys());
    for (n, source) in (10..20).zip(written.values()) {
        assert!(source.ends_with("}\n"), "{source}");
        assert!(told.contains(&format!("Small{n}: 3 tests of 2 methods")), "{told}");
    }
}

/// A class with an overflow, and a behaviour with edges.
const GRADES: &str = "\
public class A {
    static int average(int a, int b) { return (a + b) / 2; }
    static char grade(int points) {
        if (points < 0 || points > 100) { throw new IllegalArgumentException(\"points: \" + points); }
        return points >= 50 ? 'B' : 'F';
    }
    static int length(int[] numbers) { return numbers.length > 1 ? 2 : 1; }
}
";

#[test]
fn operations_that_overflow_have_tests_of_their_own() {
    let (scratch, classes) = compiled(GRADES);
    let output = scratch.path().join("tests");
    let finished = generate(&output, &classes, &["--goals", "overflow", "--json"]);
    assert_eq!(finished.status, Some(0), "{}", finished.stderr);
    let told: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(told["total"]["dropped"], serde_json::json!([]));
    let methods = told["classes"][0]["methods"].as_array().unwrap();
    let average = methods.iter().find(|method| method["method"] == "average(II)I").unwrap();
    let verdicts: Vec<&Value> =
        average["overflow"].as_array().unwrap().iter().map(|of| &of["verdict"]).collect();
    assert_eq!(verdicts, ["overflows", "cannot_overflow"]);
    let test = average["overflow"][0]["test"].as_str().unwrap();
    assert!(test.starts_with("averageOverflowsIntAndReturnsMinus"), "{test}");
    assert!(files(&output)[Path::new("APetrelTest.java")].contains(&format!("void {test}()")));
    let without = generate(&output, &classes, &["--json"]);
    let without: Value = serde_json::from_str(&without.stdout).unwrap();
    assert!(!without.to_string().contains("overflows"));
}

#[test]
fn behaviours_have_tests_with_parameters() {
    let (scratch, classes) = compiled(GRADES);
    let output = scratch.path().join("tests");
    let finished = generate(&output, &classes, &["--parameterized", "--boundary", "-j", "1"]);
    assert_eq!(finished.status, Some(0), "{}", finished.stderr);
    assert!(finished.stdout.contains("tests parameterized, with "), "{}", finished.stdout);
    let written = files(&output);
    let source = &written[Path::new("APetrelTest.java")];
    for row in ["Arguments.of(49)", "Arguments.of(50)", "Arguments.of(100)", "Arguments.of(101, "] {
        assert!(source.contains(row), "{row}: {source}");
    }
    assert!(source.contains("@DisplayName(\"arg0 >= 0 && arg0 < 50\")"), "{source}");
    // An array is no literal.
    assert!(source.contains("A.length(new int[]"), "{source}");
    let again = scratch.path().join("again");
    let finished = generate(&again, &classes, &["--parameterized", "--boundary", "-j", "4"]);
    assert_eq!(finished.status, Some(0));
    assert_eq!(files(&again), written);
    let refused = generate(&output, &classes, &["--parameterized", "--junit", "4"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("--junit 4"), "{}", refused.stderr);
    assert_eq!(generate(&output, &classes, &["--boundary"]).status, Some(2));
}
