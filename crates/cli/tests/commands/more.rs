//! `petrel cases --save` and `petrel more`: what is saved, gone on with, refused, and printed as a program.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::scratch::Scratch;
use petrel_filetests::{swipl, world};
use petrel_report::Saved;
use petrel_testcase::Decision;
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
fn paths_that_have_cases_get_no_others_for_inputs_that_are_valid_in_other_ways() {
    let folder = Scratch::new();
    let first = file(&folder, "first");
    let call =
        ["cases", "-c", "build/fixtures/heap", "HeapValid#add", "--domain", "0..3", "--json"];
    let call = [&call[..], &["--assume", "valid(this)", "--loop"]].concat();
    let at_once = printed(&[&call[..], &["3"]].concat());
    let before = printed(&[&call[..], &["1", "--save", &first]].concat());
    let more = printed(&["more", &first, "--loop", "3", "--json"]);
    let traces = |texts: &[&str]| {
        let trace = |case: Json| case["trace"].as_str().unwrap().to_owned();
        let mut all: Vec<String> = texts.iter().flat_map(|text| cases(text)).map(trace).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(traces(&[&before, &more]), traces(&[&at_once]));
    assert!(!cases(&more).is_empty());
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
    changed("jdk", json!("1.2.3"), "damaged");
    changed("unfinished", json!("x"), "damaged");
    changed("termination", json!({}), "damaged");
    changed("more", json!(1), "damaged: unknown field `more`");
    for end in [0, 1, text.len() / 2] {
        fs::write(&path, &text[..end]).unwrap();
        refused(&["more", &path], "not what `--save` writes");
    }
}

/// Files that are as they should be, but not for this command line.
#[test]
fn files_of_something_else_are_refused() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    printed(&[&LCM[..], &["--save", &path]].concat());
    let saved = read(&path);
    let changed = |change: &dyn Fn(&mut Saved), reason: &str| {
        write(&path, Saved::clone(&saved), change);
        refused(&["more", &path], reason);
    };
    changed(&|saved| saved.jdk = "1.2.3".to_owned(), "the file is for JDK 1.2.3");
    let arguments = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    changed(&|saved| saved.arguments = arguments(&["list", "Lcm003"]), "damaged");
    changed(&|saved| saved.arguments = arguments(&["cases", "--nonsense"]), "damaged");
}

fn read(path: &str) -> Saved {
    Saved::read(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Changes a file, with checksums for what it is then.
fn write(path: &str, mut saved: Saved, change: &dyn Fn(&mut Saved)) {
    change(&mut saved);
    let mut text = Vec::new();
    saved.write(&mut text).unwrap();
    fs::write(path, text).unwrap();
}

/// An array of numbers, and objects of the heap.
const EXAMPLES: [[&str; 6]; 2] = [
    ["cases", "-c", "build/fixtures/papers", "Vector#multiples", "--loop", "2"],
    [
        "cases",
        "-c",
        "build/fixtures/heap",
        "structures.SortedListPriorityQueue#insert",
        "--loop",
        "1",
    ],
];

/// Whatever is done to an entry of a file, it is not gone on with.
#[test]
fn changed_derivations_are_refused() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    for asked in EXAMPLES {
        printed(&[&asked[..], &["--save", &path]].concat());
        let saved: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert!(saved["unfinished"].as_array().unwrap().len() > 2, "{asked:?}");
        let changed = |change: &dyn Fn(&mut Vec<Json>), reason: &str| {
            let mut json = saved.clone();
            change(json["unfinished"].as_array_mut().unwrap());
            fs::write(&path, json.to_string()).unwrap();
            refused(&["more", &path], reason);
            refused(&["more", &path, "--prolog"], reason);
        };
        changed(
            &|all| all.insert(2, all[1].clone()),
            "derivation 3 decides the same as derivation 2",
        );
        changed(&|all| all.swap(1, 2), "derivation 3 belongs before derivation 2");
        changed(&|all| all.reverse(), "derivation 2 belongs before derivation 1");
        changed(&|all| drop(all.remove(1)), "derivation 2 is not as it was written");
        changed(&|all| drop(all.pop()), "something besides the derivations");
        changed(&|all| all[1]["steps"] = json!(1), "derivation 2 is not as it was written");
        changed(&|all| all[1]["model"] = json!(null), "derivation 2 is not as it was written");
        changed(&|all| all[1]["model"][0] = json!(77), "derivation 2 is not as it was written");
        changed(
            &|all| all[1]["trace"] = json!("m(1,[],[])"),
            "derivation 2 is not as it was written",
        );
        let shorter = |all: &mut Vec<Json>| {
            let decisions = all[1]["decisions"].as_str().unwrap().to_owned();
            all[1]["decisions"] = json!(decisions.rsplit_once(' ').unwrap().0);
        };
        changed(&shorter, "derivation");
        changed(&|all| all[1]["more"] = json!(1), "unknown field `more`");
    }
}

/// Nor is it if somebody makes the checksums fit: then the program does not have such a derivation.
#[test]
fn derivations_that_the_program_does_not_have_are_refused() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    for asked in EXAMPLES {
        printed(&[&asked[..], &["--save", &path]].concat());
        let saved = read(&path);
        let last = saved.unfinished.len() - 1;
        let decision = |alternative| Decision { alternative, is_choice: true };
        let changed = |change: &dyn Fn(&mut Saved), reason: &str| {
            write(&path, saved.clone(), change);
            for jobs in ["1", "2"] {
                let Finished { status, stderr, .. } = petrel(&["more", &path, "-j", jobs]);
                assert_eq!(status, Some(2), "{asked:?}: {stderr}");
                let place = format!("damaged: derivation {}: ", last + 1);
                assert!(stderr.contains(&place) && stderr.contains(reason), "{asked:?}: {stderr}");
            }
        };
        changed(
            &|saved| saved.unfinished[last].decisions.0.last_mut().unwrap().alternative = 9,
            "and there are only",
        );
        changed(
            &|saved| saved.unfinished[last].decisions.0.extend([decision(0); 2000]),
            "derivation",
        );
        changed(
            &|saved| {
                let model = saved.unfinished[last].model.as_mut().unwrap();
                model.extend([1; 1000]);
            },
            "its model",
        );
        changed(
            &|saved| {
                let model = saved.unfinished[last].model.as_mut().unwrap();
                model.iter_mut().for_each(|value| *value = i64::MAX);
            },
            "its model",
        );
        changed(
            &|saved| saved.unfinished[last].steps += 1_000_000_000,
            "steps, and the derivation",
        );
    }
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

/// Loops over numbers, arrays and objects, with calls and exceptions; the bounds that are gone on to. Of numbers, the
/// program runs on inputs that are chosen; what of a heap is not looked at has no inputs, so there they come last.
const LOOPS: [(&str, &str, &[u32], &str); 4] = [
    ("papers", "Lcm003#lcm", &[3, 4, 5], LABEL_FIRST),
    ("heap", "HeapArrays#indexOf", &[3, 4], LABEL_LAST),
    ("heap", "HeapLists#contains", &[3, 4], LABEL_LAST),
    ("symbolic", "PathLoops#skipping", &[3, 4], LABEL_FIRST),
];

const LABEL_FIRST: &str = "labelled(Goal, _), call(Program)";
const LABEL_LAST: &str = "call(Program), labelled(Goal, _)";

/// Residual programs go on with specialised predicates, and for each of their answers there are inputs that take one of
/// the paths that `petrel more` goes on to: all of those, and each once.
#[test]
fn specialised_predicates_have_the_paths_that_are_left() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    for (topic, target, bounds, order) in LOOPS {
        let classes = format!("build/fixtures/{topic}");
        printed(&["cases", "-c", &classes, target, "--block-count", "2", "--save", &path]);
        let program = printed(&["more", &path, "--prolog"]);
        assert!(program.contains("\nspecialised("), "{target}");
        let name = target.split_once('#').unwrap().1;
        let goals: Vec<String> = bounds
            .iter()
            .map(|bound| {
                format!(
                    "goal(findall(Text, ( case_goal({name}_residual, _, Goal), unfold(Goal, {}),
                        Goal =.. [_, Args, _, H|_], new_stack({bound}, Stack),
                        Program = {name}(Args, _, H, _, _, Trace, Stack),
                        once(( {order} )),
                        format(string(Text), \"~q\", [Trace]) ), Texts), Texts)",
                    bound - 2
                )
            })
            .collect();
        let answers = swipl::answer(&program, &goals).unwrap_or_else(|e| panic!("{target}: {e}"));
        for (bound, answer) in bounds.iter().zip(answers) {
            let mut traces: Vec<String> =
                serde_json::from_str(&format!("[{}]", answer.trim_matches(['{', '}']))).unwrap();
            let more = printed(&["more", &path, "--block-count", &bound.to_string(), "--json"]);
            let trace = |case: Json| case["trace"].as_str().unwrap().to_owned();
            let mut expected: Vec<String> = cases(&more).into_iter().map(trace).collect();
            traces.sort_unstable();
            expected.sort_unstable();
            assert!(!expected.is_empty(), "{target}");
            assert_eq!(traces, expected, "{target} at block-count {bound}");
        }
    }
}

/// What `next_case` of a residual program labels: concrete calls, which end as the program says on the JVM, and which
/// keep what `cases` was called with.
#[test]
fn residual_programs_label_further_cases() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    let bounds = ["--block-count", "2", "--domain", "-1000..1000", "--label", "first"];
    printed(&[&LCM[..], &bounds, &["--exceptions", "exclude", "--save", &path]].concat());
    let program = printed(&["more", &path, "--prolog"]);
    let goal =
        "goal(findall([X, Y, R], limit(8, next_case(case(lcm(X, Y), [], R))), Cases), Cases)";
    let answers = swipl::answer(&program, &[goal.to_owned()]).unwrap();
    let cases: Vec<Vec<i64>> =
        serde_json::from_str(&answers[0].replace('{', "[").replace('}', "]")).unwrap();
    assert_eq!(cases.len(), 8);
    for case in cases {
        let [x, y, result] = case[..] else { panic!("{case:?}") };
        assert!(x.abs() <= 1000 && y.abs() <= 1000, "{x}, {y}");
        let (x, y) = (x.to_string(), y.to_string());
        let run = ["run", "-c", "build/fixtures/papers", "Lcm003#lcm", "--", &x, &y];
        assert!(printed(&run).contains(&result.to_string()), "lcm({x}, {y}) is not {result}");
    }
}

/// Objects are facts, too, and assumptions hold on: each list is as long as its result says.
#[test]
fn residual_programs_have_objects() {
    let folder = Scratch::new();
    let path = file(&folder, "residual");
    let list = ["cases", "-c", "build/fixtures/heap", "HeapLists#length", "--block-count", "2"];
    printed(&[&list[..], &["--assume", "acyclic(list)", "--save", &path]].concat());
    let program = printed(&["more", &path, "--prolog"]);
    assert!(program.contains("test_case(length, [null], [], 0)."));
    assert!(program.contains("assumption(length_residual, acyclic([0]))."));
    let goal = "goal(findall([N, R], limit(4, ( next_case(case(_, Objects, R)), length(Objects, N) )), Cases), Cases)";
    let answers = swipl::answer(&program, &[goal.to_owned()]).unwrap();
    assert_eq!(answers[0], "{{2, 2}, {3, 3}, {4, 4}, {5, 5}}");
}
