//! `petrel cases`: what goes in, what comes out, and the exit status.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod heaps;
mod outside;
mod refused;
mod texts;

use std::io::Read;
use std::process::{Command, Stdio};

use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::world;
use serde_json::Value as Json;

fn cases(topic: &str, arguments: &[&str]) -> Finished {
    let classes = format!("build/fixtures/{topic}");
    assert!(world::root().join(&classes).is_dir(), "`make fixtures` builds {classes}");
    let arguments = [&["cases", "-c", &classes], arguments].concat();
    Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(&arguments)
}

/// All paths are followed to their ends; gives what is printed.
#[track_caller]
fn complete(topic: &str, arguments: &[&str]) -> String {
    let Finished { status, stdout, stderr } = cases(topic, arguments);
    assert_eq!((status, &*stderr), (Some(0), ""), "{arguments:?}: {stdout}");
    stdout
}

#[track_caller]
fn json(topic: &str, arguments: &[&str]) -> Json {
    let text = complete(topic, &[&["--json"], arguments].concat());
    serde_json::from_str(&text).unwrap()
}

/// The sum of the numbers of branches, the total apart.
fn sum(branches: &Json) -> u64 {
    let members = branches.as_object().unwrap().iter();
    members.filter(|(name, _)| *name != "total").map(|(_, number)| number.as_u64().unwrap()).sum()
}

#[track_caller]
fn check_numbers(answer: &Json) {
    let (branches, ends) = (&answer["branches"], &answer["ends"]);
    assert_eq!(sum(branches), branches["total"].as_u64().unwrap(), "{branches}");
    let cases = answer["cases"].as_array().unwrap();
    let count =
        |kind: &str| cases.iter().filter(|case| case["outcome"]["kind"] == kind).count() as u64;
    assert_eq!(ends["returned"], count("return"), "{ends}");
    assert_eq!(ends["threw"], count("throw"), "{ends}");
    for (number, case) in (1..).zip(cases) {
        assert_eq!(case["id"], number);
        let symbolic = case["symbolic"]["args"].as_array().unwrap();
        assert_eq!(symbolic.len(), case["input"]["args"].as_array().unwrap().len());
        assert!(!case["trace"].as_str().unwrap().is_empty());
        assert!(case["lines"].as_array().is_some_and(|lines| !lines.is_empty()));
    }
    let covered = answer["instructions"]["covered"].as_u64().unwrap();
    assert!(covered <= answer["instructions"]["total"].as_u64().unwrap());
}

#[test]
fn json_has_what_scripts_know() {
    let answer = json("papers", &["Lcm003#lcm"]);
    assert_eq!(answer["schema"], 1);
    assert_eq!(answer["target"], "Lcm003#lcm(II)I");
    let criterion = r#"{"termination":"loop-2","selection":"all-paths","heap":"solver"}"#;
    assert_eq!(answer["criterion"].to_string(), criterion);
    check_numbers(&answer);
    let cases = answer["cases"].as_array().unwrap();
    let throwing = cases.iter().find(|case| case["outcome"]["kind"] == "throw").unwrap();
    assert_eq!(throwing["outcome"]["exception"], "java.lang.ArithmeticException");
    assert_eq!(throwing["output"]["message"], "/ by zero");
    assert_eq!(throwing["input"]["args"].to_string(), "[0,0]");
    assert_eq!(throwing["symbolic"]["args"].to_string(), r#"["x","y"]"#);
    assert!(throwing["trace"].as_str().unwrap().starts_with("lcm(1,[],[gcd(1,"), "{throwing}");
    assert!(answer["ends"]["cut"].as_u64().unwrap() > 0);
}

#[test]
fn numbers_add_up_for_all_kinds_of_methods() {
    let targets = [
        ("papers", "Lcm003#lcm"),
        ("papers", "Lcm003#gcd"),
        ("control", "Branches#median"),
        ("control", "Switches#dense"),
        ("control", "Switches#gaps"),
        ("calls", "Recursion#factorial"),
        ("calls", "Recursion#even"),
        ("calls", "Dispatch#area"),
        ("calls", "Constructors#failingArguments"),
    ];
    for (topic, target) in targets {
        check_numbers(&json(topic, &[target]));
    }
}

#[test]
fn all_branches_without_loops_are_covered() {
    for target in ["Branches#sign", "Branches#grade", "Switches#dense", "Switches#gaps"] {
        let branches = &json("control", &[target])["branches"];
        assert_eq!(branches["covered"], branches["total"], "{target}: {branches}");
        assert_ne!(branches["total"], 0, "{target}");
    }
}

#[test]
fn a_domain_is_two_numbers_however_it_is_given() {
    let apart = complete("papers", &["--domain", "-3..3", "Lcm003#lcm"]);
    assert_eq!(apart, complete("papers", &["--domain=-3..3", "Lcm003#lcm"]));
    let answer = json("papers", &["--domain", "5..9", "Lcm003#gcd"]);
    for case in answer["cases"].as_array().unwrap() {
        for argument in case["input"]["args"].as_array().unwrap() {
            assert!((5..=9).contains(&argument.as_i64().unwrap()), "{case}");
        }
    }
    // The loop is entered whatever the inputs are.
    assert_eq!(answer["branches"]["total"], 2);
}

#[test]
fn exceptions_can_be_left_out() {
    let with = json("papers", &["Lcm003#lcm"]);
    let without = json("papers", &["--exceptions", "exclude", "Lcm003#lcm"]);
    check_numbers(&without);
    assert_ne!(with["ends"]["threw"], 0);
    assert_eq!(without["ends"]["threw"], 0);
    assert_eq!(without["ends"]["excluded"], with["ends"]["threw"]);
    assert_eq!(without["ends"]["returned"], with["ends"]["returned"]);
}

#[test]
fn several_solutions_are_different() {
    let answer = json("papers", &["--solutions", "3", "Lcm003#gcd"]);
    for case in answer["cases"].as_array().unwrap() {
        let solutions = case["solutions"].as_array().unwrap();
        assert!(!solutions.is_empty() && solutions.len() <= 3, "{case}");
        assert_eq!(solutions[0]["input"], case["input"]);
        assert_eq!(solutions[0]["output"], case["output"]);
        for (position, solution) in solutions.iter().enumerate() {
            let before = &solutions[..position];
            assert!(before.iter().all(|other| other["input"] != solution["input"]), "{case}");
        }
    }
}

/// What `--label` tries first, against all inputs in their order.
#[test]
fn labels_come_in_the_order_that_is_asked_for() {
    let clamped = |[value, least, most]: [i64; 3]| match (value < least, value > most) {
        (true, _) => least,
        (false, true) => most,
        (false, false) => value,
    };
    let side = |[value, least, most]: [i64; 3]| (value < least, value >= least && value > most);
    let numbers = -2..=2;
    let all: Vec<[i64; 3]> = numbers
        .clone()
        .flat_map(|value| numbers.clone().map(move |least| (value, least)))
        .flat_map(|(value, least)| numbers.clone().map(move |most| [value, least, most]))
        .collect();
    let asked = ["Thesis#clamp", "--domain=-2..2", "--solutions", "4", "--label", "first"];
    let answer = json("papers", &asked);
    let cases = answer["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let solutions = case["solutions"].as_array().unwrap();
        let inputs: Vec<[i64; 3]> = solutions
            .iter()
            .map(|solution| serde_json::from_value(solution["input"]["args"].clone()).unwrap())
            .collect();
        let on_path = all.iter().copied().filter(|&input| side(input) == side(inputs[0]));
        let expected: Vec<[i64; 3]> = on_path.take(4).collect();
        assert_eq!(inputs, expected);
        for (solution, input) in solutions.iter().zip(inputs) {
            assert_eq!(solution["output"]["value"], clamped(input));
        }
    }
}

#[test]
fn a_larger_bound_gives_more_cases() {
    let count = |options: &[&str]| {
        let answer = json("papers", &[options, &["Lcm003#gcd"]].concat());
        answer["cases"].as_array().unwrap().len()
    };
    assert!(count(&["--loop", "1"]) < count(&["--loop", "3"]));
    assert!(count(&["--block-count", "2"]) < count(&["--block-count", "4"]));
    assert_eq!(count(&[]), count(&["--loop", "2"]));
}

#[test]
fn what_is_unsupported_is_listed() {
    let Finished { status, stdout, stderr } = cases("derivation", &["OutOfReach#sleep"]);
    assert_eq!(status, Some(1), "{stdout}{stderr}");
    assert_eq!(
        stderr,
        "unsupported: threads, at OutOfReach.sleep()V (OutOfReach.java:27): 1 path\n"
    );
    assert!(
        stdout
            .contains("unsupported: threads, at OutOfReach.sleep()V (OutOfReach.java:27): 1 path"),
        "{stdout}"
    );
    let finished = cases("derivation", &["--json", "OutOfReach#sleep"]);
    assert_eq!((finished.status, &*finished.stderr), (Some(1), ""));
    let answer: Json = serde_json::from_str(&finished.stdout).unwrap();
    let expected =
        r#"[{"what":"threads","where":"OutOfReach.sleep()V (OutOfReach.java:27)","count":1}]"#;
    assert_eq!(answer["ends"]["unsupported"].to_string(), expected);
}

#[test]
fn limits_are_listed() {
    for limit in [["--steps", "3"], ["--depth", "1"]] {
        let arguments = [&limit[..], &["Lcm003#lcm"]].concat();
        let Finished { status, stderr, .. } = cases("papers", &arguments);
        assert_eq!(status, Some(1), "{limit:?}: {stderr}");
        assert!(stderr.starts_with("limit reached: "), "{limit:?}: {stderr}");
        let finished = cases("papers", &[&["--json"], &*arguments].concat());
        assert_eq!((finished.status, &*finished.stderr), (Some(1), ""));
        let answer: Json = serde_json::from_str(&finished.stdout).unwrap();
        check_numbers(&answer);
        let limits = answer["ends"]["limit"].as_object().unwrap();
        assert_eq!(limits.len(), 1, "{limits:?}");
    }
}

/// The text without the digits of times.
fn without_times(text: &str) -> String {
    const TIME: &str = "_us\":";
    let mut parts = text.split(TIME);
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest += TIME;
        rest += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    rest
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for options in [&["--loop", "4"][..], &["--block-count", "5", "--solutions", "2"]] {
        let with_jobs = |jobs: &str, json: &[&str]| {
            let arguments = [options, json, &["-j", jobs, "--seed", "7", "Lcm003#lcm"]].concat();
            without_times(&complete("papers", &arguments))
        };
        for json in [&[][..], &["--json"]] {
            let alone = with_jobs("1", json);
            assert!(alone.len() > 1000, "{alone}");
            assert!(alone == with_jobs("2", json), "{options:?} {json:?}");
            assert!(alone == with_jobs("3", json), "{options:?} {json:?}");
        }
    }
}

/// What is printed is far more than a pipe holds.
#[test]
fn a_reader_that_goes_away_is_no_bug() {
    for json in [&[][..], &["--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_petrel"))
            .args(["cases", "-c", "build/fixtures/control", "--loop", "300", "Loops#sum"])
            .args(json)
            .current_dir(world::root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert_eq!(stderr, "");
    }
}

#[test]
fn the_help_has_all_options() {
    let finished = Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(["cases", "--help"]);
    assert_eq!(finished.status, Some(0));
    for option in [
        "--block-count",
        "--loop",
        "--depth",
        "--steps",
        "--time",
        "--max-array",
        "--domain",
        "--heap",
        "--assume",
        "--max-receivers",
        "--symbolic-statics",
        "--exceptions",
        "--solutions",
        "--smt",
        "--select",
        "--jobs",
        "--seed",
    ] {
        assert!(finished.stdout.contains(option), "{option}: {}", finished.stdout);
    }
    for word in ["lazy-no-alias", "simulation", "non-sharing(x, y)", "acyclic(x, field)"] {
        assert!(finished.stdout.contains(word), "{word}: {}", finished.stdout);
    }
    let all = Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(["--help"]);
    assert!(all.stdout.contains("Finds the test cases of a method"), "{}", all.stdout);
}

#[test]
fn modes_and_other_heap_options_are_told() {
    for mode in ["solver", "lazy", "lazy-no-alias", "simulation"] {
        let answer = json("papers", &["--heap", mode, "Lcm003#abs"]);
        assert_eq!(answer["criterion"]["heap"], mode);
        assert_eq!(answer["cases"].as_array().unwrap().len(), 2, "{mode}");
    }
    let text = complete("papers", &["--heap", "lazy", "--max-receivers", "1", "Lcm003#abs"]);
    assert!(text.starts_with("Lcm003#abs(I)I, loop-2, all paths, heap lazy\n"), "{text}");
}

#[test]
fn overflows_are_beside_the_cases() {
    let told = json("arithmetic", &["--goals", "overflow", "Overflows#average"]);
    let verdicts: Vec<&Json> =
        told["overflow"].as_array().unwrap().iter().map(|of| &of["verdict"]).collect();
    assert_eq!(verdicts, ["overflows", "cannot_overflow"]);
    let found = &told["cases"][0]["overflows"][0];
    assert_eq!(found["operations"][0]["operation"], "addition");
    assert_eq!(found["operations"][0]["type"], "int");
    assert_eq!(found["input"]["args"].as_array().unwrap().len(), 2);
    let text = complete("arithmetic", &["--goals", "overflow", "Overflows#average"]);
    assert!(text.contains("int addition: overflows"), "{text}");
    assert!(text.contains("int division: cannot overflow"), "{text}");
    let plain = json("arithmetic", &["Overflows#average"]);
    assert_eq!(plain["overflow"], serde_json::json!([]));
    let others = ["--goals", "overflow", "--select", "branches", "Overflows#average"];
    assert_eq!(cases("arithmetic", &others).status, Some(2));
}

#[test]
fn edges_are_further_inputs() {
    let told = json("arithmetic", &["--boundary", "Overflows#absoluteOfSmall"]);
    let mut inputs = Vec::new();
    for case in told["cases"].as_array().unwrap() {
        for solution in case["solutions"].as_array().unwrap() {
            inputs.push(solution["input"]["args"][0].as_i64().unwrap());
        }
    }
    inputs.sort_unstable();
    inputs.dedup();
    assert_eq!(inputs, [-101, -100, -99, -98, -2, -1, 0, 1]);
}

/// What is next to a `double` is the next one.
#[test]
fn reals_have_edges() {
    let told = json("floats", &["--boundary", "Thresholds#grade"]);
    let cases = told["cases"].as_array().unwrap();
    let inputs = cases.iter().flat_map(|case| case["solutions"].as_array().unwrap());
    let inputs: Vec<f64> = inputs
        .map(|solution| solution["input"]["args"][0].as_str().unwrap().parse().unwrap())
        .collect();
    for edge in [60.0_f64, 70.0, 80.0, 90.0] {
        for place in [edge, edge.next_up(), edge.next_down(), edge.next_down().next_down()] {
            assert!(inputs.contains(&place), "{place} is not in {inputs:?}");
        }
    }
}
