//! Calls: results, exceptions, receivers, initialisers.

use expect_test::expect;
use petrel_engine::Bounds;

use crate::harness::{Exploration, paths};

/// A callee that throws for negative numbers, and a caller that catches that.
const ROOT: &str = r#"
    :- procedure('T', root, '(I)I', static).
    :- callee(checked, 'T', checked, '(I)I').
    :- predicate(root, entry, 0).
    root([A],[R],H,H2,E,root(1,[],[T1,T2])) :-
        checked([A],[X],H,H1,E1,T1), after([A,X,exit(E1)],[R],H1,H2,E,T2).
    :- predicate(after, choice, 3).
    after([A,X,exit(E1)],[Y],H,H,ok,after(1,[],[])) :- E1 = ok, Y #= X+1.
    after([A,X,exit(E1)],[-1],H,H,ok,after(2,[],[])) :-
        E1 = exc(Y), instance(H,Y,'java/lang/IllegalArgumentException').
    after([A,X,exit(E1)],[_],H,H,exc(Y),after(3,[],[])) :-
        E1 = exc(Y), not_instance(H,Y,'java/lang/IllegalArgumentException').

    :- procedure('T', checked, '(I)I', static).
    :- predicate(checked, entry, 0).
    checked([A],[A],H,H,ok,checked(1,[],[])) :- A #> 0.
    checked([A],[R],H,H1,E,checked(2,[],[T])) :- A #=< 0, refused([A],[R],H,H1,E,T).
    :- predicate(refused, choice, 2).
    refused([A],[_],H,H1,exc(X),refused(1,[],[])) :-
        A #= 0, throwable(H,'java/lang/ArithmeticException',text("zero"),X,H1).
    refused([A],[_],H,H1,exc(X),refused(2,[],[])) :-
        A #\= 0, throwable(H,'java/lang/IllegalArgumentException',text("negative"),X,H1).
"#;

#[test]
fn a_handler_catches_its_class_and_no_other() {
    expect![[r#"
        [A > 0] returns A + 1, as (1) -> 2
          root(1,[],[checked(1,[],[]),after(1,[],[])])
        [A <= 0, A == 0] throws java.lang.ArithmeticException, as (0) -> java.lang.ArithmeticException
          root(1,[],[checked(2,[],[refused(1,[],[])]),after(3,[],[])])
        [A <= 0, A != 0] returns -1, as (-1) -> -1
          root(1,[],[checked(2,[],[refused(2,[],[])]),after(2,[],[])])
    "#]].assert_eq(&paths(ROOT));
}

/// Two classes below an abstract one.
const SHAPES: &str = r#"
    % abstract class Shape
    % class Circle extends Shape
    % class Square extends Shape
    :- procedure('Circle', sides, '()I', instance).
    :- predicate('Circle.sides', entry, 0, sides).
    'Circle.sides'([r(This)],[0],H,H,ok,'Circle.sides'(1,[],[])).

    :- procedure('Square', sides, '()I', instance).
    :- predicate('Square.sides', entry, 0, sides).
    'Square.sides'([r(This)],[4],H,H,ok,'Square.sides'(1,[],[])).
"#;

const SIDES: &str = r#"
    :- procedure('T', count, '(LShape;)I', static).
    :- callee(sides, 'Shape', sides, '()I').
    :- predicate(count, entry, 0).
    count([ref(S)],[R],H,H2,E,count(1,[],[T1,T2])) :-
        S \== null, virtual:sides([r(S)],[N],H,H1,E1,T1), after([N,exit(E1)],[R],H1,H2,E,T2).
    count([ref(S)],[-1],H,H,ok,count(2,[],[])) :- S == null.
    :- predicate(after, choice, 3).
    after([N,exit(E1)],[N],H,H,ok,after(1,[],[])) :- E1 = ok.
    after([N,exit(E1)],[_],H,H,exc(X),after(2,[],[])) :- E1 = exc(X).
"#;

#[test]
fn an_unknown_receiver_has_a_path_for_each_class() {
    expect![[r#"
        [S != null, S instanceof Circle] returns 0, as (Circle@0{}) -> 0
          count(1,[],['Circle.sides'(1,[],[]),after(1,[],[])])
        [S != null, S instanceof Square] returns 4, as (Square@0{}) -> 4
          count(1,[],['Square.sides'(1,[],[]),after(1,[],[])])
        [S == null] returns -1, as (null) -> -1
          count(2,[],[])
    "#]]
    .assert_eq(&paths(&format!("{SIDES}{SHAPES}")));
}

#[test]
fn receivers_beyond_the_bound_are_left_out() {
    let bounds = Bounds { max_receivers: 1, ..Bounds::default() };
    let found = Exploration { bounds, ..Exploration::default() }.paths(&format!("{SIDES}{SHAPES}"));
    expect![[r#"
        [S != null] returns 0, as (Circle@0{}) -> 0
          count(1,[],['Circle.sides'(1,[],[]),after(1,[],[])])
        [S == null] returns -1, as (null) -> -1
          count(2,[],[])
        left out 1 times: more than 1 classes of an unknown object (--max-receivers)
    "#]]
    .assert_eq(&found.0);
}

#[test]
fn the_class_of_a_new_object_is_known() {
    let program = r#"
        :- procedure('T', make, '()I', static).
        :- callee(sides, 'Shape', sides, '()I').
        :- predicate(make, entry, 0).
        make([],[R],H,H3,E,make(1,[],[T1,T2])) :-
            new_object(H,'Square',S,H1),
            virtual:sides([r(S)],[N],H1,H2,E1,T1), after([N,exit(E1)],[R],H2,H3,E,T2).
        :- predicate(after, choice, 3).
        after([N,exit(E1)],[N],H,H,ok,after(1,[],[])) :- E1 = ok.
        after([N,exit(E1)],[_],H,H,exc(X),after(2,[],[])) :- E1 = exc(X).
    "#;
    expect![[r#"
        [] returns 4, as () -> 4
          make(1,[],['Square.sides'(1,[],[]),after(1,[],[])])
    "#]]
    .assert_eq(&paths(&format!("{program}{SHAPES}")));
}

#[test]
fn a_class_is_initialised_before_its_statics_are_read() {
    let program = r#"
        :- procedure('T', read, '(I)I', static).
        :- field(start, 'Config', start, 'I').
        :- predicate(read, entry, 0).
        read([A],[R],H,H2,E,read(1,[],[T])) :-
            initialise('Config',H,H1,E1), ready([A,exit(E1)],[R],H1,H2,E,T).
        :- predicate(ready, choice, 2).
        ready([A,exit(E1)],[C],H,H,ok,ready(1,[],[])) :- E1 = ok, get_static(H,start,B), C #= A+B.
        ready([A,exit(E1)],[_],H,H,exc(X),ready(2,[],[])) :- E1 = exc(X).

        :- procedure('Config', '<clinit>', '()V', static).
        :- field(start, 'Config', start, 'I').
        :- predicate(clinit, entry, 0).
        clinit([],[],H,H1,ok,clinit(1,[],[])) :- set_static(H,start,40,H1).
    "#;
    expect![[r#"
        [] returns A + 40, as (0) -> 40
          read(1,[],[ready(1,[],[])])
        left out 1 times: other contents of the static fields of Config
    "#]]
    .assert_eq(&paths(program));
}
