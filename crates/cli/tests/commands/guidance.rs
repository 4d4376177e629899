//! What leads generation: traces that abstractions generate, points in methods that are called, and the fewest cases.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::process::{Command, Stdio};

use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::scratch::Scratch;
use petrel_filetests::world::{jdk, root, tool};
use serde_json::Value as Json;

fn petrel(arguments: &[&str]) -> Finished {
    Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(arguments)
}

#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let Finished { status, stdout, stderr } = petrel(arguments);
    assert_eq!((status, &*stderr), (Some(0), ""), "{arguments:?}: {stdout}");
    stdout
}

#[track_caller]
fn json(arguments: &[&str]) -> Json {
    serde_json::from_str(&printed(&[&["--json"], arguments].concat())).unwrap()
}

/// Without what is said of sizes, and of parts that no rule shows.
fn rules_of(trace: &str) -> String {
    let mut text = String::new();
    let mut rest = trace;
    while let Some(at) = rest.find(['[', '*']) {
        let (before, behind) = rest.split_at(at);
        text.push_str(before);
        let is_size = before.ends_with(',')
            && before[..before.len() - 1].ends_with(|c: char| c.is_ascii_digit());
        if let Some(behind) = behind.strip_prefix('*') {
            rest = behind.strip_prefix(',').unwrap_or(behind);
            if rest.starts_with(']') && text.ends_with(',') {
                text.pop();
            }
        } else if is_size {
            text.push_str("[]");
            rest = &behind[behind.find(']').unwrap() + 1..];
        } else {
            text.push('[');
            rest = &behind[1..];
        }
    }
    text + rest
}

/// The traces that SWI-Prolog enumerates with a printed abstraction.
fn traces_in_prolog(program: &str) -> Vec<String> {
    let goal = program.lines().find_map(|line| line.strip_prefix("%   ?- ")).unwrap();
    let goal = goal.strip_suffix('.').unwrap();
    let folder = Scratch::new();
    let file = folder.path().join("abstraction.pl");
    std::fs::write(&file, program).unwrap();
    let print = format!("forall({goal}, (system:print(Trace), system:nl))");
    let output = Command::new("swipl")
        .args(["-q", "--on-error=status", "--on-warning=status", "-g", &print, "-t", "halt"])
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .expect("there is swipl; `make setup` installs SWI-Prolog");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{stderr}");
    String::from_utf8_lossy(&output.stdout).lines().map(rules_of).collect()
}

#[test]
fn prolog_enumerates_the_traces_that_are_listed() {
    let targets = [
        ("papers", "Lcm001#lcm"),
        ("papers", "ArrayPower#arraypower"),
        ("papers", "Vector#add"),
        ("guidance", "Fares#fare"),
        ("guidance", "Fares#ticket"),
        ("guidance", "Fares#print"),
    ];
    for (topic, target) in targets {
        let classes = format!("build/fixtures/{topic}");
        for precision in ["naive", "enhanced"] {
            let keeps = format!("--abstract={precision}");
            let program = printed(&["translate", "-c", &classes, &keeps, target]);
            let enumerated = traces_in_prolog(&program);
            let traces = format!("--traces={precision}");
            let bounded = ["cases", "-c", &classes, "--block-count", "2", &traces, target];
            let answer = json(&bounded);
            let listed = answer["traces"].as_array().unwrap();
            let rules = |trace: &Json| rules_of(trace["trace"].as_str().unwrap());
            if precision == "naive" {
                let all: Vec<String> = listed.iter().map(rules).collect();
                assert_eq!(all, enumerated, "{target}");
            }
            // What is known of numbers differs, but not whether inputs take a trace.
            for trace in listed.iter().filter(|trace| trace["verdict"] == "feasible") {
                let rules = rules(trace);
                assert!(enumerated.contains(&rules), "{target}, {precision}: {rules} is missing");
            }
        }
    }
}

#[test]
fn slices_enumerate_the_local_paths() {
    let classes = ["-c", "build/fixtures/papers", "Lcm001#lcm"];
    let sliced = ["translate", "--abstract", "--slice", "local-paths"];
    let enumerated = traces_in_prolog(&printed(&[&sliced[..], &classes].concat()));
    // The paper's four, and those in which a call ends with an exception.
    assert_eq!(enumerated.len(), 10);
    let listing = ["cases", "--traces", "--select", "local-paths"];
    let answer = json(&[&listing[..], &classes].concat());
    assert_eq!(answer["traces"].as_array().unwrap().len(), 10);
    assert_eq!((&answer["feasible"], &answer["open"]), (&3.into(), &7.into()));
}

#[test]
fn listed_traces_are_in_order_with_what_became_of_them() {
    let classes = ["-c", "build/fixtures/guidance"];
    let text = printed(&[&["cases"], &classes[..], &["--traces", "Fares#reduced(I)I"]].concat());
    let expected = "Fares#reduced(I)I, loop-2, all paths, traces of the naive abstraction\n\n\
         trace 1: feasible\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("\n4 traces: 1 feasible, 3 unfeasible, 0 open\n"), "{text}");
    let points = ["--traces", "--select", "points:Fares#basePrice@11", "Fares#fare"];
    let text = printed(&[&["cases"], &classes[..], &points].concat());
    assert!(text.contains("\ntowards Fares#basePrice, instruction 11\ntrace 1: "), "{text}");
    // What is printed of a feasible trace leads there again.
    let line = text.lines().skip_while(|line| !line.ends_with(": feasible")).nth(1).unwrap();
    let guided = ["--trace", line.trim(), "Fares#fare"];
    assert!(
        !json(&[&["cases"], &classes[..], &guided].concat())["cases"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

/// Classes without lines: offsets are all there is.
#[test]
fn points_in_callees_need_no_line_tables() {
    let folder = Scratch::new();
    let source = root().join("fixtures/guidance/Fares.java");
    let javac = Command::new(tool(&jdk(), "javac"))
        .args(["-g:none", "-d"])
        .args([folder.path(), &source])
        .output()
        .unwrap();
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    let classes = folder.path().to_str().unwrap();
    for strategy in ["plain", "guided"] {
        let select = |points: &str| {
            let points = format!("points:{points}");
            let options = ["--strategy", strategy, "--select", &points, "Fares#ticket"];
            json(&[&["cases", "-c", classes], &options[..]].concat())
        };
        // The exception: `wanted == 7`.
        let answer = select("Fares$Paper#price@6");
        let cases = answer["cases"].as_array().unwrap();
        assert_eq!(cases.len(), 1, "{answer}");
        assert_eq!(cases[0]["input"]["args"][1], 7);
        let answer = select("Fares$Card#price@2-5,Fares$Card#price@2-9");
        assert_eq!(answer["unreached"].as_array().unwrap().len(), 0, "{answer}");
    }
}

#[test]
fn points_that_are_nowhere_are_refused() {
    for (point, why) in [
        ("Nowhere#price@1", "there is no class Nowhere"),
        ("Fares#prices@1", "class Fares declares no such method"),
        ("Fares#extras@1", "Fares#extras is not reached from Fares.fare(II)I"),
        ("Fares#reduced@1", "more than one method; name it with its descriptor"),
        ("Fares#basePrice@3", "Fares.basePrice(I)I has no instruction at offset 3"),
        ("Fares#basePrice@2-3", "has no branch from instruction 2 to 3"),
        ("@2", "Fares.fare(II)I has no instruction at offset 2"),
    ] {
        let points = format!("points:{point}");
        let options = ["-c", "build/fixtures/guidance", "--select", &points, "Fares#fare"];
        let Finished { status, stdout, stderr } = petrel(&[&["cases"], &options[..]].concat());
        assert_eq!((status, &*stdout), (Some(2), ""), "{point}: {stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(why), "{stderr}");
    }
}

#[test]
fn a_program_is_covered_beside_the_method() {
    let select = |criterion| {
        let options = ["--loop", "4", "--select", criterion, "Fares#fare"];
        json(&[&["cases", "-c", "build/fixtures/guidance"], &options[..]].concat())
    };
    let (method, program) = (select("statements"), select("program-statements"));
    for answer in [&method, &program] {
        assert_eq!(answer["instructions"]["covered"], answer["instructions"]["total"]);
        assert_eq!(answer["program"]["methods"].as_array().unwrap().len(), 4);
    }
    let covered = |answer: &Json| answer["program"]["instructions"]["covered"].as_u64().unwrap();
    assert!(covered(&method) < covered(&program));
    // `return 0` in `reduced` is all that is left; nobody asks for such a reduction.
    let unreached = program["unreached"].as_array().unwrap();
    let left = program["program"]["instructions"]["total"].as_u64().unwrap() - covered(&program);
    assert_eq!((unreached.len() as u64, left), (2, 2), "{unreached:?}");
    assert!(unreached.iter().all(|point| point["why"] == "infeasible"), "{unreached:?}");
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let target = "Lcm001#lcm";
    let policy = ["--policy", "instructions > 3"];
    let with = |options: &[&'static str]| [options, &policy[..], &[target]].concat();
    for (arguments, why) in [
        (vec!["--strategy", "guided", target], "it goes with --select"),
        (with(&["--select", "branches", "--oracle", "naive"]), "give one of them"),
        (with(&["--trace", "lcm(1,_,_)", "--oracle", "naive"]), "does not go with --trace"),
        (
            vec!["--trace", "lcm(1,_,_)", "--select", "branches", "--strategy", "guided", target],
            "does not go with --trace",
        ),
        (vec!["--policy", "top 3 instructions", "--first", target], "not go with a ranking"),
        (
            vec!["--policy", "worst-case instructions", "--select", "branches", target],
            "does not go with a worst case",
        ),
        (vec!["--cost", "calls:gcd(J)I", target], "nothing that is reached calls a method gcd(J)I"),
    ] {
        let arguments = [&["cases", "-c", "build/fixtures/papers"], &arguments[..]].concat();
        let Finished { status, stdout, stderr } = petrel(&arguments);
        assert_eq!((status, &*stdout), (Some(2), ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(why), "{stderr}");
    }
    for options in [["--first", "--json"], ["--select", "branches"], ["--runners-up", "-1"]] {
        let arguments = [&["worst", "-c", "build/fixtures/papers", target], &options[..]].concat();
        let Finished { status, stdout, stderr } = petrel(&arguments);
        assert_eq!((status, &*stdout), (Some(2), ""), "{arguments:?}: {stderr}");
    }
    for format in ["--abstract", "--prolog"] {
        let arguments = ["translate", "-c", "build/fixtures/papers", "--json", format, target];
        let Finished { status, stdout, stderr } = petrel(&arguments);
        assert_eq!((status, &*stdout), (Some(2), ""), "{stderr}");
    }
}
