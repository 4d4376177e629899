//! Abstractions alone: rules are written as text, and traces come out. Neither a JDK nor class files are
//! needed.

mod harness;

use expect_test::expect;
use petrel_abstraction::Precision;
use petrel_clp::Termination;

use harness::{ENHANCED, Tracing, abstraction, kept_parameters, traces};

/// Two guards on one number: only three of the four combinations are possible.
const RANGES: &str = r#"
    :- procedure('T', range, '(II)I', static, 'T.java').
    :- predicate(range, entry, 0).
    %@ 1: 0 iadd
    range([A,B],[R],H,H1,E,range(1,[],[T])) :- A #> 10, C #= A+B, low([A,C],[R],H,H1,E,T).
    %@ 2: 1 isub
    range([A,B],[R],H,H1,E,range(2,[],[T])) :- A #=< 10, C #= B-A, low([A,C],[R],H,H1,E,T).
    :- predicate(low, choice, 3).
    %@ 7: 3 iload_1
    low([A,C],[C],H,H,ok,low(1,[],[])) :- A #< 5.
    %@ 8: 4 iload_1
    low([A,C],[0],H,H,ok,low(2,[],[])) :- A #>= 5.
"#;

#[test]
fn without_variables_all_combinations_of_rules_are_traces() {
    expect![[r#"
        range(1,[],[*,low(1,[],[*])]) returns
        range(1,[],[*,low(2,[],[*])]) returns
        range(2,[],[*,low(1,[],[*])]) returns
        range(2,[],[*,low(2,[],[*])]) returns
    "#]]
    .assert_eq(&traces(Precision::Naive, RANGES));
}

#[test]
fn ranges_exclude_what_guards_contradict() {
    expect![[r#"
        range(1,[],[*,low(2,[],[*])]) returns
        range(2,[],[*,low(1,[],[*])]) returns
        range(2,[],[*,low(2,[],[*])]) returns
    "#]]
    .assert_eq(&traces(ENHANCED, RANGES));
}

#[test]
fn the_domain_of_inputs_excludes_more() {
    let tracing = Tracing { domain: Some((0, 4)), ..Tracing::default() };
    expect![[r#"
        range(2,[],[*,low(1,[],[*])]) returns
    "#]]
    .assert_eq(&tracing.traces(RANGES));
}

/// What no guard depends on is left out.
#[test]
fn variables_are_kept_if_guards_depend_on_them() {
    let kept = |precision| format!("{:?}", kept_parameters(precision, RANGES));
    expect![[r#"[("A", true), ("B", false)]"#]].assert_eq(&kept(ENHANCED));
    expect![[r#"[("A", false), ("B", false)]"#]].assert_eq(&kept(Precision::Naive));
}

#[test]
fn an_abstraction_prints_what_it_keeps() {
    expect![[r#"
        % T.range(II)I
        %   <range, {A = static, B = dynamic}>
        %   <low, {A = static, C = dynamic}>
        range(A,range(1,[],[T1])) :- A #> 10, low(A,T1).
        range(A,range(2,[],[T1])) :- A #=< 10, low(A,T1).
        low(A,low(1,[],[])) :- A #< 5.
        low(A,low(2,[],[])) :- A #>= 5.
    "#]]
    .assert_eq(&abstraction(ENHANCED, RANGES));
    expect![[r#"
        % T.range(II)I
        range(range(1,[],[T1])) :- low(T1).
        range(range(2,[],[T1])) :- low(T1).
        low(low(1,[],[])).
        low(low(2,[],[])).
    "#]]
    .assert_eq(&abstraction(Precision::Naive, RANGES));
}

#[test]
fn a_slice_leads_to_a_line_by_the_shortest_way() {
    let tracing = Tracing { towards_line: Some(7), ..Tracing::default() };
    expect![[r#"
        range(2,[],[*,low(1,[],[*])]) goes on
    "#]]
    .assert_eq(&tracing.traces(RANGES));
    let tracing = Tracing { towards_line: Some(8), ..Tracing::default() };
    expect![[r#"
        range(1,[],[*,low(2,[],[*])]) goes on
        range(2,[],[*,low(2,[],[*])]) goes on
    "#]]
    .assert_eq(&tracing.traces(RANGES));
}

#[test]
fn what_begins_like_a_refuted_trace_does_not_come() {
    let tracing = Tracing {
        precision: Precision::Naive,
        // The program does not get beyond its first rule.
        refuted: |trace| trace.starts_with("range(1").then_some(0),
        ..Tracing::default()
    };
    expect![[r#"
        range(1,[],[*,low(1,[],[*])]) returns
        range(2,[],[*,low(1,[],[*])]) returns
        range(2,[],[*,low(2,[],[*])]) returns
    "#]]
    .assert_eq(&tracing.traces(RANGES));
}

/// A loop that a number bounds.
const COUNT: &str = r#"
    :- procedure('T', count, '(I)I', static).
    :- predicate(count, entry, 0).
    count([N],[R],H,H1,E,count(1,[],[T])) :- while([N,0],[R],H,H1,E,T).
    :- predicate(while, loop, 2).
    while([N,I],[I],H,H,ok,while(1,[],[])) :- I #>= N.
    while([N,I],[R],H,H1,E,while(2,[],[T])) :- I #< N, J #= I+1, while([N,J],[R],H,H1,E,T).
"#;

#[test]
fn loop_k_cuts_traces_where_the_program_is_cut() {
    let tracing = Tracing { termination: Termination::Loop(1), ..Tracing::default() };
    expect![[r#"
        count(1,[],[*,while(1,[],[*])]) returns
        count(1,[],[*,while(2,[],[*,while(1,[],[*])])]) returns
        1 cut
    "#]]
    .assert_eq(&tracing.traces(COUNT));
}

#[test]
fn block_count_cuts_traces_where_the_program_is_cut() {
    let tracing = Tracing { termination: Termination::BlockCount(2), ..Tracing::default() };
    expect![[r#"
        count(1,[],[*,while(1,[],[*])]) returns
        count(1,[],[*,while(2,[],[*,while(1,[],[*])])]) returns
        1 cut
    "#]]
    .assert_eq(&tracing.traces(COUNT));
}

/// Without variables nobody knows whether an iteration is a choice of the program.
#[test]
fn traces_are_open_where_choices_may_be_none() {
    let tracing = Tracing {
        precision: Precision::Naive,
        termination: Termination::Loop(1),
        ..Tracing::default()
    };
    expect![[r#"
        count(1,[],[*,while(1,[],[*])]) returns
        count(1,[],[*,while(2,[],[*,while(1,[],[*])])]) returns
        count(1,[],[*,while(2,[],[*,while(2,[],[*])])]) goes on
    "#]]
    .assert_eq(&tracing.traces(COUNT));
}

/// Iterations that are decided are free, here as in the program.
#[test]
fn decided_iterations_are_followed_to_their_end() {
    let program = COUNT
        .replace("'(I)I'", "'()I'")
        .replace("count([N],", "count([],")
        .replace("while([N,0]", "while([3,0]");
    let tracing = Tracing { termination: Termination::Loop(1), ..Tracing::default() };
    expect![[r#"
        count(1,[],[*,while(2,[],[*,while(2,[],[*,while(2,[],[*,while(1,[],[*])])])])]) returns
    "#]]
    .assert_eq(&tracing.traces(&program));
}

/// A callee that throws, and a caller that goes on only if it did not.
const CALLER: &str = r#"
    :- procedure('T', caller, '(I)I', static).
    :- callee(checked, 'T', checked, '(I)I').
    :- predicate(caller, entry, 0).
    caller([A],[R],H,H2,E,caller(1,[],[T1,T2])) :-
        checked([A],[X],H,H1,E1,T1), after([A,X,exit(E1)],[R],H1,H2,E,T2).
    :- predicate(after, choice, 3).
    after([A,X,exit(E1)],[R],H,H1,E,after(1,[],[T])) :- E1 = ok, sign([A],[R],H,H1,E,T).
    after([A,X,exit(E1)],[_],H,H,exc(Y),after(2,[],[])) :- E1 = exc(Y).
    :- predicate(sign, choice, 4).
    sign([A],[1],H,H,ok,sign(1,[],[])) :- A #> 0.
    sign([A],[0],H,H,ok,sign(2,[],[])) :- A #=< 0.

    :- procedure('T', checked, '(I)I', static).
    :- predicate(checked, entry, 0).
    checked([A],[A],H,H,ok,checked(1,[],[])) :- A #>= 0.
    checked([A],[_],H,H1,exc(X),checked(2,[],[])) :-
        A #< 0, throwable(H,'java/lang/IllegalArgumentException',text("negative"),X,H1).
"#;

#[test]
fn calls_are_followed_with_what_is_known_of_their_arguments() {
    expect![[r#"
        caller(1,[],[*,checked(1,[],[*]),*,after(1,[],[*,sign(1,[],[*])])]) returns
        caller(1,[],[*,checked(1,[],[*]),*,after(1,[],[*,sign(2,[],[*])])]) returns
        caller(1,[],[*,checked(2,[],[*]),*,after(2,[],[*])]) throws
    "#]]
    .assert_eq(&traces(ENHANCED, CALLER));
}

#[test]
fn traces_that_throw_may_be_unwanted() {
    let tracing = Tracing { without_exceptions: true, ..Tracing::default() };
    expect![[r#"
        caller(1,[],[*,checked(1,[],[*]),*,after(1,[],[*,sign(1,[],[*])])]) returns
        caller(1,[],[*,checked(1,[],[*]),*,after(1,[],[*,sign(2,[],[*])])]) returns
    "#]]
    .assert_eq(&tracing.traces(CALLER));
}

#[test]
fn calls_that_are_not_followed_are_left_open() {
    let tracing = Tracing { follows_calls: false, ..Tracing::default() };
    expect![[r#"
        caller(1,[],[*,after(1,[],[*,sign(1,[],[*])])]) returns
        caller(1,[],[*,after(1,[],[*,sign(2,[],[*])])]) returns
        caller(1,[],[*,after(2,[],[*])]) throws
    "#]]
    .assert_eq(&tracing.traces(CALLER));
}

#[test]
fn the_most_expensive_trace_comes_first() {
    let program = r#"
        :- procedure('T', pay, '(I)I', static).
        :- predicate(pay, entry, 0).
        %@ 1: 0 iload_0
        pay([A],[0],H,H,ok,pay(1,[],[])) :- A #< 0.
        %@ 2: 1 iload_0, 2 iload_0, 3 iadd
        pay([A],[R],H,H1,E,pay(2,[],[T])) :- A #>= 0, B #= A+1, more([A],[R],H,H1,E,T).
        :- predicate(more, choice, 4).
        %@ 3: 4 iload_0
        more([A],[1],H,H,ok,more(1,[],[])) :- A #< 9.
        %@ 4: 5 iload_0, 6 iload_0
        more([A],[2],H,H,ok,more(2,[],[])) :- A #>= 9.
    "#;
    let tracing = Tracing { most_expensive: Some("instructions"), ..Tracing::default() };
    expect![[r#"
        pay(2,[],[*,more(2,[],[*])]) returns, at most 5
        pay(2,[],[*,more(1,[],[*])]) returns, at most 4
        pay(1,[],[*]) returns, at most 1
    "#]]
    .assert_eq(&tracing.traces(program));
}

#[test]
fn a_virtual_call_has_a_trace_for_each_class() {
    let program = r#"
        % abstract class Shape
        % class Circle extends Shape
        % class Square extends Shape
        :- procedure('T', count, '(LShape;)I', static).
        :- callee(sides, 'Shape', sides, '()I').
        :- predicate(count, entry, 0).
        count([ref(S)],[R],H,H2,E,count(1,[],[T1,T2])) :-
            S \== null, virtual:sides([r(S)],[N],H,H1,E1,T1), after([N,exit(E1)],[R],H1,H2,E,T2).
        count([ref(S)],[-1],H,H,ok,count(2,[],[])) :- S == null.
        :- predicate(after, choice, 3).
        after([N,exit(E1)],[R],H,H1,E,after(1,[],[T])) :- E1 = ok, many([N],[R],H,H1,E,T).
        after([N,exit(E1)],[_],H,H,exc(X),after(2,[],[])) :- E1 = exc(X).
        :- predicate(many, choice, 4).
        many([N],[1],H,H,ok,many(1,[],[])) :- N #> 3.
        many([N],[0],H,H,ok,many(2,[],[])) :- N #=< 3.

        :- procedure('Circle', sides, '()I', instance).
        :- predicate('Circle.sides', entry, 0, sides).
        'Circle.sides'([r(This)],[0],H,H,ok,'Circle.sides'(1,[],[])).

        :- procedure('Square', sides, '()I', instance).
        :- predicate('Square.sides', entry, 0, sides).
        'Square.sides'([r(This)],[4],H,H,ok,'Square.sides'(1,[],[])).
    "#;
    expect![[r#"
        count(1,[],[*,'Circle.sides'(1,[],[*]),*,after(1,[],[*,many(2,[],[*])])]) returns
        count(1,[],[*,'Square.sides'(1,[],[*]),*,after(1,[],[*,many(1,[],[*])])]) returns
        count(2,[],[*]) returns
    "#]]
    .assert_eq(&traces(ENHANCED, program));
}

/// Fields are followed as long as nothing may have written them.
#[test]
fn a_field_is_known_until_an_alias_is_written() {
    let program = r#"
        :- procedure('T', fields, '(LCell;LCell;)I', static).
        :- field(value, 'Cell', value, 'I').
        :- predicate(fields, entry, 0).
        fields([ref(A),ref(B)],[R],H,H2,E,fields(1,[],[T])) :-
            A \== null, B \== null, set_field(H,A,value,1,H1), get_field(H1,A,value,V),
            first([V,r(A),r(B)],[R],H1,H2,E,T).
        fields([ref(A),ref(B)],[-1],H,H,ok,fields(2,[],[])) :- A == null.
        fields([ref(A),ref(B)],[-1],H,H,ok,fields(3,[],[])) :- A \== null, B == null.
        :- predicate(first, choice, 4).
        first([V,r(A),r(B)],[R],H,H2,E,first(1,[],[T])) :-
            V #= 1, set_field(H,B,value,2,H1), get_field(H1,A,value,W), second([W],[R],H1,H2,E,T).
        first([V,r(A),r(B)],[0],H,H,ok,first(2,[],[])) :- V #\= 1.
        :- predicate(second, choice, 5).
        second([W],[1],H,H,ok,second(1,[],[])) :- W #= 1.
        second([W],[2],H,H,ok,second(2,[],[])) :- W #\= 1.
    "#;
    expect![[r#"
        fields(1,[],[*,first(1,[],[*,second(1,[],[*])])]) returns
        fields(1,[],[*,first(1,[],[*,second(2,[],[*])])]) returns
        fields(2,[],[*]) returns
        fields(3,[],[*]) returns
    "#]]
    .assert_eq(&traces(ENHANCED, program));
}

/// Recursion counts the calls that are inside of one another.
#[test]
fn recursion_is_cut_where_the_program_is_cut() {
    let program = r#"
        :- procedure('T', sum, '(I)I', static).
        :- callee(sum, 'T', sum, '(I)I').
        :- predicate(sum, entry, 0).
        sum([N],[0],H,H,ok,sum(1,[],[])) :- N #=< 0.
        sum([N],[R],H,H2,E,sum(2,[],[T1,T2])) :-
            N #> 0, M #= N-1, sum([M],[S],H,H1,E1,T1), added([N,S,exit(E1)],[R],H1,H2,E,T2).
        :- predicate(added, choice, 5).
        added([N,S,exit(E1)],[A],H,H,ok,added(1,[],[])) :- E1 = ok, A #= N+S.
        added([N,S,exit(E1)],[_],H,H,exc(X),added(2,[],[])) :- E1 = exc(X).
    "#;
    let within = |termination| Tracing { termination, ..Tracing::default() }.traces(program);
    expect![[r#"
        sum(1,[],[*]) returns
        sum(2,[],[*,sum(1,[],[*]),*,added(1,[],[*])]) returns
        1 cut
    "#]]
    .assert_eq(&within(Termination::Loop(1)));
    expect![[r#"
        sum(1,[],[*]) returns
        sum(2,[],[*,sum(1,[],[*]),*,added(1,[],[*])]) returns
        sum(2,[],[*,sum(2,[],[*,sum(1,[],[*]),*,added(1,[],[*])]),*,added(1,[],[*])]) returns
        1 cut
    "#]]
    .assert_eq(&within(Termination::BlockCount(3)));
}
