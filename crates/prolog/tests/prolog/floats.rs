//! The runtime's floats against Rust's.

use crate::support::Program;

fn run(clauses: &str, goal: &str) -> String {
    Program::empty().run_with(clauses, goal)
}

/// Values of every kind that IEEE 754 has, and some whose last digits matter.
fn doubles() -> Vec<f64> {
    let mut values = vec![
        0.0,
        1.0,
        1.5,
        0.1,
        3.0,
        1e10,
        123456789.123,
        16777217.0,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::MIN_POSITIVE / 8.0,
        5e-324,
        f64::from(f32::MAX),
        3.4028235677973366e38, // the first double that rounds to an infinite float
        1e-45,
        7.006492321624085e-46, // half of the smallest float
        2147483647.5,
        9.3e18,
        f64::INFINITY,
    ];
    values.extend(values.clone().iter().map(|value| -value));
    values.push(f64::NAN);
    values
}

fn singles() -> Vec<f32> {
    let mut values = vec![
        0.0,
        1.0,
        1.5,
        0.1,
        3.0,
        16777216.0,
        1.0000001,
        f32::MAX,
        f32::MIN_POSITIVE,
        f32::MIN_POSITIVE / 4.0,
        1e-45,
        2147483600.0,
        f32::INFINITY,
    ];
    values.extend(values.clone().iter().map(|value| -value));
    values.push(f32::NAN);
    values
}

fn term(value: f64) -> String {
    match value {
        value if value.is_nan() => "1.5NaN".to_owned(),
        value if value.is_infinite() => format!("{}1.0Inf", if value < 0.0 { "-" } else { "" }),
        value => {
            let text = format!("{value:e}");
            let (digits, exponent) = text.split_once('e').expect("an exponent");
            let point = if digits.contains('.') { "" } else { ".0" };
            format!("{digits}{point}e{exponent}")
        }
    }
}

fn terms(values: impl IntoIterator<Item = f64>) -> String {
    let values: Vec<String> = values.into_iter().map(term).collect();
    format!("[{}]", values.join(","))
}

fn parse(text: &str) -> f64 {
    match text {
        "1.5NaN" | "nan" => f64::NAN,
        "1.0Inf" | "inf" => f64::INFINITY,
        "-1.0Inf" | "-inf" => f64::NEG_INFINITY,
        text => text.parse().expect("a number"),
    }
}

/// One bit pattern for each value, all NaN being the same.
fn bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}

fn assert_same(what: &str, output: &str, expected: &[f64]) {
    let found: Vec<f64> = output.split_whitespace().map(parse).collect();
    assert_eq!(found.len(), expected.len(), "{what}");
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(bits(*found), bits(*expected), "{what}, {index}: {found} {expected}");
    }
}

/// Prints the results of an operation on every pair of values.
const PAIRS: &str = r"
pairs(Kind, Op, Xs) :-
    E =.. [Op, X, Y],
    forall(( member(X, Xs), member(Y, Xs) ), ( real(Kind, E, Z), print(Z), write(' ') )).
unary(Goal, X, Z, Xs) :- forall(member(X, Xs), ( call(Goal), print(Z), write(' ') )).
guards(Xs) :-
    forall(( member(F, [#=, #\=, #<, #>=, #>, #=<]), member(NaN, [false, true]),
             member(X, Xs), member(Y, Xs) ),
           ( ( float_compare(X, F, Y, NaN, D) -> D == true, write('1 ') ; write('0 ') ) )).
";

#[test]
fn operations_on_doubles_are_ieee_754() {
    let values = doubles();
    type Operation = fn(f64, f64) -> f64;
    let operations: [(&str, Operation); 5] = [
        ("+", |x, y| x + y),
        ("-", |x, y| x - y),
        ("*", |x, y| x * y),
        ("/", |x, y| x / y),
        ("rem", |x, y| x % y),
    ];
    for (name, operation) in operations {
        let output = run(PAIRS, &format!("pairs(double, {name}, {})", terms(values.clone())));
        let pairs = values.iter().flat_map(|&x| values.iter().map(move |&y| operation(x, y)));
        assert_same(name, &output, &pairs.collect::<Vec<f64>>());
    }
    let goal = format!("unary(real(double, -X, Z), X, Z, {})", terms(values.clone()));
    let negated: Vec<f64> = values.iter().map(|value| -value).collect();
    assert_same("-", &run(PAIRS, &goal), &negated);
}

#[test]
fn operations_on_floats_round_once() {
    let values = singles();
    let as_terms = terms(values.iter().map(|&value| f64::from(value)));
    type Operation = fn(f32, f32) -> f32;
    let operations: [(&str, Operation); 5] = [
        ("+", |x, y| x + y),
        ("-", |x, y| x - y),
        ("*", |x, y| x * y),
        ("/", |x, y| x / y),
        ("rem", |x, y| x % y),
    ];
    for (name, operation) in operations {
        let output = run(PAIRS, &format!("pairs(float, {name}, {as_terms})"));
        let results = values.iter().flat_map(|&x| values.iter().map(move |&y| operation(x, y)));
        assert_same(name, &output, &results.map(f64::from).collect::<Vec<f64>>());
    }
}

#[test]
fn comparisons_give_what_is_asked_for_nan() {
    let values = doubles();
    for (name, nan) in [("cmpl", -1.0), ("cmpg", 1.0)] {
        let output = run(PAIRS, &format!("pairs(double, {name}, {})", terms(values.clone())));
        let compare = |x: f64, y: f64| x.partial_cmp(&y).map_or(nan, |order| order as i8 as f64);
        let results = values.iter().flat_map(|&x| values.iter().map(move |&y| compare(x, y)));
        assert_same(name, &output, &results.collect::<Vec<f64>>());
    }
}

#[test]
fn guards_hold_as_in_java_with_nan_both_ways() {
    let values = [-0.0, 0.0, 1.0, -2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let output = run(PAIRS, &format!("guards({})", terms(values)));
    type Relation = fn(&f64, &f64) -> bool;
    let relations: [Relation; 6] =
        [f64::eq, f64::ne, |x, y| x < y, |x, y| x >= y, |x, y| x > y, |x, y| x <= y];
    let mut expected = Vec::new();
    for relation in relations {
        for nan in [false, true] {
            for x in &values {
                for y in &values {
                    let unordered = x.is_nan() || y.is_nan();
                    let holds = if unordered { nan } else { relation(x, y) };
                    expected.push(f64::from(u8::from(holds)));
                }
            }
        }
    }
    assert_same("guards", &output, &expected);
}

#[test]
fn conversions_of_floats_saturate_and_round_as_in_java() {
    let values = doubles();
    let as_terms = terms(values.clone());
    let check = |conversion: &str, expected: Vec<f64>| {
        let goal = format!("unary(convert({conversion}, X, Z), X, Z, {as_terms})");
        assert_same(conversion, &run(PAIRS, &goal), &expected);
    };
    check("d2i", values.iter().map(|&v| f64::from(v as i32)).collect());
    check("d2l", values.iter().map(|&v| v as i64 as f64).collect());
    check("d2f", values.iter().map(|&v| f64::from(v as f32)).collect());
    check("f2d", values.clone());
    let goal = "set_width(8), unary(convert(d2i, X, Z), X, Z, [127.9, 128.0, -129.0, -0.9])";
    assert_eq!(run(PAIRS, goal), "127 127 -128 0 ");
}

#[test]
fn conversions_of_integers_round_once() {
    let mut values: Vec<i64> = vec![0, 1, -1, 16777217, 16777219, i64::MAX, i64::MIN, 1 << 53];
    // Halfway between two floats, and just above it: rounding to double first would lose the rest.
    values.extend([(1 << 60) + (1 << 36), (1 << 60) + (1 << 36) + 1, -(1 << 60) - (1 << 36) - 1]);
    values.extend([(1 << 60) + (3 << 36), (1 << 53) + 1, 0x7fff_ffbf_ffff_ffff]);
    for (name, convert) in
        [("l2f", (|v| f64::from(v as f32)) as fn(i64) -> f64), ("l2d", |v| v as f64)]
    {
        let goal = format!("unary(convert({name}, X, Z), X, Z, {values:?})");
        let expected: Vec<f64> = values.iter().map(|&value| convert(value)).collect();
        assert_same(name, &run(PAIRS, &goal), &expected);
    }
}

#[test]
fn unknown_floats_wait_and_end_the_path_in_guards() {
    let goal = "real(double, X * 2.0, Z), X = 1.5, print(Z), nl,
        ( float_compare(_, #<, 1.0, false, _) -> true ; unsupported(What, N), print(What-N) )";
    assert_eq!(run("", goal), "3.0\n'symbolic float in a guard'-1");
}
