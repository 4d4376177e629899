//! `petrel run`: results, exceptions, output, and what ends a run early.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::world;

fn run(topic: &str, arguments: &[&str]) -> Finished {
    let classes = format!("build/fixtures/{topic}");
    assert!(world::root().join(&classes).is_dir(), "`make fixtures` builds {classes}");
    let arguments = [&["run", "-c", &classes], arguments].concat();
    Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(&arguments)
}

#[track_caller]
fn check(topic: &str, arguments: &[&str], expected: &str) {
    let Finished { status, stdout, stderr } = run(topic, arguments);
    assert_eq!((status, &*stdout, &*stderr), (Some(0), expected, ""));
}

#[track_caller]
fn check_refused(topic: &str, arguments: &[&str], parts: &[&str]) {
    let Finished { status, stdout, stderr } = run(topic, arguments);
    assert_eq!((status, &*stdout), (Some(2), ""), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr:?}");
    }
}

#[test]
fn values_are_printed_as_java_writes_them() {
    check("papers", &["Lcm003#lcm", "4", "6"], "12\n");
    check("derivation", &["Printed#ints", "3"], "[0, 1, 2]\n");
    check("derivation", &["Printed#nested"], "[[1, 2], null, []]\n");
    check("derivation", &["Printed#real", "0.1f"], "0.1\n");
    check("derivation", &["Printed#wide", "1e22"], "1.0E22\n");
    check("derivation", &["Printed#unit", "65"], "A\n");
    check("derivation", &["Printed#nothing"], "");
    check("derivation", &["Printed#none"], "null\n");
    check("derivation", &["Printed#object"], "point (1, 2)\n");
}

#[test]
fn arguments_are_literals_and_bare_words() {
    check(
        "derivation",
        &["Printed#all", "-5", "-7L", "1.5f", "x", "true", "null"],
        "-5 -7 1.5 x true null\n",
    );
    check(
        "derivation",
        &["Printed#all", "5", "7", "2", "'x'", "false", "a b"],
        "5 7 2.0 x false a b\n",
    );
    check("derivation", &["Printed#length", "{{1,2},null,{3}}"], "3\n");
    check("derivation", &["Printed#join", r#"{"a", b, null}"#], "a-b-null\n");
}

#[test]
fn exceptions_are_printed_with_their_message() {
    check("derivation", &["Printed#fail", "bad"], "throws java.lang.IllegalStateException: bad\n");
    check("derivation", &["Printed#fail", "null"], "throws java.lang.IllegalStateException\n");
}

#[test]
fn what_the_program_prints_comes_before_the_result() {
    let Finished { status, stdout, stderr } = run("derivation", &["Printed#talk", "7"]);
    assert_eq!((status, &*stdout, &*stderr), (Some(0), "out 7 \u{e9}\n8\n", "err 7"));
}

#[test]
fn options_may_follow_the_arguments() {
    let finished = Petrel::new(env!("CARGO_BIN_EXE_petrel")).run([
        "run",
        "Lcm003#lcm",
        "4",
        "-6",
        "-c",
        "build/fixtures/papers",
    ]);
    assert_eq!((finished.status, &*finished.stderr), (Some(0), ""));
}

#[test]
fn what_is_unsupported_ends_with_status_1_and_the_place() {
    let Finished { status, stdout, stderr } = run("derivation", &["OutOfReach#clock"]);
    assert_eq!((status, &*stdout), (Some(1), ""));
    assert!(
        stderr.starts_with("unsupported: the clock\n  at OutOfReach.clock()J (OutOfReach.java:")
    );
}

#[test]
fn a_limit_of_steps_ends_an_endless_loop() {
    let Finished { status, stderr, .. } =
        run("derivation", &["--steps", "1000", "Printed#endless", "1"]);
    assert_eq!(status, Some(1));
    assert!(stderr.starts_with("limit reached: 1000 steps\n  at Printed.endless(I)I"), "{stderr}");
}

#[test]
fn an_outcome_that_the_jvm_does_not_fix_is_marked() {
    let Finished { status, stderr, .. } = run("derivation", &["Instability#sine", "0.5"]);
    assert_eq!(status, Some(0));
    assert!(stderr.starts_with("note: the value depends on what the JVM does not fix"), "{stderr}");
}

#[test]
fn json_has_the_outcome_and_the_output() {
    let Finished { status, stdout, stderr } = run("derivation", &["--json", "Printed#talk", "7"]);
    assert_eq!((status, &*stderr), (Some(0), ""));
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(json["outcome"], serde_json::json!({"kind": "return", "value": "8"}));
    assert_eq!(json["stdout"], "out 7 \u{e9}\n");
    assert_eq!(json["stderr"], "err 7");
    assert_eq!(json["unstable"], false);
    let thrown = run("derivation", &["--json", "Printed#fail", "bad"]);
    let json: serde_json::Value = serde_json::from_str(&thrown.stdout).unwrap();
    assert_eq!(
        json["outcome"],
        serde_json::json!({
            "kind": "throw",
            "exception": "java.lang.IllegalStateException",
            "message": "bad",
        })
    );
}

#[test]
fn bad_arguments_are_refused_with_the_position() {
    check_refused("papers", &["Lcm003#lcm", "4", "x"], &["argument 2", "x"]);
    check_refused("papers", &["Lcm003#lcm", "4", "2147483648"], &["argument 2", "2147483648"]);
    check_refused(
        "papers",
        &["Lcm003#lcm", "4"],
        &["no static method takes 1 argument", "lcm(II)I"],
    );
    check_refused("papers", &["Lcm003#nothing"], &["has no method nothing"]);
    check_refused("derivation", &["Printed#instance"], &["it is not static"]);
    check_refused(
        "derivation",
        &["Printed#twice", "1"],
        &["several methods", "twice(I)I", "twice(J)J"],
    );
    check("derivation", &["Printed#twice(J)J", "1"], "2\n");
}
