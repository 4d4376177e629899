//! Loops and recursion under the termination criteria, and limits.

use expect_test::expect;
use petrel_budget::{Cause, Purse};
use petrel_clp::Termination;
use petrel_engine::{Bounds, Limits};

use crate::harness::{Exploration, paths, paths_within};

/// Counts how often a number can be decremented: every iteration is a choice.
const COUNT: &str = r#"
    :- procedure('T', count, '(I)I', static).
    :- predicate(count, entry, 0).
    count([N],[R],H,H1,E,count(1,[],[T])) :- while([N,0],[R],H,H1,E,T).
    :- predicate(while, loop, 2).
    while([N,I],[I],H,H,ok,while(1,[],[])) :- N #=< 0.
    while([N,I],[R],H,H1,E,while(2,[],[T])) :- N #> 0, M #= N-1, J #= I+1, while([M,J],[R],H,H1,E,T).
"#;

#[test]
fn loop_k_lets_a_loop_iterate_k_times() {
    expect![[r#"
        [N <= 0] returns 0, as (0) -> 0
          count(1,[],[while(1,[],[])])
        [N > 0, N <= 1] returns 1, as (1) -> 1
          count(1,[],[while(2,[],[while(1,[],[])])])
        [N > 0, N > 1, N <= 2] returns 2, as (2) -> 2
          count(1,[],[while(2,[],[while(2,[],[while(1,[],[])])])])
        [N > 0, N > 1, N > 2] is cut
          count(1,[],[while(2,[],[while(2,[],[while(2,[],[])])])])
    "#]]
    .assert_eq(&paths_within(Termination::Loop(2), COUNT));
}

#[test]
fn loop_0_lets_no_iteration_end() {
    expect![[r#"
        [N <= 0] returns 0, as (0) -> 0
          count(1,[],[while(1,[],[])])
        [N > 0] is cut
          count(1,[],[while(2,[],[])])
    "#]]
    .assert_eq(&paths_within(Termination::Loop(0), COUNT));
}

/// The first occurrence of the predicate is no iteration.
#[test]
fn block_count_counts_the_predicate_itself() {
    expect![[r#"
        [N <= 0] returns 0, as (0) -> 0
          count(1,[],[while(1,[],[])])
        [N > 0, N <= 1] returns 1, as (1) -> 1
          count(1,[],[while(2,[],[while(1,[],[])])])
        [N > 0, N > 1] is cut
          count(1,[],[while(2,[],[while(2,[],[])])])
    "#]]
    .assert_eq(&paths_within(Termination::BlockCount(2), COUNT));
}

/// A hundred iterations, none of which is a choice.
#[test]
fn iterations_without_a_choice_are_free() {
    let program = r#"
        :- procedure('T', hundred, '(I)I', static).
        :- predicate(hundred, entry, 0).
        hundred([A],[R],H,H1,E,hundred(1,[],[T])) :- while([A,0],[R],H,H1,E,T).
        :- predicate(while, loop, 2).
        while([A,I],[A],H,H,ok,while(1,[],[])) :- I #>= 100.
        while([A,I],[R],H,H1,E,while(2,[],[T])) :-
            I #< 100, B #= A+2, J #= I+1, while([B,J],[R],H,H1,E,T).
    "#;
    let ends = |found: &str| {
        let first = found.lines().next().unwrap_or_default();
        first.to_owned()
    };
    let by_loop = paths_within(Termination::Loop(1), program);
    expect!["[] returns A + 200, as (0) -> 200"].assert_eq(&ends(&by_loop));
    let by_count = paths_within(Termination::BlockCount(10), program);
    expect!["[] is cut"].assert_eq(&ends(&by_count));
}

/// An inner loop counts again each time it is entered for loop-k, and adds up for block-count.
#[test]
fn inner_loops_start_anew_for_loop_k_alone() {
    let program = r#"
        :- procedure('T', nested, '(II)I', static).
        :- predicate(nested, entry, 0).
        nested([N,M],[R],H,H1,E,nested(1,[],[T])) :- outer([N,M],[R],H,H1,E,T).
        :- predicate(outer, loop, 2).
        outer([N,M],[0],H,H,ok,outer(1,[],[])) :- N #=< 0.
        outer([N,M],[R],H,H1,E,outer(2,[],[T])) :- N #> 0, inner([N,M,M],[R],H,H1,E,T).
        :- predicate(inner, loop, 3).
        inner([N,M,I],[R],H,H1,E,inner(1,[],[T])) :- I #=< 0, K #= N-1, outer([K,M],[R],H,H1,E,T).
        inner([N,M,I],[R],H,H1,E,inner(2,[],[T])) :- I #> 0, J #= I-1, inner([N,M,J],[R],H,H1,E,T).
    "#;
    let ends = |termination| {
        let found = paths_within(termination, program);
        let cut = found.matches("is cut").count();
        (found.matches("returns").count(), cut)
    };
    assert_eq!(ends(Termination::Loop(1)), (3, 3));
    assert_eq!(ends(Termination::BlockCount(2)), (3, 3));
    assert_eq!(ends(Termination::Loop(2)), (7, 4));
    assert_eq!(ends(Termination::BlockCount(3)), (5, 4));
}

/// Adds up the numbers to N by recursion.
const SUM: &str = r#"
    :- procedure('T', sum, '(I)I', static).
    :- callee(sum, 'T', sum, '(I)I').
    :- predicate(sum, entry, 0).
    sum([N],[0],H,H,ok,sum(1,[],[])) :- N #=< 0.
    sum([N],[R],H,H2,E,sum(2,[],[T1,T2])) :-
        N #> 0, M #= N-1,
        sum([M],[S],H,H1,E1,T1), added([N,S,exit(E1)],[R],H1,H2,E,T2).
    :- predicate(added, choice, 5).
    added([N,S,exit(E1)],[A],H,H,ok,added(1,[],[])) :- E1 = ok, A #= N+S.
    added([N,S,exit(E1)],[_],H,H,exc(X),added(2,[],[])) :- E1 = exc(X).
"#;

#[test]
fn loop_k_lets_a_method_call_itself_k_times() {
    expect![[r#"
        [N <= 0] returns 0, as (0) -> 0
          sum(1,[],[])
        [N > 0, N <= 1] returns 1, as (1) -> 1
          sum(2,[],[sum(1,[],[]),added(1,[],[])])
        [N > 0, N > 1] is cut
          sum(2,[],[sum(2,[],[])])
    "#]]
    .assert_eq(&paths_within(Termination::Loop(1), SUM));
}

#[test]
fn block_count_counts_the_calls_around() {
    expect![[r#"
        [N <= 0] returns 0, as (0) -> 0
          sum(1,[],[])
        [N > 0, N <= 1] returns 1, as (1) -> 1
          sum(2,[],[sum(1,[],[]),added(1,[],[])])
        [N > 0, N > 1, N <= 2] returns 3, as (2) -> 3
          sum(2,[],[sum(2,[],[sum(1,[],[]),added(1,[],[])]),added(1,[],[])])
        [N > 0, N > 1, N > 2] is cut
          sum(2,[],[sum(2,[],[sum(2,[],[])])])
    "#]]
    .assert_eq(&paths_within(Termination::BlockCount(3), SUM));
}

#[test]
fn counts_end_with_their_call() {
    // Two calls, one after the other, count for themselves.
    let program = r#"
        :- procedure('T', twice, '(II)I', static).
        :- callee(count, 'T', count, '(I)I').
        :- predicate(twice, entry, 0).
        twice([A,B],[R],H,H2,E,twice(1,[],[T1,T2])) :-
            count([A],[X],H,H1,E1,T1), second([B,X,exit(E1)],[R],H1,H2,E,T2).
        :- predicate(second, choice, 3).
        second([B,X,exit(E1)],[R],H,H2,E,second(1,[],[T1,T2])) :-
            E1 = ok, count([B],[Y],H,H1,E2,T1), both([X,Y,exit(E2)],[R],H1,H2,E,T2).
        second([B,X,exit(E1)],[_],H,H,exc(Z),second(2,[],[])) :- E1 = exc(Z).
        :- predicate(both, choice, 6).
        both([X,Y,exit(E1)],[Z],H,H,ok,both(1,[],[])) :- E1 = ok, Z #= X+Y.
        both([X,Y,exit(E1)],[_],H,H,exc(Z),both(2,[],[])) :- E1 = exc(Z).
    "#;
    for (termination, each) in [(Termination::Loop(2), 3), (Termination::BlockCount(3), 3)] {
        let found = paths_within(termination, &format!("{program}{COUNT}"));
        assert_eq!(found.matches("returns").count(), each * each, "{termination}");
        assert_eq!(found.matches("is cut").count(), 1 + each, "{termination}");
    }
}

/// It never ends, and never chooses.
const FOREVER: &str = r#"
    :- procedure('T', forever, '(I)I', static).
    :- predicate(forever, entry, 0).
    forever([A],[R],H,H1,E,forever(1,[],[T])) :- while([A],[R],H,H1,E,T).
    :- predicate(while, loop, 1).
    while([A],[R],H,H1,E,while(1,[],[T])) :- B #= A+1, while([B],[R],H,H1,E,T).
"#;

#[test]
fn a_path_has_at_most_so_many_steps() {
    let bounds = Bounds { steps: 4, ..Bounds::default() };
    let found = Exploration { bounds, ..Exploration::default() }.paths(FOREVER).0;
    expect![[r#"
        [] stops: limit reached: 4 steps
          forever(1,[],[while(1,[],[while(1,[],[while(1,[],[])])])])
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_path_has_at_most_so_many_choices() {
    let bounds = Bounds { choices: 1, ..Bounds::default() };
    let found = Exploration { bounds, ..Exploration::default() }.paths(COUNT).0;
    expect![[r#"
        [N <= 0] returns 0, as (0) -> 0
          count(1,[],[while(1,[],[])])
        [N > 0] stops: limit reached: 1 choices
          count(1,[],[while(2,[],[])])
    "#]]
    .assert_eq(&found);
}

/// Why paths stop when there is only so much work.
fn stops_for_lack_of_work(termination: Termination, program: &str) -> Vec<String> {
    let bounds = Bounds { termination, ..Bounds::default() };
    let purse = Purse::unlimited().with_work(5_000);
    let found = Exploration { bounds, purse, ..Exploration::default() }.paths(program).0;
    let mut stops: Vec<String> =
        found.lines().filter_map(|line| Some(line.split_once("stops: ")?.1.to_owned())).collect();
    stops.dedup();
    stops
}

/// One path that does not come to its end leaves something for the others.
#[test]
fn a_path_has_a_share_of_the_work() {
    let stops = stops_for_lack_of_work(Termination::Loop(2), FOREVER);
    assert_eq!(stops, ["limit reached: the share of a path in the budget"]);
}

#[test]
fn all_paths_together_have_at_most_so_much_work() {
    let stops = stops_for_lack_of_work(Termination::Loop(1_000), COUNT);
    assert_eq!(stops, ["limit reached: budget"]);
}

#[test]
fn an_interrupt_ends_paths_at_their_next_choice() {
    let purse = Purse::unlimited();
    purse.alarm().raise(Cause::Time);
    let found = Exploration { purse, ..Exploration::default() }.paths(COUNT).0;
    expect![[r#"
        [] stops: limit reached: time
          count(1,[],[])
    "#]]
    .assert_eq(&found);
}

#[test]
fn calls_without_end_overflow_the_stack() {
    let program = r#"
        :- procedure('T', deep, '(I)I', static).
        :- callee(deep, 'T', deep, '(I)I').
        :- predicate(deep, entry, 0).
        deep([A],[R],H,H2,E,deep(1,[],[T1,T2])) :-
            deep([A],[X],H,H1,E1,T1), after([X,exit(E1)],[R],H1,H2,E,T2).
        :- predicate(after, choice, 3).
        after([X,exit(E1)],[X],H,H,ok,after(1,[],[])) :- E1 = ok.
        after([X,exit(E1)],[_],H,H,exc(Y),after(2,[],[])) :- E1 = exc(Y).
    "#;
    let limits = Limits { frames: 3, ..Limits::default() };
    let found = Exploration { limits, ..Exploration::default() }.paths(program).0;
    expect![[r#"
        [] throws java.lang.StackOverflowError, as (0) -> java.lang.StackOverflowError
          deep(1,[],[deep(1,[],[deep(1,[],[after(2,[],[])]),after(2,[],[])]),after(2,[],[])])
        left out 1 times: what the machine decides
    "#]]
    .assert_eq(&found);
}

/// The order of the paths is that of the rules.
#[test]
fn rules_are_tried_in_their_order() {
    let program = r#"
        :- procedure('T', order, '(I)I', static).
        :- predicate(order, entry, 0).
        order([A],[2],H,H,ok,order(1,[],[])) :- A #> 5.
        order([A],[1],H,H,ok,order(2,[],[])) :- A #=< 5.
    "#;
    expect![[r#"
        [A > 5] returns 2, as (6) -> 2
          order(1,[],[])
        [A <= 5] returns 1, as (0) -> 1
          order(2,[],[])
    "#]]
    .assert_eq(&paths(program));
}
