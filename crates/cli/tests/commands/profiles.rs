//! Costs by part, memory in use at once, policies over several costs, and two implementations beside each other.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::world;
use serde_json::{Value as Json, json};

fn petrel(topic: &str, arguments: &[&str]) -> Finished {
    let classes = format!("build/fixtures/{topic}");
    assert!(world::root().join(&classes).is_dir(), "`make fixtures` builds {classes}");
    let (command, rest) = arguments.split_first().unwrap();
    let arguments = [&[*command, "-c", &classes], rest].concat();
    Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(&arguments)
}

#[track_caller]
fn text(topic: &str, arguments: &[&str]) -> String {
    let Finished { status, stdout, stderr } = petrel(topic, arguments);
    assert_eq!((status, &*stderr), (Some(0), ""), "{arguments:?}: {stdout}");
    stdout
}

#[track_caller]
fn answer(topic: &str, arguments: &[&str]) -> Json {
    let (command, rest) = arguments.split_first().unwrap();
    let Finished { stdout, stderr, .. } = petrel(topic, &[&[*command, "--json"], rest].concat());
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"))
}

#[track_caller]
fn check_refused(topic: &str, arguments: &[&str], parts: &[&str]) {
    let Finished { status, stdout, stderr } = petrel(topic, arguments);
    assert_eq!((status, &*stdout), (Some(2), ""), "{arguments:?}: {stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr:?}");
    }
}

const MULTIPLES: [&str; 5] = ["Vector#multiples", "--loop", "4", "--exceptions", "exclude"];

fn sum(parts: &Json) -> i64 {
    parts.as_object().unwrap().values().map(|cost| cost.as_i64().unwrap()).sum()
}

/// Whatever a model counts and costs are split up by: the parts of a case add up to what the model alone says.
#[test]
fn parts_add_up_to_the_cost() {
    const MODELS: [&str; 6] = [
        "instructions",
        "memory",
        "memory:live",
        "memory:hotspot",
        "calls",
        "memory:ref=8:long=8:object=16:array=16:align=8",
    ];
    let mut n_parts = 0;
    for (topic, target) in [
        ("papers", "Vector#multiples"),
        ("costs", "Callbacks#sorted"),
        ("costs", "Allocating#bytes"),
        ("costs", "LiveMemory#doubled"),
        ("costs", "ChainedTable#insertAll"),
        ("costs", "QuickSort#sort"),
    ] {
        for scope in ["project", "all"] {
            let split = MODELS.iter().flat_map(|model| {
                ["class", "method", "line", "stack"].map(|part| format!("{model}@{part}"))
            });
            let split: Vec<String> = split.collect();
            let cost = [&MODELS.map(str::to_owned)[..], &split].concat().join(",");
            let answer = answer(
                topic,
                &["cases", target, "--loop", "2", "--cost", &cost, "--cost-scope", scope],
            );
            let Some(cases) = answer["cases"].as_array() else { continue };
            let mut in_all: std::collections::BTreeMap<&str, i64> = Default::default();
            for case in cases {
                // No more is in use than is allocated.
                let of_memory = &case["cost"]["memory"];
                let allocated = of_memory["value"].as_i64().or(of_memory.as_i64()).unwrap();
                let live = case["cost"]["memory:live"].as_i64().unwrap();
                assert!(live <= allocated, "{target}: {live} of {allocated}");
                for name in &split {
                    let (model, _) = name.rsplit_once('@').unwrap();
                    let whole = match &case["cost"][model] {
                        Json::Object(members) if members.contains_key("expr") => {
                            members["value"].as_i64().unwrap()
                        }
                        calls @ Json::Object(_) => sum(calls),
                        number => number.as_i64().unwrap(),
                    };
                    let of_case = &case["cost"][name];
                    assert_eq!(of_case["value"], whole, "{target} {name}: {of_case}");
                    assert_eq!(sum(&of_case["parts"]), whole, "{target} {name}: {of_case}");
                    *in_all.entry(name).or_default() += whole;
                    n_parts += of_case["parts"].as_object().unwrap().len();
                }
            }
            for (name, whole) in in_all {
                assert_eq!(sum(&answer["profiles"][name]), whole, "{target} {name}");
            }
        }
    }
    assert!(n_parts > 1000, "{n_parts}");
}

/// By hand, in what `javap -c` prints of Vector: `realloc` runs twice in the worst case of four elements.
#[test]
fn the_worst_case_has_a_profile() {
    let collapsed =
        text("papers", &[&["worst"], &MULTIPLES[..], &["--profile=collapsed"]].concat());
    assert_eq!(
        collapsed,
        "Vector.multiples 81\nVector.multiples;Vector.add;Vector.realloc 81\nVector.multiples;Vector.add 72\n\
         Vector.multiples;Vector.<init> 16\n"
    );
    let of_memory = ["--profile=collapsed", "--cost", "memory", "--policy", "memory <= 48"];
    let memory = text("papers", &[&["worst"], &MULTIPLES[..], &of_memory].concat());
    let total: i64 =
        memory.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap()).sum();
    assert_eq!(total, 48, "{memory}");
    let by_method = text("papers", &[&["worst"], &MULTIPLES[..], &["--profile"]].concat());
    for part in [
        "  cost    instructions@method 250 instructions\n            81    32.4%  Vector#multiples",
        "            16     6.4%  Vector#<init>(I)V\n",
    ] {
        assert!(by_method.contains(part), "{part:?} is not in {by_method}");
    }
    let by_line = answer("papers", &[&["worst"], &MULTIPLES[..], &["--profile=line"]].concat());
    let parts = &by_line["cases"][0]["cost"]["instructions@line"]["parts"];
    assert_eq!(sum(parts), 250);
    assert!(parts["Vector.java:29"].is_i64(), "{parts}");
}

/// The bytes that the fixture says, counted by hand.
#[test]
fn memory_in_use_is_what_garbage_collection_leaves() {
    for (method, live, allocated) in [
        ("oneAfterTheOther", 40, 80),
        ("both", 80, 80),
        ("buffers", 40, 200),
        ("list", 48, 48),
        ("lastCell", 16, 48),
        ("afterCall", 400, 440),
        ("aroundCall", 440, 440),
        ("inStatic", 60, 60),
        ("rows", 60, 68),
    ] {
        let target = format!("LiveMemory#{method}");
        let answer = answer("costs", &["cases", &target, "--cost", "memory:live,memory"]);
        let cost = &answer["cases"][0]["cost"];
        let expected = (&json!(live), &json!(allocated));
        assert_eq!((&cost["memory:live"], &cost["memory"]), expected, "{method}");
    }
    // One case after the other, in one machine: what an earlier one made is no part of a later one.
    let doubled =
        answer("costs", &["cases", "LiveMemory#doubled", "--loop", "4", "--cost", "memory:live"]);
    let cases = doubled["cases"].as_array().unwrap();
    let live: Vec<&Json> = cases.iter().map(|case| &case["cost"]["memory:live"]).collect();
    assert_eq!(live, [4, 12, 24, 48, 96]);
    // With the sizes of HotSpot, rounded up.
    let hotspot = ["cases", "LiveMemory#oneAfterTheOther", "--cost", "memory:hotspot:live"];
    assert_eq!(answer("costs", &hotspot)["cases"][0]["cost"]["memory:hotspot:live"], 56);
}

/// What is in use is known of concrete inputs alone; where that leaves something open, it is said.
#[test]
fn policies_on_memory_in_use_are_judged_by_inputs() {
    let doubled = |policy: &str| {
        let options = ["--loop", "4", "--policy", policy];
        let answer = answer("costs", &[&["cases", "LiveMemory#doubled"], &options[..]].concat());
        let cases = answer["cases"].as_array().unwrap();
        let live = cases.iter().map(|case| case["cost"]["memory:live"].as_i64().unwrap());
        (live.collect::<Vec<_>>(), answer["ends"]["unknown"].clone())
    };
    assert_eq!(doubled("memory:live > 24"), (vec![48, 96], json!(0)));
    assert_eq!(doubled("memory:live <= 24"), (vec![4, 12, 24], json!(0)));
    assert_eq!(doubled("memory:live == 48"), (vec![48], json!(0)));
    assert_eq!(doubled("top 2 memory:live"), (vec![96, 48], json!(0)));
    // 3n elements are allocated, 2n are in use: the first input that allocates enough need not use enough.
    let copied = ["cases", "LiveMemory#copied", "--policy", "memory:live > 48"];
    let Finished { status, stderr, .. } = petrel("costs", &copied);
    assert_eq!(status, Some(1));
    assert!(stderr.contains("undecided constraints: 1 path"), "{stderr}");
}

#[test]
fn sizes_are_parameters_of_the_model() {
    // 3 fields of a vector, one of them a reference, and 4 + 2 + 1 elements.
    let worst = |model: &str| {
        let options = ["--cost", model, "--policy", "worst-case instructions"];
        let answer = answer("papers", &[&["cases"], &MULTIPLES[..], &options].concat());
        answer["cases"][0]["cost"][model].as_i64().unwrap()
    };
    assert_eq!(worst("memory"), 12 + 28);
    assert_eq!(worst("memory:ref=8"), 16 + 28);
    assert_eq!(worst("memory:prim=8"), 20 + 56);
    assert_eq!(worst("memory:prim=8:int=2"), 8 + 14);
    assert_eq!(worst("memory:object=16:array=12:align=8"), 32 + 16 + 24 + 32);
    for (model, part) in [
        ("memory:ref", "there is no cost model `memory:ref`"),
        ("memory:ref=x", "`x` is no number of bytes"),
        ("memory:pointer=8", "`pointer` has no size; there are prim, ref"),
        ("instructions@lines", "costs are split up by class, method, line or stack"),
    ] {
        check_refused(
            "papers",
            &[&["cases"], &MULTIPLES[..], &["--cost", model]].concat(),
            &[part],
        );
    }
}

/// Costs and inputs are compared as the labelled inputs and numbers of all cases say.
#[test]
fn policies_compare_costs_with_costs_and_inputs() {
    let all = answer(
        "papers",
        &[&["cases"], &MULTIPLES[..], &["--cost", "instructions,memory"]].concat(),
    );
    let number = |case: &Json, model: &str| match &case["cost"][model] {
        Json::Object(members) => members["value"].as_i64().unwrap(),
        number => number.as_i64().unwrap(),
    };
    let capacity = |case: &Json| case["input"]["args"][2].as_i64().unwrap();
    let chosen = |policy: &str| {
        let options = ["--cost", "instructions,memory", "--policy", policy];
        answer("papers", &[&["cases"], &MULTIPLES[..], &options].concat())
    };
    // All costs that depend on no input, and all inputs of those that do, leave these cases.
    let is_more = |case: &Json| {
        case["cost"]["memory"].is_i64() && number(case, "instructions") > 6 * number(case, "memory")
    };
    let expected = all["cases"].as_array().unwrap().iter().filter(|case| is_more(case)).count();
    let more = chosen("instructions > 6 * memory");
    let found = more["cases"].as_array().unwrap();
    let constant = found.iter().filter(|case| case["cost"]["memory"].is_i64()).count();
    assert_eq!(constant, expected);
    assert!(found.iter().all(|case| number(case, "instructions") > 6 * number(case, "memory")));
    let by_input = chosen("instructions > 20 * icap and memory >= 4 * ns.length");
    let found = by_input["cases"].as_array().unwrap();
    assert!(found.len() > 30);
    for case in found {
        assert!(number(case, "instructions") > 20 * capacity(case), "{case}");
        let length = case["input"]["heap"]["o1"]["length"].as_i64().unwrap();
        assert!(number(case, "memory") >= 4 * length, "{case}");
    }
}

#[test]
fn conditions_are_said_as_simply_as_can_be() {
    let wanted = |policy: &str| {
        let text = text("papers", &[&["cases"], &MULTIPLES[..], &["--policy", policy]].concat());
        let lines = text.lines().filter_map(|line| line.strip_prefix("  wanted  "));
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        lines.sort();
        lines.dedup();
        lines
    };
    assert_eq!(wanted("memory > 48"), ["icap > 9"]);
    assert_eq!(wanted("memory == 40"), ["icap == 7"]);
    // All paths have a capacity above 0: this is no condition.
    assert_eq!(wanted("memory > 12"), [""; 0]);
    assert_eq!(wanted("memory < 40 and memory < 80"), ["icap < 7"]);
    // What the path demands anyway is no condition of the most expensive case either.
    let worst = text("costs", &["worst", "Allocating#bytes", "--cost", "memory"]);
    assert!(!worst.contains("if n > -"), "{worst}");
}

#[test]
fn policies_of_bad_form_are_refused() {
    for (policy, part) in [
        ("instructions > 20 * icapp", "`icapp`, which is neither a cost model nor a parameter"),
        ("instructions > ns", "the array `ns`; its length is `ns.length`"),
        ("instructions > icap.length", "`icap.length`, but `icap` is no array"),
        ("instructions > 2 * 3", "a cost model or a parameter stands behind"),
        ("instructions > ", "something is missing"),
        ("instructions > icap * memory", "a number stands behind"),
        ("3 > 2", "no cost is compared"),
    ] {
        let arguments = [&["cases"], &MULTIPLES[..], &["--policy", policy]].concat();
        check_refused("papers", &arguments, &[part]);
    }
}

#[test]
fn implementations_stand_beside_each_other() {
    let sums = ["worst", "Implementations#byFormula", "Implementations#byLoop"];
    let shown = text("costs", &sums);
    for part in [
        "  loop-1                         30                      19  Implementations#byLoop by 11\n",
        "  loop-4                         30                      49  Implementations#byFormula by 19\n",
        "Implementations#byFormula is better from loop-3 to loop-4\n",
        "worst input of Implementations#byLoop: costs 49, and Implementations#byFormula 30\n  input   n = 4\n",
    ] {
        assert!(shown.contains(part), "{part:?} is not in {shown}");
    }
    // Each column is what `worst` says of one method alone.
    let both = answer("costs", &sums);
    for (side, target) in sums[1..].iter().enumerate() {
        let alone = answer("costs", &["worst", target]);
        let of_both: Vec<&Json> =
            both["growth"].as_array().unwrap().iter().map(|bound| &bound["values"][side]).collect();
        let of_one: Vec<&Json> =
            alone["growth"].as_array().unwrap().iter().map(|bound| &bound["value"]).collect();
        assert_eq!(of_both, of_one, "{target}");
    }
    let lasting = json!({"from": "loop-3", "better": "Implementations#byFormula(I)J"});
    assert_eq!(both["lasting"], lasting);
    let other = |second: &str| {
        let answer = answer("costs", &["worst", "Implementations#byLoop", second, "--loop", "6"]);
        answer["not_comparable"].to_string()
    };
    assert!(other("Implementations#byCounting") == "[]");
    assert!(other("Implementations#ofAll").contains("has the parameters (int), and"));
    assert!(other("Implementations#strict").contains("they do not do the same"));
    check_refused("costs", &["worst", "Implementations#byLoop", "Implementations#none"], &["none"]);
    check_refused("costs", &[&sums[..], &["--profile"]].concat(), &["cannot be used with"]);
}
