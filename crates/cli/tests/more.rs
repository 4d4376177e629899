//! `petrel cases --save` and `petrel more`: what is saved, gone on with, refused, and printed as a program.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::scratch::Scratch;
use petrel_filetests::{swipl, world};
use serde_json::{Value as Json, json};

fn petrel(arguments: &[&str]) -> Finished {
    Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(arguments)
}

/// What is printed.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let Finished { status, stdout, stderr } = petrel(arguments);
    assert!(matches!(status, Some(0 | 1)), "{arguments:?}: {stderr}");
    stdout
}

#[track_caller]
fn refused(arguments: &[&str], reason: &str) {
    let Finished { status, stdout, stderr } = petrel(arguments);
    assert_eq!((status, &*stdout), (Some(2), ""), "{arguments:?}");
    assert!(stderr.contains(reason), "{arguments:?}: {stderr}");
}

/// Cases without their numbers.
fn cases(text: &str) -> Vec<Json> {
    let answer: Json = serde_json::from_str(text).unwrap();
    let cases = answer["cases"].as_array().unwrap().iter().cloned();
    cases
        .map(|mut case| {
            case.as_object_mut().unwrap().remove("id");
            case
        })
        .collect()
}

const LCM: [&str; 4] = ["cases", "-c", "build/fixtures/papers", "Lcm003#lcm"];

fn file(folder: &Scratch, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn two_steps_give_what_one_gives() {
    let folder = Scratch::new();
    let [first, second] = ["first", "second"].map(|name| file(&folder, name));
    let saved = printed(&[&LCM[..], &["--loop", "1", "--json", "--save", &first]].concat());
    let more = printed(&["more", &first, "--json", "--save", &second]);
    let most = printed(&["more", &second, "--loop", "4", "--json"]);
    let fresh = cases(&printed(&[&LCM[..], &["--loop", "4", "--json"]].concat()));
    let parts = [cases(&saved), cases(&more), cases(&most)];
    assert!(parts.iter().all(|part| !part.is_empty()));
    assert_eq!(parts.concat().len(), fresh.len());
    assert!(parts.concat().iter().all(|case| fresh.contains(case)));
    // The numbers go on, and the account is that of the whole.
    let most: Json = serde_json::from_str(&most).unwrap();
    assert_eq!(most["cases"][0]["id"], parts[0].len() + parts[1].len() + 1);
    assert_eq!(most["ends"]["returned"], fresh.len() - 1);
    assert_eq!(most["criterion"]["termination"], "loop-4");
    // What is not given is one more.
    let more: Json = serde_json::from_str(&more).unwrap();
    assert_eq!(more["criterion"]["termination"], "loop-2");
}

#[test]
fn the_same_file_can_be_written_again() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    printed(&[&LCM[..], &["--loop", "1", "--save", &path]].concat());
    printed(&["more", &path, "--save", &path]);
    let saved: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(saved["termination"], json!({ "loop": 2 }));
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing else is left");
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Scratch::new();
    let classes = folder.path().join("classes");
    fs::create_dir(&classes).unwrap();
    let class = |name: &str| world::root().join("build/fixtures/papers").join(name);
    fs::copy(class("Lcm003.class"), classes.join("Lcm003.class")).unwrap();
    let path = file(&folder, "residual");
    let classes = classes.to_str().unwrap();
    let asked = ["cases", "-c", classes, "Lcm003#lcm", "--save", &path];
    printed(&asked);
    refused(&["more", &path, "--loop", "1"], "which is further");
    refused(&["more", &path, "--block-count", "3"], "go on with --loop");
    refused(&["more", &file(&folder, "nothing")], "cannot read");
    refused(&[&asked[..], &["--select", "branches"]].concat(), "--save keeps all paths");
    refused(&["worst", "-c", classes, "Lcm003#lcm", "--save", &path], "--save keeps all paths");

    fs::copy(class("Lcm001.class"), Path::new(classes).join("Lcm001.class")).unwrap();
    refused(&["more", &path], "Lcm001 is new in the class path");
    fs::remove_file(Path::new(classes).join("Lcm001.class")).unwrap();
    printed(&["more", &path]);
    fs::copy(class("Vector.class"), Path::new(classes).join("Lcm003.class")).unwrap();
    refused(&["more", &path], "Lcm003 has changed");
    fs::remove_file(Path::new(classes).join("Lcm003.class")).unwrap();
    refused(&["more", &path], "Lcm003 is not in the class path any more");
    // The classes may be elsewhere.
    let elsewhere = Scratch::new();
    fs::copy(class("Lcm003.class"), elsewhere.path().join("Lcm003.class")).unwrap();
    printed(&["more", &path, "-c", elsewhere.path().to_str().unwrap()]);
}

#[test]
fn damaged_files_are_refused() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    printed(&[&LCM[..], &["--save", &path]].concat());
    let text = fs::read_to_string(&path).unwrap();
    let saved: Json = serde_json::from_str(&text).unwrap();
    let changed = |member: &str, value: Json, reason: &str| {
        let mut json = saved.clone();
        json[member] = value;
        fs::write(&path, json.to_string()).unwrap();
        refused(&["more", &path], reason);
    };
    changed("petrel", json!("0.0.1"), "was written by version 0.0.1");
    changed("format", json!(99), "another version");
    changed("jdk", json!("1.2.3"), "the file is for JDK 1.2.3");
    changed("unfinished", json!("x"), "damaged");
    changed("arguments", json!(["list", "Lcm003"]), "damaged");
    changed("arguments", json!(["cases", "--nonsense"]), "damaged");
    changed("termination", json!({}), "damaged");
    for end in [0, 1, text.len() / 2] {
        fs::write(&path, &text[..end]).unwrap();
        refused(&["more", &path], "not what `--save` writes");
    }
    // Decisions that the program does not have are no reason to fall over.
    let mut json = saved.clone();
    json["unfinished"][0]["decisions"] = json!("7+ 7+ 7+ 7+");
    fs::write(&path, json.to_string()).unwrap();
    assert_eq!(petrel(&["more", &path]).status, Some(1));
}

/// Whenever it is killed, the file is whole, and going on with it gives what it should.
#[test]
fn a_killed_run_leaves_a_file_to_go_on_with() {
    let folder = Scratch::new();
    let [start, path] = ["start", "residual"].map(|name| file(&folder, name));
    let target = "structures.SortedListPriorityQueue#insert";
    let asked = ["cases", "-c", "build/fixtures/heap", target, "--loop", "1", "--save", &start];
    printed(&asked);
    let expected = [
        printed(&["more", &start, "--loop", "2", "--json"]),
        printed(&["cases", "-c", "build/fixtures/heap", target, "--loop", "2", "--json"]),
    ];
    let (further, n_all) = (cases(&expected[0]), cases(&expected[1]).len());
    fs::copy(&start, &path).unwrap();
    let mut n_written = 0;
    for round in 0..20 {
        let mut running = Command::new(env!("CARGO_BIN_EXE_petrel"))
            .args(["more", &path, "--loop", "2", "--save", &path])
            .current_dir(world::root())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(7 * round));
        running.kill().unwrap();
        running.wait().unwrap();
        let saved: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let is_new = saved["termination"] == json!({ "loop": 2 });
        let known = saved["cases"].as_array().unwrap().len();
        assert_eq!(known, if is_new { n_all } else { n_all - further.len() });
        if is_new {
            n_written += 1;
            fs::copy(&start, &path).unwrap();
        } else {
            assert_eq!(cases(&printed(&["more", &path, "--loop", "2", "--json"])), further);
        }
    }
    assert!(n_written < 20, "none was killed in time");
}

/// Ex. 6 of "Test Data Generation of Bytecode by CLP Partial Evaluation".
#[test]
fn the_residual_program_of_the_paper_has_seven_facts_and_a_rule() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    let options = ["--block-count", "2", "--domain", "-1000..1000", "--save", &path];
    printed(&[&LCM[..], &options].concat());
    let program = printed(&["more", &path, "--prolog"]);
    let count = |start: &str| program.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("test_case(lcm, "), 7);
    assert_eq!(count("lcm_residual("), 1);
    let saved: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let unfinished = saved["unfinished"].as_array().unwrap();
    assert_eq!(unfinished.len(), 1);
    // gcd4(R, R', GCD) and lcm1c([GCD, P], Z) of the paper.
    let goal: Vec<&str> = unfinished[0]["goal"]
        .as_array()
        .unwrap()
        .iter()
        .map(|atom| atom.as_str().unwrap())
        .collect();
    assert_eq!(goal.len(), 2);
    assert!(goal[0].starts_with("gcd_loop_0([Rest") && goal[1].starts_with("lcm_call_2([X, Y,"));
    let store = unfinished[0]["constraints"].as_array().unwrap();
    assert_eq!(store.len(), 4, "{store:?}");
}

/// Static methods on one or two numbers, with what is left within block-count-2.
const METHODS: [(&str, &str, usize); 13] = [
    ("papers", "Lcm003#lcm", 2),
    ("papers", "Lcm003#gcd", 2),
    ("papers", "Lcm001#lcm", 2),
    ("symbolic", "PathDivision#gcd", 2),
    ("symbolic", "PathDivision#lcm", 2),
    ("symbolic", "PathLoops#area", 2),
    ("symbolic", "PathLoops#staircase", 1),
    ("symbolic", "PathLoops#skipping", 2),
    ("symbolic", "PathLoops#calling", 1),
    ("symbolic", "PathLoops#meeting", 2),
    ("symbolic", "PathRecursion#factorial", 1),
    ("symbolic", "PathArrays#filled", 1),
    ("symbolic", "PathObjects#walked", 2),
];

/// On -20..20, the residual program answers exactly where the bounded unfolding of the program does not, and gives
/// what the program gives.
#[test]
fn residual_programs_give_what_is_left() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    for (topic, target, arity) in METHODS {
        let classes = format!("build/fixtures/{topic}");
        let asked = ["cases", "-c", &classes, target, "--block-count", "2", "--save", &path];
        printed(&asked);
        let program = printed(&["more", &path, "--prolog"]);
        let predicate = target.split_once('#').unwrap().1;
        let variables = &["X", "Y"][..arity];
        let ranges: Vec<String> =
            variables.iter().map(|variable| format!("between(-20, 20, {variable})")).collect();
        let (ranges, inputs) = (ranges.join(", "), variables.join(", "));
        let goal = format!(
            "goal((aggregate_all(count, ({ranges}, \\+ unfold({predicate}([{inputs}], _, _, _, _, _), 2)), Left),
                   aggregate_all(count, ({ranges}, {predicate}_residual([{inputs}], _, _, _, _, _)), Answers),
                   aggregate_all(count, ({ranges}, {predicate}_residual([{inputs}], R, _, _, E, _),
                                         once({predicate}([{inputs}], R, _, _, F, _)),
                                         functor(E, Exit, _), functor(F, Exit, _)), Right)),
                  [Left, Answers, Right])"
        );
        let answers = swipl::answer(&program, &[goal]).unwrap_or_else(|e| panic!("{target}: {e}"));
        let numbers: Vec<&str> = answers[0].trim_matches(['{', '}']).split(", ").collect();
        assert_ne!(numbers[0], "0", "{target}: nothing is left");
        assert!(numbers.iter().all(|number| *number == numbers[0]), "{target}: {answers:?}");
    }
}
