//! Inputs and outputs that live in the heap.

use std::collections::BTreeSet;

use expect_test::expect;
use serde_json::{Value as Json, json};

use super::{check_numbers, complete, json, without_times};

const LEFT_OF: &str = "PathObjects$Point#isLeftOf";
const ADD_TO_TREE: &str = "PathObjects$Tree#add";

fn cases(answer: &Json) -> &Vec<Json> {
    answer["cases"].as_array().unwrap()
}

/// The object that a reference names.
fn object<'a>(heap: &'a Json, reference: &Json) -> &'a Json {
    let found = &heap[reference["ref"].as_str().unwrap()];
    assert!(found.is_object(), "{reference} in {heap}");
    found
}

/// All names that are referred to in a value, or in an object.
fn names(json: &Json, found: &mut BTreeSet<String>) {
    match json {
        Json::Array(elements) => elements.iter().for_each(|element| names(element, found)),
        Json::Object(members) => match members.get("ref").and_then(Json::as_str) {
            Some(name) => drop(found.insert(name.to_owned())),
            None => members.values().for_each(|member| names(member, found)),
        },
        _ => {}
    }
}

/// The names of receiver and arguments.
fn roots(side: &Json) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    names(&side["this"], &mut found);
    names(&side["args"], &mut found);
    found
}

#[test]
fn every_name_is_in_the_heap_and_those_of_inputs_stay() {
    let targets = [
        ("symbolic", LEFT_OF),
        ("symbolic", ADD_TO_TREE),
        ("symbolic", "PathObjects#insert"),
        ("symbolic", "PathObjects$Point#mirrored"),
        ("symbolic", "PathObjects$Shape#isLarge"),
        ("papers", "Vector#add"),
        ("papers", "Vector#<init>"),
        ("arrays", "ArrayFaults#get"),
    ];
    for (topic, target) in targets {
        let answer = json(topic, &["--loop", "1", target]);
        check_numbers(&answer);
        assert!(!cases(&answer).is_empty(), "{target}");
        for case in cases(&answer) {
            let (input, output) = (&case["input"], &case["output"]);
            for side in [input, output] {
                let mut referred = BTreeSet::new();
                names(side, &mut referred);
                let heap: BTreeSet<String> =
                    side["heap"].as_object().unwrap().keys().cloned().collect();
                assert_eq!(referred, heap, "{target}: {side}");
            }
            let (before, after) = (roots(input), roots(output));
            assert_eq!(before, after, "{target}: {case}");
            for name in output["heap"].as_object().unwrap().keys() {
                let is_new = input["heap"].get(name).is_none();
                assert!(is_new || before.contains(name), "{target}: {name} in {case}");
            }
        }
    }
}

#[test]
fn an_instance_method_has_a_receiver_that_is_never_null() {
    let answer = json("symbolic", &[LEFT_OF]);
    let mut outcomes = Vec::new();
    for case in cases(&answer) {
        let input = &case["input"];
        let this = object(&input["heap"], &input["this"]);
        assert_eq!(this["class"], "PathObjects$Point");
        match &input["args"][0] {
            Json::Null => {
                assert_eq!(case["outcome"]["exception"], "java.lang.NullPointerException");
                outcomes.push("throws");
            }
            other => {
                let other = object(&input["heap"], other);
                let x = |point: &Json| point["fields"]["x"].as_i64().unwrap();
                let is_left = x(this) < x(other);
                assert_eq!(case["output"]["value"], is_left, "{case}");
                outcomes.push(if is_left { "true" } else { "false" });
            }
        }
    }
    outcomes.sort_unstable();
    assert_eq!(outcomes, ["false", "throws", "true"]);
}

/// The keys of a tree.
fn keys(heap: &Json, tree: &Json, found: &mut Vec<i64>) {
    if tree.is_null() {
        return;
    }
    let fields = &object(heap, tree)["fields"];
    found.push(fields["key"].as_i64().unwrap());
    keys(heap, &fields["left"], found);
    keys(heap, &fields["right"], found);
}

#[test]
fn what_a_call_changes_is_told() {
    let answer = json("symbolic", &["--assume", "acyclic(this)", ADD_TO_TREE]);
    let mut grown = 0;
    for case in cases(&answer) {
        let (input, output) = (&case["input"], &case["output"]);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        keys(&input["heap"], &input["this"], &mut before);
        keys(&output["heap"], &output["this"], &mut after);
        let added = input["args"][0].as_i64().unwrap();
        assert!(after.contains(&added), "{case}");
        grown += usize::from(after.len() == before.len() + 1);
    }
    assert!(grown > 0 && grown < cases(&answer).len(), "{grown}");
}

#[test]
fn objects_are_text_for_people() {
    let text = complete("symbolic", &["PathObjects$Point#mirrored"]);
    expect![[r#"
        PathObjects$Point#mirrored()LPathObjects$Point;, loop-2, all paths

        case 1: returns o2
          input   this = o1
          where   o1: PathObjects$Point { x: 0, y: 0 }
          gives   o2: PathObjects$Point { x: 0, y: 0 }
          result  new1: PathObjects$Point { x: this.y, y: this.x }
          lines   PathObjects.java:17, 11, 12, 13, 14
          trace   mirrored(1,[],[init(1,[],[]),mirrored_call_12(1,[],[])])

        1 case: 1 return, 0 throw
          branches      0 of 0 covered
          instructions  8 of 8 covered
          paths         0 infeasible, 0 cut by loop-2
          steps         3
    "#]]
    .assert_eq(&text);
    let text = complete("symbolic", &["--loop", "1", ADD_TO_TREE]);
    let tree = "PathObjects$Tree";
    let grown = format!(
        "  input   this = o1, added = 0\n  \
           where   o1: {tree} {{ key: 1, left: null, right: null }}\n  \
           leaves  o1: {tree} {{ key: 1, left: o2, right: null }}\n          \
                   o2: {tree} {{ key: 0, left: null, right: null }}\n"
    );
    assert!(text.contains(&grown), "{grown} is not in {text}");
}

#[test]
fn elements_of_arrays_are_within_the_domain_and_lengths_are_not() {
    let answer =
        json("papers", &["--domain", "5..6", "--exceptions", "exclude", "Vector#multiples"]);
    let mut lengths = BTreeSet::new();
    for case in cases(&answer) {
        let input = &case["input"];
        let array = object(&input["heap"], &input["args"][0]);
        assert_eq!(array["class"], "int[]");
        let elements = array["elements"].as_array().unwrap();
        assert_eq!(array["length"], elements.len());
        lengths.insert(elements.len());
        for element in elements {
            assert!((5..=6).contains(&element.as_i64().unwrap()), "{case}");
        }
        let found = object(&case["output"]["heap"], &case["output"]["value"]);
        assert_eq!(found["class"], "Vector");
    }
    assert_eq!(lengths, BTreeSet::from([0, 1, 2]));
}

#[test]
fn assumptions_leave_out_inputs() {
    let nulls = |options: &[&str]| {
        let answer = json("symbolic", &[options, &[LEFT_OF]].concat());
        let is_null = |case: &&Json| case["input"]["args"][0].is_null();
        let nulls = cases(&answer).iter().filter(is_null).count();
        (answer["criterion"]["assume"].clone(), nulls)
    };
    assert_eq!(nulls(&[]), (Json::Null, 1));
    let assumed = json!(["non-null(other)"]);
    assert_eq!(nulls(&["--assume", " non-null( other )"]), (assumed, 0));
    let assumed = json!(["non-aliasing(this, other)", "acyclic(other)"]);
    let arguments = ["--assume", "non-aliasing(this,other)", "--assume", "acyclic(other)"];
    assert_eq!(nulls(&arguments), (assumed, 1));
}

#[test]
fn a_path_of_the_method_is_one_case_however_many_valid_inputs_take_it() {
    let found = |options: &[&str]| {
        let call = ["--assume", "valid(this)", "--domain", "0..2", "HeapValid#add"];
        let answer = json("heap", &[options, &call].concat());
        let trace = |case: &Json| case["trace"].as_str().unwrap().to_owned();
        let traces: Vec<String> = cases(&answer).iter().map(trace).collect();
        (traces, answer["ends"]["same_path"].as_u64())
    };
    let (traces, same_path) = found(&[]);
    assert_eq!((traces.len(), same_path), (7, Some(2)));
    assert_eq!(BTreeSet::from_iter(&traces).len(), traces.len());
    for jobs in ["2", "4"] {
        assert_eq!(found(&["-j", jobs]), (traces.clone(), same_path));
    }
    // Several inputs may be valid for different reasons.
    assert_eq!(found(&["--solutions", "9"]).0.len(), 9);
}

#[test]
fn lazy_initialisation_has_a_path_for_each_alias() {
    let aliased = |mode: &str| {
        let answer = json("symbolic", &["--heap", mode, LEFT_OF]);
        let is_aliased = |case: &&Json| case["input"]["args"][0] == case["input"]["this"];
        (cases(&answer).len(), cases(&answer).iter().filter(is_aliased).count())
    };
    assert_eq!(aliased("solver").0, 3);
    assert_eq!(aliased("lazy"), (4, 1));
    assert_eq!(aliased("lazy-no-alias"), (3, 0));
}

#[test]
fn static_fields_are_inputs_if_that_is_wanted() {
    let answer = json("symbolic", &["PathObjects#note"]);
    assert!(cases(&answer).iter().all(|case| case["input"].get("statics").is_none()), "{answer}");
    let answer = json("symbolic", &["--symbolic-statics", "PathObjects#note"]);
    for case in cases(&answer) {
        let statics = case["input"]["statics"].as_object().unwrap();
        assert!(statics["PathObjects.calls"].is_i64(), "{case}");
        assert!(statics["PathObjects.total"].is_string(), "{case}");
    }
    let text = complete("symbolic", &["--symbolic-statics", "PathObjects#note"]);
    assert!(text.contains(", PathObjects.calls = 0, "), "{text}");
}

#[test]
fn the_number_of_threads_does_not_matter_for_objects() {
    for options in [&["--json"][..], &["--solutions", "2"], &["--heap", "lazy"]] {
        let with_jobs = |jobs: &str| {
            let arguments = [options, &["-j", jobs, ADD_TO_TREE]].concat();
            without_times(&complete("symbolic", &arguments))
        };
        let alone = with_jobs("1");
        assert!(alone.len() > 1000, "{alone}");
        assert!(alone == with_jobs("2"), "{options:?}");
        assert!(alone == with_jobs("3"), "{options:?}");
    }
}

#[test]
fn objects_that_the_program_has_already_are_named() {
    let first = json("verdicts", &["AliasVerdicts#foundFirst"]);
    let of_first = first["cases"].as_array().unwrap().iter();
    let mut same = of_first.filter(|case| case["output"]["value"] == 1);
    let case = same.next().expect("a case with the object of the static field");
    let object = &case["input"]["heap"]["o1"];
    assert_eq!(
        (&object["class"], &object["static_field"]),
        (&"AliasVerdicts$Registry".into(), &"FIRST".into())
    );
    let known = super::cases("verdicts", &["AliasVerdicts#foundKnown"]).stdout;
    assert!(known.contains("account == AliasVerdicts.KNOWN[1]"), "{known}");
    let constant = super::cases("verdicts", &["AliasVerdicts#foundConstant"]).stdout;
    assert!(constant.contains("a == \"x\""), "{constant}");
}
