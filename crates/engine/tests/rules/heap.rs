//! Unknown objects: fields, aliasing, types.

use expect_test::expect;
use petrel_clp::Termination;
use petrel_engine::{Bounds, HeapMode};

use crate::harness::{Exploration, paths, paths_within};

#[test]
fn a_field_of_an_unknown_object_is_an_unknown() {
    let program = r#"
        :- procedure('T', get, '(LCell;)I', static).
        :- field(value, 'Cell', value, 'I').
        :- predicate(get, entry, 0).
        get([ref(C)],[W],H,H,ok,get(1,[],[])) :- C \== null, get_field(H,C,value,V), W #= V+1.
        get([ref(C)],[_],H,H1,exc(X),get(2,[],[])) :-
            C == null, throwable(H,'java/lang/NullPointerException',null_at(1),X,H1).
    "#;
    expect![[r#"
        [C != null] returns C.value + 1, as (Cell@0{value=0}) -> 1
          get(1,[],[])
        [C == null] throws java.lang.NullPointerException, as (null) -> java.lang.NullPointerException
          get(2,[],[])
    "#]].assert_eq(&paths(program));
}

/// What is written through one reference is read through the other if they are the same.
const TWO_WRITES: &str = r#"
    :- procedure('T', write, '(LCell;LCell;)I', static).
    :- field(value, 'Cell', value, 'I').
    :- predicate(write, entry, 0).
    write([ref(A),ref(B)],[R],H,H1,E,write(1,[],[T])) :- both([ref(A),ref(B)],[R],H,H1,E,T).
    :- predicate(both, choice, 1).
    both([ref(A),ref(B)],[R],H,H3,E,both(1,[],[T])) :-
        A \== null, B \== null,
        set_field(H,A,value,1,H1), set_field(H1,B,value,2,H2),
        get_field(H2,A,value,V), read([V],[R],H2,H3,E,T).
    both([ref(A),ref(B)],[0],H,H,ok,both(2,[],[])) :- A == null.
    both([ref(A),ref(B)],[0],H,H,ok,both(3,[],[])) :- A \== null, B == null.
    :- predicate(read, choice, 4).
    read([V],[1],H,H,ok,read(1,[],[])) :- V #= 1.
    read([V],[2],H,H,ok,read(2,[],[])) :- V #\= 1.
"#;

#[test]
fn a_write_reaches_the_reads_of_an_alias() {
    expect![[r#"
        [A != null, B != null, B != A] returns 1, as (Cell@0{value=0}, Cell@1{value=0}) -> 1
          write(1,[],[both(1,[],[read(1,[],[])])])
        [A != null, B != null, B == A] returns 2, as (Cell@0{value=0}, Cell@0{value=0}) -> 2
          write(1,[],[both(1,[],[read(2,[],[])])])
        [A != null, B == null] returns 0, as (Cell@0{value=0}, null) -> 0
          write(1,[],[both(3,[],[])])
        [A == null] returns 0, as (null, null) -> 0
          write(1,[],[both(2,[],[])])
    "#]]
    .assert_eq(&paths(TWO_WRITES));
}

#[test]
fn lazy_initialisation_without_aliases_has_no_such_path() {
    let bounds = Bounds { heap: HeapMode::LazyNoAlias, ..Bounds::default() };
    let found = Exploration { bounds, ..Exploration::default() }.paths(TWO_WRITES).0;
    expect![[r#"
        [A == null] returns 0, as (null, null) -> 0
          write(1,[],['?'(1,[],[]),both(2,[],[])])
        [B == null] returns 0, as (Cell@0{value=0}, null) -> 0
          write(1,[],['?'(2,[],[]),'?'(1,[],[]),both(3,[],[])])
        [] returns 1, as (Cell@0{value=0}, Cell@1{value=0}) -> 1
          write(1,[],['?'(2,[],[]),'?'(2,[],[]),both(1,[],[read(1,[],[])])])
        left out 1 times: references that are the same object (--heap)
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_new_object_is_no_input() {
    let program = r#"
        :- procedure('T', fresh, '(LCell;)I', static).
        :- field(value, 'Cell', value, 'I').
        :- predicate(fresh, entry, 0).
        fresh([ref(A)],[R],H,H3,E,fresh(1,[],[T])) :-
            A \== null, new_object(H,'Cell',B,H1), set_field(H1,A,value,7,H2),
            same([r(A),r(B)],[R],H2,H3,E,T).
        fresh([ref(A)],[-1],H,H,ok,fresh(2,[],[])) :- A == null.
        :- predicate(same, choice, 3).
        same([r(A),r(B)],[1],H,H,ok,same(1,[],[])) :- A == B.
        same([r(A),r(B)],[V],H,H,ok,same(2,[],[])) :- A \== B, get_field(H,B,value,V).
    "#;
    expect![[r#"
        [A != null] returns 0, as (Cell@0{value=0}) -> 0
          fresh(1,[],[same(2,[],[])])
        [A == null] returns -1, as (null) -> -1
          fresh(2,[],[])
    "#]]
    .assert_eq(&paths(program));
}

#[test]
fn a_list_is_as_long_as_the_loop_goes() {
    let program = r#"
        :- procedure('T', length, '(LNode;)I', static).
        :- field(next, 'Node', next, 'LNode;').
        :- predicate(length, entry, 0).
        length([ref(N)],[R],H,H1,E,length(1,[],[T])) :- while([ref(N),0],[R],H,H1,E,T).
        :- predicate(while, loop, 2).
        while([ref(N),I],[I],H,H,ok,while(1,[],[])) :- N == null.
        while([ref(N),I],[R],H,H1,E,while(2,[],[T])) :-
            N \== null, get_field(H,N,next,M), J #= I+1, while([ref(M),J],[R],H,H1,E,T).
    "#;
    expect![[r#"
        [N == null] returns 0, as (null) -> 0
          length(1,[],[while(1,[],[])])
        [N != null, N.next == null] returns 1, as (Node@0{next=null}) -> 1
          length(1,[],[while(2,[],[while(1,[],[])])])
        [N != null, N.next != null, N.next.next == null] returns 2, as (Node@0{next=Node@1{next=null}}) -> 2
          length(1,[],[while(2,[],[while(2,[],[while(1,[],[])])])])
        [N != null, N.next != null, N.next.next != null] is cut
          length(1,[],[while(2,[],[while(2,[],[while(2,[],[])])])])
    "#]]
    .assert_eq(&paths_within(Termination::Loop(2), program));
}

/// A cast is a guard on the class of an unknown object.
#[test]
fn the_class_of_an_unknown_object_is_decided_by_guards() {
    let program = r#"
        % class Wide extends Cell
        :- procedure('T', width, '(LCell;)I', static).
        :- field(width, 'Wide', width, 'I').
        :- predicate(width, entry, 0).
        width([ref(C)],[W],H,H,ok,width(1,[],[])) :-
            C \== null, instance(H,C,'Wide'), get_field(H,C,width,W).
        width([ref(C)],[-1],H,H,ok,width(2,[],[])) :- C \== null, not_instance(H,C,'Wide').
        width([ref(C)],[-2],H,H,ok,width(3,[],[])) :- C == null.
    "#;
    expect![[r#"
        [C != null, C instanceof Wide] returns C.width, as (Wide@0{width=0}) -> 0
          width(1,[],[])
        [C != null, !(C instanceof Wide)] returns -1, as (Cell@0{}) -> -1
          width(2,[],[])
        [C == null] returns -2, as (null) -> -2
          width(3,[],[])
    "#]]
    .assert_eq(&paths(program));
}

#[test]
fn a_receiver_is_never_null() {
    let program = r#"
        :- procedure('Counter', up, '(I)I', instance).
        :- field(count, 'Counter', count, 'I').
        :- predicate(up, entry, 0).
        up([r(This),By],[D],H,H1,ok,up(1,[],[])) :-
            get_field(H,This,count,C), D #= C+By, set_field(H,This,count,D,H1).
    "#;
    expect![[r#"
        [] returns By + this.count, as (Counter@0{count=0}, 0) -> 0
          up(1,[],[])
    "#]]
    .assert_eq(&paths(program));
}
