//! The runtime's arithmetic against Rust's, and its constraints against its arithmetic.

use expect_test::expect;

use crate::support::Program;

/// What a goal prints; `clauses` are at hand.
fn run(clauses: &str, goal: &str) -> String {
    Program::empty().run_with(clauses, goal)
}

/// All binary operations, as they are written in programs.
const OPERATIONS: [&str; 12] =
    ["+", "-", "*", "//", "rem", "<<", ">>", ">>>", "/\\", "\\/", "xor", "cmp"];

/// Prints the results of every operation on every pair of values, an operation per line. Divisors
/// are not 0.
const TABLE: &str = r"
table(Kind, Xs, Ys) :-
    forall(member(Op, [+, -, *, //, rem, <<, >>, >>>, /\, \/, xor, cmp]),
           ( E =.. [Op, X, Y],
             arithmetic(Kind, E, Z, Goal),
             forall(( member(X, Xs), member(Y, Ys), \+ ( memberchk(Op, [//, rem]), Y =:= 0 ) ),
                    ( call(Goal), write(Z), write(' ') )),
             nl )),
    arithmetic(Kind, -X, Z, Negate),
    forall(member(X, Xs), ( call(Negate), write(Z), write(' ') )),
    nl.
";

fn wrap(value: i128, bits: u32) -> i128 {
    value << (128 - bits) >> (128 - bits)
}

/// Java's operation on integers of this many bits.
fn expected(operation: &str, x: i128, y: i128, bits: u32) -> i128 {
    let distance = y.rem_euclid(i128::from(bits)) as u32;
    let unsigned = x & ((1 << bits) - 1);
    let value = match operation {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "//" => x / y,
        "rem" => x % y,
        "<<" => x << distance,
        ">>" => x >> distance,
        ">>>" => unsigned >> distance,
        "/\\" => x & y,
        "\\/" => x | y,
        "xor" => x ^ y,
        _ => (x > y) as i128 - (x < y) as i128,
    };
    wrap(value, bits)
}

fn expected_table(xs: &[i128], ys: &[i128], bits: u32) -> Vec<Vec<i128>> {
    let mut lines: Vec<Vec<i128>> = OPERATIONS
        .iter()
        .map(|&operation| {
            let divides = operation == "//" || operation == "rem";
            let pairs = xs.iter().flat_map(|&x| ys.iter().map(move |&y| (x, y)));
            pairs
                .filter(|&(_, y)| !divides || y != 0)
                .map(|(x, y)| expected(operation, x, y, bits))
                .collect()
        })
        .collect();
    lines.push(xs.iter().map(|&x| wrap(-x, bits)).collect());
    lines
}

fn numbers(output: &str) -> Vec<Vec<i128>> {
    let number = |text: &str| text.parse().expect("a number");
    let line = |line: &str| line.split_whitespace().map(number).collect();
    output.lines().map(line).collect()
}

fn list(values: &[i128]) -> String {
    let values: Vec<String> = values.iter().map(i128::to_string).collect();
    format!("[{}]", values.join(","))
}

/// The numbers around everything that is special at this width.
fn edges(bits: u32) -> Vec<i128> {
    let mut values: Vec<i128> = (-3..=3).collect();
    for exponent in [bits / 4, bits / 2, bits - 2, bits - 1] {
        let power = 1i128 << exponent;
        values.extend([power - 1, power, power + 1, -power - 1, -power, -power + 1]);
    }
    values.extend([7, 31, 32, 33, 63, 64, 65, 0x5555, -0x5556]);
    values.retain(|&value| wrap(value, bits) == value);
    values.sort_unstable();
    values.dedup();
    values
}

#[test]
fn the_reference_is_javas_own_arithmetic() {
    for &x in &edges(32) {
        for &y in &edges(32) {
            let (a, b) = (x as i32, y as i32);
            let check = |operation, result: i32| {
                assert_eq!(
                    expected(operation, x, y, 32),
                    i128::from(result),
                    "{a} {operation} {b}"
                );
            };
            check("+", a.wrapping_add(b));
            check("-", a.wrapping_sub(b));
            check("*", a.wrapping_mul(b));
            check("<<", a.wrapping_shl(b as u32));
            check(">>", a.wrapping_shr(b as u32));
            check(">>>", (a as u32).wrapping_shr(b as u32) as i32);
            if b != 0 {
                check("//", a.wrapping_div(b));
                check("rem", a.wrapping_rem(b));
            }
        }
    }
}

#[test]
fn int_of_8_bits_is_right_on_all_pairs() {
    let all: Vec<i128> = (-128..128).collect();
    let output = run(TABLE, "set_width(8), numlist(-128, 127, L), table(int, L, L)");
    assert!(numbers(&output) == expected_table(&all, &all, 8));
}

/// At 4 bits of `int`, a `long` has 8, and so it has as many shift distances.
#[test]
fn long_of_8_bits_is_right_on_all_pairs() {
    let all: Vec<i128> = (-128..128).collect();
    let output = run(TABLE, "set_width(4), numlist(-128, 127, L), table(long, L, L)");
    assert!(numbers(&output) == expected_table(&all, &all, 8));
}

#[test]
fn java_s_own_widths_are_right_around_the_edges() {
    for (kind, bits) in [("int", 32), ("long", 64)] {
        let values = edges(bits);
        let goal = format!("L = {}, table({kind}, L, L)", list(&values));
        assert!(numbers(&run(TABLE, &goal)) == expected_table(&values, &values, bits), "{kind}");
    }
}

#[test]
fn unbounded_integers_do_not_wrap() {
    let goal = "set_width(unbounded),
        forall(member(E, [2147483647 + 1, -(-2147483648), 65536 * 65536, -2147483648 // -1,
                          1 << 31, 1 << 32, -1 >>> 28, -5 rem 3, -5 // 3, -5 >> 1]),
               ( arithmetic(int, E, Z, G), call(G), write(Z), write(' ') ))";
    let expected = "2147483648 2147483648 4294967296 2147483648 2147483648 1 15 -2 -1 -3 ";
    assert_eq!(run("", goal), expected);
}

#[test]
fn narrowing_conversions_keep_the_low_bits() {
    let values = edges(32);
    let goal = format!(
        "forall(member(C, [i2b, i2s, i2c, i2l]),
                ( forall(member(X, {}), ( convert(C, X, Z), write(Z), write(' ') )), nl )),
         forall(member(X, {}), ( convert(l2i, X, Z), write(Z), write(' ') ))",
        list(&values),
        list(&edges(64)),
    );
    let lines = vec![
        values.iter().map(|&v| v as i8 as i128).collect(),
        values.iter().map(|&v| v as i16 as i128).collect(),
        values.iter().map(|&v| v as u16 as i128).collect(),
        values.clone(),
        edges(64).iter().map(|&v| v as i32 as i128).collect::<Vec<i128>>(),
    ];
    assert_eq!(numbers(&run("", &goal)), lines);
}

/// The answers of constraints on unknown numbers are the results on known ones, whatever is
/// labelled first.
const SYMBOLIC: &str = r"
symbolic(Kind, Low, High) :-
    forall(member(Op, [+, -, *, //, rem, <<, >>, >>>, /\, \/, xor, cmp]),
           ( E =.. [Op, X, Y],
             arithmetic(Kind, E, Z, Goal),
             findall(X-Y-Z, ( between(Low, High, X), between(Low, High, Y),
                              \+ ( memberchk(Op, [//, rem]), Y =:= 0 ), call(Goal) ), Known),
             same_answers(Op, Goal, Low..High, X-Y-Z, [X, Y, Z], Known),
             same_answers(Op, Goal, Low..High, X-Y-Z, [Z, Y, X], Known),
             forall(between(Low, High, Y),
                    ( findall(X-Y-Z, member(X-Y-Z, Known), Some),
                      same_answers(Op-Y, Goal, Low..High, X-Y-Z, [X, Z], Some) )) )).

same_answers(What, Goal, Range, X-Y-Z, Order, Known) :-
    findall(X-Y-Z, ( [X, Y] ins Range, ( What = Op-_ -> true ; Op = What ),
                     ( memberchk(Op, [//, rem]) -> Y #\= 0 ; true ),
                     call(Goal), feasible(Order, X-Y, Labelled), label(Labelled) ), Answers),
    msort(Answers, Sorted), msort(Known, Expected),
    ( Sorted == Expected -> true ; format('~w ~w: ~w~n', [What, Order, Sorted]) ).

% A result of many values is not labelled first.
feasible([Z|Order], X-Y, Labelled) :-
    fd_size(Z, Size),
    ( integer(Size), Size =< 1000 -> Labelled = [Z|Order] ; append([X, Y], [Z], Labelled) ).

symbolic_unary(Goal, X, Z, Low, High) :-
    findall(X-Z, ( between(Low, High, X), call(Goal) ), Known),
    findall(X-Z, ( X in Low..High, call(Goal), label([Z, X]) ), Answers),
    msort(Answers, Sorted), msort(Known, Expected),
    ( Sorted == Expected -> true ; format('~w: ~w~n', [Goal, Sorted]) ).
";

#[test]
fn constraints_at_4_bits_agree_with_the_arithmetic() {
    assert_eq!(run(SYMBOLIC, "set_width(4), symbolic(int, -8, 7)"), "");
}

#[test]
fn constraints_of_long_agree_with_the_arithmetic() {
    assert_eq!(run(SYMBOLIC, "set_width(2), symbolic(long, -8, 7)"), "");
}

#[test]
fn constraints_on_unbounded_integers_agree_with_the_arithmetic() {
    assert_eq!(run(SYMBOLIC, "set_width(unbounded), symbolic(int, -4, 4)"), "");
}

#[test]
fn constraints_of_unary_operations_agree_with_the_arithmetic() {
    let goal = "set_width(4), symbolic_unary(negate(int, X, Z), X, Z, -8, 7),
        set_width(10),
        forall(member(C, [i2b, i2s, i2c, i2l]), symbolic_unary(convert(C, X, Z), X, Z, -512, 511)),
        set_width(5), symbolic_unary(convert(l2i, X, Z), X, Z, -512, 511),
        symbolic_unary(narrow('Z', X, Z), X, Z, -16, 15)";
    assert_eq!(run(SYMBOLIC, goal), "");
}

/// A guard fails only if no pair satisfies it, is `true` only if all do, and otherwise leaves the
/// pairs that satisfy it.
#[test]
fn guards_decide_what_the_domains_decide() {
    let clauses = r"
guards :-
    Domains = [0..0, -1..1, 0..2, 1..3, 2..2, 3..4, -1\/1, 0\/2..3],
    forall(( member(F, [#=, #\=, #<, #>=, #>, #=<]), member(DX, Domains), member(DY, Domains) ),
           ( Relation =.. [F, X, Y],
             findall(X-Y, ( X in DX, Y in DY, label([X, Y]) ), All),
             findall(X-Y, ( member(X-Y, All), call(Relation) ), Holds),
             findall(D, ( X in DX, Y in DY, guard(Relation, D) ), Ds),
             findall(X-Y, ( X in DX, Y in DY, guard(Relation, _), label([X, Y]) ), Left),
             (   Left == Holds, ( Ds == [] -> Holds == [] ; true ), ( Ds == [true] -> Holds == All ; true )
             ->  true
             ;   format('~w ~w ~w: ~w ~w~n', [DX, F, DY, Ds, Left])
             ) )),
    forall(( member(DX, Domains), member(Vs, [[0], [1, 2], [-1, 0, 1, 2]]) ),
           ( findall(X, ( X in DX, one_of(X, Vs, _), label([X]) ), In),
             findall(X, ( X in DX, none_of(X, Vs, _), label([X]) ), Out),
             findall(X, ( X in DX, label([X]) ), All),
             append(In, Out, Both), msort(Both, Sorted), msort(All, Expected),
             ( Sorted == Expected, \+ ( member(V, Out), memberchk(V, Vs) ) -> true
             ; format('~w ~w: ~w ~w~n', [DX, Vs, In, Out]) ) )).
guard(Relation, D) :- expand_guard(Relation, D, Goal), call(Goal).
";
    assert_eq!(run(clauses, "guards"), "");
}

/// What several bitwise operations say of the same bits holds together, and what guards say of the order of
/// variables: propagation of bounds would go through all numbers.
#[test]
fn contradictions_between_operations_are_seen_at_once() {
    let goal = "X in -2147483648..2147483647, Y in -2147483648..2147483647,
        ( bit_and(int, X, 12, A), eq(A, 8, _), bit_xor(int, X, Y, B), eq(B, 5, _),
          bit_and(int, Y, 8, C), eq(C, 0, _) -> print(yes) ; print(no) ),
        ( lt(X, Y, _), lt(Y, X, _) -> print(yes) ; print(no) ),
        L in 0..2147483647, subtract(int, L, 1, Last), ( lt(Last, L, D) -> print(D) ; true )";
    expect!["nonotrue"].assert_eq(&Program::empty().run(goal));
}
