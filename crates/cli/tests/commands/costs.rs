//! `petrel cases --cost`, `--policy`, `--order-by` and `--trace`, on the example of "Resource-driven
//! CLP-based Test Case Generation": the vector of Fig. 1, and the method `multiples` of Fig. 4.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::path::Path;

use petrel_filetests::petrel::{Finished, Petrel};
use petrel_filetests::world;
use serde_json::{Value as Json, json};

/// The cases of `multiples` within the paper's bounds.
fn multiples(arguments: &[&str]) -> Finished {
    let classes = "build/fixtures/papers";
    assert!(world::root().join(classes).is_dir(), "`make fixtures` builds {classes}");
    let common = ["cases", "-c", classes, "--loop", "4", "--exceptions", "exclude"];
    let target = ["Vector#multiples"];
    let arguments = [&common, arguments, &target[..]].concat();
    Petrel::new(env!("CARGO_BIN_EXE_petrel")).run(&arguments)
}

#[track_caller]
fn text(arguments: &[&str]) -> String {
    let Finished { status, stdout, stderr } = multiples(arguments);
    assert_eq!((status, &*stderr), (Some(0), ""), "{arguments:?}: {stdout}");
    stdout
}

#[track_caller]
fn answer(arguments: &[&str]) -> Json {
    serde_json::from_str(&text(&[&["--json"], arguments].concat())).unwrap()
}

fn cases(answer: &Json) -> &[Json] {
    answer["cases"].as_array().unwrap()
}

/// What the labelled input of a case costs. Calls are listed by method.
fn cost(case: &Json, model: &str) -> i64 {
    match &case["cost"][model] {
        Json::Object(members) if members.contains_key("expr") => members["value"].as_i64().unwrap(),
        Json::Object(calls) => calls.values().map(|count| count.as_i64().unwrap()).sum(),
        number => number.as_i64().unwrap(),
    }
}

fn costs(answer: &Json, model: &str) -> Vec<i64> {
    cases(answer).iter().map(|case| cost(case, model)).collect()
}

/// The last argument.
fn capacity(case: &Json) -> i64 {
    case["input"]["args"][2].as_i64().unwrap()
}

fn is_parametric(case: &Json) -> bool {
    case["cost"]["memory"]["expr"] == "12 + 4*icap"
}

#[track_caller]
fn check_refused(arguments: &[&str], parts: &[&str]) {
    let Finished { status, stdout, stderr } = multiples(arguments);
    assert_eq!((status, &*stdout), (Some(2), ""), "{arguments:?}: {stderr}");
    assert!(stderr.starts_with("error: "), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} is not in {stderr:?}");
    }
}

/// Fig. 5. The instructions are those that javac of JDK 17 makes, counted by hand and by the JVM; the paper
/// has 270, 86 and 247 with another compiler.
#[test]
fn cases_have_the_costs_of_the_figure() {
    let answer = answer(&["--cost", "instructions,memory,calls:realloc"]);
    assert_eq!(cases(&answer).len(), 54);
    let twice = json!({"Vector#realloc()V": 2});
    let once = json!({"Vector#realloc()V": 1});
    let find = |instructions: i64, memory: &Json, calls: &Json| {
        let is_it = |case: &&Json| {
            let of_case = &case["cost"];
            cost(case, "instructions") == instructions
                && (&of_case["memory"] == memory || of_case["memory"]["expr"] == *memory)
                && of_case["calls:realloc"] == *calls
        };
        cases(&answer).iter().filter(is_it).collect::<Vec<_>>()
    };
    let first = find(250, &json!(40), &twice);
    assert_eq!(first.len(), 1);
    assert_eq!(capacity(first[0]), 1);
    // One multiple of two numbers: the first or the second.
    let second = find(75, &json!("12 + 4*icap"), &json!({}));
    assert_eq!(second.len(), 2);
    assert_eq!(second[0]["cost"]["memory"]["value"], 16);
    let third = find(227, &json!(48), &once);
    assert_eq!(third.len(), 1);
    assert_eq!(capacity(third[0]), 3);
    // Where the cost is a formula, it holds for the labelled input.
    let parametric = cases(&answer).iter().filter(|case| is_parametric(case));
    assert!(parametric.clone().all(|case| cost(case, "memory") == 12 + 4 * capacity(case)));
    assert_eq!(parametric.count(), 31);
}

#[test]
fn costs_are_printed() {
    let text = text(&["--cost", "instructions,memory,calls:realloc,calls"]);
    for part in [
        "  cost    instructions 250\n          memory 40 bytes\n",
        "          calls:realloc 2: 2 Vector#realloc()V\n",
        "          memory 12 + 4*icap = 16 bytes\n          calls:realloc 0\n",
        "          calls 2: 1 Vector#<init>(I)V, 1 Vector#add(I)V\n",
        // Example 5 compares the parametric case with the others.
        "12 + 4*icap is more than 48, the most of the others, if icap > 9\n",
        "\n54 cases: 54 return, 0 throw\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

#[test]
fn the_scope_says_whose_code_counts() {
    let of = |scope: &str| {
        let answer = answer(&["--cost", "instructions,calls", "--cost-scope", scope]);
        let calls = cases(&answer)[0]["cost"]["calls"].clone();
        (costs(&answer, "instructions")[0], calls)
    };
    // No number at all: 17 instructions of `multiples` and 12 of the constructor.
    let constructor = json!({"Vector#<init>(I)V": 1});
    assert_eq!(of("class"), (29, constructor.clone()));
    assert_eq!(of("project"), (29, constructor));
    // The constructor of `Object` has one instruction.
    let both = json!({"Vector#<init>(I)V": 1, "java.lang.Object#<init>()V": 1});
    assert_eq!(of("all"), (30, both));
}

#[test]
fn conditions_leave_cases_out() {
    let expensive = answer(&["--policy", "memory > 48"]);
    assert_eq!((cases(&expensive).len(), &expensive["ends"]["refused"]), (31, &json!(23)));
    // What is wanted of the cost is wanted of the input.
    for case in cases(&expensive) {
        assert!(is_parametric(case) && capacity(case) > 9, "{case}");
        assert!(cost(case, "memory") > 48, "{case}");
    }
    let cheap = answer(&["--policy", "memory <= 48"]);
    assert_eq!(cases(&cheap).len(), 54);
    assert!(costs(&cheap, "memory").iter().all(|&memory| memory <= 48));
    let cheapest = answer(&["--policy", "memory <= 20"]);
    assert!(cases(&cheapest).iter().all(|case| is_parametric(case) && capacity(case) <= 2));
    assert_eq!(cases(&cheapest).len(), 25);
}

#[test]
fn several_conditions_hold_at_once() {
    let wanted = |case: &&Json| cost(case, "memory") > 30 && cost(case, "calls:realloc") >= 2;
    let all = answer(&["--cost", "memory,calls:realloc"]);
    let traces = |cases: Vec<&Json>| -> Vec<String> {
        cases.into_iter().map(|case| case["trace"].to_string()).collect()
    };
    let expected = traces(cases(&all).iter().filter(wanted).collect());
    let found = answer(&["--policy", "memory > 30 and calls:realloc >= 2"]);
    assert_eq!(traces(cases(&found).iter().collect()), expected);
    assert_eq!(expected.len(), 6);
    let ranked = answer(&["--policy", "calls:realloc <= 1 and top 2 instructions"]);
    assert_eq!(costs(&ranked, "instructions"), [227, 214]);
}

#[test]
fn the_most_expensive_cases_come_first() {
    let worst = answer(&["--policy", "worst-case instructions"]);
    assert_eq!(costs(&worst, "instructions"), [250]);
    assert_eq!(worst["ends"]["refused"], 53);
    // An array of any length is a most expensive one: the limit is 10,000 elements.
    let top = answer(&["--policy", "top 2 memory"]);
    assert_eq!(costs(&top, "memory"), [12 + 4 * 10_000; 2]);
    let short = answer(&["--policy", "top 2 memory", "--max-array", "5"]);
    assert_eq!(costs(&short, "memory"), [48, 40]);
    let ordered = answer(&["--order-by", "instructions"]);
    let ordered = costs(&ordered, "instructions");
    assert_eq!((ordered.len(), ordered[0], ordered[53]), (54, 250, 29));
    assert!(ordered.is_sorted_by(|one, next| one >= next), "{ordered:?}");
}

#[test]
fn oracles_find_the_worst_case_whatever_the_number_of_workers() {
    // The second is on another path through the target than the first: the estimate misses it.
    for (oracle, second) in [("none", 228), ("naive", 228), ("enhanced", 228), ("estimate", 227)] {
        let found = ["1", "2", "5"].map(|jobs| {
            let arguments = ["--policy", "top 2 instructions", "--oracle", oracle, "--jobs", jobs];
            let answer = answer(&arguments);
            assert_eq!(answer["stats"]["is_estimate"], oracle == "estimate");
            assert_eq!(costs(&answer, "instructions"), [250, second], "{arguments:?}");
            (answer["cases"].clone(), answer["ends"].clone(), answer["stats"]["steps"].clone())
        });
        assert!(found[1] == found[0] && found[2] == found[0], "{oracle}: {found:?}");
    }
    let text = text(&["--policy", "worst-case memory", "--oracle", "estimate"]);
    assert!(text.contains("by an estimate of costs: others may cost more"), "{text}");
}

#[test]
fn a_file_is_a_model() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("effort.toml");
    let model = r#"
        unit = "steps"
        [instructions]
        irem = 10
        [allocations]
        Vector = 100
        "int[]" = { base = 5, element = 2 }
        [calls]
        realloc = 1000
    "#;
    fs::write(&file, model).unwrap();
    let file = file.to_str().unwrap();
    // The model has the name of its file.
    let policy = "effort >= 2000 and calls:realloc > 0";
    let answer = answer(&["--cost", file, "--policy", policy]);
    assert_eq!(cases(&answer).len(), 6);
    // 4 remainders, the vector, arrays of 1, 2 and 4 numbers, and 2 calls.
    let last = cases(&answer).last().unwrap();
    assert_eq!(cost(last, "effort"), 4 * 10 + 100 + 3 * 5 + 2 * (1 + 2 + 4) + 2 * 1000);
    assert!(text(&["--cost", file]).contains("effort 105 + 2*icap = 107 steps\n"));
}

/// A trace with a variable for the trace of each call of `add`.
fn without_adds(trace: &str) -> String {
    let mut partial = String::new();
    let mut rest = trace;
    for number in 1.. {
        let Some(start) = rest.find("[add(") else { break };
        let (before, from) = rest.split_at(start + 1);
        let mut depth = 0;
        let end = from.find(|symbol: char| {
            depth += i32::from(symbol == '(') - i32::from(symbol == ')');
            depth == 0 && symbol == ')'
        });
        partial.push_str(&format!("{before}A{number}"));
        rest = &from[end.unwrap() + 1..];
    }
    partial + rest
}

/// Example 6: four multiples, and nothing is said about when the array grows.
#[test]
fn a_partial_trace_gives_all_its_instances() {
    let all = answer(&["--cost", "memory"]);
    let four = cases(&all).last().unwrap()["trace"].as_str().unwrap();
    let partial = without_adds(four);
    assert!(partial.contains("A4") && !partial.contains("A5") && !partial.contains("add_"));
    let found = answer(&["--trace", &partial, "--cost", "memory"]);
    let about_capacity: Vec<(i64, i64)> =
        cases(&found).iter().map(|case| (capacity(case), cost(case, "memory"))).collect();
    // With less than 4 the array grows; the first of them is the case for all that are large enough.
    assert_eq!(about_capacity, [(4, 28), (3, 48), (2, 36), (1, 40)]);
    let constraints = |number: usize| cases(&found)[number]["constraints"].to_string();
    assert!(is_parametric(&cases(&found)[0]) && constraints(0).contains("\"icap > 3\""));
    for (number, bounds) in [(1, ["icap > 2", "icap <= 3"]), (2, ["icap > 1", "icap <= 2"])] {
        let constraints = constraints(number);
        assert!(bounds.iter().all(|bound| constraints.contains(bound)), "{constraints}");
    }
    assert_eq!(found["ends"]["returned"], 4);
    // They are cases of those without a trace, in their order.
    let traces = |answer: &Json| -> Vec<String> {
        cases(answer).iter().map(|case| case["trace"].to_string()).collect()
    };
    let known = traces(&all);
    let places: Vec<_> = traces(&found)
        .iter()
        .map(|trace| known.iter().position(|other| other == trace).unwrap())
        .collect();
    assert!(places.is_sorted(), "{places:?}");
    let first = answer(&["--trace", &partial, "--first"]);
    assert_eq!(traces(&first), traces(&found)[..1]);
}

#[test]
fn a_complete_trace_gives_exactly_its_case() {
    let all = answer(&["--cost", "instructions,memory"]);
    for case in cases(&all).iter().step_by(13) {
        let trace = case["trace"].as_str().unwrap();
        let found = answer(&["--trace", trace, "--cost", "instructions,memory"]);
        let [only] = cases(&found) else { panic!("{found}") };
        for part in ["outcome", "symbolic", "constraints", "input", "output", "trace", "cost"] {
            assert_eq!(only[part], case[part], "{part} of {trace}");
        }
    }
}

#[test]
fn an_infeasible_trace_gives_no_case() {
    let all = answer(&[]);
    let four = cases(&all).last().unwrap()["trace"].as_str().unwrap();
    // The array is full at the first number.
    let full = four.replacen("add_if_8(1,", "add_if_8(2,", 1);
    assert_ne!(full, four);
    let found = answer(&["--trace", &full]);
    assert!(cases(&found).is_empty(), "{found}");
}

#[test]
fn a_variable_may_stand_for_any_part_of_a_trace() {
    let all = answer(&[]);
    for trace in ["multiples(_,_,_)", "multiples(1,[*])", "multiples(1,_,[_,_])", "T"] {
        assert_eq!(cases(&answer(&["--trace", trace])), cases(&all), "{trace}");
    }
}

#[test]
fn the_first_case_is_enough() {
    let (all, first) = (answer(&[]), answer(&["--first"]));
    assert_eq!(cases(&first).len(), 1);
    assert_eq!(cases(&first)[0], cases(&all)[0]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    check_refused(&["--trace", "multiples(1"], &["--trace", "1:12", "\",\" is expected"]);
    check_refused(&["--trace", "multiples(1,[],[)"], &["--trace", "1:17"]);
    check_refused(&["--trace", ""], &["--trace"]);
    check_refused(&["--trace", "multiples(0,[],[])"], &["--trace"]);
    check_refused(&["--trace", "other(1,[],[])"], &["begins with multiples, not with other"]);
    check_refused(&["--trace", "multiples(2,[],[])"], &["has 1 rule, and none with number 2"]);
    let unknown = "multiples(1,[],[nothing(1,[],[])])";
    check_refused(&["--trace", unknown], &["no predicate nothing"]);
    let long = "multiples(1,[],[init(1,_,_),init(1,_,_),init(1,_,_)])";
    check_refused(&["--trace", long], &["at most 2 parts"]);
    check_refused(&["--cost", "calls:nothing"], &["nothing that is reached calls"]);
    check_refused(&["--oracle", "naive"], &["--policy or --order-by"]);
    check_refused(&["--cost", "energy"], &["`energy`", "instructions", "memory:hotspot"]);
    check_refused(&["--cost", "missing.toml"], &["missing.toml"]);
    check_refused(&["--cost", "calls:Vectr#add"], &["Vectr"]);
    check_refused(&["--cost", "calls:Vector#ad"], &["Vector", "ad"]);
    check_refused(&["--cost-scope", "world"], &["`world`", "class, project and all"]);
    check_refused(&["--policy", "memory"], &["\"memory\" is no policy"]);
    check_refused(
        &["--policy", "memory > lots"],
        &["`lots`, which is neither a cost model nor a parameter"],
    );
    check_refused(&["--policy", "top 0 memory"], &["how many"]);
    check_refused(&["--policy", "energy > 3"], &["`energy`"]);
    check_refused(&["--policy", "top 2 memory and worst-case calls"], &["by one cost only"]);
    check_refused(&["--order-by", "effort"], &["`effort`"]);
}
