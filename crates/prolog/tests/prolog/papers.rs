//! The figures of the papers.

use expect_test::expect;

use crate::support::{Program, class};

/// The example of "Test data generation of bytecode by CLP partial evaluation".
fn lcm() -> Program {
    Program::new(include_str!("programs/lcm.clp"), vec![class("Lcm003", &[], &[])])
}

/// The example of "Resource-driven CLP-based test case generation".
fn vector() -> Program {
    let vector = class("Vector", &["elems [I", "size I", "cap I"], &[]);
    Program::new(include_str!("programs/vector.clp"), vec![vector])
}

#[test]
fn lcm_has_3_cases_and_4_more_with_each_iteration() {
    let goal = "set_width(unbounded), set_domain(-1000..1000),
        forall(between(1, 8, K), ( count_cases(lcm, K, N), format('~w ', [N]) ))";
    expect!["3 7 11 15 19 23 27 31 "].assert_eq(&lcm().run(goal));
}

/// Section 6.1, with leftmost labelling; the derivations come in another order.
#[test]
fn lcm_has_the_values_of_the_paper() {
    let goal = "set_width(unbounded), set_domain(-1000..1000),
        forall(( unfold(lcm([X, Y], R, _, _, E, _), 2), once(label([X, Y])) ),
               ( ( E == ok -> true ; R = [divby0] ), print([X, Y]-R), nl ))";
    let output = lcm().run(goal);
    let mut lines: Vec<&str> = output.lines().collect();
    lines.sort_unstable();
    let expected = expect![[r#"
        [
            "[-1000,-1000]-[1000]",
            "[-1000,0]-[0]",
            "[-1000,1]-[1000]",
            "[0,0]-[divby0]",
            "[0,1]-[0]",
            "[1,-1]-[1]",
            "[1,0]-[0]",
        ]
    "#]];
    expected.assert_debug_eq(&lines);
}

#[test]
fn counters_count_the_derivation_tree() {
    let goal = "set_width(unbounded), set_domain(-1000..1000), count_cases(lcm, 2, _),
        counters(C), print(C)";
    expect!["[steps=45,constraints=50,cuts=1,answers=7,undecided=0]"].assert_eq(&lcm().run(goal));
}

/// With `int` of 4 bits: the cases together are exactly the runs on all 256 inputs, with the same
/// results, exceptions and traces, overflow included.
#[test]
fn the_cases_of_lcm_partition_its_inputs() {
    let goal = "set_width(4),
        findall(X-Y-O-T,
                ( between(-8, 7, X), between(-8, 7, Y),
                  solve(lcm([X, Y], R, _, H, E, T)), outcome(H, R, E, O) ), Runs),
        findall(X-Y-O-T,
                ( unfold(lcm([X, Y], R, _, H, E, T), 20), label([X, Y]), outcome(H, R, E, O) ),
                Cases),
        length(Runs, N), msort(Runs, Sorted), msort(Cases, SortedCases),
        ( Sorted == SortedCases -> print(N) ; print(SortedCases) )";
    expect!["256"].assert_eq(&lcm().run(goal));
}

#[test]
fn concrete_runs_leave_no_choice() {
    let goal = "call_cleanup(lcm([1071, -462], R, _, _, E, _), Done = true),
        print(R-E-Done), nl,
        run_concrete('Lcm003', lcm, '(II)I', [0, 0], _, Exit), print(Exit)";
    let expected = expect![[r#"
        [23562]-ok-true
        "java.lang.ArithmeticException: / by zero""#]];
    expected.assert_eq(&lcm().run(goal));
}

/// Example 4: 54 cases for arrays of up to four elements.
#[test]
fn multiples_has_54_cases_with_up_to_four_iterations() {
    let goal = "set_width(unbounded), set_exceptions(exclude),
        forall(between(1, 6, K),
               ( initial_heap('Vector', H0), input_array('[I', Ns, _, H0, H),
                 answers(multiples([Ns, _, _], _, H, _, _, _), K, N),
                 format('~w ', [N]) ))";
    expect!["1 3 8 21 54 135 "].assert_eq(&vector().run(goal));
}

/// Arrays of up to two elements, on a small domain: all runs, with what the array that is returned
/// holds.
#[test]
fn the_cases_of_multiples_partition_its_inputs() {
    let clauses = "
known(Ns-Div-ICap-Outcome) :-
    between(0, 2, L), length(Ns, L), append(Ns, [Div, ICap], Vs), Vs ins -2..2, label(Vs),
    initial_heap('Vector', H0), build('[I', Ns, A, H0, H),
    solve(multiples([A, Div, ICap], R, H, H1, E, _)), outcome(H1, R, E, Outcome).
unknown(Ns-Div-ICap-Outcome) :-
    initial_heap('Vector', H0), L in 0..2, input_array('[I', A, L, H0, H),
    unfold(multiples([A, Div, ICap], R, H, H1, E, _), 3),
    indomain(L), build_open(0, L, A, H, Ns),
    append(Ns, [Div, ICap], Vs), label(Vs), outcome(H1, R, E, Outcome).
build_open(L, L, _, _, []) :- !.
build_open(I, L, A, H, [V|Vs]) :- get_array(H, A, I, V), I1 is I+1, build_open(I1, L, A, H, Vs).
";
    let goal = "set_domain(-2..2), findall(X, known(X), Xs), findall(Y, unknown(Y), Ys),
        length(Xs, N), msort(Xs, Sorted), msort(Ys, SortedYs),
        ( Sorted == SortedYs -> print(N) ; print(SortedYs) )";
    expect!["775"].assert_eq(&vector().run_with(clauses, goal));
}

#[test]
fn a_partial_trace_guides_the_unfolding() {
    let goal = "set_width(unbounded), set_domain(-1000..1000),
        T = lcm(1, [], [gcd(1, [], _), lcm_call_2(1, [], [lcm_div_10(2, [], [])])]),
        findall(X-Y, unfold(lcm([X, Y], _, _, _, _, T), 3), Cases), print(Cases)";
    expect!["[0-0]"].assert_eq(&lcm().run(goal));
}
