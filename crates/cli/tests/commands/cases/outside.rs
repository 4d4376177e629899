//! Inputs that come from calls: `--unknown`, `--assume-by`, and what the machine answers.

use serde_json::{Value as Json, json};

use super::{cases, check_numbers, complete, json, without_times};

/// With which a harness is run as it is.
const DECLARED: [&str; 4] =
    ["--unknown", "Harness$World#any*", "--assume-by", "Harness$World#assume"];

fn of_harness(target: &str, more: &[&str]) -> Json {
    let answer = json("outside", &[&DECLARED, more, &[target]].concat());
    check_numbers(&answer);
    answer
}

/// The answers of each case, and what it returns.
fn answers(answer: &Json) -> Vec<(Vec<Json>, Json)> {
    let cases = answer["cases"].as_array().unwrap().iter();
    let given = |case: &Json| {
        let answers = case["input"]["answers"].as_array().cloned().unwrap_or_default();
        answers.iter().map(|answer| answer["value"].clone()).collect()
    };
    cases.map(|case| (given(case), case["output"]["value"].clone())).collect()
}

#[test]
fn answers_are_inputs_in_the_order_of_calls() {
    let answer = of_harness("Harness#twoAnswersDiffer", &[]);
    let expected = [([0, 0], 0), ([7, 0], 0), ([7, 8], 1)];
    let expected = expected.map(|(given, result)| (given.map(Json::from).to_vec(), json!(result)));
    assert_eq!(answers(&answer), expected);
    let first = &answer["cases"][0]["input"]["answers"][0];
    assert_eq!(first["method"], "Harness$World#anyInt()I");
    assert_eq!(answer["cases"][2]["constraints"][1], "World.anyInt#2 == 8");
}

#[test]
fn answers_may_be_strings_and_reals() {
    let strings = answers(&of_harness("Harness#string", &[]));
    assert!(strings.contains(&(vec![json!("petrel")], json!(true))), "{strings:?}");
    let reals = answers(&of_harness("Harness#real", &[]));
    assert!(reals.iter().any(|(_, result)| *result == 1), "{reals:?}");
}

#[test]
fn paths_against_an_assumption_are_none() {
    let answer = of_harness("Harness#assumptionExcludes", &[]);
    for (given, _) in answers(&answer) {
        assert!((4..10).contains(&given[0].as_i64().unwrap()), "{given:?}");
    }
    assert_eq!(
        (&answer["branches"]["covered"], &answer["branches"]["infeasible"]),
        (&json!(5), &json!(3))
    );
    let answer = of_harness("Harness#assumedFalse", &[]);
    assert_eq!(answers(&answer), []);
}

#[test]
fn guidance_and_workers_take_answers_as_the_plain_search_does() {
    let of = |more: &[&str]| of_harness("Harness#twoAnswersDiffer", more);
    assert_eq!(of(&["--select", "branches"])["branches"]["covered"], 4);
    let with = |jobs: &str| {
        let arguments = [&DECLARED[..], &["--json", "--loop", "3", "-j", jobs, "Harness#sum"]];
        complete("outside", &arguments.concat())
    };
    let alone = with("1");
    let read: Json = serde_json::from_str(&alone).unwrap();
    assert!(answers(&read).iter().any(|(_, result)| *result == 1));
    assert_eq!(without_times(&alone), without_times(&with("2")));
}

#[test]
fn a_method_of_an_object_or_of_the_library_can_be_unknown() {
    let answer = json("outside", &["--unknown", "Harness$Thermometer#read", "Harness#hot"]);
    assert_eq!(answer["branches"]["covered"], 2);
    let clock = ["--unknown", "java.lang.System#currentTimeMillis", "Harness#late"];
    let answer = json("outside", &clock);
    assert_eq!(answer["branches"]["covered"], 2);
    assert_eq!(answer["cases"][0]["unstable_decision"], Json::Null);
}

#[test]
fn what_the_machine_answers_is_an_input_that_nobody_can_set() {
    let answer = json("outside", &["Harness#late"]);
    assert_eq!(answer["branches"]["covered"], 2);
    for case in answer["cases"].as_array().unwrap() {
        assert!(case["unstable_decision"].is_string(), "{case}");
        let method = &case["input"]["answers"][0]["method"];
        assert_eq!(*method, "java.lang.System#currentTimeMillis()J");
    }
}

#[test]
fn an_answer_names_the_setting_that_was_asked_for() {
    let answer = json("verdicts", &["MachineInputVerdicts#foundPropertyOrElse"]);
    let asked = |case: &Json| {
        let asked = case["input"]["answers"][0].clone();
        assert_eq!(
            asked["method"],
            "java.lang.System#getProperty(Ljava/lang/String;)Ljava/lang/String;"
        );
        assert_eq!(asked["key"], "my.mode");
        assert!(case["unstable_decision"].is_string(), "{case}");
        asked["value"].clone()
    };
    let values: Vec<Json> = answer["cases"].as_array().unwrap().iter().map(asked).collect();
    assert_eq!(values, [json!(""), json!("slow"), Json::Null]);
    let told = complete("verdicts", &["MachineInputVerdicts#foundPropertyOrElse"]);
    assert!(
        told.contains("input   java.lang.System.getProperty(\"my.mode\") = \"slow\""),
        "{told}"
    );
}

#[test]
fn what_is_declared_has_to_be_there() {
    let refused = [
        (["--unknown", "Harness$World#nothing"], "there is no such method"),
        (["--unknown", "Nowhere#any*"], "--unknown Nowhere#any*"),
        (["--unknown", "Harness"], "must be pkg.Class#method"),
        (["--assume-by", "Harness$World#anyInt"], "takes a boolean and returns nothing"),
    ];
    for (option, why) in refused {
        let finished = cases("outside", &[&option[..], &["Harness#real"]].concat());
        assert_eq!(finished.status, Some(2), "{option:?}");
        assert!(finished.stderr.contains(why), "{}", finished.stderr);
        assert_eq!(finished.stdout, "");
    }
}
