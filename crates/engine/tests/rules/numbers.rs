//! Arithmetic, and guards on numbers.

use expect_test::expect;

use crate::harness::paths;

#[test]
fn a_sum_is_a_term_over_the_inputs() {
    let found = paths(
        r#"
        :- procedure('T', sum, '(II)I', static).
        :- predicate(sum, entry, 0).
        sum([A,B],[C],H,H,ok,sum(1,[],[])) :- C #= A+B.
        "#,
    );
    expect![[r#"
        [] returns A + B, as (0, 0) -> 0
          sum(1,[],[])
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_guard_has_two_sides() {
    let found = paths(
        r#"
        :- procedure('T', abs, '(I)I', static).
        :- predicate(abs, entry, 0).
        abs([A],[A],H,H,ok,abs(1,[],[])) :- A #>= 0.
        abs([A],[B],H,H,ok,abs(2,[],[])) :- A #< 0, B #= -A.
        "#,
    );
    expect![[r#"
        [A >= 0] returns A, as (0) -> 0
          abs(1,[],[])
        [A < 0] returns -A, as (-1) -> 1
          abs(2,[],[])
    "#]]
    .assert_eq(&found);
}

#[test]
fn an_infeasible_side_is_no_path() {
    let found = paths(
        r#"
        :- procedure('T', between, '(I)I', static).
        :- predicate(between, entry, 0).
        between([A],[R],H,H1,E,between(1,[],[T])) :- A #> 10, low([A],[R],H,H1,E,T).
        between([A],[0],H,H,ok,between(2,[],[])) :- A #=< 10.
        :- predicate(low, choice, 1).
        low([A],[1],H,H,ok,low(1,[],[])) :- A #< 5.
        low([A],[2],H,H,ok,low(2,[],[])) :- A #>= 5.
        "#,
    );
    expect![[r#"
        [A > 10] returns 2, as (11) -> 2
          between(1,[],[low(2,[],[])])
        [A <= 10] returns 0, as (0) -> 0
          between(2,[],[])
    "#]]
    .assert_eq(&found);
}

#[test]
fn an_exception_is_a_rule_that_throws() {
    let found = paths(
        r#"
        :- procedure('T', div, '(II)I', static).
        :- predicate(div, entry, 0).
        div([A,B],[C],H,H,ok,div(1,[],[])) :- B #\= 0, C #= A/B.
        div([A,B],[_],H,H1,exc(X),div(2,[],[])) :-
            B #= 0,
            throwable(H,'java/lang/ArithmeticException',text("/ by zero"),X,H1).
        "#,
    );
    expect![[r#"
        [B != 0] returns A / B, as (0, 1) -> 0
          div(1,[],[])
        [B == 0] throws java.lang.ArithmeticException, as (0, 0) -> java.lang.ArithmeticException
          div(2,[],[])
    "#]]
    .assert_eq(&found);
}

/// The successor of a number is smaller only where it overflows.
#[test]
fn ints_wrap_around() {
    let found = paths(
        r#"
        :- procedure('T', next, '(I)I', static).
        :- predicate(next, entry, 0).
        next([A],[R],H,H1,E,next(1,[],[T])) :- B #= A+1, compare([A,B],[R],H,H1,E,T).
        :- predicate(compare, choice, 1).
        compare([A,B],[B],H,H,ok,compare(1,[],[])) :- B #< A.
        compare([A,B],[0],H,H,ok,compare(2,[],[])) :- B #>= A.
        "#,
    );
    expect![[r#"
        [A > A + 1] returns A + 1, as (2147483647) -> -2147483648
          next(1,[],[compare(1,[],[])])
        [A <= A + 1] returns 0, as (0) -> 0
          next(1,[],[compare(2,[],[])])
    "#]]
    .assert_eq(&found);
}

/// Negation has a fixed point besides zero.
#[test]
fn the_smallest_int_is_its_own_negation() {
    let found = paths(
        r#"
        :- procedure('T', negated, '(I)I', static).
        :- predicate(negated, entry, 0).
        negated([A],[R],H,H1,E,negated(1,[],[T])) :- A #< 0, B #= -A, is_same([A,B],[R],H,H1,E,T).
        negated([A],[0],H,H,ok,negated(2,[],[])) :- A #>= 0.
        :- predicate(is_same, choice, 1).
        is_same([A,B],[1],H,H,ok,is_same(1,[],[])) :- A #= B.
        is_same([A,B],[2],H,H,ok,is_same(2,[],[])) :- A #\= B.
        "#,
    );
    expect![[r#"
        [A < 0, A == -A] returns 1, as (-2147483648) -> 1
          negated(1,[],[is_same(1,[],[])])
        [A < 0, A != -A] returns 2, as (-1) -> 2
          negated(1,[],[is_same(2,[],[])])
        [A >= 0] returns 0, as (0) -> 0
          negated(2,[],[])
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_product_of_ints_wraps_and_one_of_longs_does_not() {
    let found = paths(
        r#"
        :- procedure('T', squares, '(I)J', static).
        :- predicate(squares, entry, 0).
        squares([A],[D],H,H,ok,squares(1,[],[])) :-
            A in [65536],
            B #= A*A, C #= i2l(B), L #= i2l(A), M #= L*L, D #= M-C.
        squares([A],[0L],H,H,ok,squares(2,[],[])) :- A not_in [65536].
        "#,
    );
    expect![[r#"
        [A == 65536] returns 4294967296L, as (65536) -> 4294967296L
          squares(1,[],[])
        [A != 65536] returns 0L, as (0) -> 0L
          squares(2,[],[])
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_switch_has_a_path_for_each_of_its_rules() {
    let found = paths(
        r#"
        :- procedure('T', kind, '(I)I', static).
        :- predicate(kind, entry, 0).
        kind([A],[1],H,H,ok,kind(1,[],[])) :- A in [1,2].
        kind([A],[2],H,H,ok,kind(2,[],[])) :- A in [-7].
        kind([A],[3],H,H,ok,kind(3,[],[])) :- A not_in [-7,1,2].
        "#,
    );
    expect![[r#"
        [A == 1 || A == 2] returns 1, as (1) -> 1
          kind(1,[],[])
        [A == -7] returns 2, as (-7) -> 2
          kind(2,[],[])
        [A != -7 && A != 1 && A != 2] returns 3, as (0) -> 3
          kind(3,[],[])
    "#]]
    .assert_eq(&found);
}

/// A number that is not that of a byte is found.
#[test]
fn conversions_lose_what_does_not_fit() {
    let found = paths(
        r#"
        :- procedure('T', byte, '(I)I', static).
        :- predicate(byte, entry, 0).
        byte([A],[R],H,H1,E,byte(1,[],[T])) :- B #= i2b(A), fits([A,B],[R],H,H1,E,T).
        :- predicate(fits, choice, 1).
        fits([A,B],[B],H,H,ok,fits(1,[],[])) :- A #\= B.
        fits([A,B],[0],H,H,ok,fits(2,[],[])) :- A #= B.
        "#,
    );
    expect![[r#"
        [A != (byte) A] returns (byte) A, as (128) -> -128
          byte(1,[],[fits(1,[],[])])
        [A == (byte) A] returns 0, as (0) -> 0
          byte(1,[],[fits(2,[],[])])
    "#]]
    .assert_eq(&found);
}

#[test]
fn two_equations_have_one_solution() {
    let found = paths(
        r#"
        :- procedure('T', solve, '(II)I', static).
        :- predicate(solve, entry, 0).
        solve([A,B],[R],H,H1,E,solve(1,[],[T])) :-
            C #= A+B, D #= A-B, first([C,D],[R],H,H1,E,T).
        :- predicate(first, choice, 1).
        first([C,D],[R],H,H1,E,first(1,[],[T])) :- C #= 10, second([D],[R],H,H1,E,T).
        first([C,D],[0],H,H,ok,first(2,[],[])) :- C #\= 10.
        :- predicate(second, choice, 2).
        second([D],[1],H,H,ok,second(1,[],[])) :- D #= 4.
        second([D],[2],H,H,ok,second(2,[],[])) :- D #\= 4.
        "#,
    );
    expect![[r#"
        [A + B == 10, A - B == 4] returns 1, as (7, 3) -> 1
          solve(1,[],[first(1,[],[second(1,[],[])])])
        [A + B == 10, A - B != 4] returns 2, as (2, 8) -> 2
          solve(1,[],[first(1,[],[second(2,[],[])])])
        [A + B != 10] returns 0, as (0, 0) -> 0
          solve(1,[],[first(2,[],[])])
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_square_root_is_found() {
    let found = paths(
        r#"
        :- procedure('T', root, '(I)I', static).
        :- predicate(root, entry, 0).
        root([A],[R],H,H1,E,root(1,[],[T])) :- A #< 0, B #= A*A, is_square([B],[R],H,H1,E,T).
        root([A],[0],H,H,ok,root(2,[],[])) :- A #>= 0.
        :- predicate(is_square, choice, 1).
        is_square([B],[1],H,H,ok,is_square(1,[],[])) :- B #= 49.
        is_square([B],[2],H,H,ok,is_square(2,[],[])) :- B #\= 49.
        "#,
    );
    expect![[r#"
        [A < 0, A * A == 49] returns 1, as (-7) -> 1
          root(1,[],[is_square(1,[],[])])
        [A < 0, A * A != 49] returns 2, as (-1) -> 2
          root(1,[],[is_square(2,[],[])])
        [A >= 0] returns 0, as (0) -> 0
          root(2,[],[])
    "#]]
    .assert_eq(&found);
}

/// What is neither less nor greater nor equal is NaN.
#[test]
fn nan_takes_the_side_that_admits_it() {
    let found = paths(
        r#"
        :- procedure('T', sign, '(D)I', static).
        :- predicate(sign, entry, 0).
        sign([d(A)],[-1],H,H,ok,sign(1,[],[])) :- A #< 0.0.
        sign([d(A)],[R],H,H1,E,sign(2,[],[T])) :- nan_or(A #>= 0.0), same([d(A)],[R],H,H1,E,T).
        :- predicate(same, choice, 1).
        same([d(A)],[0],H,H,ok,same(1,[],[])) :- A #= A.
        same([d(A)],[1],H,H,ok,same(2,[],[])) :- nan_or(A #\= A).
        "#,
    );
    expect![[r#"
        [A < 0.0] returns -1, as (-1.0) -> -1
          sign(1,[],[])
        [!(A < 0.0), A == A] returns 0, as (0.0) -> 0
          sign(2,[],[same(1,[],[])])
        [!(A < 0.0), A != A] returns 1, as (NaN) -> 1
          sign(2,[],[same(2,[],[])])
    "#]]
    .assert_eq(&found);
}
