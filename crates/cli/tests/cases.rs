//! `petrel cases`: what goes in, what comes out, and the exit status.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::io::Read;
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};
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

#[track_caller]
fn check_text(topic: &str, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&complete(topic, arguments));
}

/// Nothing is printed but one message with all of this in it.
#[track_caller]
fn check_refused(topic: &str, arguments: &[&str], parts: &[&str]) {
    let Finished { status, stdout, stderr } = cases(topic, arguments);
    assert_eq!((status, &*stdout), (Some(2), ""), "{arguments:?}: {stderr}");
    assert!(stderr.starts_with("error: "), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr:?}");
    }
    assert!(!stderr.contains('\u{1f}'), "{stderr:?}");
}

#[test]
fn the_target_must_be_one_method_with_code() {
    check_refused("papers", &["Missing#lcm"], &["Missing", "--class-path"]);
    check_refused("papers", &["Lcm003#lxm"], &["lxm", "lcm(II)I", "gcd(II)I"]);
    check_refused("papers", &["Lcm003#lcm(I)I"], &["lcm(I)I", "lcm(II)I"]);
    check_refused("papers", &["Lcm003"], &["one method", "Lcm003#lcm(II)I", "Lcm003#gcd(II)I"]);
    check_refused(
        "papers",
        &["java.lang.Math#abs"],
        &["one method", "java.lang.Math#abs(I)I", "java.lang.Math#abs(J)J"],
    );
    check_refused("papers", &["java.util.List#size"], &["java.util.List#size", "abstract"]);
    check_refused("papers", &["java.lang.Object#hashCode"], &["hashCode", "native"]);
    check_refused("found", &["OwnInitialiser#<clinit>"], &["no method that can be called"]);
    check_refused("papers", &["-5"], &["-5"]);
    check_refused("papers", &[], &["<TARGET>"]);
}

#[test]
fn inputs_that_cannot_be_unknown_are_named() {
    check_refused("papers", &["Vector#add"], &["Vector#add", "static"]);
    check_refused("arrays", &["ArrayFaults#get"], &["parameter", "int[]"]);
    check_refused("derivation", &["Printed#wide"], &["parameter", "double"]);
}

#[test]
fn numbers_must_make_sense() {
    let wrong = [
        (["--block-count", "0"], "at least 1"),
        (["--block-count", "-1"], "negative"),
        (["--loop", "0"], "at least 1"),
        (["--loop", "-3"], "'-3'"),
        (["--loop", "two"], "whole number"),
        (["--loop", "1.5"], "whole number"),
        (["--loop", "4294967296"], "too large"),
        (["--depth", "0"], "at least 1"),
        (["--depth", "-1"], "negative"),
        (["--steps", "0"], "at least 1"),
        (["--steps", "-1"], "negative"),
        (["--time", "0"], "above 0"),
        (["--time", "-1.5"], "'-1.5'"),
        (["--time", "NaN"], "above 0"),
        (["--time", "soon"], "seconds"),
        (["--max-array", "-1"], "negative"),
        (["--solutions", "0"], "at least 1"),
        (["--solutions", "-1"], "negative"),
        (["--jobs", "0"], "at least 1"),
        (["-j", "-1"], "negative"),
        (["--seed", "-1"], "negative"),
        (["--domain", "5"], ".."),
        (["--domain", "5.."], "whole number"),
        (["--domain", "..5"], "whole number"),
        (["--domain", "a..5"], "`a`"),
        (["--domain", "5..-5"], "5 is above -5"),
        (["--domain", "0..9223372036854775808"], "long"),
    ];
    for ([option, value], part) in wrong {
        check_refused("papers", &[option, value, "Lcm003#lcm"], &[option, part]);
    }
}

#[test]
fn words_must_be_known() {
    let target = "Lcm003#lcm";
    check_refused("papers", &["--exceptions", "maybe", target], &["include", "exclude"]);
    for criterion in ["local-paths", "statements", "branches", "points:3,5"] {
        let parts = ["--select", criterion, "not supported yet"];
        check_refused("papers", &["--select", criterion, target], &parts);
    }
    check_refused("papers", &["--select", "some", target], &["no such criterion", "all-paths"]);
    let both = ["--loop", "1", "--block-count", "1", target];
    check_refused("papers", &both, &["--loop", "--block-count"]);
    check_refused("papers", &["--frobnicate", target], &["--frobnicate"]);
}

#[test]
fn an_smt_solver_that_is_not_there_is_named() {
    let arguments = ["--smt", "no-such-solver --fast", "Lcm003#lcm"];
    check_refused("papers", &arguments, &["no-such-solver"]);
}

#[test]
fn a_domain_without_a_value_of_a_type_is_refused() {
    let arguments = ["--domain", "200..300", "Families$Narrowing#incrementedByte"];
    check_refused("arithmetic", &arguments, &["200..300", "byte"]);
}

#[test]
fn cases_are_text_for_people() {
    check_text(
        "control",
        &["Branches#sign"],
        expect![[r#"
        Branches#sign(I)I, loop-2, all paths

        case 1: returns 0
          if      x <= 0, x >= 0
          input   x = 0
          lines   Branches.java:8, 10, 13
          trace   sign(1,[],[sign_if_1(1,[],[sign_if_7(1,[],[])])])

        case 2: returns -1
          if      x <= 0, x < 0
          input   x = -1
          lines   Branches.java:8, 10, 11
          trace   sign(1,[],[sign_if_1(1,[],[sign_if_7(2,[],[])])])

        case 3: returns 1
          if      x > 0
          input   x = 1
          lines   Branches.java:8, 9
          trace   sign(1,[],[sign_if_1(2,[],[])])

        3 cases: 3 return, 0 throw
          branches      4 of 4 covered
          instructions  10 of 10 covered
          paths         0 infeasible, 0 cut by loop-2
          steps         5
    "#]],
    );
    check_text(
        "papers",
        &["--loop", "1", "Lcm003#gcd"],
        expect![[r#"
        Lcm003#gcd(II)I, loop-1, all paths

        case 1: returns 1
          if      y == 0, x < 0
          input   x = -1, y = 0
          result  -x
          lines   Lcm003.java:13, 18, 22, 25
          trace   gcd(1,[],[gcd_loop_0(1,[],[gcd_if_1(1,[],[abs(1,[],[abs_if_1(1,[],[])]),gcd_call_16(1,[],[])])])])

        case 2: returns 0
          if      y == 0, x >= 0
          input   x = 0, y = 0
          result  x
          lines   Lcm003.java:13, 18, 22, 23
          trace   gcd(1,[],[gcd_loop_0(1,[],[gcd_if_1(1,[],[abs(1,[],[abs_if_1(2,[],[])]),gcd_call_16(1,[],[])])])])

        case 3: returns 1
          if      y != 0, x % y == 0, y < 0
          input   x = 0, y = -1
          result  -y
          lines   Lcm003.java:13, 14, 15, 16, 17, 18, 22, 25
          trace   gcd(1,[],[gcd_loop_0(1,[],[gcd_if_1(2,[],[gcd_rem_6(1,[],[gcd_loop_0(1,[],[gcd_if_1(1,[],[abs(1,[],[abs_if_1(1,[],[])]),gcd_call_16(1,[],[])])])])])])])

        case 4: returns 1
          if      y != 0, x % y == 0, y > 0
          input   x = 0, y = 1
          result  y
          lines   Lcm003.java:13, 14, 15, 16, 17, 18, 22, 23
          trace   gcd(1,[],[gcd_loop_0(1,[],[gcd_if_1(2,[],[gcd_rem_6(1,[],[gcd_loop_0(1,[],[gcd_if_1(1,[],[abs(1,[],[abs_if_1(2,[],[])]),gcd_call_16(1,[],[])])])])])])])

        4 cases: 4 return, 0 throw
          branches      2 of 2 covered
          instructions  14 of 14 covered
          paths         0 infeasible, 1 cut by loop-1
          steps         19
    "#]],
    );
}

#[test]
fn values_are_literals_of_their_types() {
    check_text(
        "control",
        &["Branches#grade"],
        expect![[r#"
        Branches#grade(I)C, loop-2, all paths

        case 1: returns 'F'
          if      points < 90, points < 70, points < 50
          input   points = 0
          lines   Branches.java:26, 28, 30, 33, 35
          trace   grade(1,[],[grade_if_3(1,[],[grade_if_15(1,[],[grade_if_27(1,[],[grade_cont_39(1,[],[])])])])])

        case 2: returns 'C'
          if      points < 90, points < 70, points >= 50
          input   points = 50
          lines   Branches.java:26, 28, 30, 31, 35
          trace   grade(1,[],[grade_if_3(1,[],[grade_if_15(1,[],[grade_if_27(2,[],[grade_cont_39(1,[],[])])])])])

        case 3: returns 'B'
          if      points < 90, points >= 70
          input   points = 70
          lines   Branches.java:26, 28, 29, 35
          trace   grade(1,[],[grade_if_3(1,[],[grade_if_15(2,[],[grade_cont_39(1,[],[])])])])

        case 4: returns 'A'
          if      points >= 90
          input   points = 90
          lines   Branches.java:26, 27, 35
          trace   grade(1,[],[grade_if_3(2,[],[grade_cont_39(1,[],[])])])

        4 cases: 4 return, 0 throw
          branches      6 of 6 covered
          instructions  22 of 22 covered
          paths         0 infeasible, 0 cut by loop-2
          steps         11
    "#]],
    );
}

#[test]
fn of_several_inputs_each_says_what_it_gives() {
    check_text(
        "papers",
        &["--solutions", "3", "Lcm003#abs"],
        expect![[r#"
        Lcm003#abs(I)I, loop-2, all paths

        case 1: returns 1
          if      x < 0
          input   x = -1: returns 1
                  x = -2: returns 2
                  x = -3: returns 3
          result  -x
          lines   Lcm003.java:22, 25
          trace   abs(1,[],[abs_if_1(1,[],[])])

        case 2: returns 0
          if      x >= 0
          input   x = 0: returns 0
                  x = 1: returns 1
                  x = 2: returns 2
          result  x
          lines   Lcm003.java:22, 23
          trace   abs(1,[],[abs_if_1(2,[],[])])

        2 cases: 2 return, 0 throw
          branches      2 of 2 covered
          instructions  7 of 7 covered
          paths         0 infeasible, 0 cut by loop-2
          steps         3
    "#]],
    );
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
    let Finished { status, stdout, stderr } = cases("derivation", &["OutOfReach#clock"]);
    assert_eq!(status, Some(1), "{stdout}{stderr}");
    assert_eq!(
        stderr,
        "unsupported: the clock, at OutOfReach.clock()J (OutOfReach.java:7): 1 path\n"
    );
    assert!(
        stdout
            .contains("unsupported: the clock, at OutOfReach.clock()J (OutOfReach.java:7): 1 path"),
        "{stdout}"
    );
    let finished = cases("derivation", &["--json", "OutOfReach#clock"]);
    assert_eq!((finished.status, &*finished.stderr), (Some(1), ""));
    let answer: Json = serde_json::from_str(&finished.stdout).unwrap();
    let expected =
        r#"[{"what":"the clock","where":"OutOfReach.clock()J (OutOfReach.java:7)","count":1}]"#;
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
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("cannot write the output"), "{stderr}");
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
        "--exceptions",
        "--solutions",
        "--smt",
        "--select",
        "--jobs",
        "--seed",
    ] {
        assert!(finished.stdout.contains(option), "{option}: {}", finished.stdout);
    }
}
