//! Files of residual generators: what is written is read, and what is changed is refused.

use petrel_testcase::{
    Cut, Decision, Incomplete, Parametric, Prefix, Residual, RuleApplied, Termination, Unfinished,
};
use serde_json::{Value as Json, json};

use super::*;
use crate::{FinishedCase, FinishedOutcome, Origin, Saved, SavedError};

/// Decisions as a file has them.
fn prefix(decisions: &[(u32, bool)]) -> Prefix {
    let decision = |&(alternative, is_choice): &(u32, bool)| Decision { alternative, is_choice };
    let decisions = decisions.iter().map(decision).collect();
    Prefix { decisions, model: Some(vec![i64::MIN, 5]), counted_steps: 4 }
}

fn residual() -> Residual {
    let mut summary = Summary::default();
    summary.ends.returned = 1;
    summary.ends.threw = 1;
    summary.ends.limits.insert(Limit::Choices(5), 4);
    let what = Feature::CallOnInterface { method: "m".to_owned(), receiver: None };
    summary.ends.unsupported.insert(Stopped { what, place: None }, 6);
    for why in [Incomplete::Limit, Incomplete::Unsupported] {
        summary.cuts.insert(Cut { why, pc: 7, in_callee: true });
    }
    summary.rules.insert(RuleApplied { predicate: 8, rule: 9 });
    let linear = [((1, 2, "n".to_owned()), (3, 4))].into();
    summary.parametric.insert("memory".to_owned(), Parametric { largest: Some(-3), linear });
    summary.steps = 10;
    summary.solver.lemmas = 11;
    let parts = [
        prefix(&[(0, true), (0, true)]),
        prefix(&[(0, true), (1, true), (0, false)]),
        prefix(&[(1, true)]),
    ];
    for prefix in parts {
        let trace = "m(1,[],[])".parse().ok();
        summary.unfinished.push(Unfinished { prefix, trace });
    }
    Residual::new(summary)
}

fn written() -> Json {
    let origin = Origin {
        jdk: "17.0.1".to_owned(),
        arguments: vec!["cases".to_owned()],
        classes: [("A".to_owned(), "0".to_owned())].into(),
    };
    let cases = vec![
        FinishedCase {
            arguments: Some(vec![1, i64::MIN]),
            call: None,
            outcome: FinishedOutcome::Return { value: None },
        },
        FinishedCase {
            arguments: None,
            call: None,
            outcome: FinishedOutcome::Throw { exception: "A".to_owned() },
        },
    ];
    let mut saved = Saved::new(origin, Termination::BlockCount(3), cases, &residual());
    saved.unfinished[1].goal = Some(vec!["g(X)".to_owned()]);
    let mut text = Vec::new();
    saved.write(&mut text).unwrap();
    let json: Json = serde_json::from_slice(&text).unwrap();
    schema::check("saved", &json);
    json
}

#[test]
fn what_is_written_is_read() {
    let json = written();
    let saved = Saved::read(&json.to_string()).unwrap();
    assert_eq!(format!("{:?}", saved.residual()), format!("{:?}", residual()));
    assert_eq!(serde_json::to_value(&saved).unwrap(), json);
    assert_eq!(json["unfinished"][1]["decisions"], "0+ 1+ 0");
    assert_eq!(json["termination"], json!({ "block-count": 3 }));
}

/// What is said of a file after a change.
#[track_caller]
fn refused(change: impl FnOnce(&mut Json), reason: &str) {
    let mut json = written();
    change(&mut json);
    match Saved::read(&json.to_string()) {
        Err(SavedError::Damaged(why)) => assert!(why.contains(reason), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn changed_derivations_are_refused() {
    let entry = |json: &mut Json, number: usize, member: &str, value: Json| {
        json["unfinished"][number][member] = value;
    };
    let changes = [
        (0, "trace", json!("m(2,[],[])")),
        (1, "decisions", json!("0+ 1+ 1")),
        (2, "model", json!([0, 5])),
        (2, "model", Json::Null),
        (0, "steps", json!(5)),
        (1, "goal", json!([])),
        (1, "checksum", json!("00000000")),
    ];
    for (number, member, value) in changes {
        let said = format!("derivation {} is not as it was written", number + 1);
        refused(|json| entry(json, number, member, value), &said);
    }
    refused(|json| entry(json, 0, "trace", json!("m(")), "is no trace");
    refused(|json| entry(json, 0, "decisions", json!("0+  1")), "is no decision");
    refused(|json| entry(json, 0, "more", json!(1)), "unknown field `more`");
    refused(|json| entry(json, 2, "decisions", json!("1")), "no choice");
    refused(|json| entry(json, 1, "decisions", json!("0 1+ 0")), "contradict each other");
}

#[test]
fn derivations_are_in_the_order_of_the_tree_and_different() {
    let list = |change: fn(&mut Vec<Json>)| {
        move |json: &mut Json| change(json["unfinished"].as_array_mut().unwrap())
    };
    refused(
        list(|all| all.insert(1, all[1].clone())),
        "derivation 3 decides the same as derivation 2",
    );
    refused(list(|all| all.swap(0, 1)), "derivation 2 belongs before derivation 1");
    refused(list(|all| drop(all.remove(0))), "derivation 1 is not as it was written");
    refused(list(|all| drop(all.pop())), "besides the derivations");
    refused(list(Vec::clear), "besides the derivations");
    let part = |all: &mut Vec<Json>| all[0]["decisions"] = json!("0+");
    refused(list(part), "derivations 1 and 2: one is a part of the other");
}

#[test]
fn changes_elsewhere_are_refused() {
    let rest = "besides the derivations";
    refused(|json| json["jdk"] = json!("18"), rest);
    refused(|json| json["cases"][0]["arguments"][0] = json!(2), rest);
    refused(|json| json["stats"]["steps"] = json!(9), rest);
    refused(|json| json["stats"]["solver"]["lemmas"] = json!(9), rest);
    refused(|json| json["termination"] = json!({ "loop": 3 }), rest);
    refused(|json| json["ends"]["returned"] = json!(2), "there are 2 cases");
    let double = |json: &mut Json| {
        let rules = json["rules"].as_array_mut().unwrap();
        rules.push(rules[0].clone());
    };
    refused(double, "twice");
    refused(|json| json["termination"] = json!({}), "expected");
    refused(|json| json["more"] = json!(1), "unknown field `more`");
    refused(|json| json["stats"]["solver"]["more"] = json!(1), "unknown field `more`");
    refused(|json| json["cases"][0]["outcome"]["more"] = json!(1), "unknown field `more`");
}

#[test]
fn other_files_are_told_from_damaged_ones() {
    let text = written().to_string();
    for end in [0, 1, text.len() / 2] {
        assert!(matches!(Saved::read(&text[..end]), Err(SavedError::Foreign(_))), "{end}");
    }
    let with = |member: &str, value: Json| {
        let mut json = written();
        json[member] = value;
        Saved::read(&json.to_string()).unwrap_err()
    };
    assert!(
        matches!(with("petrel", json!("0.0.1")), SavedError::Version(version, _) if version == "0.0.1")
    );
    assert_eq!(with("format", json!(99)), SavedError::Format);
}
